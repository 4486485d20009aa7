"""One deal as the score sheet tells it; what cannot be is refused when it is made.

Sources: RO p.4-9, 11, 12; where the text is silent, what 78 cards can give (card check).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NoReturn, Self

from rules_engine.errors import Illegal, RulesError, Unreadable, gettext_noop
from rules_engine.reading import Fields
from rules_engine.tarot.contracts import (
    HALF_POINTS_NEEDED,
    PACK_HALF_POINTS,
    TRUMPS_IN_PACK,
    Called,
    Contract,
    MisereKind,
    PoigneeSize,
    Side,
)
from rules_engine.tarot.rulesets import PRESETS, Ruleset, ruleset
from rules_engine.tarot.tariff import (
    Outcome,
    attack_slam_bounds,
    defence_slam_most,
)


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
            _refuse_points(self)
        try:
            outcome = tariff[contract][bouts][half_points]
        except LookupError:
            _refuse_points(self)
        if outcome is None:
            _refuse_points(self)
        _put_outcome(self, outcome)
        if called not in tariff.calls:
            _refuse_called(self)
        if petit_au_bout is not None:
            _check_petit(self)
        if poignees:
            _check_poignees(self)
        if (
            half_points >= SLAM_HALF_POINTS
            or chelem is not NO_CHELEM
            or petit_chelem is not NO_CHELEM
        ):
            _check_slams(self)
        if miseres:
            _check_miseres(self)

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


def _points_text(half_points: int) -> str:
    return f"{half_points // 2}{'½' if half_points % 2 else ''}"


def _refuse_points(deal: Deal) -> NoReturn:
    """Say which of contract, bouts and points no deal can have."""
    if not deal.ruleset.tariff[deal.contract]:
        raise Illegal(
            gettext_noop("The contract “%(contract)s” is not played under these rules."),
            code="contract_not_played",
            field="contract",
            contract=deal.contract,
        )
    if deal.bouts not in HALF_POINTS_NEEDED:
        raise Illegal(
            gettext_noop("There are three bouts: the attack holds 0, 1, 2 or 3, not %(bouts)s."),
            code="bouts_out_of_range",
            field="bouts",
            bouts=deal.bouts,
        )
    if type(deal.half_points) is not int:
        raise Illegal(
            gettext_noop("Card points are counted in whole numbers of half-points."),
            code="half_points_not_whole",
            field="half_points",
        )
    if not 0 <= deal.half_points <= PACK_HALF_POINTS:
        raise Illegal(
            gettext_noop("A tarot pack holds 91 points: the attack makes from 0 to 91."),
            code="points_outside_the_pack",
            field="half_points",
        )
    fewest, most = deal.ruleset.tariff.bounds(deal.bouts)
    gaps: dict[str, object] = {"bouts": int(deal.bouts)}
    if deal.half_points < fewest:
        raise Illegal(
            gettext_noop(
                "With %(bouts)s bouts the attack has at least %(points)s points: "
                "a bout is worth 4½, an Excuse kept without exchange 4."
            ),
            code="points_below_the_bouts",
            field="half_points",
            points=_points_text(fewest),
            **gaps,
        )
    if deal.half_points > most:
        raise Illegal(
            gettext_noop(
                "With %(bouts)s bouts the attack has at most %(points)s points: "
                "the other bouts count for the defence."
            ),
            code="points_above_the_bouts",
            field="half_points",
            points=_points_text(most),
            **gaps,
        )
    raise Illegal(
        gettext_noop(
            "At four players the card points are whole: tricks are of four cards, and a card "
            "is given for the Excuse. Count again: %(points)s."
        ),
        code="half_point_at_four",
        field="half_points",
        points=_points_text(deal.half_points),
    )


def _refuse_called(deal: Deal) -> NoReturn:
    if deal.called is None:
        raise Illegal(
            gettext_noop(
                "At five players the taker calls a card: say whether he has a partner or "
                "plays alone."
            ),
            code="called_missing",
            field="called",
        )
    raise Illegal(
        gettext_noop("Only at five players does the taker call a card."),
        code="called_only_at_five",
        field="called",
    )


def _check_petit(deal: Deal) -> None:
    if not deal.ruleset.petit_au_bout:
        raise Illegal(
            gettext_noop("The petit au bout is not played under these rules."),
            code="petit_au_bout_not_played",
            field="petit_au_bout",
        )
    if deal.ruleset.card_check == "formula":
        return
    if deal.petit_au_bout is Side.ATTACK and deal.bouts == 0:
        raise Illegal(
            gettext_noop(
                "The side that wins the last trick with the petit in it holds the petit: "
                "the attack has at least one bout."
            ),
            code="petit_without_a_bout",
            field="petit_au_bout",
        )
    if deal.petit_au_bout is Side.DEFENCE and deal.bouts == len(HALF_POINTS_NEEDED) - 1:
        raise Illegal(
            gettext_noop(
                "The side that wins the last trick with the petit in it holds the petit: "
                "the attack cannot have all three bouts."
            ),
            code="petit_and_three_bouts",
            field="petit_au_bout",
        )


def _check_poignees(deal: Deal) -> None:
    # One alone is always possible: no ruleset asks more trumps for it than there are.
    if len(deal.poignees) == 1 or deal.ruleset.card_check == "formula":
        return
    sizes = dict(zip(PoigneeSize, deal.ruleset.trumps_in_poignee, strict=True))
    shown = sum(sizes[poignee.size] for poignee in deal.poignees)
    if shown > TRUMPS_IN_PACK:
        raise Illegal(
            gettext_noop(
                "These poignées would be %(shown)s cards: there are 21 trumps and the Excuse."
            ),
            code="poignees_over_22_cards",
            field="poignees",
            shown=shown,
        )
    of_the_attack = sum(poignee.side is Side.ATTACK for poignee in deal.poignees)
    for count, players in (
        (of_the_attack, deal.attackers),
        (len(deal.poignees) - of_the_attack, deal.ruleset.players - deal.attackers),
    ):
        if count > players:
            raise Illegal(
                gettext_noop("A player shows one poignée, complete and in one go."),
                code="two_poignees_of_one_player",
                field="poignees",
            )


def _check_slams(deal: Deal) -> None:
    chelem, petit = deal.chelem, deal.petit_chelem
    if petit != NO_CHELEM and not deal.ruleset.petit_chelem:
        raise Illegal(
            gettext_noop("The petit chelem is not played under these rules."),
            code="petit_chelem_not_played",
            field="petit_chelem",
        )
    if chelem.announced and petit.announced:
        raise Illegal(
            gettext_noop("The taker announces a chelem or a petit chelem, not both."),
            code="two_chelems_announced",
            field="petit_chelem",
        )
    if chelem.achieved and petit.achieved:
        raise Illegal(
            gettext_noop("All the tricks, or all but one: a deal ends in one chelem."),
            code="two_chelems_achieved",
            field="petit_chelem",
        )
    if chelem.achieved is Side.ATTACK:
        _check_attack_slam(deal)
    elif chelem.achieved is Side.DEFENCE:
        _check_defence_slam(deal)
    elif deal.ruleset.card_check == "strict" and petit.achieved is not Side.ATTACK:
        _check_no_slam(deal)
    slam = chelem.achieved or petit.achieved
    if chelem.achieved and deal.petit_au_bout not in {None, slam}:
        raise Illegal(
            gettext_noop("Whoever makes a chelem also wins the last trick, and the petit in it."),
            code="petit_against_the_chelem",
            field="petit_au_bout",
        )


def _check_attack_slam(deal: Deal) -> None:
    bounds = attack_slam_bounds(deal.ruleset.players, deal.contract).get(deal.bouts)
    if bounds is not None and bounds[0] <= deal.half_points <= bounds[1]:
        return
    if deal.contract is Contract.GARDE_CONTRE:
        sentence = gettext_noop(
            "With all the tricks of a garde contre the attack has everything but the dog, and "
            "the Excuse if the defence kept it: these points or bouts are not that."
        )
    else:
        sentence = gettext_noop(
            "With all the tricks the attack has 91 points and three bouts, or 87 and two when "
            "the defence kept the Excuse."
        )
    raise Illegal(sentence, code="chelem_points", field="half_points")


def _check_defence_slam(deal: Deal) -> None:
    most = defence_slam_most(deal.ruleset.players, deal.contract).get(deal.bouts)
    if most is None:
        raise Illegal(
            gettext_noop(
                "Without a trick the attack has only its discard or the dog, and its Excuse: "
                "%(bouts)s bouts cannot be."
            ),
            code="defence_chelem_bouts",
            field="bouts",
            bouts=int(deal.bouts),
        )
    if deal.half_points > most:
        raise Illegal(
            gettext_noop(
                "Without a trick the attack has only its discard or the dog, and its Excuse: "
                "at most %(points)s points, so that its contract is lost."
            ),
            code="defence_chelem_points",
            field="half_points",
            points=_points_text(most),
        )


def _check_no_slam(deal: Deal) -> None:
    if deal.contract is Contract.GARDE_CONTRE:
        return
    bounds = attack_slam_bounds(deal.ruleset.players, deal.contract).get(deal.bouts)
    if bounds is not None and deal.half_points == bounds[1]:
        raise Illegal(
            gettext_noop(
                "With %(points)s points and %(bouts)s bouts the attack won every trick: "
                "that is a chelem."
            ),
            code="chelem_not_marked",
            field="chelem",
            points=_points_text(deal.half_points),
            bouts=int(deal.bouts),
        )


def _check_miseres(deal: Deal) -> None:
    if not deal.ruleset.misere:
        raise Illegal(
            gettext_noop("Misères are not played under these rules."),
            code="misere_not_played",
            field="miseres",
        )
    if len(set(deal.miseres)) < len(deal.miseres):
        raise Illegal(
            gettext_noop("A player announces each misère once."),
            code="misere_twice",
            field="miseres",
        )
    players = deal.ruleset.players
    if not all(0 <= misere.declarer < players for misere in deal.miseres):
        raise Illegal(
            gettext_noop("The declarer of a misère is one of the %(players)s players."),
            code="misere_declarer",
            field="miseres",
            players=players,
        )
