"""The starting places of the federation's movement: whoever has one has the whole way with it.

A chart is drawn once, before the first position; people who leave empty their place, people who
come late take an empty one. ``place_position`` then says who sits where at any position.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from tournaments.placing.fft import (
    FEWEST_TABLES,
    MOST_POSITIONS,
    REPAIRS,
    meets_at,
    place_at,
    positions_it_lasts,
    threes_again,
)
from tournaments.placing.fixed import keep_tables
from tournaments.placing.says import what_it_reached
from tournaments.placing.values import (
    FOUR_SEATS,
    SMALLEST_TABLE,
    Place,
    Placement,
    Placing,
    Seat,
    lay_tables,
)
from tournaments.seating import PastRound, Reason, SeatingError
from tournaments.seating.errors import gettext_noop

type Pair = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """Who starts where: ``starts`` has the starting place of every player who takes part.

    ``first`` is 2 where teams leave out position 1. ``fixed`` says at which table a player
    stays; a North stays by himself, for others the tables are renumbered. Round r of the
    movement, from 1, is its position r + first - 1. Refuses fewer than 5 tables, two players
    in one place and places that are not in the room.
    """

    tables: int
    starts: Mapping[int, Place]
    first: int = 1
    fixed: Mapping[int, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        positions_it_lasts(self.tables)
        taken = list(self.starts.values())
        inside = all(1 <= p.table <= self.tables and p.seat in FOUR_SEATS for p in taken)
        if not inside or len(set(taken)) < len(taken):
            raise SeatingError(
                gettext_noop("Each player needs a starting place of his own, in the room."),
                code="starting_places",
                field="starts",
            )

    @property
    def empty(self) -> tuple[Place, ...]:
        """The starting places without a player, by table and seat."""
        taken = set(self.starts.values())
        places = (Place(t, seat) for t in range(1, self.tables + 1) for seat in FOUR_SEATS)
        return tuple(place for place in places if place not in taken)

    @property
    def lasts(self) -> int:
        """How many rounds can be played before anybody meets anybody again."""
        return positions_it_lasts(self.tables, first=self.first)

    def position(self, round_number: int) -> int:
        """The position of the movement that a round, from 1, plays."""
        return round_number + self.first - 1

    def positions(self, rounds: int, after: int = 0) -> range:
        """The positions of the rounds after one, up to so many rounds."""
        return range(self.position(after + 1), self.position(rounds) + 1)

    def at(self, round_number: int) -> dict[Place, int]:
        """Who is at which place in a round, as the movement says."""
        position = self.position(round_number)
        return {
            place_at(start, position, self.tables): player
            for player, start in sorted(self.starts.items(), key=lambda item: item[1])
        }

    def without(self, *players: int) -> Chart:
        """The chart after players have left; their places stay empty."""
        starts = {player: start for player, start in self.starts.items() if player not in players}
        fixed = {player: table for player, table in self.fixed.items() if player in starts}
        return replace(self, starts=starts, fixed=fixed)

    def having(self, player: int, start: Place) -> Chart:
        """The chart with a player, new or not, on a starting place; refuses one that is taken."""
        return replace(self, starts={**self.starts, player: start})

    def replaced(self, player: int, by: int) -> Chart:
        """The chart with another player on the place of one who is replaced."""
        return self.without(player).having(by, self.starts[player])

    def to_json(self) -> dict[str, Any]:
        """The chart as plain data for a JSON column; players by starting place."""
        by_place = sorted((place, player) for player, place in self.starts.items())
        return {
            "tables": self.tables,
            "first": self.first,
            "starts": [[table, seat.value, player] for (table, seat), player in by_place],
            "fixed": [[player, table] for player, table in sorted(self.fixed.items())],
        }


def chart_from_json(data: Mapping[str, Any]) -> Chart:
    """The chart that ``to_json`` wrote; refuses what is not one."""
    try:
        return Chart(
            tables=int(data["tables"]),
            first=int(data["first"]),
            starts={int(p): Place(int(table), Seat(seat)) for table, seat, p in data["starts"]},
            fixed={int(player): int(table) for player, table in data["fixed"]},
        )
    except (KeyError, TypeError, ValueError) as mistake:
        raise SeatingError(
            gettext_noop("These are not the starting places of a movement."),
            code="unreadable_chart",
            field="starts",
        ) from mistake


def place_position(
    chart: Chart,
    round_number: int,
    history: Sequence[PastRound] = (),
    *,
    prohibited: Iterable[Pair] = (),
) -> Placing:
    """Seat a round, from 1, of the movement from the starting places.

    Never refuses: what is beyond what the movement lasts, or prohibited, is said in the
    reasons, and tables that leavers brought below three are listed as unplayable.
    """
    position = chart.position(round_number)
    laid, fixed_reasons = keep_tables(lay_tables(chart.at(round_number).items()), chart.fixed)
    tables = tuple(table for table in laid if len(table.players) >= SMALLEST_TABLE)
    unplayable = tuple(table for table in laid if len(table.players) < SMALLEST_TABLE)
    reasons = (
        *_of_the_movement(chart, round_number),
        *fixed_reasons,
        *(
            Reason(code="table_too_small", gaps={"table": t.number, "players": t.players})
            for t in unplayable
        ),
        *what_it_reached(tables, (), history, prohibited, seats=False),
    )
    return Placing(
        placement=Placement.FFT_MOVEMENT,
        tables=tables,
        unplayable=unplayable,
        reasons=(*_repair(chart.tables, position), *reasons),
    )


def _of_the_movement(chart: Chart, round_number: int) -> Iterable[Reason]:
    if round_number > chart.lasts:
        gaps = {"tables": chart.tables, "lasts": chart.lasts, "position": round_number}
        yield Reason(code="movement_exceeded", gaps=gaps)


def _repair(tables: int, position: int) -> Iterable[Reason]:
    if position in REPAIRS.get(tables, {}):
        yield Reason(code="movement_repaired", gaps={"tables": tables, "position": position})


def chart_reasons(
    chart: Chart, rounds: int, *, prohibited: Iterable[Pair] = ()
) -> tuple[Reason, ...]:
    """What the starting places promise for so many rounds, to be shown before the start."""
    return tuple(_chart_reasons(chart, rounds, sorted(prohibited)))


def _chart_reasons(chart: Chart, rounds: int, prohibited: list[Pair]) -> Iterable[Reason]:
    yield Reason(code="movement_lasts", gaps={"tables": chart.tables, "lasts": chart.lasts})
    if chart.first > 1:
        yield Reason(code="first_position_left_out")
    positions = chart.positions(rounds)
    yield from (reason for p in positions for reason in _repair(chart.tables, p))
    if rounds > chart.lasts:
        gaps = {"tables": chart.tables, "lasts": chart.lasts, "position": chart.lasts + 1}
        yield Reason(code="movement_exceeded", gaps=gaps)
    yield from _about_threes(chart, positions)
    yield from _about_prohibited(chart, prohibited, positions)
    stay = tuple(sorted(chart.fixed))
    if stay:
        yield Reason(code="keeps_table", gaps={"count": len(stay), "players": stay})


def _about_threes(chart: Chart, positions: Collection[int]) -> Iterable[Reason]:
    empty = chart.empty
    if not empty:
        return
    if all(place.seat is Seat.NORTH for place in empty):
        numbers = ", ".join(str(place.table) for place in empty)
        yield Reason(code="norths_left_out", gaps={"count": len(empty), "numbers": numbers})
    else:
        yield Reason(code="empty_places", gaps={"count": len(empty)})
    again = threes_again(chart.tables, empty, positions)
    yield (
        Reason(code="threes_again", gaps={"count": again}) if again else Reason(code="threes_once")
    )


def _about_prohibited(
    chart: Chart, prohibited: list[Pair], positions: Collection[int]
) -> Iterable[Reason]:
    here = [pair for pair in prohibited if chart.starts.keys() >= set(pair)]
    together = tuple(
        (a, b)
        for a, b in here
        if meets_at(chart.starts[a], chart.starts[b], chart.tables, positions) is not None
    )
    if together:
        yield Reason(code="prohibited_together", gaps={"count": len(together), "pairs": together})
    elif here:
        yield Reason(code="prohibited_apart_all_positions", gaps={"count": len(here)})


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenPlace:
    """A place that a latecomer can take: where he starts on the chart and where he sits now.

    ``at_table`` are those who sit there in the round; ``prohibited`` counts whom of those he
    will meet he may not meet.
    """

    start: Place
    now: Place
    at_table: tuple[int, ...]
    prohibited: int


def open_places(
    chart: Chart,
    round_number: int,
    *,
    latecomer: int = 0,
    rounds: int = MOST_POSITIONS,
    prohibited: Iterable[Pair] = (),
) -> tuple[OpenPlace, ...]:
    """The empty places in a round, the best for this latecomer first.

    Fewest prohibited meetings in the rounds left, then tables that lack most players.
    """
    enemies = {b if a == latecomer else a for a, b in prohibited if latecomer in (a, b)}
    seated = chart.at(round_number)
    found = []
    for start in chart.empty:
        now = place_at(start, chart.position(round_number), chart.tables)
        mates = tuple(p for place, p in seated.items() if place.table == now.table)
        left = chart.positions(rounds, after=round_number - 1)
        met = sum(
            meets_at(start, chart.starts[enemy], chart.tables, left) is not None
            for enemy in enemies & chart.starts.keys()
        )
        found.append(OpenPlace(start=start, now=now, at_table=mates, prohibited=met))
    return tuple(sorted(found, key=lambda one: (one.prohibited, len(one.at_table), one.now)))


def seat_latecomer(
    chart: Chart,
    player: int,
    round_number: int,
    *,
    rounds: int = MOST_POSITIONS,
    prohibited: Iterable[Pair] = (),
) -> tuple[Chart, Reason]:
    """The chart with a latecomer on the best empty place; refuses where none is empty."""
    places = open_places(
        chart, round_number, latecomer=player, rounds=rounds, prohibited=prohibited
    )
    if not places:
        raise SeatingError(
            gettext_noop(
                "Every place of the movement is taken: a latecomer has to wait for an empty one."
            ),
            code="no_open_place",
            player=player,
        )
    best = places[0]
    reason = Reason(code="latecomer_seated", gaps={"table": best.now.table, "players": (player,)})
    return chart.having(player, best.start), reason


def tables_for(players: int) -> int:
    """How many tables the movement makes of so many players; refuses fewer than 17."""
    tables = -(-players // 4)
    if tables < FEWEST_TABLES:
        positions_it_lasts(tables)
    return tables
