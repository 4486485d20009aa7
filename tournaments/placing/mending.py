"""What can be done when people leave in the middle of the movement.

A leaver's place stays empty and walks round the room with its seat: its table of the position
plays by 3. Where two empty places come to one table, two players are left there and cannot
play; then one or more players change to empty places for the rest of the movement. Each
proposal says what it costs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, count, islice, permutations, product

from tournaments.placing.chart import Chart, Pair
from tournaments.placing.fft import place_at
from tournaments.placing.values import SMALLEST_TABLE, Place
from tournaments.seating import PastRound, Reason
from tournaments.seating.reasons import Gap

MOST_PROPOSALS = 5
#: So many ways are compared: all of them up to some sixty tables.
MOST_WAYS = 120
MOST_STEPS = 600


type Way = Callable[[Chart, int, int], Iterator[tuple[Move, ...]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """A player who changes places in the round, by table and seat there."""

    player: int
    leaves: Place
    takes: Place


@dataclass(frozen=True, slots=True, kw_only=True)
class Mending:
    """A proposal: who moves, the chart from then on, and what it costs until the last round.

    ``unplayable`` counts tables of one or two players in the rounds after this one,
    ``meetings`` second meetings, ``prohibited`` meetings of those who may not meet, ``threes``
    times somebody plays at a table of 3 again.
    """

    moves: tuple[Move, ...]
    chart: Chart
    unplayable: int
    prohibited: int
    meetings: int
    threes: int

    @property
    def cost(self) -> tuple[int, int, int, int, int]:
        """What is bad about it, the worst first; the smaller the better."""
        return (
            self.unplayable,
            self.prohibited,
            self.meetings,
            self.threes,
            len(self.moves),
        )

    @property
    def reason(self) -> Reason:
        """Who moves, in words."""
        players = tuple(move.player for move in self.moves)
        gaps: dict[str, Gap] = {"count": len(players), "players": players}
        return Reason(code="moves_to_empty_place", gaps=gaps)


def mendings(
    chart: Chart,
    round_number: int,
    *,
    rounds: int,
    history: Sequence[PastRound] = (),
    prohibited: Iterable[Pair] = (),
) -> tuple[Mending, ...]:
    """The best ways to make every table of a round playable, the best first.

    Empty where nothing is wrong, and where nothing can be done by moving one or two players
    for each table (the director then closes the movement and draws).
    """
    wrong = _too_small(chart, round_number)
    if not wrong:
        return ()
    enemies = {frozenset(pair) for pair in prohibited}
    ways = chain.from_iterable(
        islice(_ways(chart, round_number, wrong, how, count()), MOST_WAYS // 2)
        for how in (_emptied, _filled)
    )
    found = [
        _valued(moves, after, range(round_number, rounds + 1), history, enemies)
        for moves, after in ways
    ]
    found.sort(key=lambda one: (one.cost, [move.player for move in one.moves]))
    return tuple(found[:MOST_PROPOSALS])


def _tables(chart: Chart, round_number: int) -> dict[int, dict[Place, int]]:
    tables: dict[int, dict[Place, int]] = {}
    for place, player in chart.at(round_number).items():
        tables.setdefault(place.table, {})[place] = player
    return tables


def _too_small(chart: Chart, round_number: int) -> list[int]:
    tables = _tables(chart, round_number)
    return [number for number, seated in tables.items() if len(seated) < SMALLEST_TABLE]


def _ways(
    chart: Chart, round_number: int, wrong: list[int], how: Way, steps: Iterator[int]
) -> Iterator[tuple[tuple[Move, ...], Chart]]:
    """Ways to mend the first table, each gone on with the first for the tables after it.

    ``steps`` counts what is tried: where most have left, the ways become too many to try.
    """
    for moves in how(chart, round_number, wrong[0]):
        if next(steps) >= MOST_STEPS:
            return
        after = _moved(chart, round_number, moves)
        left = _too_small(after, round_number)
        if not left:
            yield moves, after
        elif len(left) < len(wrong):
            further = (_ways(after, round_number, left, next_how, steps) for next_how in BOTH)
            more = next(chain.from_iterable(further), None)
            if more is not None:
                yield (*moves, *more[0]), more[1]


def _empty(chart: Chart, round_number: int) -> list[Place]:
    position = chart.position(round_number)
    return sorted(place_at(place, position, chart.tables) for place in chart.empty)


def _filled(chart: Chart, round_number: int, table: int) -> Iterator[tuple[Move, ...]]:
    """Players of full tables come over, as many as are needed, each from another table."""
    tables = _tables(chart, round_number)
    needed = SMALLEST_TABLE - len(tables[table])
    holes = [place for place in _empty(chart, round_number) if place.table == table]
    full = [seated for seated in tables.values() if len(seated) > SMALLEST_TABLE]
    for taken in combinations(holes, needed):
        # Whoever comes over keeps his orientation.
        choices = [
            [
                Move(player=player, leaves=place, takes=hole)
                for seated in full
                for place, player in seated.items()
                if place.seat is hole.seat
            ]
            for hole in taken
        ]
        for moves in product(*choices):
            if len({move.leaves.table for move in moves}) == needed:
                yield moves


def _emptied(chart: Chart, round_number: int, table: int) -> Iterator[tuple[Move, ...]]:
    """The players of the table change to empty places at other tables, which it then lacks."""
    left = _tables(chart, round_number)[table]
    holes = [place for place in _empty(chart, round_number) if place.table != table]
    for taken in permutations(holes, len(left)):
        yield tuple(
            Move(player=player, leaves=place, takes=to)
            for (place, player), to in zip(left.items(), taken, strict=True)
        )


BOTH: tuple[Way, ...] = (_filled, _emptied)


def _moved(chart: Chart, round_number: int, moves: Iterable[Move]) -> Chart:
    back = {place_at(s, chart.position(round_number), chart.tables): s for s in chart.empty}
    for move in moves:
        chart = chart.having(move.player, back[move.takes])
    return chart


def _valued(
    moves: tuple[Move, ...],
    chart: Chart,
    left: range,
    history: Sequence[PastRound],
    enemies: set[frozenset[int]],
) -> Mending:
    met = Counter(pair for past in history for pair in _pairs(past.tables))
    threes = Counter(
        p for past in history for t in past.tables if len(t) == SMALLEST_TABLE for p in t
    )
    unplayable = again = together = twice = 0
    for number in left:
        tables = [tuple(seated.values()) for seated in _tables(chart, number).values()]
        unplayable += sum(len(table) < SMALLEST_TABLE for table in tables)
        for pair in _pairs(tables):
            again += met[pair]
            met[pair] += 1
            together += pair in enemies
        for player in (p for table in tables if len(table) == SMALLEST_TABLE for p in table):
            twice += threes[player] > 0
            threes[player] += 1
    return Mending(
        moves=moves,
        chart=chart,
        unplayable=unplayable,
        prohibited=together,
        meetings=again,
        threes=twice,
    )


def _pairs(tables: Iterable[Sequence[int]]) -> Iterator[frozenset[int]]:
    for table in tables:
        for pair in combinations(table, 2):
            yield frozenset(pair)
