"""Who is equal at the last place of a stage, and what was decided between them.

The tie-breaks of the event have their say in the places. Whoever is equal after them is never
parted by his number: an extra deal or the lot decides, and the journal holds it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tournaments import placing
from tournaments.models import JournalLine, Stage
from tournaments.stages import present_entries, ranking_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Tie:
    """Players by their keys who share the last place of a stage, and how many of them go on."""

    stage: Stage
    equal: tuple[int, ...]
    places: int


def tie_at(stage: Stage) -> Tie | None:
    """The tie at the cut of a stage among those present; nothing where the cut is clear."""
    if stage.qualifiers is None or stage.rounds.published().exists():
        return None
    ranking = ranking_of(present_entries(stage))
    if not stage.qualifiers <= len(ranking):
        return None
    best = placing.cut(ranking, stage.qualifiers)
    if not best.equal_out:
        return None
    equal = tuple(sorted((*best.equal_in, *best.equal_out)))
    return Tie(stage=stage, equal=equal, places=len(best.equal_in))


def decision_on(tie: Tie) -> Mapping[str, Any] | None:
    """What was last decided between exactly these players for exactly so many places."""
    lines = tie.stage.event.journal.filter(
        kind=JournalLine.Kind.CUT_DECIDED, details__stage=tie.stage.number
    )
    for line in lines.order_by("-pk"):
        details: Mapping[str, Any] = line.details
        if tuple(details["equal"]) == tie.equal and len(details["players"]) == tie.places:
            return details
    return None
