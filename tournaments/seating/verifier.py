"""An independent check of a round: knows nothing of how rounds are made and shares no code.

It takes what everybody can see (who was there, what was played, the policy, the round) and
answers the promises that are broken, what had to be given up, and the figures.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Protocol

SMALL_ENOUGH_TO_TRY_ALL = 12

type Tables = tuple[tuple[int, ...], ...]


class PlayedRound(Protocol):
    """Anything with tables in seat order and those who sat out."""

    @property
    def tables(self) -> Tables: ...

    @property
    def sat_out(self) -> tuple[int, ...]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Broken:
    """A promise that a round breaks: which, and the players concerned."""

    code: str
    players: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """What a round does to the evening; spreads are the largest difference of two counts.

    ``second_meetings`` adds up, over the pairs of this round, how often each had met tonight;
    ``fewest_possible`` is the least any seating of this round can do, None above 12 players.
    ``better_swaps`` counts the exchanges of two players that would lower it and keep the
    same players at odd tables.
    """

    second_meetings: int
    fewest_possible: int | None
    better_swaps: int
    odd_tables_spread: int
    sitting_out_spread: int
    seats_spread: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The broken promises (none when the round is sound) and the figures."""

    broken: tuple[Broken, ...]
    figures: Figures

    @property
    def is_sound(self) -> bool:
        """Whether the round keeps every promise."""
        return not self.broken


def verify_round(
    roster: Iterable[int],
    history: Sequence[PlayedRound],
    played: PlayedRound,
    *,
    policy: str = "threes",
    prohibited: Iterable[tuple[int, int]] = (),
) -> Verdict:
    """Check a round against who is there, tonight's history and the policy."""
    here = sorted(set(roster))
    enemies = {frozenset(pair) for pair in prohibited}
    broken = (
        *_everybody_once(here, played),
        *_sizes(len(here), policy, played),
        *_enemies(enemies, played),
        *_unfair_sitting_out(here, history, played),
    )
    return Verdict(broken=broken, figures=_figures(here, history, played, enemies))


def evening_sum(rounds: Iterable[PlayedRound]) -> int:
    """The sum over pairs of m (m - 1) / 2, m being how often they met in these rounds."""
    met = Counter(pair for one in rounds for pair in _pairs(one.tables))
    return sum(times * (times - 1) // 2 for times in met.values())


def allowed_sizes(players: int, policy: str) -> Counter[int]:
    """How many tables of each size a policy makes of so many players; key 0 is sitting out."""
    found = _sizes_by_policy(players, policy)
    if found is None and players == 5:  # noqa: PLR2004 - five cannot be 4 and 3
        return Counter({5: 1})
    if found is None:
        found = _sizes_by_policy(players, "threes")
    return found if found is not None else Counter({0: players})


def _sizes_by_policy(players: int, policy: str) -> Counter[int] | None:
    other, most = {"threes": (3, players), "sit_out": (1, 2)}.get(policy, (5, players))
    for fours in range(players // 4, -1, -1):
        rest, remainder = divmod(players - 4 * fours, other)
        if remainder or rest > most or (policy == "sit_out" and not fours):
            continue
        return +Counter({4: fours, 0 if other == 1 else other: rest})
    return None


def _everybody_once(here: list[int], played: PlayedRound) -> Iterator[Broken]:
    times = Counter(player for table in played.tables for player in table)
    times.update(played.sat_out)
    twice = tuple(sorted(player for player, count in times.items() if count > 1))
    missing = tuple(player for player in here if player not in times)
    strangers = tuple(sorted(times.keys() - set(here)))
    if twice:
        yield Broken(code="player_twice", players=twice)
    if missing:
        yield Broken(code="player_missing", players=missing)
    if strangers:
        yield Broken(code="player_not_here", players=strangers)


def _sizes(players: int, policy: str, played: PlayedRound) -> Iterator[Broken]:
    sizes = Counter(len(table) for table in played.tables)
    sizes[0] = len(played.sat_out)
    if +sizes != allowed_sizes(players, policy):
        yield Broken(code="wrong_table_sizes")


def _enemies(enemies: set[frozenset[int]], played: PlayedRound) -> Iterator[Broken]:
    for pair in _pairs(played.tables):
        if pair in enemies:
            yield Broken(code="prohibited_pair_together", players=tuple(sorted(pair)))


def _unfair_sitting_out(
    here: list[int], history: Sequence[PlayedRound], played: PlayedRound
) -> Iterator[Broken]:
    before = _turns(here, history, lambda one: one.sat_out)
    seated = [before[player] for player in here if player not in played.sat_out]
    unfair = tuple(sorted(p for p in played.sat_out if seated and before.get(p, 0) > min(seated)))
    if unfair:
        yield Broken(code="sits_out_before_others", players=unfair)


def _figures(
    here: list[int],
    history: Sequence[PlayedRound],
    played: PlayedRound,
    enemies: set[frozenset[int]],
) -> Figures:
    met = Counter(pair for one in history for pair in _pairs(one.tables))
    cost = sum(met[pair] for pair in _pairs(played.tables))
    best = None
    if len(here) <= SMALL_ENOUGH_TO_TRY_ALL:
        players = [p for table in played.tables for p in table]
        sizes = Counter(len(table) for table in played.tables)
        best = _fewest(players, sizes, met, enemies, None)
    rounds = [*history, played]
    return Figures(
        second_meetings=cost,
        fewest_possible=best,
        better_swaps=_better_swaps(played.tables, met, enemies),
        odd_tables_spread=_spread(_turns(here, rounds, _at_odd_tables).values()),
        sitting_out_spread=_spread(_turns(here, rounds, lambda one: one.sat_out).values()),
        seats_spread=_seats_spread(here, rounds),
    )


def _pairs(tables: Tables) -> Iterator[frozenset[int]]:
    for table in tables:
        for pair in combinations(table, 2):
            yield frozenset(pair)


def _at_odd_tables(one: PlayedRound) -> tuple[int, ...]:
    return tuple(player for table in one.tables if len(table) != 4 for player in table)  # noqa: PLR2004


def _turns(
    here: list[int],
    rounds: Sequence[PlayedRound],
    whose: Callable[[PlayedRound], Collection[int]],
) -> dict[int, int]:
    """How often it was each player's turn; who arrives starts from the lowest of those there."""
    counts: dict[int, int] = {}
    there: set[int] = set()
    for one in (*rounds, None):
        now = set(here) if one is None else {p for t in one.tables for p in t} | set(one.sat_out)
        stayed = [counts[player] for player in there & now]
        for player in now - there:
            counts[player] = max([counts.get(player, 0), *([min(stayed)] if stayed else [])])
        there = now
        for player in whose(one) if one is not None else ():
            counts[player] += 1
    return {player: counts[player] for player in here}


def _spread(counts: Iterable[int]) -> int:
    values = list(counts)
    return max(values) - min(values) if values else 0


def _seats_spread(here: list[int], rounds: Sequence[PlayedRound]) -> int:
    taken: Counter[tuple[int, int]] = Counter()
    for one in rounds:
        for table in one.tables:
            taken.update((player, seat) for seat, player in enumerate(table))
    return max((_spread(taken[player, seat] for seat in range(4)) for player in here), default=0)


def _better_swaps(
    tables: Tables, met: Counter[frozenset[int]], enemies: set[frozenset[int]]
) -> int:
    better = 0
    for left, right in combinations(tables, 2):
        if len(left) != len(right):
            continue
        now = sum(met[pair] for pair in _pairs((left, right)))
        for one in left:
            for other in right:
                swapped = (
                    tuple(other if p == one else p for p in left),
                    tuple(one if p == other else p for p in right),
                )
                allowed = enemies.isdisjoint(_pairs(swapped))
                better += allowed and sum(met[pair] for pair in _pairs(swapped)) < now
    return better


def _fewest(
    players: list[int],
    sizes: Counter[int],
    met: Counter[frozenset[int]],
    enemies: set[frozenset[int]],
    limit: int | None,
) -> int | None:
    """The least sum of earlier meetings over all the ways to seat the players; None above limit."""
    if not players:
        return 0
    first, *others = players
    best = limit
    for size in [size for size, count in sizes.items() if count]:
        for mates in combinations(others, size - 1):
            table = ((first, *mates),)
            if not enemies.isdisjoint(_pairs(table)):
                continue
            cost = sum(met[pair] for pair in _pairs(table))
            if best is not None and cost >= best:
                continue
            rest = [player for player in others if player not in mates]
            room = None if best is None else best - cost
            more = _fewest(rest, sizes - Counter({size: 1}), met, enemies, room)
            if more is not None and (best is None or cost + more < best):
                best = cost + more
    return best
