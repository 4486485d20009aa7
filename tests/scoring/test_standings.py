"""Places and points of an evening: the counting, without a database."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring import standings
from scoring.standings import Missed, Plan, RoundPoints, Ruled, SheetTotal, Stage
from tournaments.tiebreaks import Decision, TieBreak

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


def places_of(lines: list[standings.Standing]) -> dict[int, tuple[int, int]]:
    return {line.entry: (line.points, line.place) for line in lines}


def test_a_ruling_takes_points_from_the_offender_alone_and_leaves_the_sheets_at_zero():
    lines = standings.of_event(
        [sheet(ANA, 1, 90), sheet(BERNARD, 1, -90)], Plan(ruled=[Ruled(entry=ANA, points=100)])
    )

    assert places_of(lines) == {ANA: (-10, 1), BERNARD: (-90, 2)}
    assert [(line.sheet_points, line.ruled_points) for line in lines] == [(90, -100), (-90, 0)]
    assert sum(line.sheet_points for line in lines) == 0


def test_a_ruling_counts_from_the_round_in_which_it_was_given():
    sheets = [sheet(ANA, 1, 90), sheet(BERNARD, 1, -90), sheet(ANA, 2, 0), sheet(BERNARD, 2, 0)]
    plan = Plan(ruled=[Ruled(entry=ANA, points=400, round=2)])

    assert places_of(standings.after_round(sheets, 1, plan)) == {ANA: (90, 1), BERNARD: (-90, 2)}
    now = standings.of_event(sheets, plan)
    assert places_of(now) == {BERNARD: (-90, 1), ANA: (-310, 2)}
    assert [line.previous_place for line in now] == [2, 1]


def test_without_its_rulings_the_ranking_is_the_one_that_was_never_penalised():
    sheets = [sheet(ANA, 1, 90), sheet(BERNARD, 1, -90)]

    assert standings.of_event(sheets, Plan(ruled=[])) == standings.of_event(sheets)


@pytest.mark.parametrize(
    ("before", "carried", "after"),
    [
        (90, Fraction(1, 2), 45),
        (91, Fraction(1, 2), 45),
        (-91, Fraction(1, 2), -45),
        (100, Fraction(1, 3), 33),
        (-100, Fraction(2, 3), -66),
        (77, Fraction(0), 0),
        (77, Fraction(1), 77),
    ],
)
def test_what_is_carried_into_a_stage_is_rounded_alike_for_plus_and_minus(before, carried, after):
    plan = Plan(
        stages=[
            Stage(rounds=frozenset({1})),
            Stage(rounds=frozenset({2}), carried=carried),
        ]
    )

    lines = standings.of_event([sheet(ANA, 1, before), sheet(ANA, 2, 10)], plan)

    assert places_of(lines) == {ANA: (after + 10, 1)}
    assert lines[0].sheet_points == before + 10


def test_nothing_is_scaled_before_the_next_stage_begins_and_everybody_is_once_it_does():
    stages = [
        Stage(rounds=frozenset({1})),
        Stage(rounds=frozenset({2}), carried=Fraction(1, 2)),
    ]
    sheets = [sheet(ANA, 1, 90), sheet(BERNARD, 1, -90), sheet(ANA, 2, 10)]

    assert places_of(standings.after_round(sheets, 1, Plan(stages=stages)))[ANA] == (90, 1)
    assert places_of(standings.of_event(sheets, Plan(stages=stages))) == {
        ANA: (55, 1),
        BERNARD: (-45, 2),
    }


def test_whoever_plays_the_final_ranks_before_whoever_does_not():
    final = Stage(rounds=frozenset({2}), qualified=frozenset({ANA, BERNARD}), carried=Fraction(0))
    sheets = [
        sheet(ANA, 1, 90), sheet(BERNARD, 1, 80), sheet(COLETTE, 1, 70), sheet(DENISE, 1, -240),
        sheet(ANA, 2, -500), sheet(BERNARD, 2, 500),
    ]  # fmt: skip

    lines = standings.of_event(sheets, Plan(stages=[Stage(rounds=frozenset({1})), final]))

    assert places_of(lines) == {
        BERNARD: (500, 1), ANA: (-500, 2), COLETTE: (70, 3), DENISE: (-240, 4),
    }  # fmt: skip


def test_a_missed_round_counts_what_the_event_says_and_stays_outside_the_sheets():
    sheets = [sheet(ANA, 1, 91), sheet(ANA, 2, 20), sheet(BERNARD, 1, -91)]

    average = Plan(missed=[Missed(entry=ANA, round=3, points=None)])
    fixed = Plan(missed=[Missed(entry=BERNARD, round=2, points=-40)])

    assert places_of(standings.of_event(sheets, average))[ANA] == (111 + 55, 1)
    bernard = standings.of_event(sheets, fixed)[1]
    assert (bernard.points, bernard.sheet_points, bernard.deals_played) == (-131, -91, 5)
    assert bernard.rounds[1] == RoundPoints(round=2, table=None, number=None, points=-40, deals=0)


def test_equal_points_are_told_apart_by_what_the_event_declares_and_the_deciding_value_is_shown():
    sheets = [
        sheet(ANA, 1, 50), sheet(ANA, 2, 10), sheet(BERNARD, 1, 20), sheet(BERNARD, 2, 40),
        sheet(COLETTE, 1, -120), sheet(COLETTE, 2, 0),
    ]  # fmt: skip

    shared = standings.of_event(sheets)
    parted = standings.of_event(
        sheets, Plan(tie_breaks=[TieBreak.LATEST_ROUND, TieBreak.BEST_ROUND])
    )

    assert [line.place for line in shared] == [1, 1, 3]
    assert [(line.entry, line.place) for line in parted] == [(BERNARD, 1), (ANA, 2), (COLETTE, 3)]
    assert [line.decided_by for line in parted] == [
        (Decision(tie_break=TieBreak.LATEST_ROUND, value=(40, 20)),),
        (Decision(tie_break=TieBreak.LATEST_ROUND, value=(10, 50)),),
        (),
    ]


def test_who_is_equal_in_every_tie_break_still_shares_the_place():
    sheets = [sheet(ANA, 1, 10), sheet(BERNARD, 1, 10), sheet(COLETTE, 1, -20)]

    lines = standings.of_event(sheets, Plan(tie_breaks=[TieBreak.BEST_ROUND]))

    assert [(line.place, line.decided_by) for line in lines] == [(1, ()), (1, ()), (3, ())]


def test_a_tie_break_counts_the_sheets_and_not_what_was_carried_or_ruled():
    sheets = [sheet(ANA, 1, 150), sheet(BERNARD, 1, 50), sheet(COLETTE, 1, -200)]
    plan = Plan(ruled=[Ruled(entry=ANA, points=100)], tie_breaks=[TieBreak.BEST_ROUND])

    ana, bernard, _ = standings.of_event(sheets, plan)

    assert [(line.entry, line.points, line.place) for line in (ana, bernard)] == [
        (ANA, 50, 1),
        (BERNARD, 50, 2),
    ]
