"""Rebuilds and audits: seasons in portions, each in a transaction of its own, with progress.

A job that is killed begins again: counting the same rows twice changes nothing.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence

from django.db import models, transaction
from django.utils import timezone

from clubs.models import Season
from scoring.models import CountingJob, Ranking, StaleRanking
from scoring.rankings import auditing, writing
from tournaments.models import Event

log = logging.getLogger(__name__)

#: About a million deals: as much as one transaction should hold its seasons for.
EVENINGS_AT_ONCE = 5000
FINDINGS_KEPT = 200

type Recount = Callable[[Event], None]
type Portion = list[tuple[int, int]]


def run(job: CountingJob, *, recount: Recount, tell: Callable[[CountingJob], None]) -> None:
    """Do the job from its beginning and tell after each portion how far it is."""
    seasons = _seasons(job)
    _begin(job, total=sum(evenings for _season, evenings in seasons))
    tell(job)
    once = EVENINGS_AT_ONCE if job.kind == CountingJob.Kind.REBUILD else 1
    for portion in _portions(seasons, once):
        keys = [season for season, _evenings in portion]
        _note(job, _done(job, keys, recount), evenings=sum(count for _season, count in portion))
        tell(job)
    job.state, job.finished_at = CountingJob.State.DONE, timezone.now()
    job.save(update_fields=["state", "finished_at"])
    tell(job)


def fail(job: CountingJob, fault: Exception) -> None:
    """Say that the job was given up."""
    job.findings = [*job.findings, {"failure": f"{type(fault).__name__}: {fault}"}]
    job.state, job.finished_at = CountingJob.State.FAILED, timezone.now()
    job.save(update_fields=["state", "finished_at", "findings"])


def _seasons(job: CountingJob) -> list[tuple[int, int]]:
    closed = models.Count("events", filter=models.Q(events__state=Event.State.CLOSED))
    seasons = Season.objects.order_by("pk").annotate(evenings=closed)
    if job.club_id is not None:
        seasons = seasons.filter(club=job.club_id)
    return list(seasons.values_list("pk", "evenings"))


def _portions(seasons: Sequence[tuple[int, int]], most: int) -> Iterator[Portion]:
    portion: Portion = []
    for season, evenings in seasons:
        if portion and sum(count for _key, count in portion) + evenings > most:
            yield portion
            portion = []
        portion.append((season, evenings))
    if portion:
        yield portion


def _begin(job: CountingJob, *, total: int) -> None:
    job.state, job.started_at, job.seen_at = (
        CountingJob.State.RUNNING,
        timezone.now(),
        timezone.now(),
    )
    job.evenings_done, job.evenings_total = 0, total
    job.findings, job.findings_count = [], 0
    job.save()


def _note(job: CountingJob, findings: list[auditing.Finding], *, evenings: int) -> None:
    job.evenings_done += evenings
    job.seen_at = timezone.now()
    job.findings = [*job.findings, *findings][:FINDINGS_KEPT]
    job.findings_count += len(findings)
    job.save(update_fields=["evenings_done", "seen_at", "findings", "findings_count"])


def _done(job: CountingJob, seasons: list[int], recount: Recount) -> list[auditing.Finding]:
    if job.kind == CountingJob.Kind.AUDIT:
        return [each for season in seasons for each in _audited(season, recount)]
    try:
        return _rebuilt(seasons, recount)
    except Exception as fault:
        log.exception("Seasons %s could not be rebuilt", seasons)
        if len(seasons) == 1:
            rankings = Ranking.objects.filter(season__in=seasons)
            writing.remember_failure(rankings, fault, at=timezone.now())
            return [{"season": seasons[0], "failure": f"{type(fault).__name__}: {fault}"}]
    # One season that fails does not keep the others from being counted.
    return [each for season in seasons for each in _done(job, [season], recount)]


@transaction.atomic
def _rebuilt(seasons: list[int], recount: Recount) -> list[auditing.Finding]:
    found = list(
        Season.objects.filter(pk__in=seasons).order_by("pk").select_for_update(no_key=True)
    )
    keys = [season.pk for season in found]
    # First the marks, then the rows: a sheet that changes meanwhile leaves a mark of its own.
    marks = list(StaleRanking.objects.filter(season__in=keys).values_list("pk", flat=True))
    failed = writing.rebuild(keys, recount=lambda event: recount(_locked(event)), at=timezone.now())
    StaleRanking.objects.filter(pk__in=marks).delete()
    return [
        {"season": ranking.season_id, "ranking": ranking.pk, "failure": "counting"}
        for ranking in failed
    ]


@transaction.atomic
def _audited(season: int, recount: Recount) -> list[auditing.Finding]:
    found = Season.objects.filter(pk=season).select_for_update(no_key=True).first()
    return [] if found is None else list(auditing.audit(found, recount=recount))


def _locked(event: int) -> Event:
    return Event.objects.select_for_update(of=("self",), no_key=True).get(pk=event)
