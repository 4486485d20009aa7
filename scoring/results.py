"""Results as they are published: a version for each change, and what it changed.

The worker keeps a version whenever a closed tournament has been counted and differs from the one
before. Every version that differs is provisional, and says what is different and why; its time
begins when it is made. Results that were final become final again only on the director's word. A
tournament that was opened and closed again begins a new provisional time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any

from django.db import models

from clubs.models import User
from scoring.models import SheetEvent, TarotDeal, TrucoLine
from tournaments.models import Event, JournalLine, ResultVersion, Ruling, Table

type Line = Mapping[str, Any]


def lines_of(event: Event) -> list[dict[str, Any]]:
    """Give a line for everybody who has played, best first."""
    return [
        {
            "entry": entry.pk,
            "place": entry.place,
            "points": entry.points,
            "sheet_points": entry.sheet_points,
            "ruled_points": entry.ruled_points,
            "tie_breaks": entry.tie_breaks,
            "rounds": entry.round_points,
        }
        | ({"tally": entry.tally} if entry.tally else {})
        for entry in event.entries.played().by_place()
    ]


def changes_between(old: Sequence[Line], new: Sequence[Line]) -> list[dict[str, Any]]:
    """Give the entries that differ, in the order of the new result; nothing stands for absent."""
    before = {line["entry"]: line for line in old}
    after = {line["entry"]: line for line in new}
    gone: Line = {"points": None, "place": None}
    return [
        {
            "entry": entry,
            "points": [before.get(entry, gone)["points"], after.get(entry, gone)["points"]],
            "place": [before.get(entry, gone)["place"], after.get(entry, gone)["place"]],
        }
        for entry in dict.fromkeys([*after, *before])
        if before.get(entry) != after.get(entry)
    ]


def latest(event: Event) -> ResultVersion | None:
    """Give the version that holds; nothing before the tournament was closed."""
    return event.result_versions.order_by("-number").first()


def keep_version(event: Event, *, at: datetime) -> ResultVersion | None:
    """Keep the counted result of a closed tournament as a version, if it is another one."""
    if not event.is_tournament or event.closed_at is None:
        return None
    last, lines = latest(event), lines_of(event)
    is_first = last is None or last.made_at < event.closed_at
    if last is not None and not is_first and last.lines == lines:
        return None
    return ResultVersion.objects.create(
        event=event,
        number=last.number + 1 if last else 1,
        state=ResultVersion.State.PROVISIONAL,
        lines=lines,
        changes=changes_between(last.lines, lines) if last else [],
        final_from=_final_from(
            event, event.closed_at if is_first else at, None if is_first else last
        ),
        made_at=at,
    )


def _final_from(event: Event, since: datetime, last: ResultVersion | None) -> datetime | None:
    """Say when a new version becomes final; nothing where that takes the director's word."""
    if last is not None and waits_for_a_word(last):
        return None
    return since + timedelta(hours=event.provisional_hours)


def waits_for_a_word(version: ResultVersion) -> bool:
    """Were the results final before, so that no passing time makes them final again?"""
    return version.state == ResultVersion.State.FINAL or version.final_from is None


def final_from(event: Event, version: ResultVersion) -> datetime | None:
    """Say when a version of a closed tournament becomes final by the hours planned now."""
    if event.closed_at is None or version.final_from is None:
        return None
    since_the_end = event.result_versions.filter(made_at__gte=event.closed_at)
    is_first = not since_the_end.filter(number__lt=version.number).exists()
    since = event.closed_at if is_first else version.made_at
    return since + timedelta(hours=event.provisional_hours)


def is_final(event: Event) -> bool:
    """Is the result that holds a final one?"""
    last = latest(event) if event.is_tournament else None
    return last is not None and last.state == ResultVersion.State.FINAL


def make_final(event: Event, *, at: datetime, by: User | None) -> ResultVersion | None:
    """Keep the version that holds as the final one; nothing to do without one or a second time."""
    last = latest(event)
    if last is None or last.state == ResultVersion.State.FINAL:
        return last
    return ResultVersion.objects.create(
        event=event,
        number=last.number + 1,
        state=ResultVersion.State.FINAL,
        lines=last.lines,
        final_from=at,
        made_at=at,
        made_by=by,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Cause:
    """What made a version differ: something written on a sheet, or a ruling."""

    written: SheetEvent | None = None
    ruling: Ruling | None = None
    is_withdrawal: bool = False

    @property
    def row(self) -> TarotDeal | TrucoLine | None:
        return (self.written.deal or self.written.truco_line) if self.written else None


def causes(event: Event, versions: Sequence[ResultVersion]) -> dict[int, list[Cause]]:
    """Give for each version, by its number, what has happened since the one before it."""
    in_order = sorted(versions, key=lambda version: version.number)
    if len(in_order) < 2:  # noqa: PLR2004 - the first has none before it
        return {}
    about: Any = {"table__round__event": event, "at__gt": in_order[0].made_at}
    written = SheetEvent.objects.filter(**about).select_related(
        "table__round", "deal", "truco_line"
    )
    happened = [(each.at, Cause(written=each)) for each in written.order_by("at", "pk")]
    for ruling in event.rulings.select_related("table__round").order_by("pk"):
        happened.append((ruling.ruled_at, Cause(ruling=ruling)))
        if ruling.withdrawn_at is not None:
            happened.append((ruling.withdrawn_at, Cause(ruling=ruling, is_withdrawal=True)))
    return {
        new.number: [cause for at, cause in happened if old.made_at < at <= new.made_at]
        for old, new in pairwise(in_order)
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Unsettled:
    """A sheet of a closed round of which nobody has said that it may count as it is."""

    table: Table
    is_short: bool
    is_unsigned: bool

    @property
    def has_objection(self) -> bool:
        return bool(self.table.objections)


def unsettled_sheets(event: Event) -> list[Unsettled]:
    """Give the closed sheets that miss deals or a signature which nobody gave up when their round
    was closed, and those to which a player still objects."""
    given_up: dict[int, set[int]] = {}
    for line in event.journal.filter(kind=JournalLine.Kind.ROUND_CLOSED).order_by("pk"):
        without = {*line.details.get("missing", ()), *line.details.get("without", ())}
        given_up[line.details["round"]] = without
    tables = Table.objects.filter(round__event=event, round__number__in=given_up)
    found = (
        _unsettled(table, event, is_given_up=table.number in given_up[table.round.number])
        for table in tables.select_related("round").order_by("round__number", "number")
    )
    return [sheet for sheet in found if sheet is not None]


def _unsettled(table: Table, event: Event, *, is_given_up: bool) -> Unsettled | None:
    is_short = not is_given_up and not table.is_complete
    is_unsigned = not is_given_up and event.is_tournament and table.signed_at is None
    if not (is_short or is_unsigned or table.objections):
        return None
    return Unsettled(table=table, is_short=is_short, is_unsigned=is_unsigned)


def due(at: datetime) -> models.QuerySet[Event]:
    """Give the closed tournaments whose provisional time is over."""
    provisional = ResultVersion.objects.filter(
        state=ResultVersion.State.PROVISIONAL, final_from__lte=at
    )
    final = ResultVersion.objects.filter(
        event=models.OuterRef("event"), number__gt=models.OuterRef("number")
    )
    waiting = provisional.filter(~models.Exists(final))
    return Event.objects.closed().filter(pk__in=waiting.values("event")).order_by("pk")
