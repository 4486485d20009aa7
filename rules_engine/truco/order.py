"""Which card beats which: the manilhas and the order of the others (seed 002)."""

from __future__ import annotations

from functools import cache

from rules_engine.truco.cards import (
    PACK,
    RANKS,
    SUITS_IN_RANK,
    Card,
    card_from,
)

#: Fixed manilhas, weakest first: pica-fumo, espadilha, copas, zap.
FIXED_MANILHAS: tuple[Card, ...] = tuple(card_from(code) for code in ("7O", "AE", "7C", "4P"))
#: The nicknames of the four manilhas, weakest first; the same in every language.
NICKNAMES = ("pica-fumo", "espadilha", "copas", "zap")
LOWEST_MANILHA = len(RANKS)


def manilhas(vira: Card | None) -> tuple[Card, ...]:
    """Give the four manilhas, weakest first: those after the vira, the fixed ones without it."""
    if vira is None:
        return FIXED_MANILHAS
    first = (vira // SUITS_IN_RANK + 1) % len(RANKS) * SUITS_IN_RANK
    return tuple(range(first, first + SUITS_IN_RANK))


@cache
def strengths(vira: Card | None) -> tuple[int, ...]:
    """Give the strength of every card: a manilha 10 to 13, any other 0 to 9 by its rank alone.

    Equal numbers tie; of the manilhas no two are equal.
    """
    best = {card: LOWEST_MANILHA + place for place, card in enumerate(manilhas(vira))}
    return tuple(best.get(card, card // SUITS_IN_RANK) for card in PACK)


def nickname_of(card: Card, vira: Card | None) -> str | None:
    """Give the nickname of a manilha; None for any other card."""
    place = strengths(vira)[card] - LOWEST_MANILHA
    return NICKNAMES[place] if place >= 0 else None
