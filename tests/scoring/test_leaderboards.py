"""Pages of the evening, the standings, the ranking, the club and the player."""

from __future__ import annotations

import re
from types import SimpleNamespace

import pytest

from clubs.models import Publication
from scoring import actions, tasks
from scoring.models import RankingRow, StaleRanking, StaleStandings
from tests.factories import MembershipFactory, PlayerFactory, RoundFactory, SeasonFactory
from tests.reading import text_of
from tests.scoring import paper
from tournaments.models import Event, JournalLine, Round

HX = {"HX-Request": "true"}


@pytest.fixture
def four(club):
    return [
        MembershipFactory(player=PlayerFactory(club=club, name=name)).player
        for name in ("Ana", "Bernard", "Colette", "Émile")
    ]


@pytest.fixture
def world(club, season, four) -> SimpleNamespace:
    """Two closed evenings and one under way, all counted."""
    events = [
        paper.evening(season, four, week=week, state=Event.State.RUNNING, title=f"Evening {week}")
        for week in range(3)
    ]
    marks = ((252, -84, -84, -84), (-58, -58, 174, -58), (-170, -170, -170, 510))
    tables = []
    for event, points in zip(events, marks, strict=True):
        table = paper.sit(event, four)[0]
        paper.write(table, *points)
        tables.append(table)
    for event in events[:2]:
        paper.close(event)
    for event in events:
        tasks.refresh_standings(event.pk)
    tasks.refresh_ranking(season.pk)
    return SimpleNamespace(
        club=club, season=season, four=four, events=events, tables=tables, tonight=events[2]
    )


def publish(*rows) -> None:
    for row in rows:
        row.publication = Publication.PUBLIC
        row.save(update_fields=["publication"])


def test_what_is_printed_names_the_club(member_client, world):
    club, player = world.club, world.four[0]
    pages = (
        f"/clubs/{club.slug}/ranking/",
        f"/players/{player.pk}/",
        f"/clubs/{club.slug}/records/",
    )

    printed = [
        re.findall(r'<p class="soft printed">(.*?)</p>', member_client.get(page).text)
        for page in pages
    ]

    assert printed == [[f"{club.name}, {club.town}" if club.town else club.name]] * len(pages)


# Standings


def test_tonights_standings_name_everybody_with_points_and_place(member_client, world):
    page = text_of(member_client.get(f"/evenings/{world.tonight.pk}/standings/"))

    assert "1 Émile +510 at table 1 +510" in page
    assert page.count("2 ") >= 3
    assert "Round 1 is being played." in page


def test_a_quiet_page_is_answered_with_nothing_but_304(member_client, world):
    address = f"/evenings/{world.tonight.pk}/standings/"
    first = member_client.get(address, headers=HX)

    again = member_client.get(address, headers=HX | {"If-None-Match": first.headers["ETag"]})

    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["ETag"] == first.headers["ETag"]
    assert first.headers["Last-Modified"]
    assert "private" in first.headers["Cache-Control"]


@pytest.mark.parametrize("what", ["deal", "count", "round"])
def test_what_has_happened_since_is_shown_at_the_next_look(member_client, world, what):
    address = f"/evenings/{world.tonight.pk}/standings/"
    first = member_client.get(address, headers=HX)

    if what == "round":
        world.tonight.rounds.update(state=Round.State.CLOSED)
    else:
        paper.write(world.tables[2], 30, -10, -10, -10)
    if what == "count":
        tasks.refresh_standings(world.tonight.pk)

    again = member_client.get(address, headers=HX | {"If-None-Match": first.headers["ETag"]})
    assert again.status_code == 200
    assert text_of(again) != text_of(first)


def test_another_language_or_another_visitor_is_another_page(client_of, member, scorer, world):
    address = f"/evenings/{world.tonight.pk}/standings/"
    etags = {
        client_of(who).get(address, headers={"Accept-Language": language}).headers["ETag"]
        for who in (member, scorer)
        for language in ("en", "fr")
    }

    assert len(etags) == 4


def test_while_no_worker_counts_the_page_says_how_many_sheets_are_newer(member_client, world):
    address = f"/evenings/{world.tonight.pk}/standings/"
    paper.write(world.tables[2], 30, -10, -10, -10)
    world.tables[2].round.tables.update(version=2, changed_at=paper.later())

    page = text_of(member_client.get(address))
    assert "1 sheet is newer than this" in page
    assert "+510" in page

    tasks.refresh_standings(world.tonight.pk)
    page = text_of(member_client.get(address))
    assert "newer" not in page
    assert "+500" in page


def test_a_part_of_the_page_is_enough_for_whoever_looks_again(member_client, world):
    part = member_client.get(f"/evenings/{world.tonight.pk}/standings/", headers=HX)

    assert b"<html" not in part.content
    assert b'id="standings"' in part.content
    assert b'data-live="10"' in part.content


def test_the_standings_of_a_closed_evening_are_not_asked_for_again(member_client, world):
    part = member_client.get(f"/evenings/{world.events[0].pk}/standings/", headers=HX)

    assert b"every 10s" not in part.content


def test_an_evening_without_a_deal_says_so(member_client, season):
    event = paper.evening(season, [])

    for address in (f"/evenings/{event.pk}/standings/", f"/evenings/{event.pk}/"):
        assert "No deal has been entered" in text_of(member_client.get(address))


def test_the_wall_shows_fourteen_on_a_page(member_client, season):
    players = PlayerFactory.create_batch(16, club=season.club)
    event = paper.evening(season, players, state=Event.State.RUNNING)
    for table in paper.sit(event, *(players[n : n + 4] for n in range(0, 16, 4))):
        paper.write(table, 30, -10, -10, -10)
    tasks.refresh_standings(event.pk)

    first = member_client.get(f"/evenings/{event.pk}/standings/?projector").text
    behind = re.findall(r'rel="next" href="([^"]*)"', first)[0].replace("&amp;", "&")
    second = member_client.get(behind).text

    assert [page.split("<ol")[1].count("<li>") for page in (first, second)] == [14, 2]
    assert "0/20" in first
    assert "board.js" in first


@pytest.mark.parametrize("tables", [1, 3])
@pytest.mark.parametrize("page", ["", "standings/", "standings/?projector"])
def test_the_number_of_queries_does_not_grow_with_the_evening(
    member_client, season, tables, page, django_assert_num_queries
):
    players = PlayerFactory.create_batch(4 * tables, club=season.club)
    event = paper.evening(season, players, state=Event.State.RUNNING)
    for _ in range(tables):
        for table in paper.sit(event, *(players[n : n + 4] for n in range(0, 4 * tables, 4))):
            paper.write(table, 30, -10, -10, -10)
    tasks.refresh_standings(event.pk)

    with django_assert_num_queries({"": 11, "standings/": 9, "standings/?projector": 10}[page]):
        member_client.get(f"/evenings/{event.pk}/{page}")


def test_a_quiet_look_costs_few_queries(member_client, world, django_assert_num_queries):
    address = f"/evenings/{world.tonight.pk}/standings/"
    etag = member_client.get(address, headers=HX).headers["ETag"]

    with django_assert_num_queries(2):
        member_client.get(address, headers=HX | {"If-None-Match": etag})


# The evening's own page


def test_the_evenings_page_links_each_score_to_its_sheet(member_client, world):
    page = member_client.get(f"/evenings/{world.events[0].pk}/").content.decode()

    assert f'href="/tables/{world.tables[0].pk}/"' in page
    assert "Results" in page


@pytest.mark.parametrize(
    ("situation", "sentence"),
    [
        ("nobody", "Mark who is present."),
        ("present", "4 players are present."),
        ("proposal", "The draw of round 1 is a proposal so far."),
        ("playing", "0 of 1 tables have finished round 1."),
        ("between", "Draw the tables of round 2"),
        (
            "over",
            (
                "look at the standings, then close the evening. Close the evening "
                "Its points then count for the season, and no phone writes any more. "
                "It can be reopened afterwards. Draw another"
            ),
        ),
        ("closed", "The evening is closed: its points count for the season."),
    ],
)
def test_the_director_is_told_the_next_step(director_client, season, four, situation, sentence):
    planned = 1 if situation == "over" else 2
    event = paper.evening(season, four if situation != "nobody" else [], rounds_planned=planned)
    if situation == "proposal":
        RoundFactory(event=event, drawn=True)
    if situation in {"playing", "between", "over"}:
        paper.sit(event, four)
    if situation in {"between", "over"}:
        event.rounds.update(state=Round.State.CLOSED)
    if situation == "closed":
        paper.close(event)

    assert sentence in text_of(director_client.get(f"/evenings/{event.pk}/"))


@pytest.mark.parametrize(
    ("rounds", "said"), [(None, "5 deals in a round."), (2, "2 rounds of 5 deals")]
)
def test_the_evenings_page_names_the_rounds_that_are_planned(member_client, season, rounds, said):
    event = paper.evening(season, [], rounds_planned=rounds)

    assert said in text_of(member_client.get(f"/evenings/{event.pk}/"))


@pytest.mark.parametrize("address", ["/evenings/{pk}/", "/evenings/{pk}/draw/"])
def test_before_a_tournament_its_entries_are_opened(director_client, season, address):
    event = paper.evening(season, [], kind=Event.Kind.TOURNAMENT)

    page = director_client.get(address.format(pk=event.pk)).text

    assert "Open the entries" in page
    assert "Open the check-in" not in page


def test_a_member_is_shown_no_buttons_of_the_director(member_client, world):
    page = member_client.get(f"/evenings/{world.tonight.pk}/").content.decode()

    assert "close-event" not in page
    assert "Next step" not in page


def test_a_director_closes_the_evening_and_opens_it_again(director_client, world):
    world.tonight.rounds.update(state=Round.State.CLOSED)
    address = f"/evenings/{world.tonight.pk}/"

    closed = director_client.post(address + "close/")
    assert (closed.status_code, closed.url) == (302, address)
    world.tonight.refresh_from_db()
    assert world.tonight.is_closed

    director_client.post(address + "reopen/")
    world.tonight.refresh_from_db()
    assert world.tonight.state == Event.State.RUNNING


def test_an_evening_with_a_round_under_way_closes_only_on_the_directors_word(
    director_client, world
):
    address = f"/evenings/{world.tonight.pk}/close/"

    refused = director_client.post(address)
    assert refused.status_code == 422
    assert "Round 1 is still being played." in text_of(refused)

    assert director_client.post(address, {"without_missing": "on"}).status_code == 302
    assert JournalLine.objects.filter(kind=JournalLine.Kind.CLOSED).count() == 1


def test_a_director_says_who_sees_the_evening(director_client, anonymous_client, world):
    publish(world.club)
    address = f"/evenings/{world.tonight.pk}/"
    assert anonymous_client.get(address).status_code == 404

    director_client.post(address + "publish/", {"publication": "public"})
    assert anonymous_client.get(address).status_code == 200

    director_client.post(address + "publish/", {"publication": "club"})
    assert anonymous_client.get(address).status_code == 404

    assert director_client.post(address + "publish/", {"publication": "all"}).status_code == 422


# The season


def test_the_ranking_shows_places_points_and_how_they_moved(member_client, world):
    page = text_of(member_client.get(f"/clubs/{world.club.slug}/ranking/"))

    assert "after 2 evenings" in page
    assert "1 = same place Ana 2 +194" in page
    assert "Colette 2 +90" in page


def test_why_a_rank_shows_every_evening_with_what_it_adds(member_client, world):
    row = RankingRow.objects.get(player=world.four[0])

    part = member_client.get(f"/ranking/{row.pk}/why/", headers=HX)
    page = text_of(part)

    assert "Why is Ana number 1?" in page
    assert re.search(r"3 Sep 2026 1 \+252 10 Sep 2026 1 −58 Sum 2 \+194", page)
    assert "104 points ahead of Colette." in page
    assert b"<html" not in part.content


def test_the_world_sees_a_published_ranking_and_only_published_evenings_apart(
    anonymous_client, world
):
    publish(world.club, world.season, world.events[0])
    row = RankingRow.objects.get(player=world.four[0])

    ranking = anonymous_client.get(f"/clubs/{world.club.slug}/ranking/").content.decode()
    assert "+194" in ranking
    page = text_of(anonymous_client.get(f"/ranking/{row.pk}/why/"))

    assert "+252" in page
    assert "1 evening shown to members only −58" in page
    assert "10 Sep" not in page
    assert anonymous_client.get(f"/evenings/{world.events[1].pk}/").status_code == 404


def test_a_club_that_publishes_no_ranking_says_so(anonymous_client, world):
    publish(world.club)

    page = text_of(anonymous_client.get(f"/clubs/{world.club.slug}/ranking/"))

    assert "The club shows its rankings to members only." in page
    assert "Ana" not in page


def test_a_season_that_is_not_published_cannot_be_asked_for(anonymous_client, world):
    publish(world.club)

    page = anonymous_client.get(f"/clubs/{world.club.slug}/ranking/?season={world.season.pk}")

    assert "Ana" not in text_of(page)


def test_a_season_is_chosen_and_a_player_found_whatever_the_accents(member_client, world):
    other = SeasonFactory(club=world.club, name="Another")

    empty = text_of(member_client.get(f"/clubs/{world.club.slug}/ranking/?season={other.pk}"))
    found = text_of(
        member_client.get(
            f"/clubs/{world.club.slug}/ranking/?season={world.season.pk}&player=emile"
        )
    )
    nobody = text_of(
        member_client.get(
            f"/clubs/{world.club.slug}/ranking/?season={world.season.pk}&player=kermadec"
        )
    )

    assert "No evening has been closed" in empty
    assert "Émile" in found
    assert "Colette" not in found
    assert "No player called “kermadec” this season." in nobody


@pytest.mark.parametrize(
    "query", ["season=abc", "season=999999", "page=zzz", "page=-4", "player=" + "x" * 500]
)
def test_a_mangled_address_shows_a_ranking_all_the_same(member_client, world, query):
    page = member_client.get(f"/clubs/{world.club.slug}/ranking/?{query}")

    assert page.status_code == 200
    assert "+194" in text_of(page)


@pytest.mark.parametrize("page", ["", "ranking/"])
def test_a_sheet_changed_since_the_ranking_was_counted_is_told_on_its_pages(
    member_client, world, page
):
    address = f"/clubs/{world.club.slug}/{page}"
    etag = member_client.get(address).headers["ETag"]
    assert "Being counted again" not in text_of(member_client.get(address))

    StaleStandings.objects.create(event=world.tonight)
    assert "Being counted again" not in text_of(member_client.get(address))
    StaleStandings.objects.create(event=world.events[0])

    answer = member_client.get(address, headers={"If-None-Match": etag})
    assert "Being counted again" in text_of(answer)


def test_a_ranking_of_thousands_comes_in_pages(member_client, world, django_assert_num_queries):
    ranking = RankingRow.objects.first().ranking
    players = PlayerFactory.build_batch(2000, club=world.club)
    type(players[0]).objects.bulk_create(players)
    RankingRow.objects.bulk_create(
        RankingRow(
            ranking=ranking, player=player, place=5 + n, points=-1000 - n, evenings=1,
            deals_played=5, history=[{"event": world.events[0].pk, "points": -n, "deals": 5}],
        )
        for n, player in enumerate(players)
    )  # fmt: skip
    address = f"/clubs/{world.club.slug}/ranking/"

    with django_assert_num_queries(10):
        first = member_client.get(address)
    last = member_client.get(address + "?page=21")

    assert first.content.count(b"<tr") == 101
    assert "Page 1 of 21" in text_of(first)
    assert last.content.count(b"<tr") == 5


def test_a_renamed_player_is_shown_at_once(member_client, world):
    address = f"/clubs/{world.club.slug}/ranking/"
    etag = member_client.get(address).headers["ETag"]
    type(world.four[0]).objects.filter(pk=world.four[0].pk).update(name="Anna")

    page = member_client.get(address, headers={"If-None-Match": etag})

    assert (page.status_code, "Anna" in text_of(page)) == (200, True)
    unchanged = member_client.get(address, headers={"If-None-Match": page.headers["ETag"]})
    assert unchanged.status_code == 304


def test_a_ranking_that_waits_to_be_counted_says_so(member_client, world):
    StaleRanking.objects.create(season=world.season)

    assert "Being counted again" in text_of(member_client.get(f"/clubs/{world.club.slug}/ranking/"))


def test_a_director_says_who_sees_the_ranking(director_client, anonymous_client, world):
    publish(world.club)
    address = f"/seasons/{world.season.pk}/publish/"

    director_client.post(address, {"publication": "public"})
    assert "Ana" in text_of(anonymous_client.get(f"/clubs/{world.club.slug}/ranking/"))

    director_client.post(address, {"publication": "nobody"})
    world.season.refresh_from_db()
    assert world.season.publication == Publication.PUBLIC


# Club and player


def test_the_club_shows_to_the_world_what_it_has_published(anonymous_client, world):
    publish(world.club, world.season, world.events[1])

    page = text_of(anonymous_client.get(f"/clubs/{world.club.slug}/"))

    assert "Evening 1" in page
    assert "Evening 0" not in page
    assert "1. Colette +174" in page
    assert "Ana" in page


def test_the_club_shows_to_the_world_nothing_that_it_keeps(anonymous_client, world):
    publish(world.club)

    page = text_of(anonymous_client.get(f"/clubs/{world.club.slug}/"))

    for name in ("Ana", "Bernard", "Evening", "+194"):
        assert name not in page.replace("Evenings", "").replace("evenings", "")


@pytest.mark.parametrize("evenings", [1, 3])
def test_the_number_of_queries_does_not_grow_with_the_club(
    member_client, season, four, evenings, django_assert_num_queries
):
    for week in range(evenings):
        event = paper.evening(season, four, week=week, state=Event.State.RUNNING)
        paper.write(paper.sit(event, four)[0], 30, -10, -10, -10)
        paper.close(event)
        tasks.refresh_standings(event.pk)
    tasks.refresh_ranking(season.pk)

    with django_assert_num_queries(13):
        member_client.get(f"/clubs/{season.club.slug}/")
    with django_assert_num_queries(18):
        member_client.get(f"/players/{four[0].pk}/")


def test_a_player_sees_what_was_taken_and_made(member_client, world):
    page = text_of(member_client.get(f"/players/{world.four[0].pk}/"))

    assert "Rank 1" in page
    assert "+194" in page
    # Not the deal of the evening that is still played.
    assert "Petite 2 2" in page
    assert "100%" in page


def test_a_players_page_shows_the_world_only_what_is_published(anonymous_client, world):
    publish(world.club, world.season, world.events[0])
    membership = world.four[0].membership
    membership.licence_number = "29-4471"
    membership.save()

    page = text_of(anonymous_client.get(f"/players/{world.four[0].pk}/"))

    assert "+252" in page
    assert "−58" not in page
    assert "Petite 1 1" in page
    assert "29-4471" not in page
    assert "Member since" not in page


def test_a_player_whom_nothing_shows_is_hidden_from_the_world(anonymous_client, world):
    publish(world.club, world.season)
    newcomer = PlayerFactory(club=world.club)

    assert anonymous_client.get(f"/players/{newcomer.pk}/").status_code == 404
    assert anonymous_client.get(f"/players/{world.four[0].pk}/").status_code == 200


def test_a_player_without_a_result_has_a_page_too(member_client, world):
    newcomer = PlayerFactory(club=world.club)

    assert "No result yet" in text_of(member_client.get(f"/players/{newcomer.pk}/"))


def test_a_correction_after_the_end_changes_the_ranking_page(member_client, director, world):
    actions.void_deal(deal=world.tables[0].tarot_deals.get(), reason="Misdeal.", by=director)
    tasks.refresh_standings(world.events[0].pk)
    tasks.refresh_ranking(world.season.pk)

    assert "1 ▲" not in text_of(member_client.get(f"/clubs/{world.club.slug}/ranking/"))
    assert RankingRow.objects.get(player=world.four[2]).place == 1
