"""The 40 cards, their codes and their names (seed 002, "As cartas").

A *card* is an integer from 0 to 39: four times the place of its rank, weakest first
(``4 5 6 7 Q J K A 2 3``), plus the place of its suit, weakest first as manilha (ouros, espadas,
copas, paus). Its code is rank and suit letter: ``3P``, ``QO``.

Figures are stored as ``Q J K`` alone. The word "valete" names the Q of a Spanish pack (the sota)
and the J of a French one: it is read and written only where the pack is known.
"""

from __future__ import annotations

from enum import StrEnum

from rules_engine.errors import Unreadable, gettext_noop
from rules_engine.reading import echo

type Card = int

#: Weakest first, which is also the circle in which the vira points to the manilhas.
RANKS = ("4", "5", "6", "7", "Q", "J", "K", "A", "2", "3")
#: Ouros, espadas, copas, paus: weakest first among the manilhas.
SUITS = ("O", "E", "C", "P")
SUITS_IN_RANK = len(SUITS)
CARDS_IN_PACK = len(RANKS) * SUITS_IN_RANK
PACK: tuple[Card, ...] = tuple(range(CARDS_IN_PACK))
CODES: tuple[str, ...] = tuple(rank + suit for rank in RANKS for suit in SUITS)

_CARDS = {code: card for card, code in enumerate(CODES)}
#: What people type for a rank or a suit: index numbers of the Spanish pack, signs of the French.
_RANK_ALIASES = {"10": "Q", "11": "J", "12": "K", "1": "A"}
_SUIT_ALIASES = {"♦": "O", "♠": "E", "♥": "C", "♣": "P"}


class Pack(StrEnum):
    """The two packs that truco is played with; the order of the cards is the same."""

    SPANISH = "spanish"
    FRENCH = "french"


def code_of(card: Card) -> str:
    """Give the code of a card."""
    return CODES[card]


def rank_of(card: Card) -> str:
    """Give the rank of a card, as in its code."""
    return RANKS[card // SUITS_IN_RANK]


def suit_of(card: Card) -> str:
    """Give the suit letter of a card."""
    return SUITS[card % SUITS_IN_RANK]


def card_from(code: object, *, field: str = "") -> Card:
    """Read a code as it is stored; refuses what names no card."""
    card = _CARDS.get(code) if isinstance(code, str) else None
    if card is None:
        raise _no_card(code, field)
    return card


def card_typed(text: str, *, field: str = "") -> Card:
    """Read a card as people type it: lower case, ♣♥♠♦, 10 11 12 for Q J K, 1 for A."""
    rank, suit = text[:-1].upper(), text[-1:].upper()
    code = _RANK_ALIASES.get(rank, rank) + _SUIT_ALIASES.get(suit, suit)
    if code not in _CARDS:
        raise _no_card(text, field)
    return _CARDS[code]


def _no_card(given: object, field: str) -> Unreadable:
    return Unreadable(
        gettext_noop(
            "“%(given)s” is not a card: write the rank, A 2 3 4 5 6 7 Q J K, and the suit, P C E O."
        ),
        code="unknown_card",
        field=field,
        given=echo(given),
    )


# Names of the cards in the three languages of the project, for both packs.

_NUMBERS = {"4": "4", "5": "5", "6": "6", "7": "7", "2": "2", "3": "3"}
_RANK_NAMES = {
    ("en", Pack.SPANISH): _NUMBERS | {"A": "ace", "Q": "sota", "J": "horse", "K": "king"},
    ("fr", Pack.SPANISH): _NUMBERS | {"A": "as", "Q": "sota", "J": "cavalier", "K": "roi"},
    ("pt", Pack.SPANISH): _NUMBERS | {"A": "ás", "Q": "sota", "J": "cavalo", "K": "rei"},
    ("en", Pack.FRENCH): _NUMBERS | {"A": "ace", "Q": "queen", "J": "jack", "K": "king"},
    ("fr", Pack.FRENCH): _NUMBERS | {"A": "as", "Q": "dame", "J": "valet", "K": "roi"},
    ("pt", Pack.FRENCH): _NUMBERS | {"A": "ás", "Q": "dama", "J": "valete", "K": "rei"},
}
_SUIT_NAMES = {
    ("en", Pack.SPANISH): ("of coins", "of swords", "of cups", "of clubs"),
    ("fr", Pack.SPANISH): ("de deniers", "d'épées", "de coupes", "de bâtons"),
    ("pt", Pack.SPANISH): ("de ouros", "de espadas", "de copas", "de paus"),
    ("en", Pack.FRENCH): ("of diamonds", "of spades", "of hearts", "of clubs"),
    ("fr", Pack.FRENCH): ("de carreau", "de pique", "de cœur", "de trèfle"),
    ("pt", Pack.FRENCH): ("de ouros", "de espadas", "de copas", "de paus"),
}
#: Further words that are understood for a rank; the seed says "valete (a sota)".
_OTHER_RANK_WORDS = {
    ("pt", Pack.SPANISH): {"valete": "Q", "as": "A"},
    ("en", Pack.SPANISH): {"knight": "J"},
    ("fr", Pack.SPANISH): {"cheval": "J"},
    ("pt", Pack.FRENCH): {"as": "A"},
}
LANGUAGES = ("en", "fr", "pt")


def name_of(card: Card, language: str = "en", *, pack: Pack = Pack.SPANISH) -> str:
    """Give the card's name in "en", "fr" or "pt" as that pack calls it."""
    key = _language(language), pack
    return f"{_RANK_NAMES[key][rank_of(card)]} {_SUIT_NAMES[key][card % SUITS_IN_RANK]}"


def rank_named(word: str, language: str, *, pack: Pack) -> str:
    """Read the word for a rank in one language and pack: ``rank_named("valete", "pt", ...)``.

    A French valete is the J and a Spanish one the Q; a word of the other pack is refused.
    """
    key = _language(language), pack
    words = {name: rank for rank, name in _RANK_NAMES[key].items()}
    words |= _OTHER_RANK_WORDS.get(key, {})
    rank = words.get(word.strip().lower())
    if rank is None:
        raise Unreadable(
            gettext_noop("“%(given)s” is not the name of a rank in this pack."),
            code="unknown_rank_name",
            given=echo(word),
        )
    return rank


def _language(language: str) -> str:
    if language not in LANGUAGES:
        raise Unreadable(
            gettext_noop("Cards have names in en, fr and pt, not in %(language)s."),
            code="unknown_language",
            field="language",
            language=echo(language),
        )
    return language
