"""A name that a player keeps from the world is told to the club, and to nobody else, anywhere."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from datetime import date
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import get_resolver, reverse
from django.utils import timezone
from pypdf import PdfReader

from clubs import actions as club_actions
from clubs.models import Membership, Player, Publication, User
from scoring import actions, exports, tasks
from scoring.imports import read_table
from scoring.models import PaperJob, Ranking, RankingRow, TarotDeal
from scoring.views import previews
from tests.factories import EventFactory, PlayerFactory, RoundFactory, SeasonFactory, TableFactory
from tests.test_permissions import OF_A_CLUB, named_patterns
from tournaments.models import Entry, ResultVersion, Stage

pytestmark = pytest.mark.django_db

#: Full names, family names and table names that may be read nowhere.
SECRETS = ("Dulac", "Perdrix", "Quentin", "Zéphyrine", "Zephyrine", "Ombeline", "Loulou")

#: What those who play call themselves, by what their players keep; Ida is told as "Ida D.".
SIDES = ("Les Dulac", "Ida et ses amis", "Perdrix & Cie", "Quentin e Le Bihan")

#: Files, what needs no club, and the club that the stranger owns.
ELSEWHERE = ("/static/", "/sign-in/", "/language/", "/clubs/les-dunes/")


@pytest.fixture
def players(club) -> dict[str, Player]:
    made = {
        Player.ShownAs.FULL: PlayerFactory(club=club, name="Franck Ouvert"),
        Player.ShownAs.INITIAL: PlayerFactory(club=club, name="Ida Dulac", table_name="Loulou"),
        Player.ShownAs.PSEUDONYM: PlayerFactory(club=club, name="Zéphyrine Perdrix"),
        Player.ShownAs.HIDDEN: PlayerFactory(club=club, name="Ombeline Quentin"),
    }
    for shown_as, player in made.items():
        club_actions.choose_shown_name(
            player=player,
            shown_as=shown_as,
            pseudonym="Le Petit" if shown_as == "pseudonym" else "",
        )
    return made


@pytest.fixture
def world(club, players):
    """A published club in which the four played, one of them wrote, and all is counted."""
    hidden = players[Player.ShownAs.HIDDEN]
    hidden.account = User.objects.create(email="ombeline@example.org", name="Ombeline Quentin")
    hidden.save()
    Membership.objects.create(player=hidden, licence_number="QUENTIN-7")
    season = SeasonFactory(club=club, publication=Publication.PUBLIC)
    event = EventFactory(season=season, publication=Publication.PUBLIC, closed=True,
                         kind="tournament", standings_at=timezone.now())  # fmt: skip
    club.publication = Publication.PUBLIC
    club.save()
    table = TableFactory(
        round=RoundFactory(event=event, closed=True), players=list(players.values()),
        signed_at=timezone.now(), signed_by=hidden.account,
    )  # fmt: skip
    seats = list(table.seats.order_by("place"))
    for number, state in ((1, "standing"), (2, "void")):
        deal = TarotDeal.objects.create(
            table=table, number=number, entry_key=uuid4(), taker=seats[3], contract="garde",
            bouts=2, half_points=98, is_made=True, margin=8, author=hidden.account, state=state,
            voided_by=hidden.account if state == "void" else None,
        )  # fmt: skip
        for seat in seats:
            deal.marks.create(seat=seat, points=198 if seat == seats[3] else -66)
    ranking, _new = Ranking.objects.get_or_create(season=season, computed_at=timezone.now())
    for place, entry in enumerate(Entry.objects.filter(event=event), start=1):
        entry.points, entry.deals_played, entry.place = 100 - place, 1, place
        entry.round_points = [
            {"round": 1, "table": table.pk, "number": 1, "points": 100 - place, "deals": 1}
        ]
        entry.save()
        RankingRow.objects.create(
            ranking=ranking, player=entry.players.get(), place=place, points=100 - place,
            evenings=1, deals_played=1,
            history=[{"event": event.pk, "points": 100 - place, "deals": 1, "adds": 100 - place,
                      "counts": True, "place": place, "entries": 4}],
        )  # fmt: skip
    lines = [
        {"entry": e.pk, "place": e.place, "points": e.points, "sheet_points": e.points,
         "ruled_points": 0, "tie_breaks": [], "rounds": e.round_points}
        for e in event.entries.all()
    ]  # fmt: skip
    ResultVersion.objects.create(event=event, number=1, lines=lines, made_at=timezone.now())
    changes = [{"entry": e.pk, "points": [0, 1], "place": [None, 1]} for e in event.entries.all()]
    ResultVersion.objects.create(
        event=event, number=2, lines=lines, changes=changes, made_at=timezone.now()
    )
    Stage.objects.create(event=event, number=1, rounds_planned=5, deals_per_round=4)
    return {
        "club": club, "season": season, "event": event, "table": table, "deal": deal,
        "ranking": ranking, "players": players,
    }  # fmt: skip


def test_each_choice_is_what_the_world_reads(players):
    assert [player.shown_name for player in players.values()] == [
        "Franck Ouvert", "Ida D.", "Le Petit", "Name withheld",
    ]  # fmt: skip


def test_nothing_that_the_world_may_open_holds_a_name_that_is_kept_from_it(
    world, anonymous_client: Client, stranger_client: Client
):
    """Follow every link from the published pages, and open every address that is published."""
    for client in (anonymous_client, stranger_client):
        opened = list(crawl(client, starts(world)))

        assert len(opened) > 25
        for address, text, headers in opened:
            told = [secret for secret in SECRETS if secret.casefold() in text.casefold()]
            assert not told, f"{address} tells {told}"
            assert not [s for s in SECRETS if s.casefold() in headers.casefold()], address


def test_what_a_side_or_a_team_calls_itself_tells_no_name_that_a_player_keeps(
    world, anonymous_client: Client, member_client: Client
):
    event, players = world["event"], world["players"]
    team = event.teams.create(name="Ombeline et les autres")
    for entry, name in zip(event.entries.order_by("place"), SIDES, strict=True):
        entry.name, entry.team = name, team
        entry.save()
    Entry.objects.filter(players=players[Player.ShownAs.FULL]).get().players.add(
        PlayerFactory(club=event.club, name="Rita Dulac", shown_as="hidden"),
        through_defaults={"event": event, "is_reserve": True},
    )

    read = " ".join(text for _address, text, _headers in crawl(anonymous_client, starts(world)))
    in_the_club = text_of(member_client.get(f"/api/v1/events/{event.pk}/entries/"))

    assert not [secret for secret in SECRETS if secret.casefold() in read.casefold()]
    assert "Ida et ses amis" in read, "what is told anyway may be told by the side, too"
    assert all(name in in_the_club for name in (*SIDES, team.name))


def test_a_list_of_pairs_that_is_brought_in_tells_no_name_that_a_player_keeps(
    club, owner, anonymous_client: Client, owner_client: Client
):
    for name in ("Quentin Michel", "Hervé Le Perdrix"):
        PlayerFactory(club=club, name=name, shown_as="hidden")
    text = (
        "Dupla;Jogador;Parceiro;Pontos;V;D\n"
        "Quentin e Le Perdrix;Quentin Michel;Hervé Le Perdrix;9;3;0\n"
    )
    sent = actions.send_list(
        club=club, table=read_table(text.encode()), file_name="truco.csv", by=owner,
        held_on=date(2026, 10, 2), entry_key=uuid4(),
    )  # fmt: skip
    event = actions.import_list(sent=sent, by=owner)
    type(event).objects.filter(pk=event.pk).update(publication=Publication.PUBLIC)
    club.publication = Publication.PUBLIC
    club.save()
    results = reverse("results", args=[event.pk])
    addresses = [results, f"/api/v1/events/{event.pk}/entries/", reverse("club", args=[club.slug])]

    read = {address: text for address, text, _headers in crawl(anonymous_client, addresses)}

    assert {f"{results[:-1]}.csv", reverse("results-feed", args=[club.slug])} <= set(read)
    told = [where for where, text in read.items() if "perdrix" in text.casefold()]
    assert not told
    assert "Quentin e Le Perdrix" in text_of(owner_client.get(results))


def test_the_club_reads_every_name_in_full(world, member_client: Client):
    text = member_client.get(reverse("standings", args=[world["event"].pk])).content.decode()

    assert all(player.name in text for player in world["players"].values())


def test_the_wall_of_a_published_evening_tells_no_more_than_its_page(world, member_client):
    wall = member_client.get(reverse("standings", args=[world["event"].pk]) + "?projector")

    assert "Perdrix" not in wall.content.decode()
    assert "Le Petit" in wall.content.decode()


def test_the_ranking_on_paper_is_told_as_everybody_may_read_it(world, director_client):
    address = reverse("print-paper", args=[world["event"].pk])

    ranking = director_client.get(address, {"document": "ranking", "language": "en"})
    sheets = director_client.get(address, {"document": "sheets", "language": "en"})

    assert "Perdrix" not in ranking.content.decode()
    assert "Perdrix" in sheets.content.decode()


def test_a_file_made_by_a_worker_tells_what_the_paper_tells(world):
    def text_of_file(document: str) -> str:
        order = exports.Order(document=document, language="en")
        job = PaperJob.objects.create(event=world["event"], order=order.to_json())
        tasks.make_paper(job.pk)
        job.refresh_from_db()
        pages = PdfReader(io.BytesIO(bytes(job.file))).pages
        return " ".join(page.extract_text() for page in pages)

    ranking, sheets = text_of_file("ranking"), text_of_file("sheets")

    assert "Le Petit" in ranking
    assert "Perdrix" not in ranking
    assert "Perdrix" in sheets


def test_a_picture_tells_no_more_than_the_page(world):
    told = previews._of_event(world["event"])

    assert [name for _place, name, _points in told.lines] == [
        "Franck Ouvert", "Ida D.", "Le Petit", "Name withheld",
    ]  # fmt: skip


def test_the_world_finds_nobody_by_a_name_that_it_may_not_read(world, anonymous_client):
    address = reverse("ranking", args=[world["club"].slug])

    for words in ("dulac", "perdrix", "quentin"):
        found = anonymous_client.get(address, {"player": words})
        assert [line.row.player.pk for line in found.context["lines"]] == []
    found = anonymous_client.get(address, {"player": "le petit"})
    assert [line.row.player.shown_name for line in found.context["lines"]] == ["Le Petit"]


def test_the_world_finds_everybody_by_what_it_reads_whatever_the_accents(world, anonymous_client):
    address = reverse("ranking", args=[world["club"].slug])
    club_actions.choose_shown_name(
        player=world["players"][Player.ShownAs.PSEUDONYM], shown_as="pseudonym",
        pseudonym="L’Éclair",
    )  # fmt: skip

    def found(words: str) -> list[str]:
        lines = anonymous_client.get(address, {"player": words}).context["lines"]
        return [line.row.player.shown_name for line in lines]

    assert [found(words) for words in ("Éclair", "eclair", "l'ÉCLAIR")] == [["L’Éclair"]] * 3
    assert [found(words) for words in ("Ida", "ida D.", "idà")] == [["Ida D."]] * 3
    assert found("ida dulac") == found("name withheld") == []


def test_two_at_one_table_who_keep_their_names_are_told_apart(world, anonymous_client):
    franck = world["players"][Player.ShownAs.FULL]
    club_actions.choose_shown_name(player=franck, shown_as="hidden")

    text = anonymous_client.get(reverse("sheet", args=[world["table"].pk])).content.decode()

    assert "Name withheld (N)" in text
    assert "Name withheld (W)" in text


def test_another_choice_is_another_page_at_once(world, anonymous_client):
    address = reverse("standings", args=[world["event"].pk])
    before = anonymous_client.get(address)
    franck = world["players"][Player.ShownAs.FULL]

    club_actions.choose_shown_name(player=franck, shown_as="initial")
    after = anonymous_client.get(address, headers={"If-None-Match": before.headers["ETag"]})

    assert after.status_code == 200
    assert "Ouvert" not in after.content.decode()


def starts(world) -> list[str]:
    """Give every address that is published, of the pages and of the API, and each player's."""
    event, season = world["event"], world["season"]
    about = {
        "slug": [world["club"].slug], "season": [season.pk], "event": [event.pk],
        "event and number": [event.pk, 1], "table": [world["table"].pk],
        "ranking": [world["ranking"].pk],
    }  # fmt: skip
    pages = [
        reverse(name, args=about[address.about])
        for name, address in OF_A_CLUB.items()
        if address.published and address.about in about
    ]
    pages += [reverse("player", args=[player.pk]) for player in world["players"].values()]
    pages += [reverse("why-rank", args=[row.pk]) for row in RankingRow.objects.all()]
    pages += [reverse("standings", args=[event.pk]) + "?projector"]
    pages += [
        reverse("results", args=[event.pk]) + query
        for query in ("?after=1", "?version=1", "?by=team")
    ]
    api = [
        "/api/v1/events/", "/api/v1/clubs/", "/api/v1/seasons/",
        f"/api/v1/events/{event.pk}/", f"/api/v1/events/{event.pk}/rounds/",
        f"/api/v1/events/{event.pk}/standings/", f"/api/v1/events/{event.pk}/results/",
        f"/api/v1/events/{event.pk}/entries/",
        f"/api/v1/seasons/{season.pk}/leaderboard/",
        f"/api/v1/tables/{world['table'].pk}/", f"/api/v1/deals/{world['deal'].pk}/",
    ]  # fmt: skip
    assert named_patterns(get_resolver())
    return ["/", *pages, *api]


def crawl(client: Client, addresses: list[str]) -> Iterator[tuple[str, str, str]]:
    """Open them and all they link to on this site; give the text and the headers of each."""
    waiting, seen = list(addresses), set(addresses)
    while waiting:
        address = waiting.pop()
        response = client.get(address)
        if response.status_code != 200:
            continue
        text = text_of(response)
        yield address, text, str(dict(response.headers))
        links = re.findall(r'(?:href|src|hx-get|content)="(?:http://testserver)?(/[^"#]*)"', text)
        for link in (each.replace("&amp;", "&") for each in links):
            if link not in seen and not link.startswith(ELSEWHERE):
                seen.add(link)
                waiting.append(link)


def text_of(response) -> str:
    body = b"".join(response) if response.streaming else response.content
    if body.startswith(b"PK"):
        parts = zipfile.ZipFile(io.BytesIO(body))
        return "".join(parts.read(name).decode("utf-8", "replace") for name in parts.namelist())
    return body.decode("utf-8", "replace")
