"""How seating refuses: in the manner of the engine, with a code, a sentence and its gaps."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from rules_engine.errors import Illegal, gettext_noop

__all__ = ["SeatingError", "gettext_noop", "refuse_twice"]


class SeatingError(Illegal):
    """A round that cannot be seated as asked; ``code`` is stable, ``sentence`` says why."""


def refuse_twice(players: Iterable[int], *, field: str = "roster") -> None:
    """Refuse a player who is named twice."""
    for one, other in pairwise(sorted(players)):
        if one == other:
            raise SeatingError(
                gettext_noop("Player %(player)s is in the roster twice."),
                code="player_twice",
                field=field,
                player=one,
            )
