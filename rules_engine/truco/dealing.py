"""Dealing: three cards each, one at a time, without a cut; then the vira (seed 002).

Where the seed is silent: the deal begins with the mão.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rules_engine.chance import Chance, shuffled
from rules_engine.truco.cards import PACK, Card
from rules_engine.truco.rulesets import Ruleset
from rules_engine.truco.seats import next_seat

CARDS_IN_HAND = 3

type Cards = tuple[Card, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DealtCards:
    """The hands by seat, each in the order dealt, and the vira (None with fixed manilhas)."""

    dealer: int
    hands: tuple[Cards, ...]
    vira: Card | None


def draw_first_dealer(rules: Ruleset, draw: Chance) -> int:
    """Draw the seat that deals the first hand; every seat may be it."""
    return int(draw() * rules.players)


def shuffled_pack(draw: Chance) -> Cards:
    """Shuffle the 40 cards."""
    return shuffled(PACK, draw)


def deal_cards(rules: Ruleset, *, dealer: int, pack: Sequence[Card]) -> DealtCards:
    """Deal a pack from the top, one card at a time, beginning at the dealer's right."""
    first, players = next_seat(dealer, rules.players), rules.players
    dealt = CARDS_IN_HAND * players
    hands = tuple(
        tuple(pack[(seat - first) % players : dealt : players]) for seat in range(players)
    )
    return DealtCards(dealer=dealer, hands=hands, vira=pack[dealt] if rules.has_vira else None)
