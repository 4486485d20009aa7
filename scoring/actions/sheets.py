"""What happens on a sheet of any game: a row is entered, corrected, declared void, taken back.

Each game has a ``Sheet`` of its own that says what it adds up and what it refuses.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any, ClassVar, Self
from uuid import UUID

from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction
from django.db.models import Exists, OuterRef
from django.db.transaction import TransactionManagementError
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.models import Role, User
from clubs.names import one_line
from clubs.prepared import PreparedInsert, PreparedRead, PreparedUpdate
from scoring import tasks
from scoring.actions.objections import reopen, settle_all
from scoring.models import Confirmation, SheetEvent, SheetRow, StaleStandings
from scoring.querysets import ConfirmationQuerySet
from scoring.rules import (
    SAME_DEAL_WITHIN,
    StaleSheet,
    entered_last,
    is_correction,
    next_number,
)
from scoring.rules.agreement import Question, author_of, is_directors_word, seat_of
from tournaments.actors import (
    Actor,
    account_of,
    as_author,
    as_doer,
    has_entered,
    may_act_as,
    phone_of,
)
from tournaments.models import Event, Round, Ruling, Seat, Table
from tournaments.rules import refuse_held

LOCK = PreparedRead(Table.objects.select_for_update(no_key=True).only("pk"))
TABLES = PreparedRead(
    Table.objects.select_related("round__event").annotate(
        is_ruled_on=Exists(Ruling.objects.standing().filter(table=OuterRef("pk")))
    )
)

#: Writes what a change of the sheet changes on its table.
WRITE_CHANGE = PreparedUpdate(
    Table, "deals_recorded", "version", "changed_at", "signed_at", "signed_by", "decided_at",
    "unconfirmed",
)  # fmt: skip
INSERT_EVENT, INSERT_STALE = PreparedInsert(SheetEvent), PreparedInsert(StaleStandings)


@transaction.atomic
def void_row[Row: SheetRow](
    sheets: type[Sheet[Row]], *, row: Row, reason: str, by: Actor, at: datetime | None = None
) -> Row:
    """Declare a row void, with a reason; its number is free for what is played in its place."""
    sheet = sheets.lock(row.table, at=at)
    refuse_held(sheet.table, by)
    sheet.require_changeable(by)
    sheet.require_allowed(row, by)
    reason = one_line(reason)
    if not reason:
        raise ValidationError(_("Say why the deal is void."), code="reason_missing")
    gone = sheet.voided(row.pk)
    if gone is not None:
        return gone
    standing = sheet.require_standing(row)
    sheet.strike(standing, reason=reason, kind=SheetEvent.Kind.VOIDED, by=by)
    return standing


@transaction.atomic
def undo_last_row[Row: SheetRow](
    sheets: type[Sheet[Row]],
    *,
    table: Table,
    by: Actor,
    row_id: int | None = None,
    at: datetime | None = None,
) -> Row:
    """Take the row entered last off the sheet; only its author or a scorer may.

    One that was corrected since is refused: nobody can tell which of the two steps is meant.

    ``row_id`` is the row that the page offered to undo: another one entered since is never
    taken in its place (``StaleSheet``).
    """
    sheet = sheets.lock(table, at=at)
    gone = sheet.voided(row_id)
    if gone is not None:
        return gone
    refuse_held(sheet.table, by)
    sheet.require_open()
    last = entered_last(sheet.rows)
    if last is None:
        raise ValidationError(_("There is no deal to undo."), code="nothing_to_undo")
    if row_id is not None and row_id != last.pk:
        raise StaleSheet(standing=last, number=sheet.next_number)
    if not has_entered(by, last) and not may_act_as(by, sheet.table.event, Role.SCORER):
        raise PermissionDenied(_("Only who entered the last deal and the scorers can undo it."))
    if is_correction(last, sheet.rows):
        raise ValidationError(
            _("This deal has been corrected: correct it again, or declare it void."),
            code="corrected",
        )
    sheet.strike(last, reason="", kind=SheetEvent.Kind.UNDONE, by=by)
    return last


@dataclass
class Sheet[Row: SheetRow](ABC):
    """A table's sheet, locked for the rest of the transaction, with what stands on it."""

    #: Reads the rows of a table, in the order of play.
    read_rows: ClassVar[PreparedRead[Any]]
    #: Writes a new row.
    insert_row: ClassVar[PreparedInsert[Any]]
    #: The rows as the table calls them, and as a line of the history does.
    rows_name: ClassVar[str]
    event_name: ClassVar[str]
    #: Is a row of the same number and content surely the same, however late it comes?
    is_unmistakable: ClassVar[bool] = False

    table: Table
    seats: list[Seat]
    rows: list[Row]
    at: datetime
    #: Does any ruling of the referee stand about this table?
    is_ruled_on: bool

    # What each game says

    @abstractmethod
    def is_full(self) -> bool:
        """Is everything that this table plays written?"""

    @abstractmethod
    def full(self) -> ValidationError:
        """Give the refusal of a row too many."""

    @abstractmethod
    def is_same(self, one: Row, other: Row) -> bool:
        """Did both report the same?"""

    @abstractmethod
    def add_up(self) -> None:
        """Set what the standing rows give each seat: added up anew, never added to."""

    @staticmethod
    def side_of(row: SheetRow | None, seat: Seat) -> Hashable | None:  # noqa: ARG004 - of a game
        """Give the side of a seat in a row, or all along; nothing for whoever sits out."""
        return seat.pk

    @classmethod
    def question(cls, row: SheetRow, event: Event, seats: Sequence[Seat]) -> Question:
        """Give whom the event asks whether a row is right."""
        return Question(
            policy=event.confirmation,
            author=author_of(row, seats),
            seats=seats,
            side_of=partial(cls.side_of, row),
        )

    def check(self) -> None:  # noqa: B027 - most games have nothing to check
        """Refuse rows that the rules do not allow together; called after each change."""

    def require_time(self) -> None:  # noqa: B027 - where time ends nothing
        """Refuse a new row where the time of the table is over and that ends it."""

    def require_allowed(self, row: Row, by: Actor) -> None:  # noqa: B027 - all rows are alike
        """Refuse to let somebody write or take away a row that is not his to decide."""

    def require_ruled(  # noqa: B027 - where no ruling is about rows
        self, entered: Row, number: int, *, by: Actor, instead_of: Row | None = None
    ) -> None:
        """Refuse a row that the referee's rulings do not allow."""

    # What all games share

    @classmethod
    def lock(cls, table: Table, *, at: datetime | None) -> Self:
        """Lock the table's row, then read the rest.

        Two scorers may press "send" together: the second waits here, so that numbers stay
        unbroken. Round and evening are read after the lock: a join would show them as they were
        before the wait.
        """
        if transaction.get_autocommit():
            raise TransactionManagementError("A sheet is locked within a transaction.")
        LOCK(table.pk)
        [locked] = TABLES(table.pk)
        return cls(
            table=locked,
            # Who sits in a seat may be swapped, the seats stay: those already read will do.
            seats=sorted(table.seats.all(), key=lambda seat: seat.place),
            rows=cls.read_rows.of(locked),
            at=at or timezone.now(),
            is_ruled_on=locked.is_ruled_on,  # type: ignore[attr-defined]  # annotated
        )

    def enter(
        self,
        entered: Row,
        *,
        entry_key: UUID,
        by: Actor,
        number: int | None = None,
        version: int | None = None,
    ) -> Row:
        """Write the next row; the same entry twice is one row.

        ``number`` is the one that the page was made for; a caller without a page gives the
        ``version`` of the sheet it has seen, or neither to take the next number whatever it is.
        Refuses a closed or full sheet, and with ``StaleSheet`` a number that is no longer next.
        """
        known = self.entered_with(entry_key)
        if known is not None:
            return self.same_or_stale(known, entered)
        refuse_held(self.table, by)
        self.require_open()
        self.require_allowed(entered, by)
        standing = self.standing_at(number)
        if standing is not None and self.is_double_press(standing, entered, by=by):
            return standing
        if standing is not None and self.is_told_twice(standing, entered, by=by):
            self.hear_witness(standing, by)
            return standing
        self.require_time()
        free = self.free_number(number, version=version)
        self.require_ruled(entered, free, by=by)
        self._sign(entered, free, entry_key, by)
        self.write(entered)
        self.changed(entered, SheetEvent.Kind.RECORDED, by=by)
        return entered

    def replace(self, row: Row, entered: Row, *, entry_key: UUID, by: Actor, why: str = "") -> Row:
        """Put a new version in the place of a row, which stays readable.

        Refuses what no longer stands, and once the round is closed everybody but a director.
        """
        known = self.entered_with(entry_key)
        if known is not None:
            return self.same_or_stale(known, entered)
        refuse_held(self.table, by)
        self.require_changeable(by)
        standing = self.require_standing(row)
        self.require_allowed(standing, by)
        self.require_allowed(entered, by)
        if self.is_same(standing, entered):
            return standing
        self.require_ruled(entered, row.number, by=by, instead_of=standing)
        self._sign(entered, row.number, entry_key, by)
        standing.state = SheetRow.State.CORRECTED
        standing.void_reason = one_line(why)
        standing.save(update_fields=["state", "void_reason"])
        self.write(entered)
        standing.corrected_by = entered
        standing.save(update_fields=["corrected_by"])
        self.changed(
            entered,
            SheetEvent.Kind.CORRECTED,
            by=by,
            replaces=standing.pk,
            why=standing.void_reason,
        )
        if isinstance(by, User) and may_act_as(by, self.table.event, Role.DIRECTOR):
            self._answer_objections(entered, by, takes=False, corrected=True)
        return entered

    def _answer_objections(self, row: Row, by: Actor, **why: bool) -> None:
        """Take what was done to a row as the answer to what was objected to it."""
        if self.table.objections:
            found = self.objections_to(row)
            settle_all(found, table=self.table, by=by, at=self.at, **why)

    def objections_to(self, row: Row) -> list[Confirmation]:
        """Give what nobody has settled of what was said against a row, in any of its versions."""
        return list(self._said_about(row).objections().with_speakers().order_by("at", "pk"))

    def _said_about(self, row: Row) -> ConfirmationQuerySet:
        versions = {row.pk}
        while former := {r.pk for r in self.rows if r.corrected_by_id in versions} - versions:
            versions |= former
        said: ConfirmationQuerySet = self.table.confirmations.all()
        return said.filter(**{f"{self.event_name}__in": versions})

    @staticmethod
    def _sign(entered: Row, number: int, entry_key: UUID, by: Actor) -> None:
        entered.number, entered.entry_key = number, entry_key
        for name, value in as_author(by).items():
            setattr(entered, name, value)

    @property
    def standing(self) -> list[Row]:
        return [row for row in self.rows if row.is_standing]

    @property
    def next_number(self) -> int | None:
        """The next free number; nothing when all is written."""
        if self.is_full():
            return None
        return next_number({row.number for row in self.standing})

    def standing_at(self, number: int | None) -> Row | None:
        return next((row for row in self.standing if row.number == number), None)

    def entered_with(self, entry_key: UUID) -> Row | None:
        return next((row for row in self.rows if row.entry_key == entry_key), None)

    def voided(self, pk: int | None) -> Row | None:
        """Give the row if it is already void: pressing twice takes nothing else away."""
        void = SheetRow.State.VOID
        return next((row for row in self.rows if row.pk == pk and row.state == void), None)

    def same_or_stale(self, known: Row, entered: Row) -> Row:
        """Give the row of this entry key, unless it was sent again with another content."""
        if self.is_same(known, entered):
            return known
        raise StaleSheet(standing=self.standing_at(known.number), number=self.next_number)

    def is_double_press(self, standing: Row, entered: Row, *, by: Actor) -> bool:
        """Did this author send this very row a moment ago, and the page lost its key?"""
        recent = self.at - standing.recorded_at <= SAME_DEAL_WITHIN
        return recent and has_entered(by, standing) and self.is_same(standing, entered)

    def is_told_twice(self, standing: Row, entered: Row, *, by: Actor) -> bool:
        """Did somebody else at the table send the same row, for the same number?"""
        if has_entered(by, standing):
            return False
        recent = self.at - standing.recorded_at <= SAME_DEAL_WITHIN
        return (recent or self.is_unmistakable) and self.is_same(standing, entered)

    def hear_witness(self, standing: Row, by: Actor) -> None:
        """Count a row that a second seat told as well as its agreement."""
        seat = seat_of(by, self.seats)
        if seat is not None and seat != author_of(standing, self.seats):
            self.agree(standing, seat, by)

    def agree(self, row: Row, seat: Seat, by: Actor) -> Confirmation:
        """Write that a seat agrees with a row; a second time changes nothing."""
        agreed, _new = Confirmation.objects.get_or_create(
            **{self.event_name: row},
            seat=seat,
            answer=Confirmation.Answer.AGREES,
            defaults={
                "table": self.table,
                "table_version": self.table.version,
                "given_by": account_of(by),
                "phone": phone_of(by),
                "at": self.at,
            },
        )
        self.count_unconfirmed()
        self.table.heard_at = self.at
        self.table.save(update_fields=["unconfirmed", "heard_at"])
        return agreed

    def count_unconfirmed(self) -> None:
        """Set how many rows wait for those whom the event asks; counted anew, never added to."""
        if not self.table.event.asks_to_confirm:
            self.table.unconfirmed = 0
            return
        # Who wrote and who sits is asked for all rows together, and only where it matters.
        seats = list(self.table.seats.select_related("player"))
        rows = getattr(self.table, self.rows_name).standing().select_related("author", "phone")
        agreed = self._agreed()
        self.table.unconfirmed = sum(
            bool(
                self.question(row, self.table.event, seats).waits_for(
                    [seat for seat in seats if (row.pk, seat.pk) in agreed]
                )
            )
            for row in rows
            if not is_directors_word(row, self.table)
        )

    def _agreed(self) -> set[tuple[int, int]]:
        """Give the rows and the seats that agree with them, by their keys."""
        said = self.table.confirmations.agreeing().exclude(**{self.event_name: None})
        return set(said.values_list(self.event_name, "seat"))

    def free_number(self, number: int | None, *, version: int | None) -> int:
        """Give the number to write at; refuses one that is not, or no longer, the next."""
        free = self.next_number
        seen = free if number is None and version in {None, self.table.version} else number
        if seen is not None and seen == free:
            return free
        if free is None and self.standing_at(number) is None:
            raise self.full()
        raise StaleSheet(standing=self.standing_at(number), number=free)

    def require_open(self) -> None:
        if not self.table.is_open:
            raise ValidationError(
                _("The round is closed: no deal can be entered or taken back."),
                code="sheet_closed",
            )

    def require_changeable(self, by: Actor) -> None:
        """Pass everybody while the round is played, and then only a director."""
        if self.table.round.state == Round.State.DRAWN:
            raise ValidationError(_("The round has not begun."), code="sheet_closed")
        if not self.table.is_open and not may_act_as(by, self.table.event, Role.DIRECTOR):
            raise PermissionDenied(_("The round is closed: only a director changes its sheets."))

    def require_standing(self, row: Row) -> Row:
        standing = self.standing_at(row.number)
        if standing is None or standing.pk != row.pk:
            raise StaleSheet(standing=standing, number=self.next_number)
        return standing

    def write(self, row: Row) -> None:
        """Insert a row.

        No ``full_clean``: the engine has judged the value and the sheet its place, and checking
        each foreign key and constraint once more would cost a query apiece in the hottest write.
        """
        self.insert_row(row)
        self.rows.append(row)

    def strike(self, row: Row, *, reason: str, kind: SheetEvent.Kind, by: Actor) -> None:
        """Let a row no longer count; it stays readable with who, when and why.

        Nothing that stands is disputed by what was objected to it.
        """
        row.state = SheetRow.State.VOID
        row.void_reason, row.voided_by, row.voided_at = reason, account_of(by), self.at
        row.save(update_fields=["state", "void_reason", "voided_by", "voided_at"])
        self.changed(row, kind, by=by)
        self._answer_objections(row, by, takes=False, struck=True)

    def reinstate(self, row: Row, *, by: Actor) -> None:
        """Let a void row count again, and what was objected to it: it was void by mistake."""
        settled = list(self._said_about(row).objections_ever().filter(settled_at=row.voided_at))
        row.state = SheetRow.State.STANDING
        row.void_reason, row.voided_by, row.voided_at = "", None, None
        row.save(update_fields=["state", "void_reason", "voided_by", "voided_at"])
        self.changed(row, SheetEvent.Kind.REINSTATED, by=by)
        if settled:
            reopen(settled, table=self.table, at=self.at)

    def changed(self, row: Row, kind: SheetEvent.Kind, *, by: Actor, **details: Any) -> None:
        """Bring the totals up to date, write the history and have the standings refreshed."""
        self.check()
        self.add_up()
        self.count_unconfirmed()
        self.table.deals_recorded = len(self.standing)
        self.table.version += 1
        self.table.changed_at = self.at
        if self.table.is_open:
            # What the players have signed is no longer what stands there.
            self.table.signed_at = self.table.signed_by = None
        WRITE_CHANGE(self.table)
        INSERT_EVENT(
            SheetEvent(
                table=self.table,
                **{self.event_name: row},
                kind=kind,
                **as_doer(by),
                at=self.at,
                details={"number": row.number, "version": self.table.version, **details},
            )
        )
        event_id = self.table.round.event_id
        INSERT_STALE(StaleStandings(event_id=event_id, marked_at=self.at))
        tasks.refresh_standings.soon_on_commit(event_id)
