"""A question to a pair: answer a call, or play the special hand; its votes and its deadline."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from rules_engine.truco.events import Answer
from rules_engine.truco.rulesets import Ruleset
from rules_engine.truco.seats import Pair, seats_of


class Asked(StrEnum):
    """What a pair is asked."""

    CALL = "call"
    SPECIAL_HAND = "special_hand"


@dataclass(slots=True, kw_only=True)
class Question:
    """What ``pair`` has to answer before ``deadline``, in seconds of the clock passed in.

    ``level`` is the step of the ladder that was called, 0 for the special hand. The clock starts
    when the question is put; the seed does not say when.
    """

    asked: Asked
    pair: Pair
    level: int
    deadline: float
    votes: dict[int, Answer] = field(default_factory=dict)


def agreement(rules: Ruleset, pair: Pair, votes: Mapping[int, Answer]) -> Answer | None:
    """Give the answer on which the votes of a pair have settled; None while they have not.

    ``reply="both"``: one player alone, two partners alike, two of three. ``"any_yes"``: whoever
    accepts or raises first binds the pair, and only all together can run.
    """
    partners = len(seats_of(pair, rules.players))
    said = list(votes.values())
    if rules.reply == "any_yes":
        willing = [answer for answer in said if answer is not Answer.RUN]
        if willing:
            return willing[0]
        return Answer.RUN if len(said) == partners else None
    needed = partners // 2 + 1
    return next((answer for answer in Answer if said.count(answer) >= needed), None)
