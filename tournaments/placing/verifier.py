"""An independent check of a placed round: knows nothing of how rounds are made, shares no code.

It takes what everybody in the room can see (who is there, tables with numbers and seats, the
rounds before, who may not meet) and answers which promises are broken, what the round says
wrongly about itself, and the figures. Seats are "N", "E", "S", "W" and "5".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Protocol

from tournaments.seating.verifier import Broken, allowed_sizes

__all__ = ["Broken", "Figures", "SeenRound", "SeenTable", "Verdict", "verify_placing"]

NORTH, FULL, SMALLEST = "N", 4, 3
SEED_ORDER = "NSEW"


class SeenTable(Protocol):
    """A table as it stands in the room: its number, and who has which seat."""

    @property
    def number(self) -> int: ...

    @property
    def players(self) -> tuple[int, ...]: ...

    @property
    def seats(self) -> tuple[str, ...]: ...


class SeenRound(Protocol):
    """The tables of a round and those who sit out."""

    @property
    def tables(self) -> Sequence[SeenTable]: ...

    @property
    def sit_out(self) -> tuple[int, ...]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """What a round does: meetings that are second ones, players again at a table of 3.

    ``out_of_ranking`` counts the players who sit at another table than the ranking alone gives.
    """

    second_meetings: int
    threes_again: int
    out_of_ranking: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The broken promises (none when the round is sound) and the figures."""

    broken: tuple[Broken, ...]
    figures: Figures

    @property
    def is_sound(self) -> bool:
        """Whether the round keeps every promise."""
        return not self.broken


@dataclass(frozen=True, slots=True, kw_only=True)
class _Case:
    here: list[int]
    earlier: Sequence[SeenRound]
    now: SeenRound
    placement: str
    policy: str
    apart: set[frozenset[int]]
    mates: set[frozenset[int]]
    fixed: Mapping[int, int]
    moved: Collection[int]
    ranking: Sequence[int]


def verify_placing(
    roster: Iterable[int],
    earlier: Sequence[SeenRound],
    now: SeenRound,
    *,
    placement: str,
    policy: str = "threes",
    prohibited: Iterable[tuple[int, int]] = (),
    teams: Iterable[Sequence[int]] = (),
    fixed: Mapping[int, int] | None = None,
    moved: Collection[int] = (),
    ranking: Sequence[int] = (),
    reasons: Iterable[Mapping[str, Any]] = (),
) -> Verdict:
    """Check a round against who is there and the rounds before it that are of one kind with it.

    ``earlier`` are the rounds of the same movement, grid or evening. ``moved`` names those who
    were moved by hand or to mend a table: their meetings and seats are excused. ``ranking``,
    the best first, is needed for best with best and finals. ``reasons`` are what the round
    says of itself (code and gaps), compared with what is seen.
    """
    case = _Case(
        here=sorted(set(roster)),
        earlier=earlier,
        now=now,
        placement=placement,
        policy=policy,
        apart={frozenset(pair) for pair in prohibited},
        mates={frozenset(pair) for team in teams for pair in combinations(team, 2)},
        fixed=fixed or {},
        moved=moved,
        ranking=[player for player in ranking if player not in now.sit_out],
    )
    broken = (
        *_everybody_once(case),
        *_tables(case),
        *_apart(case),
        *_fixed(case),
        *_of_its_kind(case),
        *_said(case, list(reasons)),
    )
    return Verdict(broken=tuple(broken), figures=_figures(case))


# What holds for every placement


def _everybody_once(case: _Case) -> Iterator[Broken]:
    times = Counter(player for table in case.now.tables for player in table.players)
    times.update(case.now.sit_out)
    wrong = {
        "player_twice": [player for player, count in times.items() if count > 1],
        "player_missing": [player for player in case.here if player not in times],
        "player_not_here": [player for player in times if player not in case.here],
    }
    for code, players in wrong.items():
        if players:
            yield Broken(code=code, players=tuple(sorted(players)))


def _tables(case: _Case) -> Iterator[Broken]:
    numbers = Counter(table.number for table in case.now.tables)
    if any(count > 1 for count in numbers.values()):
        yield Broken(code="table_number_twice")
    for table in case.now.tables:
        if len(set(table.seats)) != len(table.players) or len(table.seats) != len(table.players):
            yield Broken(code="seat_twice", players=table.players)
    sizes = Counter(len(table.players) for table in case.now.tables)
    fresh = not case.earlier and not case.mates
    if case.placement in {"drawn", "best_with_best"} or fresh:
        sizes[0] = len(case.now.sit_out)
        wrong = +sizes != allowed_sizes(len(case.here), case.policy)
    else:
        # A movement goes on with the holes that leavers left: as many threes as there are.
        wrong = bool(sizes.keys() - {SMALLEST, FULL})
    if wrong:
        yield Broken(code="wrong_table_sizes")


def _apart(case: _Case) -> Iterator[Broken]:
    for pair in sorted(_pairs([case.now]), key=sorted):
        if pair in case.apart:
            yield Broken(code="prohibited_pair_together", players=tuple(sorted(pair)))
        if pair in case.mates:
            yield Broken(code="team_mates_together", players=tuple(sorted(pair)))


def _fixed(case: _Case) -> Iterator[Broken]:
    for table in case.now.tables:
        for player in table.players:
            if case.fixed.get(player, table.number) != table.number:
                yield Broken(code="not_at_fixed_table", players=(player,))


def _said(case: _Case, reasons: list[Mapping[str, Any]]) -> Iterator[Broken]:
    """What the round says of meetings and tables of 3, against what is seen."""
    if not reasons:
        return
    met = _pairs(case.earlier)
    again = {pair for pair in _pairs([case.now]) if met[pair]}
    said = {frozenset(p) for r in reasons if r["code"] == "remeeting" for p in r["gaps"]["pairs"]}
    silent = any(r["code"] == "no_remeeting" for r in reasons)
    if said != again or silent != (not again):
        players = {player for pair in said ^ again for player in pair}
        yield Broken(code="says_wrong_meetings", players=tuple(sorted(players)))
    together = {pair for pair in _pairs([case.now]) if pair in case.apart}
    named = {
        frozenset(pair)
        for reason in reasons
        if reason["code"] == "prohibited_together"
        for pair in reason["gaps"]["pairs"]
    }
    if named != together:
        yield Broken(code="says_wrong_prohibited")


# What each placement promises


def _of_its_kind(case: _Case) -> Iterator[Broken]:
    if case.placement == "fft_movement":
        yield from _movement(case)
    elif case.placement == "howell":
        yield from _howell(case)
    elif case.placement == "final":
        yield from _final(case)
    elif case.placement == "best_with_best" and not (case.apart or case.mates):
        yield from _ranked(case)


def _seat_of(one: SeenRound) -> dict[int, tuple[str, int]]:
    return {
        player: (str(seat), table.number)
        for table in one.tables
        for seat, player in zip(table.seats, table.players, strict=True)
    }


def _movement(case: _Case) -> Iterator[Broken]:
    """The seat is kept, North keeps his table too, and nobody meets anybody again."""
    seats: dict[int, tuple[str, int]] = {}
    for one in case.earlier:
        seats |= _seat_of(one)
    followers = {p: at for p, at in _seat_of(case.now).items() if p not in case.moved}
    turned = [p for p, (seat, _) in followers.items() if p in seats and seats[p][0] != seat]
    if turned:
        yield Broken(code="orientation_changed", players=tuple(sorted(turned)))
    # Where somebody else than a North keeps his table, the tables change their numbers.
    renumbered = any(followers.get(player, (NORTH, 0))[0] != NORTH for player in case.fixed)
    norths = [
        p
        for p, (seat, table) in followers.items()
        if seat == NORTH and p in seats and seats[p][1] != table
    ]
    if norths and not renumbered:
        yield Broken(code="north_moved", players=tuple(sorted(norths)))
    met = _pairs(case.earlier)
    for pair in sorted(_pairs([case.now]), key=sorted):
        if met[pair] and pair.isdisjoint(case.moved):
            yield Broken(code="meets_again", players=tuple(sorted(pair)))


def _howell(case: _Case) -> Iterator[Broken]:
    """Of 16 nobody meets anybody twice."""
    rounds = [*case.earlier, case.now]
    # Not by the players seen in all: somebody replaced is a thirteenth in the grid of 12.
    if max(len(one.tables) for one in rounds) <= 3:  # noqa: PLR2004 - its 12 meet again
        return
    met = _pairs(rounds)
    for pair, times in sorted(met.items(), key=lambda item: sorted(item[0])):
        if times > 1 and pair.isdisjoint(case.moved):
            yield Broken(code="meets_again", players=tuple(sorted(pair)))


def _final(case: _Case) -> Iterator[Broken]:
    tables = len(case.ranking) // FULL
    at = _seat_of(case.now)
    for k, player in enumerate(case.ranking):
        if at.get(player) != (SEED_ORDER[k // tables], k % tables + 1):
            yield Broken(code="wrong_seed", players=(player,))


def _ranked(case: _Case) -> Iterator[Broken]:
    wrong = _out_of_ranking(case)
    if wrong and not case.fixed:
        yield Broken(code="not_by_ranking", players=tuple(wrong))


# Figures


def _pairs(rounds: Iterable[SeenRound]) -> Counter[frozenset[int]]:
    return Counter(
        frozenset(pair)
        for one in rounds
        for table in one.tables
        for pair in combinations(table.players, 2)
    )


def _out_of_ranking(case: _Case) -> list[int]:
    rank = {player: place for place, player in enumerate(case.ranking)}
    tables = sorted(case.now.tables, key=lambda table: table.number)
    seated = [[rank[p] for p in table.players if p in rank] for table in tables]
    wrong, start = [], 0
    for places in seated:
        end = start + len(places)
        wrong += [case.ranking[place] for place in places if not start <= place < end]
        start = end
    return sorted(wrong)


def _figures(case: _Case) -> Figures:
    met = _pairs(case.earlier)
    been = {
        player
        for one in case.earlier
        for table in one.tables
        if len(table.players) == SMALLEST
        for player in table.players
    }
    again = [
        player
        for table in case.now.tables
        if len(table.players) == SMALLEST
        for player in table.players
        if player in been
    ]
    return Figures(
        second_meetings=sum(met[pair] for pair in _pairs([case.now])),
        threes_again=len(again),
        out_of_ranking=len(_out_of_ranking(case)),
    )
