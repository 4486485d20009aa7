from __future__ import annotations

from itertools import pairwise

import pytest

from tournaments.seating import PastRound, draw_round
from tournaments.seating.bank import LETTERS, PLANS
from tournaments.seating.verifier import evening_sum, verify_round

EIGHT = range(1, 9)
TWO_TABLES = PastRound(tables=((1, 2, 3, 4), (5, 6, 7, 8)))
CROSSED = PastRound(tables=((1, 2, 5, 6), (3, 4, 7, 8)))


def codes(verdict):
    return [broken.code for broken in verdict.broken]


def test_a_sound_round_breaks_no_promise():
    assert verify_round(EIGHT, [TWO_TABLES], CROSSED).is_sound


@pytest.mark.parametrize(
    ("tables", "code", "players"),
    [
        (((1, 2, 3, 4), (4, 6, 7, 8)), "player_twice", (4,)),
        (((1, 2, 3, 4), (4, 6, 7, 8)), "player_missing", (5,)),
        (((1, 2, 3, 4), (9, 6, 7, 8)), "player_not_here", (9,)),
        (((1, 2, 3, 4, 5), (6, 7, 8)), "wrong_table_sizes", ()),
        (((1, 2, 3, 7), (4, 5, 6, 8)), "prohibited_pair_together", (1, 7)),
    ],
)
def test_each_broken_promise_is_named_with_its_players(tables, code, players):
    verdict = verify_round(EIGHT, [], PastRound(tables=tables), prohibited=[(7, 1)])

    assert (code, players) in [(broken.code, broken.players) for broken in verdict.broken]
    assert not verdict.is_sound


def test_sitting_out_again_before_others_is_unfair():
    first = PastRound(tables=((1, 2, 3, 4),), sat_out=(5,))

    verdict = verify_round(range(1, 6), [first], first, policy="sit_out")

    assert codes(verdict) == ["sits_out_before_others"]
    assert verdict.figures.sitting_out_spread == 2


def test_a_latecomer_who_sits_out_first_is_treated_fairly():
    history = [
        PastRound(tables=((2, 3, 4, 5),), sat_out=(1,)),
        PastRound(tables=((1, 3, 4, 5),), sat_out=(2,)),
    ]
    late_sits_out = PastRound(tables=((1, 2, 3, 4),), sat_out=(5, 6))

    assert verify_round(range(1, 7), history, late_sits_out, policy="sit_out").is_sound


def test_the_figures_count_second_meetings_and_what_was_possible():
    figures = verify_round(EIGHT, [TWO_TABLES], TWO_TABLES).figures

    assert figures.second_meetings == 12
    assert figures.fewest_possible == 4
    assert figures.better_swaps == 16


def test_a_table_of_three_again_and_the_same_seat_again_show_in_the_spreads():
    seven = PastRound(tables=((1, 2, 3, 4), (5, 6, 7)))

    figures = verify_round(range(1, 8), [seven], seven).figures

    assert figures.odd_tables_spread == 2
    assert figures.seats_spread == 2


def test_the_least_possible_is_not_searched_above_twelve_players():
    played = draw_round(range(13), [], seed=1).as_past()

    assert verify_round(range(13), [], played).figures.fewest_possible is None


def test_the_least_possible_keeps_prohibited_pairs_apart():
    history = [CROSSED]
    apart = [(1, 3), (1, 4), (1, 7), (1, 8)]

    figures = verify_round(EIGHT, history, CROSSED, prohibited=apart).figures

    assert figures.fewest_possible is None or figures.fewest_possible == 12


# Sums over pairs of m (m - 1) / 2 of the known plans, as published for their sizes.
@pytest.mark.parametrize(
    ("players", "rounds", "total"),
    [
        (13, 3, 6), (13, 6, 13), (14, 4, 4), (14, 7, 35), (15, 10, 105), (16, 10, 120),
        (17, 5, 0), (17, 6, 3), (18, 7, 16), (20, 7, 20), (22, 7, 6), (24, 7, 0), (28, 9, 0),
        (32, 9, 0), (36, 7, 0), (40, 10, 1),
    ],
)  # fmt: skip
def test_the_verifier_finds_the_sum_of_known_plans(players, rounds, total):
    threes = -players % 4
    full = players - 3 * threes
    cuts = [*range(0, full, 4), *range(full, players, 3), players]
    evening = [
        PastRound(
            tables=tuple(
                tuple(map(LETTERS.index, line[start:end])) for start, end in pairwise(cuts)
            )
        )
        for line in PLANS[players, rounds]
    ]

    assert evening_sum(evening) == total
    for number, played in enumerate(evening):
        assert verify_round(range(players), evening[:number], played).is_sound
