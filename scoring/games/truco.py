"""Truco at a table: two pairs, games to the target, the best of several."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _

from clubs.prepared import PreparedRead
from scoring import actions
from scoring.actions.sheets_truco import TrucoSheet
from scoring.forms.truco import TrucoForm, answers_of_line
from scoring.games import truco_serializers as api
from scoring.games.base import ApiOf, SheetGame, Words
from scoring.games.lines import SheetLine
from scoring.games.truco_lines import (
    TrucoSheetLine,
    lines_of,
    typed_line,
)
from scoring.models import TrucoLine
from scoring.rules import names_at_table
from scoring.rules.truco import (
    Meeting,
    first_dealer_of,
    names_of_pairs,
    ruleset_of,
)
from scoring.sumulas import games_in_words, meeting_as_told, sumula_of
from tournaments.actors import Actor
from tournaments.games import TRUCO
from tournaments.models import Round, Ruling, Seat, Table


class TrucoGame(SheetGame[TrucoLine, TrucoForm]):
    """Truco for two, four and six."""

    facts = TRUCO
    api = ApiOf(
        address="truco-lines",
        name="truco line",
        row=api.TrucoLineSerializer,
        written=api.TrucoWrittenSerializer,
        record=api.TrucoRecordSerializer,
        report=api.TrucoReportSerializer,
        prefetch=("truco_lines",),
    )
    row = TrucoLine
    shown_rows = PreparedRead(TrucoLine.objects.for_sheet(), "table")
    form = TrucoForm
    sheet = TrucoSheet
    script = "truco.js"
    has_more = True
    carries_ahead = True
    void_reasons = ("misdeal", "twice", "table", "ruling")
    chooses_dealer = True

    def rows_to_compare(self, this_round: Round) -> dict[int, list[tuple[Any, ...]]]:
        """Give every hand of each table: two tables often end a game with the same score."""
        lines = TrucoLine.objects.standing().filter(
            table__round=this_round, kind=TrucoLine.Kind.HAND
        )
        hands: dict[int, list[tuple[Any, ...]]] = {}
        for table, *hand in lines.in_play_order().values_list(
            "table", "winner", "points", "ending"
        ):
            hands.setdefault(table, []).append(tuple(hand))
        return hands

    def next_number(self, rows: Sequence[TrucoLine]) -> int:
        return max((row.number for row in rows if row.is_standing), default=0) + 1

    def is_full(self, table: Table, rows: Sequence[TrucoLine]) -> bool:
        return meeting_as_told(table, rows).is_decided

    def form_to_correct(self, row: TrucoLine, data: Any = None) -> TrucoForm:
        typed = None if data is not None else answers_of_line(row, ruleset_of(row.table))
        return TrucoForm(data, table=row.table, number=row.number, initial=typed, correcting=row)

    def record(self, form: TrucoForm, *, by: Actor) -> TrucoLine:
        if form.effect:
            return actions.give_tento(
                table=form.table,
                to=form.line().winner,
                by=by,
                entry_key=form.cleaned_data["entry_key"],
                effect=form.effect,
                worth=form.line().points if form.effect == Ruling.Effect.LOSE_HAND else None,
                note=form.cleaned_data["note"],
                number=form.cleaned_data["number"],
            )
        return actions.record_truco_line(
            table=form.table,
            number=form.cleaned_data["number"],
            entry_key=form.cleaned_data["entry_key"],
            line=form.line(),
            by=by,
        )

    def correct(self, row: TrucoLine, form: TrucoForm, *, by: Actor) -> TrucoLine:
        return actions.correct_truco_line(
            line=row,
            corrected=form.line(),
            entry_key=form.cleaned_data["entry_key"],
            by=by,
            why=form.why_it_changes(),
        )

    def record_report(self, table: Table, given: dict[str, Any], *, by: Actor) -> TrucoLine:
        return actions.record_truco_line(table=table, by=by, **given)

    def correct_by_report(self, row: TrucoLine, given: dict[str, Any], *, by: Actor) -> TrucoLine:
        return actions.correct_truco_line(
            line=row,
            corrected=given["line"],
            entry_key=given["entry_key"],
            by=by,
            why=given.get("why", ""),
        )

    def choose_dealer(self, table: Table, *, place: int | None, by: Actor) -> None:
        actions.choose_first_dealer(table=table, place=place, by=by)

    def words(self, table: Table, number: int) -> Words:
        n = {"n": number}
        return Words(
            row=_("Hand"),
            name=_("Line %(n)s") % n,
            heading=_games_so_far(table),
            send=_("Enter"),
            correct=_("Correct line %(n)s") % n,
            void=_("Declare line %(n)s void") % n,
            void_note=_(
                "It stays on the sheet, struck through, with your reason; "
                "the score is counted without it."
            ),
            keep=_("Keep the line"),
            corrected=_("Line %(n)s is corrected.") % n,
            voided=_("Line %(n)s is void.") % n,
            undone=_("Line %(n)s is taken back.") % n,
            on_sheet=_("Line %(n)s is already on the sheet") % n,
            is_next=_("Line %(n)s is the next one now. Nothing is lost: choose.") % n,
            send_as=_("Mine is another hand: send it as line %(n)s") % n,
            full=_("The meeting is decided."),
            none_yet=_("No hand yet at this table"),
            hint=_("The first hand you send appears here."),
            enter_first=_("Enter the first hand"),
            enter_next=_("Enter the next hand"),
            enter=_("Enter the hand"),
            time_over=_("The time of this round is over."),
            time_over_hint=_("The hand in play is played to its end. Then enter what follows."),
            closed=_("The round is closed: its sheets take no more hands."),
        )

    def lines(self, table: Table, rows: Sequence[TrucoLine]) -> list[TrucoSheetLine]:
        return list(lines_of(table, rows))

    def line_of(self, table: Table, row: TrucoLine, rows: Sequence[TrucoLine]) -> TrucoSheetLine:
        return next(line for line in lines_of(table, rows) if line.row.pk == row.pk)

    def typed_line(self, form: TrucoForm) -> TrucoSheetLine:
        return typed_line(form)

    def preview(self, form: TrucoForm) -> dict[str, Any]:
        return {
            "table": form.table_ahead,
            "names": [form.names[seat.pk] for seat in form.seats],
            "pairs": dict(zip("ab", form.names_of_pairs, strict=True)),
            "words": {
                "name": _("Line %(n)s"),
                "game": _("Game %(a)s of %(b)s"),
                "only_game": _("One game"),
                "games": _("games %(a)s–%(b)s"),
                "won": _("%(pair)s won"),
                "uncounted": _(
                    "Only the site can count a hand that is written without its end (=> A+3)."
                ),
            },
        }

    def stand(self, form: TrucoForm) -> dict[str, Any] | None:
        return form.stand if form.table_ahead else None

    def progress(self, table: Table) -> dict[str, Any]:
        return {"games_so_far": _games_won(table)}

    def sheet_context(self, table: Table, lines: Sequence[SheetLine]) -> dict[str, Any]:
        rows = [line.row for line in lines if isinstance(line, TrucoSheetLine)]
        meeting = meeting_as_told(table, rows)
        names = list(names_at_table(_seats(table)).values())
        return {
            "meeting": meeting,
            "sides": _sides(table, meeting),
            "best_of": games_in_words(meeting.games),
            "next_dealer": names[meeting.dealer],
            "next_mao": names[meeting.mao],
            "first_dealer": names[first_dealer_of(table)],
            "adds_up": meeting.is_decided,
        }

    def paper(self, table: Table, *, blank: bool) -> dict[str, Any]:
        rows = [] if blank else list(table.truco_lines.standing().for_sheet())
        return {"sumula": sumula_of(table, rows, blank=blank)}


def _seats(table: Table) -> list[Seat]:
    return sorted(table.seats.all(), key=lambda seat: seat.place)


def _games_won(table: Table) -> tuple[int, int]:
    seats = _seats(table)
    return (seats[0].games_won, seats[0].games_lost) if seats else (0, 0)


def _games_so_far(table: Table) -> str:
    played = sum(_games_won(table))
    games = table.best_of or 1
    if games == 1:
        return _("One game")
    return _("Game %(a)s of %(b)s") % {"a": min(played + 1, games), "b": games}


def _sides(table: Table, meeting: Meeting) -> list[dict[str, Any]]:
    """Give both pairs with their seats, their score and their games."""
    seats = _seats(table)
    names = list(names_at_table(seats).values())
    return [
        {
            "letter": "AB"[side],
            "names": names_of_pairs(names)[side],
            "seats": [(seat, names[seat.place - 1]) for seat in seats[side::2]],
            "score": meeting.score[side],
            "games": meeting.won[side],
            "scores": [score[side] for score in meeting.scores],
            "has_won": meeting.winner is not None and meeting.winner == side,
        }
        for side in (0, 1)
    ]
