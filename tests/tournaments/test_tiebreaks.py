from __future__ import annotations

import random

import pytest

from rules_engine.errors import Illegal
from tournaments.tiebreaks import (
    Decision,
    Result,
    TieBreak,
    best_of_last_rounds,
    by_group,
    rank,
    team_results,
    within,
)


def of(player, *points, **fields):
    return Result(player=player, rounds=dict(enumerate(points, start=1)), **fields)


def places(ranking):
    return [(line.player, line.place) for line in ranking]


def test_a_total_is_the_rounds_what_was_carried_in_and_the_rulings():
    result = of(1, 120, -40, carried=15, rulings=(-100, -100, 50))

    assert result.deals_total == 80
    assert result.total == -55


def test_equal_totals_share_the_place_and_the_next_is_left_out():
    ranking = rank([of(1, 10), of(2, 30), of(3, 30), of(4, -70)])

    assert places(ranking) == [(2, 1), (3, 1), (1, 3), (4, 4)]
    assert [line.shared for line in ranking] == [True, True, False, False]


def test_a_penalty_that_is_taken_back_leaves_the_ranking_as_if_it_had_never_been():
    never = rank([of(1, 50), of(2, 40)])
    punished = rank([of(1, 50, rulings=(-100,)), of(2, 40)])

    assert places(punished) == [(2, 1), (1, 2)]
    assert rank([of(1, 50, rulings=()), of(2, 40)]) == never


def test_no_tie_break_decides_unless_the_event_declares_one():
    assert [line.place for line in rank([of(1, 0, 20), of(2, 20, 0)])] == [1, 1]


def test_the_latest_round_decides_and_shows_its_value():
    ranking = rank([of(1, 20, 0), of(2, 0, 20)], [TieBreak.LATEST_ROUND])

    assert places(ranking) == [(2, 1), (1, 2)]
    assert ranking[0].decided_by == (Decision(tie_break=TieBreak.LATEST_ROUND, value=(20, 0)),)
    assert ranking[1].decided_by == (Decision(tie_break=TieBreak.LATEST_ROUND, value=(0, 20)),)


def test_when_the_latest_round_is_equal_the_one_before_decides():
    ranking = rank([of(1, 10, 20, 5), of(2, 20, 10, 5)], [TieBreak.LATEST_ROUND])

    assert places(ranking) == [(1, 1), (2, 2)]


def test_a_round_that_was_not_played_counts_nothing():
    late = Result(player=2, rounds={1: 25})

    assert places(rank([of(1, 10, 15), late], [TieBreak.LATEST_ROUND])) == [(1, 1), (2, 2)]


def test_the_best_single_round_decides():
    ranking = rank([of(1, 20, 30), of(2, 50, 0)], [TieBreak.BEST_ROUND])

    assert places(ranking) == [(2, 1), (1, 2)]
    assert ranking[0].decided_by[0].value == 50


def test_more_contracts_made_decide():
    one, two = of(1, 50, contracts_made=3), of(2, 50, contracts_made=4)

    assert places(rank([one, two], [TieBreak.CONTRACTS_MADE])) == [(2, 1), (1, 2)]


def test_fewest_points_taken_away_decide():
    one, two = of(1, 150, rulings=(-100,)), of(2, 50)

    assert places(rank([one, two], [TieBreak.FEWEST_PENALTIES])) == [(2, 1), (1, 2)]


def test_head_to_head_looks_at_all_meetings_and_not_at_the_first():
    one = of(1, 30, 10, 10, tables={1: "a", 2: "b", 3: "c"})
    two = of(2, 10, 40, 0, tables={1: "a", 2: "b", 3: "d"})

    ranking = rank([one, two], [TieBreak.HEAD_TO_HEAD])

    assert places(ranking) == [(2, 1), (1, 2)]
    assert [line.decided_by[0].value for line in ranking] == [10, -10]


def test_head_to_head_among_three_counts_each_against_both_others():
    tables = {1: "a"}
    three = [
        of(1, 5, 25, tables=tables),
        of(2, 20, 10, tables=tables),
        of(3, 10, 20, tables=tables),
    ]

    ranking = rank(three, [TieBreak.HEAD_TO_HEAD])

    assert places(ranking) == [(2, 1), (3, 2), (1, 3)]
    assert [line.decided_by[0].value for line in ranking] == [25, -5, -20]


def test_head_to_head_decides_nothing_when_two_of_the_three_have_not_met():
    three = [
        of(1, 5, 25, tables={1: "a", 2: "b"}),
        of(2, 20, 10, tables={1: "a", 2: "c"}),
        of(3, 10, 20, tables={1: "d", 2: "b"}),
    ]

    assert [line.place for line in rank(three, [TieBreak.HEAD_TO_HEAD])] == [1, 1, 1]


def test_tie_breaks_are_taken_in_order_and_only_those_that_parted_somebody_are_shown():
    three = [
        of(1, 20, 10, contracts_made=2),
        of(2, 10, 20, contracts_made=2),
        of(3, 15, 15, contracts_made=1),
    ]

    ranking = rank(three, [TieBreak.CONTRACTS_MADE, TieBreak.LATEST_ROUND])

    assert places(ranking) == [(2, 1), (1, 2), (3, 3)]
    assert [d.tie_break for d in ranking[0].decided_by] == ["contracts_made", "latest_round"]
    assert [d.tie_break for d in ranking[2].decided_by] == ["contracts_made"]


def test_who_is_equal_in_everything_still_shares_the_place():
    ranking = rank([of(1, 20), of(2, 20), of(3, 5)], list(TieBreak))

    assert [(line.place, line.shared) for line in ranking] == [(1, True), (1, True), (3, False)]


def test_the_order_of_entry_changes_nothing():
    results = [
        of(player, chance.randint(0, 3), chance.randint(0, 3), contracts_made=chance.randint(0, 2))
        for chance in [random.Random(4)]
        for player in range(30)
    ]
    whole = rank(results, [TieBreak.BEST_ROUND, TieBreak.CONTRACTS_MADE])
    random.Random(1).shuffle(results)

    assert rank(results, [TieBreak.BEST_ROUND, TieBreak.CONTRACTS_MADE]) == whole
    assert [line.total for line in whole] == sorted((r.total for r in results), reverse=True)


def test_a_player_named_twice_is_refused():
    with pytest.raises(Illegal) as refusal:
        rank([of(1, 5), of(1, 6)])

    assert refusal.value.code == "player_twice"


def test_nobody_makes_an_empty_ranking():
    assert rank([]) == ()


def test_a_team_has_the_scores_of_its_members_added_up():
    members = [
        of(1, 10, 20, rulings=(-100,)),
        of(2, 5, -5, contracts_made=2),
        of(3, 7),
        of(4, 1),
    ]

    first, second = team_results(members, {1: 10, 2: 10, 3: 20})

    assert (first.player, first.rounds, first.rulings) == (10, {1: 15, 2: 15}, (-100,))
    assert (first.total, first.contracts_made) == (-70, 2)
    assert (second.player, second.total) == (20, 7)


def test_the_ranking_of_a_series_keeps_the_order_of_the_whole():
    whole = rank([of(1, 40), of(2, 30), of(3, 30), of(4, 20), of(5, 10)])

    assert places(within(whole, {2, 3, 5})) == [(2, 1), (3, 1), (5, 3)]
    assert [line.shared for line in within(whole, {3, 5})] == [False, False]


def test_each_club_has_its_ranking():
    whole = rank([of(1, 40), of(2, 30), of(3, 20), of(4, 10)])

    clubs = by_group(whole, {1: "Lille", 2: "Nancy", 3: "Lille"})

    assert {club: places(lines) for club, lines in clubs.items()} == {
        "Lille": [(1, 1), (3, 2)],
        "Nancy": [(2, 1)],
    }


def test_the_special_prize_goes_by_the_last_two_rounds_of_those_without_another():
    results = [of(1, 90, 50, 50), of(2, 0, 30, 10), of(3, 0, 10, 60), of(4, 99, 0, 0)]

    assert places(best_of_last_rounds(results, without={1})) == [(3, 1), (2, 2), (4, 3)]
