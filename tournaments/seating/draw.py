"""The random draw of a round: who plays where, who sits out, and why."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise, permutations

from tournaments.seating.bank import known_plans
from tournaments.seating.dice import Dice
from tournaments.seating.errors import SeatingError, gettext_noop
from tournaments.seating.explain import explain
from tournaments.seating.plan import Priority, Task, best_plan
from tournaments.seating.reasons import Reason
from tournaments.seating.record import SEATS, PastRound, Tally, tally
from tournaments.seating.search import Costs, Shape
from tournaments.seating.splits import Leftovers, Split, SplitChoice, split_for

FORBIDDEN = 100_000_000

type Plan = tuple[tuple[tuple[int, ...], ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """What the draw would rather avoid, as whole prices."""

    meeting: int = 1000
    odd_table: int = 150
    earlier_meeting: int = 20
    earlier_odd_table: int = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnTable:
    """A table: its players in seat order (N, E, S, W, fifth) and the first to deal.

    ``per_deal`` is 4 at a table of 5 where one sits out each deal: first the first dealer.
    """

    players: tuple[int, ...]
    per_deal: int
    first_dealer: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw:
    """A proposal for a round; equal input gives an equal draw."""

    seed: int
    policy: Leftovers
    split: Split
    tables: tuple[DrawnTable, ...]
    sit_out: tuple[int, ...]
    plan: Plan
    reasons: tuple[Reason, ...]

    def as_past(self) -> PastRound:
        """The round as it enters the history once it is played."""
        return PastRound(tables=tuple(t.players for t in self.tables), sat_out=self.sit_out)


def draw_round(
    roster: Sequence[int],
    history: Sequence[PastRound] = (),
    *,
    seed: int,
    policy: Leftovers = Leftovers.THREES,
    prohibited: Iterable[tuple[int, int]] = (),
    earlier: Sequence[PastRound] = (),
    rounds_left: int = 1,
    weights: Weights | None = None,
    priority: Priority = Priority.MEETINGS,
    plan: Plan = (),
) -> Draw:
    """Draw the next round of an evening from its actual history.

    ``roster`` holds the ids of the players present, ``history`` tonight's rounds in order,
    ``earlier`` rounds of past evenings, ``rounds_left`` the rounds still to draw with this
    one. Refuses fewer than 3 players, a player named twice, and prohibited pairs that
    cannot all be kept apart.
    """
    players = _canonical(roster)
    choice = split_for(len(players), policy)
    apart = _apart(players, prohibited)
    before = tally(players, history, earlier)
    dice = Dice(seed)
    order = dice.shuffled(players)
    weights = weights or Weights()
    tables, out, rest = _seat_tables(
        order,
        choice.split,
        before,
        apart,
        dice,
        weights,
        max(1, rounds_left),
        plan,
        priority,
        history,
    )
    _refuse_prohibited(tables, apart)
    drawn = _with_seats(tables, choice.split, before, dice)
    sit_out = tuple(sorted(out))
    return Draw(
        seed=seed,
        policy=choice.policy,
        split=choice.split,
        tables=drawn,
        sit_out=sit_out,
        plan=rest,
        reasons=_reasons(choice, before, drawn, sit_out, apart),
    )


def _canonical(roster: Sequence[int]) -> list[int]:
    players = sorted(roster)
    for one, other in pairwise(players):
        if one == other:
            raise SeatingError(
                gettext_noop("Player %(player)s is in the roster twice."),
                code="player_twice",
                field="roster",
                player=one,
            )
    return players


def _apart(players: list[int], prohibited: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    here = set(players)
    pairs = {(min(pair), max(pair)) for pair in prohibited}
    return sorted(pair for pair in pairs if pair[0] != pair[1] and here.issuperset(pair))


def _refuse_prohibited(tables: list[tuple[int, ...]], apart: list[tuple[int, int]]) -> None:
    together = {pair for table in tables for pair in combinations(sorted(table), 2)}
    broken = [pair for pair in apart if pair in together]
    if broken:
        raise SeatingError(
            gettext_noop("No seating keeps all prohibited pairs apart."),
            code="prohibited_pairs",
            field="prohibited",
            pairs=tuple(broken),
        )


def _seat_tables(
    order: list[int],
    split: Split,
    before: Tally,
    apart: list[tuple[int, int]],
    dice: Dice,
    weights: Weights,
    rounds: int,
    plan: Plan,
    priority: Priority,
    history: Sequence[PastRound],
) -> tuple[list[tuple[int, ...]], list[int], Plan]:
    """The tables of the next round and who sits out; players are numbered by ``order``."""
    if not history and not apart:
        # Any first round is as good as any other for those that follow.
        rounds = 1
    outs = _turns_out(order, split.sit_out, before, rounds)
    number = {player: p for p, player in enumerate(order)}
    met = [[0] * len(order) for _ in order]
    for (one, other), times in before.meetings.items():
        a, b = number[one], number[other]
        met[a][b] = met[b][a] = times
    threes = not (split.fives or split.resting_fives or split.sit_out)
    played = [[tuple(number[p] for p in t if p in number) for t in past.tables] for past in history]
    task = Task(
        shape=Shape(sizes=split.sizes),
        met=met,
        odd=[before.odd_tables[player] for player in order],
        costs=_costs(order, before, apart, weights),
        outs=outs,
        dice=dice,
        priority=priority,
        given=_given(order, split, plan, outs),
        forbidden=FORBIDDEN,
        known=lambda: known_plans(len(order), played, len(outs), dice) if threes else (),
    )
    best = best_plan(task)
    rounds_tables = [
        [tuple(order[p] for p in table) for table in task.shape.tables(one)] for one in best
    ]
    tables = rounds_tables[0]
    rest = tuple(tuple(one) for one in rounds_tables[1:])
    return tables, [order[p] for p in outs[0]], rest


def _given(
    order: list[int], split: Split, plan: Plan, outs: list[frozenset[int]]
) -> list[list[int]]:
    """The rest of the last plan if it still fits who is here and how they split."""
    number = {player: p for p, player in enumerate(order)}
    if len(plan) != len(outs) or split.sit_out:
        return []
    for tables in plan:
        if tuple(len(t) for t in tables) != split.sizes:
            return []
        if sorted(p for t in tables for p in t) != sorted(order):
            return []
    return [[number[p] for t in tables for p in t] for tables in plan]


def _turns_out(order: list[int], how_many: int, before: Tally, rounds: int) -> list[frozenset[int]]:
    counts = [before.sat_out[player] for player in order]
    earlier = [before.earlier_sat_out[player] for player in order]
    turns = []
    for _ in range(rounds):
        queue = sorted(range(len(order)), key=lambda p: (counts[p], earlier[p], p))
        turns.append(frozenset(queue[:how_many]))
        for p in queue[:how_many]:
            counts[p] += 1
    return turns


def _costs(
    order: list[int], before: Tally, apart: list[tuple[int, int]], weights: Weights
) -> Costs:
    number = {player: p for p, player in enumerate(order)}
    pair = [[0] * len(order) for _ in order]

    def raise_price(players: tuple[int, int], price: int) -> None:
        a, b = number[players[0]], number[players[1]]
        pair[a][b] += price
        pair[b][a] += price

    for players, met in before.meetings.items():
        raise_price(players, met * weights.meeting)
    for players, met in before.earlier_meetings.items():
        raise_price(players, met * weights.earlier_meeting)
    for players in apart:
        raise_price(players, FORBIDDEN)
    odd = [
        before.odd_tables[player] * weights.odd_table
        + before.earlier_odd_tables[player] * weights.earlier_odd_table
        for player in order
    ]
    return Costs(pair=pair, odd=odd, meeting=weights.meeting, odd_step=weights.odd_table)


def _with_seats(
    tables: list[tuple[int, ...]], split: Split, before: Tally, dice: Dice
) -> tuple[DrawnTable, ...]:
    drawn = []
    for table, per_deal in zip(tables, split.players_per_deal, strict=True):
        seated = _best_seats(dice.shuffled(list(table)), before)
        dealer = seated[dice.below(len(seated))]
        drawn.append(DrawnTable(players=seated, per_deal=per_deal, first_dealer=dealer))
    return tuple(drawn)


def _best_seats(table: list[int], before: Tally) -> tuple[int, ...]:
    """Of all orders the one whose seats were taken least; the first of equals."""
    price = {p: [2 * taken + 1 for taken in before.seats[p]] for p in table}
    return min(
        permutations(table),
        key=lambda seated: sum(price[p][seat] for seat, p in enumerate(seated)),
    )


def _reasons(
    choice: SplitChoice,
    before: Tally,
    drawn: tuple[DrawnTable, ...],
    sit_out: tuple[int, ...],
    apart: list[tuple[int, int]],
) -> tuple[Reason, ...]:
    tables = tuple(table.players for table in drawn)
    return (*choice.reasons, *explain(before, tables, sit_out, len(apart)))


__all__ = ["SEATS", "Draw", "DrawnTable", "Weights", "draw_round"]
