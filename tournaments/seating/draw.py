"""The random draw of a round: who plays where, who sits out, and why."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, islice, permutations

from tournaments.seating.bank import known_plans
from tournaments.seating.dice import Dice
from tournaments.seating.errors import SeatingError, gettext_noop, refuse_twice
from tournaments.seating.explain import explain
from tournaments.seating.plan import Priority, Round, Task, best_plan, is_allowed
from tournaments.seating.reasons import Reason
from tournaments.seating.record import PastRound, Tally, tally
from tournaments.seating.search import Shape, allowed_round
from tournaments.seating.splits import Leftovers, Split, split_for

MANY_TABLES = 11
MOST_CHOICES = 60

type Pair = tuple[int, int]
type Tables = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """How much earlier evenings count, in thousandths of a second meeting tonight."""

    earlier_meeting: int = 20
    earlier_odd_table: int = 100


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
    """A proposal for a round; equal input gives an equal draw.

    ``plan`` holds the tables meant for the rounds after this one, seats left open.
    """

    seed: int
    policy: Leftovers
    split: Split
    tables: tuple[DrawnTable, ...]
    sit_out: tuple[int, ...]
    reasons: tuple[Reason, ...]
    plan: tuple[Tables, ...]

    def as_past(self) -> PastRound:
        """The round as it enters the history once it is played."""
        return PastRound(tables=tuple(t.players for t in self.tables), sat_out=self.sit_out)


def draw_round(
    roster: Iterable[int],
    history: Sequence[PastRound] = (),
    *,
    seed: int,
    policy: Leftovers = Leftovers.THREES,
    prohibited: Iterable[Pair] = (),
    earlier: Sequence[PastRound] = (),
    rounds_left: int = 1,
    priority: Priority = Priority.MEETINGS,
    plan: Sequence[Tables] = (),
    weights: Weights | None = None,
) -> Draw:
    """Draw the next round of an evening from its actual history.

    ``roster`` holds the ids of the players present, ``history`` tonight's rounds in order,
    ``earlier`` rounds of past evenings, ``rounds_left`` the rounds still to draw with this
    one; ``plan`` is that of the last draw, kept while it fits. Refuses fewer than 3 players,
    a player named twice, and prohibited pairs that cannot all be kept apart.
    """
    players = sorted(roster)
    refuse_twice(players)
    choice = split_for(len(players), policy)
    dice = Dice(seed)
    evening = _Evening(
        order=dice.shuffled(players),
        split=choice.split,
        history=history,
        before=tally(players, history, earlier),
        apart=_apart(players, prohibited),
        dice=dice,
        priority=Priority(priority),
        weights=weights or Weights(),
    )
    rounds, sit_out = evening.rounds(max(1, rounds_left), plan)
    drawn = _with_seats(rounds[0], choice.split, evening.before, dice)
    tables = tuple(table.players for table in drawn)
    return Draw(
        seed=seed,
        policy=choice.policy,
        split=choice.split,
        tables=drawn,
        sit_out=sit_out,
        reasons=(*choice.reasons, *explain(evening.before, tables, sit_out, len(evening.apart))),
        plan=tuple(rounds[1:]),
    )


def _apart(players: list[int], prohibited: Iterable[Pair]) -> list[Pair]:
    here = set(players)
    pairs = {(min(pair), max(pair)) for pair in prohibited}
    return sorted(pair for pair in pairs if pair[0] != pair[1] and here.issuperset(pair))


@dataclass(slots=True, kw_only=True)
class _Evening:
    """The evening as the search sees it: players by their place in a shuffled ``order``."""

    order: list[int]
    split: Split
    history: Sequence[PastRound]
    before: Tally
    apart: list[Pair]
    dice: Dice
    priority: Priority
    weights: Weights

    def rounds(
        self, rounds_left: int, plan: Sequence[Tables]
    ) -> tuple[list[Tables], tuple[int, ...]]:
        """The tables of the next round and of those planned after it, and who sits out."""
        ahead = self._worth_planning(rounds_left)
        for outs in self._turns_out(ahead):
            task = self._task(outs, plan)
            allowed = self._only_allowed(task) if self.apart else []
            if self.apart and not allowed:
                continue
            found = best_plan(task)
            if not is_allowed(task, found[0]):
                found = allowed
            out = sorted(self.order[p] for p in outs[0])
            return [self._tables(task, seated) for seated in found], tuple(out)
        raise SeatingError(
            gettext_noop("No seating keeps all prohibited pairs apart."),
            code="prohibited_pairs",
            field="prohibited",
            pairs=tuple(self.apart),
        )

    def _worth_planning(self, rounds_left: int) -> int:
        """How many rounds to look ahead.

        Any first round is as good as any other for those that follow. With many tables a
        round without second meetings is left however the rounds before were drawn.
        """
        if not (self.history or self.apart):
            return 1
        if self.split.tables < MANY_TABLES:
            return rounds_left
        rounds = len(self.history) + rounds_left
        return 1 if 3 * rounds <= 2 * self.split.tables else min(rounds_left, 2)

    def _number(self) -> dict[int, int]:
        return {player: p for p, player in enumerate(self.order)}

    def _pairs(self, counts: dict[Pair, int]) -> dict[Pair, int]:
        number = self._number()
        pairs = ((number[a], number[b], count) for (a, b), count in counts.items())
        return {(min(a, b), max(a, b)): count for a, b, count in pairs}

    def _task(self, outs: list[frozenset[int]], plan: Sequence[Tables]) -> Task:
        earlier = self.weights
        return Task(
            shape=Shape(sizes=self.split.sizes),
            met=self._pairs(self.before.meetings),
            apart=frozenset(self._pairs(dict.fromkeys(self.apart, 1))),
            old_met={
                pair: count * earlier.earlier_meeting
                for pair, count in self._pairs(self.before.earlier_meetings).items()
            },
            odd=[self.before.odd_tables[player] for player in self.order],
            old_odd=[
                self.before.earlier_odd_tables[player] * earlier.earlier_odd_table
                for player in self.order
            ],
            outs=outs,
            dice=self.dice,
            priority=self.priority,
            given=self._given(plan, len(outs)),
            known=lambda: self._known(len(outs)),
        )

    def _given(self, plan: Sequence[Tables], rounds: int) -> list[Round]:
        """The rest of the last plan if it still fits who is here and how they split."""
        fits = len(plan) == rounds and not self.split.sit_out
        here = sorted(self.order)
        for tables in plan:
            fits = fits and tuple(len(table) for table in tables) == self.split.sizes
            fits = fits and sorted(player for table in tables for player in table) == here
        number = self._number()
        return [[number[p] for t in tables for p in t] for tables in plan] if fits else []

    def _known(self, rounds: int) -> Iterable[list[Round]]:
        if self.split.fives or self.split.resting_fives or self.split.sit_out:
            return ()
        number = self._number()
        played = [
            [tuple(number[p] for p in table if p in number) for table in past.tables]
            for past in self.history
        ]
        return known_plans(len(self.order), played, rounds, self.dice)

    def _turns_out(self, rounds: int) -> Iterable[list[frozenset[int]]]:
        """Who sits out the next rounds: who did least often, then other choices.

        The others are for prohibited pairs that cannot be kept apart at the tables.
        """
        count = [self.before.sat_out[player] for player in self.order]
        old = [self.before.earlier_sat_out[player] for player in self.order]

        def queue() -> list[int]:
            return sorted(range(len(self.order)), key=lambda p: (count[p], old[p], p))

        turns = []
        first = queue()
        for _ in range(rounds):
            turns.append(frozenset(queue()[: self.split.sit_out]))
            for p in turns[-1]:
                count[p] += 1
        yield turns
        if self.split.sit_out:
            others = islice(combinations(first, self.split.sit_out), MOST_CHOICES)
            yield from ([frozenset(out)] for out in others if frozenset(out) != turns[0])

    def _only_allowed(self, task: Task) -> list[Round]:
        """A round that keeps prohibited pairs apart and nothing else, or nothing."""
        everybody = [p for p in task.everybody if p not in task.outs[0]]
        seated = allowed_round(task.shape, everybody, task.apart)
        return [seated] if seated else []

    def _tables(self, task: Task, seated: Round) -> Tables:
        tables = task.shape.tables(seated)
        return tuple(tuple(self.order[p] for p in table) for table in tables)


def _with_seats(tables: Tables, split: Split, before: Tally, dice: Dice) -> tuple[DrawnTable, ...]:
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
