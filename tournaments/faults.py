"""The faults of free deals and what they cost, as the federation's code lists them (CA p.4-8).

A table for the referee's page: amounts are whole points, taken from the offender alone and kept
outside the sheets. What a fault does to the cards of a deal is ``rules_engine.tarot``'s matter;
here stands only what the ledger needs. The words are message ids of the catalogues.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from rules_engine.errors import gettext_noop

#: What the list does not name; the note says it.
OTHER = "other"


class Deal(StrEnum):
    """Whether the deal of the fault counts; for some only the result tells."""

    COUNTS = "counts"
    VOID = "void"
    VOID_IF_MADE = "void_if_made"  # counts when the taker loses
    VOID_IF_LOST = "void_if_lost"  # counts when the taker makes his contract
    VOID_IF_OFFENDER_WINS = "void_if_offender_wins"
    REMOVED = "removed"  # not dealt again


class Poignee(StrEnum):
    """Whether a poignée that was shown with a fault is paid."""

    COUNTS = "counts"
    NOT_COUNTED = "not_counted"
    COUNTS_IF_LOST = "counts_if_lost"  # the taker loses
    COUNTS_IF_MADE = "counts_if_made"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """A fault of the list.

    ``amounts`` are the points of the first, second … penalty, the last one for all that follow;
    none when the list names no amount. With ``warning_first`` the first time is a warning. A
    penalty that ``may_be_waived`` is the referee's choice. ``barred``: the offender may not bid
    on the next deal. ``granted``: no fault, but something that the referee allows. ``also``:
    what the referee has done at the table, as message ids.
    """

    code: str
    words: str
    amounts: tuple[int, ...] = ()
    warning_first: bool = False
    may_be_waived: bool = False
    deal: Deal = Deal.COUNTS
    poignee: Poignee = Poignee.COUNTS
    barred: bool = False
    granted: bool = False
    also: tuple[str, ...] = ()


SAME_DEALER = gettext_noop("the same player deals again")
POINTS_RETURNED = gettext_noop("what the fault won is handed back")

_LIST = (
    Fault(
        code="hidden_misdeal",
        words=gettext_noop("Misdeal hidden by the dealer"),
        amounts=(500,),
        deal=Deal.VOID,
        barred=True,
        also=(SAME_DEALER,),
    ),
    Fault(
        code="wrong_count",
        words=gettext_noop("Wrong count of cards before play"),
        deal=Deal.VOID,
        barred=True,
        also=(SAME_DEALER,),
    ),
    Fault(
        code="misdeal_in_play",
        words=gettext_noop("Misdeal found during play"),
        deal=Deal.VOID_IF_LOST,
    ),
    Fault(
        code="consumed_revoke",
        words=gettext_noop("Revoke that can no longer be mended"),
        amounts=(100,),
        may_be_waived=True,
        deal=Deal.VOID_IF_OFFENDER_WINS,
        also=(POINTS_RETURNED,),
    ),
    Fault(
        code="exposed_card",
        words=gettext_noop("Exposed card of the defence"),
        amounts=(100,),
        warning_first=True,
        also=(gettext_noop("the card goes back to the hand"),),
    ),
    Fault(
        code="important_card",
        words=gettext_noop("Exposed card that may change the deal"),
        amounts=(100,),
        may_be_waived=True,
        deal=Deal.VOID_IF_OFFENDER_WINS,
        also=(POINTS_RETURNED,),
    ),
    Fault(
        code="lead_out_of_turn",
        words=gettext_noop("Card played out of turn"),
        amounts=(100,),
        warning_first=True,
        also=(
            gettext_noop(
                "the taker accepts it, or has the right defender lead that suit or another one"
            ),
        ),
    ),
    Fault(
        code="false_discard",
        words=gettext_noop("Wrong discard"),
        deal=Deal.VOID_IF_MADE,
        also=(
            gettext_noop(
                "one card too many: the last trick and the dearest card of the discard go to the "
                "defence"
            ),
            gettext_noop("too few: the last trick goes to the taker, without petit au bout"),
        ),
    ),
    Fault(code="sheet_not_zero", words=gettext_noop("Sheet does not add up to 0"), amounts=(100,)),
    Fault(
        code="sheet_unnamed",
        words=gettext_noop("Table number, names or numbers missing on the sheet"),
        amounts=(100,),
    ),
    Fault(
        code="sheet_not_returned",
        words=gettext_noop("Sheet not returned to the control"),
        amounts=(400,),
    ),
    Fault(
        code="slow_play",
        words=gettext_noop("Slow play"),
        amounts=(100, 200),
        deal=Deal.REMOVED,
    ),
    Fault(
        code="hesitation",
        words=gettext_noop("Unjustified hesitation"),
        amounts=(100,),
        warning_first=True,
    ),
    Fault(
        code="touched_cards",
        words=gettext_noop("Touched the cards during the deal"),
        amounts=(100,),
        warning_first=True,
    ),
    Fault(code="smoking", words=gettext_noop("Smoking"), amounts=(100,)),
    Fault(
        code="dog_seen",
        words=gettext_noop("Dog seen by the defence on a granted garde sans or garde contre"),
        amounts=(100,),
        may_be_waived=True,
        deal=Deal.VOID_IF_LOST,
    ),
    Fault(
        code="dog_seen_by_all",
        words=gettext_noop("Dog seen by the defence and by the taker"),
        amounts=(100,),
        may_be_waived=True,
    ),
    Fault(
        code="defender_count",
        words=gettext_noop("Wrong number of cards in a defender’s hand, found late"),
        deal=Deal.VOID_IF_LOST,
    ),
    Fault(
        code="hand_thrown_in",
        words=gettext_noop("Hand thrown in by mistake after a bid"),
        deal=Deal.VOID_IF_LOST,
        also=(gettext_noop("the defence is dealt again"),),
    ),
    Fault(
        code="laid_down",
        words=gettext_noop("Laid down the last cards wrongly"),
        also=(gettext_noop("the rest is played in the way worst for the offender"),),
    ),
    Fault(
        code="poignee_shown_wrongly",
        words=gettext_noop("Poignée shown with a fault that could be mended"),
        amounts=(100,),
        warning_first=True,
    ),
    Fault(
        code="poignee_incomplete_taker",
        words=gettext_noop("Incomplete poignée of the taker"),
        poignee=Poignee.NOT_COUNTED,
    ),
    Fault(
        code="poignee_incomplete_defender",
        words=gettext_noop("Incomplete poignée of a defender"),
        deal=Deal.VOID_IF_LOST,
        poignee=Poignee.NOT_COUNTED,
    ),
    Fault(
        code="poignee_too_many_taker",
        words=gettext_noop("Poignée of too many trumps, of the taker"),
    ),
    Fault(
        code="poignee_too_many_defender",
        words=gettext_noop("Poignée of too many trumps, of a defender"),
        deal=Deal.VOID_IF_LOST,
        poignee=Poignee.COUNTS_IF_MADE,
    ),
    Fault(
        code="poignee_late_taker",
        words=gettext_noop("Poignée shown too late by the taker"),
        poignee=Poignee.COUNTS_IF_LOST,
    ),
    Fault(
        code="poignee_late_defender",
        words=gettext_noop("Poignée shown too late by a defender"),
        deal=Deal.VOID_IF_LOST,
        poignee=Poignee.COUNTS_IF_MADE,
    ),
    Fault(
        code="poignee_excuse",
        words=gettext_noop("Excuse shown in a poignée to hide a trump"),
        deal=Deal.VOID_IF_OFFENDER_WINS,
    ),
    Fault(
        code="conduct",
        words=gettext_noop("Conduct"),
        amounts=(100,),
        warning_first=True,
        may_be_waived=True,
    ),
    Fault(code="garde_sans", words=gettext_noop("Garde sans granted"), granted=True),
    Fault(code="garde_contre", words=gettext_noop("Garde contre granted"), granted=True),
    Fault(code="announced_chelem", words=gettext_noop("Announced chelem granted"), granted=True),
    Fault(code=OTHER, words=gettext_noop("Something else")),
)

#: Every fault by its code, in the order of the list.
FAULTS: Mapping[str, Fault] = MappingProxyType({fault.code: fault for fault in _LIST})

BARRED = gettext_noop("may not bid on the next deal")

_DEALS = {
    Deal.VOID: gettext_noop("void, dealt again"),
    Deal.VOID_IF_MADE: gettext_noop("void if the taker makes the contract"),
    Deal.VOID_IF_LOST: gettext_noop("void if the taker loses"),
    Deal.VOID_IF_OFFENDER_WINS: gettext_noop("void if the side at fault wins"),
    Deal.REMOVED: gettext_noop("the deal is removed"),
}

_POIGNEES = {
    Poignee.NOT_COUNTED: gettext_noop("the poignée does not count"),
    Poignee.COUNTS_IF_LOST: gettext_noop("the poignée counts only if the taker loses"),
    Poignee.COUNTS_IF_MADE: gettext_noop("the poignée counts only if the taker makes the contract"),
}


def consequences(fault: Fault) -> list[str]:
    """What a fault does beside the points, as message ids: to the deal, then to the offender."""
    said = [_DEALS[fault.deal]] if fault.deal in _DEALS else []
    if fault.poignee in _POIGNEES:
        said.append(_POIGNEES[fault.poignee])
    said.extend(fault.also)
    if fault.may_be_waived and fault.amounts:
        said.append(gettext_noop("the points may be waived"))
    if fault.barred:
        said.append(BARRED)
    return said
