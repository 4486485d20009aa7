"""The line of one player in a ranking: counted from what his evenings gave, nothing written.

Pure functions on values. Points are whole points. A line holds all its addends: the evenings that
count and those that are dropped, what comes on top, and the value of each tie-break.
"""

from __future__ import annotations

import hashlib
import json
import marshal
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

from scoring.rankings.methods import Method, Settings, TieBreak

#: Grows when the same results give other lines: the fingerprints of old lines then differ.
COUNTED_BY = 1
#: The form of ``marshal`` in which equal values give equal bytes, in every version of Python.
BY_VALUE = 2
#: An average is compared to this part of a point; a score is shown in hundredths.
FINEST = 10**9
HUNDREDTHS = 100
MILLIONTHS = 1_000_000
KEY_WIDTH = 17
KEY_ZERO = 5 * 10**16


class Evening(NamedTuple):
    """A closed evening with results; in time order wherever evenings are listed."""

    event: int
    kind: str
    day: date


class Result(NamedTuple):
    """What one closed evening gave one player, as ``PlayerResult`` holds it, then its evening."""

    player: int
    event: int
    entry: int
    points: int
    ruled_points: int
    deals: int
    place: int | None
    entries: int
    series: str
    is_member: bool
    points_at_3: int
    deals_at_3: int
    points_at_4: int
    deals_at_4: int
    points_at_5: int
    deals_at_5: int
    wins: int
    losses: int
    games_won: int
    games_lost: int
    points_for: int
    points_against: int
    day: date
    kind: str

    def at_tables_of(self, size: int) -> tuple[int, int]:
        """Give points and deals from sheets of so many players."""
        if size == 3:  # noqa: PLR2004
            return self.points_at_3, self.deals_at_3
        if size == 4:  # noqa: PLR2004
            return self.points_at_4, self.deals_at_4
        return self.points_at_5, self.deals_at_5


#: A result without its evening, which only sorts it.
COUNTED = slice(Result._fields.index("day"))


class Rated(NamedTuple):
    """A rating in millionths, after the last evening and before it."""

    mu: int
    sigma: int
    before: tuple[int, int] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """A ranking's way of counting, with the last of its evenings."""

    method: Method
    settings: Settings
    last_event: int | None = None

    def takes_event(self, kind: str, day: date) -> bool:
        """Does an evening of this kind and day belong to the ranking?"""
        own = self.settings
        return (
            (not own.kinds or kind in own.kinds)
            and (own.first_day is None or day >= own.first_day)
            and (own.last_day is None or day <= own.last_day)
        )

    @property
    def takes_everything(self) -> bool:
        """Is no evening and no player left out?"""
        own = self.settings
        return not (
            own.kinds or own.first_day or own.last_day or own.series or own.members_only
            or own.players
        )  # fmt: skip

    def takes(self, result: Result) -> bool:
        """Does this result belong to the ranking?"""
        own = self.settings
        return (
            self.takes_event(result.kind, result.day)
            and (not own.series or result.series in own.series)
            and (not own.members_only or result.is_member)
            and (own.players is None or self.deals(result) > 0)
        )

    def points(self, result: Result) -> int:
        """Points of the evening: at tables of one size they are those of its sheets and rulings."""
        if self.settings.players is None:
            return result.points
        return result.at_tables_of(self.settings.players)[0] + result.ruled_points

    def deals(self, result: Result) -> int:
        if self.settings.players is None:
            return result.deals
        return result.at_tables_of(self.settings.players)[1]

    def adds(self, result: Result) -> int:
        """What the evening adds when it counts."""
        return ADDS[self.method](self, result)

    def all_adds(self, results: Sequence[Result]) -> list[int]:
        """What each evening adds when it counts; the plain ways without a detour."""
        if self.settings.players is None and ADDS[self.method] is Way.points:
            return [result.points for result in results]
        return [self.adds(result) for result in results]

    def all_deals(self, results: Sequence[Result]) -> list[int]:
        """How many deals of each evening count."""
        if self.settings.players is None:
            return [result.deals for result in results]
        return [self.deals(result) for result in results]


def _by_place(way: Way, result: Result) -> int:
    own = way.settings
    if result.place is None:
        return 0
    return own.scale[result.place - 1] if result.place <= len(own.scale) else own.scale_rest


def _by_wins(way: Way, result: Result) -> int:
    return result.wins * way.settings.win + result.losses * way.settings.loss


ADDS: dict[Method, Callable[[Way, Result], int]] = {
    Method.TOTAL: Way.points,
    Method.AVERAGE: Way.points,
    Method.RATING: Way.points,
    Method.PLACES: _by_place,
    Method.WINS: _by_wins,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A player's line without its place, which depends on the others.

    ``score`` is in units of the ranking's last decimal. The keys are empty for who has no place.
    """

    player: int
    points: int
    score: int
    rank_key: str
    before_key: str
    evenings: int
    evenings_counted: int
    deals_played: int
    extras: list[dict[str, Any]]
    tie_breaks: list[dict[str, Any]]
    made_from: str
    way: Way
    taken: Sequence[Result]
    counted: Collection[int]

    @property
    def history(self) -> list[dict[str, Any]]:
        """Give the addends, made when they are asked for: most lines come out as they were."""
        return [_addend(self.way, each, each.event in self.counted) for each in self.taken]


def line_of(way: Way, results: Sequence[Result], rated: Rated | None = None) -> Line | None:
    """Count a player's line from his results, oldest first; nothing when none belongs here."""
    taken = results if way.takes_everything else [each for each in results if way.takes(each)]
    if not taken or (way.method is Method.RATING and rated is None):
        return None
    now = _sum(way, taken, rated and (rated.mu, rated.sigma))
    return Line(
        player=taken[0].player,
        points=now.points,
        score=now.score,
        rank_key=now.key,
        before_key=_key_before(way, taken, now, rated),
        evenings=len(taken),
        evenings_counted=len(now.counted),
        deals_played=now.deals,
        extras=_extras(way, taken),
        tie_breaks=[
            {"code": str(code), "value": value}
            for code, value in zip(way.settings.tie_breaks, now.parted_by, strict=True)
        ],
        made_from=_fingerprint(way, taken, rated),
        way=way,
        taken=taken,
        counted=now.counted,
    )


class _Sum(NamedTuple):
    points: int
    deals: int
    score: int
    counted: Collection[int]
    parted_by: tuple[int, ...]
    key: str


def _sum(way: Way, taken: Sequence[Result], rating: tuple[int, int] | None) -> _Sum:
    adds = way.all_adds(taken)
    counted = _counted(way, taken, adds)
    if len(counted) < len(taken):
        points = sum(add for each, add in zip(taken, adds, strict=True) if each.event in counted)
    else:
        points = sum(adds)
    points += way.settings.attendance * len(taken)
    deals = sum(way.all_deals(taken))
    parted_by = tuple(TIE_BREAKS[code](way, taken) for code in way.settings.tie_breaks)
    score, exact = _score(way, points, deals, rating)
    key = _key(exact, *parted_by) if _may_be_placed(way, taken, deals) else ""
    return _Sum(points, deals, score, counted, parted_by, key)


def _counted(way: Way, taken: Sequence[Result], adds: Sequence[int]) -> Collection[int]:
    """Give the evenings that count: the best so many, of equal ones the earlier."""
    best_of = way.settings.best_of
    if best_of is None or not way.method.adds_up or len(taken) <= best_of:
        return {each.event for each in taken}
    # Sorting is stable: of equals the earlier one stays in front.
    best = sorted(zip(adds, taken, strict=True), key=lambda pair: -pair[0])[:best_of]
    return {each.event for _add, each in best}


def _score(way: Way, points: int, deals: int, rating: tuple[int, int] | None) -> tuple[int, int]:
    """Give the score as shown, and the number that places go by."""
    if way.method is Method.AVERAGE and deals:
        return round(Fraction(points * HUNDREDTHS, deals)), points * FINEST // deals
    if way.method is Method.RATING and rating is not None:
        return shown_rating(*rating), rating[0] - 3 * rating[1]
    return points, points


def shown_rating(mu: int, sigma: int) -> int:
    """Give a rating as it is shown, in hundredths: less three times its uncertainty."""
    return round(Fraction((mu - 3 * sigma) * HUNDREDTHS, MILLIONTHS))


def _may_be_placed(way: Way, taken: Sequence[Result], deals: int) -> bool:
    own = way.settings
    enough = deals >= own.minimum_deals and len(taken) >= own.minimum_evenings
    return enough and (way.method is not Method.AVERAGE or deals > 0)


def _key_before(way: Way, taken: Sequence[Result], now: _Sum, rated: Rated | None) -> str:
    """Give the key as it would be without the last evening; empty for who had no place."""
    if way.last_event is None or taken[-1].event != way.last_event:
        return now.key
    earlier = taken[:-1]
    if not earlier or (rated is not None and rated.before is None):
        return ""
    return _sum(way, earlier, rated and rated.before).key


def _key(*values: int) -> str:
    """Write numbers so that texts sort as they do, in every database and every language."""
    return "".join(f"{value + KEY_ZERO:0{KEY_WIDTH}d}" for value in values)


def _addend(way: Way, result: Result, counts: bool) -> dict[str, Any]:
    addend: dict[str, Any] = {
        "event": result.event,
        "points": way.points(result),
        "deals": way.deals(result),
        "adds": way.adds(result),
        "counts": counts,
        "place": result.place,
        "entries": result.entries,
    }
    if result.ruled_points:
        addend["ruled"] = result.ruled_points
    if result.wins or result.losses:
        addend["wins"], addend["losses"] = result.wins, result.losses
    return addend


def _extras(way: Way, taken: Sequence[Result]) -> list[dict[str, Any]]:
    if not way.settings.attendance:
        return []
    return [{"code": "attendance", "value": way.settings.attendance * len(taken)}]


TIE_BREAKS: dict[TieBreak, Callable[[Way, Sequence[Result]], int]] = {
    TieBreak.BEST_EVENING: lambda way, taken: max(way.points(each) for each in taken),
    TieBreak.EVENINGS_WON: lambda _way, taken: sum(each.place == 1 for each in taken),
    TieBreak.PODIUMS: lambda _way, taken: sum((each.place or 9) <= 3 for each in taken),  # noqa: PLR2004
    TieBreak.LAST_EVENING: lambda way, taken: way.points(taken[-1]),
    TieBreak.MORE_EVENINGS: lambda _way, taken: len(taken),
    TieBreak.FEWER_EVENINGS: lambda _way, taken: -len(taken),
    TieBreak.WINS: lambda _way, taken: sum(each.wins for each in taken),
    TieBreak.GAMES: lambda _way, taken: sum(each.games_won - each.games_lost for each in taken),
    TieBreak.POINTS: lambda _way, taken: sum(
        each.points_for - each.points_against for each in taken
    ),
}


def _fingerprint(way: Way, taken: Sequence[Result], rated: Rated | None) -> str:
    """Tell from which state of the data the line was made: the same results, the same mark."""
    in_last = way.last_event is not None and taken[-1].event == way.last_event
    state = (
        COUNTED_BY,
        str(way.method),
        _written(way.settings),
        in_last,
        rated and tuple(rated),
        [each[COUNTED] for each in taken],
    )
    return hashlib.blake2b(marshal.dumps(state, BY_VALUE), digest_size=16).hexdigest()


@lru_cache(maxsize=64)
def _written(settings: Settings) -> str:
    """Write settings as text; all lines of a ranking share it."""
    return json.dumps(settings.to_json(), sort_keys=True)


def places(keys: dict[int, str]) -> dict[int, int]:
    """Give who has a key the place that the database gives; equal keys share one."""
    given: dict[int, int] = {}
    place, last = 0, ""
    ranked = sorted((key, who) for who, key in keys.items() if key)
    for position, (key, who) in enumerate(reversed(ranked), start=1):
        if key != last:
            place, last = position, key
        given[who] = place
    return given
