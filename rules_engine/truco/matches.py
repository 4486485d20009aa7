"""A match: hand after hand to the target, without a cap; and the best of several (seed 002).

Scores are never stored: they are added up from the hands, so that taking the last one back is
enough to undo it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from rules_engine.errors import Illegal, gettext_noop
from rules_engine.truco.cards import Card
from rules_engine.truco.connections import Connections
from rules_engine.truco.dealing import Cards, DealtCards
from rules_engine.truco.events import Dropped, Event, Returned
from rules_engine.truco.guards import check_seat
from rules_engine.truco.hand import Hand
from rules_engine.truco.outcomes import (
    Ending,
    HandKind,
    Score,
    added,
    check_final_score,
    kind_at,
    leader_at,
    possible_points,
)
from rules_engine.truco.rulesets import Ruleset
from rules_engine.truco.seats import Pair, next_seat


class MatchState(StrEnum):
    """Where a match stands."""

    WAITING = "waiting"  # no hand was dealt yet
    PLAYING = "playing"
    FINISHED = "finished"
    CANCELLED = "cancelled"  # a lost connection: nobody gets points
    WALKOVER = "walkover"


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line of the score sheet: a hand, or a tento that the referee gave.

    ``winner`` is None when nobody scored; ``tento`` is the pair that was punished.
    """

    dealer: int
    winner: Pair | None
    points: int
    tento: Pair | None = None


class Match:
    """A match in play; ``start`` is the score it begins with, as for games from 11 to 11."""

    def __init__(self, *, ruleset: Ruleset, first_dealer: int, start: Score = (0, 0)) -> None:
        check_seat(ruleset, first_dealer)
        self.ruleset = ruleset
        self.first_dealer = first_dealer
        self.start = start
        self.lines: list[Line] = []
        self.hand: Hand | None = None
        self.connections = Connections(keep_seconds=ruleset.disconnect_seconds)
        self.walked_over: Pair | None = None
        self.is_cancelled = False
        self.now: float = 0

    @property
    def score(self) -> Score:
        """The running score: raw points, unless the house caps them."""
        score = self.start
        for line in self.lines:
            score = added(self.ruleset, score, line.winner, line.points)
        return score

    @property
    def dealer(self) -> int:
        """Who deals the hand in play, or the next one; the mão of one hand deals the next."""
        return (self.first_dealer + len(self.lines)) % self.ruleset.players

    @property
    def first(self) -> int:
        """Who is mão in the hand in play, or the next one."""
        return next_seat(self.dealer, self.ruleset.players)

    @property
    def kind(self) -> HandKind:
        """The kind of the hand in play, or the next one."""
        return kind_at(self.ruleset, self.score)

    @property
    def winner(self) -> Pair | None:
        """The pair that has won; None while nobody has, and in a cancelled match."""
        if self.is_cancelled:
            return None
        return self.walked_over if self.walked_over is not None else self._ahead()

    def _ahead(self) -> Pair | None:
        return leader_at(self.ruleset, self.score)

    @property
    def state(self) -> MatchState:
        """Where the match stands."""
        if self.is_cancelled:
            return MatchState.CANCELLED
        if self.walked_over is not None:
            return MatchState.WALKOVER
        if self._ahead() is not None:
            return MatchState.FINISHED
        return MatchState.PLAYING if self.lines or self.hand else MatchState.WAITING

    def possible_points(self, winner: Pair | None) -> tuple[int, ...]:
        """Give all that a pair can get from the next hand, lowest first."""
        return possible_points(self.ruleset, self.score, winner)

    # Hands that are played here.

    def begin_hand(self, cards: DealtCards, *, at: float | None = None) -> Hand:
        """Begin the next hand with the cards dealt; refuses another dealer than the one due."""
        if cards.dealer != self.dealer:
            raise wrong_dealer(field="dealer")
        return self._begin(cards.vira, cards.hands, at)

    def _begin(self, vira: Card | None, hands: tuple[Cards, ...], at: float | None) -> Hand:
        if at is not None:
            self.tick(at)
        self._check_free()
        self.hand = Hand(
            ruleset=self.ruleset,
            dealer=self.dealer,
            vira=vira,
            hands=hands,
            score=self.score,
            at=self.now,
            connections=self.connections,
        )
        self._enter_result()
        return self.hand

    def take(self, event: Event, *, at: float | None = None) -> None:
        """Let something happen in the hand in play, or to a connection between two hands."""
        if at is not None:
            self.tick(at)
        self._check_open()
        if self.hand is not None:
            self.hand.take(event)
            self._enter_result()
        elif isinstance(event, Dropped):
            check_seat(self.ruleset, event.seat)
            self.connections.drop(event.seat, self.now)
        elif isinstance(event, Returned):
            check_seat(self.ruleset, event.seat)
            self.connections.restore(event.seat)
        else:
            raise Illegal(gettext_noop("No hand is being played."), code="no_hand")

    def tick(self, at: float) -> None:
        """Let time pass: questions are run from, and a seat kept too long cancels the match."""
        if self.hand is not None:
            self.hand.tick(at)
            self._enter_result()
        self._pass_time(at)

    def _pass_time(self, at: float) -> None:
        if at < self.now:
            raise Illegal(gettext_noop("The clock only goes forward."), code="clock_goes_back")
        lost = self.connections.deadline
        if lost is not None and lost <= at and self.winner is None:
            self.is_cancelled = True
        self.now = at

    def _enter_result(self) -> None:
        if self.hand is None or self.hand.outcome is None:
            return
        outcome = self.hand.outcome
        self.hand = None
        if outcome.ending is Ending.CANCELLED:
            self.is_cancelled = True
        else:
            self._add(outcome.winner, outcome.points)

    # Hands that were played at a table, where only the result is told.

    def record(self, winner: Pair | None, points: int) -> None:
        """Enter the result of a hand; refuses points that no hand at this score can give."""
        self._check_free()
        if points not in self.possible_points(winner):
            raise Illegal(
                gettext_noop("The hand played at %(a)s to %(b)s cannot be worth %(points)s."),
                code="impossible_points",
                field="points",
                a=self.score[Pair.A],
                b=self.score[Pair.B],
                points=points,
            )
        self._add(winner, points)

    def give_tento(self, punished: Pair, *, points: int | None = None) -> None:
        """Enter a referee's tento: points for the other pair, and the deal passes.

        It ends the hand in play, and may end the match. Without ``points`` it is what a hand
        without a call is worth.
        """
        self._check_open()
        points = self.ruleset.ladder[0] if points is None else points
        if not 0 < points <= self.ruleset.target:
            raise Illegal(
                gettext_noop("A tento gives from 1 to %(most)s points."),
                code="impossible_tento",
                field="points",
                most=self.ruleset.target,
            )
        self.hand = None
        self._add(punished.other, points, tento=punished)

    def take_back(self) -> Line:
        """Take the last line back; refuses an empty sheet and a hand in play."""
        if self.hand is not None or not self.lines:
            raise Illegal(gettext_noop("There is nothing to take back."), code="nothing_to_undo")
        return self.lines.pop()

    def walk_over(self, winner: Pair) -> None:
        """Give the match to a pair without playing on; only a tournament does."""
        self._check_open()
        self.hand = None
        self.walked_over = winner

    def _add(self, winner: Pair | None, points: int, *, tento: Pair | None = None) -> None:
        self.lines.append(
            Line(dealer=self.dealer, winner=winner, points=points, tento=tento),
        )

    def _check_free(self) -> None:
        self._check_open()
        if self.hand is not None:
            raise Illegal(gettext_noop("A hand is still being played."), code="hand_in_play")

    def _check_open(self) -> None:
        if self.is_cancelled:
            raise Illegal(gettext_noop("The match was cancelled."), code="match_cancelled")
        if self.winner is not None:
            raise Illegal(gettext_noop("The match is over."), code="match_over")


def wrong_dealer(*, field: str) -> Illegal:
    """Give the refusal of a dealer out of order."""
    return Illegal(
        gettext_noop("The deal passes to the next player: another one deals this hand."),
        code="wrong_dealer",
        field=field,
    )


#: How many games a meeting of two pairs may go to (tournaments: best of 1, 3, 5, 7).
BEST_OF = (1, 3, 5, 7)


@dataclass(frozen=True, slots=True, kw_only=True)
class BestOf:
    """A meeting of two pairs over the best of several games, each with its final score.

    Refuses at construction a number of games that is not odd and small, a final score that no
    game can have, and games after the meeting was decided.
    """

    ruleset: Ruleset
    games: int = 3
    scores: tuple[Score, ...] = ()

    def __post_init__(self) -> None:
        if self.games not in BEST_OF:
            raise Illegal(
                gettext_noop("A meeting is the best of 1, 3, 5 or 7 games."),
                code="impossible_best_of",
                field="games",
            )
        for place, score in enumerate(self.scores):
            check_final_score(self.ruleset, score)
            if max(self._won(self.scores[:place])) >= self.needed:
                raise Illegal(
                    gettext_noop("The meeting was decided before this game."),
                    code="meeting_decided",
                    field="scores",
                )

    @property
    def needed(self) -> int:
        """How many games decide the meeting."""
        return self.games // 2 + 1

    @property
    def won(self) -> Score:
        """How many games each pair has won."""
        return self._won(self.scores)

    @property
    def winner(self) -> Pair | None:
        """The pair that has won the meeting; None while it goes on."""
        return next((pair for pair in Pair if self.won[pair] >= self.needed), None)

    def _won(self, scores: tuple[Score, ...]) -> Score:
        winners = [leader_at(self.ruleset, score) for score in scores]
        return winners.count(Pair.A), winners.count(Pair.B)
