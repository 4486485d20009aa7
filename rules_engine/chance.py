"""Where chance comes from: seeds that can be stored, and a fair shuffle."""

from __future__ import annotations

from collections.abc import Callable, Iterable
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
    """Shuffle: everything draws a number, and lies in the order of the numbers."""
    numbered = [(draw(), place, thing) for place, thing in enumerate(things)]
    return tuple(thing for _, _, thing in sorted(numbered, key=lambda each: each[:2]))
