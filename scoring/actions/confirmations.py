"""The others at a table agree with what one of them entered, or object to it."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime
from typing import Any

from django.core.exceptions import PermissionDenied, ValidationError
from django.db import models, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.models import Role, User
from clubs.names import one_line
from scoring.actions.fixtures import sign_sheet, unsign_sheet
from scoring.actions.objections import count_objections, settle, settle_all
from scoring.actions.sheets import Sheet
from scoring.models import Confirmation, SheetRow
from scoring.rules.agreement import author_of, is_signed_off, seat_of, seat_of_speaker
from tournaments.actions.events import change_event
from tournaments.actions.signing import lock_for_signature, refuse_unready
from tournaments.actors import Actor, account_of, has_entered, may_act_as, phone_of
from tournaments.models import Event, Round, Seat, Table
from tournaments.rules import Conflict, refuse_held

ANSWER = Confirmation.Answer


@transaction.atomic
def confirm_row[Row: SheetRow](
    sheets: type[Sheet[Row]], *, row: Row, by: Actor, at: datetime | None = None
) -> Confirmation:
    """Agree with a row from one's seat, once; what the same player objected to it is settled.

    Refuses the one who entered it and those whom the event does not ask, but for taking their
    own objection back, and with ``StaleSheet`` a row that no longer stands.
    """
    sheet = sheets.lock(row.table, at=at)
    refuse_held(sheet.table, by)
    sheet.require_open()
    standing = sheet.require_standing(row)
    seat = _own_seat(sheet, by)
    refusal = _not_asked(sheet, standing, seat, by)
    own = _own_objections(sheet, standing, seat)
    if refusal is not None and not own:
        raise refusal
    settle_all(own, table=sheet.table, by=by, at=sheet.at, takes=False, taken_back=True)
    return own[-1] if refusal is not None else sheet.agree(standing, seat, by)


@transaction.atomic
def object_to_row[Row: SheetRow](
    sheets: type[Sheet[Row]],
    *,
    row: Row,
    by: Actor,
    note: str = "",
    proposed: Mapping[str, Any] | None = None,
    at: datetime | None = None,
) -> Confirmation:
    """Say from one's seat that a row is wrong, and what should stand there; the director decides.

    Saying it again replaces what this seat said before. Where players have to agree, a signed
    sheet is signed no longer: nobody goes on from what is disputed. Refuses an objection without
    a word.
    """
    _open_signed(row.table, by)
    sheet = sheets.lock(row.table, at=at)
    sheet.require_open()
    standing = sheet.require_standing(row)
    seat = _own_seat(sheet, by)
    note = one_line(note)
    if not note and not proposed:
        raise ValidationError(_("Say what is wrong."), code="note_missing")
    for said_before in _own_objections(sheet, standing, seat):
        said_before.settled_by, said_before.settled_at = account_of(by), sheet.at
        said_before.save(update_fields=["settled_by", "settled_at"])
    said: Confirmation = Confirmation.objects.create(
        table=sheet.table,
        **{sheet.event_name: standing},
        seat=seat,
        answer=ANSWER.OBJECTS,
        note=note,
        proposed=dict(proposed or {}),
        **_said(sheet, by),
    )
    _heard(sheet)
    return said


def _open_signed(table: Table, by: Actor) -> None:
    """Take the signature back from a sheet that is objected to.

    Where others have played on from its result it stays: the director is told all the same.
    """
    if not table.event.asks_to_confirm:
        return
    with suppress(Conflict), transaction.atomic():
        unsign_sheet(table=table, by=by)


@transaction.atomic
def change_confirmation[Row: SheetRow](
    sheets: type[Sheet[Row]], *, event: Event, confirmation: str, by: User
) -> Event:
    """Say who has to agree with what one player enters, and count anew what waits for that.

    Rounds that are closed keep what was asked in them; where nobody has to agree nothing waits.
    """
    event = change_event(event=event, by=by, confirmation=confirmation)
    tables = Table.objects.filter(round__event=event)
    if not event.asks_to_confirm:
        tables.update(unconfirmed=0)
    count_waiting(sheets, tables.filter(round__state=Round.State.PLAYING))
    return event


def count_waiting[Row: SheetRow](sheets: type[Sheet[Row]], tables: models.QuerySet[Table]) -> None:
    """Count anew what waits at tables for somebody to agree, and let the pages hear of it."""
    for table in tables.order_by("pk"):
        sheet = sheets.lock(table, at=None)
        sheet.count_unconfirmed()
        sheet.table.heard_at = sheet.at
        sheet.table.save(update_fields=["unconfirmed", "heard_at"])


@transaction.atomic
def settle_objection(
    *, objection: Confirmation, by: User, takes: bool = False, at: datetime | None = None
) -> Confirmation:
    """Say as the director that an objection has been looked at; one that is settled stays so.

    ``takes``: the version that it proposes stands on the sheet now.
    """
    Event.objects.locked().get(rounds__tables=objection.table_id)
    table = Table.objects.select_for_update(of=("self",)).get(pk=objection.table_id)
    now: Confirmation = Confirmation.objects.select_for_update(of=("self",)).get(pk=objection.pk)
    if now.settled_at is not None:
        return now
    at = at or timezone.now()
    settle(now, table=table, by=by, at=at, takes=takes)
    count_objections(table, at=at)
    return now


@transaction.atomic
def confirm_sheet[Row: SheetRow](
    sheets: type[Sheet[Row]],
    *,
    table: Table,
    by: Actor,
    version: int | None = None,
    at: datetime | None = None,
) -> Table:
    """Sign the whole sheet from one's seat; when the policy is met, the sheet is signed.

    ``version`` is the state of the sheet that was looked at: another one is refused.
    """
    at = at or timezone.now()
    _event, now = lock_for_signature(table)
    if now.signed_at is not None:
        return now
    refuse_held(now, by)
    if version is not None and version != now.version:
        raise Conflict(
            _("The sheet has changed since you looked at it: check it once more."),
            code="sheet_changed",
        )
    refuse_unready(now, at=at)
    sheet = sheets.lock(now, at=at)
    _sign(sheet, _own_seat(sheet, by), by)
    if is_signed_off(
        now.event.confirmation,
        signed=signed_by(now, sheet.seats),
        seats=sheet.seats,
        side_of=lambda seat: sheet.side_of(None, seat),
    ):
        return sign_sheet(table=now, by=by, at=at)
    _heard(sheet)
    return now


def sign[Row: SheetRow](
    sheets: type[Sheet[Row]],
    *,
    table: Table,
    by: Actor,
    version: int | None = None,
    for_all: bool = False,
) -> Table:
    """Sign from one's seat; a scorer signs for the table that has signed on paper.

    One who plays at the table himself does so only by saying ``for_all``.
    """
    is_seated = seat_of(by, list(table.seats.all())) is not None
    if not is_seated or (for_all and may_act_as(by, table.event, Role.SCORER)):
        return sign_sheet(table=table, by=by)
    return confirm_sheet(sheets, table=table, by=by, version=version)


def signed_by(table: Table, seats: list[Seat]) -> list[Seat]:
    """Give the seats that have signed the sheet as it stands now."""
    signed = set(
        table.confirmations.of_the_sheet()
        .filter(table_version=table.version, at__gte=table.changed_at)
        .values_list("seat", flat=True)
    )
    return [seat for seat in seats if seat.pk in signed]


def _sign[Row: SheetRow](sheet: Sheet[Row], seat: Seat, by: Actor) -> None:
    """Write a seat's signature; one that was taken back is given anew."""
    Confirmation.objects.update_or_create(
        table=sheet.table,
        seat=seat,
        table_version=sheet.table.version,
        deal=None,
        truco_line=None,
        answer=ANSWER.AGREES,
        defaults={"given_by": account_of(by), "phone": phone_of(by), "at": sheet.at},
    )


def _own_seat[Row: SheetRow](sheet: Sheet[Row], by: Actor) -> Seat:
    seat = seat_of(by, sheet.seats)
    if seat is None:
        raise PermissionDenied(_("Only the players of this table agree or object."))
    return seat


def _is_own[Row: SheetRow](row: Row, seat: Seat, by: Actor, sheet: Sheet[Row]) -> bool:
    """Did this seat enter the row, or this very phone while it stood for another?"""
    if author_of(row, sheet.seats) == seat or has_entered(by, row):
        return True
    phone = row.phone
    while phone is not None and phone != by:
        phone = phone.replaced_by
    return phone is not None


def _not_asked[Row: SheetRow](
    sheet: Sheet[Row], row: Row, seat: Seat, by: Actor
) -> ValidationError | None:
    """Give the refusal for whoever has no word about a row; nothing for those who are asked."""
    if _is_own(row, seat, by, sheet):
        return ValidationError(
            _("You entered this yourself: somebody else confirms it."), code="own_entry"
        )
    if seat in sheet.question(row, sheet.table.event, sheet.seats).asked:
        return None
    if sheet.side_of(row, seat) is None:
        return ValidationError(_("You sat out here: those who played confirm it."), code="sits_out")
    return ValidationError(
        _("Your own side entered this: a player of the other side confirms it."),
        code="own_side",
    )


def _said[Row: SheetRow](sheet: Sheet[Row], by: Actor) -> dict[str, Any]:
    return {
        "table_version": sheet.table.version,
        "given_by": account_of(by),
        "phone": phone_of(by),
        "at": sheet.at,
    }


def _own_objections[Row: SheetRow](sheet: Sheet[Row], row: Row, seat: Seat) -> list[Confirmation]:
    """Give what this player has objected to a row, wherever he sat then."""
    said = sheet.objections_to(row)
    return [each for each in said if seat_of_speaker(each, sheet.seats) == seat]


def _heard[Row: SheetRow](sheet: Sheet[Row]) -> None:
    count_objections(sheet.table, at=sheet.at)
