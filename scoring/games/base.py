"""What the pages, the paper and the API need of a game that is played at a table.

They know this class and no game. A game is one entry of ``tournaments.games`` (what a draw needs),
one of ``scoring.games``, and a folder of templates, ``scoring/<code>/``: ``form``, ``progress``
(the top of the table's pages), ``cells`` (what a line gives whom), ``lines`` and ``sum`` (the
sheet) and ``paper``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _
from rest_framework import serializers

from clubs.models import User
from clubs.prepared import PreparedRead
from scoring.actions.confirmations import settle_objection
from scoring.actions.sheets import Sheet, undo_last_row, void_row
from scoring.forms import SheetForm
from scoring.games.lines import SheetLine
from scoring.models import Confirmation, SheetRow
from scoring.rules import dealer, next_number
from tournaments.actors import Actor
from tournaments.games import GameFacts
from tournaments.models import Round, Seat, Table


@dataclass(frozen=True, kw_only=True)
class Words:
    """What a game calls the row that a page is about, in the reader's language."""

    #: What one row is, on a button; "Deal 3"; of how many it is.
    row: str
    name: str
    heading: str
    send: str
    correct: str
    void: str
    void_note: str
    keep: str
    corrected: str
    voided: str
    undone: str
    #: Two versions: it is on the sheet already, it is the next one now, mine is sent as this one.
    on_sheet: str
    is_next: str
    send_as: str
    #: All is written; nothing is written yet; nothing can be written any more.
    full: str
    none_yet: str
    hint: str
    enter_first: str
    enter_next: str
    enter: str
    closed: str
    time_over: str
    time_over_hint: str


@dataclass(frozen=True, kw_only=True)
class ApiOf:
    """How the API reads and shows rows of a game; ``address`` is where single ones are."""

    address: str
    name: str
    row: type[serializers.Serializer[Any]]
    written: type[serializers.Serializer[Any]]
    record: type[serializers.Serializer[Any]]
    report: type[serializers.Serializer[Any]]
    prefetch: tuple[str, ...] = ()


class SheetGame[Row: SheetRow, Form: SheetForm](ABC):
    """A game with a sheet: how its rows are asked for, written, shown and printed."""

    facts: ClassVar[GameFacts]
    api: ClassVar[ApiOf]
    row: type[Row]
    form: type[Form]
    sheet: type[Sheet[Row]]
    #: Are there other ways to enter a row, in a template ``more``? Is what may be asked later in
    #: a template ``ahead``? Is it chosen who deals first?
    has_more: ClassVar[bool] = False
    carries_ahead: ClassVar[bool] = False
    #: The usual reasons for which a row is void (codes of ``VoidDealForm.USUAL``).
    void_reasons: ClassVar[tuple[str, ...]] = ("misdeal", "count", "table", "ruling")
    chooses_dealer: ClassVar[bool] = False
    #: Is the next row asked for as the last one was, by its number alone? Then a template ``last``
    #: is all that its page needs.
    goes_on: ClassVar[bool] = False
    #: Reads the rows of a table with all that their lines show.
    shown_rows: ClassVar[PreparedRead[Any]]
    #: The script of its form, which looks up what the engine gives and adds.
    script: ClassVar[str]

    def template(self, part: str) -> str:
        """Give the game's template of this name."""
        return f"scoring/{self.facts.code}/{part}.html"

    def rows(self, table: Table) -> Any:
        """Give the rows of a table's sheet, as a queryset."""
        return getattr(table, self.sheet.rows_name)

    def rows_of_sheet(self, table: Table) -> list[Row]:
        """Give the rows of a table's sheet in the order of play, with all that their lines show."""
        return self.shown_rows.of(table)

    def rows_to_compare(self, this_round: Round) -> dict[int, list[tuple[Any, ...]]]:
        """Give what each table wrote, where totals alone do not tell one sheet entered twice."""
        return {}

    # Entering

    def blank_form(self, table: Table, rows: Sequence[Row]) -> Form | None:
        """Give the form of the next row; nothing when the sheet takes no more."""
        if not table.is_open or self.is_full(table, rows):
            return None
        return self.form(table=table, number=self.next_number(rows))

    def next_number(self, rows: Sequence[Row]) -> int:
        """Give the number of the next row."""
        return next_number({row.number for row in rows if row.is_standing})

    def ahead(self, table: Table, number: int) -> range:
        """Give the rows, from this one, that can be asked for before those between have arrived."""
        return range(number, number + 1)

    def dealer_of(self, table: Table, number: int) -> Seat:
        """Give who deals for a row that may be asked for ahead."""
        return dealer(sorted(table.seats.all(), key=lambda seat: seat.place), number)

    @abstractmethod
    def is_full(self, table: Table, rows: Sequence[Row]) -> bool:
        """Is everything that the table plays on the sheet?"""

    @abstractmethod
    def form_to_correct(self, row: Row, data: Any = None) -> Form:
        """Give the form of a row as it stands, or with what was typed instead."""

    @abstractmethod
    def record(self, form: Form, *, by: Actor) -> Row:
        """Write what a valid form says as the next row."""

    @abstractmethod
    def correct(self, row: Row, form: Form, *, by: Actor) -> Row:
        """Put what a valid form says in the place of a row."""

    @abstractmethod
    def record_report(self, table: Table, given: dict[str, Any], *, by: Actor) -> Row:
        """Write what the API's record serializer read."""

    @abstractmethod
    def correct_by_report(self, row: Row, given: dict[str, Any], *, by: Actor) -> Row:
        """Put what the API's report serializer read in the place of a row."""

    @transaction.atomic
    def take_proposal(self, row: Row, said: Confirmation, *, by: User) -> Row:
        """Settle an objection by what it proposes.

        It is settled first: the correction settles what is then still open about the row.
        """
        settle_objection(objection=said, by=by, takes=True)
        form = self.form_to_correct(row, said.proposed)
        if not form.is_valid():
            raise ValidationError(_("What was proposed does not fit any more."), code="proposal")
        form.cleaned_data["why"] = said.note
        return self.correct(row, form, by=by)

    def void(self, row: Row, *, reason: str, by: Actor) -> Row:
        """Declare a row void."""
        return void_row(self.sheet, row=row, reason=reason, by=by)

    def undo(self, table: Table, *, by: Actor, row_id: int | None = None) -> Row:
        """Take back the row that was entered last."""
        return undo_last_row(self.sheet, table=table, by=by, row_id=row_id)

    def choose_dealer(self, table: Table, *, place: int | None, by: Actor) -> None:
        """Let somebody deal first, or draw who does (None)."""
        raise ValidationError(_("At this table the first seat deals first."), code="dealer")

    # Showing

    @abstractmethod
    def words(self, table: Table, number: int) -> Words:
        """Say what a page about this row of a table's sheet says."""

    @abstractmethod
    def lines(self, table: Table, rows: Sequence[Row]) -> Sequence[SheetLine]:
        """Give rows, in the order of play, as lines of a sheet."""

    @abstractmethod
    def line_of(self, table: Table, row: Row, rows: Sequence[Row]) -> SheetLine:
        """Give one row of a sheet as a line."""

    @abstractmethod
    def typed_line(self, form: Form) -> SheetLine:
        """Give what a valid form says as the line that it would become."""

    @abstractmethod
    def preview(self, form: Form) -> dict[str, Any]:
        """Give what the phone shows results with before they are sent: a table and words."""

    def stand(self, form: Form) -> dict[str, Any] | None:
        """Give where the sheet stands, if the game's script can tell what follows each row."""
        return None

    def progress(self, table: Table) -> dict[str, Any]:
        """Give what the top of the table's pages says besides the table itself."""
        return {}

    @abstractmethod
    def sheet_context(self, table: Table, lines: Sequence[SheetLine]) -> dict[str, Any]:
        """Give what the sheet shows besides its lines; ``adds_up``: may it be signed?"""

    @abstractmethod
    def paper(self, table: Table, *, blank: bool) -> dict[str, Any]:
        """Give what the paper sheet shows: with the rows so far, or blank for a pen."""
