"""What a club publishes: found, followed, framed, kept by caches, never old after a correction."""

from __future__ import annotations

import csv
import io
import random
import re
import uuid
from datetime import UTC, datetime, timedelta
from xml.etree import ElementTree as ET

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation
from openpyxl import load_workbook
from PIL import Image

from clubs import actions as club_actions
from clubs.attempts import Limit
from clubs.models import Player, Publication
from scoring import actions, figures, spreadsheets, tasks
from scoring.imports import read_table
from scoring.models import (
    Mark,
    PlayerResult,
    Ranking,
    RankingRow,
    ResultsImport,
    StaleStandings,
    TarotDeal,
)
from scoring.views import limits, previews
from tests.factories import (
    EntryFactory,
    EventFactory,
    PlayerFactory,
    RoundFactory,
    SeasonFactory,
    TableFactory,
)
from tests.reading import text_of
from tournaments.models import Entry, EntryPlayer, Event

pytestmark = pytest.mark.django_db

LIST = "Joueur;P1;P2;Total\nAna Ribeiro;10;30;40\nBia Costa;-10;0;-10\n=Caio Lima;0;-30;-30\n"


@pytest.fixture
def season(club):
    return SeasonFactory(club=club, publication=Publication.PUBLIC)


@pytest.fixture
def evening(club, season, owner) -> Event:
    """A published evening of a public club, counted."""
    club.publication = Publication.PUBLIC
    club.save()
    sent = actions.send_list(
        club=club, table=read_table(LIST.encode()), file_name="x", held_on="2026-10-02",
        entry_key=uuid.uuid4(), by=owner,
    )  # fmt: skip
    event = actions.import_list(sent=ResultsImport.objects.get(pk=sent.pk), by=owner)
    event.publication = Publication.PUBLIC
    event.save()
    tasks.refresh_ranking(season.pk)
    return event


@pytest.fixture
def ranking(evening, season) -> Ranking:
    return Ranking.objects.get(season=season)


class Proxy:
    """A cache on the way, as simple as one may be: keeps what may be kept, asks if it must."""

    def __init__(self) -> None:
        self.client = Client()
        self.kept: dict[str, tuple[str, bytes]] = {}
        self.passed_on = 0

    def get(self, address: str) -> str:
        tag, body = self.kept.get(address, ("", b""))
        asked = {"If-None-Match": tag} if tag else {}
        response = self.client.get(address, headers=asked)
        if response.status_code == 304:
            self.passed_on += 1
            return body.decode()
        control = response.headers.get("Cache-Control", "")
        if "public" in control and "Set-Cookie" not in response.headers and not response.cookies:
            assert "no-cache" in control, "kept without asking again"
            self.kept[address] = (response.headers["ETag"], response.content)
        return response.content.decode()


def addresses(evening: Event, ranking: Ranking) -> list[str]:
    slug = evening.club.slug
    player = evening.entries.by_place().first().players.get()
    return [
        reverse("club", args=[slug]), reverse("ranking", args=[slug]),
        reverse("records", args=[slug]), reverse("results-feed", args=[slug]),
        reverse("event", args=[evening.pk]), reverse("standings", args=[evening.pk]),
        reverse("results", args=[evening.pk]), reverse("results-csv", args=[evening.pk]),
        reverse("player", args=[player.pk]), reverse("ranking-csv", args=[ranking.pk]),
        reverse("embed-ranking", args=[ranking.pk]),
    ]  # fmt: skip


def test_what_everybody_may_see_is_kept_by_any_cache_and_asked_for_again(evening, ranking):
    proxy = Proxy()
    for address in addresses(evening, ranking):
        first = proxy.get(address)
        assert address in proxy.kept, address
        assert proxy.get(address) == first
    assert proxy.passed_on == len(proxy.kept)


def test_pages_that_know_no_version_are_kept_by_their_bytes(evening, ranking):
    proxy = Proxy()
    row = ranking.rows.first()
    pages = [
        reverse("evenings", args=[evening.club.slug]), reverse("tables", args=[evening.pk]),
        reverse("why-rank", args=[row.pk]), reverse("print-seating", args=[evening.pk]),
    ]  # fmt: skip
    for address in pages:
        assert proxy.get(address) == proxy.get(address)
    assert proxy.passed_on == len(pages)


def test_no_cache_shows_a_result_as_it_was_before_a_correction(evening, ranking):
    proxy = Proxy()
    for address in addresses(evening, ranking):
        proxy.get(address)
    ana = evening.entries.by_place().first()
    ana.points = 4321
    ana.save()
    Event.objects.filter(pk=evening.pk).update(standings_at=timezone.now())
    evening.season.stale_rankings.create()
    tasks.refresh_ranking(evening.season_id)

    for address in addresses(evening, ranking):
        text = re.sub(r"[\u202f\xa0 ]", "", proxy.get(address))
        assert "4321" in text, address


def test_no_cache_tells_a_name_that_the_player_has_taken_back(evening, ranking):
    proxy = Proxy()
    assert all("Ana Ribeiro" in proxy.get(address) for address in addresses(evening, ranking))

    ana = Player.objects.get(name="Ana Ribeiro")
    club_actions.choose_shown_name(player=ana, shown_as="pseudonym", pseudonym="Nuage")

    for address in addresses(evening, ranking):
        text = proxy.get(address)
        assert "Ribeiro" not in text, address
        assert "Nuage" in text, address


def test_no_cache_tells_what_a_club_or_a_season_was_called_before(evening, ranking):
    proxy = Proxy()
    ana, bia, *_others = Player.objects.filter(club=evening.club).order_by("name")
    with_club = [
        reverse("player", args=[ana.pk]), reverse("head-to-head", args=[ana.pk, bia.pk]),
        reverse("standings", args=[evening.pk]) + "?projector=",
        reverse("embed-ranking", args=[ranking.pk]), reverse("ranking", args=[evening.club.slug]),
        reverse("records", args=[evening.club.slug]),
    ]  # fmt: skip
    with_season = [address for address in with_club if "standings" not in address]
    for address in with_club:
        proxy.get(address)
    evening.club.name = "Cercle Renommé"
    evening.club.save()

    assert all("Cercle Renommé" in proxy.get(address) for address in with_club)

    evening.season.name = "Saison Renommée"
    evening.season.save()
    told = {address: "Saison Renommée" in proxy.get(address) for address in with_season}
    assert all(told.values()), told


@pytest.fixture
def crowd(evening) -> Event:
    """An evening of seven hundred, as a list may hold them, the first half of one club."""
    players = PlayerFactory.build_batch(700, club=evening.club)
    Player.objects.bulk_create(players)
    evening.entries.all().delete()
    entries = [
        Entry(event=evening, number=n, place=n, points=1000 - n, deals_played=5,
              club_name="Lyon" if n <= 350 else "Nantes")
        for n in range(1, 701)
    ]  # fmt: skip
    Entry.objects.bulk_create(entries)
    EntryPlayer.objects.bulk_create(
        EntryPlayer(event=evening, entry=entry, player=player)
        for entry, player in zip(entries, players, strict=True)
    )
    return evening


@pytest.mark.parametrize("name", ["event", "standings", "results"])
def test_an_evening_of_hundreds_comes_in_pages(name: str, crowd, anonymous_client):
    address = reverse(name, args=[crowd.pk])
    first, last = anonymous_client.get(address), anonymous_client.get(address + "?page=3")

    assert [page.text.count('<th scope="row">') for page in (first, last)] == [300, 100]
    assert "Page 1 of 3" in first.text
    assert "?page=2" in first.text


def test_groups_of_hundreds_go_on_over_the_page(crowd, anonymous_client):
    address = reverse("results", args=[crowd.pk]) + "?by=club"
    pages = [anonymous_client.get(f"{address}&page={number}").text for number in (1, 2, 3)]

    assert [("Lyon</h2>" in page, "Nantes</h2>" in page) for page in pages] == [
        (True, False), (True, True), (False, True),
    ]  # fmt: skip
    assert sum(page.count('<th scope="row">') for page in pages) == 700


def test_unchanged_results_are_not_read_again(
    crowd, anonymous_client, django_assert_max_num_queries
):
    address = reverse("results", args=[crowd.pk])
    tag = anonymous_client.get(address).headers["ETag"]

    with django_assert_max_num_queries(6) as asked:
        again = anonymous_client.get(address, headers={"If-None-Match": tag})

    assert again.status_code == 304
    assert not [query for query in asked.captured_queries if "round_points" in query["sql"]]


def test_a_published_evening_is_on_the_page_of_a_player_also_while_the_ranking_is_kept(
    evening, ranking, anonymous_client
):
    player = evening.entries.by_place().first().players.get()
    why = reverse("why-rank", args=[ranking.rows.get(player=player).pk])
    assert why in anonymous_client.get(reverse("player", args=[player.pk])).text
    evening.season.publication = Publication.CLUB
    evening.season.save()

    page = anonymous_client.get(reverse("player", args=[player.pk])).text

    assert evening.get_absolute_url() in page
    assert str(ranking) not in page
    assert why not in page


def test_what_is_no_longer_published_is_gone_at_once(evening, ranking):
    proxy = Proxy()
    address = reverse("standings", args=[evening.pk])
    proxy.get(address)

    Event.objects.filter(pk=evening.pk).update(publication=Publication.CLUB)

    assert "Ana Ribeiro" not in proxy.get(address)


@pytest.mark.parametrize("name", ["event", "standings"])
def test_what_a_member_sees_is_kept_by_nobody_else(name: str, evening, member_client):
    response = member_client.get(reverse(name, args=[evening.pk]))

    assert "private" in response.headers["Cache-Control"]
    assert "Cookie" in response.headers["Vary"]


def test_an_unchanged_answer_has_no_body_and_the_same_tag(evening, anonymous_client):
    address = reverse("event", args=[evening.pk])
    first = anonymous_client.get(address)

    again = anonymous_client.get(address, headers={"If-None-Match": first.headers["ETag"]})

    assert again.status_code == 304
    assert again.headers["ETag"] == first.headers["ETag"]
    assert first.headers["Last-Modified"] == again.headers["Last-Modified"]


# Feed, files, frame, picture


def test_the_feed_tells_the_latest_results_with_the_first_places(evening, anonymous_client):
    response = anonymous_client.get(reverse("results-feed", args=[evening.club.slug]))

    feed = ET.fromstring(response.content)  # noqa: S314 - our own
    atom = "{http://www.w3.org/2005/Atom}"
    entries = feed.findall(f"{atom}entry")
    assert response.headers["Content-Type"].startswith("application/atom+xml")
    assert [entry.find(f"{atom}summary").text for entry in entries] == [
        "1. Ana Ribeiro +40 · 2. Bia Costa −10 · 3. =Caio Lima −30"
    ]
    assert entries[0].find(f"{atom}title").text.endswith(", 2 Oct 2026")
    assert entries[0].find(f"{atom}link").get("href").endswith(evening.get_absolute_url())


def test_a_name_in_the_feed_is_text_and_no_markup(evening, anonymous_client):
    Player.objects.filter(name="Ana Ribeiro").update(name="<img src=x>")
    address = reverse("results-feed", args=[evening.club.slug])

    feed = ET.fromstring(anonymous_client.get(address).content)  # noqa: S314 - our own

    atom = "{http://www.w3.org/2005/Atom}"
    summary = feed.find(f"{atom}entry/{atom}summary")
    assert summary.get("type") == "html"
    assert "<" not in summary.text
    assert summary.text.startswith("1. &lt;img src=x&gt; +40")
    assert feed.find(f"{atom}author/{atom}name").text == evening.club.name


def test_the_feed_holds_no_evening_of_members_only(evening, member_client):
    Event.objects.filter(pk=evening.pk).update(publication=Publication.CLUB)

    response = member_client.get(reverse("results-feed", args=[evening.club.slug]))

    assert b"Ana Ribeiro" not in response.content


@pytest.mark.parametrize(
    ("language", "delimiter", "head"),
    [("en", ",", "Rank"), ("fr", ";", None), ("pt-br", ";", None)],
)
def test_a_csv_is_as_the_readers_spreadsheet_wants_it(
    language: str, delimiter: str, head: str | None, evening, anonymous_client
):
    response = anonymous_client.get(
        reverse("results-csv", args=[evening.pk]), headers={"Accept-Language": language}
    )

    rows = list(csv.reader(io.StringIO(response.content.decode("utf-8-sig")), delimiter=delimiter))
    assert response.content.startswith(b"\xef\xbb\xbf")
    assert "attachment" in response.headers["Content-Disposition"]
    assert [row[2] for row in rows[1:]] == ["Ana Ribeiro", "Bia Costa", "'=Caio Lima"]
    assert head is None or rows[0][0] == head


def test_the_name_of_a_file_keeps_the_dash_of_its_season(ranking, anonymous_client):
    ranking.season.name = "2026–27"
    ranking.season.save()

    response = anonymous_client.get(reverse("ranking-csv", args=[ranking.pk]))

    assert response.headers["Content-Disposition"].endswith('-2026-27.csv"')


def test_a_workbook_holds_numbers_as_numbers_and_no_formula(evening, anonymous_client):
    response = anonymous_client.get(reverse("results-xlsx", args=[evening.pk]))

    sheet = load_workbook(io.BytesIO(response.content)).active
    rows = [list(row) for row in sheet.iter_rows(min_row=2)]
    assert [row[2].value for row in rows] == ["Ana Ribeiro", "Bia Costa", "=Caio Lima"]
    assert {row[2].data_type for row in rows} == {"s"}
    assert rows[0][-2].value == 40


def test_equal_rows_are_equal_bytes_whenever_a_workbook_is_made(time_machine):
    rows = [["Rank", "Player"], [1, "Ana"]]

    time_machine.move_to("2026-10-02 20:00+00:00")
    first = spreadsheets.to_xlsx(rows, title="Evening")
    time_machine.move_to("2026-10-03 21:07+00:00")
    later = spreadsheets.to_xlsx(rows, title="Evening")

    assert first == later


def test_only_the_sites_that_the_club_has_named_may_frame_the_ranking(ranking, anonymous_client):
    club, address = ranking.season.club, reverse("embed-ranking", args=[ranking.pk])

    closed = anonymous_client.get(address)
    club.embed_origins = "https://www.club.example\nhttps://bridge.example:8443"
    club.save()
    named = anonymous_client.get(address)

    assert "frame-ancestors 'none'" in closed.headers["Content-Security-Policy"]
    assert (
        "frame-ancestors https://www.club.example https://bridge.example:8443"
        in named.headers["Content-Security-Policy"]
    )
    assert "X-Frame-Options" not in named.headers
    assert "<script" not in named.content.decode()


@pytest.mark.parametrize(
    "typed",
    [
        "javascript:alert(1)",
        "https://*.example",
        "https://a.example/x",
        "a.example",
        "* ",
        "https://é..example",
    ],
)
def test_what_is_no_site_is_refused_in_the_settings(typed: str, club, owner_client):
    response = owner_client.post(
        reverse("club-settings", args=[club.slug]),
        {"name": club.name, "language": "en", "publication": "public", "embed_origins": typed},
    )

    assert response.status_code == 422


def test_a_site_with_accents_may_frame_the_ranking_and_is_shown_with_them(
    ranking, owner_client, anonymous_client
):
    club = ranking.season.club
    address = reverse("club-settings", args=[club.slug])

    owner_client.post(
        address,
        {"name": club.name, "language": "en", "publication": "public",
         "embed_origins": "https://Été.example/\nhttp://forêt.example:8080"},
    )  # fmt: skip
    framed = anonymous_client.get(reverse("embed-ranking", args=[ranking.pk]))
    pages = [owner_client.get(each).content.decode()
             for each in (address, reverse("share-club", args=[club.slug]))]  # fmt: skip

    assert (
        "frame-ancestors https://xn--t-9fab.example http://xn--fort-ipa.example:8080"
        in framed.headers["Content-Security-Policy"]
    )
    assert all("https://été.example" in page for page in pages)
    assert not any("xn--" in page for page in pages)


def test_no_page_but_the_frame_may_be_framed(evening, anonymous_client):
    response = anonymous_client.get(reverse("event", args=[evening.pk]))

    assert response.headers["X-Frame-Options"] == "DENY"
    assert "frame-ancestors 'none'" in response.headers["Content-Security-Policy"]


@pytest.mark.parametrize("name", ["event-picture", "ranking-picture"])
def test_link_previews_have_a_picture_of_the_size_that_networks_want(
    name: str, evening, ranking, anonymous_client
):
    about = evening if name == "event-picture" else ranking

    response = anonymous_client.get(reverse(name, args=[about.pk]))

    picture = Image.open(io.BytesIO(response.content))
    assert (picture.format, picture.size) == ("PNG", (1200, 630))
    assert "public" in response.headers["Cache-Control"]


def test_a_picture_is_drawn_once_for_all_that_it_shows(evening, anonymous_client):
    address = reverse("event-picture", args=[evening.pk])

    first = anonymous_client.get(address)
    shown = previews._of_event(evening)
    club_actions.choose_shown_name(
        player=Player.objects.get(name="Ana Ribeiro"), shown_as="pseudonym", pseudonym="Nuage"
    )
    renamed = anonymous_client.get(address)

    assert cache.get(f"picture:{shown.tag}") == first.content
    assert previews._of_event(evening).tag != shown.tag
    assert renamed.content != first.content


@pytest.mark.parametrize("name", ["event-picture", "ranking-picture"])
def test_a_picture_says_of_when_it_is_and_is_another_one_when_counted_again(
    name: str, evening, ranking, anonymous_client
):
    about = evening if name == "event-picture" else ranking
    address = reverse(name, args=[about.pk])
    first = anonymous_client.get(address)

    later = timezone.now() + timedelta(days=1)
    Event.objects.filter(pk=evening.pk).update(standings_at=later)
    Ranking.objects.filter(pk=ranking.pk).update(computed_at=later)
    again = anonymous_client.get(address, headers={"If-None-Match": first.headers["ETag"]})

    assert again.status_code == 200
    assert again.content != first.content
    assert again.headers["ETag"] != first.headers["ETag"]


def test_a_picture_says_in_words_when_its_places_were_counted(evening):
    evening.standings_at = datetime(2026, 12, 3, 22, 30, tzinfo=UTC)

    with translation.override("fr"):
        fresh = previews._of_event(evening)
        StaleStandings.objects.create(event=evening)
        old = previews._of_event(evening)

    assert fresh.age == "Calculé le 03/12/2026 à 23\xa0h\xa030"
    assert old.age == "Calculé le 03/12/2026 à 23\xa0h\xa030 · Nouveau calcul en cours"
    assert "résultats" in fresh.below
    assert fresh.tag != old.tag


def test_a_page_names_another_picture_when_results_become_final(evening, anonymous_client):
    def named() -> str:
        return re.findall('og:image" content="([^"]*)"', anonymous_client.get(page).text)[0]

    page = reverse("results", args=[evening.pk])
    before = named()
    Event.objects.filter(pk=evening.pk).update(kind=Event.Kind.TOURNAMENT)
    Event.objects.filter(pk=evening.pk).update(state=Event.State.CLOSED)

    assert named() != before
    assert named().endswith("provisional")


def test_a_public_evening_says_what_it_is_to_other_programs(evening, anonymous_client):
    Event.objects.filter(pk=evening.pk).update(title='</script><b>"Soirée"')

    text = anonymous_client.get(reverse("event", args=[evening.pk])).content.decode()

    assert '<meta property="og:image" content="http://testserver' in text
    assert '"@type": "Event"' in text
    assert "</script><b>" not in text


def test_an_address_without_an_account_that_asks_too_often_is_told_to_wait(
    evening, anonymous_client, member_client, monkeypatch
):
    monkeypatch.setattr(limits, "PAGES", Limit(name="few", most=2, seconds=60))
    address = reverse("records", args=[evening.club.slug])

    answers = [anonymous_client.get(address) for _time in range(3)]

    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert answers[-1].headers["Retry-After"] == "60"
    assert member_client.get(address).status_code == 200


def test_a_club_may_keep_its_sheets_to_itself(club, season, member_client, anonymous_client):
    club.publication, club.shows_sheets = Publication.PUBLIC, False
    club.save()
    event = EventFactory(season=season, public=True, running=True)
    table = TableFactory(round=RoundFactory(event=event))
    address = reverse("sheet", args=[table.pk])

    assert anonymous_client.get(address).status_code == 404
    assert member_client.get(address).status_code == 200
    assert address not in anonymous_client.get(reverse("event", args=[event.pk])).content.decode()


# Figures


@pytest.fixture
def played(season) -> list[TarotDeal]:
    """Sixty deals of six players at random tables, one in ten void."""
    dice = random.Random(7)
    event = EventFactory(season=season, public=True, closed=True)
    people = [PlayerFactory(club=season.club) for _ in range(6)]
    deals = []
    for number in range(1, 7):
        table = TableFactory(
            round=RoundFactory(event=event, number=number, closed=True),
            players=dice.sample(people, 4),
        )
        seats = list(table.seats.all())
        for deal_number in range(1, 11):
            taker = dice.choice(seats)
            made, unit = dice.random() < 0.6, dice.randrange(10, 90)
            deal = TarotDeal.objects.create(
                table=table, number=deal_number, entry_key=uuid.uuid4(), taker=taker,
                contract=dice.choice(["petite", "garde", "garde_sans"]), bouts=2, half_points=90,
                is_made=made, margin=4, state="void" if dice.random() < 0.1 else "standing",
            )  # fmt: skip
            for seat in seats:
                sign = 1 if (seat == taker) == made else -1
                Mark.objects.create(
                    deal=deal, seat=seat, points=sign * unit * (3 if seat == taker else 1)
                )
            deals.append(deal)
    return deals


def by_hand(played) -> list[tuple[TarotDeal, dict[int, int], int]]:
    """Give each standing deal with the marks of its players and the taker's key."""
    return [
        (deal, {m.seat.player_id: m.points for m in deal.marks.select_related("seat")},
         deal.taker.player_id)
        for deal in played
        if deal.is_standing
    ]  # fmt: skip


def test_figures_of_a_player_are_those_that_are_counted_by_hand(played, season):
    events = Event.objects.of_season(season)
    for player in Player.objects.filter(seats__isnull=False).distinct():
        own = [(d, marks, taker) for d, marks, taker in by_hand(played) if player.pk in marks]
        taken = [(d, marks) for d, marks, taker in own if taker == player.pk]

        contracts = {
            c.contract: (c.taken, c.made, c.points) for c in figures.contracts_of(player, events)
        }
        parts = {p.part: (p.deals, p.points) for p in figures.parts_of(player, events)}
        company = {
            c.player.pk: (c.deals, c.own, c.other)
            for c in figures.company_of(player, events, most=10)
        }

        assert contracts == {
            name: (
                len(of), sum(d.is_made for d, _m in of), sum(m[player.pk] for _d, m in of),
            )
            for name in {d.contract for d, _m in taken}
            if (of := [(d, m) for d, m in taken if d.contract == name])
        }  # fmt: skip
        assert sum(deals for deals, _points in parts.values()) == len(own)
        assert sum(points for _d, points in parts.values()) == sum(m[player.pk] for _, m, _t in own)
        assert company == {
            other: (
                len(both), sum(m[player.pk] for m in both), sum(m[other] for m in both),
            )
            for other in {key for _d, m, _t in own for key in m} - {player.pk}
            if (both := [m for _d, m, _t in own if other in m])
        }  # fmt: skip


def test_two_players_head_to_head_are_counted_by_hand(played, season):
    events = Event.objects.of_season(season)
    one, other = Player.objects.filter(seats__isnull=False).distinct().order_by("pk")[:2]
    deals = [d for d in by_hand(played) if {one.pk, other.pk} <= d[1].keys()]
    taken = [(d, marks) for d, marks, taker in deals if taker == one.pk]

    together = figures.between(one, other, events)
    against = figures.against(one, other, events)

    assert (together.deals, together.own, together.other) == (
        len(deals), sum(m[one.pk] for _d, m, _t in deals), sum(m[other.pk] for _d, m, _t in deals),
    )  # fmt: skip
    assert (against.deals, against.made, against.own, against.other) == (
        len(taken), sum(d.is_made for d, _m in taken), sum(m[one.pk] for _d, m in taken),
        sum(m[other.pk] for _d, m in taken),
    )  # fmt: skip


@pytest.fixture
def champion(club, season, owner) -> Player:
    """Somebody of whom a list says that he won three meetings of four, and nothing else."""
    text = "Dupla;Jogos;V;D;Pontos\nAna Lima / Rui Reis;4;3;1;9\nBia / Caio;4;1;3;3\n"
    sent = actions.send_list(
        club=club, table=read_table(text.encode()), file_name="x", by=owner,
        held_on=season.starts_on, entry_key=uuid.uuid4(),
    )  # fmt: skip
    actions.import_list(sent=sent, by=owner)
    tasks.refresh_ranking(season.pk)
    return Player.objects.get(name="Ana Lima")


def test_meetings_of_truco_without_a_table_are_told_on_the_page_of_the_player(
    champion, season, owner_client
):
    games = figures.games_of(champion, Event.objects.of_season(season))
    page = text_of(owner_client.get(reverse("player", args=[champion.pk])))

    assert (games.meetings, games.won, games.lost) == (4, 3, 1)
    assert "Matches won 3 / 4" in page
    assert "Contracts made" not in page
    assert "Deals" not in page
    assert figures.games_of(PlayerFactory(club=season.club), Event.objects.all()) is None


def test_rank_and_score_of_a_player_are_of_one_ranking_that_is_named(
    champion, season, owner_client
):
    Ranking.objects.filter(season=season).delete()
    ranking = Ranking.objects.create(season=season, name="Copa", game="truco", method="wins")
    row = RankingRow.objects.create(
        ranking=ranking, player=champion, place=2, points=9, score=1046, evenings=1, deals_played=4
    )

    page = text_of(owner_client.get(reverse("player", args=[champion.pk])))

    assert f"Copa, rank {row.place} +1046" in page


def test_a_ranking_of_truco_counts_meetings_and_never_hands(champion, season, owner_client):
    ranking = Ranking.objects.create(season=season, name="Copa", game="truco", method="wins")
    row = RankingRow.objects.create(
        ranking=ranking, player=champion, place=1, points=9, score=9, evenings=1, deals_played=28,
        history=[{"event": Event.objects.get().pk, "points": 9, "deals": 28, "adds": 9,
                  "counts": True, "place": 1, "entries": 2, "wins": 3, "losses": 1}],
    )  # fmt: skip

    why = text_of(owner_client.get(reverse("why-rank", args=[row.pk])))
    ways = text_of(owner_client.get(reverse("edit-ranking", args=[ranking.pk])))
    told = owner_client.get(reverse("ranking-csv", args=[ranking.pk])).getvalue().decode()

    assert "Meetings" in why
    assert "Sum 4" in why
    assert "28" not in told
    assert not [page for page in (why, ways, told) if "Deals" in page]


def test_records_are_those_of_the_season_and_follow_a_correction(played, season):
    events = Event.objects.of_season(season).closed()

    def best() -> int:
        state = figures.state_of(season, events)
        return figures.records_of(season, events, state=state)["deals"].records[0].value

    highest = max(max(marks.values()) for _d, marks, _t in by_hand(played))
    assert best() == highest
    Mark.objects.filter(points=highest).update(points=5000)
    assert best() == highest, "kept while nothing is counted again"
    events.update(standings_at=timezone.now())
    assert best() == 5000


def test_records_say_how_old_they_are_and_that_an_evening_is_counted_again(
    evening, ranking, anonymous_client
):
    address = reverse("records", args=[evening.club.slug])
    before = anonymous_client.get(address)
    assert "Counted on" in before.text
    assert "Being counted again" not in before.text

    evening.season.stale_rankings.create()
    after = anonymous_client.get(address, headers={"If-None-Match": before.headers["ETag"]})

    assert "Being counted again" in after.text


def test_a_season_of_truco_has_records_too(club, season, member_client):
    event = EventFactory(season=season, closed=True, game=Event.Game.TRUCO)
    for name, wins, losses in (("Ana", 3, 1), ("Bia", 1, 3)):
        player = PlayerFactory(club=club, name=name)
        PlayerResult.objects.create(
            event=event, player=player, entry=EntryFactory(event=event, player=player), points=0,
            ruled_points=0, deals=0, place=None, entries=2, is_member=True, wins=wins,
            losses=losses,
        )  # fmt: skip

    page = member_client.get(reverse("records", args=[club.slug])).text

    lines = re.sub(r"<[^>]*>", " ", page.partition("Most matches won")[2]).split()
    assert lines[:9] == ["Player", "Won", "Played", "Ana", "3", "4", "Bia", "1", "4"]


@pytest.mark.parametrize(("equals", "shown"), [(2, 7), (6, 5)])
def test_a_list_of_records_does_not_end_between_equals(
    equals: int, shown: int, club, season, anonymous_client
):
    club.publication = Publication.PUBLIC
    club.save()
    event = EventFactory(season=season, public=True, closed=True)
    for points in [90, 80, 70, 60, *[50] * (1 + equals), 40]:
        player = PlayerFactory(club=club)
        PlayerResult.objects.create(
            event=event, player=player, entry=EntryFactory(event=event, player=player),
            points=points, ruled_points=0, deals=1, place=2, entries=9, is_member=False,
        )  # fmt: skip

    page = anonymous_client.get(reverse("records", args=[club.slug]))

    board = page.context["records"]["evenings"]
    assert [line["value"] for line in board["lines"]] == [90, 80, 70, 60, 50, 50, 50][:shown]
    left_out = 4 + 1 + equals - shown
    assert board["more"] == left_out
    assert ("more that are as good as the last" in page.text) == (left_out > 0)


def test_other_evenings_of_the_same_number_and_sum_have_other_records(season):
    events = [EventFactory(season=season, closed=True) for _each in range(4)]

    def state(*chosen: Event) -> tuple[object, ...]:
        keys = [event.pk for event in chosen]
        return figures.state_of(season, Event.objects.filter(pk__in=keys))

    assert state(events[0], events[3]) != state(events[1], events[2])


def test_an_average_reads_the_same_on_every_page(ranking, anonymous_client):
    Ranking.objects.filter(pk=ranking.pk).update(method=Ranking.Method.AVERAGE)
    ranking.rows.update(score=1250)
    club = ranking.season.club

    pages = [
        anonymous_client.get(address).text
        for address in (
            reverse("club", args=[club.slug]), reverse("ranking", args=[club.slug]),
            reverse("embed-ranking", args=[ranking.pk]),
            reverse("why-rank", args=[ranking.rows.first().pk]),
        )
    ]  # fmt: skip

    assert ["+12.50" in page for page in pages] == [True] * 4
    assert not [page for page in pages if "1250" in page.replace("\u202f", "")]


@pytest.mark.parametrize("game", list(Event.Game))
@pytest.mark.parametrize("places", [(1, 2), (2, 1), (1, 1)])
def test_head_to_head_says_how_often_each_was_in_front(places, game, club, season, member_client):
    event = EventFactory(season=season, closed=True, game=game)
    players = [PlayerFactory(club=club, name=name) for name in ("Ana", "Bia")]
    for player, place in zip(players, places, strict=True):
        PlayerResult.objects.create(
            event=event, player=player, entry=EntryFactory(event=event, player=player), points=1,
            ruled_points=0, deals=1, place=place, entries=2, is_member=False,
        )  # fmt: skip

    page = member_client.get(reverse("head-to-head", args=[player.pk for player in players]))

    told = [page.context[name] for name in ("ahead", "behind", "level")]
    assert told == [int(places[0] < places[1]), int(places[0] > places[1]),
                    int(places[0] == places[1])]  # fmt: skip
    assert "Ana in front" in page.text


def test_evenings_that_began_together_are_told_head_to_head_the_later_entered_first(club, season):
    players = [PlayerFactory(club=club, name=name) for name in ("Ana", "Bia")]
    began = timezone.now()
    events = [EventFactory(season=season, closed=True, starts_at=began) for _each in range(2)]
    for event in events:
        for player in players:
            PlayerResult.objects.create(
                event=event, player=player, entry=EntryFactory(event=event, player=player),
                points=1, ruled_points=0, deals=1, place=1, entries=2, is_member=False,
            )  # fmt: skip

    met = figures.meetings(*players, Event.objects.of_season(season))

    assert [meeting.event for meeting in met] == events[::-1]


@pytest.mark.parametrize("evenings", [1, 4])
def test_a_players_page_costs_the_same_with_a_long_history(
    evenings: int, played, season, anonymous_client, django_assert_num_queries
):
    season.club.publication = Publication.PUBLIC
    season.club.save()
    player = Player.objects.filter(seats__isnull=False).first()
    for _each in range(evenings):
        event = EventFactory(season=season, public=True, closed=True)
        TableFactory(round=RoundFactory(event=event, closed=True), players=[player, *(
            PlayerFactory(club=season.club) for _ in range(3))])  # fmt: skip
        event.entries.update(deals_played=1)

    for event in Event.objects.of_season(season):
        PlayerResult.objects.create(
            event=event, player=player, entry=event.entries.first(), points=1, ruled_points=0,
            deals=1, place=1, entries=4, is_member=False,
        )  # fmt: skip
    with django_assert_num_queries(QUERIES_OF_A_PLAYER):
        response = anonymous_client.get(reverse("player", args=[player.pk]))
    assert response.status_code == 200


QUERIES_OF_A_PLAYER = 16
