"""The standings of a tournament of fixtures: lines of its stages, and the final places.

Counted from the fixtures by the rules of ``tournaments.fixtures`` and written down by the worker,
so that pages read rows. A later stage ranks before an earlier one: whoever came farther is ahead.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from clubs.prepared import PreparedUpdate
from tournaments import fixtures
from tournaments.fixtures import Line
from tournaments.fixtures.tables import outcome_of
from tournaments.meetings import Meetings, is_decided, meetings_of, stages_with_fixtures
from tournaments.models import Entry, Event, Fixture, Stage


@dataclass(slots=True, kw_only=True)
class Tally:
    """What an entry has made in all stages."""

    points: int = 0
    played: int = 0
    wins: int = 0
    losses: int = 0
    games: list[int] = field(default_factory=lambda: [0, 0])
    tentos: list[int] = field(default_factory=lambda: [0, 0])

    def to_json(self) -> dict[str, Any]:
        """Give what is written onto the entry."""
        return {
            "wins": self.wins,
            "losses": self.losses,
            "games": self.games,
            "points": self.tentos,
        }


def write_stages(event: Event) -> list[Meetings]:
    """Write the lines of every drawn stage down, and give the stages as they were read."""
    read = []
    for stage in stages_with_fixtures(event):
        if stage.drawn_at is None:
            continue
        meetings = meetings_of(stage)
        lines = stage_lines(meetings)
        if lines != stage.standings:
            Stage.objects.filter(pk=stage.pk).update(standings=lines)
        read.append(meetings)
    return read


def stage_lines(meetings: Meetings) -> list[dict[str, Any]]:
    """Give the lines of groups or a Swiss by section, or the places of a bracket."""
    if not meetings.has_tables:
        return [
            {"entry": each.entrant, "place": each.place, "last": each.last}
            for each in meetings.now.places
        ]
    going = set(meetings.qualified.entrants) if meetings.is_over else set()
    by_lot = {
        entry
        for each in meetings.deciding
        if each["seed"] is not None
        for entry, _lot in each["won"]
    }
    return [
        _as_data(
            line,
            {each.entrant: each.points for each in lines},
            is_through=going,
            is_by_lot=line.entrant in by_lot,
        )
        for lines in meetings.tables.values()
        for line in lines
    ]


def _as_data(
    line: Line, points: Mapping[int, int], *, is_through: Collection[int], is_by_lot: bool
) -> dict[str, Any]:
    return {
        "section": line.section,
        "entry": line.entrant,
        "place": line.place,
        "shared": line.shared,
        "is_out": line.is_out,
        "points": line.points,
        "played": len(line.outcomes),
        "wins": line.wins,
        "losses": line.losses,
        "games": list(line.games),
        "tentos": list(line.tentos),
        "decided_by": [
            {"code": _code(each.criterion, is_by_lot=is_by_lot), "value": plain(each.value)}
            for each in line.decided_by
        ],
        "addends": [[one.code, one.points] for one in line.outcomes],
        # The addends of Buchholz: the points of those who were really met.
        "met": sorted((points.get(other, 0) for other in line.met), reverse=True),
        "goes_on": line.entrant in is_through,
    }


def _code(criterion: fixtures.Criterion, *, is_by_lot: bool) -> str:
    """Name what decided; lots drawn instead of an extra game are called lots."""
    if is_by_lot and criterion is fixtures.Criterion.EXTRA_GAME:
        return str(fixtures.Criterion.LOTS)
    return str(criterion)


def plain(value: int | Fraction) -> int | str:
    """Give a value as JSON holds it: a fraction as text."""
    return value if isinstance(value, int) else str(value)


def tallies(stages: Iterable[Meetings]) -> dict[int, Tally]:
    """Add up what every entry has made in all stages."""
    found: dict[int, Tally] = {}
    for meetings in stages:
        for one in meetings.now.fixtures.values():
            if one.is_over and one.plan.decider_of == "":
                for side in one.sides:
                    _add(found.setdefault(side, Tally()), meetings, one, side)
    return found


def _add(tally: Tally, meetings: Meetings, one: fixtures.Resolved, side: int) -> None:
    outcome = outcome_of(meetings.settings, one, side)
    tally.points += outcome.points
    tally.played += 1
    tally.wins += outcome.has_won
    tally.losses += not outcome.has_won
    for own in (0, 1):
        tally.games[own] += outcome.games[own]
        tally.tentos[own] += outcome.tentos[own]


def final_places(stages: Sequence[Meetings]) -> dict[int, int]:
    """Give everybody's place: those of the last stage first, then who came less far.

    In a bracket the place is where somebody went out; in groups the place there, with those of
    other groups who have the same one. Who is still in play has the best place that is open.
    """
    places: dict[int, int] = {}
    for meetings in reversed(stages):
        ahead = len(places)
        for key, group in _ranked(meetings, skipping=places.keys()):
            for entry in group:
                places[entry] = ahead + key
    return places


def _ranked(meetings: Meetings, *, skipping: Iterable[int]) -> Iterator[tuple[int, Sequence[int]]]:
    """The entries of a stage by place from 1, equals together; those named are passed over."""
    passed = set(skipping)
    by_place: dict[int, list[int]] = {}
    for entry, place in _own_places(meetings).items():
        if entry not in passed:
            by_place.setdefault(place, []).append(entry)
    ahead = 0
    for _place, group in sorted(by_place.items()):
        yield ahead + 1, sorted(group)
        ahead += len(group)


def _own_places(meetings: Meetings) -> Mapping[int, int]:
    if meetings.has_tables:
        return {line.entrant: line.place for lines in meetings.tables.values() for line in lines}
    certain = {each.entrant: each.place for each in meetings.now.places}
    there = {side for one in meetings.now.fixtures.values() for side in one.sides}
    return {entry: certain.get(entry, 0) for entry in there}


WRITTEN = ("points", "sheet_points", "deals_played", "place", "previous_place", "tally")
WRITE = PreparedUpdate(Entry, *WRITTEN)


def write_entries(event: Event, stages: Sequence[Meetings]) -> None:
    """Write points, places and tallies onto the entries of the event."""
    made, places = tallies(stages), final_places(stages)
    changed = []
    for entry in Entry.objects.filter(event=event).only("pk", *WRITTEN).order_by("pk"):
        old = [getattr(entry, name) for name in WRITTEN]
        tally = made.get(entry.pk, Tally())
        entry.points = entry.sheet_points = tally.points
        entry.deals_played = tally.played
        place = places.get(entry.pk) if tally.played else None
        if place != entry.place:
            entry.previous_place = entry.place
        entry.place = place
        entry.tally = tally.to_json() if tally.played else {}
        if old != [getattr(entry, name) for name in WRITTEN]:
            changed.append(entry)
    WRITE.each(changed)


def has_results(event: Event) -> bool:
    """Was a fixture of the event decided?"""
    rows = Fixture.objects.filter(stage__event=event, decided_at__isnull=False)
    return any(is_decided(row) for row in rows[:1])
