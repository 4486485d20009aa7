"""What happens on a score sheet: a deal is entered, corrected, declared void, taken back."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction
from django.db.models import Count, IntegerField, OuterRef, Subquery, Sum, Value
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.models import Role, User
from clubs.names import one_line
from clubs.permissions import may
from rules_engine import tarot
from scoring import tasks
from scoring.models import Mark, SheetEvent, StaleStandings, TarotDeal
from scoring.rules import (
    SAME_DEAL_WITHIN,
    StaleSheet,
    entered_last,
    is_correction,
    next_number,
    one_sits_out,
)
from scoring.rules.tarot import columns_of, is_same_report, points_by_seat, ruleset_of
from tournaments import clock
from tournaments.models import Round, Seat, Table


@transaction.atomic
def record_tarot_deal(
    *,
    table: Table,
    entry_key: UUID,
    deal: tarot.Deal,
    taker: Seat,
    author: User,
    partner: Seat | None = None,
    sits_out: Seat | None = None,
    number: int | None = None,
    version: int | None = None,
    at: datetime | None = None,
) -> TarotDeal:
    """Write the next deal on the table's sheet; the same entry twice is one deal.

    ``number`` is the deal the page was made for; a caller without a page gives the ``version``
    of the sheet it has seen, or neither to take the next number whatever it is. Refuses a closed
    or full sheet, and with ``StaleSheet`` a number that is no longer the next one.
    """
    sheet = Sheet.lock(table, at=at)
    entered = sheet.row(deal, taker=taker, partner=partner, sits_out=sits_out)
    known = sheet.entered_with(entry_key)
    if known is not None:
        return sheet.same_or_stale(known, entered)
    sheet.require_open()
    standing = sheet.standing_at(number)
    if standing is not None and sheet.is_double_press(standing, entered, author=author):
        return standing
    sheet.require_time()
    number = sheet.free_number(number, version=version)
    entered.number, entered.entry_key, entered.author = number, entry_key, author
    sheet.write(entered, deal)
    sheet.changed(entered, SheetEvent.Kind.RECORDED, by=author)
    return entered


@transaction.atomic
def correct_tarot_deal(
    *,
    deal: TarotDeal,
    corrected: tarot.Deal,
    entry_key: UUID,
    taker: Seat,
    author: User,
    partner: Seat | None = None,
    sits_out: Seat | None = None,
    at: datetime | None = None,
) -> TarotDeal:
    """Put a new version in the place of a deal, which stays readable; refuses what no longer
    stands, and once the round is closed everybody but a director.
    """
    sheet = Sheet.lock(deal.table, at=at)
    entered = sheet.row(corrected, taker=taker, partner=partner, sits_out=sits_out)
    known = sheet.entered_with(entry_key)
    if known is not None:
        return sheet.same_or_stale(known, entered)
    sheet.require_changeable(author)
    standing = sheet.require_standing(deal)
    if is_same_report(standing, entered):
        return standing
    entered.number, entered.entry_key, entered.author = deal.number, entry_key, author
    standing.state = TarotDeal.State.CORRECTED
    standing.save(update_fields=["state"])
    sheet.write(entered, corrected)
    standing.corrected_by = entered
    standing.save(update_fields=["corrected_by"])
    sheet.changed(entered, SheetEvent.Kind.CORRECTED, by=author, replaces=standing.pk)
    return entered


@transaction.atomic
def void_deal(*, deal: TarotDeal, reason: str, by: User, at: datetime | None = None) -> TarotDeal:
    """Declare a deal void, with a reason; its number is free for the deal played in its place."""
    sheet = Sheet.lock(deal.table, at=at)
    sheet.require_changeable(by)
    reason = one_line(reason)
    if not reason:
        raise ValidationError(_("Say why the deal is void."), code="reason_missing")
    gone = sheet.voided(deal.pk)
    if gone is not None:
        return gone
    standing = sheet.require_standing(deal)
    sheet.strike(standing, reason=reason, kind=SheetEvent.Kind.VOIDED, by=by)
    return standing


@transaction.atomic
def undo_last_deal(
    *, table: Table, by: User, deal_id: int | None = None, at: datetime | None = None
) -> TarotDeal:
    """Take the deal entered last off the sheet; only its author or a scorer may.

    One that was corrected since is refused: nobody can tell which of the two steps is meant.

    ``deal_id`` is the deal that the page offered to undo: another one entered since is never
    taken in its place (``StaleSheet``).
    """
    sheet = Sheet.lock(table, at=at)
    gone = sheet.voided(deal_id)
    if gone is not None:
        return gone
    sheet.require_open()
    last = entered_last(sheet.deals)
    if last is None:
        raise ValidationError(_("There is no deal to undo."), code="nothing_to_undo")
    if deal_id is not None and deal_id != last.pk:
        raise StaleSheet(standing=last, number=sheet.next_number)
    if last.author_id != by.pk and not may(by, sheet.table.event.club, Role.SCORER):
        raise PermissionDenied(_("Only who entered the last deal and the scorers can undo it."))
    if is_correction(last, sheet.deals):
        raise ValidationError(
            _("This deal has been corrected: correct it again, or declare it void."),
            code="corrected",
        )
    sheet.strike(last, reason="", kind=SheetEvent.Kind.UNDONE, by=by)
    return last


@dataclass
class Sheet:
    """A table's sheet, locked for the rest of the transaction, with what stands on it."""

    table: Table
    seats: list[Seat]
    deals: list[TarotDeal]
    at: datetime

    @classmethod
    def lock(cls, table: Table, *, at: datetime | None) -> Sheet:
        """Lock the table's row, then read the rest.

        Two scorers may press "send" together: the second waits here, so that numbers stay
        unbroken. Round and evening are read after the lock: a join would show them as they were
        before the wait.
        """
        Table.objects.select_for_update().values_list("pk").get(pk=table.pk)
        locked = Table.objects.select_related("round__event").get(pk=table.pk)
        return cls(
            table=locked,
            # Who sits in a seat may be swapped, the seats stay: those already read will do.
            seats=sorted(table.seats.all(), key=lambda seat: seat.place),
            deals=list(locked.tarot_deals.in_play_order()),
            at=at or timezone.now(),
        )

    @property
    def standing(self) -> list[TarotDeal]:
        return [row for row in self.deals if row.is_standing]

    @property
    def next_number(self) -> int | None:
        """The next free number; nothing when every planned deal is written."""
        if len(self.standing) >= self.table.deals_planned:
            return None
        return next_number({row.number for row in self.standing})

    def standing_at(self, number: int | None) -> TarotDeal | None:
        return next((row for row in self.standing if row.number == number), None)

    def entered_with(self, entry_key: UUID) -> TarotDeal | None:
        return next((row for row in self.deals if row.entry_key == entry_key), None)

    def voided(self, pk: int | None) -> TarotDeal | None:
        """Give the deal if it is already void: pressing twice takes nothing else away."""
        void = TarotDeal.State.VOID
        return next((row for row in self.deals if row.pk == pk and row.state == void), None)

    def same_or_stale(self, known: TarotDeal, entered: TarotDeal) -> TarotDeal:
        """Give the deal of this entry key, unless it was sent again with another content."""
        if is_same_report(known, entered):
            return known
        raise StaleSheet(standing=self.standing_at(known.number), number=self.next_number)

    def is_double_press(self, standing: TarotDeal, entered: TarotDeal, *, author: User) -> bool:
        """Did this author send this very deal a moment ago, and the page lost its key?"""
        recent = self.at - standing.recorded_at <= SAME_DEAL_WITHIN
        return recent and standing.author_id == author.pk and is_same_report(standing, entered)

    def free_number(self, number: int | None, *, version: int | None) -> int:
        """Give the number to write at; refuses one that is not, or no longer, the next."""
        free = self.next_number
        seen = free if number is None and version in {None, self.table.version} else number
        if seen is not None and seen == free:
            return free
        if free is None and self.standing_at(number) is None:
            raise ValidationError(
                _("All %(count)s deals of this round are on the sheet."),
                code="sheet_full",
                params={"count": self.table.deals_planned},
            )
        raise StaleSheet(standing=self.standing_at(number), number=free)

    def require_open(self) -> None:
        if not self.table.is_open:
            raise ValidationError(
                _("The round is closed: no deal can be entered or taken back."),
                code="sheet_closed",
            )

    def require_time(self) -> None:
        """Refuse a new deal once the time of the table is over (CA p.4).

        The deal in hand is still written, and one more when that was a misdeal.
        """
        over = clock.over_at(self.table)
        if over is None or self.at < over:
            return
        late = [self._latest_of(row) for row in self._entered_since(over)]
        misdeals = [row for row in late if row.state == TarotDeal.State.VOID and row.void_reason]
        if any(row.is_standing for row in late) or len(misdeals) > 1:
            raise ValidationError(
                _("The time of this round is over: no new deal starts."), code="time_over"
            )

    def _entered_since(self, moment: datetime) -> list[TarotDeal]:
        corrections = {row.corrected_by_id for row in self.deals}
        return [r for r in self.deals if r.recorded_at >= moment and r.pk not in corrections]

    def _latest_of(self, row: TarotDeal) -> TarotDeal:
        by_key = {each.pk: each for each in self.deals}
        while row.corrected_by_id is not None:
            row = by_key[row.corrected_by_id]
        return row

    def require_changeable(self, by: User) -> None:
        """Pass everybody while the round is played, and then only a director."""
        if self.table.round.state == Round.State.DRAWN:
            raise ValidationError(_("The round has not begun."), code="sheet_closed")
        if not self.table.is_open and not may(by, self.table.event.club, Role.DIRECTOR):
            raise PermissionDenied(_("The round is closed: only a director changes its sheets."))

    def require_standing(self, deal: TarotDeal) -> TarotDeal:
        standing = self.standing_at(deal.number)
        if standing is None or standing.pk != deal.pk:
            raise StaleSheet(standing=standing, number=self.next_number)
        return standing

    def row(
        self, deal: tarot.Deal, *, taker: Seat, partner: Seat | None, sits_out: Seat | None
    ) -> TarotDeal:
        """Make the row of a deal, not yet written; refuses what does not fit this table."""
        if deal.ruleset != ruleset_of(self.table):
            raise ValidationError(_("This table plays by other rules."), code="other_rules")
        self._require_seated(taker, partner, sits_out)
        if one_sits_out(self.table, self.seats) != (sits_out is not None):
            raise ValidationError(
                _("Say who sits out this deal.") if sits_out is None else _("Nobody sits out."),
                code="sits_out",
            )
        if sits_out is not None and sits_out in {taker, partner}:
            raise ValidationError(_("Who sits out does not play."), code="sits_out")
        if (deal.called == tarot.Called.PARTNER) != (partner is not None):
            raise ValidationError(_("Say with whom the taker played."), code="partner")
        return TarotDeal(
            table=self.table,
            taker=taker,
            partner=partner,
            sits_out=sits_out,
            recorded_at=self.at,
            **columns_of(deal),
        )

    def _require_seated(self, *seats: Seat | None) -> None:
        if any(seat is not None and seat not in self.seats for seat in seats):
            raise ValidationError(_("This player does not sit at this table."), code="seat")

    def write(self, row: TarotDeal, deal: tarot.Deal) -> None:
        """Insert a deal and the points it gives each seat.

        No ``full_clean``: the engine has judged the value and the sheet its place, and checking
        each foreign key and constraint once more would cost a query apiece in the hottest write.
        """
        row.save(force_insert=True)
        self.deals.append(row)
        points = points_by_seat(
            deal, self.seats, taker=row.taker, partner=row.partner, sits_out=row.sits_out
        )
        Mark.objects.bulk_create(
            Mark(deal=row, seat_id=seat_id, points=mark) for seat_id, mark in points.items()
        )

    def strike(self, row: TarotDeal, *, reason: str, kind: SheetEvent.Kind, by: User) -> None:
        """Let a deal no longer count; it stays readable with who, when and why."""
        row.state = TarotDeal.State.VOID
        row.void_reason, row.voided_by, row.voided_at = reason, by, self.at
        row.save(update_fields=["state", "void_reason", "voided_by", "voided_at"])
        self.changed(row, kind, by=by)

    def reinstate(self, row: TarotDeal, *, by: User) -> None:
        """Let a void deal count again: who declared it void has changed his mind."""
        row.state = TarotDeal.State.STANDING
        row.void_reason, row.voided_by, row.voided_at = "", None, None
        row.save(update_fields=["state", "void_reason", "voided_by", "voided_at"])
        self.changed(row, SheetEvent.Kind.REINSTATED, by=by)

    def changed(self, row: TarotDeal, kind: SheetEvent.Kind, *, by: User, **details: Any) -> None:
        """Bring the totals up to date, write the history and have the standings refreshed."""
        self._add_up_seats()
        self.table.deals_recorded = len(self.standing)
        self.table.version += 1
        self.table.changed_at = self.at
        if self.table.is_open:
            # What the players have signed is no longer what stands there.
            self.table.signed_at = self.table.signed_by = None
        self.table.save(
            update_fields=["deals_recorded", "version", "changed_at", "signed_at", "signed_by"]
        )
        SheetEvent.objects.create(
            table=self.table,
            deal=row,
            kind=kind,
            actor=by,
            at=self.at,
            details={"number": row.number, "version": self.table.version, **details},
        )
        event_id = self.table.round.event_id
        StaleStandings.objects.create(event_id=event_id, marked_at=self.at)
        tasks.refresh_standings.delay_on_commit(event_id)

    def _add_up_seats(self) -> None:
        """Set each seat's total from the standing marks: added up anew, never added to."""
        marks = (
            Mark.objects.filter(seat=OuterRef("pk"), deal__state=TarotDeal.State.STANDING)
            .order_by()
            .values("seat")
        )
        zero = Value(0, output_field=IntegerField())
        self.table.seats.update(
            points=Coalesce(Subquery(marks.annotate(n=Sum("points")).values("n")), zero),
            deals_played=Coalesce(Subquery(marks.annotate(n=Count("pk")).values("n")), zero),
        )
