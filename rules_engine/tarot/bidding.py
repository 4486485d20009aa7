"""The bidding: who speaks, what may be called, and who takes (RO p.5; seed 004 for the options)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum

from rules_engine.errors import Illegal, gettext_noop
from rules_engine.tarot.contracts import Contract
from rules_engine.tarot.dealing import DealtCards
from rules_engine.tarot.rulesets import Ruleset


class Call(StrEnum):
    """What a player may say: a contract, a pass, or parole where a table plays it (seed 004)."""

    PASS = "pass"  # noqa: S105  nobody's password
    PAROLE = "parole"
    PETITE = "petite"
    POUSSE = "pousse"
    GARDE = "garde"
    GARDE_SANS = "garde_sans"
    GARDE_CONTRE = "garde_contre"

    @property
    def contract(self) -> Contract | None:
        """The contract that is bid; None for pass and parole."""
        return None if self in _SILENCES else Contract(self.value)


_SILENCES = frozenset({Call.PASS, Call.PAROLE})


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """The outcome of a bidding in which somebody took."""

    taker: int
    contract: Contract

    @property
    def calls_the_referee(self) -> bool:
        """Must a referee grant it? A garde sans or garde contre (RO p.5, CA p.4)."""
        return not self.contract.takes_dog


class Auction:
    """One bidding, call by call; the dealer's right-hand neighbour speaks first.

    ``barred`` are seats that may only pass (who caused a misdeal, CA p.4). ``calls`` are the
    calls so far by seat; ``turn`` is the seat that speaks, None when the bidding is over.

    Under ``bidding="one_round"`` everybody speaks once, each bid above the last (RO p.5). With
    ``parole`` who speaks before any bid may check instead and then has a call in a second round;
    under ``parole_garde`` that call is a garde at least. With ``overbid`` a bidder who was outbid
    may bid higher or leave it, until nobody does.
    """

    __slots__ = ("_checked", "_to_speak", "barred", "calls", "rules", "second_round", "taken")

    def __init__(self, *, rules: Ruleset, dealer: int, barred: Collection[int] = ()) -> None:
        self.rules = rules
        self.barred = frozenset(barred)
        self.calls: list[tuple[int, Call]] = []
        self.taken: Taken | None = None
        self.second_round = False
        self._checked: list[int] = []
        self._to_speak = [(dealer + step) % rules.players for step in range(1, rules.players + 1)]

    @property
    def turn(self) -> int | None:
        """The seat that speaks; None when the bidding is over."""
        return self._to_speak[0] if self._to_speak else None

    @property
    def is_over(self) -> bool:
        """Has everybody spoken who may?"""
        return not self._to_speak

    @property
    def legal(self) -> tuple[Call, ...]:
        """What the seat on turn may say, pass first; nothing when the bidding is over."""
        if self.turn is None:
            return ()
        if self.turn in self.barred:
            return (Call.PASS,)
        may_check = (
            self.rules.bidding in {"parole", "parole_garde"}
            and self.taken is None
            and not self.second_round
        )
        silences = (Call.PASS, Call.PAROLE) if may_check else (Call.PASS,)
        return silences + tuple(Call(bid.value) for bid in self._bids())

    def _bids(self) -> list[Contract]:
        lowest = -1 if self.taken is None else self.taken.contract.rank
        if self.second_round and self.rules.bidding == "parole_garde":
            lowest = max(lowest, Contract.GARDE.rank - 1)
        return [contract for contract in self.rules.contracts if contract.rank > lowest]

    def call(self, call: Call) -> None:
        """Say what the seat on turn says; refuses what it may not."""
        if self.turn is None:
            raise Illegal(
                gettext_noop("The bidding is over."), code="bidding_is_over", field="bids"
            )
        if call not in self.legal:
            raise self._refusal(call)
        seat = self._to_speak.pop(0)
        self.calls.append((seat, call))
        if call is Call.PAROLE:
            self._checked.append(seat)
        elif call.contract is not None:
            self._take(seat, call.contract)
        if not self._to_speak and self._checked:
            self._to_speak, self._checked, self.second_round = self._checked, [], True

    def _take(self, seat: int, contract: Contract) -> None:
        outbid, self.taken = self.taken, Taken(taker=seat, contract=contract)
        if outbid is not None and self.rules.bidding == "overbid":
            self._to_speak.append(outbid.taker)

    def _refusal(self, call: Call) -> Illegal:
        if self.turn in self.barred:
            return Illegal(
                gettext_noop("Who spoilt the deal before may not bid on this one."),
                code="barred_from_bidding",
                field="bids",
            )
        if call is Call.PAROLE:
            return Illegal(
                gettext_noop("Parole is not said here: not under these rules, or not any more."),
                code="parole_not_allowed",
                field="bids",
            )
        if call.contract not in self.rules.contracts:
            return Illegal(
                gettext_noop("The contract “%(contract)s” is not played under these rules."),
                code="contract_not_played",
                field="bids",
                contract=call.contract,
            )
        return Illegal(
            gettext_noop("A bid must be higher than those before it; else it is a pass."),
            code="bid_too_low",
            field="bids",
        )


def open_bidding(dealt: DealtCards, rules: Ruleset, *, barred: Collection[int] = ()) -> Auction:
    """Begin the bidding on dealt cards; a petit sec voids them before anybody speaks (RO p.5)."""
    if rules.petit_sec == "void" and dealt.petit_sec is not None:
        raise Illegal(
            gettext_noop("The petit is the only trump of a hand: the deal is void before bidding."),
            code="petit_sec",
            field="hands",
        )
    return Auction(rules=rules, dealer=dealt.dealer, barred=barred)
