"""The paper sheet of a truco table (súmula): sides, games, hands and signatures, as values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.models import TrucoLine
from scoring.rules import names_at_table
from scoring.rules.truco import (
    KIND,
    ImpossibleLine,
    Meeting,
    Told,
    blank_meeting,
    first_dealer_of,
    meeting_of,
)
from tournaments.models import Ruling, Table

#: Rows of a blank game: hands worth one to eleven all, and the last one.
ROOM = 24


@dataclass(frozen=True, slots=True, kw_only=True)
class Hand:
    """A row of a game; ``label`` says what it is where it is no hand."""

    number: int
    mao: str
    winner: str
    label: str
    points: int
    after: tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperSide:
    """A side: its letter, who sits where, the score of each game, and games won."""

    letter: str
    seats: tuple[str, ...]
    scores: tuple[int, ...]
    games: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Sumula:
    """The whole paper of a table; blank for a pen, or with what stands on the sheet."""

    table: Table
    blank: bool
    best_of: str
    target: int
    first_dealer: str
    begun: datetime | None
    ended: datetime | None
    sides: tuple[PaperSide, ...]
    games: tuple[tuple[int, tuple[Hand, ...]], ...]
    room: range
    penalties: tuple[str, ...]
    #: The letter of the side that was ahead when the time was over; empty for a whole meeting.
    won_on_time: str = ""


def sumula_of(table: Table, rows: Iterable[TrucoLine], *, blank: bool) -> Sumula:
    """Give the paper of a table; its rows are left aside on a blank one."""
    rows = [] if blank else list(rows)
    meeting = meeting_as_told(table, rows)
    seats = sorted(table.seats.all(), key=lambda seat: seat.place)
    names = list(names_at_table(seats).values())
    rulings = [] if blank else [each for each in table.rulings.all() if each.stands]
    sides = {seat.entry_id: "AB"[(seat.place - 1) % 2] for seat in seats}
    return Sumula(
        table=table,
        blank=blank,
        best_of=games_in_words(meeting.games),
        target=meeting.rules.target,
        first_dealer="" if blank and not table.first_dealer else names[first_dealer_of(table)],
        begun=None if blank else table.round.published_at,
        ended=None if blank else table.decided_at,
        sides=tuple(_side(meeting, names, side, blank=blank) for side in (0, 1)),
        games=tuple(_games(meeting, names, rulings, blank=blank)),
        room=range(ROOM if blank else 0),
        penalties=tuple(_said(ruling, meeting, sides) for ruling in rulings),
        won_on_time="" if meeting.by_time is None else "AB"[meeting.by_time],
    )


def meeting_as_told(table: Table, rows: Iterable[TrucoLine]) -> Meeting:
    """Give the meeting as the sheet tells it; the blank one when the rules have changed since."""
    try:
        return meeting_of(table, rows)
    except ImpossibleLine:
        return blank_meeting(table)


def games_in_words(games: int) -> str:
    """Say of how many games at most a meeting is."""
    return ngettext("%(n)s game", "best of %(n)s games", games) % {"n": games}


def _side(meeting: Meeting, names: Sequence[str], side: int, *, blank: bool) -> PaperSide:
    letter = "AB"[side]
    seats = tuple(f"{letter}{n} {name}" for n, name in enumerate(names[side::2], start=1))
    running = () if blank or meeting.is_decided else (meeting.score,)
    return PaperSide(
        letter=letter,
        seats=seats,
        scores=tuple(score[side] for score in (*meeting.scores, *running)),
        games=meeting.won[side],
    )


def _games(
    meeting: Meeting, names: Sequence[str], rulings: Sequence[Ruling], *, blank: bool
) -> Iterable[tuple[int, tuple[Hand, ...]]]:
    if blank:
        return [(number, ()) for number in range(1, meeting.games + 1)]
    effects = {ruling.pk: ruling.effect for ruling in rulings}
    by_game: dict[int, list[Hand]] = {1: []}
    for told in meeting.told:
        by_game.setdefault(told.game, []).append(_hand(told, names, effects))
    return [(number, tuple(hands)) for number, hands in sorted(by_game.items())]


def _hand(told: Told, names: Sequence[str], effects: Mapping[int, str]) -> Hand:
    row = told.row
    return Hand(
        number=told.hand,
        mao=names[(told.dealer + 1) % len(names)],
        winner=row.winner.upper(),
        label=_label(row, effects.get(row.ruling_id or 0, "")),
        points=row.points,
        after=told.after,
    )


def _label(row: TrucoLine, effect: str) -> str:
    """Say what a row is that is no played hand: one kind of row holds all that a referee takes."""
    if row.kind == KIND.HAND:
        return ""
    if effect == Ruling.Effect.LOSE_HAND:
        return _("hand by a ruling")
    if effect == Ruling.Effect.LOSE_GAME:
        return _("game by a ruling")
    return str(row.get_kind_display())


def _said(ruling: Ruling, meeting: Meeting, sides: Mapping[int, str]) -> str:
    """Say a penalty with its side and the numbers that the paper prints."""
    parts = [str(ruling.get_effect_display() if ruling.effect else ruling.get_kind_display())]
    letter = sides.get(ruling.entry_id or 0)
    if letter:
        parts.insert(0, _("Side %(letter)s") % {"letter": letter})
    told = next((each for each in meeting.told if each.row.ruling_id == ruling.pk), None)
    if told is not None:
        parts.append(_("game %(game)s, no. %(n)s") % {"game": told.game, "n": told.hand})
    return ", ".join(parts) + (f": {ruling.note}" if ruling.note else "")
