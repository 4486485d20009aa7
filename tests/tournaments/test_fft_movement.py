from __future__ import annotations

import json
from collections import Counter
from functools import cache, partial
from itertools import combinations

import pytest

from tests.tournaments.verdicts import broken_in
from tournaments import placing
from tournaments.placing import Chart, Place, Seat
from tournaments.placing.fft import place_at
from tournaments.placing.verifier import verify_placing
from tournaments.seating import SeatingError

N, E, S, W = placing.FOUR_SEATS

# The movement a second time, by hand from the manual's text: seat steps per transition.
BY_HAND = {
    6: {"W": "-1"},
    8: {"W": "-1"},
    10: {"W": "-1"},
}
SPECIAL_BY_HAND = """
6: 3 E+3; 4 W-2
8: 5 S+2 E+3; 6 E+4
9: 4 E+3 W-3; 5 E+3 W-3
10: 6 E+3 W-2
12: 4 W-3; 7 E+3
14: 5 W-3
15: 5 W-3
16: 5 W-3; 6 W-3
18: 6 W-3
20: 6 W-3
"""


def special_moves():
    moves = {}
    for line in SPECIAL_BY_HAND.strip().splitlines():
        tables, _, rest = line.partition(":")
        for part in rest.split(";"):
            position, *steps = part.split()
            for one in steps:
                moves[int(tables), int(position), one[0]] = int(one[1:])
    return moves


@cache
def rooms_by_hand(tables, positions):
    """Sets of players by table for each position, players being (seat, first table)."""
    special = special_moves()
    where = {(seat, t): t for seat in "NESW" for t in range(1, tables + 1)}
    rooms = []
    for position in range(1, positions + 1):
        if position > 1:
            for (seat, start), at in where.items():
                usual = {"N": 0, "S": 1, "E": 2, "W": -2}[seat]
                usual = int(BY_HAND.get(tables, {}).get(seat, usual))
                step = special.get((tables, position, seat), usual)
                where[seat, start] = (at - 1 + step) % tables + 1
        rooms.append(
            [{p for p, at in where.items() if at == table} for table in range(1, tables + 1)]
        )
    return rooms


def lasts_by_hand(tables, most=7):
    met = set()
    for number, room in enumerate(rooms_by_hand(tables, most)):
        now = {frozenset(pair) for table in room for pair in combinations(sorted(table), 2)}
        if met & now:
            return number
        met |= now
    return most


def full_chart(tables):
    places = [Place(t, seat) for t in range(1, tables + 1) for seat in placing.FOUR_SEATS]
    return Chart(tables=tables, starts=dict(enumerate(places)))


def a_tournament(chart, rounds, **wishes):
    played = []
    for number in range(1, rounds + 1):
        history = [one.as_past() for one in played]
        played.append(placing.place_position(chart, number, history, **wishes))
    return played


broken_of = partial(broken_in, placement="fft_movement")


# What it can last


@pytest.mark.parametrize(
    ("tables", "positions"),
    [(5, 5), (6, 5), (7, 7), (8, 6), (9, 7), (12, 7), (14, 7), (15, 7), (16, 7), (18, 7), (20, 7)],
)
def test_the_movement_lasts_what_the_manual_says(tables, positions):
    assert placing.positions_it_lasts(tables) == positions


@pytest.mark.parametrize("tables", [10, 24])
def test_the_manual_promises_seven_positions_where_there_are_six_and_a_repair_makes_them_seven(
    tables,
):
    assert placing.positions_it_lasts(tables, repaired=False) == 6
    assert lasts_by_hand(tables) == 6
    assert placing.positions_it_lasts(tables) == 7


@pytest.mark.parametrize("tables", range(5, 61))
def test_what_is_computed_from_distances_is_what_a_walk_round_the_room_shows(tables):
    assert placing.positions_it_lasts(tables, repaired=False) == lasts_by_hand(tables)


def test_teams_leave_out_the_first_position_and_have_one_less():
    assert placing.positions_it_lasts(7, first=2) == 6


@pytest.mark.parametrize("tables", [1, 3, 4])
def test_there_is_no_movement_for_less_than_five_tables(tables):
    with pytest.raises(SeatingError) as refusal:
        placing.positions_it_lasts(tables)

    assert refusal.value.code == "movement_needs_five_tables"
    assert str(refusal.value).endswith(f": {tables} is too few.")


@pytest.mark.parametrize("tables", [5, 6, 8, 9, 12, 17, 20, 23])
def test_the_tables_are_those_of_a_walk_round_the_room(tables):
    chart = full_chart(tables)
    start = {player: (place.seat.value, place.table) for player, place in chart.starts.items()}

    for number, room in enumerate(rooms_by_hand(tables, 5), start=1):
        placed = placing.place_position(chart, number)
        assert [{start[p] for p in table.players} for table in placed.tables] == room


def test_north_stays_south_goes_one_on_east_two_on_west_two_back():
    chart = full_chart(7)
    at = {p: place for place, p in chart.at(2).items()}
    start = chart.starts

    moved = {start[p].seat: (at[p].table - start[p].table) % 7 for p in range(4)}

    assert moved == {N: 0, S: 1, E: 2, W: 5}


# Tables of 3


def difference_is_safe(tables, positions, difference):
    empty = [Place(tables, N), Place(tables - difference, N)]
    return placing.threes_again(tables, empty, range(1, positions + 1)) == 0


@pytest.mark.parametrize("tables", range(7, 61))
def test_norths_six_numbers_apart_always_send_somebody_to_two_tables_of_three(tables):
    assert not difference_is_safe(tables, 5, 6)


@pytest.mark.parametrize("tables", range(17, 61))
def test_norths_seven_numbers_apart_are_safe_for_five_positions_from_17_tables(tables):
    assert difference_is_safe(tables, 5, 7)


def test_below_17_tables_only_ten_tables_have_a_safe_distance_for_five_positions():
    safe = {
        (tables, distance)
        for tables in range(5, 17)
        for distance in range(1, tables // 2 + 1)
        if difference_is_safe(tables, 5, distance)
    }

    assert safe == {(10, 5)}


def test_for_six_positions_seven_apart_is_safe_at_19_and_from_21_tables():
    safe = [tables for tables in range(12, 40) if difference_is_safe(tables, 6, 7)]

    assert safe == [19, *range(21, 40)]


def naive_threes_again(tables, norths, positions):
    times = Counter(
        player
        for room in rooms_by_hand(tables, positions)
        for number, table in enumerate(room, start=1)
        if number in norths
        for player in table
        if player[0] != "N"
    )
    return sum(times[player] - 1 for player in times)


@pytest.mark.parametrize("tables", [5, 6, 7, 8, 9, 11, 12, 13, 16, 17, 18, 21])
@pytest.mark.parametrize("threes", [1, 2, 3])
def test_the_norths_left_out_are_the_best_of_all_choices(tables, threes):
    chosen = placing.removed_norths(tables, threes, 5)

    every = combinations(range(1, tables + 1), threes)
    best = min(naive_threes_again(tables, norths, 5) for norths in every)
    assert len(chosen) == threes
    assert tables in chosen
    assert naive_threes_again(tables, chosen, 5) == best


def test_a_north_whose_table_is_fixed_is_not_left_out():
    assert 17 not in placing.removed_norths(17, 2, 5, keep=(17,))


@pytest.mark.parametrize("players", [65, 66, 67, 68])
def test_with_17_tables_five_positions_bring_nobody_twice_to_a_table_of_three(players):
    chart = placing.draw_chart(range(players), seed=3, rounds=5)

    played = a_tournament(chart, 5)

    assert broken_of(played, range(players)) == []
    last = verify_placing(range(players), played[:4], played[4], placement="fft_movement")
    if players != 65:
        assert last.figures.threes_again == 0
    assert len(chart.empty) == 68 - players
    assert all(place.seat is N for place in chart.empty)


def test_what_could_not_be_reached_is_said_before_the_start():
    chart = placing.draw_chart(range(18), seed=1, rounds=5)

    codes = [reason.code for reason in placing.chart_reasons(chart, 6)]

    assert codes == ["movement_lasts", "movement_exceeded", "norths_left_out", "threes_again"]


# Who starts where


def test_the_same_seed_gives_the_same_places_and_another_gives_others():
    charts = [placing.draw_chart(range(68), seed=seed, rounds=6) for seed in (1, 1, 2)]

    assert charts[0] == charts[1]
    assert charts[0] != charts[2]


def test_every_place_is_as_likely_for_a_player():
    times = Counter(placing.draw_chart(range(20), seed=s, rounds=5).starts[7] for s in range(2000))

    expected = 2000 / 20
    chi_square = sum((count - expected) ** 2 / expected for count in times.values())
    assert len(times) == 20
    assert chi_square < 43.8  # one in a thousand of 19 degrees


def test_a_chosen_place_is_kept():
    chart = placing.draw_chart(range(68), seed=1, rounds=6, chosen={9: Place(4, E)})

    assert chart.starts[9] == Place(4, E)


def test_two_who_chose_one_place_are_refused():
    with pytest.raises(SeatingError) as refusal:
        placing.draw_chart(range(68), seed=1, rounds=6, chosen={1: Place(4, E), 2: Place(4, E)})

    assert refusal.value.code == "places_taken"


def test_who_needs_a_fixed_table_is_north_and_keeps_it():
    chart = placing.draw_chart(range(66), seed=1, rounds=6, fixed={5: 17, 6: None})
    played = a_tournament(chart, 6)

    assert chart.starts[5] == Place(17, N)
    assert chart.starts[6].seat is N
    assert broken_of(played, range(66), fixed=chart.fixed) == []


def test_more_fixed_tables_than_norths_are_refused():
    with pytest.raises(SeatingError) as refusal:
        placing.draw_chart(range(18), seed=1, rounds=5, fixed=dict.fromkeys(range(4)))

    assert refusal.value.code == "too_many_fixed"


def test_a_south_who_must_stay_keeps_his_table_because_the_tables_are_renumbered():
    chart = full_chart(7)
    player = next(p for p, place in chart.starts.items() if place == Place(3, S))
    chart = Chart(tables=7, starts=chart.starts, fixed={player: 3})

    played = a_tournament(chart, 7)

    assert broken_of(played, range(28), fixed={player: 3}) == []
    assert all(player in one.tables[2].players for one in played)
    assert "tables_renumbered" in [reason.code for reason in played[1].reasons]


def test_two_who_keep_different_tables_and_meet_cannot_both_and_it_is_said():
    chart = full_chart(7)
    chart = Chart(tables=7, starts=chart.starts, fixed={0: 1, 1: 2})

    placed = placing.place_position(chart, 1)

    said = {reason.code: reason.gaps for reason in placed.reasons}
    assert said["keeps_table"]["players"] == (0,)
    assert said["cannot_keep_table"]["players"] == (1,)


def test_prohibited_pairs_never_meet_in_all_positions():
    pairs = [(p, p + 1) for p in range(0, 40, 2)]
    chart = placing.draw_chart(range(68), seed=1, rounds=6, prohibited=pairs)

    played = a_tournament(chart, 6, prohibited=pairs)

    assert broken_of(played, range(68), prohibited=pairs) == []


def test_pairs_that_cannot_all_be_kept_apart_are_refused_with_the_pairs():
    with pytest.raises(SeatingError) as refusal:
        placing.draw_chart(range(20), seed=1, rounds=5, prohibited=combinations(range(9), 2))

    assert refusal.value.code == "prohibited_pairs"
    assert refusal.value.gaps["pairs"]


@pytest.mark.parametrize(("players", "size"), [(32, 2), (34, 2), (66, 2), (68, 2), (48, 4)])
def test_team_mates_start_at_the_second_position_and_never_meet(players, size):
    teams = [tuple(range(p, p + size)) for p in range(0, players, size)]
    chart = placing.draw_chart(range(players), seed=5, rounds=5, teams=teams)

    played = a_tournament(chart, 5)

    assert chart.position(1) == 2
    assert broken_of(played, range(players), teams=teams) == []


def test_an_unfinished_team_of_four_leaves_its_north_out():
    teams = [tuple(range(p, p + 4)) for p in range(0, 48, 4)]
    chart = placing.draw_chart(range(47), seed=5, rounds=5, teams=teams)

    assert [place.seat for place in chart.empty] == [N]


def test_prohibited_pairs_of_different_teams_are_kept_apart_by_exchanging_teams():
    teams = [(p, p + 1) for p in range(0, 64, 2)]
    pairs = [(0, 2), (1, 3), (4, 6)]
    chart = placing.draw_chart(range(64), seed=5, rounds=5, teams=teams, prohibited=pairs)

    assert broken_of(a_tournament(chart, 5), range(64), teams=teams, prohibited=pairs) == []


def test_somebody_in_two_teams_is_refused():
    with pytest.raises(SeatingError) as refusal:
        placing.draw_chart(range(20), seed=1, rounds=5, teams=[(1, 2), (2, 3)])

    assert refusal.value.code == "wrong_teams"


def test_a_chart_survives_the_journey_through_json():
    chart = placing.draw_chart(range(66), seed=1, rounds=6, fixed={5: 3})

    assert placing.chart_from_json(json.loads(json.dumps(chart.to_json()))) == chart


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"tables": 5, "first": 1, "fixed": [], "starts": [[1, "X", 2]]},
        {"tables": "many", "first": 1, "fixed": [], "starts": []},
        {"tables": 5, "first": 1, "fixed": [], "starts": [[9, "N", 2]]},
        {"tables": 4, "first": 1, "fixed": [], "starts": []},
    ],
)
def test_what_is_no_chart_is_refused(data):
    with pytest.raises(SeatingError):
        placing.chart_from_json(data)


# Leavers and latecomers


def test_who_leaves_makes_a_table_of_three_that_walks_round_the_room():
    chart = full_chart(17)
    south = next(p for p, place in chart.starts.items() if place == Place(3, S))

    chart = chart.without(south)

    threes = [
        next(t.number for t in placing.place_position(chart, r).tables if len(t.players) == 3)
        for r in range(1, 6)
    ]
    assert threes == [3, 4, 5, 6, 7]


def test_two_empty_places_at_one_table_are_not_playable_and_proposals_say_what_they_cost():
    chart = full_chart(17)
    gone = [p for p, place in chart.starts.items() if place in {Place(3, S), Place(3, N)}]
    chart = chart.without(*gone)

    placed = placing.place_position(chart, 1)
    proposals = placing.mendings(chart, 1, rounds=6)

    assert [table.number for table in placed.unplayable] == [3]
    assert not placed.is_playable
    assert [one.cost for one in proposals] == sorted(one.cost for one in proposals)
    for one in proposals:
        mended = placing.place_position(one.chart, 1)
        assert mended.is_playable
        assert (
            verify_placing(one.chart.starts, [], mended, placement="fft_movement", moved=()).broken
            == ()
        )
        assert {move.leaves.seat for move in one.moves} == {move.takes.seat for move in one.moves}


def test_a_table_of_one_is_mended_too():
    chart = full_chart(9)
    chart = chart.without(*[p for p, place in chart.starts.items() if place.table == 3 and p % 4])

    proposals = placing.mendings(chart, 1, rounds=5)

    assert proposals
    assert all(placing.place_position(one.chart, 1).is_playable for one in proposals)


def test_nothing_is_proposed_where_nothing_is_wrong():
    assert placing.mendings(full_chart(9), 1, rounds=5) == ()


def test_where_nothing_can_be_done_nothing_is_proposed():
    chart = full_chart(5)
    chart = chart.without(*[p for p, place in chart.starts.items() if place.seat is not E])

    assert placing.mendings(chart, 1, rounds=5) == ()
    assert not placing.place_position(chart, 1).is_playable


def test_a_player_added_after_the_first_round_sits_at_the_open_table_of_three():
    chart = placing.draw_chart(range(67), seed=1, rounds=6)

    chart, reason = placing.seat_latecomer(chart, 99, 2, rounds=6)

    placed = placing.place_position(chart, 2)
    assert reason.code == "latecomer_seated"
    assert {len(table.players) for table in placed.tables} == {4}
    table = next(t for t in placed.tables if 99 in t.players)
    assert reason.gaps["table"] == table.number


def test_a_latecomer_takes_the_place_where_he_meets_nobody_he_may_not_meet():
    chart = placing.draw_chart(range(66), seed=1, rounds=6)
    first, second = placing.open_places(chart, 2, latecomer=99, rounds=6)
    enemy = next(p for p in first.at_table if p not in second.at_table)

    best = placing.open_places(chart, 2, latecomer=99, rounds=6, prohibited=[(enemy, 99)])[0]

    assert (first.prohibited, best.prohibited) == (0, 0)
    assert best.start != first.start or enemy in second.at_table


def test_a_latecomer_has_to_wait_when_no_place_is_empty():
    with pytest.raises(SeatingError) as refusal:
        placing.seat_latecomer(full_chart(5), 99, 2)

    assert refusal.value.code == "no_open_place"


def test_a_substitute_takes_over_the_way_of_whom_he_replaces():
    chart = full_chart(7)

    assert chart.replaced(5, by=50).starts[50] == chart.starts[5]
    assert 5 not in chart.replaced(5, by=50).starts


def test_beyond_what_it_lasts_the_round_says_that_players_meet_again():
    codes = [reason.code for reason in placing.place_position(full_chart(5), 6).reasons]

    assert "movement_exceeded" in codes


def test_lasting_without_a_second_table_of_three_is_shorter_than_without_a_second_meeting():
    assert placing.positions_it_lasts(17, 2, threes_once=True) == 5
    assert placing.positions_it_lasts(17, 1, threes_once=True) == 7
    assert placing.positions_it_lasts(5, 2, threes_once=True) < 3


def test_pairs_prohibited_after_the_start_are_named_before_and_when_they_meet():
    chart = full_chart(7)
    one, other = placing.place_position(chart, 3).tables[0].players[:2]

    told = placing.chart_reasons(chart, 5, prohibited=[(one, other)])
    when = [
        "prohibited_together" in [r.code for r in placed.reasons]
        for placed in a_tournament(chart, 5, prohibited=[(one, other)])
    ]

    assert "prohibited_together" in [reason.code for reason in told]
    assert when == [False, False, True, False, False]


def test_a_repaired_position_is_said_to_be_repaired():
    told = [reason.in_english() for reason in placing.chart_reasons(full_chart(24), 7)]
    placed = placing.place_position(full_chart(24), 7)

    assert (
        "With 24 tables the movement of the manual would let players meet again at position 7; it "
        "is repaired there."
    ) in told
    assert placed.reasons[0].code == "movement_repaired"


def test_what_the_chart_promises_is_said_before_the_start():
    teams = [(p, p + 1) for p in range(0, 66, 2)]
    pairs = [(0, 2)]
    chart = placing.draw_chart(
        range(66), seed=1, rounds=5, teams=teams, prohibited=pairs, fixed={10: None}
    )

    codes = [reason.code for reason in placing.chart_reasons(chart, 5, prohibited=pairs)]

    assert codes[:3] == ["movement_lasts", "first_position_left_out", "empty_places"]
    assert codes[-2:] == ["prohibited_apart_all_positions", "keeps_table"]
    assert chart.starts[10].seat is N


def test_nobody_is_at_a_table_of_three_twice_is_said_when_it_is_so():
    codes = [
        r.code for r in placing.chart_reasons(placing.draw_chart(range(67), seed=1, rounds=5), 5)
    ]

    assert "threes_once" in codes


def test_a_team_keeps_the_place_that_one_of_it_chose():
    teams = [(p, p + 1) for p in range(0, 64, 2)]

    chart = placing.draw_chart(range(64), seed=1, rounds=5, teams=teams, chosen={9: Place(4, E)})

    assert (chart.starts[9], chart.starts[8]) == (Place(4, E), Place(4, W))


def test_two_of_one_pair_cannot_sit_at_right_angles():
    teams = [(p, p + 1) for p in range(0, 64, 2)]

    with pytest.raises(SeatingError) as refusal:
        placing.draw_chart(
            range(64), seed=1, rounds=5, teams=teams, chosen={8: Place(4, N), 9: Place(4, E)}
        )

    assert refusal.value.code == "places_taken"


def test_a_player_named_twice_is_refused():
    with pytest.raises(SeatingError) as refusal:
        placing.draw_chart([*range(20), 7], seed=1, rounds=5)

    assert refusal.value.code == "player_twice"


def test_every_move_of_a_proposal_is_said_in_words():
    chart = full_chart(17).without(0, 1)

    proposal = placing.mendings(chart, 1, rounds=6)[0]

    assert proposal.reason.in_english().startswith("1 player changes to an empty place: ")


def test_norths_of_fixed_tables_leave_the_others_to_be_left_out():
    assert placing.removed_norths(5, 1, 5, keep=(1, 2, 4, 5)) == (3,)


def test_a_place_of_the_room_comes_back_to_where_it_started():
    assert place_at(Place(7, Seat.SOUTH), 2, 7) == Place(1, Seat.SOUTH)
