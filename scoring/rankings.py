"""The ranking of a season: counted from the standings of its closed evenings, nothing written.

Pure functions on values. A player's points are the sum of the points of every closed evening he
played; equal points share a place, as in ``scoring.standings``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from scoring.standings import shared_places


@dataclass(frozen=True, slots=True, kw_only=True)
class EveningResult:
    """What one closed evening gave one player."""

    player: int
    event: int
    starts_at: datetime
    points: int
    deals: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Addend:
    """One evening's part of a player's points."""

    event: int
    points: int
    deals: int

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """A player's line: its points are the sum of its history, the oldest evening first."""

    player: int
    place: int
    previous_place: int | None
    history: tuple[Addend, ...]

    @property
    def points(self) -> int:
        return sum(addend.points for addend in self.history)

    @property
    def deals_played(self) -> int:
        return sum(addend.deals for addend in self.history)

    @property
    def evenings(self) -> int:
        return len(self.history)


def of_season(results: Iterable[EveningResult]) -> list[Ranked]:
    """Give the line of everybody who played a closed evening, best first."""
    in_time = sorted(results, key=lambda result: (result.starts_at, result.event, result.player))
    histories = _histories(in_time)
    places = shared_places(_points(histories))
    before = _places_without_the_last_evening(in_time)
    return [
        Ranked(
            player=player,
            place=places[player],
            previous_place=before.get(player),
            history=tuple(histories[player]),
        )
        for player in places
    ]


def evenings(results: Iterable[EveningResult]) -> int:
    """Count the evenings that have a result."""
    return len({result.event for result in results})


def _histories(in_time: Sequence[EveningResult]) -> dict[int, list[Addend]]:
    histories: dict[int, list[Addend]] = {}
    for result in in_time:
        histories.setdefault(result.player, []).append(
            Addend(event=result.event, points=result.points, deals=result.deals)
        )
    return histories


def _points(histories: Mapping[int, list[Addend]]) -> dict[int, int]:
    return {
        player: sum(addend.points for addend in history) for player, history in histories.items()
    }


def _places_without_the_last_evening(in_time: Sequence[EveningResult]) -> dict[int, int]:
    last = in_time[-1].event if in_time else None
    return shared_places(_points(_histories([r for r in in_time if r.event != last])))
