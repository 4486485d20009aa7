"""The words of French tarot that every other module speaks.

Each member's ``word`` is its name for people, in English, ready for translation.
"""

from __future__ import annotations

from enum import IntEnum, StrEnum

from rules_engine.errors import gettext_noop


class Contract(StrEnum):
    """The bids, low to high (RO p.5, 8); ``pousse`` only where a ruleset has it (seed 004)."""

    PETITE = "petite"
    POUSSE = "pousse"
    GARDE = "garde"
    GARDE_SANS = "garde_sans"
    GARDE_CONTRE = "garde_contre"

    @property
    def rank(self) -> int:
        """The place in the bidding order, 0 for the lowest."""
        return _RANKS[self]

    @property
    def takes_dog(self) -> bool:
        """Does the taker see the dog and discard? Only up to the garde (RO p.6)."""
        return self in _DOG_TAKERS

    @property
    def word(self) -> str:
        """The contract as people say it."""
        return _CONTRACT_WORDS[self]


_RANKS = {contract: rank for rank, contract in enumerate(Contract)}
_DOG_TAKERS = frozenset({Contract.PETITE, Contract.POUSSE, Contract.GARDE})
_CONTRACT_WORDS = {
    Contract.PETITE: gettext_noop("petite"),
    Contract.POUSSE: gettext_noop("pousse"),
    Contract.GARDE: gettext_noop("garde"),
    Contract.GARDE_SANS: gettext_noop("garde sans"),
    Contract.GARDE_CONTRE: gettext_noop("garde contre"),
}


class Side(StrEnum):
    """The taker with his partner, or everybody else."""

    ATTACK = "attack"
    DEFENCE = "defence"

    @property
    def other(self) -> Side:
        """The opposite side."""
        return Side.DEFENCE if self is Side.ATTACK else Side.ATTACK

    @property
    def word(self) -> str:
        """The side as people say it."""
        return _SIDE_WORDS[self]


_SIDE_WORDS = {Side.ATTACK: gettext_noop("attack"), Side.DEFENCE: gettext_noop("defence")}


class PoigneeSize(StrEnum):
    """How large a shown handful of trumps is (RO p.7)."""

    SIMPLE = "simple"
    DOUBLE = "double"
    TRIPLE = "triple"

    @property
    def word(self) -> str:
        """The handful as people say it."""
        return _POIGNEE_WORDS[self]


_POIGNEE_WORDS = {
    PoigneeSize.SIMPLE: gettext_noop("simple poignée"),
    PoigneeSize.DOUBLE: gettext_noop("double poignée"),
    PoigneeSize.TRIPLE: gettext_noop("triple poignée"),
}


class Called(StrEnum):
    """With whom the taker plays at five: the holder of the called card, or nobody (RO p.12)."""

    PARTNER = "partner"
    SELF = "self"


class MisereKind(StrEnum):
    """What a hand announced as a misère has none of (seed 004)."""

    TRUMPS = "trumps"
    COURT_CARDS = "court_cards"

    @property
    def word(self) -> str:
        """The misère as people say it."""
        return _MISERE_WORDS[self]


_MISERE_WORDS = {
    MisereKind.TRUMPS: gettext_noop("misère of trumps"),
    MisereKind.COURT_CARDS: gettext_noop("misère of court cards"),
}


class Bouts(IntEnum):
    """How many bouts (21, petit, Excuse) the attack holds at the end."""

    NONE = 0
    ONE = 1
    TWO = 2
    THREE = 3


#: How many play a deal (RO p.4, 11, 12).
SIZES = (3, 4, 5)

#: Cards in the dog, and in the discard, by the number of players (RO p.4, 6, 11, 12).
DOG_SIZES = {3: 6, 4: 6, 5: 3}

#: Card points, in half-points, that the attack needs by its number of bouts (RO p.4).
HALF_POINTS_NEEDED = {0: 112, 1: 102, 2: 82, 3: 72}

#: All card points of the pack, in half-points (91 points, RO p.3).
PACK_HALF_POINTS = 182

#: The 21 trumps and the Excuse, which may replace one in a handful (RO p.7).
TRUMPS_IN_PACK = 22
