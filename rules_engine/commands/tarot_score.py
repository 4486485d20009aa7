"""``tarot-score``: one deal a line, its scores and the lines that explain them."""

from __future__ import annotations

from collections.abc import Mapping

from rules_engine import tarot
from rules_engine.commands import LineCommand

#: What a line may carry besides the deal, so that files of cases can be piped in as they are.
REMARKS = frozenset({"id", "scores", "source", "note"})

#: A line that names no ruleset is scored by the federation's formula as it stands: whole sheets
#: are checked long after the cards are gone. ``"ruleset": "fft"`` also asks what cards can give.
DEFAULT_RULESET = tarot.PRESETS["fft-formula"]


def answer(value: object) -> object:
    """Score one deal; refuses what cannot be read or cannot be."""
    if isinstance(value, Mapping):
        value = {name: given for name, given in value.items() if name not in REMARKS}
    deal = tarot.Deal.from_json(value, default=DEFAULT_RULESET)
    return tarot.score_deal(deal).to_json()


COMMAND = LineCommand(
    summary="score a deal of tarot: contract, points and announcements in, scores and why out",
    answer=answer,
)
