"""A whole ranking counted from nothing: what a replay, a preview and an audit compare with.

Pure functions on values; going on from what is written down (``scoring.rankings.writing``) gives
the same lines, which tests and the nightly audit hold it to.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from scoring.rankings import rating
from scoring.rankings.lines import Evening, Line, Rated, Result, Way, line_of, places
from scoring.rankings.methods import Method, Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """The lines of a ranking with their places now and before the last evening."""

    lines: Mapping[int, Line]
    places: Mapping[int, int]
    previous_places: Mapping[int, int]
    steps: Sequence[rating.Step] = field(default=())


def way_of(method: Method, settings: Settings, evenings: Iterable[Evening]) -> Way:
    """Give how a ranking counts, with the last evening that belongs to it."""
    way = Way(method=method, settings=settings)
    taken = belonging(way, evenings)
    return Way(method=method, settings=settings, last_event=taken[-1].event if taken else None)


def belonging(way: Way, evenings: Iterable[Evening]) -> list[Evening]:
    """Give the evenings that belong to the ranking."""
    return [each for each in evenings if way.takes_event(each.kind, each.day)]


def count(way: Way, results: Sequence[Result]) -> Counted:
    """Count a ranking from all results of its season and game, the oldest evening first."""
    steps = rated_steps(way, results)
    ratings = {
        step.player: Rated(step.after.mu, step.after.sigma, (step.before.mu, step.before.sigma))
        for step in steps
    }
    lines = lines_of(way, results, ratings)
    return Counted(
        lines=lines,
        places=places({player: line.rank_key for player, line in lines.items()}),
        previous_places=places({player: line.before_key for player, line in lines.items()}),
        steps=steps,
    )


def rated_steps(
    way: Way, results: Iterable[Result], known: Mapping[int, rating.Rating] | None = None
) -> list[rating.Step]:
    """Rate the results that belong to the ranking, if it rates at all."""
    if way.method is not Method.RATING:
        return []
    return rating.rate((each for each in results if way.takes(each)), known or {})


def lines_of(way: Way, results: Iterable[Result], ratings: Mapping[int, Rated]) -> dict[int, Line]:
    """Count the lines of the players who have results here."""
    histories: dict[int, list[Result]] = {}
    for result in results:
        histories.setdefault(result.player, []).append(result)
    counted = {
        player: line_of(way, history, ratings.get(player)) for player, history in histories.items()
    }
    return {player: line for player, line in counted.items() if line is not None}
