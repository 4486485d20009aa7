from __future__ import annotations

import json
import random
from collections import Counter
from itertools import combinations

import pytest

from tournaments.seating import (
    Leftovers,
    PastRound,
    Priority,
    Reason,
    SeatingError,
    draw_round,
    reason_from_data,
)
from tournaments.seating.bank import LETTERS, PLANS
from tournaments.seating.reasons import SENTENCES
from tournaments.seating.verifier import evening_sum, verify_round


def an_evening(players, rounds, *, seed=1, policy=Leftovers.THREES, **wishes):
    """The rounds of an evening, each drawn from the rounds before and nothing else."""
    history = []
    for number in range(rounds):
        draw = draw_round(
            range(1, players + 1),
            history,
            seed=1000 * seed + number,
            policy=policy,
            rounds_left=rounds - number,
            **wishes,
        )
        history.append(draw.as_past())
    return history


def odd_tables_spread(history):
    counts = Counter(dict.fromkeys(history[0].present, 0))
    for past in history:
        counts.update(p for table in past.tables if len(table) != 4 for p in table)
    return max(counts.values()) - min(counts.values())


# Second meetings of an evening drawn round by round, tables of 3 spread within one.
BARS = [
    (8, 3, 12), (8, 5, 40), (9, 4, 0), (9, 5, 9), (10, 3, 8), (10, 5, 20), (11, 3, 9),
    (11, 5, 26), (12, 3, 9), (12, 4, 18), (13, 5, 7), (13, 6, 13), (14, 5, 6), (14, 6, 17),
    (15, 5, 0), (15, 6, 21), (16, 5, 0), (16, 6, 24), (17, 5, 0), (17, 7, 12), (18, 5, 0),
    (18, 7, 16), (19, 5, 0), (19, 7, 18), (20, 5, 0), (20, 6, 6), (20, 7, 20), (21, 7, 0),
    (22, 6, 0), (23, 7, 0), (24, 7, 0), (25, 7, 0), (26, 7, 0), (27, 7, 0), (28, 9, 0),
    (29, 7, 0), (30, 7, 0), (31, 7, 0), (32, 9, 0), (36, 5, 0), (44, 7, 0), (48, 7, 0), (64, 10, 0),
]  # fmt: skip


@pytest.mark.parametrize(("players", "rounds", "bar"), BARS)
def test_an_evening_drawn_round_by_round_has_no_more_second_meetings_than_the_bar(
    players, rounds, bar
):
    history = an_evening(players, rounds)

    assert evening_sum(history) <= bar
    assert odd_tables_spread(history) <= 1


@pytest.mark.parametrize(("players", "bar"), [(13, 6), (14, 4)])
def test_thirteen_and_fourteen_choose_between_no_second_meeting_and_even_tables_of_three(
    players, bar
):
    meetings = an_evening(players, 3, priority=Priority.MEETINGS)
    even = an_evening(players, 3, priority=Priority.ODD_TABLES)

    assert evening_sum(meetings) == 0
    assert odd_tables_spread(meetings) > 1
    assert evening_sum(even) == bar
    assert odd_tables_spread(even) <= 1


def test_a_round_for_800_players_repeats_nobody():
    history = an_evening(800, 3)

    assert evening_sum(history) == 0


@pytest.mark.parametrize("players", [8, 9, 12])
def test_the_last_round_is_the_best_one_left(players):
    history = an_evening(players, 3)

    draw = draw_round(range(1, players + 1), history, seed=5)

    figures = verify_round(range(1, players + 1), history, draw.as_past()).figures
    assert figures.second_meetings == figures.fewest_possible


def test_a_round_without_second_meetings_is_found_whenever_the_tables_guarantee_one():
    rng = random.Random(3)
    for _ in range(20):
        tables = rng.randint(4, 30)
        rounds = (tables - 1) // 3
        order, history = list(range(4 * tables)), []
        for _ in range(rounds):
            rng.shuffle(order)
            history.append(
                PastRound(tables=tuple(tuple(order[i : i + 4]) for i in range(0, len(order), 4)))
            )
        draw = draw_round(range(4 * tables), history, seed=7)
        assert verify_round(order, history, draw.as_past()).figures.second_meetings == 0


def test_the_same_seed_gives_the_same_draw_in_whatever_order_the_players_are_named():
    history = an_evening(14, 2)
    forwards = draw_round(range(1, 15), history, seed=4821, rounds_left=3)
    backwards = draw_round(range(14, 0, -1), history, seed=4821, rounds_left=3)

    assert forwards == backwards


def test_a_seed_gives_this_draw_on_every_platform_and_version():
    draw = draw_round(range(1, 12), [], seed=4821)

    assert [(table.players, table.first_dealer) for table in draw.tables] == [
        ((4, 7, 3, 1), 1),
        ((5, 6, 8, 10), 5),
        ((2, 11, 9), 11),
    ]


def test_another_seed_gives_another_draw():
    draws = {draw_round(range(16), [], seed=seed).tables for seed in range(20)}

    assert len(draws) == 20


def chi_square(counts, expected):
    return sum((count - expected) ** 2 / expected for count in counts)


def test_over_two_thousand_seeds_every_pair_seat_and_deal_comes_as_often():
    pairs, seats, dealers, threes = Counter(), Counter(), Counter(), Counter()
    for seed in range(2000):
        draw = draw_round(range(7), [], seed=seed)
        for table in draw.tables:
            pairs.update(combinations(sorted(table.players), 2))
            dealers[table.first_dealer] += 1
        seats.update(enumerate(draw.tables[0].players))
        threes.update(draw.tables[1].players)

    # the 99.9 % points for 20, 27 - 3, 6 and 6 degrees of freedom; pairs of a draw hang together
    assert chi_square([pairs[p] for p in combinations(range(7), 2)], 2000 * 9 / 21) < 45.3
    assert chi_square([seats[s, p] for s in range(4) for p in range(7)], 2000 / 7) < 51.2
    assert chi_square([dealers[p] for p in range(7)], 2000 * 2 / 7) < 22.5
    assert chi_square([threes[p] for p in range(7)], 2000 * 3 / 7) < 22.5


def test_over_two_thousand_seeds_the_second_round_is_even_too():
    first = PastRound(tables=((0, 1, 2, 3), (4, 5, 6, 7)))
    mates = Counter()
    for seed in range(2000):
        draw = draw_round(range(8), [first], seed=seed)
        table = next(t.players for t in draw.tables if 0 in t.players)
        mates.update(set(table) - {0})

    assert chi_square([mates[p] for p in (1, 2, 3)], 2000 / 3) < 13.8
    assert chi_square([mates[p] for p in (4, 5, 6, 7)], 2000 * 2 / 4) < 16.3


def test_prohibited_pairs_never_meet():
    history = an_evening(10, 5, prohibited=[(1, 2), (3, 4), (1, 5)])

    met = {pair for past in history for t in past.tables for pair in combinations(sorted(t), 2)}
    assert met.isdisjoint({(1, 2), (3, 4), (1, 5)})


def test_a_seating_that_only_just_keeps_everybody_apart_is_found():
    teams = [range(start, start + 4) for start in (0, 4, 8, 12)]
    apart = [pair for team in teams for pair in combinations(team, 2)]

    draw = draw_round(range(16), [], seed=1, prohibited=apart)

    assert all(len({player // 4 for player in t.players}) == 4 for t in draw.tables)


@pytest.mark.parametrize("players", [4, 9, 24])
def test_everybody_prohibited_with_everybody_is_refused_and_says_why(players):
    with pytest.raises(SeatingError) as refused:
        draw_round(range(players), [], seed=1, prohibited=combinations(range(players), 2))

    assert refused.value.code == "prohibited_pairs"
    assert refused.value.field == "prohibited"


def test_one_of_a_prohibited_pair_sits_out_when_there_is_only_one_table():
    for seed in range(20):
        draw = draw_round(range(5), [], seed=seed, policy=Leftovers.SIT_OUT, prohibited=[(0, 1)])
        assert draw.sit_out in {(0,), (1,)}


def test_a_player_named_twice_is_refused():
    with pytest.raises(SeatingError) as refused:
        draw_round([1, 2, 3, 3], [], seed=1)

    assert (refused.value.code, refused.value.gaps) == ("player_twice", {"player": 3})


def test_a_past_round_with_a_player_twice_is_refused():
    with pytest.raises(SeatingError) as refused:
        draw_round(range(4), [PastRound(tables=((0, 1, 2),), sat_out=(2,))], seed=1)

    assert refused.value.code == "player_twice_in_history"


def test_all_leave_and_the_draw_says_so():
    with pytest.raises(SeatingError) as refused:
        draw_round([], an_evening(8, 1), seed=1)

    assert refused.value.code == "too_few_players"


def test_sitting_out_goes_round_before_anybody_sits_out_again():
    history = an_evening(9, 9, policy=Leftovers.SIT_OUT)

    assert sorted(player for past in history for player in past.sat_out) == list(range(1, 10))


def test_a_latecomer_does_not_sit_out_before_those_who_sat_out_as_often_as_everybody():
    # All nine have sat out once when four more arrive.
    history = an_evening(9, 9, policy=Leftovers.SIT_OUT)

    out = {
        draw_round(range(1, 14), history, seed=seed, policy=Leftovers.SIT_OUT).sit_out
        for seed in range(12)
    }

    assert any(player < 10 for (player,) in out)
    assert any(player >= 10 for (player,) in out)


def test_a_latecomer_is_not_owed_the_tables_of_three_he_was_spared():
    history = an_evening(7, 7)
    assert odd_tables_spread(history) == 0

    threes = Counter()
    for seed in range(8):
        draw = draw_round(range(1, 12), history, seed=seed)
        threes.update(draw.tables[2].players)

    assert any(player <= 7 for player in threes)


def test_over_random_evenings_with_latecomers_and_leavers_no_promise_is_broken():
    rng = random.Random(11)
    for _ in range(8):
        here, newcomer = list(range(rng.randint(5, 14))), 100
        policy = rng.choice(list(Leftovers))
        history = []
        for number in range(4):
            draw = draw_round(here, history, seed=rng.randrange(9999), policy=policy)
            verdict = verify_round(here, history, draw.as_past(), policy=policy)
            assert verdict.broken == (), (here, history, draw)
            history.append(draw.as_past())
            if number % 2 and len(here) > 4:
                here.remove(rng.choice(here))
            else:
                here.append(newcomer)
                newcomer += 1


def test_pairs_of_earlier_evenings_are_avoided_while_it_costs_nothing_tonight():
    last_week = an_evening(24, 2, seed=3)

    draw = draw_round(range(1, 25), [], seed=1, earlier=last_week)

    old = {pair for past in last_week for t in past.tables for pair in combinations(sorted(t), 2)}
    new = {pair for t in draw.tables for pair in combinations(sorted(t.players), 2)}
    assert old.isdisjoint(new)


def test_who_had_a_table_of_three_last_week_is_spared_tonight():
    last_week = [draw_round(range(7), [], seed=1).as_past()]
    had_three = set(last_week[0].tables[1])

    for seed in range(10):
        draw = draw_round(range(7), [], seed=seed, earlier=last_week)
        assert had_three.isdisjoint(draw.tables[1].players)


def test_the_plan_of_the_last_draw_is_kept_while_the_field_stays():
    first = draw_round(range(12), [], seed=1, prohibited=[(0, 1)], rounds_left=4)
    history = [first.as_past()]

    second = draw_round(
        range(12), history, seed=2, prohibited=[(0, 1)], rounds_left=3, plan=first.plan
    )
    another = draw_round(range(11), history, seed=2, rounds_left=3, plan=first.plan)

    assert len(first.plan) == 3
    assert len(second.plan) == 2
    assert sum(len(table.players) for table in another.tables) == 11


def test_the_draw_says_in_words_who_meets_again_and_who_is_at_an_odd_table_again():
    history = [PastRound(tables=((1, 2, 3, 4), (5, 6, 7)))]

    draw = draw_round(range(1, 8), history, seed=1)

    by_code = {reason.code: reason for reason in draw.reasons}
    again = by_code["remeeting"]
    met = {pair for table in history[0].tables for pair in combinations(table, 2)}
    now = {pair for t in draw.tables for pair in combinations(sorted(t.players), 2)}
    assert set(again.gaps["pairs"]) == met & now
    assert again.gaps["count"] == len(met & now)
    assert again.in_english("P{}".format).startswith(
        f"{len(met & now)} pairs have now met 2 times: P"
    )
    assert set(by_code["odd_table"].gaps["players"]) == set(draw.tables[1].players) - {5, 6, 7}


def test_a_reason_survives_the_journey_through_json():
    history = an_evening(11, 3)
    for reason in draw_round(range(1, 12), history, seed=1).reasons:
        assert reason_from_data(json.loads(json.dumps(reason.as_data()))) == reason


@pytest.mark.parametrize("code", SENTENCES)
def test_every_sentence_can_be_filled(code):
    gaps = {"players": (1, 2), "pairs": ((1, 2),), "count": 2, "times": 2, "fewest": 0, "most": 2}

    assert "%" not in Reason(code=code, gaps=gaps).in_english()


def test_nobody_is_in_one_seat_two_rounds_more_than_in_another_at_tables_of_four():
    history = an_evening(16, 4)

    seats = Counter(
        (player, seat) for past in history for t in past.tables for seat, player in enumerate(t)
    )
    for player in range(1, 17):
        taken = [seats[player, seat] for seat in range(4)]
        assert max(taken) - min(taken) <= 2


@pytest.mark.parametrize(("players", "rounds"), PLANS)
def test_a_known_plan_seats_everybody_once_a_round(players, rounds):
    lines = PLANS[players, rounds]

    assert len(lines) == rounds
    assert all(sorted(line) == sorted(LETTERS[:players]) for line in lines)
