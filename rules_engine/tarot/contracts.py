"""The words of French tarot that every other module speaks."""

from __future__ import annotations

from enum import IntEnum, StrEnum


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
        return list(Contract).index(self)

    @property
    def takes_dog(self) -> bool:
        """Does the taker see the dog and discard? Only up to the garde (RO p.6)."""
        return self.rank <= Contract.GARDE.rank


class Side(StrEnum):
    """The taker with his partner, or everybody else."""

    ATTACK = "attack"
    DEFENCE = "defence"

    @property
    def other(self) -> Side:
        """The opposite side."""
        return Side.DEFENCE if self is Side.ATTACK else Side.ATTACK


class PoigneeSize(StrEnum):
    """How large a shown handful of trumps is (RO p.7)."""

    SIMPLE = "simple"
    DOUBLE = "double"
    TRIPLE = "triple"


class Called(StrEnum):
    """With whom the taker plays at five: the holder of the called card, or nobody (RO p.12)."""

    PARTNER = "partner"
    SELF = "self"


class Bouts(IntEnum):
    """How many bouts (21, petit, Excuse) the attack holds at the end."""

    NONE = 0
    ONE = 1
    TWO = 2
    THREE = 3


#: Card points, in half-points, that the attack needs by its number of bouts (RO p.4).
HALF_POINTS_NEEDED = {0: 112, 1: 102, 2: 82, 3: 72}

#: All card points of the pack, in half-points (91 points, RO p.3).
PACK_HALF_POINTS = 182
