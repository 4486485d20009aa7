"""What happens on a truco sheet: a hand, a game, a tento or the end of the time is written."""

from __future__ import annotations

import secrets
from collections.abc import Hashable
from dataclasses import dataclass
from datetime import datetime
from typing import Self
from uuid import UUID

from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from clubs.models import Role
from clubs.prepared import PreparedInsert, PreparedRead
from rules_engine import truco
from rules_engine.errors import fill
from scoring.actions.sheets import Sheet, undo_last_row, void_row
from scoring.models import SheetEvent, SheetRow, TrucoLine
from scoring.rules.truco import (
    Entered,
    ImpossibleLine,
    Meeting,
    cap_rule_of,
    is_same_report,
    meeting_of,
)
from tournaments import clock
from tournaments.actions.fixtures_play import follow_sheet
from tournaments.actors import Actor, account_of, may_act_as, phone_of
from tournaments.fixtures import CapRule
from tournaments.models import Event, Fixture, Ruling, Seat, Table
from tournaments.rules import refuse_held


@transaction.atomic
def record_truco_line(
    *,
    table: Table,
    entry_key: UUID,
    line: Entered,
    by: Actor,
    ruling: Ruling | None = None,
    number: int | None = None,
    version: int | None = None,
    at: datetime | None = None,
) -> TrucoLine:
    """Write the next line on the table's sheet (see ``Sheet.enter``)."""
    sheet = TrucoSheet.lock(table, at=at)
    entered = sheet.row(line, ruling=ruling)
    return sheet.enter(entered, entry_key=entry_key, by=by, number=number, version=version)


@transaction.atomic
def correct_truco_line(
    *,
    line: TrucoLine,
    corrected: Entered,
    entry_key: UUID,
    by: Actor,
    why: str = "",
    at: datetime | None = None,
) -> TrucoLine:
    """Put a new version in the place of a line (see ``Sheet.replace``).

    The whole sheet is played again: what the correction makes impossible is named and refused.
    """
    sheet = TrucoSheet.lock(line.table, at=at)
    entered = sheet.row(corrected, ruling=line.ruling)
    return sheet.replace(line, entered, entry_key=entry_key, by=by, why=why)


def void_truco_line(
    *, line: TrucoLine, reason: str, by: Actor, at: datetime | None = None
) -> TrucoLine:
    """Declare a line void (see ``void_row``)."""
    return void_row(TrucoSheet, row=line, reason=reason, by=by, at=at)


def undo_last_truco_line(
    *, table: Table, by: Actor, line_id: int | None = None, at: datetime | None = None
) -> TrucoLine:
    """Take the line entered last off the sheet (see ``undo_last_row``)."""
    return undo_last_row(TrucoSheet, table=table, by=by, row_id=line_id, at=at)


@transaction.atomic
def choose_first_dealer(*, table: Table, place: int | None, by: Actor) -> Table:
    """Let the player at this place deal first, or draw who does; the deal then rotates.

    Refuses a closed sheet and a place that is not at the table. Chosen later it is put right for
    all hands: no result depends on it.
    """
    sheet = TrucoSheet.lock(table, at=None)
    refuse_held(sheet.table, by)
    sheet.require_open()
    places = [seat.place for seat in sheet.seats]
    if place is None:
        place = secrets.choice(places)
    if place not in places:
        raise ValidationError(_("Nobody sits at this place."), code="place")
    locked = sheet.table
    locked.first_dealer, locked.changed_at = place, sheet.at
    locked.version += 1
    locked.save(update_fields=["first_dealer", "changed_at", "version"])
    return locked


@dataclass
class TrucoSheet(Sheet[TrucoLine]):
    """A sheet of hands and games, which ends when a pair has won the meeting."""

    read_rows = PreparedRead(TrucoLine.objects.in_play_order(), "table")
    insert_row = PreparedInsert(TrucoLine)
    rows_name = "truco_lines"
    event_name = "truco_line"

    @classmethod
    def lock(cls, table: Table, *, at: datetime | None) -> Self:
        """Lock the table; before it its event where a fixture follows the sheet."""
        if Fixture.objects.filter(table=table).exists():
            Event.objects.locked().get(pk=table.round.event_id)
        return super().lock(table, at=at)

    @staticmethod
    def side_of(row: SheetRow | None, seat: Seat) -> Hashable | None:  # noqa: ARG004 - one all along
        """Give the pair of a seat; it is the same in every line."""
        return (seat.place - 1) % 2

    def meeting(self) -> Meeting:
        """Play the sheet again; refuses in words the line that cannot be."""
        try:
            return meeting_of(self.table, self.rows)
        except ImpossibleLine as impossible:
            raise refusal_of(impossible) from impossible

    def is_full(self) -> bool:
        return self.meeting().is_decided

    def full(self) -> ValidationError:
        return ValidationError(_("The meeting is decided."), code="sheet_full")

    def is_same(self, one: TrucoLine, other: TrucoLine) -> bool:
        return is_same_report(one, other)

    @property
    def next_number(self) -> int | None:
        """The number after the last one: a line that was taken away leaves no room to fill."""
        if self.is_full():
            return None
        return max((row.number for row in self.standing), default=0) + 1

    def row(self, line: Entered, *, ruling: Ruling | None = None) -> TrucoLine:
        """Make the row of a line, not yet written."""
        row = line.row()
        row.table, row.recorded_at, row.ruling = self.table, self.at, ruling
        return row

    def require_allowed(self, row: TrucoLine, by: Actor) -> None:
        """Leave tentos to the referee, and the end of the time to the plan, the clock or him."""
        if row.kind == TrucoLine.Kind.CAP:
            self._require_planned(row)
        if row.kind == TrucoLine.Kind.TENTO or (
            row.kind == TrucoLine.Kind.CAP and not clock.is_over(self.table, at=self.at)
        ):
            if may_act_as(by, self.table.event, Role.SCORER):
                return
            raise PermissionDenied(_("This is for the referee and the club’s scorers to write."))

    def _require_planned(self, row: TrucoLine) -> None:
        planned = cap_rule_of(self.table)
        if planned is not CapRule.NONE and row.notation != planned:
            raise ValidationError(
                _("What happens at the end of the time was said in the plan: it holds for all."),
                code="other_cap_rule",
            )

    def strike(self, row: TrucoLine, *, reason: str, kind: SheetEvent.Kind, by: Actor) -> None:
        """Let a line no longer count, and with it the ruling that it came from."""
        super().strike(row, reason=reason, kind=kind, by=by)
        if row.ruling_id is not None:
            Ruling.objects.filter(pk=row.ruling_id, withdrawn_at=None).update(
                withdrawn_at=self.at,
                withdrawn_by=account_of(by),
                withdrawn_phone=phone_of(by),
                withdrawn_why=reason,
            )

    def check(self) -> None:
        self.meeting()

    def add_up(self) -> None:
        """Set games, points and outcome of each seat, and whether the meeting is decided."""
        meeting = self.meeting()
        if not meeting.is_decided:
            self.table.decided_at = None
        elif self.table.decided_at is None:
            self.table.decided_at = self.at
        lines = sum(told.row.kind != TrucoLine.Kind.CAP for told in meeting.told)
        for pair in truco.Pair:
            seats = [seat.pk for seat in self.seats if (seat.place - 1) % 2 == pair]
            Seat.objects.filter(pk__in=seats).update(
                points=meeting.tentos(pair),
                points_against=meeting.tentos(pair.other),
                games_won=meeting.won[pair],
                games_lost=meeting.won[pair.other],
                outcome=_outcome(meeting, pair),
                deals_played=lines,
            )
        follow_sheet(
            table=self.table,
            winner={truco.Pair.A: "home", truco.Pair.B: "away", None: ""}[meeting.winner],
            scores=meeting.scores,
            ending=Fixture.Ending.CAP if meeting.cap is not CapRule.NONE else Fixture.Ending.PLAYED,
        )


def _outcome(meeting: Meeting, pair: truco.Pair) -> str:
    if meeting.winner is None:
        return ""
    return Seat.Outcome.WON if meeting.winner is pair else Seat.Outcome.LOST


def refusal_of(impossible: ImpossibleLine) -> ValidationError:
    """Say in words which line of the sheet cannot be, and why."""
    refusal = impossible.refusal
    why = fill(refusal.sentence, refusal.gaps, _)
    return ValidationError(
        _("Line %(n)s does not fit: %(why)s"),
        code=refusal.code,
        params={"n": impossible.row.number, "why": why},
    )
