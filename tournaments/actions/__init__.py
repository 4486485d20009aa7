"""What happens to an evening: every change of its rows, each in one transaction."""

from __future__ import annotations

from tournaments.actions.changes import change_seats, last_change, undo_change
from tournaments.actions.clock import (
    call_time,
    extend_table,
    pause_clock,
    resume_clock,
    start_clock,
    take_time_back,
)
from tournaments.actions.draws import (
    discard_draw,
    draw_round,
    publish_round,
    swap_players,
    withdraw_round,
)
from tournaments.actions.entries import (
    change_entry,
    check_in_entry,
    check_in_everybody,
    check_out_entry,
    enter_player,
    replace_entry,
    take_back_withdrawal,
    withdraw_entry,
)
from tournaments.actions.events import cancel_event, change_event, create_event
from tournaments.actions.pairs import allow_pair, prohibit_pair
from tournaments.actions.placings import place_round
from tournaments.actions.referee import answer_call, call_referee, go_to_call
from tournaments.actions.roster import add_guest, check_in, check_out
from tournaments.actions.rounds import (
    TablesNotReady,
    change_deals,
    close_round,
    reopen_round,
)
from tournaments.actions.signing import sign_sheet, unsign_sheet
from tournaments.actions.stages import (
    add_stage,
    change_stage,
    create_tournament,
    remove_stage,
)

__all__ = [
    "TablesNotReady",
    "add_guest",
    "add_stage",
    "allow_pair",
    "answer_call",
    "call_referee",
    "call_time",
    "cancel_event",
    "change_deals",
    "change_entry",
    "change_event",
    "change_seats",
    "change_stage",
    "check_in",
    "check_in_entry",
    "check_in_everybody",
    "check_out",
    "check_out_entry",
    "close_round",
    "create_event",
    "create_tournament",
    "discard_draw",
    "draw_round",
    "enter_player",
    "extend_table",
    "go_to_call",
    "last_change",
    "pause_clock",
    "place_round",
    "prohibit_pair",
    "publish_round",
    "remove_stage",
    "reopen_round",
    "replace_entry",
    "resume_clock",
    "sign_sheet",
    "start_clock",
    "swap_players",
    "take_back_withdrawal",
    "take_time_back",
    "undo_change",
    "unsign_sheet",
    "withdraw_entry",
    "withdraw_round",
]
