"""What the referee gives at a truco table to the side not at fault: a tento, the hand, the game."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.names import one_line
from scoring.actions.sheets_truco import TrucoSheet
from scoring.models import TrucoLine
from scoring.rules.truco import KIND, PAIRS, Entered, Meeting
from tournaments.actions.journal import write_line
from tournaments.actors import Actor, account_of, phone_of
from tournaments.models import Entry, Event, JournalLine, Ruling, Table

EFFECT = Ruling.Effect
EFFECTS = (EFFECT.TENTO, EFFECT.LOSE_HAND, EFFECT.LOSE_GAME)


@transaction.atomic
def give_tento(
    *,
    table: Table,
    to: str,
    by: Actor,
    entry_key: UUID,
    effect: str = EFFECT.TENTO,
    worth: int | None = None,
    note: str = "",
    number: int | None = None,
    at: datetime | None = None,
) -> TrucoLine:
    """Rule against the other pair, and write its line on the sheet; one entry key is one ruling.

    A lost hand is what it was worth when it stopped (``worth``; else as it began), a lost game what
    the pair still needs; each is a line of its own: nothing played is changed.
    """
    event = Event.objects.locked().get(pk=table.round.event_id)
    sheet = TrucoSheet.lock(table, at=at)
    known = sheet.entered_with(entry_key)
    if known is not None:
        return known
    entered = Entered(kind=KIND.TENTO, winner=to, points=points_of(sheet, to, effect, worth))
    ruling = Ruling(
        event=event,
        kind=Ruling.Kind.DECISION,
        entry=_at_fault(sheet, to),
        round=sheet.table.round,
        table=sheet.table,
        deal_number=sheet.next_number,
        fault="other",
        effect=effect,
        note=one_line(note),
        entry_key=entry_key,
        ruled_by=account_of(by),
        phone=phone_of(by),
        ruled_at=at or timezone.now(),
    )
    ruling.full_clean()
    ruling.save()
    line = sheet.enter(sheet.row(entered, ruling=ruling), entry_key=entry_key, by=by, number=number)
    write_line(
        event,
        JournalLine.Kind.RULED,
        by,
        ruling=ruling.pk,
        fault=ruling.fault,
        points=0,
        table=sheet.table.number,
    )
    return line


def points_of(sheet: TrucoSheet, to: str, effect: str, worth: int | None = None) -> int:
    """Give what the ruling is worth at the score of the sheet; refuses what no hand is worth."""
    pair, meeting = PAIRS[to], sheet.meeting()
    if pair is None or effect not in EFFECTS:
        raise ValidationError(_("Say which pair gets the tento."), code="tento_for_nobody")
    if effect == EFFECT.LOSE_GAME:
        return max(1, meeting.rules.target - meeting.score[pair])
    if effect == EFFECT.LOSE_HAND:
        return _of_the_hand(meeting, worth)
    return meeting.rules.ladder[0]


def _of_the_hand(meeting: Meeting, worth: int | None) -> int:
    values = meeting.values
    if worth is not None and worth not in values:
        raise ValidationError(
            _("The hand in play cannot be worth %(points)s."),
            code="impossible_points",
            params={"points": worth},
        )
    return worth or values[0]


def _at_fault(sheet: TrucoSheet, to: str) -> Entry | None:
    """Give the entry of the other pair; nobody where its players entered on their own."""
    pair = PAIRS[to]
    entries = {seat.entry for seat in sheet.seats if (seat.place - 1) % 2 != pair}
    return entries.pop() if len(entries) == 1 else None
