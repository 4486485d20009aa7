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

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import combinations

from tournaments.seating.dice import Dice
from tournaments.seating.search import Costs, Effort, Shape, cheapest, cool

type Round = list[int]
type Merit = tuple[int, ...]

ODD_TABLES_FIRST = 3000
MEETINGS_FIRST = 150


class Priority(StrEnum):
    """What wins where nobody meeting twice and even odd tables exclude each other."""

    MEETINGS = "meetings"
    ODD_TABLES = "odd_tables"


@dataclass(slots=True, kw_only=True)
class Task:
    """A plan to find. Players are numbered 0 to n - 1; ``met``, ``odd`` count tonight's past.

    ``known`` gives plans of the bank that the history fits; ``given`` is the rest of the last plan, or empty.
    """

    shape: Shape
    met: list[list[int]]
    odd: list[int]
    costs: Costs
    outs: list[frozenset[int]]
    dice: Dice
    priority: Priority
    given: list[Round] = field(default_factory=list)
    known: Callable[[], Iterable[list[Round]]] = tuple
    forbidden: int = 0

    @property
    def everybody(self) -> range:
        """The numbers of all the players."""
        return range(len(self.odd))

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
        """Whether no plan can be better, earlier evenings apart."""
        return self.merit[:2] == (0, 0) or self.merit[:4] == (0, 2, self.evenest, self.fewest)


def best_plan(task: Task) -> list[Round]:
    """The best plan found, its most harmless round first."""
    best = Best(task, *_limits(task))
    for plan in (task.given, *task.known()):
        if plan:
            best.consider(plan)
    if not best.is_even:
        _search(best)
    elif not best.is_perfect and _may_be_uneven(best):
        best.consider(_cooled(task, MEETINGS_FIRST))
    return _harmless_first(task, best.plan)


def _search(best: Best) -> None:
    for attempt in range(SEARCHES):
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
    met = [task.met[a][b] for a in task.everybody for b in range(a)]
    fewest = cheapest(met, 1, rounds * task.shape.meetings)
    return fewest, cheapest(task.odd, 1, rounds * sum(task.shape.odd))


def _cooled(task: Task, odd_step: int) -> list[Round]:
    costs = replace(task.costs, odd_step=odd_step, odd=[odd * odd_step for odd in task.odd])
    return cool(costs, task.shape, task.any_plan(), task.dice, _effort(task, costs))


def _effort(task: Task, costs: Costs) -> Effort:
    """More exchanges for more players and rounds; small fields need more heat."""
    size, rounds = len(task.odd), len(task.outs)
    pairs = [costs.pair[a][b] for a in task.everybody for b in range(a)]
    goal = cheapest(pairs, costs.meeting, rounds * task.shape.meetings)
    goal += cheapest(costs.odd, costs.odd_step, rounds * sum(task.shape.odd))
    moves = min(max(MOVES_PER_SLOT * size * rounds, FEWEST_MOVES), MOST_MOVES)
    hot = next(heat for limit, heat in HEAT_BY_PLAYERS if size <= limit)
    return Effort(moves=moves, hot=hot, cold=15, goal=goal)


MOVES_PER_SLOT = 1500
SEARCHES = 3
FEWEST_MOVES = 20_000
MOST_MOVES = 250_000
HEAT_BY_PLAYERS = ((16, 100), (20, 60), (1000, 35))


def _merit(task: Task, plan: list[Round], evenest: int) -> Merit:
    """Smaller is better: forbidden meetings, rank of the goal reached, then its measures."""
    remeetings, forbidden, price = _meetings(task, plan)
    odd = _odd_tables(task, plan)
    if not remeetings and (odd == evenest or task.priority is Priority.MEETINGS):
        return forbidden, 0 if odd == evenest else 1, odd, 0, price
    return forbidden, 2, odd, remeetings, price


def _meetings(task: Task, plan: list[Round]) -> tuple[int, int, int]:
    """Second meetings, forbidden meetings, and the price of earlier evenings, of a plan."""
    times: dict[tuple[int, int], int] = {}
    remeetings = forbidden = price = 0
    for seated in plan:
        for table in task.shape.tables(seated):
            for a, b in combinations(sorted(table), 2):
                before = task.met[a][b]
                met = before + times.get((a, b), 0)
                times[a, b] = times.get((a, b), 0) + 1
                remeetings += met
                earlier = task.costs.pair[a][b] - before * task.costs.meeting
                forbidden += earlier >= task.forbidden
                price += earlier
    return remeetings, forbidden, price


def _odd_tables(task: Task, plan: list[Round]) -> int:
    counts, cost = list(task.odd), 0
    for seated in plan:
        for slot, player in enumerate(seated):
            if task.shape.odd[slot]:
                cost += counts[player]
                counts[player] += 1
    return cost


def _harmless_first(task: Task, plan: list[Round]) -> list[Round]:
    """The evening may end early: the round with the fewest second meetings comes first."""
    if any(task.outs):
        return plan

    def harm(seated: Round) -> Merit:
        remeetings, forbidden, _ = _meetings(task, [seated])
        return forbidden, remeetings, _odd_tables(task, [seated])

    first = min(range(len(plan)), key=lambda number: harm(plan[number]))
    return [plan[first], *plan[:first], *plan[first + 1 :]]
