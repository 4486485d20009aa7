"""What the players of a table say about its rows: who agreed, what waits, what is disputed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

from django.utils.translation import gettext as _

from scoring.actions.confirmations import signed_by
from scoring.games import AnyGame, SheetLine, game_of
from scoring.games.lines import Writers, time_of
from scoring.models import Confirmation, SheetRow
from scoring.rules import names_at_table
from scoring.rules.agreement import (
    LEFT,
    Question,
    Wanted,
    is_directors_word,
    seat_of,
    seat_of_speaker,
    signatures_wanted,
)
from tournaments import clock
from tournaments.actors import Actor, has_entered
from tournaments.models import Entry, Event, Seat, Table
from tournaments.rules import held_from


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """Where a row stands: who has agreed to it, and what the one who looks may say.

    He may take back what he objected, but is not asked about what he says is wrong. A row is
    stuck when all who could still confirm it have left.
    """

    line: SheetLine
    agreed: list[str]
    waits_for: str
    is_stuck: bool
    is_disputed: bool
    may_confirm: bool
    is_asked: bool
    has_objected: bool

    @property
    def is_confirmed(self) -> bool:
        """Does the row wait for nobody any more?"""
        return not self.waits_for


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
        return seat_of_speaker(said, self.seats)

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

    @cached_property
    def gone(self) -> list[Seat]:
        """Give the seats of those who do not play on and may have gone home."""
        left = Entry.objects.filter(seats__table=self.table, state__in=LEFT)
        entries = set(left.values_list("pk", flat=True))
        return [seat for seat in self.seats if seat.entry_id in entries]


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
        "objections": _objections(game, table, lines, said, speakers, by=by),
    }


def stuck_tables(tables: Sequence[Table], *, at: datetime) -> set[int]:
    """Give the tables that have ended, where all who could still confirm a row have left."""
    waiting = [table for table in tables if table.rows_waiting and _has_ended(table, at=at)]
    left = Seat.objects.filter(table__in=waiting, entry__state__in=LEFT)
    suspects = set(left.values_list("table", flat=True)) if waiting else set()
    return {table.pk for table in waiting if table.pk in suspects and _is_stuck(table)}


def _has_ended(table: Table, *, at: datetime) -> bool:
    return table.is_complete or clock.is_over(table, at=at) or not table.is_open


def _is_stuck(table: Table) -> bool:
    game = game_of(table)
    lines = game.lines(table, game.rows_of_sheet(table))
    return any(each.is_stuck for each in agreements(table, lines, by=None)["agreements"])


def signatures(table: Table, *, by: Actor | None) -> dict[str, Any]:
    """Give who has signed the sheet so far, where more than one has to, and who may sign next."""
    told = {"signer": Writers(table).told(table.signed_by) if table.signed_by_id else ""}
    if not table.event.asks_to_confirm:
        return told | {"has_signed": False}
    seats = sorted(table.seats.all(), key=lambda seat: seat.place)
    names = names_at_table(seats)
    if table.signed_at is not None:
        speakers = Speakers(table, seats)
        given = table.confirmations.of_the_sheet().filter(table_version=table.version)
        signed = [{"who": speakers.name(e), "time": time_of(e.at)} for e in given.with_speakers()]
        return told | {"signatures": signed}
    have_signed = signed_by(table, seats)
    own = seat_of(by, seats)
    return {
        "signed_by": [names[seat.pk] for seat in have_signed],
        "signatures_wanted": [
            _said_of_wanted(table, each, names) for each in _wanted(table, seats, have_signed)
        ],
        "has_signed": own is not None and own in have_signed,
        "own_name": names[own.pk] if own else "",
    }


def _wanted(table: Table, seats: list[Seat], have_signed: list[Seat]) -> list[Wanted]:
    sheet = game_of(table).sheet
    return signatures_wanted(
        table.event.confirmation,
        signed=have_signed,
        seats=seats,
        side_of=lambda seat: sheet.side_of(None, seat),
    )


def _said_of_wanted(table: Table, wanted: Wanted, names: Mapping[int, str]) -> str:
    """Say whose signature is still wanted, as many as there are."""
    if table.event.confirmation == Event.Confirmation.ALL_SEATS:
        said = _("Not yet: %(names)s")
    elif wanted.count == 1:
        said = _("One of these still signs: %(names)s")
    else:
        said = _("Two of these still sign: %(names)s")
    return said % {"names": ", ".join(names[seat.pk] for seat in wanted.seats)}


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
    question = game.sheet.question(line.row, table.event, seats)
    agreed = [seat for seat in seats if seat.pk in {each.seat_id for each in agreeing}]
    is_settled = table.signed_at is not None or is_directors_word(line.row, table)
    waits_for = [] if is_settled else question.waits_for(agreed)
    own = seat_of(by, seats)
    may_say = may_speak(table, by)
    entered = by is not None and has_entered(by, line.row)
    has_objected = own is not None and own in map(speakers.seat, objecting)
    may_agree = own in question.asked and not entered and own not in agreed
    return Agreement(
        line=line,
        agreed=[f"{speakers.name(each)} {time_of(each.at)}" for each in agreeing],
        waits_for=_said_of(question, waits_for, speakers),
        is_stuck=bool(waits_for) and question.is_stuck(agreed, gone=speakers.gone),
        is_disputed=bool(objecting),
        may_confirm=may_say and (may_agree or has_objected),
        is_asked=may_say and may_agree and own in waits_for and not has_objected,
        has_objected=has_objected,
    )


def may_speak(table: Table, by: Actor | None) -> bool:
    """Would a word about a row be taken now? Nobody is asked for one that would be refused."""
    return by is not None and table.is_open and held_from(table, by) is None


def _said_of(question: Question, waits_for: Sequence[Seat], speakers: Speakers) -> str:
    """Say whose word a row waits for; nothing once it is confirmed."""
    names = ", ".join(speakers.names[seat.pk] for seat in waits_for)
    if not names:
        return ""
    if question.policy == Event.Confirmation.ALL_SEATS:
        said = _("Waiting for %(names)s")
    elif question.policy == Event.Confirmation.OTHER_SEAT:
        said = _("Waiting for one of these: %(names)s")
    elif len({question.side_of(seat) for seat in waits_for}) == 1:
        said = _("Waiting for a player of the other side: %(names)s")
    else:
        said = _("Waiting for a player of each side: %(names)s")
    return said % {"names": names}


def _objections(
    game: AnyGame,
    table: Table,
    lines: Sequence[SheetLine],
    said: Sequence[Confirmation],
    speakers: Speakers,
    *,
    by: Actor | None,
) -> list[Objection]:
    own, may_say = seat_of(by, speakers.seats), may_speak(table, by)
    by_row = {line.row.pk: line for line in lines}
    return [
        Objection(
            said=each,
            who=speakers.name(each),
            line=(line := by_row.get(row_of(game, each) or 0)),
            proposed=proposed_line(game, table, line.row, each) if line else None,
            is_own=own is not None and speakers.seat(each) == own and may_say,
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
