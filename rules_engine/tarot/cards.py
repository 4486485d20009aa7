"""The 78 cards as small integers and sets of cards as bit sets (RO p.3; seeds 000, 003, 004).

A *card* is an integer from 0 to 77: 0 is the Excuse, 1 to 21 are the trumps by their number, then
come spades, hearts, diamonds and clubs, fourteen each, from the ace up to the king. A set of cards
(a hand, a trick, the dog) is one integer whose bit ``n`` says whether card ``n`` is in it.
Values are half-points throughout: the pack holds 182 of them, 91 points.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from rules_engine.errors import Unreadable, gettext_noop
from rules_engine.reading import echo

type Card = int
type CardSet = int


class Suit(StrEnum):
    """The four plain suits, high to low as they rank when the first dealer is drawn (RO p.4)."""

    SPADES = "S"
    HEARTS = "H"
    DIAMONDS = "D"
    CLUBS = "C"


EXCUSE: Card = 0
PETIT: Card = 1
TWENTY_ONE: Card = 21
CARDS_IN_PACK = 78

#: The marks of the fourteen ranks, from the ace to the king (RO p.3).
RANKS = ("1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "V", "C", "D", "R")
JACK, KNIGHT, QUEEN, KING = 11, 12, 13, 14

_BASE = {suit: TWENTY_ONE + 14 * place for place, suit in enumerate(Suit)}


def card_of(suit: Suit, rank: int) -> Card:
    """Give the card of a plain suit by its rank, 1 (ace) to 14 (king)."""
    return _BASE[suit] + rank


def _of_rank(rank: int) -> CardSet:
    return sum(1 << card_of(suit, rank) for suit in Suit)


EXCUSE_ALONE: CardSet = 1 << EXCUSE
TRUMPS: CardSet = (1 << TWENTY_ONE + 1) - (1 << PETIT)  # without the Excuse
SUITS: dict[Suit, CardSet] = {suit: ((1 << 14) - 1) << _BASE[suit] + 1 for suit in Suit}
JACKS: CardSet = _of_rank(JACK)
KNIGHTS: CardSet = _of_rank(KNIGHT)
QUEENS: CardSet = _of_rank(QUEEN)
KINGS: CardSet = _of_rank(KING)
BOUTS: CardSet = EXCUSE_ALONE | 1 << PETIT | 1 << TWENTY_ONE
PACK: CardSet = (1 << CARDS_IN_PACK) - 1
#: The cards that are worth half a point: the only ones that may pay for the Excuse (RO p.8).
LOW_CARDS: CardSet = PACK & ~(BOUTS | KINGS | QUEENS | KNIGHTS | JACKS)

#: The suit of each card as a set: what it asks for when it is led; nothing for the Excuse.
SUIT_OF: tuple[CardSet, ...] = (0, *[TRUMPS] * 21, *(SUITS[s] for s in Suit for _ in range(14)))


def card_set(cards: Iterable[Card]) -> CardSet:
    """Gather cards into one set; a card named twice is in it once."""
    held = 0
    for card in cards:
        held |= 1 << card
    return held


def subsets(neighbours: range) -> list[list[Card]]:
    """Give the cards in each set of some neighbours, by the set read from its first card on."""
    found: list[list[Card]] = [[]]
    for card in neighbours:
        found += [[*smaller, card] for smaller in found]
    return found


_EIGHTS = [subsets(range(first, first + 8)) for first in range(0, CARDS_IN_PACK, 8)]


def cards_in(cards: CardSet) -> list[Card]:
    """Give the cards of a set, lowest number first."""
    found: list[Card] = []
    for in_eight, byte in zip(_EIGHTS, cards.to_bytes(len(_EIGHTS), "little"), strict=True):
        found += in_eight[byte]
    return found


def nth_card(cards: CardSet, place: int) -> Card:
    """Give the card at a place of a set, 0 for the lowest number; the set must be that large."""
    while place:
        cards &= cards - 1
        place -= 1
    return (cards & -cards).bit_length() - 1


def rank_of(card: Card) -> int:
    """Give the rank inside the card's suit: 1 to 14, a trump's number, 0 for the Excuse."""
    return card if card <= TWENTY_ONE else (card - TWENTY_ONE - 1) % 14 + 1


def suit_of(card: Card) -> Suit | None:
    """Give the plain suit of a card; None for a trump and for the Excuse."""
    return None if card <= TWENTY_ONE else tuple(Suit)[(card - TWENTY_ONE - 1) // 14]


def half_points(cards: CardSet) -> int:
    """Count a set: bout or king 9 half-points, queen 7, knight 5, jack 3, any other 1 (RO p.3)."""
    return (
        cards.bit_count()
        + 8 * (cards & (BOUTS | KINGS)).bit_count()
        + 6 * (cards & QUEENS).bit_count()
        + 4 * (cards & KNIGHTS).bit_count()
        + 2 * (cards & JACKS).bit_count()
    )


def count_in_pairs(cards: CardSet) -> tuple[tuple[Card, Card | None, int], ...]:
    """Lay a pile out in pairs as it is counted at the table (RO p.3).

    Each dear card goes with a low one, dearest first, then low cards go together; the last card of
    an odd pile stays alone. Every row ends with its half-points; they sum to ``half_points``.
    """
    dear = sorted(cards_in(cards & ~LOW_CARDS), key=lambda card: -half_points(1 << card))
    low = cards_in(cards & LOW_CARDS)
    rows: list[tuple[Card, Card | None, int]] = []
    while dear or low:
        first = dear.pop(0) if dear else low.pop(0)
        second = low.pop(0) if low else dear.pop(0) if dear else None
        worth = half_points(1 << first | (0 if second is None else 1 << second))
        rows.append((first, second, worth))
    return tuple(rows)


# Codes: EX the Excuse, T1 to T21 the trumps, then suit and rank: SR, H10, D1, CV.

CODES: tuple[str, ...] = (
    "EX",
    *(f"T{number}" for number in range(1, 22)),
    *(f"{suit}{rank}" for suit in Suit for rank in RANKS),
)
_CARDS = {code: card for card, code in enumerate(CODES)}


def card_from(code: object, *, field: str = "") -> Card:
    """Read a short code; refuses what names no card."""
    card = _CARDS.get(code) if isinstance(code, str) else None
    if card is None:
        raise Unreadable(
            gettext_noop(
                "“%(given)s” is not a card: write EX, T1 to T21, or suit and rank as HR or S10."
            ),
            code="unknown_card",
            field=field,
            given=echo(code),
        )
    return card


def code_of(card: Card) -> str:
    """Give the short code of a card."""
    return CODES[card]


def codes_of(cards: CardSet) -> list[str]:
    """Give the short codes of a set in a steady order: Excuse, trumps, then suit by suit."""
    return [CODES[card] for card in cards_in(cards)]


# Names of the cards in the three languages of the project.

_SUIT_NAMES = {
    "en": ("of spades", "of hearts", "of diamonds", "of clubs"),
    "fr": ("de pique", "de cœur", "de carreau", "de trèfle"),
    "pt": ("de espadas", "de copas", "de ouros", "de paus"),
}
_RANK_NAMES = {
    "en": ("ace", *RANKS[1:10], "jack", "knight", "queen", "king"),
    "fr": ("as", *RANKS[1:10], "valet", "cavalier", "dame", "roi"),
    "pt": ("ás", *RANKS[1:10], "valete", "cavaleiro", "dama", "rei"),
}
_TRUMP_NAMES = {
    "en": ("Excuse", "petit (trump 1)", "trump {}"),
    "fr": ("Excuse", "petit (1 d'atout)", "{} d'atout"),
    "pt": ("Curinga", "baixinho (trunfo 1)", "trunfo {}"),
}


def name_of(card: Card, language: str = "en") -> str:
    """Give the card's name in "en", "fr" or "pt"; refuses another language."""
    if language not in _RANK_NAMES:
        raise Unreadable(
            gettext_noop("Cards have names in en, fr and pt, not in %(language)s."),
            code="unknown_language",
            field="language",
            language=echo(language),
        )
    if card <= TWENTY_ONE:
        return _TRUMP_NAMES[language][min(card, 2)].format(card)
    place, step = divmod(card - TWENTY_ONE - 1, 14)
    return f"{_RANK_NAMES[language][step]} {_SUIT_NAMES[language][place]}"
