"""What happens to an evening: every change of its rows, each in one transaction."""

from __future__ import annotations

from tournaments.actions.draws import (
    discard_draw,
    draw_round,
    publish_round,
    swap_players,
    withdraw_round,
)
from tournaments.actions.events import change_event, create_event
from tournaments.actions.roster import add_guest, check_in, check_out
from tournaments.actions.rounds import change_deals, close_round, reopen_round

__all__ = [
    "add_guest",
    "change_deals",
    "change_event",
    "check_in",
    "check_out",
    "close_round",
    "create_event",
    "discard_draw",
    "draw_round",
    "publish_round",
    "reopen_round",
    "swap_players",
    "withdraw_round",
]
