"""What the rules forbid during a hand, each refused with a code and a sentence.

No guard changes anything, and no refusal costs a point (seed 002, "Não há penalidades").
"""

from __future__ import annotations

from rules_engine.errors import Illegal, gettext_noop
from rules_engine.truco.cards import code_of
from rules_engine.truco.events import Answer, Call, PlayCard
from rules_engine.truco.outcomes import HandKind
from rules_engine.truco.position import Phase, Position, card_is_vira, duplicate_card
from rules_engine.truco.questions import Asked, Question
from rules_engine.truco.rulesets import Ruleset
from rules_engine.truco.seats import Pair, pair_of, seat_name


def check_open(hand: Position) -> None:
    """Refuse anything after the end of the hand."""
    if hand.is_over:
        raise Illegal(gettext_noop("The hand is over."), code="hand_over")


def check_seat(rules: Ruleset, seat: int, *, field: str = "seat") -> None:
    """Refuse a seat that the table has not."""
    if not 0 <= seat < rules.players:
        raise Illegal(gettext_noop("There is no such seat."), code="seat_not_there", field=field)


def check_turn(hand: Position, seat: int) -> None:
    """Refuse to play while something else is waited for, and out of turn."""
    check_nothing_pending(hand)
    if seat != hand.turn:
        raise Illegal(
            gettext_noop("%(seat)s is not on turn: it is the turn of %(turn)s."),
            code="not_your_turn",
            field="seat",
            seat=seat_name(seat),
            turn=seat_name(hand.turn),
        )


def check_nothing_pending(hand: Position) -> None:
    """Refuse cards and calls while a call, the special hand or a round's result is open."""
    check_open(hand)
    if hand.phase in PENDING:
        sentence, code = PENDING[hand.phase]
        raise Illegal(sentence, code=code)


PENDING = {
    Phase.ASKED: (
        gettext_noop("A call is unanswered: accept, raise or run comes first."),
        "call_pending",
    ),
    Phase.DECIDING: (
        gettext_noop("Whether this hand is played must be decided first."),
        "decision_pending",
    ),
    Phase.NOTING: (
        gettext_noop("A card of this round was not noted: say first who won the round."),
        "round_not_noted",
    ),
}


def check_card(hand: Position, play: PlayCard) -> None:
    """Refuse a card that the seat may not play now."""
    check_turn(hand, play.seat)
    if play.card is not None:
        _check_held(hand, play.seat, play.card)
    if play.covered:
        check_cover(hand, play.seat)
    if _must_show_highest(hand):
        _check_highest(hand, play)


def _check_held(hand: Position, seat: int, card: int) -> None:
    if card == hand.vira:
        raise card_is_vira(card, "card")
    if any(play.card == card for play in hand.played()):
        raise duplicate_card(card, "card")
    dealt = hand.dealt[seat]
    elsewhere = any(card in (cards or ()) for at, cards in enumerate(hand.dealt) if at != seat)
    if elsewhere or (dealt is not None and card not in dealt):
        raise Illegal(
            gettext_noop("%(card)s is not in the hand of %(seat)s."),
            code="card_not_in_hand",
            field="card",
            card=code_of(card),
            seat=seat_name(seat),
        )


def check_cover(hand: Position, seat: int) -> None:
    """Refuse a covered card: in the first round, in ferro, and beyond the house's limit."""
    rules, number = hand.ruleset, len(hand.rounds) + 1
    if hand.kind is HandKind.IRON:
        raise Illegal(
            gettext_noop("In the mão de ferro the card turns up as it falls: nobody covers."),
            code="cover_in_iron",
        )
    if not rules.cover_from_round:
        raise Illegal(gettext_noop("At this table nobody covers a card."), code="cover_not_played")
    if number < rules.cover_from_round:
        raise Illegal(
            gettext_noop("A card may be covered from round %(first)s on."),
            code="cover_in_first_round",
            first=rules.cover_from_round,
        )
    covered = sum(play.covered and pair_of(play.seat) == pair_of(seat) for play in hand.table)
    if rules.cover_limit_per_pair and covered >= rules.cover_limit_per_pair:
        raise Illegal(
            gettext_noop("The pair has covered as many cards as a round allows."),
            code="cover_limit",
        )


def _must_show_highest(hand: Position) -> bool:
    first_was_tied = len(hand.rounds) == 1 and hand.rounds[0].won_by is None
    return hand.ruleset.show_highest_after_first_tie and first_was_tied


def _check_highest(hand: Position, play: PlayCard) -> None:
    held = hand.held_by(play.seat)
    lower = (
        held is not None
        and play.card is not None
        and hand.strength[play.card] < max(hand.strength[card] for card in held)
    )
    if play.covered or lower:
        raise Illegal(
            gettext_noop("After a tied first round everybody shows the highest card."),
            code="show_your_highest",
            field="card",
        )


def check_call(hand: Position, call: Call) -> None:
    """Refuse a call that the seat may not make now."""
    check_nothing_pending(hand)
    if hand.kind is not HandKind.NORMAL:
        raise _no_truco(hand)
    if hand.level == hand.ruleset.top_level:
        raise _max_reached(hand)
    if hand.ruleset.call_when == "own_turn":
        check_turn(hand, call.seat)
    if hand.raise_right not in (None, pair_of(call.seat)):
        raise Illegal(
            gettext_noop("Only the pair that accepted the last bet may raise."),
            code="raise_not_yours",
            field="seat",
        )
    _check_step(hand, hand.level + 1, call.value)


def _check_step(hand: Position, level: int, value: int | None) -> None:
    if value is not None and value != hand.ruleset.ladder[level]:
        raise Illegal(
            gettext_noop("The next call is for %(next)s, not for %(value)s."),
            code="wrong_step",
            field="value",
            next=hand.ruleset.ladder[level],
            value=value,
        )


def _no_truco(hand: Position) -> Illegal:
    if hand.kind is HandKind.IRON:
        return Illegal(
            gettext_noop("In the mão de ferro nobody may call truco."), code="no_truco_in_iron"
        )
    return Illegal(
        gettext_noop("In the hand of %(points)s nobody may call truco."),
        code="no_truco_in_eleven",
        points=hand.ruleset.special_at,
    )


def _max_reached(hand: Position) -> Illegal:
    return Illegal(
        gettext_noop("After %(value)s nobody can raise."),
        code="max_reached",
        value=hand.ruleset.ladder[-1],
    )


def check_answer(hand: Position, pair: Pair, answer: Answer, value: int | None = None) -> None:
    """Refuse an answer that the pair may not give now."""
    question = open_question(hand)
    if pair is not question.pair:
        raise _not_yours(question.asked, question.pair)
    if answer is not Answer.RAISE:
        return
    if question.asked is Asked.SPECIAL_HAND:
        raise _no_truco(hand)
    if question.level == hand.ruleset.top_level:
        raise _max_reached(hand)
    if not hand.ruleset.raise_in_reply:
        raise Illegal(
            gettext_noop("At this table a call is accepted or run from, not raised in reply."),
            code="no_raise_in_reply",
        )
    _check_step(hand, question.level + 1, value)


def open_question(hand: Position) -> Question:
    """Give what is to be answered; refuses where nothing is."""
    check_open(hand)
    if hand.question is None:
        raise Illegal(gettext_noop("There is nothing to answer."), code="nothing_to_answer")
    return hand.question


def _not_yours(asked: Asked, pair: Pair) -> Illegal:
    if asked is Asked.CALL:
        return Illegal(
            gettext_noop("The call is answered by pair %(pair)s."),
            code="not_your_reply",
            field="seat",
            pair=pair.name,
        )
    return Illegal(
        gettext_noop("Pair %(pair)s decides whether this hand is played."),
        code="not_your_decision",
        field="seat",
        pair=pair.name,
    )
