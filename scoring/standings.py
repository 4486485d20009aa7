"""The standings of one evening: counted from the marks on its sheets, nothing written.

Pure functions on values; the reads are in the querysets and the writes in ``scoring.tasks``.
Points are whole points as on the sheets. Equal points share a place and the next place is left
out: 1, 1, 3.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetTotal:
    """What one sheet gave one entry: points, and the deals that it played there."""

    entry: int
    round: int
    table: int
    number: int
    points: int
    deals: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundPoints:
    """An entry's part of one round; ``table`` is the sheet's key, ``number`` is on its card."""

    round: int
    table: int
    number: int
    points: int
    deals: int

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """An entry's line: its points are the sum of its rounds."""

    entry: int
    place: int
    previous_place: int | None
    rounds: tuple[RoundPoints, ...]

    @property
    def points(self) -> int:
        return sum(part.points for part in self.rounds)

    @property
    def deals_played(self) -> int:
        return sum(part.deals for part in self.rounds)


def shared_places(points: Mapping[int, int]) -> dict[int, int]:
    """Give each key its place by points, the most first; equal points share a place."""
    places: dict[int, int] = {}
    place, last = 0, None
    for position, key in enumerate(sorted(points, key=lambda key: (-points[key], key)), start=1):
        if points[key] != last:
            place, last = position, points[key]
        places[key] = place
    return places


def of_event(totals: Iterable[SheetTotal]) -> list[Standing]:
    """Give the standing of every entry that has played, best first, then by entry key."""
    rounds = _rounds_by_entry(totals)
    places = shared_places(_points(rounds))
    before = _places_before_the_latest_round(rounds)
    return [
        Standing(
            entry=entry,
            place=places[entry],
            previous_place=before.get(entry),
            rounds=tuple(rounds[entry]),
        )
        for entry in places
    ]


def _rounds_by_entry(totals: Iterable[SheetTotal]) -> dict[int, list[RoundPoints]]:
    rounds: dict[int, list[RoundPoints]] = {}
    for total in sorted(totals, key=lambda total: (total.entry, total.round, total.table)):
        rounds.setdefault(total.entry, []).append(
            RoundPoints(
                round=total.round,
                table=total.table,
                number=total.number,
                points=total.points,
                deals=total.deals,
            )
        )
    return rounds


def _points(rounds: Mapping[int, list[RoundPoints]]) -> dict[int, int]:
    return {entry: sum(part.points for part in parts) for entry, parts in rounds.items()}


def _places_before_the_latest_round(rounds: Mapping[int, list[RoundPoints]]) -> dict[int, int]:
    latest = max((part.round for parts in rounds.values() for part in parts), default=0)
    earlier = {
        entry: [part for part in parts if part.round < latest] for entry, parts in rounds.items()
    }
    return shared_places(_points({entry: parts for entry, parts in earlier.items() if parts}))
