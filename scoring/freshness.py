"""How old what is written down is, and what of it nobody has confirmed: a page says so.

A stopped worker cannot hide, nor can a total that may still change at its table.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from operator import itemgetter

from django.db import models
from django.utils.translation import ngettext

from clubs.models import Season
from scoring.models import Ranking, StaleRanking, StaleStandings
from tournaments.models import Event, Table

#: More tables than these are counted instead of being named.
FEW_TABLES = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """The rows of a round that wait for somebody to agree, and at which tables."""

    round: int
    rows: int
    tables: tuple[int, ...]

    @property
    def where(self) -> str:
        """The round and its tables in words."""
        count = len(self.tables)
        if count > FEW_TABLES:
            said = ngettext(
                "round %(round)s, %(count)s table", "round %(round)s, %(count)s tables", count
            )
            return said % {"round": self.round, "count": count}
        said = ngettext(
            "round %(round)s, table %(tables)s", "round %(round)s, tables %(tables)s", count
        )
        return said % {"round": self.round, "tables": ", ".join(map(str, self.tables))}


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
    unconfirmed: tuple[Waiting, ...] = ()

    @property
    def rows_unconfirmed(self) -> int:
        return sum(each.rows for each in self.unconfirmed)

    @property
    def unconfirmed_where(self) -> str:
        """At which tables rows wait for somebody to agree."""
        return "; ".join(each.where for each in self.unconfirmed)

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
        unconfirmed=tuple(_unconfirmed(event)) if event.asks_to_confirm else (),
        **(_newer(event) if waiting else {}),
    )


def _unconfirmed(event: Event) -> Iterator[Waiting]:
    tables = Table.objects.filter(round__event=event).with_rows_waiting()
    found = tables.order_by("round__number", "number")
    facts = found.values_list("round__number", "number", "unconfirmed")
    for number, in_round in groupby(facts, key=itemgetter(0)):
        listed = list(in_round)
        yield Waiting(
            round=number,
            rows=sum(rows for _round, _table, rows in listed),
            tables=tuple(table for _round, table, _rows in listed),
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
