"""Rankings as rows: only the lines that may have changed are counted, and all places set at once.

Whoever calls holds the season's row locked and has read the marks before anything else. A ranking
that cannot be counted keeps its old lines, says why, and is tried again later; the others go on.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import datetime, timedelta

from django.db import models, transaction
from django.utils import timezone

from scoring.models import PlayerResult, Ranking, StaleRanking
from scoring.rankings import facts, rows
from scoring.rankings.lines import Evening, Result, Way
from scoring.rankings.methods import PRESETS, Method, Settings
from scoring.rankings.rows import Changes, Reason
from scoring.rankings.season import belonging, lines_of, way_of
from tournaments.models import Event

log = logging.getLogger(__name__)

#: The evenings of a season and game, the oldest first.
type Evenings = dict[tuple[int, str], list[Evening]]

#: After so many failures a ranking rests longer and longer before it is tried again, up to an hour.
FIRST_REST = timedelta(seconds=20)
LONGEST_REST = timedelta(hours=1)
LONGEST_FAILURE = 200


def refresh(season_id: int, marks: Sequence[StaleRanking], *, at: datetime) -> None:
    """Count what the marks say is old; each mark is of this season."""
    changes = _changes(season_id, marks)
    rankings = ensure(season_id)
    asked = {mark.ranking_id for mark in marks if mark.ranking_id}
    evenings = _evenings([season_id])
    for ranking in rankings:
        if _is_resting(ranking, at):
            StaleRanking.objects.create(season_id=season_id, ranking=ranking)
            continue
        whole = ranking.pk in asked and not changes.touch_everybody
        told = Changes(reason=_reason_for(ranking, marks)) if whole else changes
        _guarded(ranking, evenings.get((season_id, ranking.game), []), told, at=at)


def rebuild(
    season_ids: Sequence[int], *, recount: Callable[[int], None], at: datetime
) -> list[Ranking]:
    """Count seasons from their sheets on, set by set; give the rankings that could not be."""
    facts.write_many(facts.Scope(seasons=season_ids), recount=recount)
    evenings = _evenings(season_ids)
    changes = Changes(reason=Reason(cause=StaleRanking.Cause.REBUILD))
    counted: list[Ranking] = []
    failed: list[Ranking] = []
    for key, rankings in _by_season_and_game(_ensured(season_ids)).items():
        own = evenings.get(key, [])
        results = facts.read(facts.results_of(*key), _by_key(own))
        for ranking in rankings:
            done = _guarded(ranking, own, changes, at=at, results=results)
            (counted if done else failed).append(ranking)
    rows.set_places([ranking.pk for ranking in counted])
    _note_counted(counted, at=at)
    return failed


def _by_season_and_game(rankings: Iterable[Ranking]) -> dict[tuple[int, str], list[Ranking]]:
    found: dict[tuple[int, str], list[Ranking]] = {}
    for ranking in rankings:
        found.setdefault((ranking.season_id, ranking.game), []).append(ranking)
    return found


def ensure(season_id: int) -> list[Ranking]:
    """Give the season's rankings; the first one of each game that is played makes itself."""
    return _ensured([season_id])


def _ensured(season_ids: Sequence[int]) -> list[Ranking]:
    """Give the rankings of many seasons, as ``ensure`` does."""
    rankings: dict[int, list[Ranking]] = {season_id: [] for season_id in season_ids}
    for ranking in Ranking.objects.filter(season__in=season_ids):
        rankings[ranking.season_id].append(ranking)
    closed = Event.objects.filter(season__in=season_ids, state=Event.State.CLOSED).order_by()
    played: dict[int, set[str]] = {season_id: set() for season_id in season_ids}
    for season_id, game in closed.values_list("season", "game").distinct():
        played[season_id].add(game)
    for season_id, own in rankings.items():
        _make_missing(season_id, own, played[season_id])
    return [ranking for own in rankings.values() for ranking in own]


def _make_missing(season_id: int, rankings: list[Ranking], played: Collection[str]) -> None:
    known = {ranking.game for ranking in rankings}
    if not known and not played:
        played = [Event.Game.TAROT]
    for game in sorted(played):
        if game not in known:
            rankings.append(_first_of(season_id, game, order=len(rankings)))


def _first_of(season_id: int, game: str, *, order: int) -> Ranking:
    preset = next(preset for preset in PRESETS if preset.game == game)
    return Ranking.objects.create(
        season_id=season_id,
        game=game,
        method=preset.method,
        settings=preset.settings.to_json(),
        order=order,
    )


def evenings_of(ranking: Ranking) -> list[Evening]:
    """Give the evenings with results of the ranking's season and game, the oldest first."""
    return _evenings([ranking.season_id]).get((ranking.season_id, ranking.game), [])


def way(ranking: Ranking, evenings: Iterable[Evening]) -> Way:
    """Give how the ranking counts; refuses settings that are not understood."""
    return way_of(Method(ranking.method), Settings.from_json(ranking.settings), evenings)


# What has changed


def _changes(season_id: int, marks: Sequence[StaleRanking]) -> Changes:
    of_season = (mark for mark in marks if mark.event_id is None and mark.ranking_id is None)
    if (mark := next(of_season, None)) is not None:
        facts.write(facts.Scope(seasons=[season_id]))
        return Changes(reason=Reason(cause=mark.cause))
    reasons = {
        mark.event_id: Reason(cause=mark.cause, event=mark.event_id)
        for mark in marks
        if mark.event_id
    }
    if not reasons:
        return Changes(reason=_latest(marks), players={})
    # An evening that was open in between may be of another day since, or of another season.
    closed = {mark.event_id for mark in marks if mark.cause == StaleRanking.Cause.CLOSED}
    return Changes(
        reason=_latest(marks),
        players={player: reasons[event] for event, player in _written_anew(reasons, wholly=closed)},
        events=frozenset(reasons),
        may_have_moved=any(mark.cause == StaleRanking.Cause.REOPENED for mark in marks),
    )


def _written_anew(
    events: Iterable[int], *, wholly: Collection[int | None]
) -> list[tuple[int, int]]:
    """Write down what the evenings gave; give evening and player of all results that differ.

    Of those that are counted ``wholly`` every result differs.
    """
    scope = facts.Scope(events=sorted(events))
    before = _results_in(scope)
    facts.write(scope)
    after = _results_in(scope)
    return [
        key
        for key in sorted(before.keys() | after.keys())
        if key[0] in wholly or before.get(key) != after.get(key)
    ]


def _results_in(scope: facts.Scope) -> dict[tuple[int, int], Result]:
    held = PlayerResult.objects.filter(event__in=scope.events)
    return {(each.event, each.player): each for each in facts.read(held)}


def _latest(marks: Sequence[StaleRanking]) -> Reason:
    return Reason(cause=marks[-1].cause, event=marks[-1].event_id)


def _reason_for(ranking: Ranking, marks: Sequence[StaleRanking]) -> Reason:
    return _latest([mark for mark in marks if mark.ranking_id == ranking.pk])


def _evenings(season_ids: Sequence[int]) -> Evenings:
    held = models.Exists(PlayerResult.objects.filter(event=models.OuterRef("pk")))
    events = (
        Event.objects.filter(held, season__in=season_ids, state=Event.State.CLOSED)
        .order_by("starts_at", "pk")
        .values_list("season", "game", "pk", "kind", "starts_at")
    )
    found: Evenings = {}
    for season, game, event, kind, starts_at in events:
        evening = Evening(event, kind, timezone.localdate(starts_at))
        found.setdefault((season, game), []).append(evening)
    return found


# One ranking


def _guarded(
    ranking: Ranking,
    evenings: Sequence[Evening],
    changes: Changes,
    *,
    at: datetime,
    results: Sequence[Result] | None = None,
) -> bool:
    """Count a ranking; when it fails, the reason is kept and a mark calls for another try."""
    try:
        with transaction.atomic():
            _count(ranking, evenings, changes, at=at, results=results)
    except Exception as fault:
        log.exception("Ranking %s could not be counted", ranking.pk)
        remember_failure([ranking], fault, at=at)
        StaleRanking.objects.create(season_id=ranking.season_id, ranking=ranking)
        return False
    return True


def remember_failure(rankings: Iterable[Ranking], fault: Exception, *, at: datetime) -> None:
    """Write down why rankings could not be counted, for those who look after the club."""
    words = f"{type(fault).__name__}: {fault}"[:LONGEST_FAILURE]
    Ranking.objects.filter(pk__in=[ranking.pk for ranking in rankings]).update(
        failure=words, failed_at=at, failures=models.F("failures") + 1
    )


def _is_resting(ranking: Ranking, at: datetime) -> bool:
    if ranking.failed_at is None:
        return False
    rest = min(FIRST_REST * 2 ** min(ranking.failures, 10), LONGEST_REST)
    return bool(at < ranking.failed_at + rest)


def _count(
    ranking: Ranking,
    evenings: Sequence[Evening],
    changes: Changes,
    *,
    at: datetime,
    results: Sequence[Result] | None,
) -> None:
    how = way(ranking, evenings)
    # The nightly audit looks into the lists of every line; a rebuild of millions does not, and
    # finishes all its rankings at once.
    wholly = results is None
    touched = _touched(ranking, how, changes)
    if touched is None and results is None:
        results = facts.read(facts.results_of(ranking.season_id, ranking.game), _by_key(evenings))
    if how.method is Method.RATING:
        rated = rows.write_ratings(ranking, how, evenings, changes, results)
        touched = None if touched is None else touched | rated
    if touched is None or touched:
        if results is None:
            own = facts.results_of(ranking.season_id, ranking.game).filter(player__in=touched or ())
            results = facts.read(own, _by_key(evenings))
        lines = lines_of(how, results, rows.ratings(ranking, how, touched))
        moved = rows.write_lines(ranking, lines, touched, changes, at=at, wholly=wholly)
        if wholly and (moved or touched is None):
            rows.set_places([ranking.pk])
    _note_evenings(ranking, how, evenings)
    if wholly:
        _note_counted([ranking], at=at)


def _by_key(evenings: Iterable[Evening]) -> dict[int, Evening]:
    return {each.event: each for each in evenings}


def _note_evenings(ranking: Ranking, how: Way, evenings: Sequence[Evening]) -> None:
    seen = len(belonging(how, evenings)), how.last_event
    if seen == (ranking.evenings, ranking.last_event_id):
        return
    ranking.evenings, ranking.last_event_id = seen
    ranking.save(update_fields=["evenings", "last_event"])


def _note_counted(rankings: Iterable[Ranking], *, at: datetime) -> None:
    Ranking.objects.filter(pk__in=[ranking.pk for ranking in rankings]).update(
        computed_at=at, failure="", failed_at=None, failures=0
    )


def _touched(ranking: Ranking, how: Way, changes: Changes) -> set[int] | None:
    """Give whose lines may change: who has a changed result, and who played a last evening."""
    if changes.touch_everybody or ranking.computed_at is None:
        return None
    touched = set(changes.players or ())
    if how.last_event != ranking.last_event_id:
        last = PlayerResult.objects.filter(event__in=[how.last_event, ranking.last_event_id])
        touched |= set(last.values_list("player", flat=True))
    return touched
