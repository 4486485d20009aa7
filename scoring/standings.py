"""The standings of an event: counted from the marks on its sheets, nothing written.

Pure functions on values; the reads are in the querysets and the writes in ``scoring.tasks``.
Points are whole points as on the sheets. Equal points share a place and the next place is left
out: 1, 1, 3; unless the event declares tie-breaks (``tournaments.tiebreaks``).

A tournament has stages: what was made before one is scaled down by its factor ("abattre", OT p.5)
to whole points. Who plays a final ranks before who does not. Rulings take points from the offender
alone (CA p.4-8) and are never scaled.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from fractions import Fraction
from typing import Any

from tournaments.tiebreaks import Decision, Placed, Result, TieBreak, rank


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
    """An entry's part of one round; ``table`` is the sheet's key, ``number`` is on its card.

    A round that was missed and yet counts has neither. ``on_time``: games were decided at the
    limit of time.
    """

    round: int
    table: int | None
    number: int | None
    points: int
    deals: int
    on_time: bool = False

    def to_json(self) -> dict[str, Any]:
        """Give the part as an entry keeps it; what is rarely so is kept only where it is so."""
        told = asdict(self)
        if not self.on_time:
            del told["on_time"]
        return told


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruled:
    """Points that a penalty takes from an entry; without a round it counts from the start."""

    entry: int
    points: int
    round: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """The rounds of a stage, what is carried into it, and who qualified; nothing for everybody."""

    rounds: frozenset[int]
    carried: Fraction = Fraction(1)
    qualified: frozenset[int] | None = None

    def has(self, entry: int) -> bool:
        return self.qualified is None or entry in self.qualified


@dataclass(frozen=True, slots=True, kw_only=True)
class Missed:
    """An entry was not there in a round: it gets so many points, or for None its own average."""

    entry: int
    round: int
    points: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How an event counts besides adding up; a club night has nothing of it."""

    stages: Sequence[Stage] = ()
    ruled: Sequence[Ruled] = ()
    missed: Sequence[Missed] = ()
    tie_breaks: Sequence[TieBreak] = ()
    # How many contracts an entry made as taker in a round: (entry, round) to a number.
    contracts: Mapping[tuple[int, int], int] = field(default_factory=dict)

    def until(self, last: int) -> Plan:
        """Give the plan as it stood after a round."""
        return Plan(
            stages=tuple(
                replace(stage, rounds=frozenset(n for n in stage.rounds if n <= last))
                for stage in self.stages
            ),
            ruled=tuple(each for each in self.ruled if each.round is None or each.round <= last),
            missed=tuple(each for each in self.missed if each.round <= last),
            tie_breaks=self.tie_breaks,
            contracts={key: made for key, made in self.contracts.items() if key[1] <= last},
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """An entry's line: the points of its rounds, scaled where stages say so, less rulings."""

    entry: int
    place: int
    previous_place: int | None
    rounds: tuple[RoundPoints, ...]
    points: int
    ruled_points: int = 0
    decided_by: tuple[Decision, ...] = ()

    @property
    def tally(self) -> Mapping[str, Any]:
        """What games that are won add up to; nothing for deals."""
        return {}

    @property
    def sheet_points(self) -> int:
        """The part from the sheets, which adds up to zero over the field."""
        return sum(part.points for part in self.rounds if part.table is not None)

    @property
    def tie_breaks(self) -> list[dict[str, Any]]:
        """The tie-breaks that parted the entry from others, with its value; ready for JSON."""
        return [
            {"code": str(each.tie_break), "value": _plain(each.value)} for each in self.decided_by
        ]

    @property
    def deals_played(self) -> int:
        return sum(part.deals for part in self.rounds)


def _plain(value: int | tuple[int, ...]) -> int | list[int]:
    return list(value) if isinstance(value, tuple) else value


def shared_places(points: Mapping[int, int]) -> dict[int, int]:
    """Give each key its place by points, the most first; equal points share a place."""
    places: dict[int, int] = {}
    place, last = 0, None
    for position, key in enumerate(sorted(points, key=lambda key: (-points[key], key)), start=1):
        if points[key] != last:
            place, last = position, points[key]
        places[key] = place
    return places


NOTHING_BESIDES = Plan()


def of_event(totals: Iterable[SheetTotal], plan: Plan = NOTHING_BESIDES) -> list[Standing]:
    """Give the standing of every entry that has played, best first, then by entry key."""
    played = _rounds_by_entry(totals)
    parts = _with_missed(played, plan.missed)
    results = _results(played, parts, plan)
    before = _places_before_the_latest_round(played, plan)
    return [
        Standing(
            entry=line.player,
            place=line.place,
            previous_place=before.get(line.player),
            rounds=parts[line.player],
            points=line.total,
            ruled_points=sum(results[line.player].rulings),
            decided_by=line.decided_by,
        )
        for line in _ranked(results, plan)
    ]


def after_round(
    totals: Iterable[SheetTotal], last: int, plan: Plan = NOTHING_BESIDES
) -> list[Standing]:
    """Give the standings as they were after a round."""
    return of_event((each for each in totals if each.round <= last), plan.until(last))


type Parts = Mapping[int, Sequence[RoundPoints]]


def _ranked(results: Mapping[int, Result], plan: Plan) -> list[Placed]:
    """Rank by points and tie-breaks, those who play a later final before the others."""
    levels: dict[int, list[Result]] = {}
    for entry, result in results.items():
        levels.setdefault(_level(entry, plan), []).append(result)
    lines: list[Placed] = []
    for level in sorted(levels, reverse=True):
        ahead = len(lines)
        ranked = rank(levels[level], plan.tie_breaks)
        lines += [replace(line, place=line.place + ahead) for line in ranked]
    return lines


def _level(entry: int, plan: Plan) -> int:
    """Count how many finals that have begun the entry plays."""
    finals = (stage.qualified for stage in plan.stages if stage.rounds)
    return sum(qualified is not None and entry in qualified for qualified in finals)


def _results(played: Parts, parts: Parts, plan: Plan) -> dict[int, Result]:
    """What the ranking compares; ``carried`` is whatever the sheets alone do not say."""
    points = _scaled(parts, plan.stages)
    rulings: dict[int, list[int]] = {}
    for ruling in plan.ruled:
        rulings.setdefault(ruling.entry, []).append(-ruling.points)
    contracts: Counter[int] = Counter()
    for (entry, _), made in plan.contracts.items():
        contracts[entry] += made
    results = {}
    for entry, own in played.items():
        rounds: Counter[int] = Counter()
        for part in own:
            rounds[part.round] += part.points
        results[entry] = Result(
            player=entry,
            rounds=dict(rounds),
            tables={part.round: part.table for part in own},
            rulings=tuple(rulings.get(entry, ())),
            carried=points[entry] - sum(rounds.values()),
            contracts_made=contracts[entry],
        )
    return results


def _scaled(parts: Parts, stages: Sequence[Stage]) -> dict[int, int]:
    """Add up the rounds of each entry, stage by stage, scaling down what was made before."""
    staged = frozenset[int]().union(*(stage.rounds for stage in stages))
    points = {
        entry: sum(part.points for part in own if part.round not in staged)
        for entry, own in parts.items()
    }
    for stage in stages:
        if not stage.rounds:
            continue
        playing = {entry: before for entry, before in points.items() if stage.has(entry)}
        for entry, before in playing.items():
            made = sum(part.points for part in parts[entry] if part.round in stage.rounds)
            # Fractions are dropped towards zero: ahead and behind alike, equals stay equal.
            points[entry] = int(before * stage.carried) + made
    return points


def _with_missed(played: Parts, missed: Iterable[Missed]) -> dict[int, tuple[RoundPoints, ...]]:
    """Put what a missed round counts among the rounds; an average drops its fraction."""
    given: dict[int, list[RoundPoints]] = {}
    for each in missed:
        if each.entry in played:
            points = _average(played[each.entry]) if each.points is None else each.points
            part = RoundPoints(round=each.round, table=None, number=None, points=points, deals=0)
            given.setdefault(each.entry, []).append(part)
    return {
        entry: tuple(
            sorted((*own, *given.get(entry, ())), key=lambda part: (part.round, part.table or 0))
        )
        for entry, own in played.items()
    }


def _average(played: Sequence[RoundPoints]) -> int:
    rounds = len({part.round for part in played})
    return int(Fraction(sum(part.points for part in played), rounds))


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


def _places_before_the_latest_round(played: Parts, plan: Plan) -> dict[int, int]:
    latest = max((part.round for own in played.values() for part in own), default=0)
    plan = plan.until(latest - 1)
    earlier = {
        entry: before
        for entry, own in played.items()
        if (before := [part for part in own if part.round < latest])
    }
    parts = _with_missed(earlier, plan.missed)
    return {line.player: line.place for line in _ranked(_results(earlier, parts, plan), plan)}
