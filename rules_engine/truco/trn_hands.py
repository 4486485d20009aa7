"""Builds the hands of a truco record from what was written, playing them on the way."""

from __future__ import annotations

import re

from rules_engine.errors import Illegal, Unreadable, gettext_noop
from rules_engine.reading import echo
from rules_engine.truco.cards import Card, card_typed
from rules_engine.truco.dealing import CARDS_IN_HAND, Cards
from rules_engine.truco.events import Answer, Call, Noted, PlayCard, Reply
from rules_engine.truco.guards import check_nothing_pending, open_question
from rules_engine.truco.hand import Hand
from rules_engine.truco.matches import wrong_dealer
from rules_engine.truco.outcomes import (
    HandKind,
    Score,
    deciding_pair,
    kind_at,
    leader_at,
)
from rules_engine.truco.position import Phase, match_is_over
from rules_engine.truco.records import (
    Calls,
    NotedHand,
    PlayedHand,
    Tento,
    another_kind,
    check_noted,
    check_tento,
    unfinished,
    wrong_score,
)
from rules_engine.truco.replay import Start
from rules_engine.truco.rulesets import Ruleset
from rules_engine.truco.seats import Pair, next_seat, seat_name
from rules_engine.truco.trn_lines import Written, misplaced
from rules_engine.truco.trn_tokens import Token

_SPECIAL = re.compile(r"M([0-9]+)([AB])([+-])(~?)")
_CALL = re.compile(r"([AB][123])?((?:![0-9]+)+)(\+|-~?)?")


def read_tento(written: Written, rules: Ruleset, score: Score) -> Tento:
    """Read ``PEN A tento => B+1 4-3``; refuses anything else."""
    said = [token.text.upper() for token in written.words]
    extra = written.body or set(written.once) - {"arrow", "result", "score"}
    if extra or said not in (["PEN", pair.name, "TENTO"] for pair in Pair):
        raise misplaced(written.words[0])
    if leader_at(rules, score) is not None:
        raise match_is_over(rules)
    punished = Pair[said[1]]
    winner, points = _result(written)
    if winner is not punished.other:
        raise wrong_points()
    tento = Tento(
        number=written.number, score=score, punished=punished, points=points, note=written.note
    )
    check_tento(rules, tento)
    _check_score(written, tento.score_after(rules))
    return tento


def read_hand(
    written: Written, rules: Ruleset, *, score: Score, dealer: int | None
) -> PlayedHand | NotedHand:
    """Read a hand with its cards, or only its result; refuses what cannot be."""
    dealer = _dealer(written, rules, dealer)
    if written.said("iron") is not None and kind_at(rules, score) is not HandKind.IRON:
        raise another_kind()
    told = {"vira", "deal"} & set(written.once)
    if told or any(token.kind != "call" for token in written.body):
        return _played(written, rules, score=score, dealer=dealer)
    return _noted(written, rules, score=score, dealer=dealer)


def _dealer(written: Written, rules: Ruleset, due: int | None) -> int:
    given = written.said("seat")
    if given is None:
        if due is None:
            raise Unreadable(gettext_noop("Say who deals this hand."), code="dealer_missing")
        return due
    dealer = seat_from(given, rules)
    if due not in (None, dealer):
        raise wrong_dealer(field="")
    return dealer


def seat_from(name: str, rules: Ruleset) -> int:
    """Read the name of a seat; refuses one that the table has not."""
    names = [seat_name(seat) for seat in range(rules.players)]
    if name.upper() not in names:
        raise Illegal(gettext_noop("There is no such seat."), code="seat_not_there")
    return names.index(name.upper())


# Hands of which only the result was noted.


def _noted(written: Written, rules: Ruleset, *, score: Score, dealer: int) -> NotedHand:
    if leader_at(rules, score) is not None:
        raise match_is_over(rules)
    winner, points = _result(written)
    decision, by_clock = _decision(written, rules, score)
    hand = NotedHand(
        number=written.number,
        dealer=dealer,
        score=score,
        winner=winner,
        points=points,
        decision=decision,
        decided_by_clock=by_clock,
        calls=tuple(_calls(token) for token in written.body),
        note=written.note,
    )
    check_noted(rules, hand)
    _check_score(written, hand.score_after(rules))
    return hand


def _decision(written: Written, rules: Ruleset, score: Score) -> tuple[Answer | None, bool]:
    found = _SPECIAL.fullmatch(written.said("special") or "")
    if found is None:
        return None, False
    pair = deciding_pair(rules, score)
    if pair is None or pair.name != found[2] or int(found[1]) != rules.special_at:
        raise another_kind()
    if found[3] == "+" and found[4]:
        raise misplaced(written.once["special"])
    return (Answer.ACCEPT if found[3] == "+" else Answer.RUN), bool(found[4])


def _calls(token: Token) -> Calls:
    found = _CALL.fullmatch(token.text.upper())
    if found is None or found[1] or not found[3]:
        raise misplaced(token)
    return Calls(values=_values(found), accepted=found[3] == "+", by_clock=found[3].endswith("~"))


def _values(found: re.Match[str]) -> tuple[int, ...]:
    return tuple(int(value) for value in found[2][1:].split("!"))


# Hands with their cards.


def _played(written: Written, rules: Ruleset, *, score: Score, dealer: int) -> PlayedHand:
    vira = written.said("vira")
    start = Start(
        ruleset=rules,
        vira=None if vira is None else card_typed(vira[1:]),
        first=next_seat(dealer, rules.players),
        score=score,
        hands=_dealt(written, rules),
    )
    hand = start.hand()
    decision, by_clock = _decision(written, rules, score)
    decides = deciding_pair(rules, score)
    if decision is not None and decides is not None:
        hand.take(Reply(pair=decides, answer=decision, by_clock=by_clock))
    for place, token in enumerate(written.body):
        _take(hand, token, written.body[place - 1].kind if place else "")
    _check_outcome(written, hand)
    line = PlayedHand(
        number=written.number, start=start, events=tuple(hand.recorded), note=written.note
    )
    _check_score(written, line.score_after(rules))
    return line


def _dealt(written: Written, rules: Ruleset) -> tuple[Cards | None, ...] | None:
    token = written.once.get("deal")
    if token is None:
        return None
    hands: dict[int, Cards | None] = {}
    for each in token.text[1:-1].split():
        name, _, codes = each.partition(":")
        seat = seat_from(name, rules)
        if seat in hands:
            raise misplaced(token)
        hands[seat] = _cards(codes, name)
    return tuple(hands.get(seat) for seat in range(rules.players))


def _cards(codes: str, seat: str) -> Cards | None:
    given = codes.split(".")
    unknown = [code for code in given if code.strip("?") == ""]
    if len(unknown) == CARDS_IN_HAND == len(given):
        return None
    if unknown or len(given) != CARDS_IN_HAND:
        raise Unreadable(
            gettext_noop("The three cards of %(seat)s are noted all or not at all."),
            code="hand_partly_noted",
            seat=echo(seat),
        )
    return tuple(card_typed(code) for code in given)


def _take(hand: Hand, token: Token, before: str) -> None:
    text = token.text.upper()
    match token.kind:
        case "leader":
            _check_leader(hand, text[:-1])
        case "play":
            hand.take(_card(hand, text))
        case "call":
            _take_calls(hand, token)
        case _:
            _take_mark(hand, token, text[1:], repeated=before == "mark")


def _check_leader(hand: Hand, name: str) -> None:
    check_nothing_pending(hand)
    if hand.table or seat_from(name, hand.ruleset) != hand.leader:
        raise Illegal(
            gettext_noop("%(seat)s does not lead here; it is for %(leader)s to lead."),
            code="wrong_leader",
            seat=name,
            leader=seat_name(hand.leader),
        )


def _card(hand: Hand, text: str) -> PlayCard:
    covered = text.startswith("#")
    bare = text.removeprefix("#")
    known: Card | None = None if bare in {"#", "??"} else card_typed(bare)
    return PlayCard(seat=hand.turn, card=known, covered=covered)


def _take_calls(hand: Hand, token: Token) -> None:
    found = _CALL.fullmatch(token.text.upper())
    if found is None:
        raise misplaced(token)
    first, *raises = _values(found)
    caller = hand.turn if found[1] is None else seat_from(found[1], hand.ruleset)
    hand.take(Call(seat=caller, value=first))
    for value in raises:
        hand.take(Reply(pair=open_question(hand).pair, answer=Answer.RAISE, value=value))
    if found[3]:
        answer = Answer.ACCEPT if found[3] == "+" else Answer.RUN
        by_clock = found[3].endswith("~")
        hand.take(Reply(pair=open_question(hand).pair, answer=answer, by_clock=by_clock))


def _take_mark(hand: Hand, token: Token, name: str, *, repeated: bool) -> None:
    told = seat_from(name, hand.ruleset) if name else None
    if hand.phase is Phase.NOTING:
        hand.take(Noted(won_by=told))
        return
    if repeated or hand.table or not hand.rounds:
        raise misplaced(token)
    if hand.rounds[-1].won_by != told:
        raise Illegal(
            gettext_noop("The cards of this round give another winner than the one marked."),
            code="wrong_round_winner",
        )


# What is said at the end of a line.


def _result(written: Written) -> tuple[Pair | None, int]:
    said = written.said("result")
    if said is None:
        raise Unreadable(gettext_noop("Say who scored: => A+1, or => 0."), code="result_missing")
    if said == "0":
        return None, 0
    return Pair[said[0]], int(said[2:])


def _check_outcome(written: Written, hand: Hand) -> None:
    if "result" not in written.once:
        return
    if hand.outcome is None:
        raise unfinished()
    if (hand.outcome.winner, hand.outcome.points) != _result(written):
        raise wrong_points()


def wrong_points() -> Illegal:
    """Give the refusal of points that do not follow from the hand."""
    return Illegal(
        gettext_noop("The points are not those that this hand gives."), code="wrong_points"
    )


def _told(written: Written) -> Score | None:
    said = written.said("score")
    if said is None:
        return None
    first, _, second = said.replace("–", "-").partition("-")
    return int(first), int(second)


def score_told(written: Written) -> Score | None:
    """Give the score before a line as its own end tells it; None where it does not."""
    after = _told(written)
    if after is None or "result" not in written.once:
        return after
    winner, points = _result(written)
    before = [after[Pair.A], after[Pair.B]]
    if winner is not None:
        before[winner] -= points
    return before[Pair.A], before[Pair.B]


def _check_score(written: Written, score: Score) -> None:
    told = _told(written)
    if told not in (None, score):
        raise wrong_score(score)
