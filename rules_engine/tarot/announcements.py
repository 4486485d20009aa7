"""What is shown or announced in a deal: poignées, slams, misères (RO p.6, 7; seed 004)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from rules_engine.reading import Fields
from rules_engine.tarot.contracts import MisereKind, PoigneeSize, Side


@dataclass(frozen=True, slots=True, kw_only=True)
class Poignee:
    """A handful of trumps that somebody of a side showed before his first card (RO p.7)."""

    size: PoigneeSize
    side: Side

    def to_json(self) -> dict[str, object]:
        """Give the handful as the command line reads it."""
        return {"size": str(self.size), "side": str(self.side)}

    @classmethod
    def from_json(cls, value: object, *, path: str = "") -> Self:
        """Read a handful; refuses unknown fields and words."""
        fields = Fields(value, path=path)
        poignee = cls(size=fields.word("size", PoigneeSize), side=fields.word("side", Side))
        fields.close()
        return poignee


@dataclass(frozen=True, slots=True, kw_only=True)
class Chelem:
    """A slam: did the taker announce it, and which side made one (RO p.6).

    As ``Deal.petit_chelem`` it means all tricks but one, or more than was announced.
    """

    announced: bool = False
    achieved: Side | None = None

    def to_json(self) -> dict[str, object]:
        """Give the slam as the command line reads it."""
        return {
            "announced": self.announced,
            "achieved": None if self.achieved is None else str(self.achieved),
        }

    @classmethod
    def from_json(cls, value: object, *, path: str = "") -> Self:
        """Read a slam; refuses unknown fields and words."""
        fields = Fields(value, path=path)
        announced = fields.flag("announced")
        achieved = fields.word("achieved", Side) if fields.has("achieved") else None
        fields.drop("achieved")
        fields.close()
        return cls(announced=announced, achieved=achieved)


@dataclass(frozen=True, slots=True, kw_only=True)
class Misere:
    """A hand without trumps or without court cards, announced before the first card (seed 004).

    ``declarer`` is the player's place in the order of the scores: 0 the taker, then the partner
    if there is one, then the defenders in the order of their seats (``score_order``).
    """

    kind: MisereKind
    declarer: int

    def to_json(self) -> dict[str, object]:
        """Give the misère as the command line reads it."""
        return {"kind": str(self.kind), "declarer": self.declarer}

    @classmethod
    def from_json(cls, value: object, *, path: str = "") -> Self:
        """Read a misère; refuses unknown fields and words."""
        fields = Fields(value, path=path)
        misere = cls(kind=fields.word("kind", MisereKind), declarer=fields.whole("declarer"))
        fields.close()
        return misere


NO_CHELEM = Chelem()
