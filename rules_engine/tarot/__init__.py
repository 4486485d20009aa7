"""French tarot: the front door of the game."""

from __future__ import annotations

from rules_engine.tarot import mouche
from rules_engine.tarot.contracts import (
    HALF_POINTS_NEEDED,
    PACK_HALF_POINTS,
    Bouts,
    Called,
    Contract,
    MisereKind,
    PoigneeSize,
    Side,
)
from rules_engine.tarot.deals import NO_CHELEM, Chelem, Deal, Misere, Poignee
from rules_engine.tarot.lines import Line
from rules_engine.tarot.presets import PRESETS, ruleset
from rules_engine.tarot.rulesets import Ruleset
from rules_engine.tarot.scores import DealScore, score_deal, score_order
from rules_engine.tarot.scoring_table import scoring_table
from rules_engine.tarot.vachette import VachetteScore, score_vachette

__all__ = [
    "HALF_POINTS_NEEDED",
    "NO_CHELEM",
    "PACK_HALF_POINTS",
    "PRESETS",
    "Bouts",
    "Called",
    "Chelem",
    "Contract",
    "Deal",
    "DealScore",
    "Line",
    "Misere",
    "MisereKind",
    "Poignee",
    "PoigneeSize",
    "Ruleset",
    "Side",
    "VachetteScore",
    "mouche",
    "ruleset",
    "score_deal",
    "score_order",
    "score_vachette",
    "scoring_table",
]
