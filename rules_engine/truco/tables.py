"""What is asked at every score of a game, as a table: for whoever adds up and knows no rule.

``classes`` has a letter for each score a pair can have (its index): at scores of the same letter
everything is asked alike. ``asks`` tells by the letters of both pairs what is asked: ``normal``,
``special-a`` (pair A plays or declines), ``special-b``, ``iron``; or ``over-a``, ``over-b``: the
game is won. ``gives`` tells for each of them how many points each answer gives (by the value that
the hand has, where one is chosen), and ``possible`` all that each pair can get (``to_target``: what
is missing to the target, too). ``most``: no score grows beyond it. Amounts are raw points.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

from rules_engine.truco.outcomes import (
    HandKind,
    Score,
    deciding_pair,
    kind_at,
    leader_at,
    possible_points,
    value_of,
)
from rules_engine.truco.rulesets import Ruleset
from rules_engine.truco.seats import Pair

#: Games to more points have no table: nobody waits for a page of that size.
LARGEST_TARGET = 60
FIRST_LETTER = ord("a")


def asked_at(rules: Ruleset, score: Score) -> str:
    """Name what is asked at a score: the kind of the hand and who decides, or who has won."""
    leader = leader_at(rules, score)
    if leader is not None:
        return f"over-{_letter(leader)}"
    deciding = deciding_pair(rules, score)
    kind = str(kind_at(rules, score))
    return kind if deciding is None else f"{kind}-{_letter(deciding)}"


@cache
def examples(rules: Ruleset) -> dict[str, Score]:
    """Give for each name of ``asked_at`` before the end the lowest score where it is asked."""
    scores = ((a, b) for a in range(rules.target) for b in range(rules.target))
    found: dict[str, Score] = {}
    for score in scores:
        found.setdefault(asked_at(rules, score), score)
    return found


@cache
def asking_table(rules: Ruleset) -> dict[str, Any] | None:
    """Give the table of a game by these rules; nothing where its target is very far."""
    if rules.target > LARGEST_TARGET:
        return None
    classes, asks = _classes(rules)
    return {
        "classes": classes,
        "asks": asks,
        "gives": {name: _gives(rules, score) for name, score in examples(rules).items()},
        "most": rules.target if rules.cap_score else None,
        "target": rules.target,
    }


def _classes(rules: Ruleset) -> tuple[str, dict[str, str]]:
    """Put scores that are asked alike, whatever the other pair has, into one class."""
    top = rules.target + max(*rules.ladder, rules.special_play, rules.special_decline)
    every = range(top)
    seen: dict[tuple[str, ...], int] = {}
    letters, first = [], []
    for mine in every:
        alike = tuple(
            asked_at(rules, score) for other in every for score in ((mine, other), (other, mine))
        )
        if alike not in seen:
            seen[alike] = len(seen)
            first.append(mine)
        letters.append(chr(FIRST_LETTER + seen[alike]))
    asks = {letters[a] + letters[b]: asked_at(rules, (a, b)) for a in first for b in first}
    return "".join(letters), asks


def _gives(rules: Ruleset, score: Score) -> dict[str, Any]:
    kind, deciding = kind_at(rules, score), deciding_pair(rules, score)
    # What a call in a special hand forfeits is no amount: it depends on the score.
    fixed = replace(rules, special_call="blocked")
    plain = kind is HandKind.NORMAL
    values = rules.ladder if plain else (value_of(rules, kind),)
    return {
        "won": {str(value): value for value in values},
        "ran": {
            str(called): rules.ladder[level]
            for level, called in enumerate(rules.ladder[1:] if plain else ())
        },
        "declined": None if deciding is None else rules.special_decline,
        "to": None if deciding is None else _letter(deciding.other),
        "possible": {_letter(pair): list(possible_points(fixed, score, pair)) for pair in Pair},
        "to_target": fixed != rules and not plain,
    }


def _letter(pair: Pair) -> str:
    return pair.name.lower()
