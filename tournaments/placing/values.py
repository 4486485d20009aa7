"""What every placement gives: tables with numbers and seats, who sits out, and reasons."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from tournaments.seating import Draw, DrawnTable, PastRound, Reason

SMALLEST_TABLE = 3
FULL_TABLE = 4


class Placement(StrEnum):
    """How the players of a round get their tables."""

    DRAWN = "drawn"
    FFT_MOVEMENT = "fft_movement"
    HOWELL = "howell"
    BEST_WITH_BEST = "best_with_best"
    FINAL = "final"  # the seeds of a final, its first position


class Seat(StrEnum):
    """The seats of a table in order; the fifth is called by its number."""

    NORTH = "N"
    EAST = "E"
    SOUTH = "S"
    WEST = "W"
    FIFTH = "5"


FOUR_SEATS = (Seat.NORTH, Seat.EAST, Seat.SOUTH, Seat.WEST)


class Place(NamedTuple):
    """A seat of a numbered table; tables count from 1."""

    table: int
    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedTable(DrawnTable):
    """A drawn table that knows its number and which seat each of its players has.

    ``seats`` runs beside ``players``; at a table of 3 the empty seat is left out, so that
    E, S and W of a table without a North are still called E, S and W.
    """

    number: int
    seats: tuple[Seat, ...]

    @property
    def by_seat(self) -> dict[Seat, int]:
        """The player in each seat that is taken."""
        return dict(zip(self.seats, self.players, strict=True))


@dataclass(frozen=True, slots=True, kw_only=True)
class Placing:
    """A proposal for a round, like a ``Draw``: tables by number, who sits out, and why.

    ``unplayable`` holds the tables that people leaving have brought down to one or two
    players: none of the round can be published before they are mended (``mendings``).
    """

    placement: Placement
    tables: tuple[PlacedTable, ...]
    sit_out: tuple[int, ...] = ()
    reasons: tuple[Reason, ...] = ()
    unplayable: tuple[PlacedTable, ...] = ()

    @property
    def is_playable(self) -> bool:
        """Whether every table has enough players."""
        return bool(self.tables) and not self.unplayable

    def as_past(self) -> PastRound:
        """The round as it enters the history once it is played."""
        return PastRound(tables=tuple(t.players for t in self.tables), sat_out=self.sit_out)


def placing_of_draw(draw: Draw) -> Placing:
    """A drawn round as the same kind of value as the other placements."""
    seats = tuple(Seat)
    tables = tuple(
        PlacedTable(
            number=number,
            players=table.players,
            seats=seats[: len(table.players)],
            per_deal=table.per_deal,
            first_dealer=table.first_dealer,
        )
        for number, table in enumerate(draw.tables, start=1)
    )
    return Placing(
        placement=Placement.DRAWN, tables=tables, sit_out=draw.sit_out, reasons=draw.reasons
    )


def lay_table(number: int, seated: Mapping[Seat, int]) -> PlacedTable:
    """A table from who has which seat; the first seat taken, from North on, deals first."""
    seats = tuple(seat for seat in Seat if seat in seated)
    players = tuple(seated[seat] for seat in seats)
    return PlacedTable(
        number=number,
        players=players,
        seats=seats,
        per_deal=len(players),
        first_dealer=players[0],
    )


def lay_tables(places: Iterable[tuple[Place, int]]) -> tuple[PlacedTable, ...]:
    """The tables at which somebody sits, by number, however few they are."""
    seated: dict[int, dict[Seat, int]] = {}
    for place, player in places:
        seated.setdefault(place.table, {})[place.seat] = player
    return tuple(lay_table(number, at) for number, at in sorted(seated.items()))
