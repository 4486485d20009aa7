"""One hand as a state machine: it takes events and refuses what the rules forbid.

A refused event changes nothing and costs nobody a point. Time is passed in with the events, in
seconds of any clock that only goes forward; nothing here waits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rules_engine.errors import Illegal, RulesError, gettext_noop
from rules_engine.truco.cards import Card
from rules_engine.truco.connections import Connections
from rules_engine.truco.dealing import Cards
from rules_engine.truco.events import (
    Answer,
    Call,
    Dropped,
    Event,
    Noted,
    PlayBlind,
    PlayCard,
    Reply,
    Returned,
    Vote,
)
from rules_engine.truco.guards import (
    check_answer,
    check_call,
    check_card,
    check_cover,
    check_open,
    check_seat,
    check_turn,
    open_question,
)
from rules_engine.truco.outcomes import Ending, HandKind, Outcome, Score, deciding_pair
from rules_engine.truco.position import Phase, Position
from rules_engine.truco.questions import Asked, Question, agreement
from rules_engine.truco.rounds import (
    Played,
    Round,
    could_win,
    hand_winner,
    is_decided,
    noted_round,
    resolve,
)
from rules_engine.truco.rulesets import Ruleset
from rules_engine.truco.seats import Pair, pair_of, seats_of


class Hand(Position):
    """A hand in play.

    ``hands`` are the cards dealt by seat in the order dealt; None, or None for a seat, where
    nobody noted them. ``score`` is the score before the hand. ``connections`` is shared by the
    hands of one match; ``at`` is when the hand begins.
    """

    def __init__(
        self,
        *,
        ruleset: Ruleset,
        dealer: int,
        vira: Card | None,
        hands: Sequence[Cards | None] | None = None,
        score: Score = (0, 0),
        at: float = 0,
        connections: Connections | None = None,
    ) -> None:
        super().__init__(ruleset=ruleset, dealer=dealer, vira=vira, hands=hands, score=score)
        self.now = at
        self.connections = connections or Connections(keep_seconds=ruleset.disconnect_seconds)
        decides = deciding_pair(ruleset, score)
        if decides is not None:
            self._ask(Asked.SPECIAL_HAND, decides)

    def take(self, event: Event, *, at: float | None = None) -> None:
        """Let an event happen, at a time of the clock; refuses what the rules forbid.

        First the time passes, which may end the hand. Without ``at`` no time passes.
        """
        if at is not None:
            self.tick(at)
        match event:
            case PlayCard():
                self._play(event)
            case PlayBlind():
                self._play_blind(event)
            case Call():
                self._call(event)
            case Reply():
                check_answer(self, event.pair, event.answer, event.value)
                self._settle(open_question(self), event.answer, by_clock=event.by_clock)
            case Vote():
                self._vote(event)
            case Noted():
                self._note(event)
            case Dropped():
                self._drop(event.seat)
            case Returned():
                check_seat(self.ruleset, event.seat)
                self.connections.restore(event.seat)

    def tick(self, at: float) -> None:
        """Let time pass: an unanswered question is run from, a seat kept too long cancels."""
        if at < self.now:
            raise Illegal(gettext_noop("The clock only goes forward."), code="clock_goes_back")
        lost = self.connections.deadline
        asked = self.question
        if asked is not None and asked.deadline <= at and (lost is None or asked.deadline < lost):
            self.now = asked.deadline
            self._settle(asked, Answer.RUN, by_clock=True)
        if lost is not None and lost <= at and not self.is_over:
            self.now = lost
            self._end(None, 0, Ending.CANCELLED)
        self.now = at

    def may_call(self, seat: int) -> bool:
        """May a seat ask for the next step now?"""
        return self._allows(lambda: check_call(self, Call(seat=seat)))

    def may_cover(self, seat: int) -> bool:
        """May a seat cover the card that it plays now?"""
        return self._allows(lambda: check_turn(self, seat)) and self._allows(
            lambda: check_cover(self, seat)
        )

    def may_raise(self, pair: Pair) -> bool:
        """May a pair answer a call by raising now?"""
        return self._allows(lambda: check_answer(self, pair, Answer.RAISE))

    @staticmethod
    def _allows(check: Callable[[], None]) -> bool:
        try:
            check()
        except RulesError:
            return False
        return True

    # Cards.

    def _play(self, play: PlayCard) -> None:
        check_seat(self.ruleset, play.seat)
        self.connections.check(play.seat)
        check_card(self, play)
        self.recorded.append(play)
        self.table.append(Played(play.seat, play.card, play.covered))
        if len(self.table) == self.ruleset.players and not any(p.is_unknown for p in self.table):
            self._close(resolve(self.ruleset, self.strength, self.table))

    def _play_blind(self, play: PlayBlind) -> None:
        check_seat(self.ruleset, play.seat)
        check_turn(self, play.seat)
        held = self.held_by(play.seat) or ()
        if not 0 <= play.place < len(held):
            raise Illegal(
                gettext_noop("There is no card at this place of the hand."),
                code="place_not_there",
                field="place",
            )
        self._play(PlayCard(seat=play.seat, card=held[play.place]))

    def _note(self, noted: Noted) -> None:
        check_open(self)
        if self.phase is not Phase.NOTING:
            raise Illegal(
                gettext_noop("The cards themselves say who wins this round."),
                code="nothing_to_note",
            )
        if not could_win(self.strength, self.table, noted.won_by):
            raise Illegal(
                gettext_noop("With the cards that were noted, this round cannot end so."),
                code="wrong_round_winner",
            )
        self.recorded.append(noted)
        self._close(noted_round(self.table, noted.won_by))

    def _close(self, complete: Round) -> None:
        self.rounds.append(complete)
        self.table = []
        self.leader = complete.next_leader
        if not is_decided(self.round_winners):
            return
        winner = hand_winner(self.round_winners)
        if winner is None:
            winner = self._winner_of_three_ties()
        ending = Ending.ALL_TIED if not any(r.winner is not None for r in self.rounds) else None
        self._end(winner, self.value, ending or Ending.ROUNDS)

    def _winner_of_three_ties(self) -> Pair | None:
        rules = self.ruleset
        if self.kind is HandKind.IRON and rules.iron_all_tied == "replay":
            return None
        if rules.all_tied == "opener":
            return pair_of(self.first)
        # Whoever accepted last has the right to raise: the last caller is the other pair.
        return self.raise_right if rules.all_tied == "caller_loses" else None

    # Calls and answers.

    def _call(self, call: Call) -> None:
        check_seat(self.ruleset, call.seat)
        self.connections.check(call.seat)
        forfeits = self.ruleset.special_call == "forfeit" and self.kind is not HandKind.NORMAL
        if forfeits and self.phase is Phase.PLAYING:
            self.recorded.append(Call(seat=call.seat))
            other = pair_of(call.seat).other
            self._end(other, self.ruleset.target - self.score[other], Ending.FORFEIT)
            return
        check_call(self, call)
        self.recorded.append(Call(seat=call.seat))
        self._ask(Asked.CALL, pair_of(call.seat).other, level=self.level + 1)

    def _vote(self, vote: Vote) -> None:
        check_seat(self.ruleset, vote.seat)
        self.connections.check(vote.seat)
        check_answer(self, pair_of(vote.seat), vote.answer)
        self._count(open_question(self), vote.seat, vote.answer)

    def _drop(self, seat: int) -> None:
        check_seat(self.ruleset, seat)
        self.connections.drop(seat, self.now)
        if self.question is not None and self.question.pair is pair_of(seat):
            self._count(self.question, seat, Answer.RUN)

    def _ask(self, asked: Asked, pair: Pair, *, level: int = 0) -> None:
        deadline = self.now + self.ruleset.reply_seconds
        question = Question(asked=asked, pair=pair, level=level, deadline=deadline)
        self.question = question
        # A seat without a connection votes no, also on what is put while it is away.
        for seat in seats_of(pair, self.ruleset.players):
            if self.question is question and seat in self.connections.away:
                self._count(question, seat, Answer.RUN)

    def _count(self, question: Question, seat: int, answer: Answer) -> None:
        # Taken out first, so that the votes lie in the order in which they were given.
        question.votes.pop(seat, None)
        question.votes[seat] = answer
        agreed = agreement(self.ruleset, question.pair, question.votes)
        if agreed is not None:
            self._settle(question, agreed)

    def _settle(self, question: Question, answer: Answer, *, by_clock: bool = False) -> None:
        self.question = None
        self.recorded.append(Reply(pair=question.pair, answer=answer, by_clock=by_clock))
        if answer is Answer.RUN:
            self._run(question, by_clock=by_clock)
        elif question.asked is Asked.CALL:
            self.level = question.level
            self.raise_right = question.pair
            if answer is Answer.RAISE:
                self._ask(Asked.CALL, question.pair.other, level=question.level + 1)

    def _run(self, question: Question, *, by_clock: bool) -> None:
        winner = question.pair.other
        if question.asked is Asked.CALL:
            # What the hand was worth before the call that is run from.
            self._end(winner, self.value, Ending.RAN, by_clock=by_clock)
        else:
            points = self.ruleset.special_decline
            self._end(winner, points, Ending.DECLINED, by_clock=by_clock)

    def _end(
        self, winner: Pair | None, points: int, ending: Ending, *, by_clock: bool = False
    ) -> None:
        self.question = None
        scored = 0 if winner is None else points
        self.outcome = Outcome(winner=winner, points=scored, ending=ending, by_clock=by_clock)
