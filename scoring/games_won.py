"""The standings of an evening of games that are won: points of the meetings, then games, tentos.

Pure functions on values, as ``scoring.standings`` for deals. Points are those that a meeting gives
(``tournaments.fixtures.Points``); equal points are parted by meetings won, then by games won less
games lost, points of the cards for less against, and those for; then they share a place.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from scoring.standings import RoundPoints, Standing
from tournaments.fixtures import Criterion, Points

#: What parts equal points, in this order; the greater value is ahead.
ORDER = (
    Criterion.WINS,
    Criterion.GAME_DIFFERENCE,
    Criterion.TENTO_DIFFERENCE,
    Criterion.TENTOS_FOR,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class MeetingResult:
    """How one meeting at a table ended for one entry; ``hands`` are those of its sheet.

    ``on_time``: it was decided at the limit of time.
    """

    entry: int
    round: int
    table: int
    number: int
    has_won: bool
    games_won: int
    games_lost: int
    points: int
    points_against: int
    hands: int
    best_of: int = 1
    on_time: bool = False

    @property
    def is_close(self) -> bool:
        """Did it go to the last game?"""
        return self.best_of > 1 and self.games_won + self.games_lost == self.best_of


@dataclass(frozen=True, slots=True, kw_only=True)
class GamesStanding(Standing):
    """An entry's line, with what its meetings add up to."""

    meetings: Mapping[str, Any] = field(default_factory=dict)
    parted: tuple[tuple[Criterion, int], ...] = ()

    @property
    def tally(self) -> Mapping[str, Any]:
        """Meetings, games and points of the cards, won and lost."""
        return self.meetings

    @property
    def tie_breaks(self) -> list[dict[str, Any]]:
        """What parted the entry from others with the same points; ready for JSON."""
        return [{"code": str(code), "value": value} for code, value in self.parted]


def points_of(result: MeetingResult, points: Points) -> int:
    """Give the points of a meeting."""
    if result.has_won:
        close, clear = points.close_win, points.win
    else:
        close, clear = points.close_loss, points.loss
    return close if result.is_close and close is not None else clear


def of_event(
    results: Iterable[MeetingResult], points: Points, ruled: Mapping[int, int] | None = None
) -> list[GamesStanding]:
    """Give the standing of every entry that has played, best first, then by entry key.

    ``ruled`` are the points that rulings take from an entry.
    """
    results = sorted(results, key=lambda one: (one.entry, one.round, one.table))
    latest = max((one.round for one in results), default=0)
    before = _ranked([one for one in results if one.round < latest], points, {})
    return _with_rounds(_ranked(results, points, ruled or {}), results, points, before)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line:
    entry: int
    place: int
    points: int
    ruled: int
    values: Mapping[Criterion, int]
    parted: tuple[tuple[Criterion, int], ...]
    tally: Mapping[str, Any]


def _ranked(
    results: Sequence[MeetingResult], points: Points, ruled: Mapping[int, int]
) -> dict[int, _Line]:
    own: dict[int, list[MeetingResult]] = {}
    for one in results:
        own.setdefault(one.entry, []).append(one)
    totals = {
        entry: sum(points_of(one, points) for one in played) - ruled.get(entry, 0)
        for entry, played in own.items()
    }
    tallies = {entry: _tally(played) for entry, played in own.items()}
    values = {entry: _values(tally) for entry, tally in tallies.items()}
    keys = {entry: (totals[entry], *(values[entry][each] for each in ORDER)) for entry in own}
    lines: dict[int, _Line] = {}
    place, last = 0, None
    for position, entry in enumerate(
        sorted(own, key=lambda entry: ([-value for value in keys[entry]], entry)), start=1
    ):
        if keys[entry] != last:
            place, last = position, keys[entry]
        lines[entry] = _Line(
            entry=entry,
            place=place,
            points=totals[entry],
            ruled=-ruled.get(entry, 0),
            values=values[entry],
            parted=_parted(entry, keys),
            tally=tallies[entry],
        )
    return lines


def _tally(played: Sequence[MeetingResult]) -> dict[str, Any]:
    wins = sum(one.has_won for one in played)
    return {
        "wins": wins,
        "losses": len(played) - wins,
        "games": [sum(one.games_won for one in played), sum(one.games_lost for one in played)],
        "points": [sum(one.points for one in played), sum(one.points_against for one in played)],
    }


def _values(tally: Mapping[str, Any]) -> dict[Criterion, int]:
    (won, lost), (made, against) = tally["games"], tally["points"]
    return {
        Criterion.WINS: tally["wins"],
        Criterion.GAME_DIFFERENCE: won - lost,
        Criterion.TENTO_DIFFERENCE: made - against,
        Criterion.TENTOS_FOR: made,
    }


def _parted(entry: int, keys: Mapping[int, tuple[int, ...]]) -> tuple[tuple[Criterion, int], ...]:
    """Give each criterion that parted the entry from one who was equal so far."""
    own, parted = keys[entry], []
    for depth, criterion in enumerate(ORDER, start=1):
        equal = [key for key in keys.values() if key[:depth] == own[:depth]]
        if any(key[depth] != own[depth] for key in equal):
            parted.append((criterion, own[depth]))
    return tuple(parted)


def _with_rounds(
    lines: Mapping[int, _Line],
    results: Sequence[MeetingResult],
    points: Points,
    before: Mapping[int, _Line],
) -> list[GamesStanding]:
    rounds: dict[int, list[RoundPoints]] = {}
    for one in results:
        rounds.setdefault(one.entry, []).append(
            RoundPoints(
                round=one.round,
                table=one.table,
                number=one.number,
                points=points_of(one, points),
                deals=one.hands,
                on_time=one.on_time,
            )
        )
    return [
        GamesStanding(
            entry=line.entry,
            place=line.place,
            previous_place=before[line.entry].place if line.entry in before else None,
            rounds=tuple(rounds[line.entry]),
            points=line.points,
            ruled_points=line.ruled,
            meetings=line.tally,
            parted=line.parted,
        )
        for line in lines.values()
    ]
