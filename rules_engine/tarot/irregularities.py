"""Faults at the table and what follows from them, as values that a referee can apply.

Free deals only, by the Code d'arbitrage (CA p.4-8). A ruling says whether the deal counts, what
is handed back, and what the offender pays beside the deal: penalties are taken from the offender
alone and therefore never enter the deal's scores, which go on summing to zero.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum

from rules_engine.errors import Illegal
from rules_engine.tarot.cards import Card, CardSet, card_set, cards_in, half_points
from rules_engine.tarot.contracts import DOG_SIZES, Side
from rules_engine.tarot.play import Duty, Play, winning_place
from rules_engine.tarot.rulesets import Ruleset


class Standing(StrEnum):
    """Whether a deal counts; for some faults only the result tells."""

    COUNTS = "counts"
    VOID = "void"
    VOID_IF_MADE = "void_if_made"  # counts when the taker loses
    VOID_IF_LOST = "void_if_lost"  # counts when the taker makes his contract

    def counts(self, *, made: bool) -> bool:
        """Does the deal count, the contract being made or lost?"""
        if self is Standing.VOID_IF_MADE:
            return not made
        if self is Standing.VOID_IF_LOST:
            return made
        return self is Standing.COUNTS


class PoigneeStanding(StrEnum):
    """Whether a poignée shown with a fault is paid."""

    COUNTS = "counts"
    NOT_COUNTED = "not_counted"
    COUNTS_IF_LOST = "counts_if_lost"  # the taker's side loses the deal
    COUNTS_IF_MADE = "counts_if_made"

    def counts(self, *, made: bool) -> bool:
        """Is it paid, the contract being made or lost?"""
        if self is PoigneeStanding.COUNTS_IF_LOST:
            return not made
        if self is PoigneeStanding.COUNTS_IF_MADE:
            return made
        return self is PoigneeStanding.COUNTS


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """What follows from a fault.

    ``penalty`` is in points, off the offender's total, outside the deal; with ``warning_first``
    only from the second time on, and a penalty that ``may_be_waived`` is the referee's choice.
    ``return_points``: what was won by the fault is handed back. ``cards`` go to the pile of side
    ``cards_to`` before the count. ``barred``: the offender may not bid on the next deal.
    """

    standing: Standing = Standing.COUNTS
    poignee: PoigneeStanding = PoigneeStanding.COUNTS
    penalty: int = 0
    warning_first: bool = False
    may_be_waived: bool = False
    return_points: bool = False
    cards: CardSet = 0
    cards_to: Side | None = None
    petit_au_bout_lost: bool = False
    barred: bool = False
    same_dealer: bool = False
    options: tuple[str, ...] = ()

    @property
    def half_points_moved(self) -> int:
        """What the cards handed over are worth, in half-points."""
        return half_points(self.cards)


USUAL, SHEET_KEPT, HIDDEN_MISDEAL = 100, 400, 500


def _void_if_it_wins(side: Side) -> Standing:
    """Give what a fault of a side does: void if it wins, counts if it loses."""
    return Standing.VOID_IF_MADE if side is Side.ATTACK else Standing.VOID_IF_LOST


# Cards


def not_rectifiable(side: Side) -> Ruling:
    """Rule on an important exposed card, a consumed revoke, a wrong count or the like (CA p.6).

    What it won is returned; the deal is void if the faulty side wins and counts if it loses.
    """
    return Ruling(
        standing=_void_if_it_wins(side), penalty=USUAL, may_be_waived=True, return_points=True
    )


def revoke(side: Side, *, consumed: bool) -> Ruling:
    """Rule on a card that broke a duty (CA p.6).

    Consumed once the first card of the next trick is played; before that the card is taken back,
    and of a defender's it was an exposed card.
    """
    return not_rectifiable(side) if consumed else exposed_card(side)


def exposed_card(side: Side, *, important: bool = False) -> Ruling:
    """Rule on a card shown by mistake: it goes back to the hand; a taker is not punished (CA p.5).

    An important one, which may change the deal, cannot be put right.
    """
    if important:
        return not_rectifiable(side)
    if side is Side.ATTACK:
        return Ruling()
    return Ruling(penalty=USUAL, warning_first=True)


#: What the taker may ask when a defender leads out of turn; no particular suit (CA p.5).
LEAD_OPTIONS = ("accept", "right_defender_leads_that_suit", "right_defender_leads_another_suit")


def lead_out_of_turn() -> Ruling:
    """Rule on a defender's lead out of turn: the taker chooses; beside it, an exposed card."""
    return Ruling(penalty=USUAL, warning_first=True, options=LEAD_OPTIONS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Revoke:
    """A card that broke a duty: the index of the play, its seat, the duty, and is it consumed?"""

    play: int
    seat: int
    card: Card
    duty: Duty
    consumed: bool


def find_revokes(
    *,
    hands: Sequence[CardSet],
    leader: int,
    plays: Sequence[Card],
    ruleset: Ruleset,
    called: Card | None = None,
) -> list[Revoke]:
    """Go through the cards as they were really played and give every revoke among them.

    ``hands`` are what the seats held after the discard. Refuses cards that a seat never had.
    """
    left, players, found = list(hands), len(hands), list[Revoke]()
    for first in range(0, len(plays), players):
        trick = plays[first : first + players]
        consumed = len(plays) > first + players
        for place, duty in _broken_duties(left, leader, trick, ruleset, None if first else called):
            seat = (leader + place) % players
            found.append(
                Revoke(
                    play=first + place, seat=seat, card=trick[place], duty=duty, consumed=consumed
                )
            )
        for place, card in enumerate(trick):
            left[(leader + place) % players] &= ~(1 << card)
        if len(trick) == players:
            leader = (leader + winning_place(trick)) % players
    return found


def _broken_duties(
    hands: Sequence[CardSet],
    leader: int,
    trick: Sequence[Card],
    ruleset: Ruleset,
    called: Card | None,
) -> list[tuple[int, Duty]]:
    """Give the places of one trick at which a duty was broken."""
    # Whoever has played is left with the card he played, legal or not: so the trick can go on.
    holding = list(hands)
    broken: list[tuple[int, Duty]] = []
    for place, card in enumerate(trick):
        seat = (leader + place) % len(hands)
        play = Play(hands=holding, leader=leader, ruleset=ruleset, called=called)
        for earlier in trick[:place]:
            play.play(earlier)
        duty = play.duty
        try:
            play.play(card)
        except Illegal as refusal:
            if refusal.code == "card_not_held":
                raise
            broken.append((place, duty))
        holding[seat] = 1 << card
    return broken


# Counts and the discard


class Found(StrEnum):
    """When a wrong number of cards is found."""

    BEFORE_PLAY = "before_play"  # after the bidding, before the first card
    IN_PLAY = "in_play"


def wrong_count(found: Found, *, hidden_by_dealer: bool = False) -> Ruling:
    """Rule on a wrong number of cards in the hands or the dog (CA p.4, 7).

    Before play the deal is void and who was at fault may not bid on the next; a dealer who hid
    his misdeal pays 500. Found during play it counts if the taker wins and is void if he loses.
    """
    if found is Found.IN_PLAY:
        return Ruling(standing=Standing.VOID_IF_LOST)
    penalty = HIDDEN_MISDEAL if hidden_by_dealer else 0
    return Ruling(standing=Standing.VOID, penalty=penalty, barred=True, same_dealer=True)


def false_discard(discard: CardSet, last_trick: Collection[Card], rules: Ruleset) -> Ruling:
    """Rule on a discard of the wrong size, found once play has begun (CA p.7).

    One too many: the last trick, a card short, and the dearest card of the discard go to the
    defence. One too few: the last trick goes to the taker, without petit au bout. Either way the
    deal is void if the taker wins and counts if he loses.
    """
    difference = discard.bit_count() - DOG_SIZES[rules.players]
    moved, to = card_set(last_trick), Side.ATTACK
    if difference > 0:
        dearest = max(cards_in(discard), key=lambda card: half_points(1 << card))
        moved, to = moved | 1 << dearest, Side.DEFENCE
    return Ruling(
        standing=Standing.VOID_IF_MADE,
        cards=moved if difference else 0,
        cards_to=to if difference else None,
        petit_au_bout_lost=difference < 0,
    )


def dog_seen(*, by_taker_too: bool = False) -> Ruling:
    """Rule on a dog that the defence saw in a granted garde sans or garde contre (CA p.7)."""
    standing = Standing.COUNTS if by_taker_too else Standing.VOID_IF_LOST
    return Ruling(standing=standing, penalty=USUAL, may_be_waived=True)


def hand_thrown_in() -> Ruling:
    """Rule on a hand thrown in by mistake after a bid: the defence is dealt again (CA p.7)."""
    return Ruling(standing=Standing.VOID_IF_LOST)


# Poignées


class PoigneeFault(StrEnum):
    """What was wrong with a poignée (CA p.8)."""

    PUT_RIGHT_IN_TIME = "put_right_in_time"  # disorder, incomplete but completed, or shown late
    INCOMPLETE = "incomplete"  # and cannot be completed
    TOO_MANY = "too_many"
    TOO_LATE = "too_late"  # after the own first card was covered
    EXCUSE_HIDES_A_TRUMP = "excuse_hides_a_trump"


def poignee_fault(fault: PoigneeFault, side: Side) -> Ruling:
    """Rule on a faulty poignée of a side (CA p.8)."""
    taker = side is Side.ATTACK
    if fault is PoigneeFault.PUT_RIGHT_IN_TIME:
        return Ruling(penalty=USUAL, warning_first=True)
    if fault is PoigneeFault.INCOMPLETE:
        standing = Standing.COUNTS if taker else Standing.VOID_IF_LOST
        return Ruling(standing=standing, poignee=PoigneeStanding.NOT_COUNTED)
    if fault is PoigneeFault.EXCUSE_HIDES_A_TRUMP:
        return Ruling(standing=_void_if_it_wins(side))
    if fault is PoigneeFault.TOO_LATE and taker:
        return Ruling(poignee=PoigneeStanding.COUNTS_IF_LOST)
    if fault is PoigneeFault.TOO_MANY and taker:
        return Ruling()
    return Ruling(standing=Standing.VOID_IF_LOST, poignee=PoigneeStanding.COUNTS_IF_MADE)


# The sheet and manners


class TableFault(StrEnum):
    """A fault that touches no card (CA p.4-8)."""

    SHEET_NOT_ZERO = "sheet_not_zero"
    SHEET_WITHOUT_NAMES = "sheet_without_names"
    SHEET_NOT_RETURNED = "sheet_not_returned"
    SLOWNESS = "slowness"  # deals are taken away first
    SLOWNESS_AGAIN = "slowness_again"
    HESITATION = "hesitation"
    SMOKING = "smoking"


TABLE_FAULTS = {
    TableFault.SHEET_NOT_ZERO: Ruling(penalty=USUAL),
    TableFault.SHEET_WITHOUT_NAMES: Ruling(penalty=USUAL),
    TableFault.SHEET_NOT_RETURNED: Ruling(penalty=SHEET_KEPT),
    TableFault.SLOWNESS: Ruling(standing=Standing.VOID, penalty=USUAL),
    TableFault.SLOWNESS_AGAIN: Ruling(standing=Standing.VOID, penalty=2 * USUAL),
    TableFault.HESITATION: Ruling(penalty=USUAL, warning_first=True),
    TableFault.SMOKING: Ruling(penalty=USUAL),
}
