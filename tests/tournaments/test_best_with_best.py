from __future__ import annotations

import random
import time
from itertools import combinations

import pytest

from tournaments import placing
from tournaments.placing import Ranked
from tournaments.placing.verifier import verify_placing
from tournaments.seating import Leftovers, PastRound, SeatingError


def ranking(players):
    """Player 1 is the best, and so on."""
    return [Ranked(player=p, points=1000 - 10 * p, number=p) for p in range(1, players + 1)]


def tables_of(placed):
    return [set(table.players) for table in placed.tables]


def verdict_of(placed, players, earlier=(), **wishes):
    return verify_placing(
        range(1, players + 1),
        earlier,
        placed,
        placement="best_with_best",
        ranking=range(1, players + 1),
        reasons=[reason.as_data() for reason in placed.reasons],
        **wishes,
    )


def test_the_first_four_sit_at_table_one_and_so_on():
    placed = placing.place_best_with_best(ranking(12))

    assert tables_of(placed) == [{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}]
    assert verdict_of(placed, 12).is_sound


def test_equal_points_go_by_number_and_it_is_said():
    lines = [Ranked(player=p, points=0, number=-p) for p in range(1, 9)]

    placed = placing.place_best_with_best(lines)

    assert tables_of(placed) == [{5, 6, 7, 8}, {1, 2, 3, 4}]
    (reason,) = [reason for reason in placed.reasons if reason.code == "equal_by_number"]
    assert reason.gaps["count"] == 8


@pytest.mark.parametrize("players", range(5, 61))
@pytest.mark.parametrize("policy", Leftovers)
def test_every_number_of_players_is_seated_under_every_policy(players, policy):
    placed = placing.place_best_with_best(ranking(players), policy=policy)

    assert verdict_of(placed, players, policy=policy.value).is_sound


def test_tables_of_three_are_the_lowest_when_nobody_has_been_at_one():
    placed = placing.place_best_with_best(ranking(10))

    assert [len(table.players) for table in placed.tables] == [4, 3, 3]


def test_who_was_at_a_table_of_three_is_spared_the_next():
    history = [PastRound(tables=((1, 2, 3, 4), (5, 6, 7, 8), (9, 10, 11)))]

    placed = placing.place_best_with_best(ranking(11), history)

    assert tables_of(placed) == [{1, 2, 3, 4}, {5, 6, 7}, {8, 9, 10, 11}]


def test_who_sat_out_least_sits_out_the_lowest_of_them():
    history = [PastRound(tables=((1, 2, 3, 4), (5, 6, 7, 8)), sat_out=(9,))]

    placed = placing.place_best_with_best(ranking(9), history, policy=Leftovers.SIT_OUT)

    assert placed.sit_out == (8,)


def test_a_prohibited_pair_is_parted_by_one_exchange_with_the_nearest_in_the_ranking():
    placed = placing.place_best_with_best(ranking(12), prohibited=[(1, 4)])

    assert tables_of(placed) == [{1, 2, 3, 5}, {4, 6, 7, 8}, {9, 10, 11, 12}]
    (reason,) = [reason for reason in placed.reasons if reason.code == "exchanged"]
    assert reason.gaps["pairs"] == ((4, 5),)


def fewest_out_of_ranking(players, pairs):
    """By trying every exchange of two, then every two exchanges."""
    plain = list(range(1, players + 1))

    def sound(order):
        tables = [set(order[i : i + 4]) for i in range(0, players, 4)]
        return not any(table.issuperset(pair) for table in tables for pair in pairs)

    def swapped(order):
        for a, b in combinations(range(players), 2):
            if a // 4 != b // 4:
                other = list(order)
                other[a], other[b] = other[b], other[a]
                yield other

    if sound(plain):
        return 0
    if any(sound(one) for one in swapped(plain)):
        return 1
    return 2 if any(sound(two) for one in swapped(plain) for two in swapped(one)) else 3


def test_no_more_exchanges_are_made_than_are_needed():
    chance = random.Random(5)
    for _ in range(60):
        pairs = [tuple(chance.sample(range(1, 13), 2)) for _ in range(chance.randint(1, 4))]

        placed = placing.place_best_with_best(ranking(12), prohibited=pairs)

        made = [reason.gaps["count"] for reason in placed.reasons if reason.code == "exchanged"]
        assert sum(made) <= fewest_out_of_ranking(12, [set(pair) for pair in pairs])
        assert verdict_of(placed, 12, prohibited=pairs).is_sound


def test_team_mates_are_parted_too():
    teams = [(p, p + 1) for p in range(1, 33, 2)]

    placed = placing.place_best_with_best(ranking(32), teams=teams)

    assert verdict_of(placed, 32, teams=teams).is_sound


# One exchange after another parts these no further, and yet there is a seating.
STUCK = [
    (1, 2), (1, 6), (1, 7), (1, 10), (2, 5), (2, 8), (2, 10), (3, 4), (3, 5), (6, 7), (6, 9),
    (6, 10), (7, 9), (9, 10),
]  # fmt: skip


def test_where_exchanges_get_stuck_a_search_finds_a_seating_and_says_who_sits_elsewhere():
    placed = placing.place_best_with_best(ranking(10), prohibited=STUCK)

    verdict = verdict_of(placed, 10, prohibited=STUCK)
    (reason,) = [reason for reason in placed.reasons if reason.code == "elsewhere_than_ranked"]
    assert verdict.is_sound
    assert reason.gaps["count"] == verdict.figures.out_of_ranking


def test_the_only_seating_that_there_is_is_found():
    # Even numbers can only sit with even ones.
    pairs = [pair for pair in combinations(range(1, 9), 2) if sum(pair) % 2]

    placed = placing.place_best_with_best(ranking(8), prohibited=pairs)

    assert sorted(map(sorted, tables_of(placed))) == [[1, 3, 5, 7], [2, 4, 6, 8]]
    assert verdict_of(placed, 8, prohibited=pairs).is_sound


def test_pairs_that_cannot_be_parted_are_refused():
    with pytest.raises(SeatingError) as refusal:
        placing.place_best_with_best(ranking(8), prohibited=combinations(range(1, 4), 2))

    assert refusal.value.code == "prohibited_pairs"


def test_a_player_named_twice_is_refused():
    with pytest.raises(SeatingError) as refusal:
        placing.place_best_with_best([*ranking(8), ranking(1)[0]])

    assert refusal.value.code == "player_twice"


def test_a_fixed_table_is_kept_though_the_best_would_have_it():
    placed = placing.place_best_with_best(ranking(12), fixed={10: 1})

    assert 10 in placed.tables[0].players
    assert tables_of(placed)[2] == {1, 2, 3, 4}


def test_four_rounds_leave_nobody_in_one_seat_twice_more_than_in_another_where_four_are_the_same():
    history = []
    for _ in range(4):
        placed = placing.place_best_with_best(ranking(8), history)
        history.append(placed.as_past())

    for player in range(1, 9):
        seats = [table.index(player) for one in history for table in one.tables if player in table]
        assert sorted(seats) == [0, 1, 2, 3]


def test_two_hundred_players_with_forty_prohibited_pairs_take_half_a_second_of_work():
    pairs = [(p, p + 1) for p in range(1, 80, 2)]
    spent = []

    # Whatever else the machine does slows one of them, not all.
    for _ in range(3):
        before = time.process_time()
        placed = placing.place_best_with_best(ranking(200), prohibited=pairs)
        spent.append(time.process_time() - before)

    assert min(spent) < 0.5
    assert verdict_of(placed, 200, prohibited=pairs).is_sound


# Finals


@pytest.mark.parametrize("best", placing.USUAL_FINALS)
def test_finalists_are_seeded_north_south_east_and_west(best):
    finalists = list(range(1, best + 1))
    tables = best // 4

    placed = placing.place_final(finalists)

    seats = {seat: [table.by_seat[seat] for table in placed.tables] for seat in placing.FOUR_SEATS}
    assert seats[placing.Seat.NORTH] == finalists[:tables]
    assert seats[placing.Seat.SOUTH] == finalists[tables : 2 * tables]
    assert seats[placing.Seat.EAST] == finalists[2 * tables : 3 * tables]
    assert seats[placing.Seat.WEST] == finalists[3 * tables :]
    verdict = verify_placing(finalists, [], placed, placement="final", ranking=finalists)
    assert verdict.is_sound


def test_a_final_that_does_not_fill_its_tables_is_refused():
    with pytest.raises(SeatingError) as refusal:
        placing.place_final(range(18))

    assert refusal.value.code == "final_not_of_fours"


def test_the_seeds_of_twenty_go_on_with_the_movement_for_five_positions():
    chart = placing.final_chart(range(20))

    played = [placing.place_position(chart, number) for number in range(1, 6)]

    assert played[0].tables == placing.place_final(range(20)).tables
    for number, one in enumerate(played):
        verdict = verify_placing(range(20), played[:number], one, placement="fft_movement")
        assert verdict.is_sound


def test_two_groups_of_equal_points_are_told_as_two():
    ranking = [
        placing.Ranked(player=number, points=points, number=number)
        for number, points in enumerate((9, 7, 7, 5, 3, 3, 3, 1), start=1)
    ]

    (reason,) = placing.equals_by_number(ranking)

    assert reason.code == "equal_in_groups"
    assert reason.gaps["groups"] == 2
    assert reason.gaps["players"] == (2, 3, 5, 6, 7)


def test_the_cut_names_those_who_were_equal_at_its_last_place():
    lines = [Ranked(player=p, points=max(0, 10 - p), number=p) for p in range(1, 21)]

    cut = placing.cut(lines, 12)

    assert cut.finalists == tuple(range(1, 13))
    assert cut.equal_in == (10, 11, 12)
    assert cut.equal_out == tuple(range(13, 21))
    assert cut.reasons[0].gaps["count"] == 11


def test_a_clean_cut_has_nothing_to_say():
    assert placing.cut(ranking(20), 12).reasons == ()


def test_more_finalists_than_players_are_refused():
    with pytest.raises(SeatingError) as refusal:
        placing.cut(ranking(11), 12)

    assert refusal.value.code == "fewer_than_the_best"


@pytest.mark.parametrize("tables", [5, 7, 11, 13])
def test_players_of_equal_rank_meet_at_the_last_position_as_the_manual_prints_it(tables):
    chart = placing.equals_meet_last(range(4 * tables), tables) if tables <= 7 else None
    if chart is None:
        chart = placing.equals_meet_last(range(4 * tables), 7)
    rounds = min(tables, 7)

    last = placing.place_position(chart, rounds)

    assert tables_of(last) == [set(range(4 * k, 4 * k + 4)) for k in range(tables)]
    for k in range(tables):
        by_seat = {
            chart.starts[p].seat.value: chart.starts[p].table for p in range(4 * k, 4 * k + 4)
        }
        # S k - (P - 1), E k - 2 (P - 1), W k + 2 (P - 1), all modulo the tables.
        moved = rounds - 1
        assert by_seat["N"] == k + 1
        assert by_seat["S"] == (k - moved) % tables + 1
        assert by_seat["E"] == (k - 2 * moved) % tables + 1
        assert by_seat["W"] == (k + 2 * moved) % tables + 1
