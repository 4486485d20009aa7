"""Lines, places and ratings as rows: only those that differ are written.

A line that was counted again and came out the same is left alone, with its last change.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter
from typing import Any

from django.db import connection, models

from scoring.models import PlayerResult, Ranking, RankingRow, RatingStep
from scoring.rankings import facts, rating
from scoring.rankings.lines import Evening, Line, Rated, Result, Way
from scoring.rankings.methods import Method
from scoring.rankings.season import rated_steps
from tournaments.models import Event

ROWS_AT_ONCE = 1000
WRITTEN = (
    "points", "score", "rank_key", "before_key", "evenings", "evenings_counted", "deals_played",
    "history", "extras", "tie_breaks", "made_from",
)  # fmt: skip
LISTS = ("history", "extras", "tie_breaks")
#: What differs when only others or the season have moved on: the line itself is as it was.
ASIDE = ("before_key", "made_from")

PLACES = """
    UPDATE {rows} SET place = ranked.place, previous_place = ranked.previous_place
    FROM (
        SELECT id,
            CASE WHEN rank_key <> '' THEN RANK() OVER (
                PARTITION BY ranking_id, rank_key = '' ORDER BY rank_key DESC) END AS place,
            CASE WHEN before_key <> '' THEN RANK() OVER (
                PARTITION BY ranking_id, before_key = '' ORDER BY before_key DESC)
                END AS previous_place
        FROM {rows} WHERE ranking_id IN ({keys})
    ) AS ranked
    WHERE {rows}.id = ranked.id AND (
        {rows}.place IS DISTINCT FROM ranked.place
        OR {rows}.previous_place IS DISTINCT FROM ranked.previous_place)
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """Why a line is counted again, as the line remembers it."""

    cause: str
    event: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """What has changed in a season: results of players, of some evenings or of all."""

    reason: Reason
    #: Nothing for everybody.
    players: Mapping[int, Reason] | None = None
    events: frozenset[int] = frozenset()
    #: The order of the evenings, which every line is counted in, may be another one.
    may_have_moved: bool = False

    @property
    def touch_everybody(self) -> bool:
        return self.players is None or self.may_have_moved

    def reason_of(self, player: int) -> Reason:
        return (self.players or {}).get(player, self.reason)


def write_lines(
    ranking: Ranking,
    lines: Mapping[int, Line],
    touched: Collection[int] | None,
    changes: Changes,
    *,
    at: datetime,
    wholly: bool = True,
) -> bool:
    """Write the lines that differ and remove those that are gone; tell whether any did.

    Not ``wholly``, lists are not compared where their fingerprint, sums and keys agree.
    """
    compared = WRITTEN if wholly else tuple(name for name in WRITTEN if name not in LISTS)
    rows = RankingRow.objects.filter(ranking=ranking)
    if touched is not None:
        rows = rows.filter(player__in=touched)
    known = {player: values for player, *values in rows.values_list("player", *compared)}
    values_of = attrgetter(*compared)
    changed = [line for who, line in lines.items() if known.get(who) != [*values_of(line)]]
    if changed:
        _write_changed(ranking, changed, known, changes, compared, at=at)
    if gone := known.keys() - lines.keys():
        RankingRow.objects.filter(ranking=ranking, player__in=gone).delete()
    return bool(changed or gone)


def _write_changed(
    ranking: Ranking,
    lines: Sequence[Line],
    known: Mapping[int, object],
    changes: Changes,
    compared: Sequence[str],
    *,
    at: datetime,
) -> None:
    own = RankingRow.objects.filter(
        ranking=ranking, player__in=known.keys() & {line.player for line in lines}
    )
    old = {row.player_id: row for row in own.defer(*(set(LISTS) - set(compared)))}
    RankingRow.objects.bulk_create(
        [
            _row(
                ranking, each, old.get(each.player), changes.reason_of(each.player), compared, at=at
            )
            for each in lines
        ],
        batch_size=ROWS_AT_ONCE,
        update_conflicts=True,
        unique_fields=["ranking", "player"],
        update_fields=[*WRITTEN, "changed_at", "last_change"],
    )


def _is_same(row: RankingRow, line: Line, compared: Sequence[str]) -> bool:
    return all(getattr(row, name) == getattr(line, name) for name in compared)


def _row(
    ranking: Ranking,
    line: Line,
    old: RankingRow | None,
    reason: Reason,
    compared: Sequence[str],
    *,
    at: datetime,
) -> RankingRow:
    told: dict[str, Any] = {"cause": reason.cause, "event": reason.event, "before": None}
    if old is not None and _is_same(old, line, [name for name in compared if name not in ASIDE]):
        at, told = old.changed_at, old.last_change
    elif old is not None:
        told["before"] = {"score": old.score, "place": old.place}
        told["since"] = old.changed_at.isoformat()
    return RankingRow(
        ranking=ranking,
        player_id=line.player,
        **{name: getattr(line, name) for name in WRITTEN},
        changed_at=at,
        last_change=told,
    )


def set_places(ranking_ids: Sequence[int]) -> None:
    """Set all places of the rankings, now and before their last evenings, in one statement."""
    keys = ", ".join(str(int(key)) for key in ranking_ids)
    table = RankingRow._meta.db_table  # noqa: SLF001 - Django's own documented door
    with connection.cursor() as cursor:
        cursor.execute(PLACES.format(rows=table, keys=keys))


# Ratings


def write_ratings(
    ranking: Ranking,
    how: Way,
    evenings: Sequence[Evening],
    changes: Changes,
    results: Sequence[Result] | None,
) -> set[int]:
    """Rate the evenings from the first changed one on; give whose ratings changed."""
    later = _evenings_to_rate(ranking, how, evenings, changes)
    if later is not None and not later and not changes.events:
        return set()
    steps = RatingStep.objects.filter(ranking=ranking)
    if later is None:
        if results is None:
            results = facts.read(facts.results_of(ranking.season_id, ranking.game))
        new = rated_steps(how, results)
        return _write_steps(ranking, new, steps)
    kept = steps.exclude(event__in=[*later, *changes.events])
    known = _last_ratings(kept)
    rated = facts.read(PlayerResult.objects.filter(event__in=later))
    new = rated_steps(how, rated, {who: rating.Rating(r.mu, r.sigma) for who, r in known.items()})
    return _write_steps(ranking, new, steps.filter(event__in=[*later, *changes.events]))


def _evenings_to_rate(
    ranking: Ranking, how: Way, evenings: Sequence[Evening], changes: Changes
) -> list[int] | None:
    """Give the evenings from the first changed one on, or nothing for all of them."""
    if changes.touch_everybody or ranking.computed_at is None:
        return None
    changed = Event.objects.filter(pk__in=changes.events).order_by("starts_at", "pk").first()
    if changed is None:
        return []
    later = Event.objects.filter(pk__in=[each.event for each in evenings]).filter(
        models.Q(starts_at__gt=changed.starts_at)
        | models.Q(starts_at=changed.starts_at, pk__gte=changed.pk)
    )
    return list(later.values_list("pk", flat=True))


def _write_steps(
    ranking: Ranking, new: Iterable[rating.Step], old: models.QuerySet[RatingStep]
) -> set[int]:
    known = {(step.event_id, step.player_id): step for step in old}
    made = {(step.event, step.player): step for step in new}
    changed = [
        _step(ranking, step) for key, step in made.items() if not _is_rated_so(known.get(key), step)
    ]
    RatingStep.objects.bulk_create(
        changed,
        batch_size=ROWS_AT_ONCE,
        update_conflicts=True,
        unique_fields=["ranking", "event", "player"],
        update_fields=["mu_before", "sigma_before", "mu", "sigma"],
    )
    gone = [step for key, step in known.items() if key not in made]
    RatingStep.objects.filter(pk__in=[step.pk for step in gone]).delete()
    return {step.player_id for step in (*changed, *gone)}


def _is_rated_so(old: RatingStep | None, new: rating.Step) -> bool:
    return old is not None and (
        (old.mu_before, old.sigma_before) == new.before and (old.mu, old.sigma) == new.after
    )


def _step(ranking: Ranking, step: rating.Step) -> RatingStep:
    return RatingStep(
        ranking=ranking,
        event_id=step.event,
        player_id=step.player,
        mu_before=step.before.mu,
        sigma_before=step.before.sigma,
        mu=step.after.mu,
        sigma=step.after.sigma,
    )


def ratings(ranking: Ranking, how: Way, players: Collection[int] | None) -> dict[int, Rated]:
    if how.method is not Method.RATING:
        return {}
    steps = RatingStep.objects.filter(ranking=ranking)
    return _last_ratings(steps if players is None else steps.filter(player__in=players))


def _last_ratings(steps: models.QuerySet[RatingStep]) -> dict[int, Rated]:
    """Give each player's last step, by the time of its evening."""
    # "event" alone would be sorted by, the other way round, as evenings are listed.
    rows = steps.order_by("event__starts_at", "event_id").values_list(
        "player", "mu", "sigma", "mu_before", "sigma_before"
    )
    return {player: Rated(mu, sigma, (m, s)) for player, mu, sigma, m, s in rows}
