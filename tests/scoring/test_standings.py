"""Places and points of an evening and of a season: the counting, without a database."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring import rankings, standings
from scoring.rankings import EveningResult
from scoring.standings import RoundPoints, SheetTotal

ANA, BERNARD, COLETTE, DENISE = 1, 2, 3, 4


@pytest.mark.parametrize(
    ("points", "places"),
    [
        ({ANA: 76, BERNARD: -116, COLETTE: -28, DENISE: 68}, [1, 4, 3, 2]),
        ({ANA: 50, BERNARD: 50, COLETTE: -100}, [1, 1, 3]),
        ({ANA: 60, BERNARD: -20, COLETTE: -20, DENISE: -20}, [1, 2, 2, 2]),
        ({ANA: 0, BERNARD: 0, COLETTE: 0, DENISE: 0}, [1, 1, 1, 1]),
        ({}, []),
    ],
)
def test_equal_points_share_a_place_and_the_next_one_is_left_out(points, places):
    assert standings.shared_places(points) == dict(zip(points, places, strict=True))


@given(st.dictionaries(st.integers(1, 500), st.integers(-2000, 2000)))
def test_a_place_is_one_more_than_the_number_of_those_who_have_more_points(points):
    places = standings.shared_places(points)

    assert places == {
        key: 1 + sum(other > points[key] for other in points.values()) for key in points
    }


def sheet(entry: int, round_number: int, points: int, *, deals: int = 5) -> SheetTotal:
    return SheetTotal(
        entry=entry,
        round=round_number,
        table=10 + round_number,
        number=1,
        points=points,
        deals=deals,
    )


def test_an_entry_has_the_sum_of_its_rounds_and_keeps_each_of_them():
    ana, *_ = standings.of_event([sheet(ANA, 2, 40), sheet(BERNARD, 1, -90), sheet(ANA, 1, 90)])

    assert (ana.entry, ana.points, ana.deals_played) == (ANA, 130, 10)
    assert ana.rounds == (
        RoundPoints(round=1, table=11, number=1, points=90, deals=5),
        RoundPoints(round=2, table=12, number=1, points=40, deals=5),
    )


def test_the_former_place_is_the_one_before_the_latest_round():
    lines = standings.of_event(
        [sheet(ANA, 1, 10), sheet(BERNARD, 1, -10), sheet(ANA, 2, -50), sheet(BERNARD, 2, 50)]
    )

    assert [(line.entry, line.place, line.previous_place) for line in lines] == [
        (BERNARD, 1, 2),
        (ANA, 2, 1),
    ]


def test_in_the_first_round_and_for_a_latecomer_there_is_no_former_place():
    first = standings.of_event([sheet(ANA, 1, 10), sheet(BERNARD, 1, -10)])
    second = standings.of_event([sheet(ANA, 1, 0), sheet(ANA, 2, 10), sheet(COLETTE, 2, -10)])

    assert [line.previous_place for line in first] == [None, None]
    assert {line.entry: line.previous_place for line in second} == {ANA: 1, COLETTE: None}


def evening_result(player: int, week: int, points: int) -> EveningResult:
    starts_at = datetime(2026, 9, 3, 18, tzinfo=UTC) + timedelta(weeks=week)
    return EveningResult(player=player, event=week, starts_at=starts_at, points=points, deals=20)


def test_a_season_adds_up_the_evenings_of_each_player_in_the_order_of_time():
    ana, bernard = rankings.of_season(
        [
            evening_result(ANA, 2, 300),
            evening_result(BERNARD, 1, 50),
            evening_result(ANA, 1, -100),
        ]
    )

    assert [addend.points for addend in ana.history] == [-100, 300]
    assert (ana.place, ana.points, ana.evenings, ana.deals_played) == (1, 200, 2, 40)
    assert (bernard.place, bernard.points, bernard.evenings) == (2, 50, 1)


def test_the_former_place_in_the_season_is_the_one_without_the_last_evening():
    lines = rankings.of_season(
        [
            evening_result(ANA, 1, 10),
            evening_result(BERNARD, 1, 5),
            evening_result(BERNARD, 2, 90),
            evening_result(COLETTE, 2, 20),
        ]
    )

    assert {line.player: (line.place, line.previous_place) for line in lines} == {
        BERNARD: (1, 2),
        COLETTE: (2, None),
        ANA: (3, 1),
    }


def test_a_season_without_an_evening_ranks_nobody():
    assert rankings.of_season([]) == []
    assert rankings.evenings([]) == 0
