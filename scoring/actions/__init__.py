"""What happens to sheets and evenings; each action is one transaction."""

from __future__ import annotations

from scoring.actions.evenings import close_event, reopen_event
from scoring.actions.papers import ask_for_paper
from scoring.actions.players import merge_players
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

__all__ = [
    "ask_for_paper",
    "change_provisional_hours",
    "change_seats",
    "close_event",
    "correct_tarot_deal",
    "declare_final",
    "declare_tie_breaks",
    "merge_players",
    "record_ruling",
    "record_tarot_deal",
    "reopen_event",
    "undo_change",
    "undo_last_deal",
    "void_deal",
    "withdraw_ruling",
]
