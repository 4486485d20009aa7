"""The audit: everything is counted from the sheets again and compared with what is written down.

There should be no difference. Where there is one it is reported, and a mark calls for a recount.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from django.db import transaction

from clubs.models import Season
from scoring.models import (
    PlayerResult,
    Ranking,
    RankingRow,
    RatingStep,
    StaleRanking,
    StaleStandings,
)
from scoring.rankings import facts, rows, writing
from scoring.rankings.season import Counted, count
from tournaments.models import Entry, Event

type Finding = dict[str, Any]

#: What the standings write down on an entry.
OF_AN_ENTRY = (
    "points", "sheet_points", "ruled_points", "deals_played", "place", "previous_place",
    "round_points", "tie_breaks", "tally",
)  # fmt: skip


def audit(season: Season, *, recount: Callable[[Event], None]) -> Iterator[Finding]:
    """Compare the season's standings, results and rankings with a replay; nothing is changed.

    What is known to be old, because a mark says so, is left to whoever counts it. The caller
    holds the season's row locked.
    """
    waiting = set(
        StaleStandings.objects.filter(event__season=season).values_list("event", flat=True)
    )
    closed = Event.objects.filter(season=season, state=Event.State.CLOSED).order_by("pk")
    for event in closed.exclude(pk__in=waiting).select_for_update(of=("self",), no_key=True):
        yield from _standings(event, recount)
    if waiting or StaleRanking.objects.filter(season=season).exists():
        return
    yield from _results(season)
    for ranking in Ranking.objects.filter(season=season):
        yield from _ranking(ranking)


def _standings(event: Event, recount: Callable[[Event], None]) -> Iterator[Finding]:
    before, after = _before_and_after(lambda: recount(event), lambda: _entries(event))
    found = list(_differences(before, after, {"season": event.season_id, "event": event.pk}))
    if found:
        StaleStandings.objects.create(event=event)
    yield from found


def _entries(event: Event) -> dict[int, dict[str, Any]]:
    stored = Entry.objects.filter(event=event).values("pk", *OF_AN_ENTRY)
    return {row.pop("pk"): row for row in stored}


def _results(season: Season) -> Iterator[Finding]:
    before, after = _before_and_after(
        lambda: facts.write(facts.Scope(seasons=[season.pk])), lambda: _player_results(season)
    )
    found = list(_differences(before, after, {"season": season.pk, "what": "results"}))
    if found:
        StaleRanking.objects.create(season=season)
    yield from found


def _player_results(season: Season) -> dict[Any, dict[str, Any]]:
    stored = PlayerResult.objects.of_season(season.pk).values()
    return {(row["event_id"], row["player_id"]): row for row in stored}


def _before_and_after[Rows](
    change: Callable[[], None], look: Callable[[], Rows]
) -> tuple[Rows, Rows]:
    """Look, change, look again, and take the change back."""
    before = look()
    with transaction.atomic():
        change()
        after = look()
        transaction.set_rollback(True)
    return before, after


def _ranking(ranking: Ranking) -> Iterator[Finding]:
    evenings = writing.evenings_of(ranking)
    try:
        how = writing.way(ranking, evenings)
    except ValueError as fault:
        yield {"season": ranking.season_id, "ranking": ranking.pk, "failure": str(fault)}
        return
    counted = count(how, facts.read(facts.results_of(ranking.season_id, ranking.game)))
    where = {"season": ranking.season_id, "ranking": ranking.pk}
    found = [
        *_differences(_rows(ranking), _as_rows(counted), where),
        *_differences(_steps(ranking), _as_steps(counted), where | {"what": "rating"}),
    ]
    if found:
        StaleRanking.objects.create(season_id=ranking.season_id, ranking=ranking)
    yield from found


def _rows(ranking: Ranking) -> dict[int, dict[str, Any]]:
    columns = ("player", "place", "previous_place", *rows.WRITTEN)
    stored = RankingRow.objects.filter(ranking=ranking).values(*columns)
    return {row.pop("player"): row for row in stored}


def _as_rows(counted: Counted) -> dict[int, dict[str, Any]]:
    return {
        player: {
            "place": counted.places.get(player),
            "previous_place": counted.previous_places.get(player),
            **{name: getattr(line, name) for name in rows.WRITTEN},
        }
        for player, line in counted.lines.items()
    }


def _steps(ranking: Ranking) -> dict[Any, dict[str, Any]]:
    stored = RatingStep.objects.filter(ranking=ranking)
    return {
        (row.event_id, row.player_id): {
            "before": (row.mu_before, row.sigma_before),
            "after": (row.mu, row.sigma),
        }
        for row in stored
    }


def _as_steps(counted: Counted) -> dict[Any, dict[str, Any]]:
    return {
        (step.event, step.player): {"before": tuple(step.before), "after": tuple(step.after)}
        for step in counted.steps
    }


def _differences[Key](
    stored: dict[Key, dict[str, Any]], counted: dict[Key, dict[str, Any]], where: Finding
) -> Iterator[Finding]:
    for key in sorted(stored.keys() | counted.keys(), key=str):
        old, new = stored.get(key, {}), counted.get(key, {})
        fields = sorted(name for name in old.keys() | new.keys() if old.get(name) != new.get(name))
        if fields:
            yield {
                **where,
                "key": key,
                "stored": {name: old.get(name) for name in fields},
                "counted": {name: new.get(name) for name in fields},
            }
