"""Calls for the referee: a table asks, somebody goes, it is settled."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.names import one_line
from tournaments.actors import Actor, account_of, phone_of
from tournaments.models import Event, RefereeCall, Table
from tournaments.rules import Conflict, refuse_closed


@transaction.atomic
def call_referee(
    *, table: Table, by: Actor | None, reason: str = "", is_problem: bool = False
) -> RefereeCall:
    """Ask for the referee; a table that has called and waits calls once.

    ``is_problem`` says that something is wrong, which can wait. Refuses a closed evening and a
    round that has not started or is over.
    """
    event, table = _locked(table)
    refuse_closed(event)
    if not table.is_open:
        raise Conflict(_("The round is not being played."), code="round_not_playing")
    waiting = table.referee_calls.waiting().first()
    if waiting is not None:
        return _once_more(waiting, reason, is_problem=is_problem)
    return RefereeCall.objects.create(
        table=table,
        reason=one_line(reason),
        is_problem=is_problem,
        called_by=None if by is None else account_of(by),
        phone=None if by is None else phone_of(by),
    )


def _once_more(waiting: RefereeCall, reason: str, *, is_problem: bool) -> RefereeCall:
    """Add what was not said before: a reason, or that it cannot wait after all."""
    waiting.reason = waiting.reason or one_line(reason)
    waiting.is_problem = waiting.is_problem and is_problem
    waiting.save(update_fields=["reason", "is_problem"])
    return waiting


@transaction.atomic
def go_to_call(*, call: RefereeCall, by: Actor) -> RefereeCall:
    """Say that one is on the way; the first who says so goes, and the others see it."""
    now = RefereeCall.objects.select_for_update(of=("self",)).get(pk=call.pk)
    if now.answered_at is not None:
        return now
    if now.on_the_way not in {None, by}:
        raise Conflict(
            _("%(name)s is already on the way to this table."),
            code="somebody_goes",
            params={"name": now.on_the_way},
        )
    now.going_by, now.going_phone = account_of(by), phone_of(by)
    now.save(update_fields=["going_by", "going_phone"])
    return now


@transaction.atomic
def answer_call(*, call: RefereeCall, by: Actor | None) -> RefereeCall:
    """Settle a call; one that is settled stays as it was settled."""
    now = RefereeCall.objects.select_for_update(of=("self",)).get(pk=call.pk)
    if now.answered_at is None:
        now.answered_at = timezone.now()
        now.answered_by = None if by is None else account_of(by)
        now.answered_phone = None if by is None else phone_of(by)
        now.save(update_fields=["answered_by", "answered_phone", "answered_at"])
    return now


def _locked(table: Table) -> tuple[Event, Table]:
    event = Event.objects.locked().get(rounds__tables=table.pk)
    now = Table.objects.locked().select_related("round").filter(pk=table.pk).first()
    if now is None:
        raise Conflict(_("This table is gone: somebody drew again."), code="draw_gone")
    return event, now
