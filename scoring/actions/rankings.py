"""The rankings of a season: which there are, how they count, and counting them anew."""

from __future__ import annotations

from uuid import UUID

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from clubs.models import Club, Season, User
from scoring import tasks
from scoring.models import CountingJob, Ranking, StaleRanking
from scoring.rankings.methods import Method, Preset, Settings
from tournaments.rules import Conflict

MOST_RANKINGS = 12


@transaction.atomic
def add_ranking(*, season: Season, preset: Preset, entry_key: UUID) -> Ranking:
    """Begin another ranking of the season, as a draft; a second press finds the first one."""
    season = Season.objects.select_for_update(no_key=True).get(pk=season.pk)
    known = Ranking.objects.filter(entry_key=entry_key, season=season).first()
    if known is not None:
        return known
    count = Ranking.objects.filter(season=season).count()
    if count >= MOST_RANKINGS:
        raise ValidationError(
            _("A season has at most %(most)s rankings. Delete one first."),
            code="too_many",
            params={"most": MOST_RANKINGS},
        )
    ranking = Ranking.objects.create(
        season=season,
        game=preset.game,
        method=preset.method,
        settings=preset.settings.to_json(),
        # The first of its game is what members look for at once.
        state=Ranking.State.DRAFT if count else Ranking.State.PROVISIONAL,
        order=count,
        entry_key=entry_key,
    )
    _mark_stale(ranking)
    return ranking


@transaction.atomic
def change_ranking(
    *,
    ranking: Ranking,
    seen_version: int,
    name: str,
    method: Method,
    settings: Settings,
    state: Ranking.State,
    order: int,
) -> Ranking:
    """Let a ranking count another way, or call or show it otherwise.

    Refuses, as a conflict, when somebody has changed it since it was looked at.
    """
    # Season before ranking, as whoever counts it.
    Season.objects.select_for_update(no_key=True).get(pk=ranking.season_id)
    ranking = _locked(ranking)
    wanted = {"method": str(method), "settings": settings.to_json()}
    told = {"name": name, "state": str(state), "order": order}
    now = {column: getattr(ranking, column) for column in wanted | told}
    if now == wanted | told:
        return ranking
    if ranking.version != seen_version:
        raise Conflict(
            _("Somebody has changed this ranking since you looked at it. Look at it again."),
            code="ranking_changed",
        )
    counts_otherwise = any(now[column] != value for column, value in wanted.items())
    for column, value in (wanted | told).items():
        setattr(ranking, column, value)
    ranking.version += 1
    ranking.full_clean(exclude=["settings"])
    ranking.save(update_fields=[*wanted, *told, "version"])
    if counts_otherwise:
        _mark_stale(ranking)
    return ranking


@transaction.atomic
def delete_ranking(*, ranking: Ranking) -> None:
    """Take a ranking away; the results stay. Refuses the last one of its game."""
    Season.objects.select_for_update(no_key=True).get(pk=ranking.season_id)
    same = Ranking.objects.filter(season=ranking.season_id, game=ranking.game)
    if not same.exclude(pk=ranking.pk).exists():
        raise ValidationError(
            _("The season keeps one ranking of each game. Change this one instead."),
            code="last_ranking",
        )
    same.filter(pk=ranking.pk).delete()


@transaction.atomic
def rebuild_rankings(*, club: Club, by: User) -> CountingJob:
    """Have all rankings of the club counted from the sheets on; a second press finds the first."""
    club = Club.objects.select_for_update(no_key=True).get(pk=club.pk)
    running: CountingJob | None = CountingJob.objects.unfinished().filter(club=club).first()
    if running is not None:
        return running
    job = CountingJob.objects.create(kind=CountingJob.Kind.REBUILD, club=club, asked_by=by)
    tasks.do_counting_job.delay_on_commit(job.pk)
    return job


def _locked(ranking: Ranking) -> Ranking:
    found = Ranking.objects.select_for_update(of=("self",)).filter(pk=ranking.pk).first()
    if found is None:
        raise Conflict(_("This ranking is gone: somebody deleted it."), code="ranking_gone")
    return found


def _mark_stale(ranking: Ranking) -> None:
    StaleRanking.objects.create(
        season_id=ranking.season_id, ranking=ranking, cause=StaleRanking.Cause.SETTINGS
    )
    tasks.refresh_ranking.delay_on_commit(ranking.season_id)
