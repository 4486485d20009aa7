"""The players agree with their sheet (the paraphe), or no longer do."""

from __future__ import annotations

from datetime import datetime

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments import clock
from tournaments.actions.fixtures_play import confirm_by_signature, open_by_signature
from tournaments.actions.journal import write_line
from tournaments.actors import Actor, account_of
from tournaments.models import Event, JournalLine, Round, Table
from tournaments.rules import Conflict, points_on, refuse_closed


@transaction.atomic
def sign_sheet(*, table: Table, by: Actor | None, at: datetime | None = None) -> Table:
    """Sign a sheet that is complete and adds up to zero; one that is signed stays so.

    After the end of time a sheet is complete with the deals that it holds, if it holds any.
    """
    at = at or timezone.now()
    event, now = lock_for_signature(table)
    if now.signed_at is not None:
        return now
    refuse_unready(now, at=at)
    now.deals_planned = now.deals_recorded if not now.is_complete else now.deals_planned
    now.signed_at, now.changed_at = at, at
    now.signed_by = None if by is None else account_of(by)
    now.save(update_fields=["deals_planned", "signed_at", "signed_by", "changed_at"])
    write_line(event, JournalLine.Kind.SIGNED, by, round=now.round.number, table=now.number)
    confirm_by_signature(event=event, table=now, by=by)
    return now


@transaction.atomic
def unsign_sheet(*, table: Table, by: Actor | None) -> Table:
    """Take a signature back, while the round is played."""
    event, now = lock_for_signature(table)
    if now.signed_at is None:
        return now
    open_by_signature(event=event, table=now, by=by)
    now.signed_at = now.signed_by = None
    now.changed_at = timezone.now()
    now.save(update_fields=["signed_at", "signed_by", "changed_at"])
    write_line(event, JournalLine.Kind.UNSIGNED, by, round=now.round.number, table=now.number)
    return now


def lock_for_signature(table: Table) -> tuple[Event, Table]:
    """Lock the event, the round and the table, in this order; refuses a round not being played."""
    event = Event.objects.locked().get(rounds__tables=table.pk)
    refuse_closed(event)
    this_round = event.rounds.select_for_update(of=("self",), no_key=True).get(tables=table.pk)
    if this_round.state != Round.State.PLAYING:
        raise Conflict(_("The round is not being played."), code="round_not_playing")
    now = this_round.tables.locked().prefetch_related("seats").get(pk=table.pk)
    now.round = this_round
    return event, now


def refuse_unready(table: Table, *, at: datetime) -> None:
    """Pass a sheet that is complete, adds up to zero and to which nobody objects."""
    _refuse_unfinished(table, at=at)
    _refuse_wrong_sum(table)
    if table.objections:
        raise ValidationError(
            _("A player objects to the sheet of table %(number)s: the director looks at it first."),
            code="objection_open",
            params={"number": table.number},
        )


def _refuse_unfinished(table: Table, *, at: datetime) -> None:
    if table.is_complete or (clock.is_over(table, at=at) and table.deals_recorded):
        return
    raise ValidationError(
        _("Table %(number)s has written %(done)s of %(planned)s deals: it can be signed later."),
        code="deals_missing",
        params={
            "number": table.number,
            "done": table.deals_recorded,
            "planned": table.deals_planned,
        },
    )


def _refuse_wrong_sum(table: Table) -> None:
    points = points_on(table)
    if points:
        raise ValidationError(
            _("The sheet of table %(number)s adds up to %(points)s: correct it first."),
            code="not_zero",
            params={"number": table.number, "points": f"{points:+d}"},
        )
