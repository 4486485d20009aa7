"""Objections to the rows of a sheet: how many are open, and what has settled them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from scoring.models import Confirmation
from tournaments.actions.journal import write_line
from tournaments.actors import Actor, account_of
from tournaments.models import EntryPlayer, Event, JournalLine, Table


def settle(
    said: Confirmation, *, table: Table, by: Actor | None, at: datetime, **why: bool
) -> None:
    """Write that an objection is settled, and by whom; the journal tells what stands now."""
    said.settled_by, said.settled_at = account_of(by) if by else None, at
    said.save(update_fields=["settled_by", "settled_at"])
    event, kind = table.event, JournalLine.Kind.OBJECTION_SETTLED
    gaps = {"round": table.round.number, "table": table.number}
    write_line(event, kind, by, player=_player_of(said, event), **gaps, **why)


def settle_all(
    objections: Iterable[Confirmation],
    *,
    table: Table,
    by: Actor | None,
    at: datetime,
    **why: bool,
) -> None:
    """Settle what has its answer by something that has just been done to its row or table."""
    for said in objections:
        settle(said, table=table, by=by, at=at, **why)
    count_objections(table, at=at)


def reopen(objections: Iterable[Confirmation], *, table: Table, at: datetime) -> None:
    """Let objections wait for the director again: the row that they are about counts again."""
    for said in objections:
        said.settled_by = said.settled_at = None
        said.save(update_fields=["settled_by", "settled_at"])
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
