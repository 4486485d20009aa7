"""The vachette: nobody takes, everybody plays for himself, the fewest card points win.

A house rule (the federation deals again). Only the order counts; ties share their places.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rules_engine.errors import Illegal, gettext_noop
from rules_engine.tarot.contracts import PACK_HALF_POINTS
from rules_engine.tarot.rulesets import Ruleset


@dataclass(frozen=True, slots=True, kw_only=True)
class VachetteScore:
    """Points and places in the order of the seats; 1 is the best place, ties share it."""

    scores: tuple[int, ...]
    places: tuple[int, ...]


def score_vachette(*, ruleset: Ruleset, half_points: Sequence[int]) -> VachetteScore:
    """Score a vachette by each player's card points, in half-points, in the order of the seats.

    The dog may count for nobody, so the points need not make 91. Refuses a ruleset without the
    vachette, another number of players, and points that no pack gives.
    """
    _check(ruleset, half_points)
    scale = dict(ruleset.vachette_scale)[ruleset.players]
    points, places = [], []
    for mine in half_points:
        before = sum(other < mine for other in half_points)
        level = sum(other == mine for other in half_points)
        # Rulesets have scales whose ties are whole.
        points.append(sum(scale[before : before + level]) // level)
        places.append(before + 1)
    return VachetteScore(scores=tuple(points), places=tuple(places))


def _check(ruleset: Ruleset, half_points: Sequence[int]) -> None:
    if ruleset.all_pass != "vachette":  # noqa: S105 - a pass in the bidding
        raise Illegal(
            gettext_noop("When nobody takes, these rules deal again: no vachette is played."),
            code="vachette_not_played",
            field="ruleset",
        )
    if len(half_points) != ruleset.players:
        raise Illegal(
            gettext_noop("A vachette needs the card points of all %(players)s players."),
            code="vachette_players",
            field="half_points",
            players=ruleset.players,
        )
    whole = all(type(mine) is int and mine >= 0 for mine in half_points)
    if not whole or sum(half_points) > PACK_HALF_POINTS:
        raise Illegal(
            gettext_noop("A tarot pack holds 91 points for all players together."),
            code="vachette_points",
            field="half_points",
        )
