"""A row that never reached its sheet is thrown away by whoever holds the phone it waited on."""

from __future__ import annotations

from scoring.models import SheetEvent
from tournaments.actors import Actor, as_doer
from tournaments.models import Phone, Table
from tournaments.visitors import mark_of


def note_dropped(
    *, table: Table, by: Actor, entered_by: str, name: str, number: int, words: str
) -> SheetEvent:
    """Write into the history who has thrown away what somebody else had entered.

    ``entered_by`` is his mark; ``name`` is what the phone called him, for one who joined by none
    of the event's links.
    """
    phones = Phone.objects.filter(link__event=table.event).select_related("player", "link")
    known = next((phone for phone in phones if mark_of(phone) == entered_by), None)
    details = {
        "number": number,
        "words": words,
        "entered_by": known.player.name if known and known.player else name,
    }
    return SheetEvent.objects.create(
        table=table, kind=SheetEvent.Kind.DROPPED, details=details, **as_doer(by)
    )
