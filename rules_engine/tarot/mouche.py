"""The mouche: a pot beside the scores (seed 004, a house rule).

The dealer antes before each deal. When somebody takes, every other player adds an amount by
the contract; a taker who makes it empties the pot, one who fails doubles it. When nobody takes,
the ante stays and the next dealer adds his. A pot is a value: each deal gives the next one, and
what goes in and comes out always balances the players' payments.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from rules_engine.errors import Illegal, gettext_noop
from rules_engine.reading import Fields
from rules_engine.tarot.contracts import Contract
from rules_engine.tarot.rulesets import Ruleset


@dataclass(frozen=True, slots=True, kw_only=True)
class Pot:
    """What lies in the middle, in points; refuses less than nothing."""

    points: int = 0

    def __post_init__(self) -> None:
        if self.points < 0:
            raise Illegal(
                gettext_noop("The mouche holds no less than nothing."),
                code="mouche_below_nothing",
                field="points",
            )

    def nobody_takes(self, *, ruleset: Ruleset, dealer: int) -> Step:
        """Give what a passed-out deal does: the dealer's ante stays in the pot."""
        _check(ruleset, dealer, dealer)
        payments = [0] * ruleset.players
        payments[dealer] -= ruleset.mouche_ante
        return Step(pot=self.after(payments), payments=tuple(payments))

    def taken(
        self, *, ruleset: Ruleset, dealer: int, taker: int, contract: Contract, made: bool
    ) -> Step:
        """Give what a played deal does.

        ``dealer`` and ``taker`` are seats from 0 among those who play the deal; the payments
        are in the same order, what a player pays negative. Refuses rules without a mouche,
        seats that are not there and contracts that are not played.
        """
        _check(ruleset, dealer, taker)
        if contract not in ruleset.contracts:
            raise Illegal(
                gettext_noop("The contract “%(contract)s” is not played under these rules."),
                code="contract_not_played",
                field="contract",
                contract=contract,
            )
        amount = dict(ruleset.mouche_values)[contract]
        payments = [0 if seat == taker else -amount for seat in range(ruleset.players)]
        payments[dealer] -= ruleset.mouche_ante
        in_the_pot = self.points - sum(payments)
        payments[taker] += in_the_pot if made else -in_the_pot
        return Step(pot=self.after(payments), payments=tuple(payments))

    def after(self, payments: list[int]) -> Pot:
        """Give the pot with what the players paid in, less what they took out."""
        return Pot(points=self.points - sum(payments))

    def to_json(self) -> dict[str, object]:
        """Give the pot as JSON-able data."""
        return {"points": self.points}

    @classmethod
    def from_json(cls, data: object) -> Self:
        """Read what ``to_json`` wrote; refuses anything else."""
        fields = Fields(data)
        pot = cls(points=fields.whole("points"))
        fields.close()
        return pot


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """The pot after a deal, and what the deal took from (negative) or gave to each seat."""

    pot: Pot
    payments: tuple[int, ...]


def _check(ruleset: Ruleset, dealer: int, taker: int) -> None:
    if not ruleset.mouche:
        raise Illegal(
            gettext_noop("The mouche is not played under these rules."),
            code="mouche_not_played",
            field="ruleset",
        )
    for name, seat in (("dealer", dealer), ("taker", taker)):
        if not 0 <= seat < ruleset.players:
            raise Illegal(
                gettext_noop("There is no seat %(seat)s in this deal."),
                code="seat_not_there",
                field=name,
                seat=seat,
            )
