"""How old what is written down is: a page says so, and a stopped worker cannot hide."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db import models

from clubs.models import Season
from scoring.models import Ranking, StaleRanking, StaleStandings
from tournaments.models import Event, Table


@dataclass(frozen=True, slots=True, kw_only=True)
class Freshness:
    """When the rows were counted, and how much has happened since.

    ``newer`` counts sheets for an evening and changed evenings for a season, ``rulings`` those that
    were made or withdrawn; ``last_mark`` tells two moments apart in which the same number of marks
    waits.
    """

    counted_at: datetime | None
    waiting: int
    last_mark: int | None
    newer: int = 0
    rulings: int = 0

    @property
    def is_fresh(self) -> bool:
        return self.waiting == 0


def of_event(event: Event) -> Freshness:
    """Say how old the standings of the evening are."""
    waiting, last_mark = _waiting(StaleStandings.objects.filter(event=event))
    return Freshness(
        counted_at=event.standings_at,
        waiting=waiting,
        last_mark=last_mark,
        **(_newer(event) if waiting else {}),
    )


def of_season(season: Season, ranking: Ranking | None) -> Freshness:
    """Say how old the ranking of the season is: also what its closed evenings still wait for."""
    waiting, last_mark = _waiting(StaleRanking.objects.filter(season=season))
    sheets, last_sheet = _waiting(
        StaleStandings.objects.filter(event__season=season, event__state=Event.State.CLOSED)
    )
    return Freshness(
        counted_at=ranking.computed_at if ranking else None,
        waiting=waiting + sheets,
        last_mark=(last_mark or 0) + (last_sheet or 0) or None,
    )


def _waiting(
    marks: models.QuerySet[StaleStandings] | models.QuerySet[StaleRanking],
) -> tuple[int, int | None]:
    found = marks.aggregate(waiting=models.Count("pk"), last=models.Max("pk"))
    return found["waiting"], found["last"]


def _newer(event: Event) -> dict[str, int]:
    """How many sheets and rulings are newer than the standings."""
    sheets = Table.objects.filter(round__event=event, version__gt=0)
    rulings = event.rulings.all()
    if event.standings_at is not None:
        since = event.standings_at
        sheets = sheets.filter(changed_at__gt=since)
        rulings = rulings.filter(models.Q(ruled_at__gt=since) | models.Q(withdrawn_at__gt=since))
    changed, ruled = sheets.count(), rulings.count()
    # A mark is there: a sheet stored while the standings were counted may look older than they.
    return {"newer": changed if changed or ruled else 1, "rulings": ruled}
