"""The cards that stand on the tables: how many there are, and the square that opens a sheet."""

from __future__ import annotations

import segno
from django.db.models import Max

from tournaments.models import Entry, Event, Table
from tournaments.seating import Leftovers, split_for

QUIET_ZONE = 2


def how_many_tables(event: Event) -> int:
    """Say how many tables the event has, before the first draw by who is present."""
    drawn = Table.objects.filter(round__event=event).aggregate(last=Max("number"))["last"]
    if drawn:
        return int(drawn)
    present = Entry.objects.filter(event=event).present().count()
    return split_for(present, Leftovers(event.leftovers)).split.tables if present >= 3 else 0  # noqa: PLR2004 - the smallest table


def qr_path(text: str) -> tuple[int, str]:
    """Give a QR code as one SVG path: the side of its square and the dark cells."""
    rows = list(segno.make(text, error="m").matrix_iter(border=QUIET_ZONE))
    cells = (
        f"M{x} {y}h1v1h-1z" for y, row in enumerate(rows) for x, dark in enumerate(row) if dark
    )
    return len(rows), "".join(cells)
