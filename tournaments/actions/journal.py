"""The evening's journal: one line for each thing that somebody did."""

from __future__ import annotations

from clubs.models import User
from tournaments.models import Event, JournalLine


def write_line(event: Event, kind: JournalLine.Kind, by: User | None, **details: object) -> None:
    """Add a line; people are named by their keys, so that a name mended later is mended here."""
    JournalLine.objects.create(event=event, kind=kind, actor=by, details=details)
