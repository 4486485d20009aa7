"""The clock of a round: how long it still runs, at one table and at all. Pure arithmetic."""

from __future__ import annotations

from datetime import datetime, timedelta

from tournaments.models import Round, Table


def is_running(this_round: Round) -> bool:
    """Is the clock started, not stopped, and the end of time not called?"""
    started = this_round.clock_started_at is not None and this_round.time_called_at is None
    return started and this_round.clock_paused_at is None


def ends_at(this_round: Round, *, at: datetime) -> datetime | None:
    """When the regulation time is over; a clock that stands still pushes it on. None: no clock."""
    if this_round.clock_started_at is None or this_round.minutes is None:
        return None
    paused = timedelta(seconds=this_round.seconds_paused)
    if this_round.clock_paused_at is not None:
        paused += at - this_round.clock_paused_at
    return this_round.clock_started_at + timedelta(minutes=this_round.minutes) + paused


def time_left(this_round: Round, *, at: datetime) -> timedelta | None:
    """What is left on the clock, never less than nothing."""
    end = ends_at(this_round, at=at)
    return None if end is None else max(end - at, timedelta())


def over_at(table: Table) -> datetime | None:
    """When no new deal may start at this table any more: the call, and the table's own minutes."""
    called = table.round.time_called_at
    return None if called is None else called + timedelta(minutes=table.extra_minutes)


def is_over(table: Table, *, at: datetime) -> bool:
    """Is the regulation time of this table over?"""
    over = over_at(table)
    return over is not None and at >= over
