"""What a sheet of any game says by itself: who deals, which number is next, what came last."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

from clubs.names import fold_name
from scoring.models.rows import SheetRow
from tournaments.models import Seat, Table

#: Two identical rows of one author this close together are one row, entered twice.
SAME_DEAL_WITHIN = timedelta(minutes=2)


class StaleSheet(Exception):  # noqa: N818 - it names what the visitor sees, like Http404
    """The sheet went on while a row was typed.

    ``standing`` is the row that holds the number now, or nothing when that number is free again;
    ``number`` is the next free one, or nothing when the sheet is full.
    """

    def __init__(self, *, standing: SheetRow | None, number: int | None) -> None:
        super().__init__("The sheet has changed.")
        self.standing = standing
        self.number = number


def next_number(taken: Collection[int]) -> int:
    """Give the lowest number that no standing row holds, from 1."""
    return next(n for n in range(1, len(taken) + 2) if n not in taken)


def one_sits_out(table: Table, seats: Sequence[Seat]) -> bool:
    """Are there more seats than play a deal?"""
    return len(seats) > table.players_per_deal


def entered_last[Row: SheetRow](rows: Sequence[Row]) -> Row | None:
    """Give the row that came last onto a sheet, of all its rows; a correction brings none."""
    corrected = {row.corrected_by_id: row for row in rows if row.corrected_by_id is not None}

    def entered(row: Row) -> tuple[datetime, int]:
        while row.pk in corrected:
            row = corrected[row.pk]
        return row.recorded_at, row.pk

    return max((row for row in rows if row.is_standing), key=entered, default=None)


def is_correction(row: SheetRow, rows: Sequence[SheetRow]) -> bool:
    """Does this row stand in the place of another one of the sheet?"""
    return any(each.corrected_by_id == row.pk for each in rows)


def dealer(seats: Sequence[Seat], number: int) -> Seat:
    """Give who deals this deal; where one sits out, it is the dealer (RO p.12)."""
    return seats[(number - 1) % len(seats)]


def names_at_table(seats: Sequence[Seat]) -> dict[int, str]:
    """Give each seat's short name by its key; the longer name where two are called the same."""
    called = [fold_name(seat.player.short_name) for seat in seats]
    names = {
        seat.pk: seat.player.short_name if called.count(name) == 1 else seat.player.shown_name
        for seat, name in zip(seats, called, strict=True)
    }
    told = list(names.values())
    # Of two names that are kept from whoever looks, the seats are told apart.
    return {
        seat.pk: f"{names[seat.pk]} ({seat.letter})"
        if told.count(names[seat.pk]) > 1
        else names[seat.pk]
        for seat in seats
    }
