"""Best with best: the current ranking is filled into the tables in order.

Which tables are of 3 is chosen so that those sit there who did so least often; the lowest
tables of equals. Who may not meet, and team-mates, are kept apart by exchanging two players,
as near to each other in the ranking as possible.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, groupby, permutations

from tournaments.placing.fixed import keep_tables
from tournaments.placing.says import what_it_reached
from tournaments.placing.values import FULL_TABLE, PlacedTable, Placement, Placing, Seat
from tournaments.seating import Leftovers, PastRound, Reason, SeatingError, SplitChoice, split_for
from tournaments.seating.errors import gettext_noop, refuse_twice
from tournaments.seating.reasons import Gap
from tournaments.seating.record import Tally, tally
from tournaments.seating.search import Shape, allowed_round

type Pair = tuple[int, int]

MOST_EXCHANGES = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """A player with the points of the ranking and the number that orders equals."""

    player: int
    points: int
    number: int


def place_best_with_best(
    ranking: Iterable[Ranked],
    history: Sequence[PastRound] = (),
    *,
    policy: Leftovers = Leftovers.THREES,
    prohibited: Iterable[Pair] = (),
    teams: Iterable[Sequence[int]] = (),
    fixed: Mapping[int, int] | None = None,
) -> Placing:
    """Seat a round by the ranking: table 1 has the best; equal points go by number.

    Refuses fewer than 3 players, a player named twice, and pairs, prohibited or of one team,
    that cannot all be kept apart.
    """
    order = sorted(ranking, key=lambda one: (-one.points, one.number, one.player))
    refuse_twice((one.player for one in order), field="ranking")
    choice = split_for(len(order), policy)
    before = tally([one.player for one in order], history)
    seated, sit_out = _who_sits_out([one.player for one in order], choice, before)
    sizes = _sizes(seated, choice, before)
    wishes, mates = list(prohibited), [p for team in teams for p in combinations(team, 2)]
    places, changes = _kept_apart(seated, sizes, _ordered([*wishes, *mates]))
    tables = _with_seats(places, sizes, choice, before)
    kept, fixed_reasons = keep_tables(tables, fixed or {})
    return Placing(
        placement=Placement.BEST_WITH_BEST,
        tables=kept,
        sit_out=sit_out,
        reasons=(
            *choice.reasons,
            Reason(code="by_ranking"),
            *_equals(order),
            *changes,
            *fixed_reasons,
            *what_it_reached(kept, sit_out, history, wishes, mates),
        ),
    )


def _ordered(pairs: Iterable[Pair]) -> frozenset[Pair]:
    return frozenset((min(pair), max(pair)) for pair in pairs if pair[0] != pair[1])


def _who_sits_out(
    order: list[int], choice: SplitChoice, before: Tally
) -> tuple[list[int], tuple[int, ...]]:
    """Those who play, in order, and those who sit out: who did least often, the lowest first."""
    rank = {player: place for place, player in enumerate(order)}
    queue = sorted(order, key=lambda player: (before.sat_out[player], -rank[player]))
    out = set(queue[: choice.split.sit_out])
    return [player for player in order if player not in out], tuple(sorted(out))


def _sizes(order: list[int], choice: SplitChoice, before: Tally) -> tuple[int, ...]:
    """How many sit at each table from the first: odd tables where they hurt least."""
    odd = [size for size in choice.split.sizes if size != FULL_TABLE]
    if not odd or len(odd) == choice.split.tables:
        return choice.split.sizes
    counts = [before.odd_tables[player] for player in order]
    size, tables = odd[0], choice.split.tables
    # best[used]: what the cheapest way costs with so many odd tables so far, and the way; of
    # equals the one whose odd tables come latest.
    best: dict[int, tuple[int, tuple[int, ...]]] = {0: (0, ())}
    for table in range(tables):
        after: dict[int, tuple[int, tuple[int, ...]]] = {}
        for used, (cost, way) in best.items():
            start = FULL_TABLE * table + (size - FULL_TABLE) * used
            after[used] = min(after.get(used, (cost, way)), (cost, way), key=_late)
            if used < len(odd):
                more = cost + _unfair(counts[start : start + size])
                step = (more, (*way, table))
                after[used + 1] = min(after.get(used + 1, step), step, key=_late)
        best = after
    _, odd_tables = best[len(odd)]
    return tuple(size if table in odd_tables else FULL_TABLE for table in range(tables))


def _late(way: tuple[int, tuple[int, ...]]) -> tuple[int, tuple[int, ...]]:
    return way[0], tuple(-table for table in reversed(way[1]))


def _unfair(counts: Sequence[int]) -> int:
    # A second time weighs more than two first times.
    return sum(2 * count + 1 for count in counts if count) if any(counts) else 0


def _kept_apart(
    order: list[int], sizes: tuple[int, ...], apart: frozenset[Pair]
) -> tuple[list[int], list[Reason]]:
    """The players by slot with nobody beside whom he may not meet, and what was changed."""
    room = _Room(order, sizes, apart)
    exchanges: list[Pair] = []
    while len(exchanges) < MOST_EXCHANGES and (wrong := room.wrong()):
        swap = room.best_exchange(wrong)
        if swap is None:
            break
        exchanges.append((room.order[swap[0]], room.order[swap[1]]))
        room.exchange(*swap)
    if not room.wrong():
        return room.order, _exchanged(exchanges)
    return _by_exact_search(order, sizes, apart)


def _by_exact_search(
    order: list[int], sizes: tuple[int, ...], apart: frozenset[Pair]
) -> tuple[list[int], list[Reason]]:
    """A seating found by search, brought as near to the ranking as exchanges allow."""
    rank = {player: place for place, player in enumerate(order)}
    enemies = frozenset((min(a, b), max(a, b)) for a, b in _ranks(apart, rank))
    found = allowed_round(Shape(sizes=sizes), list(range(len(order))), enemies)
    if found is None:
        raise SeatingError(
            gettext_noop("No seating keeps all prohibited pairs apart."),
            code="prohibited_pairs",
            field="prohibited",
            pairs=tuple(sorted(apart)),
        )
    room = _Room([order[place] for place in found], sizes, apart)
    room.towards(rank)
    slot = {player: number for number, player in enumerate(room.order)}
    moved = [p for p in order if room.table_of[rank[p]] != room.table_of[slot[p]]]
    gaps: dict[str, Gap] = {"count": len(moved), "players": tuple(moved)}
    return room.order, [Reason(code="elsewhere_than_ranked", gaps=gaps)]


def _ranks(apart: frozenset[Pair], rank: dict[int, int]) -> list[Pair]:
    return [(rank[a], rank[b]) for a, b in apart if a in rank and b in rank]


class _Room:
    """Players by slot; slots of a table follow one another."""

    def __init__(self, order: list[int], sizes: tuple[int, ...], apart: frozenset[Pair]) -> None:
        self.order = list(order)
        self.table_of = [number for number, size in enumerate(sizes) for _ in range(size)]
        starts = [sum(sizes[:number]) for number in range(len(sizes))]
        self.slots = [range(start, start + s) for start, s in zip(starts, sizes, strict=True)]
        here = set(order)
        self.enemies: dict[int, set[int]] = {player: set() for player in order}
        for one, other in apart:
            if one in here and other in here:
                self.enemies[one].add(other)
                self.enemies[other].add(one)

    def wrong(self) -> list[int]:
        """The slots of those who sit with somebody they may not meet, at the best such table."""
        for slots in self.slots:
            wrong = [slot for slot in slots if self._beside(slot, self.order[slot])]
            if wrong:
                return wrong
        return []

    def _beside(self, slot: int, player: int, instead: int | None = None) -> int:
        """How many at a slot's table the player may not meet, one of them having left."""
        enemies = self.enemies[player]
        if not enemies:
            return 0
        return sum(
            self.order[other] in enemies
            for other in self.slots[self.table_of[slot]]
            if other != slot and self.order[other] != instead
        )

    def _gain(self, one: int, other: int) -> int:
        a, b = self.order[one], self.order[other]
        now = self._beside(one, a) + self._beside(other, b)
        return now - self._beside(other, a) - self._beside(one, b)

    def best_exchange(self, wrong: list[int]) -> tuple[int, int] | None:
        """The exchange that parts most pairs; of equals the nearest in the ranking."""
        best: tuple[tuple[int, int, int, int], tuple[int, int]] | None = None
        for slot in wrong:
            for other in range(len(self.order)):
                if self.table_of[other] == self.table_of[slot]:
                    continue
                gain = self._gain(slot, other)
                key = (-gain, abs(other - slot), -max(slot, other), min(slot, other))
                if gain > 0 and (best is None or key < best[0]):
                    best = key, (min(slot, other), max(slot, other))
        return best[1] if best else None

    def exchange(self, one: int, other: int) -> None:
        self.order[one], self.order[other] = self.order[other], self.order[one]

    def towards(self, rank: dict[int, int]) -> None:
        """Exchange while it brings the seating nearer to the ranking and parts nobody less."""
        better = True
        while better:
            better = False
            for one, other in combinations(range(len(self.order)), 2):
                a, b = rank[self.order[one]], rank[self.order[other]]
                apart = self.table_of[one] != self.table_of[other]
                if a > b and apart and self._gain(one, other) >= 0:
                    self.exchange(one, other)
                    better = True


def _with_seats(
    places: list[int], sizes: tuple[int, ...], choice: SplitChoice, before: Tally
) -> list[PlacedTable]:
    per_deal = dict(zip(choice.split.sizes, choice.split.players_per_deal, strict=True))
    tables, start = [], 0
    for number, size in enumerate(sizes, start=1):
        seated = _best_seats(places[start : start + size], before)
        tables.append(
            PlacedTable(
                number=number,
                players=seated,
                seats=tuple(Seat)[:size],
                per_deal=per_deal[size],
                first_dealer=seated[0],
            )
        )
        start += size
    return tables


def _best_seats(table: Sequence[int], before: Tally) -> tuple[int, ...]:
    """Of all orders the one whose seats were taken least; the ranking of equals."""
    return min(
        permutations(table),
        key=lambda seated: sum(
            2 * before.seats[player][seat] + 1 for seat, player in enumerate(seated)
        ),
    )


def equals_by_number(ranking: Iterable[Ranked]) -> tuple[Reason, ...]:
    """Who has the points of somebody else, so that the number puts them in order."""
    return tuple(_equals(sorted(ranking, key=lambda one: (-one.points, one.number))))


def _equals(order: list[Ranked]) -> Iterable[Reason]:
    groups = [[one.player for one in alike] for _, alike in groupby(order, lambda one: one.points)]
    equal = [group for group in groups if len(group) > 1]
    if not equal:
        return
    players = tuple(sorted(player for group in equal for player in group))
    gaps: dict[str, Gap] = {"count": len(players), "players": players}
    if len(equal) == 1:
        yield Reason(code="equal_by_number", gaps=gaps)
    else:
        yield Reason(code="equal_in_groups", gaps={**gaps, "groups": len(equal)})


def _exchanged(exchanges: list[Pair]) -> list[Reason]:
    if not exchanges:
        return []
    return [Reason(code="exchanged", gaps={"count": len(exchanges), "pairs": tuple(exchanges)})]
