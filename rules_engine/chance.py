"""Where chance comes from: seeds that can be stored, and a fair shuffle."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from random import Random, SystemRandom

#: Gives numbers from 0 up to but not 1, as ``random.Random.random`` does.
type Chance = Callable[[], float]


def chance(seed: int | str | None = None) -> Chance:
    """Give a source of chance: the same numbers for the same seed, under every Python version.

    Only ``random()`` is drawn from, whose sequence Python promises to keep for a seed. Without a
    seed the numbers come from the operating system and cannot be foretold or repeated.
    """
    return SystemRandom().random if seed is None else Random(seed).random  # noqa: S311


def shuffled[Thing](things: Iterable[Thing], draw: Chance) -> tuple[Thing, ...]:
    """Shuffle: one thing after the other is drawn from those that are left, all equally likely.

    The first of ``n`` left is taken when the number drawn is below ``1/n``, the second when it is
    below ``2/n``, and so on: a seed gives the same order wherever it gives the same numbers.
    """
    left = list(things)
    take = left.pop
    return tuple([take(int(draw() * number)) for number in _counted_down(len(left))])


@cache
def _counted_down(number: int) -> tuple[float, ...]:
    # Fractions are multiplied by these: as floats, in half the time.
    return tuple(map(float, range(number, 0, -1)))
