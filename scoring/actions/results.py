"""The results of a tournament: how long they are provisional, and that they are final."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.models import User
from scoring import results
from scoring.models import StaleStandings
from tournaments.actions.journal import write_line
from tournaments.models import Event, JournalLine, ResultVersion


@transaction.atomic
def declare_final(*, event: Event, by: User | None, without_missing: bool = False) -> ResultVersion:
    """Make the provisional results final before their time; a second press finds them final.

    Refuses while the tournament is open, while sheets are still being counted, and while closed
    sheets miss deals or signatures that nobody gave up, or a player objects to one, unless told
    that they stay as they are.
    """
    event = Event.objects.locked().get(pk=event.pk)
    last = results.latest(event)
    if not event.is_closed or last is None:
        raise ValidationError(
            _("Close the tournament first: only then are there results."), code="not_closed"
        )
    if StaleStandings.objects.filter(event=event).exists():
        raise ValidationError(
            _("A sheet has changed and is being counted. Try again in a moment."),
            code="being_counted",
        )
    if last.state == ResultVersion.State.FINAL:
        return last
    if not without_missing:
        _refuse_unsettled(event)
    final = results.make_final(event, at=timezone.now(), by=by)
    write_line(event, JournalLine.Kind.RESULT_FINAL, by, version=last.number + 1)
    return final or last


def _refuse_unsettled(event: Event) -> None:
    unsettled = results.unsettled_sheets(event)
    if unsettled:
        first = unsettled[0]
        raise ValidationError(
            _why_unsettled(first),
            code="sheet_short" if first.is_short else "sheet_unsettled",
            params={
                "round": first.table.round.number,
                "number": first.table.number,
                "done": first.table.deals_recorded,
                "planned": first.table.deals_planned,
            },
        )


def _why_unsettled(sheet: results.Unsettled) -> str:
    if sheet.has_objection:
        return _(
            "In round %(round)s a player objects to the sheet of table %(number)s. Settle it, or "
            "say that the sheet stays as it is."
        )
    if sheet.is_short:
        return _(
            "In round %(round)s the sheet of table %(number)s has %(done)s of %(planned)s "
            "deals. Complete it, or say that it stays as it is."
        )
    return _(
        "In round %(round)s the sheet of table %(number)s is not signed. Say that it stays as it "
        "is, or reopen the tournament."
    )


@transaction.atomic
def change_provisional_hours(*, event: Event, hours: int, by: User | None) -> Event:
    """Say how long the results stay provisional after the end; refuses once they are final."""
    event = Event.objects.locked().get(pk=event.pk)
    last = results.latest(event)
    if event.is_closed and last is not None and last.state == ResultVersion.State.FINAL:
        raise ValidationError(_("The results are final."), code="final")
    event.provisional_hours = hours
    event.full_clean()
    event.save(update_fields=["provisional_hours"])
    if event.is_closed and last is not None:
        # The version stays as it was published: only the moment of its end moves.
        last.final_from = results.final_from(event, last)
        last.save(update_fields=["final_from"])
    write_line(event, JournalLine.Kind.CHANGED, by, fields=["provisional_hours"])
    return event


@transaction.atomic
def declare_tie_breaks(*, event: Event, codes: list[str], by: User | None) -> Event:
    """Say how equal points are told apart; refuses once a deal has been played."""
    event = Event.objects.locked().get(pk=event.pk)
    if event.entries.played().exists():
        raise ValidationError(
            _("Tie-breaks are declared before the first deal."), code="already_played"
        )
    event.tie_breaks = codes
    event.save(update_fields=["tie_breaks"])
    write_line(event, JournalLine.Kind.CHANGED, by, fields=["tie_breaks"])
    return event
