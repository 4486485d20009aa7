"""What each seat may see of a hand, and what it may do (seed 002).

The special hand shows the partners' cards while it is decided; ferro shows nobody's, not even
one's own; a covered card stays hidden from all others for good.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rules_engine.truco.cards import Card
from rules_engine.truco.dealing import CARDS_IN_HAND, Cards
from rules_engine.truco.events import Answer
from rules_engine.truco.hand import Hand
from rules_engine.truco.outcomes import HandKind, Outcome, Score
from rules_engine.truco.position import Phase
from rules_engine.truco.questions import Asked, Question
from rules_engine.truco.rounds import Played
from rules_engine.truco.seats import Pair, pair_of, seats_of


@dataclass(frozen=True, slots=True, kw_only=True)
class HandView:
    """What one seat sees; ``seat`` is None for a spectator.

    ``hand`` is None where the seat may not look at its own cards. ``partners`` are the cards it
    may see beside its own. ``plays`` are all cards played in order, without the face of covered
    ones of others. ``asked`` and ``question_pair`` say what is to be answered, by whom and until
    when; ``votes`` are those of the seat's own pair.
    """

    seat: int | None
    phase: Phase
    kind: HandKind
    score: Score
    vira: Card | None
    hand: Cards | None
    partners: Mapping[int, Cards]
    cards_left: tuple[int, ...]
    plays: tuple[Played, ...]
    round_winners: tuple[Pair | None, ...]
    turn: int
    value: int
    asked: Asked | None
    question_pair: Pair | None
    asked_value: int | None
    deadline: float | None
    votes: Mapping[int, Answer]
    may_play: bool
    may_cover: bool
    may_call: bool
    may_raise: bool
    outcome: Outcome | None


def view(hand: Hand, seat: int | None) -> HandView:
    """Give what a seat may see of a hand; None for a spectator, who sees nobody's cards."""
    question = hand.question
    mine = seat is not None and question is not None and question.pair is pair_of(seat)
    players = range(hand.ruleset.players)
    played = [play.seat for play in hand.played()]
    on_turn = hand.phase is Phase.PLAYING and hand.turn == seat
    return HandView(
        seat=seat,
        phase=hand.phase,
        kind=hand.kind,
        score=hand.score,
        vira=hand.vira,
        hand=_own_cards(hand, seat),
        partners=_partners(hand, seat),
        cards_left=tuple(CARDS_IN_HAND - played.count(each) for each in players),
        plays=tuple(_seen_by(seat, play) for play in hand.played()),
        round_winners=hand.round_winners,
        turn=hand.turn,
        value=hand.value,
        asked=question.asked if question else None,
        question_pair=question.pair if question else None,
        asked_value=_asked_value(hand, question),
        deadline=question.deadline if question else None,
        votes=dict(question.votes) if mine and question else {},
        may_play=on_turn,
        may_cover=seat is not None and hand.may_cover(seat),
        may_call=seat is not None and hand.may_call(seat),
        may_raise=seat is not None and hand.may_raise(pair_of(seat)),
        outcome=hand.outcome,
    )


def _own_cards(hand: Hand, seat: int | None) -> Cards | None:
    blind = hand.kind is HandKind.IRON and hand.ruleset.iron == "blind"
    return None if seat is None or blind else hand.held_by(seat)


def _partners(hand: Hand, seat: int | None) -> Mapping[int, Cards]:
    if seat is None or not _shows_partners(hand, pair_of(seat)):
        return {}
    partners = [each for each in seats_of(pair_of(seat), hand.ruleset.players) if each != seat]
    return {each: cards for each in partners if (cards := hand.held_by(each)) is not None}


def _shows_partners(hand: Hand, pair: Pair) -> bool:
    question = hand.question
    if question is not None and question.pair is pair:
        return question.asked is Asked.SPECIAL_HAND or hand.ruleset.reply_shows_partner
    decided = hand.kind is HandKind.SPECIAL and not hand.is_over
    near = hand.score[pair] >= hand.ruleset.special_at
    return decided and near and hand.ruleset.special_partner_cards == "all_hand"


def _seen_by(seat: int | None, play: Played) -> Played:
    return Played(play.seat, None, covered=True) if play.covered and play.seat != seat else play


def _asked_value(hand: Hand, question: Question | None) -> int | None:
    if question is None or question.asked is not Asked.CALL:
        return None
    return hand.ruleset.ladder[question.level]
