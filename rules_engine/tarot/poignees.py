"""Handfuls of trumps, held against the hand that shows them (RO p.7, 11, 12)."""

from __future__ import annotations

from dataclasses import dataclass

from rules_engine.errors import Illegal, gettext_noop
from rules_engine.tarot.cards import EXCUSE_ALONE, KINGS, TRUMPS, CardSet
from rules_engine.tarot.contracts import PoigneeSize
from rules_engine.tarot.rulesets import Ruleset

#: What may be shown in a poignée: trumps, and the Excuse in place of one.
SHOWABLE: CardSet = TRUMPS | EXCUSE_ALONE


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownPoignee:
    """A poignée as it was shown: by which seat, how large, and the cards when they were noted."""

    seat: int
    size: PoigneeSize
    cards: CardSet = 0


def trumps_for(size: PoigneeSize, rules: Ruleset) -> int:
    """Give how many trumps a poignée of this size shows at this table."""
    return rules.trumps_in_poignee[tuple(PoigneeSize).index(size)]


def largest_poignee(hand: CardSet, rules: Ruleset) -> PoigneeSize | None:
    """Give the largest poignée that a hand could show; None when it has too few trumps."""
    held = (hand & SHOWABLE).bit_count()
    simple, double, triple = rules.trumps_in_poignee
    if held < simple:
        return None
    if held < double:
        return PoigneeSize.SIMPLE
    return PoigneeSize.DOUBLE if held < triple else PoigneeSize.TRIPLE


def check_poignee(
    shown: ShownPoignee, *, hand: CardSet, rules: Ruleset, discarded_trumps: CardSet = 0
) -> None:
    """Refuse a poignée that this hand cannot show before its first card.

    ``discarded_trumps`` are those that the taker had to discard and has shown: with the four
    kings they are shown again in a triple poignée, which then counts (RO p.7).
    """
    may_show = hand & SHOWABLE
    if shown.size is PoigneeSize.TRIPLE and hand & KINGS == KINGS:
        may_show |= discarded_trumps
    needed = trumps_for(shown.size, rules)
    if may_show.bit_count() < needed:
        raise Illegal(
            gettext_noop("A %(size)s is %(needed)s trumps here; the hand holds %(held)s."),
            code="poignee_too_few_trumps",
            field="poignees",
            size=shown.size,
            needed=needed,
            held=may_show.bit_count(),
        )
    if shown.cards:
        _check_cards(shown, may_show, needed)


def _check_cards(shown: ShownPoignee, may_show: CardSet, needed: int) -> None:
    if shown.cards & ~may_show:
        raise Illegal(
            gettext_noop("A poignée shows trumps of the hand, and the Excuse in place of one."),
            code="poignee_cards_not_held",
            field="poignees",
        )
    if shown.cards.bit_count() != needed:
        raise Illegal(
            gettext_noop("A %(size)s shows exactly %(needed)s cards here, not %(shown)s."),
            code="poignee_wrong_count",
            field="poignees",
            size=shown.size,
            needed=needed,
            shown=shown.cards.bit_count(),
        )
    if shown.cards & EXCUSE_ALONE and shown.cards != may_show:
        raise Illegal(
            gettext_noop("Who shows the Excuse in a poignée says that no other trump is hidden."),
            code="poignee_hides_a_trump",
            field="poignees",
        )
