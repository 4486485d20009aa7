"""People who come to the desk of a tournament; for tests."""

from __future__ import annotations

from tournaments import actions
from tournaments.models import Entry, Event


def enter(event: Event, count: int, **particulars) -> list[Entry]:
    """Enter so many more whom nobody knows yet; they are here unless said."""
    given = {"is_present": True, "despite_namesakes": True, "by": None} | particulars
    first = event.entries.count()
    return [
        actions.enter_player(event=event, name=f"Joueur n{n:03d} Zed", **given)
        for n in range(first, first + count)
    ]
