"""``truco-play``: one hand a line, its rounds, winner and points out."""

from __future__ import annotations

from rules_engine import truco
from rules_engine.commands import LineCommand

#: A line that names no ruleset is played by the seed's truco paulista.
DEFAULT_RULESET = truco.PRESETS["paulista"]


def answer(value: object) -> object:
    """Play one hand; refuses what cannot be read, or cannot be dealt."""
    return truco.play_again(value, default=DEFAULT_RULESET)


COMMAND = LineCommand(
    summary="play a hand of truco: cards and events in, rounds, winner and points out",
    answer=answer,
)
