from __future__ import annotations

from dataclasses import replace

import pytest

from tournaments import placing
from tournaments.placing import Place, Seat
from tournaments.placing.values import lay_tables
from tournaments.placing.verifier import verify_placing


def placed(*tables, first=1, sit_out=()):
    """Tables from texts: players by seat N E S W, a dot for an empty seat."""
    seats = [
        (Place(number, seat), int(player))
        for number, table in enumerate(tables, start=first)
        for seat, player in zip(placing.FOUR_SEATS, table.split(), strict=True)
        if player != "."
    ]
    return placing.Placing(
        placement=placing.Placement.FFT_MOVEMENT, tables=lay_tables(seats), sit_out=sit_out
    )


FIRST = placed("1 2 3 4", "5 6 7 8", "9 10 11 12", "13 14 15 16", "17 18 19 20")
SECOND = placed("1 14 19 8", "5 18 3 12", "9 2 7 16", "13 6 11 20", "17 10 15 4")
TWENTY = range(1, 21)


def codes(verdict):
    return [broken.code for broken in verdict.broken]


def movement(now, roster=TWENTY, earlier=(FIRST,), **wishes):
    return verify_placing(roster, earlier, now, placement="fft_movement", **wishes)


def test_a_sound_position_breaks_no_promise():
    assert movement(FIRST, earlier=[]).is_sound
    assert movement(SECOND).is_sound


@pytest.mark.parametrize(
    ("tables", "code", "players"),
    [
        (("1 14 19 8", "5 18 3 12", "9 2 7 16", "13 6 11 20", "17 10 15 1"), "player_twice", (1,)),
        (("1 14 19 8", "5 18 3 12", "9 2 7 16", "13 6 11 20", "17 10 15 1"), "player_missing",
         (4,)),
        (("1 14 19 8", "5 18 3 12", "9 2 7 16", "13 6 11 20", "17 10 15 99"), "player_not_here",
         (99,)),
        (("14 1 19 8", "5 18 3 12", "9 2 7 16", "13 6 11 20", "17 10 15 4"), "orientation_changed",
         (1, 14)),
        (("5 14 19 8", "1 18 3 12", "9 2 7 16", "13 6 11 20", "17 10 15 4"), "north_moved", (1, 5)),
        (("1 14 19 8", "5 18 3 12", "9 2 11 16", "13 6 7 20", "17 10 15 4"), "meets_again", (6, 7)),
    ],
)  # fmt: skip
def test_each_broken_promise_of_the_movement_is_named_with_its_players(tables, code, players):
    verdict = movement(placed(*tables))

    assert (code, players) in [(broken.code, broken.players) for broken in verdict.broken]


def test_prohibited_pairs_and_team_mates_at_a_table_are_named():
    verdict = movement(SECOND, prohibited=[(14, 1)], teams=[(5, 18)])

    assert codes(verdict) == ["prohibited_pair_together", "team_mates_together"]


def test_who_is_not_at_his_fixed_table_is_named():
    assert codes(movement(SECOND, fixed={5: 3})) == ["not_at_fixed_table"]


def test_a_table_of_two_has_the_wrong_size():
    now = placed("1 14 19 8", "5 18 3 12", "9 2 7 16", "13 6 11 20", "17 . 15 .")

    assert codes(movement(now, roster=set(TWENTY) - {10, 4})) == ["wrong_table_sizes"]


def test_two_tables_of_one_number_are_named():
    tables = (*FIRST.tables[:4], replace(FIRST.tables[4], number=1))

    assert "table_number_twice" in codes(movement(replace(FIRST, tables=tables), earlier=[]))


def test_two_in_one_seat_are_named():
    table = replace(FIRST.tables[0], seats=(Seat.NORTH, Seat.NORTH, Seat.SOUTH, Seat.WEST))

    verdict = movement(replace(FIRST, tables=(table, *FIRST.tables[1:])), earlier=[])

    assert codes(verdict) == ["seat_twice"]


def test_who_was_moved_to_mend_a_table_is_excused():
    swapped = placed("1 14 19 8", "5 18 3 12", "9 2 11 16", "13 6 7 20", "17 10 15 4")

    assert movement(swapped, moved={7, 11}).is_sound


@pytest.mark.parametrize(
    ("reasons", "sound"),
    [
        ([{"code": "no_remeeting", "gaps": {}}], False),
        ([{"code": "remeeting", "gaps": {"pairs": [[6, 7], [9, 11]]}}], True),
        ([{"code": "remeeting", "gaps": {"pairs": [[6, 7]]}}], False),
        ([], True),
    ],
)
def test_a_round_that_says_of_itself_what_is_not_so_is_found_out(reasons, sound):
    swapped = placed("1 14 19 8", "5 18 3 12", "9 2 11 16", "13 6 7 20", "17 10 15 4")

    verdict = movement(swapped, moved={7, 11}, reasons=reasons)

    assert verdict.is_sound is sound


def test_a_prohibited_meeting_that_is_not_said_is_found_out():
    said = [{"code": "no_remeeting", "gaps": {}}]

    assert "says_wrong_prohibited" in codes(movement(SECOND, prohibited=[(1, 14)], reasons=said))


def test_the_figures_count_second_meetings_and_tables_of_three_again():
    first = placed("1 2 3 4", ". 5 6 7")

    figures = movement(first, roster=range(1, 8), earlier=[first]).figures

    assert figures.second_meetings == 9
    assert figures.threes_again == 3


def test_a_final_seeded_otherwise_is_found_out():
    ranking = range(1, 9)
    right = placed("1 5 3 7", "2 6 4 8")
    wrong = placed("1 5 4 7", "2 6 3 8")

    final = {"placement": "final", "ranking": ranking}
    assert verify_placing(ranking, [], right, **final).is_sound
    verdict = verify_placing(ranking, [], wrong, **final)
    assert [broken.players for broken in verdict.broken] == [(3,), (4,)]


def test_best_with_best_out_of_the_ranking_is_found_out():
    best = {"placement": "best_with_best", "ranking": range(1, 9)}

    verdict = verify_placing(range(1, 9), [], placed("1 2 3 5", "4 6 7 8"), **best)

    assert [(broken.code, broken.players) for broken in verdict.broken] == [
        ("not_by_ranking", (4, 5))
    ]
    assert verdict.figures.out_of_ranking == 2


def test_sixteen_who_meet_again_in_the_grid_are_found_out():
    first = placed("1 2 3 4", "5 6 7 8", "9 10 11 12", "13 14 15 16")

    verdict = verify_placing(range(1, 17), [first], first, placement="howell")

    assert len(verdict.broken) == 24
    assert set(codes(verdict)) == {"meets_again"}
