"""A row that never reached its sheet is thrown away by whoever holds the phone it waited on."""

from __future__ import annotations

from uuid import UUID

from django.db import transaction
from django.utils.text import Truncator

from clubs.models import Player
from clubs.names import one_line
from scoring.actions.sheets import Sheet
from scoring.models import SheetEvent, SheetRow
from tournaments.actors import Actor, as_doer
from tournaments.models import Phone, Table
from tournaments.visitors import mark_of

#: Letters of what a row said that the history keeps.
LONGEST_WORDS = 300


@transaction.atomic
def note_dropped[Row: SheetRow](
    sheets: type[Sheet[Row]],
    *,
    table: Table,
    by: Actor,
    entry_key: UUID,
    entered_by: str,
    number: int,
    words: str,
) -> SheetEvent | None:
    """Write into the history, once for each key, who threw away what somebody else had entered.

    Nothing is written of a row that is on the sheet: it had arrived. ``entered_by`` is a mark;
    ``words`` are empty where what the row said cannot be read.
    """
    sheet = sheets.lock(table, at=None)
    if sheet.entered_with(entry_key) is not None or _is_told(table, entry_key):
        return None
    details = {
        "number": number,
        "entry_key": str(entry_key),
        "words": Truncator(one_line(words)).chars(LONGEST_WORDS),
        "entered_by": _name_of(entered_by, table),
    }
    return SheetEvent.objects.create(
        table=table, kind=SheetEvent.Kind.DROPPED, details=details, **as_doer(by)
    )


def _is_told(table: Table, entry_key: UUID) -> bool:
    told = SheetEvent.objects.filter(table=table, kind=SheetEvent.Kind.DROPPED)
    return told.filter(details__entry_key=str(entry_key)).exists()


def _name_of(mark: str, table: Table) -> str:
    """Give who goes by a mark among the event's phones and the club's players; else nothing."""
    phones = Phone.objects.filter(link__event=table.event).select_related("player", "link")
    phone = next((each for each in phones if mark_of(each) == mark), None)
    if phone is not None:
        return phone.player.name if phone.player else str(phone)
    players = Player.objects.filter(club=table.event.club).exclude(account=None)
    held = ((each.name, each.account) for each in players.select_related("account"))
    return next((name for name, account in held if account and mark_of(account) == mark), "")
