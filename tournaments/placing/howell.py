"""The two Howell grids for 3 and 4 tables (OT p.12-13): players keep a number, not a seat."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations

from tournaments.placing.fixed import keep_tables
from tournaments.placing.says import what_it_reached
from tournaments.placing.values import (
    FOUR_SEATS,
    SMALLEST_TABLE,
    Place,
    Placement,
    Placing,
    lay_tables,
)
from tournaments.seating import PastRound, Reason, SeatingError
from tournaments.seating.dice import Dice
from tournaments.seating.errors import gettext_noop

type Pair = tuple[int, int]

#: By players: a line per position, tables from the first, N S E W as the manual prints them.
PRINTED: Mapping[int, tuple[str, ...]] = {
    12: (
        "1 2 3 4 | 5 6 7 8 | 9 10 11 12",
        "1 2 7 12 | 5 6 11 3 | 9 10 4 8",
        "1 8 7 10 | 5 2 11 12 | 9 3 4 6",
        "1 8 6 11 | 5 2 4 10 | 9 3 12 7",
        "1 9 5 3 | 7 11 4 10 | 2 6 12 8",
        "1 9 7 2 | 5 11 4 12 | 10 6 3 8",
    ),
    16: (
        "1 2 3 4 | 5 6 7 8 | 9 10 11 12 | 13 14 15 16",
        "1 8 10 15 | 16 9 7 2 | 6 3 13 12 | 11 14 4 5",
        "1 7 12 14 | 15 9 6 4 | 8 2 13 11 | 10 16 3 5",
        "1 6 11 16 | 14 9 8 3 | 7 4 13 10 | 12 15 2 5",
        "1 5 9 13 | 2 6 10 14 | 3 7 11 15 | 4 8 12 16",
    ),
}
N, E, S, W = FOUR_SEATS
PRINTED_SEATS = (N, S, E, W)

type Grid = tuple[Mapping[Place, int], ...]


@cache
def grid(players: int) -> Grid:
    """Which number has which place, by position from the first; refuses all but 12 and 16."""
    if players not in PRINTED:
        raise SeatingError(
            gettext_noop("The Howell grids are for 12 or 16 players; there are %(players)s."),
            code="howell_players",
            players=players,
        )
    return tuple(_read(line) for line in PRINTED[players])


def _read(line: str) -> dict[Place, int]:
    tables = enumerate(line.split("|"), start=1)
    return {
        Place(number, seat): int(one)
        for number, table in tables
        for seat, one in zip(PRINTED_SEATS, table.split(), strict=True)
    }


def positions_of(players: int) -> int:
    """How many positions the grid for so many players has: 6 for 12, 5 for 16."""
    return len(grid(players))


def draw_numbers(
    players: Iterable[int],
    *,
    seed: int,
    rounds: int,
    prohibited: Iterable[Pair] = (),
) -> tuple[int, ...]:
    """Draw who has which number, the first having 1.

    In the grid of 12 a few numbers never meet in few rounds: those get who may not meet.
    Refuses other numbers of players, and pairs that the grid cannot keep apart.
    """
    here = sorted(set(players))
    meetings = meetings_in(len(here), rounds)
    order = Dice(seed).shuffled(here)
    pairs = {(min(p), max(p)) for p in prohibited if set(p) <= set(here)}
    enemies: dict[int, set[int]] = {player: set() for player in order}
    for one, other in pairs:
        enemies[one].add(other)
        enemies[other].add(one)
    numbers = range(1, len(order) + 1)
    first = sorted(order, key=lambda player: -len(enemies[player]))
    for given in _numberings(first, list(numbers), enemies, meetings, {}):
        by_number = {number: player for player, number in given.items()}
        return tuple(by_number[number] for number in numbers)
    raise SeatingError(
        gettext_noop("No seating keeps all prohibited pairs apart."),
        code="prohibited_pairs",
        field="prohibited",
        pairs=tuple(sorted(pairs)),
    )


def _numberings(
    queue: list[int],
    free: list[int],
    enemies: Mapping[int, set[int]],
    meetings: Counter[Pair],
    given: dict[int, int],
) -> Iterator[dict[int, int]]:
    if not queue:
        yield dict(given)
        return
    player, rest = queue[0], queue[1:]
    for number in free:
        taken = [given[enemy] for enemy in enemies[player] if enemy in given]
        if any(meetings[min(number, t), max(number, t)] for t in taken):
            continue
        others = [n for n in free if n != number]
        yield from _numberings(rest, others, enemies, meetings, {**given, player: number})


def meetings_in(players: int, rounds: int) -> Counter[Pair]:
    """How often every two numbers meet in so many rounds of the grid; lower number first."""
    times: Counter[Pair] = Counter()
    for seated in grid(players)[:rounds]:
        for table in {place.table for place in seated}:
            at = sorted(number for place, number in seated.items() if place.table == table)
            times.update(combinations(at, 2))
    return times


def place_howell(
    numbers: Sequence[int | None],
    round_number: int,
    history: Sequence[PastRound] = (),
    *,
    prohibited: Iterable[Pair] = (),
    fixed: Mapping[int, int] | None = None,
) -> Placing:
    """Seat a round, from 1: ``numbers`` has the player of number 1, 2, ..., None who has left.

    Refuses a round that the grid does not have.
    """
    lines = grid(len(numbers))
    if not 1 <= round_number <= len(lines):
        raise SeatingError(
            gettext_noop("The Howell grid for %(players)s players has %(positions)s positions."),
            code="howell_positions",
            players=len(numbers),
            positions=len(lines),
        )
    seated = [(place, numbers[number - 1]) for place, number in lines[round_number - 1].items()]
    laid = lay_tables((place, player) for place, player in seated if player is not None)
    kept, fixed_reasons = keep_tables(laid, fixed or {})
    tables = tuple(table for table in kept if len(table.players) >= SMALLEST_TABLE)
    return Placing(
        placement=Placement.HOWELL,
        tables=tables,
        unplayable=tuple(table for table in kept if len(table.players) < SMALLEST_TABLE),
        reasons=(
            *fixed_reasons,
            *what_it_reached(tables, (), history, prohibited, seats=False),
        ),
    )


def howell_reasons(players: int, rounds: int) -> tuple[Reason, ...]:
    """What the grid promises for so many rounds, to be shown before the start.

    It has no more positions than it has: of those planned beyond nothing is promised.
    """
    rounds = min(rounds, positions_of(players))
    times = meetings_in(players, rounds)
    every = [times[pair] for pair in combinations(range(1, players + 1), 2)]
    if set(every) == {1}:
        return (Reason(code="howell_meetings", gaps={"positions": rounds}),)
    gaps = {"positions": rounds, "fewest": min(every), "most": max(every)}
    return (Reason(code="howell_spread", gaps=gaps),)
