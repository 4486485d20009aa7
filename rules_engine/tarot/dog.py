"""The dog, the discard and the call (RO p.6, 8, 12; seeds 000, 003)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rules_engine.errors import Illegal, gettext_noop
from rules_engine.tarot.cards import (
    BOUTS,
    EXCUSE_ALONE,
    JACKS,
    KINGS,
    KNIGHTS,
    PACK,
    QUEENS,
    TRUMPS,
    Card,
    CardSet,
    code_of,
)
from rules_engine.tarot.contracts import DOG_SIZES, Contract
from rules_engine.tarot.rulesets import Ruleset

#: What nobody may ever discard (RO p.6).
NEVER_DISCARDED: CardSet = KINGS | BOUTS
_PLAIN: CardSet = PACK & ~(KINGS | TRUMPS | EXCUSE_ALONE)
_TRUMPS: CardSet = TRUMPS & ~BOUTS


class Discardable(NamedTuple):  # made once a deal, in a fifth of the time of a frozen dataclass
    """What a taker may put aside: ``size`` cards, of them exactly ``trumps_owed`` trumps.

    ``plain`` are the suit cards below the king; when they do not suffice all of them go and the
    rest is made up from ``trumps``, which are shown to the defence (RO p.6).
    """

    size: int
    plain: CardSet
    trumps: CardSet
    trumps_owed: int


def discardable(hand: CardSet, rules: Ruleset) -> Discardable:
    """Say what may be discarded from a hand with the dog in it (30, 24 or 18 cards).

    Under ``discard_trumps="never"`` (seeds 000, 003) no trump may go; refuses the rare hand
    that then has too few other cards: the seeds give no way out but another deal.
    """
    size, plain = DOG_SIZES[rules.players], hand & _PLAIN
    owed = size - plain.bit_count()
    if owed <= 0:
        return Discardable(size, plain, 0, 0)
    if rules.discard_trumps == "never":
        raise Illegal(
            gettext_noop("Under these rules no trump is discarded, and nothing else is left."),
            code="no_discard_left",
            field="discard",
        )
    return Discardable(size, plain, hand & _TRUMPS, owed)


def check_discard(hand: CardSet, discard: CardSet, rules: Ruleset) -> CardSet:
    """Give the trumps of a legal discard, which are shown; refuses an illegal one (RO p.6).

    ``hand`` is the taker's with the dog in it.
    """
    may = discardable(hand, rules)
    if discard | hand != hand:
        _refuse("discard_not_held", gettext_noop("A card was discarded that the taker never had."))
    if discard.bit_count() != may.size:
        raise Illegal(
            gettext_noop("The discard is %(size)s cards, as many as the dog, not %(given)s."),
            code="discard_wrong_count",
            field="discard",
            size=may.size,
            given=discard.bit_count(),
        )
    if discard & KINGS:
        _refuse("king_discarded", gettext_noop("A king is never discarded."))
    if discard & BOUTS:
        _refuse("bout_discarded", gettext_noop("A bout is never discarded."))
    trumps = discard & TRUMPS
    if trumps.bit_count() > may.trumps_owed:
        raise Illegal(
            gettext_noop(
                "Trumps are discarded only when nothing else is left: here %(owed)s, not %(given)s."
            ),
            code="trump_discarded",
            field="discard",
            owed=may.trumps_owed,
            given=trumps.bit_count(),
        )
    return trumps


def _refuse(code: str, sentence: str) -> None:
    raise Illegal(sentence, code=code, field="discard")


def cards_aside(contract: Contract, *, dog: CardSet, discard: CardSet) -> CardSet:
    """Give what counts for the attack without being played (RO p.6, 8).

    The discard; in a garde sans the dog; in a garde contre nothing.
    """
    if contract.takes_dog:
        return discard
    return dog if contract is Contract.GARDE_SANS else 0


# The call at five players


def callable_cards(hand: CardSet, rules: Ruleset) -> CardSet:
    """Give the cards that a taker may call before the dog is turned up (RO p.12).

    Any king, his own too; with four kings also a queen, with four queens beside them a knight,
    with four knights as well a jack. Seed 000 (``king_or_queen``) stops at the queens.
    """
    callable_now = KINGS
    ranks = (QUEENS,) if rules.called_cards == "king_or_queen" else (QUEENS, KNIGHTS, JACKS)
    for lower in ranks:
        if hand & callable_now != callable_now:
            break
        callable_now |= lower
    return callable_now


def check_call(hand: CardSet, called: Card, rules: Ruleset) -> None:
    """Refuse a called card that this hand, still without the dog, does not allow."""
    if not callable_cards(hand, rules) >> called & 1:
        raise Illegal(
            gettext_noop(
                "%(card)s cannot be called: a king is called, a queen with four kings in hand,"
                " then a knight, then a jack."
            ),
            code="card_not_callable",
            field="called_card",
            card=code_of(called),
        )


def partner_of(hands: Sequence[CardSet], *, taker: int, called: Card) -> int | None:
    """Give the seat that holds the called card; None when it is the taker's or in the dog."""
    holder = next((seat for seat, hand in enumerate(hands) if hand >> called & 1), None)
    return None if holder == taker else holder
