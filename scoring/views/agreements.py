"""What the players of a table say about its rows: who agreed, what waits, what is disputed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from scoring.actions.confirmations import signed_by
from scoring.games import AnyGame, SheetLine, game_of
from scoring.games.lines import time_of
from scoring.models import Confirmation, SheetRow
from scoring.rules import names_at_table
from scoring.rules.agreement import author_of, is_confirmed, is_directors_word, seat_of
from tournaments.actors import Actor, has_entered
from tournaments.models import Seat, Table


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """Where a row stands: who has agreed to it, and what the one who looks may say."""

    line: SheetLine
    agreed: list[str]
    is_confirmed: bool
    is_disputed: bool
    may_confirm: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Objection:
    """What somebody says is wrong, with the row as it stands and as it should be."""

    said: Confirmation
    who: str
    line: SheetLine | None
    proposed: SheetLine | None


def agreements(table: Table, lines: Sequence[SheetLine], *, by: Actor | None) -> dict[str, Any]:
    """Give what a page shows of the agreement on a sheet; empty where nobody has to agree."""
    if not table.event.asks_to_confirm and not table.objections:
        return {}
    game = game_of(table)
    seats = sorted(table.seats.all(), key=lambda seat: seat.place)
    said = list(table.confirmations.select_related("phone__player").order_by("at", "pk"))
    standing = [line for line in lines if line.row.is_standing]
    found = [_agreement(game, table, line, said, seats, by=by) for line in standing]
    return {
        "agreements": found,
        "unconfirmed": [each for each in found if not each.is_confirmed],
        "objections": _objections(game, table, lines, said, seats),
    }


def signatures(table: Table, *, by: Actor | None) -> dict[str, Any]:
    """Give who has signed the sheet so far, where more than one has to, and who may sign next."""
    if not table.event.asks_to_confirm:
        return {"has_signed": False}
    seats = sorted(table.seats.all(), key=lambda seat: seat.place)
    names = names_at_table(seats)
    given = table.confirmations.of_the_sheet().filter(table_version=table.version)
    if table.signed_at is not None:
        return {"signatures": [{"who": names[e.seat_id], "time": time_of(e.at)} for e in given]}
    signed = signed_by(table, seats)
    own = seat_of(by, seats)
    return {
        "signed_by": [names[seat.pk] for seat in signed],
        "unsigned_by": [names[seat.pk] for seat in seats if seat not in signed],
        "has_signed": own is not None and own in signed,
        "own_name": names[own.pk] if own else "",
    }


def _agreement(
    game: AnyGame,
    table: Table,
    line: SheetLine,
    said: Sequence[Confirmation],
    seats: list[Seat],
    *,
    by: Actor | None,
) -> Agreement:
    names = names_at_table(seats)
    agree = {
        each.seat_id
        for each in said
        if row_of(game, each) == line.row.pk and each.answer == Confirmation.Answer.AGREES
    }
    author = author_of(line.row, seats)
    own = seat_of(by, seats)
    settled = table.signed_at is not None or is_directors_word(line.row, table)
    entered = by is not None and has_entered(by, line.row)
    return Agreement(
        line=line,
        agreed=[names[seat.pk] for seat in seats if seat.pk in agree],
        is_confirmed=settled
        or is_confirmed(
            table.event.confirmation,
            agreed=[seat for seat in seats if seat.pk in agree],
            author=author,
            seats=seats,
            side_of=partial(game.sheet.side_of, line.row),
        ),
        is_disputed=any(
            row_of(game, each) == line.row.pk and _is_open_objection(each) for each in said
        ),
        may_confirm=own is not None and own != author and not entered and own.pk not in agree,
    )


def _objections(
    game: AnyGame,
    table: Table,
    lines: Sequence[SheetLine],
    said: Sequence[Confirmation],
    seats: list[Seat],
) -> list[Objection]:
    names = names_at_table(seats)
    by_row = {line.row.pk: line for line in lines}
    return [
        Objection(
            said=each,
            who=names[each.seat_id],
            line=(line := by_row.get(row_of(game, each) or 0)),
            proposed=proposed_line(game, table, line.row, each) if line else None,
        )
        for each in said
        if _is_open_objection(each)
    ]


def _is_open_objection(said: Confirmation) -> bool:
    return said.answer == Confirmation.Answer.OBJECTS and said.settled_at is None


def row_of(game: AnyGame, said: Confirmation) -> int | None:
    """Give the key of the row that was spoken of; nothing for the whole sheet."""
    key: int | None = getattr(said, f"{game.sheet.event_name}_id")
    return key


def proposed_line(
    game: AnyGame, table: Table, row: SheetRow, said: Confirmation
) -> SheetLine | None:
    """Give what an objection would have instead; nothing where it only says what is wrong."""
    if not said.proposed:
        return None
    row.table = table
    form = game.form_to_correct(row, said.proposed)
    return game.typed_line(form) if form.is_valid() else None
