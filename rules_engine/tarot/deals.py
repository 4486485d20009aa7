"""One deal as the score sheet tells it; what cannot be is refused when it is made."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Self

from rules_engine.errors import RulesError, Unreadable, gettext_noop
from rules_engine.reading import Fields
from rules_engine.tarot.announcements import NO_CHELEM, Chelem, Misere, Poignee
from rules_engine.tarot.contracts import HALF_POINTS_NEEDED, Called, Contract, Side
from rules_engine.tarot.deal_checks import (
    check_miseres,
    check_petit,
    check_poignees,
    check_slams,
    refuse_called,
    refuse_points,
)
from rules_engine.tarot.presets import PRESETS, ruleset
from rules_engine.tarot.rulesets import Ruleset
from rules_engine.tarot.tariff import Outcome

__all__ = ["NO_CHELEM", "Chelem", "Deal", "Misere", "Poignee"]

#: From here on (87 points) the attack may have won every trick.
SLAM_HALF_POINTS = 174


@dataclass(frozen=True, slots=True, kw_only=True, init=False)
class Deal:
    """A played deal: contract, what the attack made, and what was shown and announced.

    ``half_points`` are the card points of the taker's side, in half-points, after the exchange
    of the Excuse; ``bouts`` are its bouts at the end. ``called`` is given at five players and
    only there. Refuses (``Illegal``: code, field, the rule in a sentence) what cannot be.
    """

    ruleset: Ruleset
    contract: Contract
    bouts: int
    half_points: int
    petit_au_bout: Side | None = None
    poignees: tuple[Poignee, ...] = ()
    chelem: Chelem = NO_CHELEM
    called: Called | None = None
    petit_chelem: Chelem = NO_CHELEM
    miseres: tuple[Misere, ...] = ()
    #: What contract and points alone decide; found while checking.
    outcome: Outcome = field(init=False, repr=False, compare=False)

    def __init__(
        self,
        *,
        ruleset: Ruleset,
        contract: Contract,
        bouts: int,
        half_points: int,
        petit_au_bout: Side | None = None,
        poignees: tuple[Poignee, ...] = (),
        chelem: Chelem = NO_CHELEM,
        called: Called | None = None,
        petit_chelem: Chelem = NO_CHELEM,
        miseres: tuple[Misere, ...] = (),
    ) -> None:
        # Written out, because the generated one takes twice the time of all the checks.
        _put_ruleset(self, ruleset)
        _put_contract(self, contract)
        _put_bouts(self, bouts)
        _put_half_points(self, half_points)
        _put_petit_au_bout(self, petit_au_bout)
        _put_poignees(self, poignees)
        _put_chelem(self, chelem)
        _put_called(self, called)
        _put_petit_chelem(self, petit_chelem)
        _put_miseres(self, miseres)
        tariff = ruleset.tariff
        if type(half_points) is not int or half_points < 0:
            refuse_points(self)
        try:
            outcome = tariff[contract][bouts][half_points]
        except LookupError:
            refuse_points(self)
        if outcome is None:
            refuse_points(self)
        _put_outcome(self, outcome)
        if called not in tariff.calls:
            refuse_called(self)
        if petit_au_bout is not None:
            check_petit(self)
        if poignees:
            check_poignees(self)
        if (
            half_points >= SLAM_HALF_POINTS
            or chelem is not NO_CHELEM
            or petit_chelem is not NO_CHELEM
        ):
            check_slams(self)
        if miseres:
            check_miseres(self)

    @property
    def needed_half_points(self) -> int:
        """The half-points that the attack needed with its bouts (RO p.4)."""
        return HALF_POINTS_NEEDED[self.bouts]

    @property
    def attackers(self) -> int:
        """How many play on the taker's side."""
        return 2 if self.called is Called.PARTNER else 1

    def to_json(self) -> dict[str, object]:
        """Give the deal as the command line reads it; house options only when used."""
        points, half = divmod(self.half_points, 2)
        data: dict[str, object] = {
            "ruleset": self.ruleset.name,
            "players": self.ruleset.players,
            "contract": str(self.contract),
            "bouts": int(self.bouts),
            "taker_card_points": points + 0.5 if half else points,
            "petit_au_bout": None if self.petit_au_bout is None else str(self.petit_au_bout),
            "poignees": [poignee.to_json() for poignee in self.poignees],
            "chelem": self.chelem.to_json(),
            "called": None if self.called is None else str(self.called),
        }
        if self.petit_chelem != NO_CHELEM:
            data["petit_chelem"] = self.petit_chelem.to_json()
        if self.miseres:
            data["miseres"] = [misere.to_json() for misere in self.miseres]
        return data

    @classmethod
    def from_json(
        cls, data: object, *, rules: Ruleset | None = None, default: Ruleset = PRESETS["fft"]
    ) -> Self:
        """Read a deal in the shape of the command line.

        ``rules`` is the ruleset to judge by, which the input may then name or leave out;
        without it the input names a preset, or ``default`` holds, for its number of players.
        Refuses unknown fields, wrong types and deals that cannot be.
        """
        fields = Fields(data)
        rules = _read_ruleset(fields, rules, default)
        values = {
            "contract": fields.word("contract", Contract),
            "bouts": fields.whole("bouts"),
            "half_points": fields.half_steps("taker_card_points"),
            "petit_au_bout": _optional_word(fields, "petit_au_bout", Side),
            "poignees": tuple(
                Poignee.from_json(item, path=f"poignees[{index}]")
                for index, item in enumerate(_optional_items(fields, "poignees"))
            ),
            "chelem": _optional_chelem(fields, "chelem"),
            "called": _optional_word(fields, "called", Called),
            "petit_chelem": _optional_chelem(fields, "petit_chelem"),
            "miseres": tuple(
                Misere.from_json(item, path=f"miseres[{index}]")
                for index, item in enumerate(_optional_items(fields, "miseres"))
            ),
        }
        fields.close()
        try:
            return cls(ruleset=rules, **values)  # type: ignore[arg-type]
        except RulesError as refusal:
            if refusal.field == "half_points":
                refusal.field = "taker_card_points"
            raise


(
    _put_ruleset,
    _put_contract,
    _put_bouts,
    _put_half_points,
    _put_petit_au_bout,
    _put_poignees,
    _put_chelem,
    _put_called,
    _put_petit_chelem,
    _put_miseres,
    _put_outcome,
) = (vars(Deal)[name].__set__ for name in Deal.__slots__)

#: Nobody shows or announces more often than this in one deal.
MOST_ANNOUNCEMENTS = 10


def _read_ruleset(fields: Fields, rules: Ruleset | None, default: Ruleset) -> Ruleset:
    name = fields.text("ruleset") if fields.has("ruleset") else None
    fields.drop("ruleset")
    players = fields.whole("players")
    if rules is None:
        return (default if name is None else ruleset(name)).for_players(players)
    if players != rules.players or name not in {None, rules.name}:
        raise Unreadable(
            gettext_noop("This deal is of another ruleset than “%(name)s”."),
            code="another_ruleset",
            field="players" if players != rules.players else "ruleset",
            name=rules.name,
        )
    return rules


def _optional_word[Word: (Side, Called)](
    fields: Fields, name: str, words: type[Word]
) -> Word | None:
    if fields.has(name):
        return fields.word(name, words)
    fields.drop(name)
    return None


def _optional_items(fields: Fields, name: str) -> list[object]:
    if fields.has(name):
        return fields.items(name, at_most=MOST_ANNOUNCEMENTS)
    fields.drop(name)
    return []


def _optional_chelem(fields: Fields, name: str) -> Chelem:
    if fields.has(name):
        chelem = Chelem.from_json(fields.take(name), path=name)
        # The one value for "none" lets scoring pass it by.
        return NO_CHELEM if chelem == NO_CHELEM else chelem
    fields.drop(name)
    return NO_CHELEM
