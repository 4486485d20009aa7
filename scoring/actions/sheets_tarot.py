"""What happens on a tarot sheet: a deal is entered, corrected, declared void, taken back."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from uuid import UUID

from django.core.exceptions import ValidationError
from django.db import connection, transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.models import Role
from clubs.prepared import PreparedInsert, PreparedRead, keep
from rules_engine import tarot
from scoring.actions.sheets import Sheet, undo_last_row, void_row
from scoring.models import Mark, SheetRow, TarotDeal
from scoring.rules import one_sits_out
from scoring.rules.rulings import NOT_GRANTED, grants_needed, is_barred, is_granted
from scoring.rules.tarot import columns_of, deal_of, is_same_report, points_by_seat, ruleset_of
from tournaments import clock
from tournaments.actors import Actor, may_act_as
from tournaments.models import Ruling, Seat, Table

#: In SQL: to put it together anew for each deal would take longer than to carry it out. Only the
#: table's own deals are named: a database that has not yet measured its tables looks at all of them
#: otherwise, for each seat.
ADD_UP = """
    UPDATE tournaments_seat SET (points, deals_played) = (
        SELECT COALESCE(SUM(mark.points), 0), COUNT(*)
        FROM scoring_tarotdeal AS deal JOIN scoring_mark AS mark ON mark.deal_id = deal.id
        WHERE deal.table_id = tournaments_seat.table_id AND deal.state = %s
            AND mark.seat_id = tournaments_seat.id
    )
    WHERE table_id = %s
"""

INSERT_MARKS = PreparedInsert(Mark)


@transaction.atomic
def record_tarot_deal(
    *,
    table: Table,
    entry_key: UUID,
    deal: tarot.Deal,
    taker: Seat,
    by: Actor,
    partner: Seat | None = None,
    sits_out: Seat | None = None,
    number: int | None = None,
    version: int | None = None,
    at: datetime | None = None,
) -> TarotDeal:
    """Write the next deal on the table's sheet (see ``Sheet.enter``)."""
    sheet = TarotSheet.lock(table, at=at)
    entered = sheet.row(deal, taker=taker, partner=partner, sits_out=sits_out)
    return sheet.enter(entered, entry_key=entry_key, by=by, number=number, version=version)


@transaction.atomic
def correct_tarot_deal(
    *,
    deal: TarotDeal,
    corrected: tarot.Deal,
    entry_key: UUID,
    taker: Seat,
    by: Actor,
    partner: Seat | None = None,
    sits_out: Seat | None = None,
    why: str = "",
    at: datetime | None = None,
) -> TarotDeal:
    """Put a new version in the place of a deal (see ``Sheet.replace``)."""
    sheet = TarotSheet.lock(deal.table, at=at)
    entered = sheet.row(corrected, taker=taker, partner=partner, sits_out=sits_out)
    return sheet.replace(deal, entered, entry_key=entry_key, by=by, why=why)


def void_deal(*, deal: TarotDeal, reason: str, by: Actor, at: datetime | None = None) -> TarotDeal:
    """Declare a deal void (see ``void_row``)."""
    return void_row(TarotSheet, row=deal, reason=reason, by=by, at=at)


def undo_last_deal(
    *, table: Table, by: Actor, deal_id: int | None = None, at: datetime | None = None
) -> TarotDeal:
    """Take the deal entered last off the sheet (see ``undo_last_row``)."""
    return undo_last_row(TarotSheet, table=table, by=by, row_id=deal_id, at=at)


@dataclass
class TarotSheet(Sheet[TarotDeal]):
    """A sheet of so many deals, whose marks add up to zero."""

    read_rows = PreparedRead(TarotDeal.objects.in_play_order(), "table")
    insert_row = PreparedInsert(TarotDeal)
    rows_name = "tarot_deals"
    event_name = "deal"
    is_unmistakable = True

    @staticmethod
    def side_of(row: SheetRow | None, seat: Seat) -> Hashable | None:
        if not isinstance(row, TarotDeal):
            return seat.pk
        if seat.pk == row.sits_out_id:
            return None
        return "attack" if seat.pk in {row.taker_id, row.partner_id} else "defence"

    def is_full(self) -> bool:
        return len(self.standing) >= self.table.deals_planned

    def full(self) -> ValidationError:
        return ValidationError(
            ngettext(
                "The deal of this round is on the sheet.",
                "All %(n)s deals of this round are on the sheet.",
                self.table.deals_planned,
            ),
            code="sheet_full",
            params={"n": self.table.deals_planned},
        )

    def is_same(self, one: TarotDeal, other: TarotDeal) -> bool:
        return is_same_report(one, other)

    def require_time(self) -> None:
        """Refuse a new deal once the time of the table is over (CA p.4).

        The deal in hand is still written, and one more when that was a misdeal.
        """
        over = clock.over_at(self.table)
        if over is None or self.at < over:
            return
        late = [self._latest_of(row) for row in self._entered_since(over)]
        misdeals = [row for row in late if row.state == TarotDeal.State.VOID and row.void_reason]
        if any(row.is_standing or self._is_removed(row) for row in late) or len(misdeals) > 1:
            raise ValidationError(
                _("The time of this round is over: no new deal starts."), code="time_over"
            )

    def _is_removed(self, row: TarotDeal) -> bool:
        """Is the deal void by a ruling that lets no other be dealt in its place?"""
        # The strike bears the time of its ruling: that is how the two find each other.
        return row.state == TarotDeal.State.VOID and any(
            ruling.outcome == Ruling.Outcome.REMOVED and ruling.ruled_at == row.voided_at
            for ruling in self.rulings
        )

    @cached_property
    def rulings(self) -> list[Ruling]:
        """The rulings about this table that stand."""
        return list(self.table.rulings.standing()) if self.is_ruled_on else []

    def require_ruled(
        self,
        entered: TarotDeal,
        number: int,
        *,
        by: Actor,
        instead_of: TarotDeal | None = None,
    ) -> None:
        """Refuse a taker whom the referee barred, and in a tournament what he has not granted.

        What a director writes himself is granted.
        """
        if is_barred(entered.taker, number, rulings=self.rulings, rows=self.rows):
            raise ValidationError(
                _("%(player)s may not bid on deal %(number)s: so the referee has ruled."),
                code="barred",
                params={"player": entered.taker.player.shown_name, "number": number},
            )
        if not self.table.event.is_tournament:
            return
        before = set() if instead_of is None else set(grants_needed(instead_of))
        for grant in grants_needed(entered):
            is_known = grant in before and entered.taker == getattr(instead_of, "taker", None)
            if is_known or is_granted(grant, entered.taker, number, rulings=self.rulings):
                continue
            if not may_act_as(by, self.table.event, Role.DIRECTOR):
                raise ValidationError(NOT_GRANTED[grant], code="not_granted")

    def _entered_since(self, moment: datetime) -> list[TarotDeal]:
        corrections = {row.corrected_by_id for row in self.rows}
        return [r for r in self.rows if r.recorded_at >= moment and r.pk not in corrections]

    def _latest_of(self, row: TarotDeal) -> TarotDeal:
        by_key = {each.pk: each for each in self.rows}
        while row.corrected_by_id is not None:
            row = by_key[row.corrected_by_id]
        return row

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

    def write(self, row: TarotDeal) -> None:
        """Insert a deal and the points it gives each seat."""
        super().write(row)
        points = points_by_seat(
            deal_of(row, ruleset_of(self.table)),
            self.seats,
            taker=row.taker,
            partner=row.partner,
            sits_out=row.sits_out,
        )
        marks = (Mark(deal=row, seat_id=seat_id, points=mark) for seat_id, mark in points.items())
        keep(row, "marks", INSERT_MARKS(*marks))

    def add_up(self) -> None:
        """Set each seat's total from the standing marks."""
        with connection.cursor() as cursor:
            cursor.execute(ADD_UP, [TarotDeal.State.STANDING, self.table.pk])
