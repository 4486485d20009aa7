"""What happens to sheets and evenings; each action is one transaction."""

from __future__ import annotations

from scoring.actions.sheets import (
    correct_tarot_deal,
    record_tarot_deal,
    undo_last_deal,
    void_deal,
)

__all__ = ["correct_tarot_deal", "record_tarot_deal", "undo_last_deal", "void_deal"]
