"""A table of truco in sentences: ``play(hand, "A1 3P, B1 KC, A2 calls, B accepts @4")``."""

from __future__ import annotations

import re

import pytest

from rules_engine import truco
from rules_engine.errors import Illegal
from rules_engine.truco import Answer, Pair

PAULISTA = truco.ruleset("paulista")
SEATS = {
    f"{pair}{number}": seat
    for seat, (number, pair) in enumerate((number, pair) for number in (1, 2, 3) for pair in "AB")
}
VOTES = {"yes": Answer.ACCEPT, "no": Answer.RUN, "up": Answer.RAISE}
ANSWERS = {
    "accepts": Answer.ACCEPT,
    "plays": Answer.ACCEPT,
    "raises": Answer.RAISE,
    "runs": Answer.RUN,
    "declines": Answer.RUN,
}


def a_hand(
    *, score=(0, 0), vira="7O", dealer="B2", hands=None, rules=PAULISTA, at=0.0, **changes
) -> truco.Hand:
    """A hand as the rows set it up: B2 deals, so A1 plays first; the cards are unknown."""
    if changes:
        rules = truco.Ruleset.from_json(rules.to_json() | changes)
    return truco.Hand(
        ruleset=rules,
        dealer=SEATS[dealer],
        vira=card(vira) if vira else None,
        hands=hands and tuple(cards(each) for each in hands),
        score=score,
        at=at,
    )


def card(code: str) -> int:
    return truco.card_from(code)


def cards(codes: str) -> tuple[int, ...]:
    return tuple(card(code) for code in codes.split())


def event(phrase: str) -> truco.Event:
    """Read one phrase: ``A1 3P``, ``A1 #3P``, ``A1 ##``, ``B1 calls 3``, ``A runs``, ``A1 yes``."""
    who, verb, *rest = phrase.split()
    value = int(rest[0]) if rest else None
    if verb in ANSWERS:
        return truco.Reply(pair=Pair[who], answer=ANSWERS[verb], value=value)
    seat = SEATS[who]
    if verb in VOTES:
        return truco.Vote(seat=seat, answer=VOTES[verb])
    if verb == "calls":
        return truco.Call(seat=seat, value=value)
    if verb in {"drops", "returns"}:
        return (truco.Dropped if verb == "drops" else truco.Returned)(seat=seat)
    covered, bare = verb.startswith("#"), verb.removeprefix("#")
    return truco.PlayCard(
        seat=seat, card=None if bare in {"#", "??"} else card(bare), covered=covered
    )


def play(table: truco.Hand | truco.Match, phrases: str) -> None:
    """Let everything happen that the phrases say; ``@`` gives the second."""
    for phrase in re.split(r"[,/]", phrases):
        said, _, at = phrase.partition("@")
        table.take(event(said), at=float(at) if at else None)


def refusal(table: truco.Hand | truco.Match, phrase: str) -> str:
    """Give the code with which the last of the phrases is refused."""
    *before, last = re.split(r"[,/]", phrase)
    for each in before:
        play(table, each)
    said, _, at = last.partition("@")
    with pytest.raises(Illegal) as refused:
        table.take(event(said), at=float(at) if at else None)
    assert refused.value.message
    return refused.value.code


#: Rounds that one pair wins, or that tie, when A1 leads; for whoever leads the cards go round.
ROUND_CARDS = {
    "A": {"A": ("3P", "2P", "AP"), "B": ("4E", "4C", "6C")},
    "B": {"A": ("4E", "4C", "6C"), "B": ("3P", "2P", "AP")},
    "=": {"A": ("KP", "JP", "6P"), "B": ("KE", "JE", "6E")},
}
LOW = {"A": ("5P", "5E", "5C"), "B": ("4O", "5O", "6O")}


def play_rounds(hand: truco.Hand, winners: str) -> None:
    """Play rounds that these pairs win (``=``: tied), from wherever the hand stands."""
    for winner in winners:
        number = len(hand.rounds)
        shown = {pair: ROUND_CARDS[winner][pair][number] for pair in "AB"}
        for _ in range(hand.ruleset.players):
            seat = hand.turn
            pair = truco.pair_of(seat).name
            code = shown.pop(pair, None) or LOW[pair][number]
            hand.take(truco.PlayCard(seat=seat, card=card(code)))


def result(hand: truco.Hand) -> tuple[str | None, int]:
    """Give who scored and how much."""
    assert hand.outcome is not None
    winner = hand.outcome.winner
    return (None if winner is None else winner.name), hand.outcome.points


def after(hand: truco.Hand) -> tuple[int, int]:
    """Give the score after the hand."""
    assert hand.outcome is not None
    return truco.added(hand.ruleset, hand.score, hand.outcome.winner, hand.outcome.points)
