"""Objections to the rows of a sheet: how many are open, and who has looked at them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from clubs.models import User
from scoring.models import Confirmation
from tournaments.actions.journal import write_line
from tournaments.models import EntryPlayer, Event, JournalLine, Table


def settle(said: Confirmation, *, table: Table, by: User, at: datetime, **why: bool) -> None:
    """Write that a director has looked at an objection; the journal tells what stands now."""
    said.settled_by, said.settled_at = by, at
    said.save(update_fields=["settled_by", "settled_at"])
    event, kind = table.event, JournalLine.Kind.OBJECTION_SETTLED
    gaps = {"round": table.round.number, "table": table.number}
    write_line(event, kind, by, player=_player_of(said, event), **gaps, **why)


def settle_all(objections: Iterable[Confirmation], *, table: Table, by: User, at: datetime) -> None:
    """Settle what is answered by the correction that a director has just made."""
    for said in objections:
        settle(said, table=table, by=by, at=at, takes=False, corrected=True)
    count_objections(table, at=at)


def count_objections(table: Table, *, at: datetime) -> None:
    """Count anew what nobody has settled, and let the pages hear of it."""
    table.objections = table.confirmations.objections().count()
    table.heard_at = at
    table.save(update_fields=["objections", "heard_at"])


def _player_of(said: Confirmation, event: Event) -> int:
    """Give who said it, wherever he sits now."""
    if said.phone is not None and said.phone.player_id is not None:
        return said.phone.player_id
    entered = EntryPlayer.objects.filter(event=event, player__account__isnull=False)
    own = entered.filter(player__account=said.given_by).first()
    return own.player_id if own else said.seat.player_id
