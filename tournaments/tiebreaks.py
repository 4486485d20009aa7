"""The ranking: deal scores plus rulings, and what decides between equal totals.

Pure functions on values. Points are whole points; a total is the sum of the rounds, of what was
carried in and of the rulings (negative where points were taken away). Equal totals share the
place, 1-1-3, as the federation knows no tie-break; an event may declare some, in order, and
each shows the value that decided.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from fractions import Fraction
from itertools import combinations, groupby

from rules_engine.errors import Illegal, gettext_noop


class TieBreak(StrEnum):
    """What may decide between equal totals; the greater value is ahead, always."""

    LATEST_ROUND = "latest_round"  # points of the latest round, then the one before, ...
    BEST_ROUND = "best_round"  # points of the best single round
    CONTRACTS_MADE = "contracts_made"  # deals won as taker
    FEWEST_PENALTIES = "fewest_penalties"  # points taken away by rulings, as a negative number
    HEAD_TO_HEAD = "head_to_head"  # difference of points over all rounds at one table


TIE_BREAK_NAMES: Mapping[TieBreak, str] = {
    TieBreak.LATEST_ROUND: gettext_noop("points of the latest round, then of the one before"),
    TieBreak.BEST_ROUND: gettext_noop("points of the best round"),
    TieBreak.CONTRACTS_MADE: gettext_noop("contracts made as taker"),
    TieBreak.FEWEST_PENALTIES: gettext_noop("fewest points taken away by rulings"),
    TieBreak.HEAD_TO_HEAD: gettext_noop("points against the other in all rounds at one table"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What counts for one player (or team): an id, points by round, and the rest.

    ``tables`` has the table of each round, any id that is the same for those who shared it;
    ``rulings`` the points of each ruling in force, negative where they are taken away.
    """

    player: int
    rounds: Mapping[int, int] = field(default_factory=dict)
    tables: Mapping[int, Hashable] = field(default_factory=dict)
    rulings: tuple[int, ...] = ()
    carried: int = 0
    contracts_made: int = 0

    @property
    def deals_total(self) -> int:
        """The sum of the rounds: what the sheets say."""
        return sum(self.rounds.values())

    @property
    def total(self) -> int:
        """What the ranking goes by: carried in, rounds and rulings."""
        return self.carried + self.deals_total + sum(self.rulings)


type Value = int | tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """A tie-break that parted a player from equals, and his value of it."""

    tie_break: TieBreak
    value: Value


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """A line of the ranking; ``shared`` when others have the same place.

    ``decided_by`` lists the tie-breaks that parted this player from somebody, in order.
    """

    player: int
    place: int
    total: int
    shared: bool = False
    decided_by: tuple[Decision, ...] = ()


def rank(results: Iterable[Result], tie_breaks: Sequence[TieBreak] = ()) -> tuple[Placed, ...]:
    """The ranking, best first and equals by id. Refuses a player named twice."""
    results = sorted(results, key=lambda one: (-one.total, one.player))
    _refuse_twice(results)
    lines: list[Placed] = []
    for _, equal in groupby(results, key=lambda one: one.total):
        by_player = {one.player: one for one in equal}
        for group, decisions in part_equals(list(by_player), tie_breaks, _values_among(by_player)):
            lines += [
                Placed(
                    player=player,
                    place=len(lines) + 1,
                    total=by_player[player].total,
                    shared=len(group) > 1,
                    decided_by=tuple(
                        Decision(tie_break=kind, value=value)
                        for kind, value in decisions.get(player, ())
                    ),
                )
                for player in group
            ]
    return tuple(lines)


def _values_among(
    by_player: Mapping[int, Result],
) -> ValuesOf[TieBreak, Value]:
    return lambda kind, equal: VALUES[kind]([by_player[player] for player in equal])


def _refuse_twice(results: list[Result]) -> None:
    twice = [player for player, times in Counter(r.player for r in results).items() if times > 1]
    if twice:
        raise Illegal(
            gettext_noop("Player %(player)s is in the ranking twice."),
            code="player_twice",
            field="results",
            player=min(twice),
        )


type Comparable = int | Fraction | tuple[int, ...]
type ValuesOf[Kind, V: Comparable] = Callable[[Kind, Sequence[int]], Mapping[int, V] | None]
type Decisions[Kind, V: Comparable] = dict[int, tuple[tuple[Kind, V], ...]]
type Parted[Kind, V: Comparable] = list[tuple[list[int], Decisions[Kind, V]]]


def part_equals[Kind, V: Comparable](
    equal: Sequence[int],
    tie_breaks: Sequence[Kind],
    values_of: ValuesOf[Kind, V],
    *,
    restart: bool = False,
) -> Parted[Kind, V]:
    """Part equals by one tie-break after the other; the greater value is ahead.

    Gives the groups that stay equal, best first and each by id, with what has parted each from
    somebody. ``values_of`` gives None where a tie-break decides nothing. With ``restart`` those
    who are still equal begin again with the first tie-break, among themselves; without it they
    go on with the next.
    """
    return _parted(list(equal), tuple(tie_breaks), _Parting(tuple(tie_breaks), values_of, restart))


@dataclass(frozen=True, slots=True)
class _Parting[Kind, V: Comparable]:
    """What stays the same while equals are parted."""

    all_of_them: tuple[Kind, ...]
    values_of: ValuesOf[Kind, V]
    restart: bool


def _parted[Kind, V: Comparable](
    equal: list[int],
    tie_breaks: tuple[Kind, ...],
    parting: _Parting[Kind, V],
    decisions: Decisions[Kind, V] | None = None,
) -> Parted[Kind, V]:
    decisions = decisions or {}
    if len(equal) == 1 or not tie_breaks:
        return [(sorted(equal), decisions)]
    first, rest = tie_breaks[0], tie_breaks[1:]
    values = parting.values_of(first, equal)
    if values is None or len({values[one] for one in equal}) == 1:
        return _parted(equal, rest, parting, decisions)
    known = {one: (*decisions.get(one, ()), (first, values[one])) for one in equal}
    following = parting.all_of_them if parting.restart else rest
    groups: Parted[Kind, V] = []
    for value in sorted({values[one] for one in equal}, key=_as_tuple, reverse=True):
        still = [one for one in equal if values[one] == value]
        groups += _parted(still, following, parting, known)
    return groups


def _as_tuple(value: Comparable) -> tuple[int | Fraction, ...]:
    return value if isinstance(value, tuple) else (value,)


type Values = Mapping[int, Value]


def _latest_rounds(equal: list[Result]) -> Values:
    """Points backwards from the latest round that one of them played; not played is 0."""
    played = sorted({number for one in equal for number in one.rounds}, reverse=True)
    return {one.player: tuple(one.rounds.get(number, 0) for number in played) for one in equal}


def _best_round(equal: list[Result]) -> Values:
    return {one.player: max(one.rounds.values(), default=0) for one in equal}


def _contracts_made(equal: list[Result]) -> Values:
    return {one.player: one.contracts_made for one in equal}


def _penalties(equal: list[Result]) -> Values:
    return {one.player: sum(points for points in one.rulings if points < 0) for one in equal}


def _head_to_head(equal: list[Result]) -> Values | None:
    """Own points less those of the others, over all rounds at one table.

    None, so that nothing is decided, unless every two of them have met: who met only the
    weaker one would be ahead without having played the other.
    """
    value = dict.fromkeys((one.player for one in equal), 0)
    for one, other in combinations(equal, 2):
        met = [r for r, table in one.tables.items() if other.tables.get(r, _NOWHERE) == table]
        if not met:
            return None
        ahead = sum(one.rounds.get(r, 0) - other.rounds.get(r, 0) for r in met)
        value[one.player] += ahead
        value[other.player] -= ahead
    return value


_NOWHERE = object()

VALUES: Mapping[TieBreak, Callable[[list[Result]], Values | None]] = {
    TieBreak.LATEST_ROUND: _latest_rounds,
    TieBreak.BEST_ROUND: _best_round,
    TieBreak.CONTRACTS_MADE: _contracts_made,
    TieBreak.FEWEST_PENALTIES: _penalties,
    TieBreak.HEAD_TO_HEAD: _head_to_head,
}


# Teams, series and clubs


def team_results(results: Iterable[Result], team_of: Mapping[int, int]) -> tuple[Result, ...]:
    """A result per team: the scores of its members added up, rulings too.

    ``team_of`` has the team of each player; players without one are left out. Members never
    share a table with their own, so a team has no table of its own: head-to-head does not apply.
    """
    teams: dict[int, Result] = {}
    for one in results:
        if one.player in team_of:
            team = team_of[one.player]
            teams[team] = _added(teams.get(team, Result(player=team)), one)
    return tuple(teams[team] for team in sorted(teams))


def _added(team: Result, member: Result) -> Result:
    rounds = {
        number: team.rounds.get(number, 0) + member.rounds.get(number, 0)
        for number in team.rounds.keys() | member.rounds.keys()
    }
    return replace(
        team,
        rounds=rounds,
        rulings=(*team.rulings, *member.rulings),
        carried=team.carried + member.carried,
        contracts_made=team.contracts_made + member.contracts_made,
    )


def within(ranking: Sequence[Placed], members: Collection[int]) -> tuple[Placed, ...]:
    """The ranking of some of the players, in the order of the whole; places start from 1."""
    chosen = [line for line in ranking if line.player in members]
    sharing = Counter(line.place for line in chosen)
    lines: list[Placed] = []
    for line in chosen:
        ahead = sum(count for place, count in sharing.items() if place < line.place)
        lines.append(replace(line, place=ahead + 1, shared=sharing[line.place] > 1))
    return tuple(lines)


def by_group[Group: Hashable](
    ranking: Sequence[Placed], group_of: Mapping[int, Group]
) -> dict[Group, tuple[Placed, ...]]:
    """The ranking of each series or club; groups in the order of their best player."""
    groups: dict[Group, set[int]] = {}
    for line in ranking:
        if line.player in group_of:
            groups.setdefault(group_of[line.player], set()).add(line.player)
    return {group: within(ranking, players) for group, players in groups.items()}


def best_of_last_rounds(
    results: Iterable[Result], rounds: int = 2, *, without: Collection[int] = ()
) -> tuple[Placed, ...]:
    """The ranking by the sheets of the last rounds only, for the special prize (OT p.4).

    ``without`` are those who have another reward.
    """
    results = list(results)
    last = set(sorted({number for one in results for number in one.rounds})[-rounds:])
    counted = [
        Result(player=one.player, rounds={r: p for r, p in one.rounds.items() if r in last})
        for one in results
        if one.player not in without
    ]
    return rank(counted)
