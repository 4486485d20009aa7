"""Seats and pairs: A1 B1 A2 B2 anti-clockwise, partners face each other (seed 002).

A *seat* is a number from 0 in playing order; at two, four or six the seats alternate between the
pairs, so that seat 0 is A1, seat 1 is B1, seat 2 is A2. "Pair" is said of trios and of one
against one as well.
"""

from __future__ import annotations

from enum import IntEnum

#: How many may play: one against one, pairs, trios.
SIZES = (2, 4, 6)


class Pair(IntEnum):
    """One of the two sides; its number is its place in a score."""

    A = 0
    B = 1

    @property
    def other(self) -> Pair:
        """The opponents."""
        return Pair(1 - self)


def pair_of(seat: int) -> Pair:
    """Give the pair that a seat belongs to."""
    return Pair(seat % 2)


def seats_of(pair: Pair, players: int) -> tuple[int, ...]:
    """Give the seats of a pair in playing order."""
    return tuple(range(pair, players, 2))


def seat_name(seat: int) -> str:
    """Give the name of a seat: A1, B1, A2, B2, A3, B3."""
    return f"{pair_of(seat).name}{seat // 2 + 1}"


def next_seat(seat: int, players: int) -> int:
    """Give the seat on the right, who plays next."""
    return (seat + 1) % players


def seat_before(seat: int, players: int) -> int:
    """Give the seat on the left: the dealer, of the player who is mão."""
    return (seat - 1) % players
