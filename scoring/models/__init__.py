"""What happens on the score sheet, and what is counted from it."""

from __future__ import annotations

from scoring.models.imports import ResultsImport
from scoring.models.papers import PaperJob
from scoring.models.rankings import (
    CountingJob,
    PlayerResult,
    Ranking,
    RankingRow,
    RatingStep,
)
from scoring.models.rows import SheetRow
from scoring.models.sheets import Confirmation, SheetEvent
from scoring.models.staleness import StaleRanking, StaleStandings
from scoring.models.tarot import Mark, TarotDeal
from scoring.models.truco import TrucoLine

__all__ = [
    "Confirmation",
    "CountingJob",
    "Mark",
    "PaperJob",
    "PlayerResult",
    "Ranking",
    "RankingRow",
    "RatingStep",
    "ResultsImport",
    "SheetEvent",
    "SheetRow",
    "StaleRanking",
    "StaleStandings",
    "TarotDeal",
    "TrucoLine",
]
