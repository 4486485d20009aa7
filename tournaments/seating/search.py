"""The search for tables: rounds are improved by exchanging two players at a time.

Players are numbered 0 to n - 1 here. A round is a list of players by slot; the slots of a
table follow one another. Budgets count exchanges, never seconds, so that a seed repeats.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations

from tournaments.seating.dice import ODDS, Dice, acceptance_odds
from tournaments.seating.record import FULL_TABLE

STAGES = 64
MOST_STEPS = 100_000


@dataclass(slots=True, kw_only=True)
class Costs:
    """What seating two players together, or one at an odd table, costs at this moment.

    ``pair[a][b]`` is the price of one more meeting of a and b; it rises by ``meeting`` with
    each, so that the sum counts m (m - 1) / 2 per pair. ``odd[a]`` rises by ``odd_step``.
    """

    pair: list[list[int]]
    odd: list[int]
    meeting: int
    odd_step: int


@dataclass(slots=True, kw_only=True)
class Shape:
    """The slots of a round: who shares a table, and which slots are at an odd table."""

    sizes: tuple[int, ...]
    mates: list[tuple[int, ...]] = field(init=False)
    odd: list[bool] = field(init=False)
    table: list[int] = field(init=False)

    def __post_init__(self) -> None:
        self.mates, self.odd, self.table = [], [], []
        mixed = FULL_TABLE in self.sizes
        for number, size in enumerate(self.sizes):
            start = len(self.mates)
            slots = range(start, start + size)
            self.mates += [tuple(s for s in slots if s != slot) for slot in slots]
            # Where every table is odd nobody is treated worse than another.
            self.odd += [mixed and size != FULL_TABLE] * size
            self.table += [number] * size

    @property
    def meetings(self) -> int:
        """How many pairs meet in a round."""
        return sum(size * (size - 1) // 2 for size in self.sizes)

    def tables(self, seated: list[int]) -> list[tuple[int, ...]]:
        """The tables of a round."""
        tables, start = [], 0
        for size in self.sizes:
            tables.append(tuple(seated[start : start + size]))
            start += size
        return tables


def add_round(costs: Costs, shape: Shape, seated: list[int], sign: int = 1) -> int:
    """Seat a round (or take it back with sign -1) in the prices; gives the change of the sum."""
    change = 0
    pair, step = costs.pair, costs.meeting
    start = 0
    for size in shape.sizes:
        table = seated[start : start + size]
        for i, a in enumerate(table):
            for b in table[i + 1 :]:
                if sign < 0:
                    pair[a][b] -= step
                    pair[b][a] -= step
                    change -= pair[a][b]
                else:
                    change += pair[a][b]
                    pair[a][b] += step
                    pair[b][a] += step
            if shape.odd[start]:
                if sign < 0:
                    costs.odd[a] -= costs.odd_step
                    change -= costs.odd[a]
                else:
                    change += costs.odd[a]
                    costs.odd[a] += costs.odd_step
        start += size
    return change


def anneal(  # noqa: C901, PLR0912, PLR0915 - one hot loop: a call costs as much as its work
    costs: Costs,
    shape: Shape,
    plan: list[list[int]],
    dice: Dice,
    *,
    moves: int,
    hot: int,
    cold: int,
    freeze: int,
    goal: int = 0,
) -> tuple[int, list[list[int]]]:
    """Cool the plan from ``hot`` over ``cold`` to ``freeze``; gives the best seen.

    ``plan`` has already been added to ``costs``; on return both hold the last state. The
    first value is the best change of the sum, 0 or less; stops early at ``goal``.
    """
    pair, step, odd_price, odd_step = costs.pair, costs.meeting, costs.odd, costs.odd_step
    mates, odd, table = shape.mates, shape.odd, shape.table
    chance, odds = dice.chance, acceptance_odds()
    slots, rounds = len(mates), len(plan)
    change = best_change = 0
    best = [list(seated) for seated in plan]
    if goal >= 0 or len(shape.sizes) == 1:
        return best_change, best
    for stage in range(STAGES):
        heat = _heat(stage, hot, cold, freeze)
        for _ in range(moves // STAGES):
            seated = plan[int(chance() * rounds)]
            p = int(chance() * slots)
            q = int(chance() * slots)
            if table[p] == table[q]:
                continue
            a, b = seated[p], seated[q]
            pa, pb = pair[a], pair[b]
            left, right = mates[p], mates[q]
            worse = step * (len(left) + len(right))
            for s in left:
                x = seated[s]
                worse += pb[x] - pa[x]
            for s in right:
                x = seated[s]
                worse += pa[x] - pb[x]
            if odd[p] != odd[q]:
                if odd[p]:
                    worse += odd_price[b] - odd_price[a] + odd_step
                else:
                    worse += odd_price[a] - odd_price[b] + odd_step
            if worse > 0 and worse * 1000 > heat * odds[int(chance() * ODDS)]:
                continue
            for s in left:
                x = seated[s]
                px = pair[x]
                pa[x] -= step
                px[a] -= step
                pb[x] += step
                px[b] += step
            for s in right:
                x = seated[s]
                px = pair[x]
                pb[x] -= step
                px[b] -= step
                pa[x] += step
                px[a] += step
            if odd[p] != odd[q]:
                up, down = (b, a) if odd[p] else (a, b)
                odd_price[up] += odd_step
                odd_price[down] -= odd_step
            seated[p], seated[q] = b, a
            change += worse
            if change < best_change:
                best_change = change
                best = [list(seats) for seats in plan]
                if best_change <= goal:
                    return best_change, best
    return best_change, best


def _heat(stage: int, hot: int, cold: int, freeze: int) -> int:
    """Two straight lines in whole numbers: meetings settle first, odd tables at the end."""
    settle = 3 * STAGES // 4
    if stage < settle:
        return hot + (cold - hot) * stage // settle
    return cold + (freeze - cold) * (stage - settle) // (STAGES - settle)


def cool(
    costs: Costs, shape: Shape, plan: list[list[int]], dice: Dice, effort: Effort
) -> list[list[int]]:
    """The best plan found from this one; leaves the prices as they were."""
    start = sum(add_round(costs, shape, seated) for seated in plan)
    _, found = anneal(
        costs,
        shape,
        plan,
        dice,
        moves=effort.moves,
        hot=costs.meeting * effort.hot // 100,
        cold=costs.meeting * effort.cold // 100,
        freeze=min(costs.odd_step, costs.meeting) // 4,
        goal=effort.goal - start,
    )
    for seated in plan:
        add_round(costs, shape, seated, -1)
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Effort:
    """How hard to search: exchanges, heat in hundredths of a meeting, and when to stop."""

    moves: int
    hot: int
    cold: int
    goal: int


def cheapest(levels: Counter[int], step: int, units: int) -> int:
    """The sum of so many units bought one by one at the lowest price, which rises by ``step``.

    ``levels`` says how many there are at each price; it is used up.
    """
    spent = 0
    while units:
        price = min(levels)
        count = levels.pop(price)
        taken = min(count, units)
        spent += taken * price
        units -= taken
        levels[price + step] += taken
    return spent


def allowed_round(
    shape: Shape, players: list[int], apart: frozenset[tuple[int, int]]
) -> list[int] | None:
    """A round with no pair of ``apart`` at a table, by exact search; None if there is none.

    Also gives None when the search gets too long, which takes hundreds of such pairs.
    """
    enemies: dict[int, set[int]] = {player: set() for player in players}
    for one, other in apart:
        if one in enemies and other in enemies:
            enemies[one].add(other)
            enemies[other].add(one)
    # Who has most to avoid is seated while there is still room.
    queue = sorted(players, key=lambda player: (-len(enemies[player]), player))
    tables: list[list[int]] = [[] for _ in shape.sizes]
    steps = MOST_STEPS

    def seat(depth: int) -> bool:
        nonlocal steps
        if depth == len(queue):
            return True
        tried = set()
        for table, size in zip(tables, shape.sizes, strict=True):
            steps -= 1
            alike = size if not table else (tuple(table), size)
            if steps < 0 or len(table) == size or alike in tried:
                continue
            tried.add(alike)
            if enemies[queue[depth]].isdisjoint(table):
                table.append(queue[depth])
                if seat(depth + 1):
                    return True
                table.pop()
        return False

    return [player for table in tables for player in table] if seat(0) else None


def every_round(sizes: tuple[int, ...], players: list[int]) -> Iterator[list[int]]:
    """Every way to seat the players at tables of these sizes, tables of a size alike."""
    if not sizes:
        yield []
        return
    size, *others = sizes
    for table in combinations(players, size):
        # Where tables are alike the first takes the first player left, else all came twice.
        if len(set(sizes)) == 1 and table[0] != players[0]:
            return
        rest = [player for player in players if player not in table]
        for seated in every_round(tuple(others), rest):
            yield [*table, *seated]
