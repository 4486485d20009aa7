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
from tournaments.actions.cuts import choose_at_the_cut, draw_lots_at_the_cut
from tournaments.actions.draws import (
    discard_draw,
    draw_round,
    publish_round,
    start_round,
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
from tournaments.actions.fixtures_call import call_fixtures
from tournaments.actions.fixtures_draw import (
    add_fixture_stage,
    change_fixture_stage,
    change_slots,
    create_championship,
    draw_fixtures,
    drop_fixtures,
    pair_next_round,
    remove_fixture_stage,
)
from tournaments.actions.fixtures_equals import draw_lots, enter_extra_game, undo_extra_game
from tournaments.actions.fixtures_play import (
    cancel_fixture,
    decide_fixture,
    follow_sheet,
    side_leaves,
    side_returns,
    undo_fixture,
)
from tournaments.actions.holding import (
    freeze_round,
    hand_back_table,
    say_on_the_wall,
    take_over_table,
    unfreeze_round,
)
from tournaments.actions.links import make_links, renew_link, revoke_link
from tournaments.actions.meetings import draw_partners, import_entries, put_in_reserve
from tournaments.actions.pairs import allow_pair, prohibit_pair
from tournaments.actions.phones import (
    join_as_helper,
    join_as_player,
    leave_after_round,
    leave_seat,
    note_entering,
    put_away,
    remove_phone,
)
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
    "add_fixture_stage",
    "add_guest",
    "add_stage",
    "allow_pair",
    "answer_call",
    "call_fixtures",
    "call_referee",
    "call_time",
    "cancel_event",
    "cancel_fixture",
    "change_deals",
    "change_entry",
    "change_event",
    "change_fixture_stage",
    "change_seats",
    "change_slots",
    "change_stage",
    "check_in",
    "check_in_entry",
    "check_in_everybody",
    "check_out",
    "check_out_entry",
    "choose_at_the_cut",
    "close_round",
    "create_championship",
    "create_event",
    "create_tournament",
    "decide_fixture",
    "discard_draw",
    "draw_fixtures",
    "draw_lots",
    "draw_lots_at_the_cut",
    "draw_partners",
    "draw_round",
    "drop_fixtures",
    "enter_extra_game",
    "enter_player",
    "extend_table",
    "follow_sheet",
    "freeze_round",
    "go_to_call",
    "hand_back_table",
    "import_entries",
    "join_as_helper",
    "join_as_player",
    "last_change",
    "leave_after_round",
    "leave_seat",
    "make_links",
    "note_entering",
    "pair_next_round",
    "pause_clock",
    "place_round",
    "prohibit_pair",
    "publish_round",
    "put_away",
    "put_in_reserve",
    "remove_fixture_stage",
    "remove_phone",
    "remove_stage",
    "renew_link",
    "reopen_round",
    "replace_entry",
    "resume_clock",
    "revoke_link",
    "say_on_the_wall",
    "side_leaves",
    "side_returns",
    "sign_sheet",
    "start_clock",
    "start_round",
    "swap_players",
    "take_back_withdrawal",
    "take_over_table",
    "take_time_back",
    "undo_change",
    "undo_extra_game",
    "undo_fixture",
    "unfreeze_round",
    "unsign_sheet",
    "withdraw_entry",
    "withdraw_round",
]
