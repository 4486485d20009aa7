"""What happens to sheets and evenings; each action is one transaction."""

from __future__ import annotations

from scoring.actions.confirmations import (
    change_confirmation,
    confirm_row,
    confirm_sheet,
    object_to_row,
    settle_objection,
    sign,
)
from scoring.actions.dropping import note_dropped
from scoring.actions.evenings import close_event, reopen_event
from scoring.actions.fixtures import (
    cancel_fixture,
    decide_fixture,
    draw_fixtures,
    draw_lots,
    drop_fixtures,
    enter_extra_game,
    pair_next_round,
    put_in_reserve,
    side_leaves,
    side_returns,
    sign_sheet,
    undo_extra_game,
    undo_fixture,
    unsign_sheet,
)
from scoring.actions.imports import (
    describe_list,
    discard_list,
    import_list,
    send_list,
    undo_import,
)
from scoring.actions.papers import ask_for_paper
from scoring.actions.penalties import penalise_entry, penalise_side
from scoring.actions.players import merge_players
from scoring.actions.rankings import (
    add_ranking,
    change_ranking,
    delete_ranking,
    rebuild_rankings,
)
from scoring.actions.results import (
    change_provisional_hours,
    declare_final,
    declare_tie_breaks,
)
from scoring.actions.rulings import record_ruling, withdraw_ruling
from scoring.actions.seats import change_seats, undo_change
from scoring.actions.sheets_tarot import (
    correct_tarot_deal,
    record_tarot_deal,
    undo_last_deal,
    void_deal,
)
from scoring.actions.sheets_truco import (
    choose_first_dealer,
    correct_truco_line,
    record_truco_line,
    undo_last_truco_line,
    void_truco_line,
)
from scoring.actions.tentos import give_tento

__all__ = [
    "add_ranking",
    "ask_for_paper",
    "cancel_fixture",
    "change_confirmation",
    "change_provisional_hours",
    "change_ranking",
    "change_seats",
    "choose_first_dealer",
    "close_event",
    "confirm_row",
    "confirm_sheet",
    "correct_tarot_deal",
    "correct_truco_line",
    "decide_fixture",
    "declare_final",
    "declare_tie_breaks",
    "delete_ranking",
    "describe_list",
    "discard_list",
    "draw_fixtures",
    "draw_lots",
    "drop_fixtures",
    "enter_extra_game",
    "give_tento",
    "import_list",
    "merge_players",
    "note_dropped",
    "object_to_row",
    "pair_next_round",
    "penalise_entry",
    "penalise_side",
    "put_in_reserve",
    "rebuild_rankings",
    "record_ruling",
    "record_tarot_deal",
    "record_truco_line",
    "reopen_event",
    "send_list",
    "settle_objection",
    "side_leaves",
    "side_returns",
    "sign",
    "sign_sheet",
    "undo_change",
    "undo_extra_game",
    "undo_fixture",
    "undo_import",
    "undo_last_deal",
    "undo_last_truco_line",
    "unsign_sheet",
    "void_deal",
    "void_truco_line",
    "withdraw_ruling",
]
