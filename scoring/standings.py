"""The standings of an event: counted from the marks on its sheets, nothing written.

Pure functions on values; the reads are in the querysets and the writes in ``scoring.tasks``.
Points are whole points as on the sheets. Equal points share a place and the next place is left
out: 1, 1, 3; unless the event declares tie-breaks, taken one after the other.

A tournament has stages: what was made before one is multiplied with its factor ("abattre", OT p.5)
and rounded to whole points, halves away from zero, so that plus and minus are treated alike. Who
plays a final ranks before who does not. Rulings take points from the offender alone (CA p.4-8) and
are never scaled.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
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
    """An entry's part of one round; ``table`` is the sheet's key, ``number`` is on its card.

    A round that was missed and yet counts has neither.
    """

    round: int
    table: int | None
    number: int | None
    points: int
    deals: int

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


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
    """An entry was not there in a round: it gets so many points, or its own average for None."""

    entry: int
    round: int
    points: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How an event counts besides adding up; a club night has nothing of it."""

    stages: Sequence[Stage] = ()
    ruled: Sequence[Ruled] = ()
    missed: Sequence[Missed] = ()
    tie_breaks: Sequence[str] = ()

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
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class TieBreak:
    """What an entry with the points of another has in a tie-break; ``decides`` where they part."""

    code: str
    value: int
    decides: bool

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """An entry's line: the points of its rounds, scaled where stages say so, less rulings."""

    entry: int
    place: int
    previous_place: int | None
    rounds: tuple[RoundPoints, ...]
    points: int
    ruled_points: int = 0
    tie_breaks: tuple[TieBreak, ...] = ()

    @property
    def sheet_points(self) -> int:
        """The part from the sheets, which adds up to zero over the field."""
        return sum(part.points for part in self.rounds if part.table is not None)

    @property
    def deals_played(self) -> int:
        return sum(part.deals for part in self.rounds)


# How merit is compared: the level first (a final before the rest), then points, then tie-breaks.
type Merit = tuple[int, ...]


def shared_places(points: Mapping[int, int]) -> dict[int, int]:
    """Give each key its place by points, the most first; equal points share a place."""
    return _places({key: (value,) for key, value in points.items()})


def _places(merits: Mapping[int, Merit]) -> dict[int, int]:
    places: dict[int, int] = {}
    place, last = 0, None
    best_first = sorted(merits, key=lambda key: ([-part for part in merits[key]], key))
    for position, key in enumerate(best_first, start=1):
        if merits[key] != last:
            place, last = position, merits[key]
        places[key] = place
    return places


NOTHING_BESIDES = Plan()


def of_event(totals: Iterable[SheetTotal], plan: Plan = NOTHING_BESIDES) -> list[Standing]:
    """Give the standing of every entry that has played, best first, then by entry key."""
    rounds = _rounds_by_entry(totals)
    counted = _count(rounds, plan)
    merits = {entry: line.merit for entry, line in counted.items()}
    places = _places(merits)
    before = _places_before_the_latest_round(rounds, plan)
    told = _told_apart(merits, plan.tie_breaks)
    return [
        Standing(
            entry=entry,
            place=places[entry],
            previous_place=before.get(entry),
            rounds=counted[entry].parts,
            points=counted[entry].points,
            ruled_points=counted[entry].ruled,
            tie_breaks=told.get(entry, ()),
        )
        for entry in places
    ]


def after_round(
    totals: Iterable[SheetTotal], last: int, plan: Plan = NOTHING_BESIDES
) -> list[Standing]:
    """Give the standings as they were after a round."""
    return of_event((each for each in totals if each.round <= last), plan.until(last))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Counted:
    parts: tuple[RoundPoints, ...]
    points: int
    ruled: int
    merit: Merit


def _count(rounds: Mapping[int, Sequence[RoundPoints]], plan: Plan) -> dict[int, _Counted]:
    taken: Counter[int] = Counter()
    for ruling in plan.ruled:
        taken[ruling.entry] += ruling.points
    missed: dict[int, list[Missed]] = {}
    for each in plan.missed:
        missed.setdefault(each.entry, []).append(each)
    last = max((part.round for parts in rounds.values() for part in parts), default=0)
    counted = {}
    for entry, played in rounds.items():
        parts = _with_missed(played, missed.get(entry, ()))
        points = _scaled(entry, parts, plan.stages) - taken[entry]
        breaks = [TIE_BREAKS[code](played, last) for code in plan.tie_breaks]
        counted[entry] = _Counted(
            parts=parts,
            points=points,
            ruled=-taken[entry],
            merit=(_level(entry, plan), points, *breaks),
        )
    return counted


def _with_missed(
    played: Sequence[RoundPoints], missed: Sequence[Missed]
) -> tuple[RoundPoints, ...]:
    rounds = len({part.round for part in played})
    average = rounded(Fraction(sum(part.points for part in played), rounds))
    given = (
        RoundPoints(
            round=each.round,
            table=None,
            number=None,
            points=average if each.points is None else each.points,
            deals=0,
        )
        for each in missed
    )
    return tuple(sorted((*played, *given), key=lambda part: (part.round, part.table or 0)))


def _level(entry: int, plan: Plan) -> int:
    """Count how many finals that have begun the entry plays."""
    finals = (stage.qualified for stage in plan.stages if stage.rounds)
    return sum(qualified is not None and entry in qualified for qualified in finals)


def _scaled(entry: int, parts: Sequence[RoundPoints], stages: Sequence[Stage]) -> int:
    staged = frozenset[int]().union(*(stage.rounds for stage in stages))
    points = sum(part.points for part in parts if part.round not in staged)
    for stage in stages:
        if not stage.rounds or not stage.has(entry):
            continue
        points = rounded(points * stage.carried)
        points += sum(part.points for part in parts if part.round in stage.rounds)
    return points


def rounded(points: Fraction) -> int:
    """Round to whole points, halves away from zero."""
    whole = (2 * abs(points.numerator) + points.denominator) // (2 * points.denominator)
    return whole if points >= 0 else -whole


# Tie-breaks, club options all: the federation's documents give none (RO p.10). More is better.


def _last_round(parts: Sequence[RoundPoints], last: int) -> int:
    return sum(part.points for part in parts if part.round == last)


def _best_round(parts: Sequence[RoundPoints], last: int) -> int:
    return max((part.points for part in parts), default=0)


def _worst_round(parts: Sequence[RoundPoints], last: int) -> int:
    return min((part.points for part in parts), default=0)


def _rounds_won(parts: Sequence[RoundPoints], last: int) -> int:
    return sum(part.points > 0 for part in parts)


type Breaker = Callable[[Sequence[RoundPoints], int], int]

# What an entry made on its sheets, and the number of the latest round.
TIE_BREAKS: Mapping[str, Breaker] = {
    "last_round": _last_round,
    "best_round": _best_round,
    "worst_round": _worst_round,
    "rounds_won": _rounds_won,
}


LEVEL_AND_POINTS = 2


def _told_apart(
    merits: Mapping[int, Merit], codes: Sequence[str]
) -> dict[int, tuple[TieBreak, ...]]:
    """Give those with equal points what each tie-break says, up to the one that parts them."""
    told: dict[int, tuple[TieBreak, ...]] = {}
    alike = Counter(merit[:end] for merit in merits.values() for end in range(2, len(codes) + 3))
    for entry, merit in merits.items():
        lines = []
        for end, code in enumerate(codes, start=LEVEL_AND_POINTS + 1):
            if alike[merit[: end - 1]] == 1:
                break
            decides = alike[merit[:end]] < alike[merit[: end - 1]]
            lines.append(TieBreak(code=code, value=merit[end - 1], decides=decides))
        if lines:
            told[entry] = tuple(lines)
    return told


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


def _places_before_the_latest_round(
    rounds: Mapping[int, Sequence[RoundPoints]], plan: Plan
) -> dict[int, int]:
    latest = max((part.round for parts in rounds.values() for part in parts), default=0)
    earlier = {
        entry: [part for part in parts if part.round < latest] for entry, parts in rounds.items()
    }
    played = {entry: parts for entry, parts in earlier.items() if parts}
    counted = _count(played, plan.until(latest - 1))
    return _places({entry: line.merit for entry, line in counted.items()})
