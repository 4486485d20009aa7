"""Chance that a seed repeats on every platform and every version of Python.

Only ``random.Random(seed).random()`` is used: the standard library promises its sequence
for an integer seed, and promises nothing for shuffle, sample or randrange. Acceptance
odds come from integer tables, because math.exp may differ in its last bit.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Context
from functools import cache
from random import Random

ODDS = 1024


class Dice:
    """A stream of chance for one draw."""

    def __init__(self, seed: int) -> None:
        self.chance: Callable[[], float] = Random(seed).random  # noqa: S311 - a draw must repeat

    def below(self, limit: int) -> int:
        """A whole number from 0 up to, not including, ``limit``."""
        return int(self.chance() * limit)

    def shuffled(self, items: list[int]) -> list[int]:
        """The items in random order; every order is as likely."""
        mixed = list(items)
        for last in range(len(mixed) - 1, 0, -1):
            other = int(self.chance() * (last + 1))
            mixed[last], mixed[other] = mixed[other], mixed[last]
        return mixed


@cache
def acceptance_odds() -> tuple[int, ...]:
    """Entry u is -1000 ln((u + 1) / 1025): how much worse the u-th draw of the odds accepts."""
    context = Context(prec=12)
    return tuple(int(-1000 * context.ln(context.divide(u + 1, ODDS + 1))) for u in range(ODDS))
