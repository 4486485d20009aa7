"""What the referee decides: his ledger beside the sheets, and deals that no longer count."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.names import one_line
from scoring import tasks
from scoring.actions.sheets_tarot import TarotSheet
from scoring.actions.sheets_truco import TrucoSheet
from scoring.models import SheetEvent, StaleStandings, TarotDeal
from tournaments import faults
from tournaments.actions.journal import write_line
from tournaments.actors import Actor, account_of, phone_of
from tournaments.games import facts_of
from tournaments.models import Entry, Event, JournalLine, Round, Ruling, Table
from tournaments.rules import Conflict, refuse_held

type Sentence = tuple[Ruling.Kind, int]


@transaction.atomic
def record_ruling(
    *,
    event: Event,
    fault: str,
    by: Actor,
    kind: Ruling.Kind | None = None,
    points: int = 0,
    entry: Entry | None = None,
    table: Table | None = None,
    deal_number: int | None = None,
    outcome: Ruling.Outcome | None = Ruling.Outcome.COUNTS,
    note: str = "",
    entry_key: UUID | None = None,
    at: datetime | None = None,
) -> Ruling:
    """Write a line of the ledger; the same ``entry_key`` twice is one ruling.

    Without a ``kind`` the list of faults says what it costs, without an ``outcome`` what becomes
    of the deal. Refuses a second warning for one fault, people and tables of another evening, a
    deal that the table does not play, and one whose result must decide but is not written yet.
    """
    # Rulings and withdrawals of an evening come one after another, so that a second fault is
    # never taken for a first one.
    event = Event.objects.locked().get(pk=event.pk)
    known = Ruling.objects.filter(event=event, entry_key=entry_key).first() if entry_key else None
    if known is not None:
        return known
    if event.is_imported:
        raise ValidationError(
            _("These results came as a list: there is no sheet to rule on."), code="imported"
        )
    _refuse_foreign_to_the_game(event, fault, kind)
    this_round = _round_of(event, table)
    _refuse_another_evening(event, entry)
    kind, points = _sentence(event, entry, fault, kind, points)
    if outcome is None:
        said = faults.FAULTS[fault].deal
        deal_number = deal_number or _last_deal(said, table)
        outcome = _outcome_by_the_list(said, entry, table, deal_number)
    ruling = Ruling(
        event=event,
        kind=kind,
        points=points,
        entry=entry,
        round=this_round,
        table=table,
        deal_number=deal_number,
        fault=fault,
        note=one_line(note),
        outcome=outcome,
        entry_key=entry_key,
        ruled_by=account_of(by),
        phone=phone_of(by),
        ruled_at=at or timezone.now(),
    )
    ruling.full_clean()
    ruling.save()
    _apply_outcome(ruling, by=by)
    _write(ruling, JournalLine.Kind.RULED, by=by)
    return ruling


@transaction.atomic
def withdraw_ruling(*, ruling: Ruling, why: str, by: Actor, at: datetime | None = None) -> Ruling:
    """Strike a ruling through, with the reason; the deal that it declared void counts again.

    One that is withdrawn stays as it is. Refuses while another deal stands in the place of the
    void one.
    """
    event = Event.objects.locked().get(pk=ruling.event_id)
    now = event.rulings.get(pk=ruling.pk)
    if not now.stands:
        return now
    why = one_line(why)
    if not why:
        raise ValidationError(_("Say why the ruling is withdrawn."), code="reason_missing")
    _take_outcome_back(now, by=by, at=at)
    now.withdrawn_at, now.withdrawn_why = at or timezone.now(), why
    now.withdrawn_by, now.withdrawn_phone = account_of(by), phone_of(by)
    now.full_clean()
    now.save(update_fields=["withdrawn_at", "withdrawn_by", "withdrawn_phone", "withdrawn_why"])
    _write(now, JournalLine.Kind.RULING_WITHDRAWN, by=by)
    return now


def _refuse_foreign_to_the_game(event: Event, fault: str, kind: Ruling.Kind | None) -> None:
    """Pass what the game of the event knows: where games are won nobody loses points."""
    if facts_of(event.game).effects and (fault != faults.OTHER or kind == Ruling.Kind.PENALTY):
        raise ValidationError(
            _("Games are won here: a fault costs a tento, the hand, the game or the tournament."),
            code="no_points_here",
        )


def _sentence(
    event: Event, entry: Entry | None, fault: str, kind: Ruling.Kind | None, points: int
) -> Sentence:
    if fault not in faults.FAULTS:
        raise ValidationError(_("Choose a fault of the list."), code="unknown_fault")
    before = Ruling.objects.of_fault(entry, fault).standing() if entry else Ruling.objects.none()
    is_by_the_list = kind is None
    if kind is None:
        kind, points = _by_the_list(faults.FAULTS[fault], list(before))
    if kind == Ruling.Kind.DECISION:
        return kind, 0
    if entry is None:
        raise ValidationError(_("Say who is at fault."), code="nobody")
    if kind == Ruling.Kind.WARNING:
        if not is_by_the_list:
            _refuse_a_second_warning(before.order_by("ruled_at").first(), entry)
        return kind, 0
    if points <= 0:
        raise ValidationError(_("A penalty takes points from somebody."), code="penalty")
    return kind, points


def _by_the_list(fault: faults.Fault, before: list[Ruling]) -> Sentence:
    penalties = sum(each.kind == Ruling.Kind.PENALTY for each in before)
    if fault.warning_first and not before:
        return Ruling.Kind.WARNING, 0
    if not fault.amounts:
        return Ruling.Kind.DECISION, 0
    return Ruling.Kind.PENALTY, fault.amounts[min(penalties, len(fault.amounts) - 1)]


def _refuse_a_second_warning(first: Ruling | None, entry: Entry | None) -> None:
    if first is not None:
        raise ValidationError(
            _("%(player)s was already warned for this: the second time it costs points."),
            code="warned_before",
            params={"player": entry},
        )


def _round_of(event: Event, table: Table | None) -> Round | None:
    if table is None:
        return None
    found = event.rounds.published().filter(pk=table.round_id).first()
    if found is None:
        raise ValidationError(_("This table is not of this evening."), code="another_evening")
    return found


def _refuse_another_evening(event: Event, entry: Entry | None) -> None:
    if entry is not None and entry.event_id != event.pk:
        raise ValidationError(_("This player is not of this evening."), code="another_evening")


def _outcome_by_the_list(
    said: faults.Deal, entry: Entry | None, table: Table | None, deal_number: int | None
) -> Ruling.Outcome:
    if said == faults.Deal.COUNTS:
        return Ruling.Outcome.COUNTS
    if table is None or deal_number is None:
        raise _no_deal_said()
    if said == faults.Deal.REMOVED:
        return Ruling.Outcome.REMOVED
    if said == faults.Deal.VOID:
        return Ruling.Outcome.REPLAYED
    deal = TarotSheet.lock(table, at=None).standing_at(deal_number)
    if deal is None:
        raise ValidationError(
            _(
                "Only its result says whether deal %(number)s counts: write it on the sheet "
                "first, or choose what becomes of it."
            ),
            code="no_result",
            params={"number": deal_number},
        )
    return Ruling.Outcome.REPLAYED if _is_void(said, deal, entry) else Ruling.Outcome.COUNTS


def _last_deal(said: faults.Deal, table: Table | None) -> int | None:
    """Give the deal that is removed when none is named: the last, as long as it is not written."""
    if said != faults.Deal.REMOVED or table is None:
        return None
    sheet = TarotSheet.lock(table, at=None)
    last = sheet.table.deals_planned
    return None if sheet.standing_at(last) else last


def _is_void(said: faults.Deal, deal: TarotDeal, entry: Entry | None) -> bool:
    if said == faults.Deal.VOID_IF_MADE:
        return deal.is_made
    if said == faults.Deal.VOID_IF_LOST:
        return not deal.is_made
    if entry is None:
        raise ValidationError(_("Say who is at fault."), code="nobody")
    attack = {seat.entry_id for seat in (deal.taker, deal.partner) if seat is not None}
    return deal.is_made == (entry.pk in attack)


def _apply_outcome(ruling: Ruling, *, by: Actor) -> None:
    if ruling.outcome == Ruling.Outcome.COUNTS:
        return
    sheet = _sheet_of(ruling)
    _refuse_held_sheet(sheet, by)
    reason = faults.FAULTS[ruling.fault].words
    standing = sheet.standing_at(ruling.deal_number)
    if ruling.outcome == Ruling.Outcome.REMOVED:
        _plan(sheet, -1)
    if standing is not None:
        sheet.strike(standing, reason=reason, kind=SheetEvent.Kind.VOIDED, by=by)


def _take_outcome_back(ruling: Ruling, *, by: Actor, at: datetime | None) -> None:
    for line in ruling.truco_lines.standing().select_related("table"):
        truco = TrucoSheet.lock(line.table, at=at)
        _refuse_held_sheet(truco, by)
        truco.strike(truco.require_standing(line), reason="", kind=SheetEvent.Kind.UNDONE, by=by)
    if ruling.outcome == Ruling.Outcome.COUNTS or ruling.table is None:
        return
    sheet = TarotSheet.lock(ruling.table, at=at)
    _refuse_held_sheet(sheet, by)
    if ruling.outcome == Ruling.Outcome.REMOVED:
        _plan(sheet, +1)
    # The strike bears the time of its ruling: that is how the two find each other.
    gone = next(
        (
            row
            for row in sheet.rows
            if row.number == ruling.deal_number
            and row.state == TarotDeal.State.VOID
            and row.voided_at == ruling.ruled_at
        ),
        None,
    )
    if gone is not None:
        _refuse_taken_number(sheet, gone)
        sheet.reinstate(gone, by=by)


def _refuse_held_sheet(sheet: TarotSheet | TrucoSheet, by: Actor) -> None:
    """Pass a director everywhere, and a referee's phone where the tables still write."""
    if phone_of(by) is None:
        return
    refuse_held(sheet.table, by)
    if not sheet.table.is_open:
        raise Conflict(
            _("The round is closed: only a director changes its sheets."), code="sheet_closed"
        )


def _refuse_taken_number(sheet: TarotSheet, gone: TarotDeal) -> None:
    if sheet.standing_at(gone.number) is not None:
        raise ValidationError(
            _("Another deal %(number)s stands on the sheet. Declare it void first."),
            code="number_taken",
            params={"number": gone.number},
        )


def _sheet_of(ruling: Ruling) -> TarotSheet:
    if ruling.table is None or ruling.deal_number is None:
        raise _no_deal_said()
    sheet = TarotSheet.lock(ruling.table, at=ruling.ruled_at)
    if not 1 <= ruling.deal_number <= sheet.table.deals_planned:
        raise ValidationError(
            ngettext(
                "Table %(number)s plays %(deals)s deal.",
                "Table %(number)s plays %(deals)s deals.",
                sheet.table.deals_planned,
            ),
            code="no_such_deal",
            params={"number": sheet.table.number, "deals": sheet.table.deals_planned},
        )
    return sheet


def _no_deal_said() -> ValidationError:
    return ValidationError(_("Say which deal of which table is void."), code="which_deal")


def _plan(sheet: TarotSheet, more: int) -> None:
    planned = sheet.table.deals_planned + more
    if planned < 1:
        raise ValidationError(
            _("It is the only deal of table %(number)s: it can be dealt again, not removed."),
            code="only_deal",
            params={"number": sheet.table.number},
        )
    sheet.table.deals_planned = planned
    sheet.table.changed_at = sheet.at
    sheet.table.save(update_fields=["deals_planned", "changed_at"])


def _write(ruling: Ruling, kind: JournalLine.Kind, *, by: Actor) -> None:
    player = ruling.entry.players.first() if ruling.entry else None
    write_line(
        ruling.event,
        kind,
        by,
        ruling=ruling.pk,
        fault=ruling.fault,
        points=ruling.points,
        **({"player": player.pk} if player else {}),
        **({"table": ruling.table.number} if ruling.table else {}),
    )
    StaleStandings.objects.create(event_id=ruling.event_id)
    tasks.refresh_standings.soon_on_commit(ruling.event_id)
