"""Where a hand stands: cards, turn, value, the open question; what can be asked of it."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from rules_engine.errors import Illegal, gettext_noop
from rules_engine.truco.cards import PACK, Card, code_of
from rules_engine.truco.dealing import CARDS_IN_HAND, Cards
from rules_engine.truco.events import Recorded
from rules_engine.truco.order import strengths
from rules_engine.truco.outcomes import Outcome, Score, kind_at, leader_at, value_of
from rules_engine.truco.questions import Asked, Question
from rules_engine.truco.rounds import Played, Round
from rules_engine.truco.rulesets import Ruleset
from rules_engine.truco.seats import Pair, next_seat, seat_name


class Phase(StrEnum):
    """What a hand waits for."""

    DECIDING = "deciding"  # the special hand is played or declined
    PLAYING = "playing"
    ASKED = "asked"  # a call is unanswered
    NOTING = "noting"  # who won a round whose cards were not all noted
    OVER = "over"


class Position:
    """The state of one hand.

    ``dealt`` are the cards by seat, None where nobody noted them; ``score`` is the score before
    the hand and says its kind. ``level`` counts the accepted calls, and only the pair with
    ``raise_right`` may go on (None: anybody). ``recorded`` are the accepted events as a record
    keeps them: a pair's answer instead of its votes.
    """

    def __init__(
        self,
        *,
        ruleset: Ruleset,
        dealer: int,
        vira: Card | None,
        hands: Sequence[Cards | None] | None = None,
        score: Score = (0, 0),
    ) -> None:
        self.ruleset = ruleset
        self.dealer = dealer
        self.vira = vira
        self.dealt = (None,) * ruleset.players if hands is None else tuple(hands)
        self.score = score
        check_deal(self)
        self.kind = kind_at(ruleset, score)
        self.strength = strengths(vira)
        self.level = 0
        self.raise_right: Pair | None = None
        self.question: Question | None = None
        self.leader = self.first
        self.table: list[Played] = []
        self.rounds: list[Round] = []
        self.outcome: Outcome | None = None
        self.recorded: list[Recorded] = []

    @property
    def phase(self) -> Phase:
        """What the hand waits for."""
        if self.outcome is not None:
            return Phase.OVER
        if self.question is not None:
            return Phase.ASKED if self.question.asked is Asked.CALL else Phase.DECIDING
        return Phase.NOTING if len(self.table) == self.ruleset.players else Phase.PLAYING

    @property
    def is_over(self) -> bool:
        """Has the hand ended?"""
        return self.outcome is not None

    @property
    def first(self) -> int:
        """The seat that is mão: it plays first."""
        return next_seat(self.dealer, self.ruleset.players)

    @property
    def turn(self) -> int:
        """The seat on turn; it stays while a call is answered."""
        return (self.leader + len(self.table)) % self.ruleset.players

    @property
    def value(self) -> int:
        """What the hand is worth now, in points."""
        return value_of(self.ruleset, self.kind, self.level)

    @property
    def round_winners(self) -> tuple[Pair | None, ...]:
        """The winners of the complete rounds, None for tied ones."""
        return tuple(each.winner for each in self.rounds)

    def played(self) -> list[Played]:
        """Give every card played, in order."""
        return [play for each in self.rounds for play in each.plays] + self.table

    def held_by(self, seat: int) -> Cards | None:
        """Give the cards that a seat still holds, in the order dealt; None when unknown."""
        dealt = self.dealt[seat]
        if dealt is None:
            return None
        gone = {play.card for play in self.played() if play.seat == seat}
        return tuple(card for card in dealt if card not in gone)


def check_deal(deal: Position) -> None:
    """Refuse seats, scores and cards with which no hand can begin."""
    rules = deal.ruleset
    if not 0 <= deal.dealer < rules.players:
        raise Illegal(gettext_noop("There is no such seat."), code="seat_not_there", field="first")
    if min(deal.score) < 0:
        raise Illegal(
            gettext_noop("Nobody has fewer than no points."),
            code="score_below_nothing",
            field="score_before",
        )
    if leader_at(rules, deal.score) is not None:
        raise match_is_over(rules)
    _check_vira(deal)
    _check_hands(deal)


def _check_vira(deal: Position) -> None:
    if deal.ruleset.has_vira is (deal.vira is None):
        sentence, code = (
            (gettext_noop("A hand needs a vira: it says what the manilhas are."), "vira_missing")
            if deal.vira is None
            else (gettext_noop("With fixed manilhas no vira is turned."), "vira_not_played")
        )
        raise Illegal(sentence, code=code, field="vira")


def _check_hands(deal: Position) -> None:
    if len(deal.dealt) != deal.ruleset.players:
        raise Illegal(
            gettext_noop("There must be a hand for each of the %(players)s seats."),
            code="hands_do_not_fit",
            field="hands",
            players=deal.ruleset.players,
        )
    left = set(PACK)
    for seat, hand in enumerate(deal.dealt):
        if hand is not None and len(hand) != CARDS_IN_HAND:
            raise Illegal(
                gettext_noop("%(seat)s must be dealt three cards."),
                code="hand_size",
                field="hands",
                seat=seat_name(seat),
            )
        for card in hand or ():
            if card == deal.vira:
                raise card_is_vira(card, "hands")
            if card not in left:
                raise duplicate_card(card, "hands")
            left.remove(card)


def match_is_over(rules: Ruleset) -> Illegal:
    """Give the refusal of a hand after the end of the match."""
    return Illegal(
        gettext_noop("The match is over: a pair has %(target)s points."),
        code="match_over",
        field="score_before",
        target=rules.target,
    )


def card_is_vira(card: Card, field: str) -> Illegal:
    """Give the refusal of the vira in somebody's hand."""
    return Illegal(
        gettext_noop("%(card)s is the vira, which belongs to nobody."),
        code="card_is_vira",
        field=field,
        card=code_of(card),
    )


def duplicate_card(card: Card, field: str) -> Illegal:
    """Give the refusal of a card that comes twice."""
    return Illegal(
        gettext_noop("%(card)s is there twice, and the pack holds it once."),
        code="duplicate_card",
        field=field,
        card=code_of(card),
    )
