"""Ratings of a season: every evening is one game of many sides, ordered by its places.

The arithmetic is that of the library openskill (Plackett-Luce). Ratings are whole millionths and
each evening starts from them as they are stored, so that going on from the middle of a season gives
what a replay from its first day gives.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from typing import Any, NamedTuple

from scoring.rankings.lines import Result

UNIT = 1_000_000


class Rating(NamedTuple):
    """How strong somebody is, and how unsure that is; in millionths."""

    mu: int
    sigma: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A player's rating before and after one evening."""

    event: int
    player: int
    before: Rating
    after: Rating


def newcomer() -> Rating:
    """Give the rating of somebody who has not played yet."""
    model = _model()
    return Rating(round(model.mu * UNIT), round(model.sigma * UNIT))


def rate(results: Iterable[Result], known: Mapping[int, Rating]) -> list[Step]:
    """Rate evening after evening, going on from what is known; results come evening by evening."""
    ratings = dict(known)
    steps: list[Step] = []
    for event, evening in groupby(results, key=lambda result: result.event):
        for step in _rate_evening(event, list(evening), ratings):
            ratings[step.player] = step.after
            steps.append(step)
    return steps


def _rate_evening(
    event: int, results: Sequence[Result], ratings: Mapping[int, Rating]
) -> list[Step]:
    sides: dict[int, list[Result]] = {}
    for result in sorted(results, key=lambda each: (each.place or each.entries + 1, each.entry)):
        sides.setdefault(result.entry, []).append(result)
    before = {each.player: ratings.get(each.player) or newcomer() for each in results}
    after = _played(list(sides.values()), before) if len(sides) > 1 else before
    return [
        Step(event=event, player=each.player, before=before[each.player], after=after[each.player])
        for each in results
    ]


def _played(sides: Sequence[Sequence[Result]], before: Mapping[int, Rating]) -> dict[int, Rating]:
    model = _model()
    teams = [
        [
            model.rating(mu=before[each.player].mu / UNIT, sigma=before[each.player].sigma / UNIT)
            for each in side
        ]
        for side in sides
    ]
    ranks = [float(side[0].place or side[0].entries + 1) for side in sides]
    rated = model.rate(teams, ranks=ranks)
    return {
        each.player: Rating(round(new.mu * UNIT), round(new.sigma * UNIT))
        for side, team in zip(sides, rated, strict=True)
        for each, new in zip(side, team, strict=True)
    }


@cache
def _model() -> Any:
    # Only a worker that rates needs it: not every page waits for its import.
    from openskill.models import PlackettLuce  # noqa: PLC0415

    return PlackettLuce()
