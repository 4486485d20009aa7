"""The evening's journal: one line for each thing that somebody did."""

from __future__ import annotations

from tournaments.actors import Actor, account_of, phone_of
from tournaments.models import Event, JournalLine


def write_line(event: Event, kind: JournalLine.Kind, by: Actor | None, **details: object) -> None:
    """Add a line; people are named by their keys, so that a name mended later is mended here."""
    JournalLine.objects.create(
        event=event,
        kind=kind,
        actor=None if by is None else account_of(by),
        phone=None if by is None else phone_of(by),
        details=details,
    )
