"""Calls for the referee: a table asks, somebody goes, it is settled."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.models import User
from clubs.names import one_line
from tournaments.models import Event, RefereeCall, Table
from tournaments.rules import Conflict, refuse_closed


@transaction.atomic
def call_referee(*, table: Table, by: User | None, reason: str = "") -> RefereeCall:
    """Ask for the referee; a table that has called and waits calls once.

    Refuses a closed evening and a round that has not started or is over.
    """
    event, table = _locked(table)
    refuse_closed(event)
    if not table.is_open:
        raise Conflict(_("The round is not being played."), code="round_not_playing")
    waiting = table.referee_calls.waiting().first()
    if waiting is not None:
        return _with_reason(waiting, reason)
    return RefereeCall.objects.create(table=table, reason=one_line(reason), called_by=by)


def _with_reason(waiting: RefereeCall, reason: str) -> RefereeCall:
    if one_line(reason) and not waiting.reason:
        waiting.reason = one_line(reason)
        waiting.save(update_fields=["reason"])
    return waiting


@transaction.atomic
def go_to_call(*, call: RefereeCall, by: User) -> RefereeCall:
    """Say that one is on the way; the first who says so goes, and the others see it."""
    now = RefereeCall.objects.select_for_update(of=("self",)).get(pk=call.pk)
    if now.going_by_id not in {None, by.pk} and now.answered_at is None:
        raise Conflict(
            _("%(name)s is already on the way to this table."),
            code="somebody_goes",
            params={"name": now.going_by},
        )
    if now.answered_at is None:
        now.going_by = by
        now.save(update_fields=["going_by"])
    return now


@transaction.atomic
def answer_call(*, call: RefereeCall, by: User | None) -> RefereeCall:
    """Settle a call; one that is settled stays as it was settled."""
    now = RefereeCall.objects.select_for_update(of=("self",)).get(pk=call.pk)
    if now.answered_at is None:
        now.answered_by, now.answered_at = by, timezone.now()
        now.save(update_fields=["answered_by", "answered_at"])
    return now


def _locked(table: Table) -> tuple[Event, Table]:
    event = Event.objects.locked().get(rounds__tables=table.pk)
    now = Table.objects.locked().select_related("round").filter(pk=table.pk).first()
    if now is None:
        raise Conflict(_("This table is gone: somebody drew again."), code="draw_gone")
    return event, now
