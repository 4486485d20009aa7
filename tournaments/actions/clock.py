"""The clock of a round: started, stopped, gone on, more time for a table, the end of time."""

from __future__ import annotations

from datetime import datetime

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.models import User
from tournaments.actions.journal import write_line
from tournaments.models import Event, JournalLine, Round, Table
from tournaments.rules import Conflict, refuse_closed

KIND = JournalLine.Kind
#: Of a round, and of the time that a table gets besides.
MOST_MINUTES = 600


@transaction.atomic
def start_clock(
    *, this_round: Round, minutes: int, by: User | None, at: datetime | None = None
) -> Round:
    """Start the clock of a round that is being played; one that runs goes on as it does."""
    _event, now = _locked(this_round)
    if not 1 <= minutes <= MOST_MINUTES:
        raise ValidationError(
            _("A round lasts from 1 to %(most)s minutes."),
            code="minutes",
            params={"most": MOST_MINUTES},
        )
    if now.clock_started_at is not None:
        return now
    now.minutes, now.clock_started_at = minutes, at or timezone.now()
    return _keep(now, KIND.CLOCK_STARTED, by, "minutes", "clock_started_at", minutes=minutes)


@transaction.atomic
def pause_clock(*, this_round: Round, by: User | None, at: datetime | None = None) -> Round:
    """Stop the clock; one that stands stays so. Refuses a clock that was never started."""
    _event, now = _locked(this_round)
    _refuse_without_clock(now)
    if now.clock_paused_at is not None:
        return now
    now.clock_paused_at = at or timezone.now()
    return _keep(now, KIND.CLOCK_PAUSED, by, "clock_paused_at")


@transaction.atomic
def resume_clock(*, this_round: Round, by: User | None, at: datetime | None = None) -> Round:
    """Let the clock run on from where it stood."""
    _event, now = _locked(this_round)
    _refuse_without_clock(now)
    if now.clock_paused_at is None:
        return now
    stood = (at or timezone.now()) - now.clock_paused_at
    now.seconds_paused += max(0, round(stood.total_seconds()))
    now.clock_paused_at = None
    return _keep(now, KIND.CLOCK_RESUMED, by, "clock_paused_at", "seconds_paused")


@transaction.atomic
def extend_table(
    *, table: Table, minutes: int, by: User | None, at: datetime | None = None
) -> Table:
    """Say how many minutes a table may play on after the end of time; 0 takes them back."""
    event, this_round = _locked(table.round)
    table = this_round.tables.locked().get(pk=table.pk)
    if not 0 <= minutes <= MOST_MINUTES:
        raise ValidationError(
            _("A table gets from 0 to %(most)s minutes more."),
            code="minutes",
            params={"most": MOST_MINUTES},
        )
    if table.extra_minutes == minutes:
        return table
    table.extra_minutes = minutes
    # Not the version: a deal that somebody is typing at the table stays good.
    table.changed_at = at or timezone.now()
    table.save(update_fields=["extra_minutes", "changed_at"])
    write_line(event, KIND.TABLE_EXTENDED, by, table=table.number, minutes=minutes)
    return table


@transaction.atomic
def call_time(*, this_round: Round, by: User | None, at: datetime | None = None) -> Round:
    """Call the end of the regulation time: from now on no table starts a deal (CA p.4)."""
    _event, now = _locked(this_round)
    if now.time_called_at is not None:
        return now
    now.time_called_at = at or timezone.now()
    now.tables.update(changed_at=now.time_called_at)
    return _keep(now, KIND.TIME_CALLED, by, "time_called_at")


@transaction.atomic
def take_time_back(*, this_round: Round, by: User | None) -> Round:
    """Take the call of the end of time back: the tables play on."""
    _event, now = _locked(this_round)
    if now.time_called_at is None:
        return now
    now.time_called_at = None
    now.tables.update(changed_at=timezone.now())
    return _keep(now, KIND.TIME_TAKEN_BACK, by, "time_called_at")


def _locked(this_round: Round) -> tuple[Event, Round]:
    """Lock evening and round; refuses a round that is not being played."""
    event = Event.objects.locked().get(pk=this_round.event_id)
    refuse_closed(event)
    now = event.rounds.select_for_update(of=("self",), no_key=True).filter(pk=this_round.pk).first()
    if now is None:
        raise Conflict(_("This round is gone: somebody drew again."), code="draw_gone")
    if now.state != Round.State.PLAYING:
        raise Conflict(_("The round is not being played."), code="round_not_playing")
    return event, now


def _refuse_without_clock(this_round: Round) -> None:
    if this_round.clock_started_at is None:
        raise ValidationError(_("The clock of this round has not been started."), code="no_clock")


def _keep(now: Round, kind: JournalLine.Kind, by: User | None, *fields: str, **told: int) -> Round:
    now.save(update_fields=list(fields))
    write_line(now.event, kind, by, round=now.number, **told)
    return now
