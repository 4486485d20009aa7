"""What is counted after the request: standings of evenings, rankings of seasons.

Whoever changes a sheet leaves a *mark* (``StaleStandings``, ``StaleRanking``) in the same
transaction. A task reads the marks first, rebuilds everything from the rows, and deletes exactly
the marks it has read; so it may run twice, late, out of order or beside itself, and may be killed
at any point. A message that is lost delays: ``refresh_stale`` sends it again while a mark waits.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

from celery import shared_task
from django.conf import settings
from django.db import models, transaction
from django.utils import timezone

from clubs.models import Season
from clubs.prepared import PreparedUpdate
from clubs.queue import LenientTask
from scoring import counting, exports, meetings, pdf, results, standings
from scoring.models import CountingJob, PaperJob, Ranking, StaleRanking, StaleStandings
from scoring.rankings import jobs, writing
from tournaments.models import Entry, Event

# Marks beyond these wait for the next run: a statement holds only so many numbers.
MARKS_AT_ONCE = 10_000
# Hundreds of sheets take a worker a few seconds; a busy or small machine is given a few minutes.
PAPER_SECONDS = 300
# Everything is counted again at night, season by season.
JOB_SECONDS = 6 * 60 * 60


@shared_task(base=LenientTask)
def refresh_standings(event_id: int) -> None:
    """Write the evening's points and places onto its entries, if a mark says they are old."""
    if not StaleStandings.objects.filter(event=event_id).exists():
        return
    # Before the rows are read: a sheet that is stored meanwhile is newer than the standings.
    began = timezone.now()
    with transaction.atomic():
        # Two workers at once: the second waits here and then finds no mark.
        event = _locked(Event.objects.filter(pk=event_id))
        marks = _marks(StaleStandings.objects.filter(event=event_id))
        if event is None or not marks:
            return
        _write_standings(event, at=began)
        if event.is_closed:
            results.keep_version(event, at=timezone.now())
            StaleRanking.objects.create(
                season_id=event.season_id, event=event, cause=StaleRanking.Cause.STANDINGS
            )
            refresh_ranking.delay_on_commit(event.season_id)
        StaleStandings.objects.filter(pk__in=marks).delete()


@shared_task(base=LenientTask)
def refresh_ranking(season_id: int) -> None:
    """Write what has changed in the season's rankings, if a mark says that something has."""
    if not StaleRanking.objects.filter(season=season_id).exists():
        return
    try:
        _refresh_ranking(season_id)
    except Exception as fault:
        rankings = Ranking.objects.filter(season=season_id)
        writing.remember_failure(rankings, fault, at=timezone.now())
        raise


@transaction.atomic
def _refresh_ranking(season_id: int) -> None:
    season = _locked(Season.objects.filter(pk=season_id))
    marks = list(StaleRanking.objects.filter(season=season_id).order_by("pk")[:MARKS_AT_ONCE])
    if season is None or not marks:
        return
    writing.refresh(season_id, marks, at=timezone.now())
    StaleRanking.objects.filter(pk__in=[mark.pk for mark in marks]).delete()


@shared_task(base=LenientTask, time_limit=JOB_SECONDS)
def do_counting_job(job_id: int) -> None:
    """Rebuild or audit rankings, telling how far it is; a second run begins again."""
    job = CountingJob.objects.filter(pk=job_id).unfinished().first()
    if job is not None:
        run_counting_job(job, tell=lambda _job: None)


def run_counting_job(job: CountingJob, *, tell: Callable[[CountingJob], None]) -> None:
    """Do the job here and now."""
    try:
        jobs.run(job, recount=lambda event: _write_standings(event, at=timezone.now()), tell=tell)
    except Exception as fault:
        jobs.fail(job, fault)
        raise


@shared_task
def audit_rankings() -> None:
    """Replay everything and keep what differs; run by the beat each night."""
    CountingJob.objects.old(timezone.now()).delete()
    job = CountingJob.objects.create(kind=CountingJob.Kind.AUDIT)
    do_counting_job.delay(job.pk)


@shared_task(base=LenientTask)
def make_results_final(event_id: int) -> None:
    """Declare the results final whose provisional time is over, if all is counted and settled.

    A sheet that is short, unsigned or objected to waits for the director's word.
    """
    with transaction.atomic():
        event = _locked(results.due(timezone.now()).filter(pk=event_id))
        if event is None or StaleStandings.objects.filter(event=event).exists():
            return
        if results.unsettled_sheets(event):
            return
        results.make_final(event, at=timezone.now(), by=None)


@shared_task(base=LenientTask, time_limit=PAPER_SECONDS)
def make_paper(job_id: int) -> None:
    """Make the file that was asked for, telling how far it is; a second run finds it made.

    A run that was killed is made again from the start: the rows say what belongs in it.
    """
    jobs = PaperJob.objects.filter(pk=job_id).unfinished()
    job = jobs.select_related("event__season__club").first()
    if job is None:
        return
    job.start()

    def tell(done: int, total: int) -> None:
        jobs.update(pieces_done=done, pieces_total=total)

    try:
        order = exports.Order(**job.order)
        with exports.told_to(job.event, order):
            made = pdf.file_of(job.event, order, tell=tell)
    except Exception:
        jobs.update(state=PaperJob.State.FAILED, finished_at=timezone.now())
        raise
    jobs.update(state=PaperJob.State.DONE, file=made, finished_at=timezone.now())


@shared_task
def refresh_stale() -> None:
    """Send a message for whatever waits: marks, and results that become final; run by the beat."""
    _mark_changed_fixtures()
    old_standings = StaleStandings.objects.order_by("event").values_list("event", flat=True)
    for event_id in old_standings.distinct():
        refresh_standings.apply_async((event_id,), expires=settings.SWEEP_SECONDS)
    old_rankings = StaleRanking.objects.order_by("season").values_list("season", flat=True)
    for season_id in old_rankings.distinct():
        refresh_ranking.apply_async((season_id,), expires=settings.SWEEP_SECONDS)
    for job in PaperJob.objects.forgotten(timezone.now()).values_list("pk", flat=True):
        make_paper.apply_async((job,), expires=settings.SWEEP_SECONDS)
    PaperJob.objects.old(timezone.now()).delete()
    for job in CountingJob.objects.forgotten(timezone.now()).values_list("pk", flat=True):
        do_counting_job.apply_async((job,), expires=settings.SWEEP_SECONDS)
    for event in results.due(timezone.now()):
        make_results_final.apply_async((event.pk,), expires=settings.SWEEP_SECONDS)


def _mark_changed_fixtures() -> None:
    """Leave a mark where fixtures have changed without one: a side left with its round."""
    changed = Event.objects.filter(
        state=Event.State.RUNNING, stages__fixtures__changed_at__gt=models.F("standings_at")
    ).exclude(pk__in=StaleStandings.objects.values("event"))
    StaleStandings.objects.bulk_create(
        StaleStandings(event_id=key) for key in set(changed.values_list("pk", flat=True))
    )


def _locked[Row: models.Model](rows: models.QuerySet[Row]) -> Row | None:
    # Rows that point here are inserted meanwhile: only other writers of this row have to wait.
    return rows.select_for_update(of=("self",), no_key=True).first()


def _marks(marks: models.QuerySet[Any]) -> list[int]:
    return list(marks.order_by("pk").values_list("pk", flat=True)[:MARKS_AT_ONCE])


WRITTEN_DOWN = (
    "points", "sheet_points", "ruled_points", "deals_played", "place", "previous_place",
    "round_points", "tie_breaks", "tally",
)  # fmt: skip
#: While a hall plays, nearly all lines change between two runs.
WRITE_DOWN = PreparedUpdate(Entry, *WRITTEN_DOWN)


def _write_standings(event: Event, *, at: datetime) -> None:
    if event.is_imported:
        # What a list said has no sheets behind it: it stands as it is.
        return
    if event.meets_in_fixtures:
        meetings.write_entries(event, meetings.write_stages(event))
    else:
        _write_lines(event)
    event.standings_at = at
    event.save(update_fields=["standings_at"])


def _write_lines(event: Event) -> None:
    lines = {line.entry: line for line in counting.of_event(event)}
    changed = []
    for entry in Entry.objects.filter(event=event).only("pk", *WRITTEN_DOWN).order_by("pk"):
        old = [getattr(entry, field) for field in WRITTEN_DOWN]
        _put(lines.get(entry.pk), onto=entry)
        if old != [getattr(entry, field) for field in WRITTEN_DOWN]:
            changed.append(entry)
    WRITE_DOWN.each(changed)


def _put(line: standings.Standing | None, *, onto: Entry) -> None:
    onto.points = line.points if line else 0
    onto.sheet_points = line.sheet_points if line else 0
    onto.ruled_points = line.ruled_points if line else 0
    onto.deals_played = line.deals_played if line else 0
    onto.place = line.place if line else None
    onto.previous_place = line.previous_place if line else None
    onto.round_points = [part.to_json() for part in line.rounds] if line else []
    onto.tie_breaks = line.tie_breaks if line else []
    onto.tally = dict(line.tally) if line else {}
