"""Several rankings of a season: kept by directors, previewed, told addend by addend."""

from __future__ import annotations

import html
import re
import uuid
from datetime import timedelta
from decimal import Decimal
from types import SimpleNamespace

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.timezone import localdate

from clubs import actions as club_actions
from clubs.models import Membership, Publication
from scoring import actions, tasks, why
from scoring.models import (
    CountingJob,
    PlayerResult,
    Ranking,
    RankingRow,
    SheetEvent,
    StaleRanking,
    StaleStandings,
)
from scoring.rankings import lines
from scoring.rankings.methods import PRESETS, Method, Settings, TieBreak
from tests.factories import MembershipFactory, PlayerFactory
from tests.reading import text_of
from tests.scoring import paper
from tournaments.models import Event, Ruling
from tournaments.rules import Conflict

HX = {"HX-Request": "true"}


@pytest.fixture
def world(club, season) -> SimpleNamespace:
    """Three closed evenings of Ana, Bernard, Colette and Émile; Bernard was fined once."""
    four = [
        MembershipFactory(player=PlayerFactory(club=club, name=name)).player
        for name in ("Ana", "Bernard", "Colette", "Émile")
    ]
    events = [paper.evening(season, four, week=week) for week in range(3)]
    marks = ((252, -84, -84, -84), (-58, -58, 174, -58), (-170, 510, -170, -170))
    for event, points in zip(events, marks, strict=True):
        paper.write(paper.sit(event, four)[0], *points)
    Ruling.objects.create(
        event=events[2],
        entry=events[2].entries.get(players=four[1]),
        kind="penalty",
        points=100,
        fault="exposed_card",
    )
    for event in events:
        paper.close(event)
        tasks.refresh_standings(event.pk)
    tasks.refresh_ranking(season.pk)
    return SimpleNamespace(
        club=club, season=season, four=four, events=events, ranking=Ranking.objects.get()
    )


def preset(code: str):
    return next(each for each in PRESETS if each.code == code)


def add(world, code: str = "best_evenings") -> Ranking:
    ranking = actions.add_ranking(season=world.season, preset=preset(code), entry_key=uuid.uuid4())
    tasks.refresh_ranking(world.season.pk)
    return ranking


def change(ranking: Ranking, **told):
    given = {
        "seen_version": ranking.version, "name": ranking.name, "method": Method(ranking.method),
        "settings": Settings.from_json(ranking.settings), "state": Ranking.State(ranking.state),
        "order": ranking.order,
    }  # fmt: skip
    return actions.change_ranking(ranking=ranking, **{**given, **told})


def answers(ranking: Ranking, **told) -> dict[str, object]:
    return {"method": ranking.method, "state": ranking.state, "version": ranking.version, **told}


def scores(ranking: Ranking) -> dict[str, int]:
    rows = RankingRow.objects.filter(ranking=ranking).select_related("player")
    return {row.player.name: row.score for row in rows}


# Keeping them


def test_the_first_ranking_makes_itself_and_another_begins_as_a_draft(world):
    another = add(world)

    assert (world.ranking.method, world.ranking.state) == ("total", "provisional")
    assert another.state == "draft"
    assert scores(another) == scores(world.ranking)


def test_pressing_twice_adds_one_ranking(world):
    key = uuid.uuid4()

    for _ in range(2):
        actions.add_ranking(season=world.season, preset=preset("places"), entry_key=key)

    assert Ranking.objects.count() == 2


def test_a_changed_ranking_is_counted_its_new_way_and_says_why(world):
    ranking = change(add(world), settings=Settings(best_of=1))
    tasks.refresh_ranking(world.season.pk)

    assert scores(ranking) == {"Ana": 252, "Bernard": 410, "Colette": 174, "Émile": -58}
    assert RankingRow.objects.filter(ranking=ranking).first().last_change["cause"] == "settings"


def test_who_has_looked_at_an_older_version_meets_a_conflict(world):
    ranking = add(world)
    change(ranking, name="Best")

    with pytest.raises(Conflict):
        change(ranking, name="Worst")
    assert change(ranking, name="Best", seen_version=2).name == "Best"


def test_the_last_ranking_of_a_game_stays(world):
    with pytest.raises(ValidationError, match="one ranking of each game"):
        actions.delete_ranking(ranking=world.ranking)

    actions.delete_ranking(ranking=add(world))
    assert Ranking.objects.get() == world.ranking


def test_a_season_has_a_dozen_rankings_at_most(world):
    for _ in range(11):
        actions.add_ranking(season=world.season, preset=preset("total"), entry_key=uuid.uuid4())

    with pytest.raises(ValidationError, match="at most 12"):
        add(world)


# Pages


def test_a_director_sees_who_would_move_before_anything_is_stored(director_client, world):
    ranking = add(world)

    page = director_client.post(
        f"/rankings/{ranking.pk}/edit/",
        answers(ranking, method="places", scale="0, 25"),
        headers=HX,
    )

    assert "Who would move" in text_of(page)
    assert "4 1 up 3 Émile +75" in text_of(page)
    assert "1 player stays; nothing is stored yet." in text_of(page)
    ranking.refresh_from_db()
    assert ranking.method == "total"


def stored(client, ranking: Ranking, *, seen: dict[str, object], **asked):
    """Press the button under the preview of what is ``seen``."""
    address = f"/rankings/{ranking.pk}/edit/"
    page = client.post(address, seen).content.decode()
    agreed = html.unescape(re.search(r'name="store" value="([^"]*)"', page)[1])
    return client.post(address, seen | {"store": agreed}, **asked)


def test_what_was_previewed_is_stored_on_the_second_press(director_client, world):
    ranking = add(world)
    told = answers(
        ranking, best_of=2, name="The best two", first_tie_break="best_evening",
        state="provisional", scale="25; 18 15",
    )  # fmt: skip

    answer = stored(director_client, ranking, seen=told)

    assert answer.url == f"/seasons/{world.season.pk}/rankings/"
    ranking.refresh_from_db()
    assert (ranking.name, ranking.version) == ("The best two", 2)
    assert Settings.from_json(ranking.settings) == Settings(
        best_of=2, scale=(25, 18, 15), tie_breaks=(TieBreak.BEST_EVENING,)
    )


def test_what_was_changed_after_the_preview_is_previewed_again(director_client, world):
    ranking = add(world)
    address = f"/rankings/{ranking.pk}/edit/"
    page = director_client.post(address, answers(ranking, best_of=2)).content.decode()
    agreed = html.unescape(re.search(r'name="store" value="([^"]*)"', page)[1])

    again = director_client.post(address, answers(ranking, best_of=1, store=agreed))

    assert "You chose something else after looking." in text_of(again)
    ranking.refresh_from_db()
    assert Settings.from_json(ranking.settings) == Settings(best_of=10)


@pytest.mark.parametrize(("method", "heading"), [("places", "Points"), ("rating", "Rating")])
def test_a_preview_calls_the_score_what_the_ranking_will(
    method: str, heading: str, director_client, world
):
    ranking = add(world)

    page = director_client.post(
        f"/rankings/{ranking.pk}/edit/", answers(ranking, method=method, scale="0, 25")
    )

    assert f'<th scope="col" class="n">{heading}</th></tr></thead>' in page.text


def test_the_enter_key_shows_who_would_move_and_stores_nothing(director_client, world):
    ranking = add(world)

    page = director_client.post(f"/rankings/{ranking.pk}/edit/", answers(ranking, best_of=2))

    form = page.content.decode().partition('id="ways"')[2]
    assert form.index('id="preview-ranking"') < form.index('id="store-ranking"')


def test_with_script_storing_goes_to_the_list_and_not_into_the_form(director_client, world):
    ranking = add(world)

    answer = stored(
        director_client, ranking, seen=answers(ranking, best_of=2, name="Best"), headers=HX
    )

    assert answer.headers["HX-Redirect"] == f"/seasons/{world.season.pk}/rankings/"
    ranking.refresh_from_db()
    assert ranking.name == "Best"


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"method": "places"}, "Say what the places give."),
        ({"method": "average", "best_of": 3}, "Only what adds up has best evenings."),
        ({"scale": "first 25"}, "whole numbers with commas"),
        ({"first_day": "2026-12-01", "last_day": "2026-11-01"}, "does not come before the first"),
        ({"first_tie_break": "podiums", "second_tie_break": "podiums"}, "equals once"),
        ({"best_of": 0}, "greater than or equal to 1"),
    ],
    ids=str,
)
def test_what_makes_no_sense_is_said_beside_the_field(director_client, world, wrong, said):
    ranking = add(world)

    page = director_client.post(f"/rankings/{ranking.pk}/edit/", answers(ranking, **wrong))

    assert page.status_code == 422
    assert said in text_of(page)


def test_two_hundred_places_find_room_in_the_scale(director_client, world):
    scale = ", ".join(["-1000"] * 200)

    page = director_client.post(
        f"/rankings/{world.ranking.pk}/edit/",
        answers(world.ranking, method="places", scale=scale),
    )

    assert (page.status_code, "Who would move" in text_of(page)) == (200, True)


def test_a_page_that_is_older_than_the_ranking_is_answered_409(director_client, world):
    ranking = add(world)
    told = answers(ranking, name="Best")
    stored(director_client, ranking, seen=told)

    page = stored(director_client, ranking, seen=told | {"name": "Worst"})

    assert page.status_code == 409
    assert "Somebody has changed this ranking" in text_of(page)


def test_a_draft_is_for_directors_only(member_client, director_client, world):
    draft = add(world)
    row = draft.rows.first()

    assert member_client.get(f"/ranking/{row.pk}/why/").status_code == 404
    assert director_client.get(f"/ranking/{row.pk}/why/").status_code == 200
    address = f"/clubs/{world.club.slug}/ranking/?season={world.season.pk}&ranking={draft.pk}"
    assert "draft" not in text_of(member_client.get(address))
    assert "draft" in text_of(director_client.get(address))


def test_each_ranking_shows_its_own_scores(member_client, world):
    ranking = change(
        add(world, "average"), settings=Settings(), state=Ranking.State.PROVISIONAL, name="Mean"
    )
    tasks.refresh_ranking(world.season.pk)

    page = member_client.get(f"/clubs/{world.club.slug}/ranking/?ranking={ranking.pk}")

    # Bernard: -84 - 58 + 410 in three deals.
    assert "Bernard" in text_of(page)
    assert "+89.33" in text_of(page)


@pytest.mark.parametrize("count", [1, 4])
def test_the_number_of_queries_does_not_grow_with_the_rankings(
    director_client, world, count, django_assert_num_queries
):
    for _ in range(count):
        add(world)

    with django_assert_num_queries(5):
        director_client.get(f"/seasons/{world.season.pk}/rankings/")


# Why


def test_a_visitor_reads_why_somebody_is_where_he_is(member_client, world):
    ranking = change(
        add(world), settings=Settings(best_of=2, attendance=5), state=Ranking.State.PROVISIONAL
    )
    tasks.refresh_ranking(world.season.pk)
    row = ranking.rows.get(player=world.four[1])

    page = text_of(member_client.get(f"/ranking/{row.pk}/why/"))

    assert "Why is Bernard number 1?" in page
    assert "3 evenings played; the best 2 count." in page
    assert "dropped" in page
    assert "For coming +15" in page
    assert "Sum 2 +367" in page, "the deals of the evenings that count, as the points"
    assert "the referee took points: −100" in page
    assert "Each player’s best 2 evenings count." in page
    assert "the ranking counts another way" in page


@pytest.mark.parametrize("page", ["/players/{player}/", "/clubs/{club}/"])
def test_from_the_page_of_a_player_and_of_the_club_it_is_one_step_to_why(
    page: str, member_client, world
):
    row = world.ranking.rows.get(player=world.four[0])

    shown = member_client.get(page.format(player=row.player_id, club=world.club.slug))

    assert f'href="/ranking/{row.pk}/why/"' in shown.text


def test_who_is_equal_reads_what_decides_and_what_each_has(member_client, world):
    ranking = change(
        add(world, "places"), state=Ranking.State.PROVISIONAL,
        settings=Settings(
            scale=(10, 10, 10, 10), tie_breaks=(TieBreak.EVENINGS_WON, TieBreak.LAST_EVENING)
        ),
    )  # fmt: skip
    tasks.refresh_ranking(world.season.pk)

    told = {
        row.player.name: text_of(member_client.get(f"/ranking/{row.pk}/why/"))
        for row in ranking.rows.all()
    }

    assert (
        "As many points as Bernard; what decides is “Points of the last evening played”:"
        in told["Ana"]
    )
    assert "If equal: Evenings won, here 1." in told["Ana"]
    assert "If equal: Points of the last evening played, here −170." in told["Ana"]
    assert "−170 here, +410 there." in told["Ana"]
    assert "point behind" not in "".join(told.values())


@pytest.mark.parametrize("tie_breaks", [(), (TieBreak.BEST_EVENING,)])
def test_of_two_averages_that_look_equal_the_exact_one_is_told_to_decide(
    member_client, world, tie_breaks
):
    ranking = change(
        add(world, "average"), settings=Settings(tie_breaks=tie_breaks),
        state=Ranking.State.PROVISIONAL,
    )  # fmt: skip
    results = PlayerResult.objects.filter(event=world.events[0])
    PlayerResult.objects.exclude(event=world.events[0]).delete()
    for player, points, deals in zip(world.four, (333, 10, 5, 0), (1000, 30, 1, 1), strict=True):
        results.filter(player=player).update(points=points, deals=deals)
    tasks.refresh_ranking(world.season.pk)

    told = {
        row.player.name: text_of(member_client.get(f"/ranking/{row.pk}/why/"))
        for row in ranking.rows.all()
    }

    assert (
        "Rounded the same as Ana; what decides is the exact number: +0.3333 here, +0.3330 there."
        in told["Bernard"]
    )
    assert "Rounded the same as Bernard" in told["Ana"]
    assert "0.00 points" not in "".join(told.values())
    assert "what decides is “" not in "".join(told.values())


def test_of_two_ratings_that_look_equal_as_many_digits_are_told_as_tell_them_apart(world):
    ranking = Ranking(season=world.season, method=Method.RATING)
    one, other = (
        RankingRow(ranking=ranking, score=score, rank_key=lines._key(exact))
        for score, exact in ((1234, 12_340_001), (1234, 12_340_000))
    )

    told = why.what_parts(one, other)

    assert told is not None
    assert [each.shown for each in told] == ["+12.340001", "+12.340000"]


def test_the_days_of_a_ranking_are_told_wherever_it_is_told_how_it_counts(anonymous_client, world):
    for each in (world.club, world.season):
        each.publication = Publication.PUBLIC
        each.save()
    first, last = (localdate(world.events[n].starts_at) for n in (0, 2))
    shown = [f"{day:%-d %B %Y}" for day in (first, last)]
    told = {
        (first, last): f"Only evenings from {shown[0]} to {shown[1]} count.",
        (first, None): f"Only evenings from {shown[0]} on count.",
        (None, last): f"Only evenings up to {shown[1]} count.",
    }

    for (first_day, last_day), sentence in told.items():
        settings = Settings(first_day=first_day, last_day=last_day)
        change(Ranking.objects.get(), settings=settings)
        tasks.refresh_ranking(world.season.pk)
        row = world.ranking.rows.first()
        pages = (
            f"/clubs/{world.club.slug}/ranking/", f"/ranking/{row.pk}/why/",
            f"/api/v1/seasons/{world.season.pk}/rankings/", f"/api/v1/ranking-lines/{row.pk}/",
        )  # fmt: skip

        assert [sentence in anonymous_client.get(page).text for page in pages] == [True] * 4


def test_the_addends_of_the_api_add_up(member, world):
    from rest_framework.test import APIClient  # noqa: PLC0415 - of this test only

    api = APIClient()
    api.force_authenticate(member)
    ranking = api.get(f"/api/v1/seasons/{world.season.pk}/rankings/").data[0]
    found = api.get(f"/api/v1/rankings/{ranking['id']}/lines/").data
    assert (found["evenings"], found["is_fresh"], found["count"]) == (3, True, 4)

    for line in found["results"]:
        told = api.get(f"/api/v1/ranking-lines/{line['id']}/").data
        added = sum(each["adds"] for each in told["evenings"] if each["counts"])
        assert added + sum(each["value"] for each in told["extras"]) == line["points"]
        assert told["line"] == line
        assert told["last_change"]["cause"] == "rebuild"
    assert told["counts"][0] == "The points of the evenings are added up."


def test_a_correction_is_named_as_the_last_change(member_client, world):
    deal = world.events[0].rounds.get().tables.get().tarot_deals.get()
    paper.void(deal)
    tasks.refresh_standings(world.events[0].pk)
    tasks.refresh_ranking(world.season.pk)
    row = world.ranking.rows.get(player=world.four[0])

    assert row.last_change["event"] == world.events[0].pk
    assert row.last_change["before"] == {"score": 24, "place": 2}
    page = text_of(member_client.get(f"/ranking/{row.pk}/why/"))
    assert "an evening was counted again" in page
    assert "Before: +24" in page


def test_who_leaves_the_club_leaves_the_ranking_of_members_at_once(world):
    day_before = timezone.localdate(world.events[0].starts_at) - timedelta(days=1)
    Membership.objects.update(joined_on=day_before)
    StaleRanking.objects.create(season=world.season)
    ranking = change(add(world), settings=Settings(members_only=True))
    tasks.refresh_ranking(world.season.pk)
    assert "Ana" in scores(ranking)

    club_actions.make_guest(player=world.four[0], on=day_before)
    tasks.refresh_ranking(world.season.pk)
    assert "Ana" not in scores(ranking)
    assert "Ana" in scores(world.ranking)

    club_actions.make_member(player=world.four[0], on=day_before)
    tasks.refresh_ranking(world.season.pk)
    assert "Ana" in scores(ranking)


def test_another_season_comes_with_its_own_name_and_rankings(member_client, world):
    days = {"starts_on": world.season.starts_on, "ends_on": world.season.ends_on}
    other = world.club.seasons.create(name="Winter cup", **days)
    for name in ("Duels", "Crowds"):
        Ranking.objects.create(season=other, name=name)
    address = f"/clubs/{world.club.slug}/ranking/?season={other.pk}&ranking={world.ranking.pk}"

    part = text_of(member_client.get(address, headers=HX))

    assert "Winter cup" in part
    assert all(name in part for name in ("Duels", "Crowds"))
    assert world.season.name not in part


@pytest.mark.parametrize(
    ("method", "called"),
    [(Method.TOTAL, "Points"), (Method.AVERAGE, "Per deal"), (Method.RATING, "Rating")],
)
def test_a_score_is_called_what_it_is(method, called: str, member_client, world):
    change(world.ranking, method=method)
    tasks.refresh_ranking(world.season.pk)

    for address in (
        f"/clubs/{world.club.slug}/ranking/", f"/clubs/{world.club.slug}/",
        f"/rankings/{world.ranking.pk}/embed/",
    ):  # fmt: skip
        assert f">{called}</th>" in member_client.get(address).text


@pytest.mark.parametrize("state", [Ranking.State.PROVISIONAL, Ranking.State.FINAL])
def test_readers_are_told_whose_ranking_it_is_and_whether_it_is_final(state, member_client, world):
    change(world.ranking, state=state)

    page = text_of(member_client.get(f"/clubs/{world.club.slug}/ranking/"))
    frame = text_of(member_client.get(f"/rankings/{world.ranking.pk}/embed/"))
    shared = text_of(member_client.get(f"/clubs/{world.club.slug}/share/"))

    ranking = f"{world.club.name} · {world.season.name} · {world.ranking} · {state.label}"
    assert ranking in page
    assert f"{state.label} · Counted on" in frame
    assert f"{world.season.name} · {state.label}" in shared


@pytest.mark.parametrize("of", ["frame", "player"])
def test_what_is_old_says_so_also_in_a_frame_and_on_the_page_of_a_player(
    of: str, member_client, world
):
    address = {
        "frame": f"/rankings/{world.ranking.pk}/embed/", "player": f"/players/{world.four[0].pk}/",
    }[of]  # fmt: skip
    before = member_client.get(address)
    assert "Being counted again" not in before.text

    StaleRanking.objects.create(season=world.season)
    after = member_client.get(address, headers={"If-None-Match": before.headers["ETag"]})

    assert "Being counted again" in after.text


def test_the_page_of_a_player_tells_the_world_that_evenings_are_kept_back(
    anonymous_client, member_client, world
):
    for row in (world.club, world.season, world.events[0]):
        row.publication = Publication.PUBLIC
        row.save(update_fields=["publication"])
    address = f"/players/{world.four[0].pk}/"

    told = "2 evenings of the ranking are shown to members only"

    assert told in text_of(anonymous_client.get(address))
    assert told not in text_of(member_client.get(address))


def test_who_was_a_member_on_the_evening_counts_among_members_also_after_coming_back(world):
    first, _second, third = (timezone.localdate(event.starts_at) for event in world.events)
    ana = world.four[0]
    Membership.objects.update(joined_on=first)
    ranking = change(add(world), settings=Settings(members_only=True))
    club_actions.make_guest(player=ana, on=first)

    club_actions.make_member(player=ana, on=third)
    tasks.refresh_ranking(world.season.pk)

    row = RankingRow.objects.get(ranking=ranking, player=ana)
    assert [part["event"] for part in row.history] == [world.events[0].pk, world.events[2].pk]


def test_the_page_of_a_player_adds_up_and_tells_closed_evenings_only(member_client, world):
    running = paper.evening(world.season, world.four, week=6)
    paper.write(paper.sit(running, world.four)[0], 900, -300, -300, -300)

    page = text_of(member_client.get(f"/players/{world.four[1].pk}/"))

    # -84 - 58 + 510 on the sheets, and 100 that the referee took.
    assert "Points of all evenings +268 Evenings 3 Deals 3" in page
    assert "in defence 2 −142 −71.0" in page or "in defence 3 +368" in page
    assert "rulings of the referee −100 Sum 3 +268" in page


def test_a_line_that_did_not_change_keeps_its_last_change(world):
    fifth, sixth, seventh = (
        MembershipFactory(player=PlayerFactory(club=world.club, name=name)).player
        for name in ("Fanny", "Gaspard", "Hugo")
    )
    ana, bernard = (world.ranking.rows.get(player=player) for player in world.four[:2])
    later = paper.evening(world.season, [world.four[0], fifth, sixth, seventh], week=5)
    paper.write(paper.sit(later, [world.four[0], fifth, sixth, seventh])[0], 30, -10, -10, -10)
    paper.close(later)
    tasks.refresh_standings(later.pk)
    tasks.refresh_ranking(world.season.pk)

    now = world.ranking.rows.get(player=world.four[1])
    assert (now.changed_at, now.last_change) == (bernard.changed_at, bernard.last_change)
    assert now.before_key == now.rank_key != bernard.before_key
    assert world.ranking.rows.get(player=world.four[0]).changed_at > ana.changed_at


def test_the_deal_that_was_corrected_is_named_and_no_older_one(member_client, world):
    table = world.events[0].rounds.get().tables.get()
    deal = table.tarot_deals.get()
    long_ago = world.ranking.computed_at - timedelta(days=1)
    SheetEvent.objects.create(table=table, deal=deal, kind="corrected", at=long_ago)
    Ruling.objects.create(
        event=world.events[0], entry=world.events[0].entries.get(players=world.four[1]),
        kind="penalty", points=10, fault="exposed_card",
    )  # fmt: skip
    count(world, world.events[0])
    row = world.ranking.rows.get(player=world.four[1])
    page = text_of(member_client.get(f"/ranking/{row.pk}/why/"))
    assert "The referee ruled (" in page
    assert "line 1: corrected" not in page

    paper.void(deal)
    SheetEvent.objects.create(table=table, deal=deal, kind="voided")
    count(world, world.events[0])

    page = text_of(member_client.get(f"/ranking/{row.pk}/why/"))
    assert "Round 1, table 1, line 1: declared void." in page
    assert "The referee ruled (" not in page


def count(world, event: Event) -> None:
    StaleStandings.objects.create(event=event)
    tasks.refresh_standings(event.pk)
    tasks.refresh_ranking(world.season.pk)


def test_the_steps_of_a_rating_add_up_to_it(member, member_client, world):
    from rest_framework.test import APIClient  # noqa: PLC0415 - of this test only

    ranking = change(add(world, "rating"), state=Ranking.State.PROVISIONAL)
    api = APIClient()
    api.force_authenticate(member)

    for row in ranking.rows.all():
        told = api.get(f"/api/v1/ranking-lines/{row.pk}/").data
        steps = [Decimal(each["rating"]) for each in told["evenings"]]
        assert len(steps) == 3
        assert sum(steps) == Decimal(told["line"]["score"])
    page = text_of(member_client.get(f"/ranking/{row.pk}/why/"))
    assert "Evening Deals Points Rating" in page


def test_the_world_reads_which_published_evening_changed_a_line(anonymous_client, world):
    for each in (world.club, world.season, world.events[0]):
        each.publication = Publication.PUBLIC
        each.save(update_fields=["publication"])
    row = world.ranking.rows.get(player=world.four[0])
    for event, is_told in ((world.events[0], True), (world.events[1], False)):
        row.last_change = {"cause": "closed", "event": event.pk, "before": None}
        row.save()
        page = anonymous_client.get(f"/ranking/{row.pk}/why/").content.decode()
        last = page[page.index("This line last changed") :]
        assert (event.get_absolute_url() in last) is is_told


def test_the_world_reads_only_evenings_that_are_published(anonymous_client, world):
    for each in (world.club, world.season, world.events[0]):
        each.publication = Publication.PUBLIC
        each.save(update_fields=["publication"])
    row = world.ranking.rows.get(player=world.four[0])

    page = text_of(anonymous_client.get(f"/ranking/{row.pk}/why/"))

    assert "2 evenings shown to members only" in page
    assert "−228" in page


# Counting again, and failing


def test_a_director_has_everything_counted_again_and_watches(
    director_client, world, django_capture_on_commit_callbacks
):
    address = f"/clubs/{world.club.slug}/counting/"
    RankingRow.objects.all().delete()
    with django_capture_on_commit_callbacks():
        for _ in range(2):
            assert director_client.post(address + "start/").url == address
    job = CountingJob.objects.get()
    assert "waiting" in text_of(director_client.get(address))

    tasks.do_counting_job(job.pk)

    part = director_client.get(address, headers=HX)
    assert part.status_code == 286
    assert "done" in text_of(part)
    assert RankingRow.objects.count() == 4


def test_a_club_reads_nothing_of_what_was_counted_for_others_and_before_it_began(
    director_client, world
):
    _old, new = (
        CountingJob.objects.create(
            kind="audit",
            state="done",
            evenings_total=evenings,
            asked_at=world.club.created_at + ago,
        )
        for evenings, ago in ((41, timedelta(days=-1)), (38, timedelta(minutes=1)))
    )

    shown = director_client.get(f"/clubs/{world.club.slug}/counting/")

    assert [each["job"] for each in shown.context["jobs"]] == [new]
    assert "no difference" in text_of(shown)
    assert "evenings" not in text_of(shown).partition("compared.")[2]


def test_an_audit_reports_what_differs_and_has_it_counted_again(world):
    row = world.ranking.rows.get(player=world.four[0])
    RankingRow.objects.filter(pk=row.pk).update(points=9999)
    Event.objects.get(pk=world.events[1].pk).entries.update(points=1)

    tasks.audit_rankings()
    job = CountingJob.objects.get()
    tasks.do_counting_job(job.pk)

    job.refresh_from_db()
    assert job.findings_count > 0
    assert {"event", "season"} <= set(job.findings[0])
    tasks.refresh_standings(world.events[1].pk)
    tasks.do_counting_job(CountingJob.objects.create(kind="rebuild").pk)
    again = CountingJob.objects.create(kind="audit")
    tasks.do_counting_job(again.pk)
    again.refresh_from_db()
    assert again.findings == []


def test_a_ranking_that_cannot_be_counted_says_so_and_the_others_go_on(director_client, world):
    broken = add(world)
    Ranking.objects.filter(pk=broken.pk).update(settings={"luck": 1})
    paper.void(world.events[0].rounds.get().tables.get().tarot_deals.get())
    tasks.refresh_standings(world.events[0].pk)

    for _ in range(3):
        tasks.refresh_ranking(world.season.pk)

    broken.refresh_from_db()
    assert (broken.failures, "luck" in broken.failure) == (1, True), "it rests before another try"
    assert scores(world.ranking)["Ana"] == -228
    page = text_of(director_client.get(f"/clubs/{world.club.slug}/counting/"))
    assert "Nobody knows luck." in page

    Ranking.objects.filter(pk=broken.pk).update(settings={}, failed_at="2026-01-01T00:00Z")
    tasks.refresh_ranking(world.season.pk)

    broken.refresh_from_db()
    assert (broken.failures, broken.failure) == (0, "")
    assert scores(broken)["Ana"] == -228
    assert not StaleRanking.objects.exists()
