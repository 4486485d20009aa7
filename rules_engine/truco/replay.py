"""Reads one hand that was played, as JSON, and plays it again (cases and ``truco-play``).

``{"players", "vira", "first", "score_before", "hands", "events"}``, with an optional ``ruleset``:
the name of a preset, or a whole ruleset. Hands are lists of card codes by seat, null where nobody
noted them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rules_engine.errors import Illegal, Unreadable, gettext_noop
from rules_engine.reading import LARGEST_NUMBER, Fields
from rules_engine.truco.cards import Card, card_from
from rules_engine.truco.dealing import CARDS_IN_HAND, Cards
from rules_engine.truco.events import Recorded, event_from
from rules_engine.truco.guards import check_seat
from rules_engine.truco.hand import Hand
from rules_engine.truco.outcomes import Score
from rules_engine.truco.position import Phase
from rules_engine.truco.presets import ruleset
from rules_engine.truco.rulesets import Ruleset
from rules_engine.truco.seats import Pair, seat_before

#: More than any hand has: 18 cards, as many covered or noted rounds, the calls and their answers.
MOST_EVENTS = 64
#: What a hand may carry beside what is read here.
REMARKS = ("id", "number", "plays", "raises", "expected", "note")


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """What is known before the first event of a hand; ``hands`` None: no cards were noted."""

    ruleset: Ruleset
    vira: Card | None
    first: int
    score: Score
    hands: tuple[Cards | None, ...] | None

    def hand(self) -> Hand:
        """Begin the hand; refuses cards, seats and scores that cannot be."""
        check_seat(self.ruleset, self.first, field="first")
        return Hand(
            ruleset=self.ruleset,
            dealer=seat_before(self.first, self.ruleset.players),
            vira=self.vira,
            hands=self.hands,
            score=self.score,
        )


def start_from(fields: Fields, *, default: Ruleset) -> Start:
    """Read what is known before the first event."""
    rules = _rules(fields, default)
    vira = fields.take("vira")
    return Start(
        ruleset=rules,
        vira=None if vira is None else card_from(vira, field=fields.name_of("vira")),
        first=fields.whole("first"),
        score=score_from(fields, "score_before"),
        hands=_hands(fields, rules.players),
    )


def _rules(fields: Fields, default: Ruleset) -> Ruleset:
    players = fields.whole("players")
    if not fields.has("ruleset"):
        fields.drop("ruleset")
        return default.for_players(players)
    given = fields.take("ruleset")
    if isinstance(given, Mapping):
        return Ruleset.from_json(given).for_players(players)
    if not isinstance(given, str):
        raise Unreadable(
            gettext_noop("“%(name)s” must be a text."),
            code="not_a_text",
            field=fields.name_of("ruleset"),
            name="ruleset",
        )
    return ruleset(given).for_players(players)


def score_from(fields: Fields, name: str) -> Score:
    """Read a score: two whole numbers, pair A's first."""
    points = fields.items(name, at_most=2)
    numbers = [
        each
        for each in points
        if isinstance(each, int) and not isinstance(each, bool) and abs(each) <= LARGEST_NUMBER
    ]
    if len(points) != len(Pair) or len(numbers) != len(Pair):
        raise Unreadable(
            gettext_noop("“%(name)s” must be two whole numbers, those of pair A and pair B."),
            code="not_a_score",
            field=fields.name_of(name),
            name=name,
        )
    return numbers[Pair.A], numbers[Pair.B]


def _hands(fields: Fields, players: int) -> tuple[Cards | None, ...] | None:
    given = fields.take("hands")
    if given is None:
        return None
    seats = Fields(given, path=fields.name_of("hands"))
    hands = tuple(_hand(seats, str(seat)) for seat in range(players))
    seats.close()
    return hands


def _hand(seats: Fields, seat: str) -> Cards | None:
    if not seats.has(seat):
        seats.take(seat)
        return None
    codes = seats.items(seat, at_most=CARDS_IN_HAND)
    return tuple(card_from(code, field=seats.name_of(seat)) for code in codes)


def read_event(hand: Hand, text: object, *, field: str) -> Recorded:
    """Read the short form of the next event of a hand."""
    return event_from(
        text,
        players=hand.ruleset.players,
        asked=hand.phase is Phase.ASKED,
        deciding=hand.phase is Phase.DECIDING,
        field=field,
    )


def play_again(value: object, *, default: Ruleset) -> dict[str, object]:
    """Play a hand as far as its events are legal; give rounds, winner, points, and the refusal.

    ``leaders`` are the seats that lead after each round, also after the last one.
    What follows the end of the hand, or a refused event, is read and not played. ``refused`` is
    the event that the rules forbid, or null.
    """
    fields = Fields(value)
    fields.drop(*REMARKS)
    hand = start_from(fields, default=default).hand()
    texts = fields.items("events", at_most=MOST_EVENTS)
    fields.close()
    refused: object = None
    for place, text in enumerate(texts):
        try:
            event = read_event(hand, text, field=f"events[{place}]")
            if refused is None and not hand.is_over:
                hand.take(event)
        except Illegal:
            refused = text if refused is None and not hand.is_over else refused
    return _answer(hand, refused)


def _answer(hand: Hand, refused: object) -> dict[str, object]:
    outcome = hand.outcome
    winner = None
    if outcome is not None:
        winner = "tie" if outcome.winner is None else outcome.winner.name
    return {
        "round_winners": ["T" if pair is None else pair.name for pair in hand.round_winners],
        "leaders": [each.next_leader for each in hand.rounds],
        "hand_winner": winner,
        "points": 0 if outcome is None else outcome.points,
        "refused": refused,
    }
