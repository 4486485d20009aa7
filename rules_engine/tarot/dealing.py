"""Shuffling, cutting and dealing; who deals first and next; what voids a deal (RO p.4-5, CA p.4).

Packs are tuples of cards from the top down; seats are numbered from 0 in playing order, so that
the right-hand neighbour of seat 2 is seat 3.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache
from typing import NamedTuple

from rules_engine.chance import Chance, shuffled
from rules_engine.errors import Illegal, gettext_noop
from rules_engine.tarot.cards import (
    CARDS_IN_PACK,
    EXCUSE,
    EXCUSE_ALONE,
    PETIT,
    TRUMPS,
    TWENTY_ONE,
    Card,
    CardSet,
    rank_of,
    suit_of,
)
from rules_engine.tarot.cards import JACK as LOWEST_COURT_RANK
from rules_engine.tarot.contracts import DOG_SIZES
from rules_engine.tarot.rulesets import Ruleset

#: Cards in a packet, by the number of players (RO p.4, 11, 12).
PACKET_SIZES = {3: 4, 4: 3, 5: 3}

#: What neither side of a cut may fall below: more than three cards (RO p.4).
SMALLEST_CUT = 4


def shuffled_pack(draw: Chance) -> tuple[Card, ...]:
    """Shuffle the 78 cards: every order is equally likely."""
    return shuffled(range(CARDS_IN_PACK), draw)


def cut_pack(pack: Sequence[Card], taken: int, *, at_least: int = SMALLEST_CUT) -> tuple[Card, ...]:
    """Cut a pack: the upper ``taken`` cards go below; refuses a cut too near an end (RO p.4)."""
    if not at_least <= taken <= len(pack) - at_least:
        raise Illegal(
            gettext_noop("A cut takes at least %(at_least)s cards and leaves as many."),
            code="cut_too_small",
            field="cut",
            at_least=at_least,
        )
    return (*pack[taken:], *pack[:taken])


class DealtCards(NamedTuple):  # made once a deal, in a fifth of the time of a frozen dataclass
    """The hands of the seats and the dog, as dealt by ``dealer``."""

    dealer: int
    hands: tuple[CardSet, ...]
    dog: CardSet

    @property
    def petit_sec(self) -> int | None:
        """The seat whose only trump is the petit, without the Excuse (RO p.5); None if nobody."""
        for seat, hand in enumerate(self.hands):
            if hand & _TRUMPS_AND_EXCUSE == _PETIT_ALONE:
                return seat
        return None


_TRUMPS_AND_EXCUSE: CardSet = TRUMPS | EXCUSE_ALONE
_PETIT_ALONE: CardSet = 1 << PETIT


def is_petit_sec(hand: CardSet) -> bool:
    """Is the petit the only trump, with no Excuse beside it (RO p.5; seeds 000, 003, 004)?"""
    return hand & _TRUMPS_AND_EXCUSE == _PETIT_ALONE


def deal_cards(
    rules: Ruleset,
    *,
    dealer: int,
    pack: Sequence[Card],
    dog_after: tuple[int, ...] | None = None,
) -> DealtCards:
    """Deal a pack in packets, beginning at the dealer's right, and build the dog on the way.

    ``dog_after`` says after which packets a card goes to the dog, as the dealer pleases within
    the ruleset's ``dog_rule``; without it the dog cards are spread evenly.
    """
    if dog_after is None:
        dog_after = usual_dog(rules)
    else:
        check_dog(rules, dog_after)
    # One digit for each card, the highest first, says who gets it: with ones for one player and
    # noughts for the others, read as binary, they are that player's set of cards.
    owners = _owners(rules.players, dealer, dog_after)
    digits = _HIGHEST_FIRST.translate(bytes.maketrans(bytes(pack), owners))
    *hands, dog = [int(digits.translate(ones), 2) for ones in _ONES[: rules.players + 1]]
    return DealtCards(dealer, tuple(hands), dog)


def usual_dog(rules: Ruleset) -> tuple[int, ...]:
    """Give the packets after which the dog gets a card when the dealer has no wish.

    Seed 000 fixes them: after each round of packets, the last card of the pack included. At five
    it has more rounds than dog cards; the last three rounds are taken here.
    """
    return _usual_dog(rules.players, rules.dog_rule)


@cache
def _usual_dog(players: int, dog_rule: str) -> tuple[int, ...]:
    size, packets = DOG_SIZES[players], packets_of(players)
    if dog_rule == "after_each_round":
        return tuple(range(players, packets + 1, players))[-size:]
    return tuple(packets * step // (size + 1) for step in range(1, size + 1))


def check_dog(rules: Ruleset, dog_after: tuple[int, ...]) -> None:
    """Refuse a way of building the dog that the ruleset forbids.

    RO p.4: card by card, never the first or the last card of the pack. Seed 003: never among the
    first or last three. Seed 004: the same, and a table may give up to three at once. As packets
    are of three or four cards, a dog card between two packets is clear of both ends.
    """
    packets = packets_of(rules.players)
    at_once = 3 if rules.dog_rule == "at_most_three" else 1
    if rules.dog_rule == "after_each_round":
        fits = dog_after == usual_dog(rules)
    else:
        fits = (
            len(dog_after) == DOG_SIZES[rules.players]
            and all(0 < after < packets for after in dog_after)
            and all(dog_after.count(after) <= at_once for after in dog_after)
        )
    if not fits:
        raise Illegal(
            gettext_noop("The dog may not be built like this under these rules."),
            code="dog_built_wrongly",
            field="dog_after",
        )


def packets_of(players: int) -> int:
    """Give how many packets are dealt to all players together."""
    return (CARDS_IN_PACK - DOG_SIZES[players]) // PACKET_SIZES[players]


@lru_cache(maxsize=256)
def _owners(players: int, dealer: int, dog_after: tuple[int, ...]) -> bytes:
    """Give who gets each card of the pack, from the top down; the dog comes after the seats."""
    owners: list[int] = []
    for packet in range(packets_of(players)):
        seat = (dealer + 1 + packet) % players
        owners += [seat] * PACKET_SIZES[players]
        owners += [players] * dog_after.count(packet + 1)
    return bytes(owners)


_HIGHEST_FIRST = bytes(reversed(range(CARDS_IN_PACK)))
#: For each owner, what turns its digit into a one and every other into a nought.
_ONES = [
    bytes(ord("1") if digit == owner else ord("0") for digit in range(256)) for owner in range(6)
]


# Who deals


def first_dealer(draws: Sequence[Card]) -> int:
    """Give the seat that deals first: the lowest of the cards drawn by the seats (RO p.4).

    Trumps rank above the suits; of equal ranks spades are highest, then hearts, diamonds and
    clubs. Refuses a drawn Excuse (its seat draws again) and one card drawn twice.
    """
    if EXCUSE in draws:
        raise Illegal(
            gettext_noop("Who draws the Excuse draws another card."),
            code="excuse_drawn",
            field="draws",
            seat=draws.index(EXCUSE),
        )
    if len(set(draws)) < len(draws):
        raise Illegal(
            gettext_noop("The same card was drawn twice."), code="card_drawn_twice", field="draws"
        )
    return min(range(len(draws)), key=lambda seat: _drawn_rank(draws[seat]))


def _drawn_rank(card: Card) -> tuple[bool, int, int]:
    return card <= TWENTY_ONE, rank_of(card), -card


def draw_first_dealer(players: int, draw: Chance) -> tuple[int, tuple[Card, ...]]:
    """Draw a card for each seat, again for the Excuse; give the first dealer and the cards."""
    drawn = tuple(card for card in shuffled_pack(draw) if card != EXCUSE)[:players]
    return first_dealer(drawn), drawn


def next_dealer(dealer: int, seats: int) -> int:
    """Give who deals after ``dealer``: his right-hand neighbour (RO p.5)."""
    return (dealer + 1) % seats


def seats_in_play(dealer: int, rules: Ruleset) -> tuple[int, ...]:
    """Give the seats of the table that play a deal, first speaker first.

    At a table of five with one sitting out, the dealer deals to the other four (RO p.12).
    """
    seats = rules.seats
    return tuple((dealer + step) % seats for step in range(1, rules.players + 1))


class Void(StrEnum):
    """Why cards are dealt again (RO p.4-5, CA p.4, 7)."""

    ALL_PASS = "all_pass"  # noqa: S105  no password, a pass
    PETIT_SEC = "petit_sec"
    MISDEAL = "misdeal"
    CARD_TURNED = "card_turned"
    CARD_TURNED_IN_CUTTING = "card_turned_in_cutting"
    WRONG_DEALER = "wrong_dealer"


@dataclass(frozen=True, slots=True, kw_only=True)
class Redeal:
    """Who deals again, and which seats may not bid on that deal."""

    dealer: int
    barred: frozenset[int] = frozenset()


def redeal(void: Void, *, dealer: int, rules: Ruleset, by: int | None = None) -> Redeal:
    """Give what follows a void deal; ``by`` is the seat that turned the card, or should deal.

    All pass and petit sec: the right-hand neighbour deals, except that whoever sits out at a
    table of five deals on until somebody takes (RO p.5, 12). Misdeal: the same dealer, who may
    not bid. A card turned up: the same dealer, and who turned it may not bid; turned in cutting,
    no sanction (CA p.4, 7). Wrong dealer: the right one deals (CA p.4).
    """
    if void in {Void.ALL_PASS, Void.PETIT_SEC}:
        stays = rules.one_sits_out and void is Void.ALL_PASS
        return Redeal(dealer=dealer if stays else next_dealer(dealer, rules.seats))
    if void is Void.MISDEAL:
        return Redeal(dealer=dealer, barred=frozenset({dealer}))
    if void is Void.CARD_TURNED and by is not None:
        return Redeal(dealer=dealer, barred=frozenset({by}))
    if void is Void.WRONG_DEALER and by is not None:
        return Redeal(dealer=by)
    return Redeal(dealer=dealer)


def is_misdeal(turned: Card) -> bool:
    """Does this card, turned up in dealing, void the deal? Not one below the jack (CA p.4)."""
    return suit_of(turned) is None or rank_of(turned) >= LOWEST_COURT_RANK
