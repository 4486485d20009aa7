"""The federation's faults in free deals, as a referee picks them from a list (CA p.4-8).

What a fault does to the deal comes from the rules of the game; here are its name and its
amounts in order. Points are whole points, taken from the offender alone and kept outside the
sheets, which go on summing to zero. A warning turns into the penalty the second time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rules_engine import tarot
from rules_engine.errors import Illegal, gettext_noop

rules = tarot.irregularities
type Consequence = tarot.irregularities.Ruling


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """A fault: its code and sentence, what it does to the deal, and its amounts in order.

    ``consequence.standing`` says whether the deal counts, is void, or is void only if made or
    lost. ``amounts`` are the points for the first time, the second, ...; 0 is a warning, the
    last goes on, and none at all costs nothing. With ``referee_decides`` the referee may give
    another amount, up to exclusion; ``consequence.may_be_waived`` says that he may give none.
    """

    code: str
    sentence: str
    consequence: Consequence
    amounts: tuple[int, ...] = ()
    deals_removed: bool = False
    referee_decides: bool = False

    @property
    def warning_first(self) -> bool:
        """Whether the first time costs no points."""
        return self.amounts[:1] == (0,)


@dataclass(frozen=True, slots=True, kw_only=True)
class Penalty:
    """What a fault costs this time: whole points to take off, or a warning, or nothing."""

    points: int
    is_warning: bool = False


def penalty_for(fault: Fault, previous: int = 0) -> Penalty:
    """The penalty for a fault that the offender has committed ``previous`` times before.

    Refuses a negative count.
    """
    if previous < 0:
        raise Illegal(
            gettext_noop("Nobody has committed a fault %(previous)s times."),
            code="previous_faults",
            field="previous",
            previous=previous,
        )
    if not fault.amounts:
        return Penalty(points=0)
    points = fault.amounts[min(previous, len(fault.amounts) - 1)]
    return Penalty(points=points, is_warning=points == 0)


def fault_from_code(code: str) -> Fault:
    """The fault with a code; refuses one that is not in the list."""
    if code not in FAULTS:
        raise Illegal(
            gettext_noop("There is no fault called %(fault)s."),
            code="unknown_fault",
            field="fault",
            fault=code,
        )
    return FAULTS[code]


def _fault(code: str, sentence: str, consequence: Consequence | None = None) -> Fault:
    """A fault whose amounts are those of its consequence."""
    follows = consequence or rules.Ruling()
    amounts: tuple[int, ...] = ()
    if follows.penalty:
        amounts = (0, follows.penalty) if follows.warning_first else (follows.penalty,)
    return Fault(code=code, sentence=sentence, consequence=follows, amounts=amounts)


def _misdeals() -> Iterable[Fault]:
    before, during = rules.Found.BEFORE_PLAY, rules.Found.IN_PLAY
    yield _fault(
        "hidden_misdeal",
        gettext_noop("The dealer hides that he has dealt wrongly; found before play."),
        rules.wrong_count(before, hidden_by_dealer=True),
    )
    yield _fault(
        "wrong_count_before_play",
        gettext_noop("Two players have a wrong number of cards; found before play."),
        rules.wrong_count(before),
    )
    yield _fault(
        "wrong_count_in_play",
        gettext_noop("A wrong number of cards is found during play."),
        rules.wrong_count(during),
    )
    yield _fault(
        "wrong_count_of_a_defender",
        gettext_noop("A defender has a wrong number of cards; found late, the deal is finished."),
        rules.wrong_count(during),
    )


def _cards_shown_or_played() -> Iterable[Fault]:
    attack, defence = tarot.Side.ATTACK, tarot.Side.DEFENCE
    yield _fault(
        "exposed_card_of_the_taker",
        gettext_noop("The taker shows a card: it goes back to his hand."),
        rules.exposed_card(attack),
    )
    yield _fault(
        "exposed_card_of_a_defender",
        gettext_noop("A defender shows a card: it goes back to his hand."),
        rules.exposed_card(defence),
    )
    yield _fault(
        "important_card_of_the_taker",
        gettext_noop("The taker shows an important card."),
        rules.exposed_card(attack, important=True),
    )
    yield _fault(
        "important_card_of_a_defender",
        gettext_noop("A defender shows an important card."),
        rules.exposed_card(defence, important=True),
    )
    yield _fault(
        "lead_out_of_turn",
        gettext_noop("A defender leads out of turn: the taker chooses what follows."),
        rules.lead_out_of_turn(),
    )
    yield _fault(
        "revoke_of_the_taker",
        gettext_noop("The taker revokes, and the first card of the next trick is played."),
        rules.revoke(attack, consumed=True),
    )
    yield _fault(
        "revoke_of_a_defender",
        gettext_noop("A defender revokes, and the first card of the next trick is played."),
        rules.revoke(defence, consumed=True),
    )
    yield _fault(
        "last_cards_laid_down",
        gettext_noop(
            "Somebody lays his last cards down wrongly: the rest is played in the way worst "
            "for him."
        ),
    )


def _discard_and_dog() -> Iterable[Fault]:
    void_if_made = rules.Ruling(standing=rules.Standing.VOID_IF_MADE)
    yield _fault(
        "discard_too_large",
        gettext_noop(
            "The discard has a card too many: the last trick and the dearest card of the "
            "discard go to the defence."
        ),
        void_if_made,
    )
    yield _fault(
        "discard_too_small",
        gettext_noop(
            "The discard lacks a card: the last trick goes to the taker, without petit au bout."
        ),
        rules.Ruling(standing=rules.Standing.VOID_IF_MADE, petit_au_bout_lost=True),
    )
    yield _fault(
        "dog_seen",
        gettext_noop("The defence sees the dog of a garde sans or garde contre."),
        rules.dog_seen(),
    )
    yield _fault(
        "dog_seen_by_taker_too",
        gettext_noop("The defence and the taker see the dog of a garde sans or garde contre."),
        rules.dog_seen(by_taker_too=True),
    )
    yield _fault(
        "hand_thrown_in",
        gettext_noop("A hand is thrown in by mistake after a bid: the defence is dealt again."),
        rules.hand_thrown_in(),
    )


def _poignees() -> Iterable[Fault]:
    attack, defence = tarot.Side.ATTACK, tarot.Side.DEFENCE
    kind, rule = rules.PoigneeFault, rules.poignee_fault
    yield _fault(
        "poignee_put_right",
        gettext_noop("A poignée in disorder, incomplete or late is put right in time."),
        rule(kind.PUT_RIGHT_IN_TIME, attack),
    )
    yield _fault(
        "poignee_incomplete_of_the_taker",
        gettext_noop("The taker's poignée is incomplete and cannot be completed."),
        rule(kind.INCOMPLETE, attack),
    )
    yield _fault(
        "poignee_incomplete_of_a_defender",
        gettext_noop("A defender's poignée is incomplete and cannot be completed."),
        rule(kind.INCOMPLETE, defence),
    )
    yield _fault(
        "poignee_too_many_of_the_taker",
        gettext_noop("The taker shows too many trumps in his poignée."),
        rule(kind.TOO_MANY, attack),
    )
    yield _fault(
        "poignee_too_many_of_a_defender",
        gettext_noop("A defender shows too many trumps in his poignée."),
        rule(kind.TOO_MANY, defence),
    )
    yield _fault(
        "poignee_too_late_of_the_taker",
        gettext_noop("The taker shows his poignée too late."),
        rule(kind.TOO_LATE, attack),
    )
    yield _fault(
        "poignee_too_late_of_a_defender",
        gettext_noop("A defender shows his poignée too late."),
        rule(kind.TOO_LATE, defence),
    )
    yield _fault(
        "poignee_hides_a_trump_of_the_taker",
        gettext_noop("The taker shows the Excuse in his poignée and hides a trump."),
        rule(kind.EXCUSE_HIDES_A_TRUMP, attack),
    )
    yield _fault(
        "poignee_hides_a_trump_of_a_defender",
        gettext_noop("A defender shows the Excuse in his poignée and hides a trump."),
        rule(kind.EXCUSE_HIDES_A_TRUMP, defence),
    )


def _others() -> Iterable[Fault]:
    attack, defence = tarot.Side.ATTACK, tarot.Side.DEFENCE
    yield _fault(
        "not_rectifiable_of_the_taker",
        gettext_noop("Another fault of the taker that cannot be put right."),
        rules.not_rectifiable(attack),
    )
    yield _fault(
        "not_rectifiable_of_a_defender",
        gettext_noop("Another fault of a defender that cannot be put right."),
        rules.not_rectifiable(defence),
    )


def _sheet_and_manners() -> Iterable[Fault]:
    kind, follows = rules.TableFault, rules.TABLE_FAULTS
    yield _fault(
        "sheet_not_zero",
        gettext_noop("The sheet does not sum to zero."),
        follows[kind.SHEET_NOT_ZERO],
    )
    yield _fault(
        "sheet_without_names",
        gettext_noop("The sheet lacks the number of the table, names or numbers."),
        follows[kind.SHEET_WITHOUT_NAMES],
    )
    yield _fault(
        "sheet_not_returned",
        gettext_noop("The sheet is not returned to the control."),
        follows[kind.SHEET_NOT_RETURNED],
    )
    slow, again = follows[kind.SLOWNESS], follows[kind.SLOWNESS_AGAIN]
    yield Fault(
        code="slowness",
        sentence=gettext_noop("Excessive slowness: deals are removed."),
        consequence=slow,
        amounts=(slow.penalty, again.penalty),
        deals_removed=True,
    )
    yield _fault(
        "hesitation", gettext_noop("Hesitating without a reason."), follows[kind.HESITATION]
    )
    yield _fault(
        "touching_cards",
        gettext_noop("Touching the cards during the deal."),
        follows[kind.HESITATION],
    )
    yield _fault("smoking", gettext_noop("Smoking at the table."), follows[kind.SMOKING])
    yield Fault(
        code="ethics",
        sentence=gettext_noop("A breach of ethics: from a warning to exclusion."),
        consequence=rules.Ruling(),
        amounts=(0,),
        referee_decides=True,
    )


#: Every fault by its code, in the order of a referee's list.
FAULTS: Mapping[str, Fault] = {
    fault.code: fault
    for faults in (
        _cards_shown_or_played(),
        _misdeals(),
        _discard_and_dog(),
        _poignees(),
        _others(),
        _sheet_and_manners(),
    )
    for fault in faults
}
