"""What the players of a table say about its rows: who agreed, what waits, what is disputed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from scoring.actions.confirmations import signed_by
from scoring.games import AnyGame, SheetLine, game_of
from scoring.games.lines import Writers, time_of
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
    has_objected: bool

    @property
    def is_asked(self) -> bool:
        """Is the one who looks asked for his word? Not about what he has said is wrong."""
        return self.may_confirm and not self.has_objected


@dataclass(frozen=True, slots=True, kw_only=True)
class Objection:
    """What somebody says is wrong, with the row as it stands and as it should be."""

    said: Confirmation
    who: str
    line: SheetLine | None
    proposed: SheetLine | None
    is_own: bool


@dataclass(frozen=True)
class Speakers:
    """Whoever spoke about one sheet: what he said stays his when somebody else has his seat."""

    table: Table
    seats: Sequence[Seat]

    def seat(self, said: Confirmation) -> Seat | None:
        """Give where he sits now; nothing for whoever sits elsewhere."""
        return seat_of(said.given_by or said.phone, self.seats)

    def name(self, said: Confirmation) -> str:
        """Give what he is called at the table, else as the one who looks may know him."""
        seat = self.seat(said)
        if seat is not None:
            return self.names[seat.pk]
        if said.given_by or said.phone:
            return Writers(self.table).name(said.given_by, said.phone)
        return self.names[said.seat_id]

    @cached_property
    def names(self) -> dict[int, str]:
        return names_at_table(self.seats)


def agreements(table: Table, lines: Sequence[SheetLine], *, by: Actor | None) -> dict[str, Any]:
    """Give what a page shows of the agreement on a sheet; empty where nobody has to agree."""
    if not table.event.asks_to_confirm and not table.objections:
        return {}
    game = game_of(table)
    seats = sorted(table.seats.all(), key=lambda seat: seat.place)
    speakers = Speakers(table, seats)
    said = list(table.confirmations.with_speakers().order_by("at", "pk"))
    standing = [line for line in lines if line.row.is_standing]
    found = [_agreement(game, table, line, said, speakers, by=by) for line in standing]
    return {
        "agreements": found,
        "unconfirmed": [each for each in found if not each.is_confirmed],
        "objections": _objections(game, table, lines, said, speakers, own=seat_of(by, seats)),
    }


def signatures(table: Table, *, by: Actor | None) -> dict[str, Any]:
    """Give who has signed the sheet so far, where more than one has to, and who may sign next."""
    if not table.event.asks_to_confirm:
        return {"has_signed": False}
    seats = sorted(table.seats.all(), key=lambda seat: seat.place)
    names = names_at_table(seats)
    if table.signed_at is not None:
        speakers = Speakers(table, seats)
        given = table.confirmations.of_the_sheet().filter(table_version=table.version)
        signed = [{"who": speakers.name(e), "time": time_of(e.at)} for e in given.with_speakers()]
        return {"signatures": signed}
    have_signed = signed_by(table, seats)
    own = seat_of(by, seats)
    return {
        "signed_by": [names[seat.pk] for seat in have_signed],
        "unsigned_by": [names[seat.pk] for seat in seats if seat not in have_signed],
        "has_signed": own is not None and own in have_signed,
        "own_name": names[own.pk] if own else "",
    }


def _agreement(
    game: AnyGame,
    table: Table,
    line: SheetLine,
    said: Sequence[Confirmation],
    speakers: Speakers,
    *,
    by: Actor | None,
) -> Agreement:
    seats = speakers.seats
    of_row = [each for each in said if row_of(game, each) == line.row.pk]
    agreeing = [each for each in of_row if each.answer == Confirmation.Answer.AGREES]
    objecting = [each for each in of_row if _is_open_objection(each)]
    agree = {each.seat_id for each in agreeing}
    author = author_of(line.row, seats)
    own = seat_of(by, seats)
    settled = table.signed_at is not None or is_directors_word(line.row, table)
    entered = by is not None and has_entered(by, line.row)
    has_objected = own is not None and own in map(speakers.seat, objecting)
    has_agreed = own is not None and own.pk in agree and not has_objected
    return Agreement(
        line=line,
        agreed=[f"{speakers.name(each)} {time_of(each.at)}" for each in agreeing],
        is_confirmed=settled
        or is_confirmed(
            table.event.confirmation,
            agreed=[seat for seat in seats if seat.pk in agree],
            author=author,
            seats=seats,
            side_of=partial(game.sheet.side_of, line.row),
        ),
        is_disputed=bool(objecting),
        may_confirm=table.is_open and _may_agree(own, author) and not entered and not has_agreed,
        has_objected=has_objected,
    )


def _may_agree(own: Seat | None, author: Seat | None) -> bool:
    """Does somebody sit at the table who did not write the row himself?"""
    return own is not None and own != author


def _objections(
    game: AnyGame,
    table: Table,
    lines: Sequence[SheetLine],
    said: Sequence[Confirmation],
    speakers: Speakers,
    *,
    own: Seat | None,
) -> list[Objection]:
    by_row = {line.row.pk: line for line in lines}
    return [
        Objection(
            said=each,
            who=speakers.name(each),
            line=(line := by_row.get(row_of(game, each) or 0)),
            proposed=proposed_line(game, table, line.row, each) if line else None,
            is_own=own is not None and speakers.seat(each) == own,
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
