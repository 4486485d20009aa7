"""What an evening allows in its present state, and how it says that the page is too old."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from tournaments.models import Event, Round, Table

#: A table that has written nothing for so long may have forgotten its sheet.
QUIET = timedelta(minutes=20)


class Conflict(ValidationError):  # noqa: N818 - a refusal, not a mistake
    """The evening has moved on since the page was made; answered with 409."""


def refuse_closed(event: Event) -> None:
    """Pass an evening that goes on."""
    if event.is_closed:
        raise Conflict(
            _("This evening is closed. Reopen it before you change it."), code="evening_closed"
        )


def refuse_while_playing(event: Event) -> None:
    """Pass an evening between two rounds."""
    playing = event.rounds.playing().first()
    if playing is not None:
        raise Conflict(
            _("Round %(number)s is being played. Close it before you draw the next one."),
            code="round_playing",
            params={"number": playing.number},
        )


def refuse_another_roster(event: Event, proposal: Round) -> None:
    """Pass a proposal that was drawn for those who are present now."""
    if proposal.roster_version != event.roster_version:
        raise Conflict(
            _("Somebody came or left after this draw. Draw again, then everybody has a seat."),
            code="roster_changed",
        )


def points_on(table: Table) -> int:
    """What a sheet adds up to; zero on every sheet that is right."""
    return sum(seat.points for seat in table.seats.all())


def is_quiet(table: Table, *, at: datetime) -> bool:
    """Does an unfinished sheet wait for its next deal for long?"""
    return table.is_open and not table.is_complete and at - table.changed_at >= QUIET


def needs_help(table: Table, *, at: datetime) -> bool:
    """Should the director walk over to this table?"""
    unfinished = not table.is_open and not table.is_complete
    return unfinished or is_quiet(table, at=at) or points_on(table) != 0
