"""The kinds of hand, how they end and what they can be worth (seed 002)."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from rules_engine.errors import Illegal, gettext_noop
from rules_engine.truco.rulesets import Ruleset
from rules_engine.truco.seats import Pair

type Score = tuple[int, int]


class HandKind(StrEnum):
    """The three kinds of hand; the score alone says which is played."""

    NORMAL = "normal"
    SPECIAL = "special"  # mão de onze: one pair is close to the end
    IRON = "iron"  # mão de ferro: both are


class Ending(StrEnum):
    """How a hand ended."""

    ROUNDS = "rounds"
    ALL_TIED = "all_tied"
    RAN = "ran"  # from a call
    DECLINED = "declined"  # the special hand
    FORFEIT = "forfeit"  # a call in a special hand, where the house punishes it
    CANCELLED = "cancelled"  # a lost connection


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a hand gives: the pair that scores (None: nobody), the raw points, and how it ended.

    ``by_clock`` says that the losing pair did not agree in time.
    """

    winner: Pair | None
    points: int
    ending: Ending
    by_clock: bool = False


def kind_at(rules: Ruleset, score: Score) -> HandKind:
    """Give the kind of the hand that is played at a score."""
    near = [points >= rules.special_at for points in score]
    if all(near):
        return HandKind.NORMAL if rules.iron == "off" else HandKind.IRON
    return HandKind.SPECIAL if any(near) else HandKind.NORMAL


def deciding_pair(rules: Ruleset, score: Score) -> Pair | None:
    """Give the pair that plays or declines the special hand; None in any other hand."""
    if kind_at(rules, score) is not HandKind.SPECIAL:
        return None
    return Pair.A if score[Pair.A] >= rules.special_at else Pair.B


def value_of(rules: Ruleset, kind: HandKind, level: int = 0) -> int:
    """Give what the winner of a hand gets; ``level`` counts the accepted calls."""
    return rules.special_play if kind is HandKind.SPECIAL else rules.ladder[level]


def possible_points(rules: Ruleset, score: Score, winner: Pair | None) -> tuple[int, ...]:
    """Give all that one pair can get from the hand at a score, lowest first; (0,) for nobody."""
    if winner is None:
        return (0,)
    kind = kind_at(rules, score)
    if kind is HandKind.NORMAL:
        return rules.ladder
    points = {value_of(rules, kind)}
    if kind is HandKind.SPECIAL and winner is not deciding_pair(rules, score):
        points.add(rules.special_decline)
    if rules.special_call == "forfeit":
        points.add(rules.target - score[winner])
    return tuple(sorted(points))


def added(rules: Ruleset, score: Score, winner: Pair | None, points: int) -> Score:
    """Add the points of a hand; raw, unless the house caps scores at the target."""
    new = [score[Pair.A], score[Pair.B]]
    if winner is not None:
        new[winner] += points
        if rules.cap_score:
            new[winner] = min(new[winner], rules.target)
    return new[Pair.A], new[Pair.B]


def leader_at(rules: Ruleset, score: Score) -> Pair | None:
    """Give the pair that has reached the target; None while the match goes on."""
    return next((pair for pair in Pair if score[pair] >= rules.target), None)


@cache
def final_scores(rules: Ruleset, start: Score = (0, 0)) -> frozenset[Score]:
    """Enumerate every score on which a match can end, from all hands that can be played."""
    finals: set[Score] = set()
    seen, waiting = {start}, deque([start])
    while waiting:
        fresh = set(_after_one_hand(rules, waiting.popleft())) - seen
        seen |= fresh
        ended = {score for score in fresh if leader_at(rules, score) is not None}
        finals |= ended
        waiting.extend(fresh - ended)
    return frozenset(finals)


def _after_one_hand(rules: Ruleset, score: Score) -> Iterator[Score]:
    for pair in Pair:
        for points in possible_points(rules, score, pair):
            yield added(rules, score, pair, points)


def check_final_score(rules: Ruleset, score: Score, *, start: Score = (0, 0)) -> None:
    """Refuse a final score on which no match can end."""
    for pair in Pair:
        if score[pair] < start[pair]:
            raise Illegal(
                gettext_noop("The game stands at %(a)s to %(b)s already: no pair loses points."),
                code="score_goes_back",
                field="score",
                a=start[Pair.A],
                b=start[Pair.B],
            )
    if score not in final_scores(rules, start):
        raise Illegal(
            gettext_noop("No match to %(target)s ends %(a)s to %(b)s."),
            code="impossible_score",
            field="score",
            target=rules.target,
            a=score[Pair.A],
            b=score[Pair.B],
        )
