"""Equals whom only an extra game parts: told, entered, shown, taken back (R9.9)."""

from __future__ import annotations

import re

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse

from scoring import actions, tasks
from tests.tournaments.championships import planned, with_sides
from tournaments import actions as plain
from tournaments.fixtures import Criterion
from tournaments.meetings import meetings_of, settings_of, stages_with_fixtures
from tournaments.models import Stage
from tournaments.rules import Conflict

pytestmark = pytest.mark.django_db


@pytest.fixture
def circle(club) -> Stage:
    """One group of three in which each has beaten the next by the same score."""
    event = planned(club, "groups_knockout")
    first = stages_with_fixtures(event)[0]
    order = (Criterion.POINTS, Criterion.GAME_DIFFERENCE, Criterion.EXTRA_GAME, Criterion.LOTS)
    plain.change_fixture_stage(
        stage=first,
        by=None,
        name="",
        settings=settings_of(first).but(groups=1, group_size=None, tie_breaks=order, qualifiers=2),
    )
    with_sides(event, 3)
    drawn = actions.draw_fixtures(stage=first, by=None, seed=7)
    beats = dict(zip(sides(drawn), [*sides(drawn)[1:], sides(drawn)[0]], strict=True))
    for row in drawn.fixtures.all():
        home_wins = beats[row.home_id] == row.away_id
        score = (12, 6) if home_wins else (6, 12)
        needed = settings_of(drawn).format.needed
        actions.decide_fixture(
            fixture=row, by=None, ending="played", scores=[score] * needed,
            winner="home" if home_wins else "away",
        )  # fmt: skip
    return Stage.objects.get(pk=drawn.pk)


def sides(stage: Stage) -> list[int]:
    return list(stage.event.entries.order_by("pk").values_list("pk", flat=True))


def places(stage: Stage) -> list[int]:
    return [line.entrant for line in meetings_of(now(stage)).tables["A"]]


def now(stage: Stage) -> Stage:
    return Stage.objects.get(pk=stage.pk)


def test_equals_who_need_an_extra_game_are_told(circle, director_client):
    page = director_client.get(reverse("fixtures", args=[circle.event_id])).content.decode()

    assert [set(equal) for _section, equal in meetings_of(circle).undecided] == [set(sides(circle))]
    assert 'id="equals"' in page
    assert "Enter the extra game" in page


def test_nobody_is_told_while_a_fixture_is_open(circle):
    actions.undo_fixture(fixture=circle.fixtures.all()[0], by=None)

    assert list(meetings_of(now(circle)).undecided) == []


def test_the_extra_game_decides_and_is_shown_as_what_decided(circle, director, director_client):
    one, other, third = sides(circle)

    director_client.post(
        reverse("decide-equals", args=[circle.pk]),
        {"equal": [one, other, third], f"won_{one}": "1", f"won_{other}": "0", f"won_{third}": "2"},
    )
    tasks.refresh_standings(circle.event_id)

    assert places(circle) == [third, one, other]
    first = now(circle).standings[0]
    assert first["decided_by"][-1] == {"code": "extra_game", "value": 2}
    page = director_client.get(reverse("fixtures", args=[circle.event_id])).content.decode()
    assert "after an extra game" in page
    assert "Enter the extra game" not in page
    journal = director_client.get(reverse("journal", args=[circle.event_id])).content.decode()
    assert "in this order after an extra game" in re.sub(r"\s+", " ", journal)


def test_lots_are_drawn_instead_and_can_be_drawn_again_from_their_seed(circle):
    actions.draw_lots(stage=circle, by=None, equal=sides(circle), seed=4821)
    first = places(circle)
    tasks.refresh_standings(circle.event_id)

    actions.undo_extra_game(stage=circle, by=None, equal=sides(circle))
    actions.draw_lots(stage=circle, by=None, equal=sides(circle), seed=4821)

    assert places(circle) == first
    assert now(circle).standings[0]["decided_by"][-1]["code"] == "lots"
    assert now(circle).extra_games[0]["seed"] == 4821


def test_pressed_twice_it_is_one_and_another_one_is_refused(circle):
    one, other, third = sides(circle)
    for _ in range(2):
        actions.enter_extra_game(stage=circle, by=None, won={one: 2, other: 1, third: 0})

    assert len(now(circle).extra_games) == 1
    with pytest.raises(Conflict, match="take it back"):
        actions.enter_extra_game(stage=circle, by=None, won={one: 0, other: 1, third: 2})


def test_an_extra_game_without_a_winner_and_one_of_others_are_refused(circle):
    one, other, third = sides(circle)
    with pytest.raises(ValidationError, match="somebody is ahead"):
        actions.enter_extra_game(stage=circle, by=None, won=dict.fromkeys((one, other, third), 1))
    with pytest.raises(Conflict, match="not equal"):
        actions.enter_extra_game(stage=circle, by=None, won={one: 1, other: 0})


def test_it_lapses_when_the_table_changes(circle):
    one, other, third = sides(circle)
    actions.enter_extra_game(stage=circle, by=None, won={one: 0, other: 1, third: 2})

    row = circle.fixtures.get(home__in=[one, other], away__in=[one, other])
    actions.undo_fixture(fixture=row, by=None)

    assert dict(meetings_of(now(circle)).extra_games) == {}


def test_it_stays_once_the_next_stage_has_begun(circle):
    one, other, third = sides(circle)
    actions.enter_extra_game(stage=circle, by=None, won={one: 2, other: 1, third: 0})
    final = actions.draw_fixtures(stage=stages_with_fixtures(circle.event)[1], by=None, seed=1)
    row = final.fixtures.filter(state="ready").first()
    assert {row.home_id, row.away_id} == {one, other}
    actions.decide_fixture(fixture=row, by=None, ending="walkover", winner="home")

    with pytest.raises(Conflict, match="has begun"):
        actions.undo_extra_game(stage=circle, by=None, equal=sides(circle))
