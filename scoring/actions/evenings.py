"""The end of an evening: its results count for the season, or no longer do."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.models import User
from scoring import meetings, results, tasks
from scoring.models import StaleRanking, StaleStandings
from tournaments import actions as tournament_actions
from tournaments.actions.journal import write_line
from tournaments.models import Event, JournalLine, Round


@transaction.atomic
def close_event(*, event: Event, by: User | None, without_missing: bool = False) -> Event:
    """End an evening, so that its points count for the season; a second press finds it closed.

    Refuses while a round is played, unless told to end it as it stands, without the deals that
    are missing, and an evening without a round. A draw that was never published is dropped.
    """
    event = Event.objects.locked().get(pk=event.pk)
    if event.is_closed:
        return event
    if not event.rounds.published().exists() and not meetings.has_results(event):
        raise ValidationError(
            _("No round has been played. Cancel the evening on the page of its plan instead."),
            code="nothing_played",
        )
    for proposal in event.rounds.proposed():
        tournament_actions.discard_draw(proposal=proposal, by=by)
    for playing in event.rounds.playing():
        _end(playing, by=by, without_missing=without_missing)
    event.state = Event.State.CLOSED
    event.closed_at = timezone.now()
    event.save(update_fields=["state", "closed_at"])
    write_line(event, JournalLine.Kind.CLOSED, by, rounds=event.rounds.count())
    _mark_stale(event, StaleRanking.Cause.CLOSED)
    return event


def _end(playing: Round, *, by: User | None, without_missing: bool) -> None:
    if not without_missing and not _is_settled(playing):
        raise ValidationError(
            _("Round %(number)s is still being played. Close it first, or end it as it stands."),
            code="round_playing",
            params={"number": playing.number},
        )
    tournament_actions.close_round(this_round=playing, by=by, without_missing=True)


def _is_settled(playing: Round) -> bool:
    """Has every table of a round of fixtures come to its end?"""
    tables = list(playing.tables.all())
    return all(table.best_of and table.decided_at and table.signed_at for table in tables)


@transaction.atomic
def reopen_event(*, event: Event, by: User | None, although_final: bool = False) -> Event:
    """Let an evening go on: until it is closed again it does not count for the season.

    Refuses a tournament whose results are final unless told to.
    """
    event = Event.objects.locked().get(pk=event.pk)
    if not event.is_closed:
        return event
    if event.is_imported:
        raise ValidationError(
            _("These results came as a list: take the import back to bring in another one."),
            code="imported",
        )
    if results.is_final(event) and not although_final:
        raise ValidationError(
            _("The results are final. Say that you reopen the tournament all the same."),
            code="results_final",
        )
    played = event.rounds.published().exists()
    event.state = Event.State.RUNNING if played else Event.State.CHECK_IN
    event.closed_at = None
    event.save(update_fields=["state", "closed_at"])
    write_line(event, JournalLine.Kind.REOPENED, by)
    _mark_stale(event, StaleRanking.Cause.REOPENED)
    return event


def _mark_stale(event: Event, cause: StaleRanking.Cause) -> None:
    StaleStandings.objects.create(event=event)
    StaleRanking.objects.create(season_id=event.season_id, event=event, cause=cause)
    tasks.refresh_standings.delay_on_commit(event.pk)
    tasks.refresh_ranking.delay_on_commit(event.season_id)
