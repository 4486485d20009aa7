from __future__ import annotations

from functools import partial
from itertools import combinations

import pytest

from tests.tournaments.verdicts import broken_in
from tournaments import placing
from tournaments.placing.howell import meetings_in
from tournaments.seating import SeatingError


def a_tournament(numbers, rounds, **wishes):
    played = []
    for number in range(1, rounds + 1):
        history = [one.as_past() for one in played]
        played.append(placing.place_howell(numbers, number, history, **wishes))
    return played


broken_of = partial(broken_in, placement="howell")


def test_sixteen_players_meet_each_other_exactly_once_in_five_positions():
    times = meetings_in(16, 5)

    assert {times[pair] for pair in combinations(range(1, 17), 2)} == {1}


def test_twelve_players_meet_between_once_and_four_times_in_six_positions():
    times = meetings_in(12, 6)

    assert sorted({times[pair] for pair in combinations(range(1, 13), 2)}) == [1, 2, 3, 4]


def test_five_pairs_of_twelve_do_not_meet_in_the_first_five_positions():
    times = meetings_in(12, 5)

    apart = {pair for pair in combinations(range(1, 13), 2) if not times[pair]}
    assert apart == {(2, 9), (3, 8), (3, 10), (4, 12), (6, 10)}


def test_the_second_position_of_twelve_is_the_printed_one():
    placed = placing.place_howell(list(range(1, 13)), 2)

    north_to_west = [
        tuple(table.by_seat[seat] for seat in map(placing.Seat, "NSEW")) for table in placed.tables
    ]
    assert north_to_west == [(1, 2, 7, 12), (5, 6, 11, 3), (9, 10, 4, 8)]


@pytest.mark.parametrize(("players", "positions"), [(12, 6), (16, 5)])
def test_every_position_of_the_grid_is_sound(players, positions):
    numbers = placing.draw_numbers(range(players), seed=4, rounds=positions)

    assert placing.positions_of(players) == positions
    assert broken_of(a_tournament(numbers, positions), range(players)) == []


@pytest.mark.parametrize("players", [8, 11, 13, 15, 17, 20])
def test_other_numbers_of_players_have_no_grid(players):
    with pytest.raises(SeatingError) as refusal:
        placing.draw_numbers(range(players), seed=1, rounds=3)

    assert refusal.value.code == "howell_players"


def test_a_position_that_the_grid_does_not_have_is_refused():
    with pytest.raises(SeatingError) as refusal:
        placing.place_howell(list(range(16)), 6)

    assert refusal.value.code == "howell_positions"


def test_pairs_that_may_not_meet_get_numbers_that_never_meet():
    pairs = [(0, 1), (2, 3), (2, 4)]
    numbers = placing.draw_numbers(range(12), seed=2, rounds=5, prohibited=pairs)

    assert broken_of(a_tournament(numbers, 5, prohibited=pairs), range(12), prohibited=pairs) == []


@pytest.mark.parametrize(("players", "rounds"), [(12, 6), (16, 5)])
def test_where_everybody_meets_everybody_prohibited_pairs_are_refused(players, rounds):
    with pytest.raises(SeatingError) as refusal:
        placing.draw_numbers(range(players), seed=2, rounds=rounds, prohibited=[(0, 1)])

    assert refusal.value.code == "prohibited_pairs"


def test_one_player_can_keep_his_table_through_the_whole_grid():
    numbers = placing.draw_numbers(range(12), seed=2, rounds=6)

    played = a_tournament(numbers, 6, fixed={numbers[8]: 3})

    assert broken_of(played, range(12), fixed={numbers[8]: 3}) == []


def test_who_leaves_the_grid_makes_a_table_of_three():
    numbers = [None if player == 5 else player for player in range(16)]

    sizes = [sorted(len(t.players) for t in one.tables) for one in a_tournament(numbers, 5)]

    assert sizes == [[3, 4, 4, 4]] * 5


def test_two_leavers_at_one_table_are_not_playable():
    numbers = [None if player < 2 else player for player in range(16)]

    placed = placing.place_howell(numbers, 1)

    assert [table.players for table in placed.unplayable] == [(2, 3)]
    assert not placed.is_playable


@pytest.mark.parametrize(
    ("players", "rounds", "code"), [(16, 5, "howell_meetings"), (12, 6, "howell_spread")]
)
def test_what_the_grid_promises_is_said_before_the_start(players, rounds, code):
    (reason,) = placing.howell_reasons(players, rounds)

    assert reason.code == code
    assert f"In {rounds} positions" in reason.in_english()


def test_no_more_positions_are_promised_than_the_grid_has():
    (reason,) = placing.howell_reasons(16, 7)

    assert reason.in_english() == "In 5 positions everybody meets everybody exactly once."
