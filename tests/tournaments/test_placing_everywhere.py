"""The verifier over every size, and over tournaments in which people come late and leave.

RANDOM_TOURNAMENTS says how many of these are played: 64 unless told otherwise.
"""

from __future__ import annotations

import os
import random
from functools import partial
from itertools import pairwise

import pytest

from tests.tournaments.verdicts import broken_in
from tournaments import placing
from tournaments.placing import Place, Placement, Seat
from tournaments.placing.verifier import verify_placing
from tournaments.seating import Leftovers, SeatingError, draw_round

RANDOM_TOURNAMENTS = int(os.environ.get("RANDOM_TOURNAMENTS", "64"))
PARTS = 8


def said(placed):
    return [reason.as_data() for reason in placed.reasons]


broken_of = partial(broken_in, placement="fft_movement")


def as_long_as_it_lasts(chart, most=6, **wishes):
    played = []
    for number in range(1, min(chart.lasts, most) + 1):
        history = [one.as_past() for one in played]
        played.append(placing.place_position(chart, number, history, **wishes))
    return played


@pytest.mark.parametrize("tables", range(5, 201))
def test_the_movement_is_sound_at_every_number_of_tables(tables):
    left_out = tables % 4
    players = range(4 * tables - left_out)
    chart = placing.draw_chart(
        players, seed=tables, rounds=6, prohibited=[(0, 1), (2, 3)], fixed={4: None}
    )

    played = as_long_as_it_lasts(chart, prohibited=[(0, 1), (2, 3)])

    assert broken_of(played, players, prohibited=[(0, 1), (2, 3)], fixed=chart.fixed) == []


@pytest.mark.parametrize("tables", [3, 4])
def test_the_grids_are_sound_at_three_and_four_tables(tables):
    players = range(4 * tables)
    numbers = placing.draw_numbers(players, seed=tables, rounds=5)

    played = [placing.place_howell(numbers, number) for number in range(1, 6)]

    for number, one in enumerate(played):
        assert verify_placing(players, played[:number], one, placement="howell").is_sound


@pytest.mark.parametrize("players", range(5, 61))
def test_drawn_rounds_are_sound_for_every_number_of_players(players):
    first = draw_round(range(players), seed=players)
    second = draw_round(range(players), [first.as_past()], seed=players)
    drawn = [placing.placing_of_draw(draw) for draw in (first, second)]

    for number, one in enumerate(drawn):
        verdict = verify_placing(
            range(players), drawn[:number], one, placement="drawn", reasons=said(one)
        )
        assert verdict.broken == ()


@pytest.mark.parametrize("players", range(5, 61))
def test_rounds_by_the_ranking_are_sound_for_every_number_of_players(players):
    pairs = [(0, 1), (2, 3)] if players > 7 else []
    ranked = [placing.Ranked(player=p, points=-p // 3, number=p) for p in range(players)]
    played = []
    for _ in range(3):
        history = [one.as_past() for one in played]
        played.append(placing.place_best_with_best(ranked, history, prohibited=pairs))

    for number, one in enumerate(played):
        verdict = verify_placing(
            range(players), played[:number], one, placement="best_with_best",
            prohibited=pairs, reasons=said(one), ranking=range(players),
        )  # fmt: skip
        assert verdict.broken == ()


@pytest.mark.parametrize("players", range(17, 61))
def test_the_movement_is_sound_for_every_number_of_players(players):
    chart = placing.draw_chart(range(players), seed=players, rounds=5)

    played = as_long_as_it_lasts(chart)

    assert broken_of(played, range(players)) == []


@pytest.mark.parametrize("players", range(5, 17))
def test_fewer_than_17_players_have_no_movement_and_are_told_so(players):
    with pytest.raises(SeatingError) as refusal:
        placing.draw_chart(range(players), seed=1, rounds=3)

    assert refusal.value.code == "movement_needs_five_tables"


# People come late and leave


class Tournament:
    """A tournament by lot: the movement while it can go on, then draws or the ranking."""

    def __init__(self, number):
        self.chance = random.Random(number)
        self.rounds = self.chance.randint(3, 6)
        players = self.chance.randint(17, 44)
        self.here = set(range(players))
        self.next_player = players
        self.pairs = [
            tuple(self.chance.sample(sorted(self.here), 2))
            for _ in range(self.chance.randint(0, 2))
        ]
        self.chart = placing.draw_chart(
            self.here, seed=number, rounds=self.rounds, prohibited=self.pairs
        )
        self.played = []
        self.moved = set()
        self.waiting = set()
        # From which round on the director has had enough of the movement.
        self.closes_movement = self.chance.choice([None, None, 1, 2, 3, 4])
        self.points = dict.fromkeys(self.here, 0)

    def between_rounds(self, number):
        for player in self.chance.sample(sorted(self.here), self.chance.choice([0, 0, 1, 1, 2, 3])):
            self.here.remove(player)
            self.waiting.discard(player)
            if self.chart is not None:
                self.chart = self.chart.without(player)
        for _ in range(self.chance.choice([0, 0, 1, 2])):
            self.comes(self.next_player, number)
            self.next_player += 1

    def comes(self, player, number):
        self.points[player] = 0
        self.here.add(player)
        if self.chart is None:
            return
        if self.chart.empty:
            self.chart, _ = placing.seat_latecomer(
                self.chart, player, number, rounds=self.rounds, prohibited=self.pairs
            )
            return
        with pytest.raises(SeatingError, match="taken"):
            placing.seat_latecomer(self.chart, player, number)
        self.waiting.add(player)

    def seat_the_waiting(self, number):
        for player in sorted(self.waiting):
            if self.chart.empty:
                self.waiting.discard(player)
                self.comes(player, number)

    def next_round(self, number):
        """The placing of a round and how it was made; mended where it has to be."""
        history = [one.as_past() for one in self.played]
        if number == self.closes_movement:
            self.chart = None
        if self.chart is not None:
            self.seat_the_waiting(number)
            placed = placing.place_position(self.chart, number, history, prohibited=self.pairs)
            if not placed.is_playable:
                placed = self.mended(number, history)
            if placed is not None:
                return placed
        self.chart, self.waiting = None, set()
        if self.chance.random() < 0.5:
            draw = draw_round(
                self.here, history, seed=number, prohibited=self.pairs, policy=Leftovers.THREES
            )
            return placing.placing_of_draw(draw)
        ranking = [
            placing.Ranked(player=p, points=self.points[p], number=p) for p in sorted(self.here)
        ]
        return placing.place_best_with_best(ranking, history, prohibited=self.pairs)

    def mended(self, number, history):
        ways = placing.mendings(
            self.chart, number, rounds=self.rounds, history=history, prohibited=self.pairs
        )
        if not ways:
            return None
        best = ways[0]
        self.chart = best.chart
        self.moved |= {move.player for move in best.moves}
        return placing.place_position(self.chart, number, history, prohibited=self.pairs)

    def faults(self, placed):
        by_movement = placed.placement is Placement.FFT_MOVEMENT
        verdict = verify_placing(
            self.here - self.waiting,
            self.played,
            placed,
            placement=placed.placement.value,
            # A latecomer's pair may meet where no other place was empty, and it is said.
            prohibited=self.pairs,
            moved=self.moved,
            reasons=said(placed),
            ranking=sorted(self.here, key=lambda p: (-self.points[p], p)),
        )
        broken = list(verdict.broken)
        if by_movement and self.moved:
            announced = {r["code"] for r in said(placed)}
            broken = [
                b
                for b in broken
                if b.code != "prohibited_pair_together" or "prohibited_together" not in announced
            ]
        return broken

    def play(self, placed):
        for table in placed.tables:
            points = [self.chance.randint(-200, 200) for _ in table.players[1:]]
            for player, won in zip(table.players, [-sum(points), *points], strict=True):
                self.points[player] += won
        self.played.append(placed)


def play_tournament(number):
    tournament = Tournament(number)
    for round_number in range(1, min(tournament.rounds, tournament.chart.lasts) + 1):
        if round_number > 1:
            tournament.between_rounds(round_number)
        placed = tournament.next_round(round_number)
        assert tournament.faults(placed) == [], (number, round_number)
        tournament.play(placed)
    assert sum(tournament.points.values()) == 0


@pytest.mark.parametrize("part", range(PARTS))
def test_tournaments_with_latecomers_and_leavers_keep_every_promise(part):
    for number in range(part, RANDOM_TOURNAMENTS, PARTS):
        play_tournament(number)


@pytest.mark.parametrize("left", [0, 1, 2])
def test_when_everybody_leaves_nothing_can_be_played_and_it_shows(left):
    chart = placing.draw_chart(range(20), seed=1, rounds=5)

    chart = chart.without(*range(left, 20))

    assert not placing.place_position(chart, 2).is_playable
    assert placing.mendings(chart, 2, rounds=5) == ()


def test_when_three_are_left_they_can_be_brought_to_one_table():
    chart = placing.draw_chart(range(20), seed=1, rounds=5).without(*range(3, 20))

    ways = placing.mendings(chart, 2, rounds=5)

    assert ways
    assert len(placing.place_position(ways[0].chart, 2).tables) == 1


def test_one_more_after_the_draw_takes_the_empty_place_and_five_more_do_not_fit():
    chart = placing.draw_chart(range(67), seed=1, rounds=5)

    chart, _ = placing.seat_latecomer(chart, 67, 1)

    assert chart.empty == ()
    with pytest.raises(SeatingError):
        placing.seat_latecomer(chart, 68, 1)


def test_a_player_who_left_and_comes_back_finds_his_place_if_it_is_empty():
    chart = placing.draw_chart(range(68), seed=1, rounds=5)
    away = chart.without(7)

    assert away.empty == (chart.starts[7],)
    assert away.having(7, away.empty[0]) == chart


def test_the_seats_of_a_table_of_three_keep_their_names():
    chart = placing.draw_chart(range(67), seed=1, rounds=5)

    placed = placing.place_position(chart, 1)

    (three,) = [table for table in placed.tables if len(table.players) == 3]
    assert three.seats == (Seat.EAST, Seat.SOUTH, Seat.WEST)
    assert three.number == 17
    assert chart.starts[three.by_seat[Seat.EAST]] == Place(17, Seat.EAST)
    assert all(one.number < other.number for one, other in pairwise(placed.tables))
