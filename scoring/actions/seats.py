"""Seats changed by hand: points on a sheet may go to somebody else, so what is counted follows."""

from __future__ import annotations

from django.db import transaction

from clubs.models import User
from scoring import tasks
from scoring.actions.confirmations import count_waiting
from scoring.actions.sheets import Sheet
from scoring.models import SheetRow, StaleStandings
from tournaments import actions as tournament_actions
from tournaments.models import Round
from tournaments.reseating import Outlook, Wish


@transaction.atomic
def change_seats[Row: SheetRow](
    sheets: type[Sheet[Row]],
    *,
    this_round: Round,
    wish: Wish,
    by: User,
    seen: str | None = None,
    typed: str = "",
) -> Outlook:
    """Make a change of seats as previewed, and have the standings counted again."""
    outlook = tournament_actions.change_seats(
        this_round=this_round, wish=wish, by=by, seen=seen, typed=typed
    )
    _follow(sheets, this_round)
    return outlook


@transaction.atomic
def undo_change[Row: SheetRow](
    sheets: type[Sheet[Row]], *, this_round: Round, by: User
) -> list[int]:
    """Undo the last change of seats, and have the standings counted again."""
    players = tournament_actions.undo_change(this_round=this_round, by=by)
    _follow(sheets, this_round)
    return players


def _follow[Row: SheetRow](sheets: type[Sheet[Row]], this_round: Round) -> None:
    if this_round.event.asks_to_confirm:
        # Who wrote a row may sit elsewhere now, and another one in his place.
        count_waiting(sheets, this_round.tables.all())
    StaleStandings.objects.create(event_id=this_round.event_id)
    tasks.refresh_standings.soon_on_commit(this_round.event_id)
