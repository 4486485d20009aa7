"""The screens of a wall: which rows are shown at a time, and what lies before and after them.

A screen is named by its kind and its first row, so that it weighs the same in an evening of
thousands, and so that a screen with less room goes on behind the last row that it could show.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple


class At(NamedTuple):
    """Where a screen begins: in which list, at which of its rows, counted from 1."""

    kind: str
    first: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A list that has its turn on the wall: how many rows, and how many of them at a time."""

    kind: str
    rows: int
    size: int = 1

    @property
    def end(self) -> At:
        """Where its last screen begins."""
        return At(self.kind, self.rows - (self.rows - 1) % self.size)


@dataclass(frozen=True, slots=True, kw_only=True)
class Screen:
    """What is shown now."""

    at: At
    rows: int
    size: int
    previous: At
    next: At

    @property
    def last(self) -> int:
        return min(self.at.first + self.size - 1, self.rows)

    @property
    def is_whole(self) -> bool:
        """Does it show the whole of its list?"""
        return self.at.first == 1 and self.last == self.rows

    @property
    def is_alone(self) -> bool:
        return self.next == self.at

    def of(self, kind: str) -> slice:
        """Say which rows of a list are on it; none of another list."""
        return slice(self.at.first - 1, self.last) if kind == self.at.kind else slice(0)


def screen_at(parts: Sequence[Part], asked: At) -> Screen | None:
    """Give the screen that is asked for, else the first of the next list; none of empty lists."""
    filled = [part for part in parts if part.rows]
    if not filled:
        return None
    number = next((n for n, part in enumerate(filled) if part.kind == asked.kind), None)
    if number is None:
        return _screen(filled, 0, 1)
    if asked.first > filled[number].rows:
        return _screen(filled, (number + 1) % len(filled), 1)
    return _screen(filled, number, asked.first)


def packed[Piece](
    pieces: Sequence[Piece], weight_of: Callable[[Piece], int], *, most: int
) -> list[list[Piece]]:
    """Put pieces that differ in weight on screens, in their order; one that is too heavy alone."""
    screens: list[list[Piece]] = []
    room = 0
    for piece in pieces:
        weight = weight_of(piece)
        if not screens or weight > room:
            screens.append([])
            room = most
        screens[-1].append(piece)
        room -= weight
    return screens


def _screen(parts: Sequence[Part], number: int, first: int) -> Screen:
    part = parts[number]
    behind = first + part.size
    following = parts[(number + 1) % len(parts)]
    return Screen(
        at=At(part.kind, first),
        rows=part.rows,
        size=part.size,
        previous=At(part.kind, max(1, first - part.size)) if first > 1 else parts[number - 1].end,
        next=At(part.kind, behind) if behind <= part.rows else At(following.kind, 1),
    )
