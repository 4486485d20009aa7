"""What happens to sheets and evenings; each action is one transaction."""

from __future__ import annotations

from scoring.actions.evenings import close_event, reopen_event
from scoring.actions.players import merge_players
from scoring.actions.rulings import record_ruling, withdraw_ruling
from scoring.actions.sheets import (
    correct_tarot_deal,
    record_tarot_deal,
    undo_last_deal,
    void_deal,
)

__all__ = [
    "close_event",
    "correct_tarot_deal",
    "merge_players",
    "record_ruling",
    "record_tarot_deal",
    "reopen_event",
    "undo_last_deal",
    "void_deal",
    "withdraw_ruling",
]
