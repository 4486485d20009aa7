"""The formats of a tournament as data.

Standard library only; rounds and stages count from 1. ::

    from tournaments.formats import PRESETS, format_from_json, problems

    PRESETS["6x4"]                    # Format(name, stages, team_size, leftovers)
    replace(PRESETS["6x4"], leftovers=Leftovers.FIVES)      # a change is checked as it is made
    plan.to_json(), format_from_json(data)
    plan.stage_of(6)                  # (stage, round within it) of the event's sixth round
    plan.stages[0].placement(2)       # how the players of its second round are placed
    plan.entries_in(2, entries=68)    # how many play the second stage
    problems(plan, entries=20)        # Problem(reason=Reason(...), blocks=True) ...

The name of a preset is a sentence to translate; a director's own name is not. Refusals are
``Illegal`` (code, field, sentence, gaps): rounds_outside, deals_outside, minutes_outside,
best_outside, deals_or_minutes, placements, carry_factor, breaks_after, stages, best_of_nothing,
team_size, no_such_round; and ``Unreadable``: unreadable_format.
"""

from __future__ import annotations

from tournaments.formats.presets import PRESETS
from tournaments.formats.problems import Problem, problems
from tournaments.formats.storing import format_from_json
from tournaments.formats.values import Format, StagePlan
from tournaments.placing import Placement

__all__ = [
    "PRESETS",
    "Format",
    "Placement",
    "Problem",
    "StagePlan",
    "format_from_json",
    "problems",
]
