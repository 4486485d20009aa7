"""What can happen during a hand, as values, and their short text form.

The text form is the one of the records (``p:0:4C``): ``p`` a card, ``f`` a covered card, ``r`` a
call or a raise, ``a`` accepts, ``q`` runs, ``ya`` and ``yq`` play or decline the special hand,
``qt`` and ``yqt`` the same because time ran out, ``m`` the seat that won a round whose cards were
not noted (``m:=`` tied).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from rules_engine.errors import Illegal, Unreadable, gettext_noop
from rules_engine.reading import echo
from rules_engine.truco.cards import Card, card_from, code_of
from rules_engine.truco.seats import Pair, pair_of


class Answer(StrEnum):
    """What a pair, or one of its votes, says to a call or to its special hand.

    In the special hand to accept is to play it, and to run is to decline it.
    """

    ACCEPT = "accept"
    RAISE = "raise"
    RUN = "run"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayCard:
    """A seat plays a card; ``card`` is None in records of hands where nobody noted it."""

    seat: int
    card: Card | None
    covered: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayBlind:
    """A seat plays one of its cards by its place, from 0, without having seen it."""

    seat: int
    place: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A seat asks for the next step; ``value`` says for which, where it was said."""

    seat: int
    value: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What a pair answers when its votes are not recorded; ``by_clock`` when time ran out."""

    pair: Pair
    answer: Answer
    value: int | None = None
    by_clock: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Vote:
    """One partner's vote; it may change until the pair has answered."""

    seat: int
    answer: Answer


@dataclass(frozen=True, slots=True, kw_only=True)
class Dropped:
    """A seat lost its connection."""

    seat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Returned:
    """A seat is back."""

    seat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Noted:
    """Who won a round in which an open card was not noted; None: it was tied."""

    won_by: int | None


Event = PlayCard | PlayBlind | Call | Reply | Vote | Dropped | Returned | Noted
#: The events that a record holds: no votes, no connections.
Recorded = PlayCard | Call | Reply | Noted

_SHAPE = re.compile(
    r"(?P<kind>[pf]):(?P<player>[0-5]):(?P<card>\S{2})"
    r"|(?P<said>r|a|q|qt|ya|yq|yqt):(?P<seat>[0-5])"
    r"|m:(?P<noted>[0-5]|=)"
)
_UNKNOWN = {"p": "??", "f": "##"}
_SAID = {
    "a": (Answer.ACCEPT, False),
    "q": (Answer.RUN, False),
    "qt": (Answer.RUN, True),
    "ya": (Answer.ACCEPT, False),
    "yq": (Answer.RUN, False),
    "yqt": (Answer.RUN, True),
}


def event_from(
    text: object, *, players: int, asked: bool, deciding: bool, field: str = ""
) -> Recorded:
    """Read the short form of an event.

    ``asked`` says that a call is unanswered, which makes of a call the raise in reply;
    ``deciding`` that the special hand is undecided, to which alone ``ya`` and ``yq`` answer.
    """
    shape = _SHAPE.fullmatch(text) if isinstance(text, str) else None
    if shape is None or _beyond(shape, players):
        raise Unreadable(
            gettext_noop(
                "“%(given)s” is not an event of a hand: write p:0:4C, f:0:4C, r:0 or a:1."
            ),
            code="unknown_event",
            field=field,
            given=echo(text),
        )
    if kind := shape["kind"]:
        card = None if shape["card"] == _UNKNOWN[kind] else card_from(shape["card"], field=field)
        return PlayCard(seat=int(shape["player"]), card=card, covered=kind == "f")
    if noted := shape["noted"]:
        return Noted(won_by=None if noted == "=" else int(noted))
    return _said(shape["said"], int(shape["seat"]), asked=asked, deciding=deciding, field=field)


def _beyond(shape: re.Match[str], players: int) -> bool:
    named = (shape["player"], shape["seat"], shape["noted"])
    return any(seat is not None and seat != "=" and int(seat) >= players for seat in named)


def _said(said: str, seat: int, *, asked: bool, deciding: bool, field: str) -> Call | Reply:
    if said == "r":
        return Reply(pair=pair_of(seat), answer=Answer.RAISE) if asked else Call(seat=seat)
    if said.startswith("y") is not deciding:
        raise Illegal(
            gettext_noop("“%(given)s” answers a question that has not been put."),
            code="nothing_to_answer",
            field=field,
            given=said,
        )
    answer, by_clock = _SAID[said]
    return Reply(pair=pair_of(seat), answer=answer, by_clock=by_clock)


def event_text(event: Recorded, *, deciding: bool = False) -> str:
    """Write the short form of an event; a pair's answer is written at its first seat."""
    if isinstance(event, PlayCard):
        kind = "f" if event.covered else "p"
        card = _UNKNOWN[kind] if event.card is None else code_of(event.card)
        return f"{kind}:{event.seat}:{card}"
    if isinstance(event, Call):
        return f"r:{event.seat}"
    if isinstance(event, Noted):
        return f"m:{'=' if event.won_by is None else event.won_by}"
    return f"{_reply_text(event, deciding=deciding)}:{int(event.pair)}"


def _reply_text(event: Reply, *, deciding: bool) -> str:
    if event.answer is Answer.RAISE:
        return "r"
    said = "a" if event.answer is Answer.ACCEPT else "q"
    return f"{'y' if deciding else ''}{said}{'t' if event.by_clock else ''}"
