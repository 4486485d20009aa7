"""Why a deal of tarot cannot be: each refusal names the rule that is broken.

Sources: RO p.4-9, 11, 12; where the text is silent, what 78 cards can give (card check).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from rules_engine.errors import Illegal, gettext_noop
from rules_engine.tarot.announcements import NO_CHELEM
from rules_engine.tarot.contracts import (
    HALF_POINTS_NEEDED,
    PACK_HALF_POINTS,
    TRUMPS_IN_PACK,
    Contract,
    PoigneeSize,
    Side,
)
from rules_engine.tarot.tariff import attack_slam_bounds, defence_slam_most

if TYPE_CHECKING:  # a deal calls its checks while it is made
    from rules_engine.tarot.deals import Deal


def _points_text(half_points: int) -> str:
    return f"{half_points // 2}{'½' if half_points % 2 else ''}"


def refuse_points(deal: Deal) -> NoReturn:
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
                "Holding %(bouts)s of the three bouts, the attack has at least %(points)s points: "
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
                "Holding %(bouts)s of the three bouts, the attack has at most %(points)s points: "
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


def refuse_called(deal: Deal) -> NoReturn:
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


def check_petit(deal: Deal) -> None:
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


def check_poignees(deal: Deal) -> None:
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


def check_slams(deal: Deal) -> None:
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
                "it cannot hold %(bouts)s of the three bouts."
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
                "With %(points)s points and %(bouts)s of the three bouts the attack won every "
                "trick: that is a chelem."
            ),
            code="chelem_not_marked",
            field="chelem",
            points=_points_text(deal.half_points),
            bouts=int(deal.bouts),
        )


def check_miseres(deal: Deal) -> None:
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
