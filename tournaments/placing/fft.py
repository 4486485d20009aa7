"""The federation's movement for 5 tables and more, as arithmetic on table numbers.

Each seat moves by its own number of tables from one position to the next, counted round the
room: N stays, S +1, E +2, W -2, with changes at some numbers of tables (OT p.13-14). The
movement is the same seen from every table, so whether two players meet depends only on their
seats and on how many tables apart they start. What it can last is always computed, because the
manual promises seven positions where there are six (10 and 24 tables); two repairs make them
seven. Positions and tables count from 1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from itertools import combinations

from tournaments.placing.values import FOUR_SEATS, Place, Seat
from tournaments.seating.errors import SeatingError, gettext_noop

N, E, S, W = FOUR_SEATS

FEWEST_TABLES = 5
#: The manual's movement has no more positions (OT p.13).
MOST_POSITIONS = 7

type Steps = Mapping[Seat, int]

BASE: Steps = {N: 0, S: 1, E: 2, W: -2}
BASE_CHANGES: Mapping[int, Steps] = {6: {W: -1}, 8: {W: -1}, 10: {W: -1}}
#: By tables, then by the position that is gone to: steps instead of the base.
SPECIAL_MOVES: Mapping[int, Mapping[int, Steps]] = {
    6: {3: {E: 3}, 4: {W: -2}},
    8: {5: {S: 2, E: 3}, 6: {E: 4}},
    9: {4: {E: 3, W: -3}, 5: {E: 3, W: -3}},
    10: {6: {E: 3, W: -2}},
    12: {4: {W: -3}, 7: {E: 3}},
    14: {5: {W: -3}},
    15: {5: {W: -3}},
    16: {5: {W: -3}, 6: {W: -3}},
    18: {6: {W: -3}},
    20: {6: {W: -3}},
}
#: Not in the manual: without these, players meet again at position 7.
REPAIRS: Mapping[int, Mapping[int, Steps]] = {
    10: {7: {S: 1, E: 4, W: -3}},
    24: {7: {E: 3}},
}


def step(tables: int, position: int, seat: Seat, *, repaired: bool = True) -> int:
    """By how many tables a seat moves when going to a position; without the repairs on request."""
    changes = [BASE, BASE_CHANGES.get(tables, {}), SPECIAL_MOVES.get(tables, {}).get(position, {})]
    if repaired:
        changes.append(REPAIRS.get(tables, {}).get(position, {}))
    return next(change[seat] for change in reversed(changes) if seat in change)


@cache
def offset(tables: int, position: int, seat: Seat, *, repaired: bool = True) -> int:
    """How many tables beyond its first one a seat is at a position, 0 to ``tables`` - 1."""
    moved = sum(step(tables, to, seat, repaired=repaired) for to in range(2, position + 1))
    return moved % tables


def place_at(start: Place, position: int, tables: int, *, repaired: bool = True) -> Place:
    """Where a player who starts at a place sits at a position; the seat is kept."""
    moved = start.table - 1 + offset(tables, position, start.seat, repaired=repaired)
    return Place(moved % tables + 1, start.seat)


def start_of(place: Place, position: int, tables: int) -> Place:
    """Where somebody must start in order to be at a place at a position."""
    moved = place.table - 1 - offset(tables, position, place.seat)
    return Place(moved % tables + 1, place.seat)


def positions_it_lasts(
    tables: int,
    threes: int = 0,
    *,
    threes_once: bool = False,
    first: int = 1,
    most: int = MOST_POSITIONS,
    repaired: bool = True,
) -> int:
    """How many positions can be played before somebody meets somebody for the second time.

    ``threes`` tables play without a North. With ``threes_once`` it ends also before somebody
    plays at a table of 3 again, the Norths being taken away where this lasts longest. Teams
    leave out position 1 (``first`` is 2): then it lasts so many positions from the second on,
    and those who start at one table do not meet at all.
    Refuses fewer than 5 tables.
    """
    _refuse_few_tables(tables)
    lasts = _without_meeting_again(tables, most, first, repaired=repaired)
    if not threes_once:
        return lasts
    while lasts > 1 and _threes_twice_at_best(tables, threes, first, lasts):
        lasts -= 1
    return lasts


def _refuse_few_tables(tables: int) -> None:
    if tables < FEWEST_TABLES:
        raise SeatingError(
            gettext_noop(
                "The federation’s movement needs at least 5 tables, that is 17 players: "
                "%(tables)s is too few."
            ),
            code="movement_needs_five_tables",
            tables=tables,
        )


def _without_meeting_again(tables: int, most: int, first: int, *, repaired: bool) -> int:
    apart: set[tuple[Seat, Seat, int]] = set()
    for position in range(1, most + 1):
        at = {seat: offset(tables, position, seat, repaired=repaired) for seat in FOUR_SEATS}
        # Two seats that are as far apart as before bring the same two players together again.
        now = {(a, b, (at[a] - at[b]) % tables) for a, b in combinations(FOUR_SEATS, 2)}
        if not apart.isdisjoint(now):
            return position - first
        apart |= now
    return most - first + 1


def meets_at(one: Place, other: Place, tables: int, positions: Iterable[int]) -> int | None:
    """The first of these positions at which two starting places share a table, or None."""
    for position in positions:
        if place_at(one, position, tables).table == place_at(other, position, tables).table:
            return position
    return None


# Tables of 3


def threes_again(tables: int, empty: Collection[Place], positions: Collection[int]) -> int:
    """How often somebody would play at a table of 3 who has already done so.

    ``empty`` are the starting places without a player; every table that lacks exactly one
    counts, whoever is missing.
    """
    times: Counter[Place] = Counter()
    for position in positions:
        lacking = Counter(place_at(place, position, tables).table for place in empty)
        threes = {table for table, missing in lacking.items() if missing == 1}
        for table in threes:
            for seat in FOUR_SEATS:
                start = start_of(Place(table, seat), position, tables)
                times[start] += start not in empty
    return sum(count - 1 for count in times.values() if count > 1)


def removed_norths(
    tables: int, threes: int, positions: int, *, first: int = 1, keep: Collection[int] = ()
) -> tuple[int, ...]:
    """The tables that play without a North, chosen so that nobody meets a table of 3 twice.

    Where this cannot be, as few as possible do. The highest table is among them (OT p.6)
    unless a North at a table to ``keep`` may not be taken away. Refuses when none is left.
    """
    if threes + len(set(keep)) > tables:
        raise SeatingError(
            gettext_noop(
                "Too many players have a fixed table: no North can be left out for a table of 3."
            ),
            code="too_many_fixed",
        )
    again = _again_by_distance(tables, first, positions)
    for gaps in _by_cost(tables, threes, again):
        for turn in range(tables):
            norths = {(tables - 1 - turn - gap) % tables + 1 for gap in gaps}
            if norths.isdisjoint(keep):
                return tuple(sorted(norths))
    raise AssertionError("a set of Norths to keep left some and none was found")


def _threes_twice_at_best(tables: int, threes: int, first: int, lasts: int) -> bool:
    again = _again_by_distance(tables, first, lasts)
    return any(_cost(next(_by_cost(tables, threes, again)), again))


def _again_by_distance(tables: int, first: int, positions: int) -> list[int]:
    """For two tables of 3 so many tables apart, how many players visit both."""
    again = [0] * tables
    for seat in (E, S, W):
        visited = [offset(tables, p, seat) for p in range(first, first + positions)]
        for earlier, later in combinations(visited, 2):
            again[(later - earlier) % tables] += 1
            again[(earlier - later) % tables] += 1
    return again


def _cost(gaps: tuple[int, ...], again: list[int]) -> tuple[int, ...]:
    return tuple(again[(b - a) % len(again)] for a, b in combinations(gaps, 2))


def _by_cost(tables: int, threes: int, again: list[int]) -> Iterator[tuple[int, ...]]:
    """The ways to space the tables of 3, counted down from the highest; the best first."""
    if not threes:
        yield ()
        return
    by_cost: dict[int, list[tuple[int, ...]]] = {}
    for others in combinations(range(1, tables), threes - 1):
        gaps = (0, *others)
        by_cost.setdefault(sum(_cost(gaps, again)), []).append(gaps)
    for cost in sorted(by_cost):
        # The widest spacing of equals: whoever sits at a table of 3 looks less hard done by.
        yield from sorted(by_cost[cost], key=lambda gaps: (-_narrowest(gaps, tables), gaps))


def _narrowest(gaps: tuple[int, ...], tables: int) -> int:
    distances = [(b - a) % tables for a, b in combinations(gaps, 2)]
    return min((min(d, tables - d) for d in distances), default=0)
