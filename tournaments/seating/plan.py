"""The plan for the rounds to come, of which a draw publishes the first.

The order of the goals, because they conflict. Prohibited pairs never meet and turns at
sitting out differ by one at most: both are settled before. Then:

1. nobody meets anybody twice, and tables that are not of 4 are spread within one;
2. nobody meets anybody twice, and those tables are spread as evenly as that allows
   (13 and 14 players cannot have both: proved);
3. where second meetings cannot be avoided, tables that are not of 4 are spread within one,
   and then the sum over pairs of m (m - 1) / 2 is smallest, m being how often a pair meets;
4. the same pairs and the same players at odd tables as on earlier evenings are avoided.

``Priority.ODD_TABLES`` leaves the second out.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import combinations

from tournaments.seating.dice import Dice
from tournaments.seating.search import Costs, Effort, Shape, cheapest, cool, every_round

type Round = list[int]
type Pair = tuple[int, int]
type Merit = tuple[int, ...]

MEETING = 1000
FORBIDDEN = 100_000 * MEETING
ODD_TABLES_FIRST = 3000
MEETINGS_FIRST = 150


class Priority(StrEnum):
    """What wins where nobody meeting twice and even odd tables exclude each other."""

    MEETINGS = "meetings"
    ODD_TABLES = "odd_tables"


@dataclass(slots=True, kw_only=True)
class Task:
    """A plan to find. Players are numbered 0 to n - 1; of a pair the lower comes first.

    ``met`` and ``odd`` count tonight's past, ``old_met`` and ``old_odd`` are prices for
    earlier evenings, ``apart`` are the pairs that may not meet. ``known`` gives plans of the
    bank that the history fits; ``given`` is the rest of the last plan, or empty.
    """

    shape: Shape
    met: dict[Pair, int]
    apart: frozenset[Pair]
    old_met: dict[Pair, int]
    odd: list[int]
    old_odd: list[int]
    outs: list[frozenset[int]]
    dice: Dice
    priority: Priority
    given: list[Round] = field(default_factory=list)
    known: Callable[[], Iterable[list[Round]]] = tuple

    @property
    def has_earlier(self) -> bool:
        """Whether earlier evenings count."""
        return bool(self.old_met) or any(self.old_odd)

    @property
    def everybody(self) -> range:
        """The numbers of all the players."""
        return range(len(self.odd))

    def levels(self, pairs: dict[Pair, int]) -> Counter[int]:
        """How many pairs of players have each value; those not named have 0."""
        levels = Counter(pairs.values())
        levels[0] += len(self.odd) * (len(self.odd) - 1) // 2 - len(pairs)
        return levels

    def any_plan(self) -> list[Round]:
        """Rounds by chance alone."""
        return [
            self.dice.shuffled([p for p in self.everybody if p not in out]) for out in self.outs
        ]


@dataclass(slots=True)
class Best:
    """The best plan so far and what a plan can reach at most."""

    task: Task
    fewest: int
    evenest: int
    merit: Merit = ()
    plan: list[Round] = field(default_factory=list)

    def consider(self, plan: list[Round]) -> None:
        """Keep the plan if it is better."""
        merit = _merit(self.task, plan, self.evenest)
        if not self.merit or merit < self.merit:
            self.merit, self.plan = merit, plan

    @property
    def is_without_remeeting(self) -> bool:
        """Whether nobody meets anybody twice."""
        return bool(self.merit) and self.merit[:2] <= (0, 1)

    @property
    def is_even(self) -> bool:
        """Whether there is a plan with nobody at a forbidden table and even odd tables."""
        return self.merit[:1] == (0,) and self.merit[2] == self.evenest

    @property
    def is_perfect(self) -> bool:
        """Whether no plan can be better."""
        reached = self.merit[:2] == (0, 0) or self.merit[:4] == (0, 2, self.evenest, self.fewest)
        return reached and not self.merit[4]


def best_plan(task: Task) -> list[Round]:
    """The best plan found, its most harmless round first."""
    if len(task.outs) == 1 and len(task.odd) <= FEW_ENOUGH_TO_TRY_ALL:
        return [_best_of_all(task)]
    best = Best(task, *_limits(task))
    for plan in _ready_made(task):
        best.consider(plan)
    if not best.is_even:
        _search(best)
    elif not best.is_perfect and _may_be_uneven(best):
        best.consider(_cooled(task, MEETINGS_FIRST))
    return _harmless_first(task, best.plan)


def _best_of_all(task: Task) -> Round:
    """The best round, found by trying every one; among equals chance decides evenly."""
    _, evenest = _limits(task)
    merits = [
        (_merit(task, [seated], evenest), seated)
        for seated in every_round(task.shape.sizes, task.any_plan()[0])
    ]
    best = min(merit for merit, _ in merits)
    equals = [seated for merit, seated in merits if merit == best]
    return equals[task.dice.below(len(equals))]


def _ready_made(task: Task) -> Iterator[list[Round]]:
    """The rest of the last plan, and plans of the bank: more where an earlier evening counts."""
    if task.given:
        yield task.given
    if not task.has_earlier:
        yield from task.known()
    elif task.met:
        for _ in range(FITS_TO_COMPARE):
            yield from task.known()


def _search(best: Best) -> None:
    one_round = len(best.task.outs) == 1
    for attempt in range(SEARCHES_OF_ONE_ROUND if one_round else SEARCHES):
        best.consider(_cooled(best.task, ODD_TABLES_FIRST))
        if best.is_perfect:
            return
        if attempt and _may_be_uneven(best):
            best.consider(_cooled(best.task, MEETINGS_FIRST))


def _may_be_uneven(best: Best) -> bool:
    """Whether uneven odd tables may still buy an evening without second meetings."""
    task = best.task
    wanted = task.priority is Priority.MEETINGS and any(task.shape.odd)
    return wanted and not best.fewest and not best.is_without_remeeting


def _limits(task: Task) -> tuple[int, int]:
    """The fewest second meetings, and the evenest odd tables, that counting allows."""
    rounds = len(task.outs)
    fewest = cheapest(task.levels(task.met), 1, rounds * task.shape.meetings)
    return fewest, cheapest(Counter(task.odd), 1, rounds * sum(task.shape.odd))


def _cooled(task: Task, odd_step: int) -> list[Round]:
    prices = _prices(task)
    pair = [[0] * len(task.odd) for _ in task.odd]
    for (a, b), price in prices.items():
        pair[a][b] = pair[b][a] = price
    odd = [odd * odd_step + old for odd, old in zip(task.odd, task.old_odd, strict=True)]
    costs = Costs(pair=pair, odd=odd, meeting=MEETING, odd_step=odd_step)
    goal = cheapest(task.levels(prices), MEETING, len(task.outs) * task.shape.meetings)
    goal += cheapest(Counter(odd), odd_step, len(task.outs) * sum(task.shape.odd))
    return cool(costs, task.shape, task.any_plan(), task.dice, _effort(task, goal))


def _prices(task: Task) -> dict[Pair, int]:
    """The price of the next meeting of each pair that has one."""
    prices = dict(task.old_met)
    for pair, times in task.met.items():
        prices[pair] = prices.get(pair, 0) + times * MEETING
    for pair in task.apart:
        prices[pair] = prices.get(pair, 0) + FORBIDDEN
    return prices


def _effort(task: Task, goal: int) -> Effort:
    """More exchanges for more players and rounds; small fields need more heat."""
    size = len(task.odd)
    a_slot = MOVES_A_SLOT if len(task.outs) > 1 else MOVES_A_SLOT_OF_ONE_ROUND
    moves = min(a_slot * size * len(task.outs), MOST_MOVES)
    hot, cold = next(heat for limit, heat in HEAT_BY_PLAYERS if size <= limit)
    return Effort(moves=moves, hot=hot, cold=cold, goal=goal)


MOVES_A_SLOT = 1500
MOVES_A_SLOT_OF_ONE_ROUND = 500
SEARCHES = 3
SEARCHES_OF_ONE_ROUND = 12
FEW_ENOUGH_TO_TRY_ALL = 9
FITS_TO_COMPARE = 8
MOST_MOVES = 250_000
HEAT_BY_PLAYERS = ((16, (100, 15)), (20, (60, 15)), (64, (35, 15)), (sys.maxsize, (5, 2)))


def _merit(task: Task, plan: list[Round], evenest: int) -> Merit:
    """Smaller is better: forbidden meetings, rank of the goal reached, then its measures."""
    remeetings, forbidden, price = _meetings(task, plan)
    odd, old_odd = _odd_tables(task, plan)
    price += old_odd
    if not remeetings and (odd == evenest or task.priority is Priority.MEETINGS):
        return forbidden, 0 if odd == evenest else 1, odd, 0, price
    return forbidden, 2, odd, remeetings, price


def _meetings(task: Task, plan: list[Round]) -> tuple[int, int, int]:
    """Second meetings, forbidden meetings, and the price of earlier evenings, of a plan."""
    times = dict(task.met)
    remeetings = forbidden = price = 0
    for pair in _pairs(task, plan):
        met = times.get(pair, 0)
        times[pair] = met + 1
        remeetings += met
        forbidden += pair in task.apart
        price += task.old_met.get(pair, 0)
    return remeetings, forbidden, price


def _pairs(task: Task, plan: list[Round]) -> Iterator[Pair]:
    for seated in plan:
        for table in task.shape.tables(seated):
            yield from combinations(sorted(table), 2)


def is_allowed(task: Task, seated: Round) -> bool:
    """Whether the round keeps all prohibited pairs apart."""
    return task.apart.isdisjoint(_pairs(task, [seated]))


def _odd_tables(task: Task, plan: list[Round]) -> tuple[int, int]:
    """How uneven the odd tables of a plan are, and their price for earlier evenings."""
    counts, uneven, price = list(task.odd), 0, 0
    for seated in plan:
        for slot, player in enumerate(seated):
            if task.shape.odd[slot]:
                uneven += counts[player]
                counts[player] += 1
                price += task.old_odd[player]
    return uneven, price


def _harmless_first(task: Task, plan: list[Round]) -> list[Round]:
    """The evening may end early: the round with the fewest second meetings comes first."""
    if any(task.outs):
        return plan

    def harm(seated: Round) -> Merit:
        remeetings, forbidden, _ = _meetings(task, [seated])
        return forbidden, remeetings, _odd_tables(task, [seated])[0]

    first = min(range(len(plan)), key=lambda number: harm(plan[number]))
    return [plan[first], *plan[:first], *plan[first + 1 :]]
