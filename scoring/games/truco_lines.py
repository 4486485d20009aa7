"""Lines of a truco sheet as pages show them: who won what, and how the score went on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from rules_engine import truco
from scoring.forms.truco import CAP_NAMES, TrucoForm
from scoring.games.lines import SheetLine, Writers, notes_of
from scoring.models import TrucoLine
from scoring.rules import names_at_table
from scoring.rules.truco import (
    ENDING,
    KIND,
    ImpossibleLine,
    Told,
    meeting_of,
    names_of_pairs,
    ruleset_of,
)
from tournaments.fixtures import CapRule
from tournaments.models import Ruling, Table

#: Where truco mineiro has its special hand.
TEN = 10


@dataclass(frozen=True, kw_only=True)
class TrucoSheetLine(SheetLine):
    """A line of the sheet; without ``told`` it does not count, and has no place in a game."""

    row: TrucoLine
    winner: str
    gain: str
    told: Told | None = None
    mao: str = ""
    dealer: str = ""
    pairs: tuple[str, str] = ("", "")

    @property
    def begins_game(self) -> bool:
        """Is it the first line of a game?"""
        return self.told is not None and self.told.hand == 1

    @property
    def ends_game(self) -> bool:
        """Has a pair won the game with it?"""
        if self.told is None or self.row.kind == KIND.CAP:
            return False
        return max(self.told.after) >= self.target

    @property
    def target(self) -> int:
        return ruleset_of(self.row.table).target

    @property
    def kind_word(self) -> str:
        """What kind of line or hand it is, where that is not plain."""
        if self.row.kind != KIND.HAND:
            return str(self.row.get_kind_display())
        before_the_end = ruleset_of(self.row.table).special_at
        special = {
            truco.HandKind.SPECIAL: _("mão de dez") if before_the_end == TEN else _("mão de onze"),
            truco.HandKind.IRON: _("mão de ferro"),
        }
        return special.get(self.told.kind, "") if self.told else ""


def lines_of(table: Table, rows: Sequence[TrucoLine]) -> Iterator[TrucoSheetLine]:
    """Give the lines, which come in the order of play, each with its place in the meeting."""
    told = told_by_row(table, rows)
    replacing, writers = {row.corrected_by_id for row in rows}, Writers(table)
    for row in rows:
        row.table = table
        notes = notes_of(row, writers, is_correction=row.pk in replacing)
        yield line_of(table, row, told.get(row.pk), notes=list(notes))


def told_by_row(table: Table, rows: Sequence[TrucoLine]) -> dict[int, Told]:
    """Play the sheet again and give each standing line its place; nothing if it cannot be."""
    try:
        return {told.row.pk: told for told in meeting_of(table, rows).told}
    except ImpossibleLine:
        # The rules of the evening have changed since.
        return {}


def typed_line(form: TrucoForm) -> TrucoSheetLine:
    """Give what a valid form says as the line that it would become."""
    row = form.line().row()
    row.number, row.table = form.deal_number, form.table
    return line_of(form.table, row, form.told, notes=[])


def line_of(table: Table, row: TrucoLine, told: Told | None, *, notes: list[str]) -> TrucoSheetLine:
    """Give one row as a line."""
    seats = sorted(table.seats.all(), key=lambda seat: seat.place)
    names = list(names_at_table(seats).values())
    pairs = names_of_pairs(names)
    winner = {"a": pairs[0], "b": pairs[1]}.get(row.winner, "")
    hand_dealer = None if told is None else told.dealer
    mao = None if hand_dealer is None else (hand_dealer + 1) % len(names)
    return TrucoSheetLine(
        row=row,
        name=_("Line %(n)s") % {"n": row.number},
        words=words_of(row, winner),
        verdict=words_of(row, winner),
        notes=notes,
        winner=winner,
        gain=f"+{row.points}" if row.points else "0",
        told=told,
        mao="" if mao is None else names[mao],
        dealer="" if hand_dealer is None else names[hand_dealer],
        pairs=pairs,
    )


def words_of(row: TrucoLine, winner: str) -> str:
    """Say a line in a sentence."""
    gaps = {"pair": winner, "a": row.points_a, "b": row.points_b, "n": row.points}
    if row.kind == KIND.CAP:
        return _("Time is over: %(rule)s") % {"rule": cap_words(row.notation)}
    if row.kind == KIND.GAME:
        return _("The game ended %(a)s to %(b)s") % gaps
    if row.kind == KIND.TENTO:
        return _ruled_words(row) % gaps
    if not row.winner:
        return _("All rounds tied: nobody scores")
    return _hand_words(row) % gaps


def _ruled_words(row: TrucoLine) -> str:
    """Say what the referee took: the same line for a tento, a hand and a game."""
    effect = row.ruling.effect if row.ruling is not None else ""
    if effect == Ruling.Effect.LOSE_HAND:
        return _("The hand by a ruling: %(pair)s +%(n)s")
    if effect == Ruling.Effect.LOSE_GAME:
        return _("The game by a ruling: %(pair)s +%(n)s")
    return _("Referee’s tento: %(pair)s +%(n)s")


def _hand_words(row: TrucoLine) -> str:
    if row.ending == ENDING.RAN:
        return _("%(pair)s +%(n)s, the others ran")
    if row.ending == ENDING.DECLINED:
        return _("%(pair)s +%(n)s, the special hand was declined")
    return _("%(pair)s +%(n)s")


def cap_words(code: str) -> str:
    """Say what happens when the time is over."""
    return str(CAP_NAMES[CapRule(code)]) if code in set(CapRule) else code
