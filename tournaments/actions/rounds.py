"""The end of a round, and how many deals a table plays."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import F, Q, Sum
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from clubs.models import User
from tournaments import clock
from tournaments.actions.fixtures import write_down_event
from tournaments.actions.journal import write_line
from tournaments.actions.phones import let_go
from tournaments.models import Event, Fixture, JournalLine, Round, Seat, Table
from tournaments.rules import Conflict, points_on, refuse_closed

MOST_DEALS = 50


@transaction.atomic
def close_round(
    *,
    this_round: Round,
    by: User | None,
    without_missing: bool = False,
    without: Collection[int] = (),
) -> Round:
    """End a round; a second press finds it closed.

    Refuses a sheet that does not add up to zero, and missing deals unless told to do without.
    In a tournament every sheet must be signed too, and where players have to agree with what
    one of them enters, they must have agreed and nobody object. What is not ready is given up
    table by table: ``without`` holds the numbers of those that are closed as they stand. A refusal
    names all that is the matter at each table.
    """
    event, now = _locked(this_round)
    if now.state == Round.State.CLOSED:
        return now
    refuse_closed(event)
    if now.is_proposal:
        raise Conflict(_("This round has not started yet."), code="round_not_started")
    now.event = event
    tables = _tables_of(now)
    gives_up = without_missing and not event.is_tournament
    _refuse_unready(tables, without, gives_up_missing=gives_up, at=timezone.now())
    missing = [table.number for table in tables if not table.is_complete]
    if event.is_tournament:
        _refuse_wrong_field(event)
    now.state = Round.State.CLOSED
    now.closed_at = timezone.now()
    now.save(update_fields=["state", "closed_at"])
    now.tables.update(state=Table.State.CLOSED)
    write_line(
        event,
        JournalLine.Kind.ROUND_CLOSED,
        by,
        round=now.number,
        missing=missing,
        without=sorted(without),
        **_let_pass(tables),
    )
    let_go(event, now, by, at=now.closed_at)
    write_down_event(event)
    return now


@transaction.atomic
def reopen_round(*, this_round: Round, by: User | None) -> Round:
    """Open the last round and its sheets again; one that is open stays so.

    Refuses a round after which another was drawn.
    """
    event, now = _locked(this_round)
    if now.state == Round.State.PLAYING:
        return now
    refuse_closed(event)
    if now.is_proposal:
        raise Conflict(_("This round has not started yet."), code="round_not_started")
    if event.rounds.filter(number__gt=now.number).exists():
        raise Conflict(
            _("Only the last round can be reopened. Drop the draw that follows it first."),
            code="not_the_last_round",
        )
    now.state = Round.State.PLAYING
    now.closed_at = None
    now.save(update_fields=["state", "closed_at"])
    _open_sheets(event, now)
    write_line(event, JournalLine.Kind.ROUND_REOPENED, by, round=now.number)
    return now


def _open_sheets(event: Event, now: Round) -> None:
    tables = now.tables.all()
    if event.meets_in_fixtures:
        # A result that the director entered stays his, and a table that its fixture has left
        # stays closed. A signed sheet decided its fixture at the moment of the signature.
        undecided, by_its_sheet = Q(decided_at=None), Q(decided_at=F("table__signed_at"))
        of_sheets = Fixture.objects.filter(undecided | by_its_sheet, table__round=now)
        tables = tables.filter(pk__in=of_sheets.values("table"))
    tables.update(state=Table.State.OPEN, changed_at=timezone.now())


@transaction.atomic
def change_deals(*, table: Table, deals_planned: int, by: User | None) -> Table:
    """Let a table play more or fewer deals than planned; never fewer than it has written."""
    event, this_round = _locked(table.round)
    refuse_closed(event)
    if this_round.state == Round.State.CLOSED:
        raise Conflict(
            _("Round %(number)s is already closed."),
            code="round_closed",
            params={"number": this_round.number},
        )
    table = this_round.tables.locked().get(pk=table.pk)
    fewest = max(1, table.deals_recorded)
    if not fewest <= deals_planned <= MOST_DEALS:
        raise ValidationError(
            _("Table %(number)s can play from %(fewest)s to %(most)s deals."),
            code="deals_out_of_range",
            params={"number": table.number, "fewest": fewest, "most": MOST_DEALS},
        )
    if table.deals_planned == deals_planned:
        return table
    table.deals_planned = deals_planned
    # The players have signed another number of deals.
    table.signed_at = table.signed_by = None
    # Not the version: a deal that somebody is typing at the table stays good.
    table.changed_at = timezone.now()
    table.save(update_fields=["deals_planned", "changed_at", "signed_at", "signed_by"])
    write_line(
        event,
        JournalLine.Kind.DEALS_CHANGED,
        by,
        round=this_round.number,
        table=table.number,
        deals=deals_planned,
    )
    return table


def _locked(this_round: Round) -> tuple[Event, Round]:
    event = Event.objects.locked().get(pk=this_round.event_id)
    now = event.rounds.select_for_update(of=("self",), no_key=True).filter(pk=this_round.pk).first()
    if now is None:
        raise Conflict(_("This round is gone: somebody drew again."), code="draw_gone")
    return event, now


def _tables_of(now: Round) -> list[Table]:
    tables = list(now.tables.locked().prefetch_related("seats"))
    for table in tables:
        table.round = now
    return tables


def _let_pass(tables: list[Table]) -> dict[str, list[int]]:
    """Give for the journal the tables that count although not everybody agrees with them."""
    return {
        "unconfirmed": [table.number for table in tables if table.rows_waiting],
        "objected": [table.number for table in tables if table.objections],
    }


def _deals_missing(tables: list[int]) -> ValidationError:
    return ValidationError(
        ngettext(
            "Deals are missing on the sheet of table %(tables)s.",
            "Deals are missing on the sheets of tables %(tables)s.",
            len(tables),
        ),
        code="deals_missing",
        params={"tables": ", ".join(map(str, tables))},
    )


def _refuse_unready(
    tables: list[Table], without: Collection[int], *, gives_up_missing: bool, at: datetime
) -> None:
    named: dict[Table, list[str]] = {}
    for table in tables:
        troubles = _troubles_of(table, gives_up_missing=gives_up_missing, at=at)
        if table.number in without:
            troubles = [each for each in troubles if _stays(each, table.event)]
        if troubles:
            named[table] = troubles
    if named:
        raise _not_ready(named)


def _not_ready(named: Mapping[Table, Sequence[str]]) -> ValidationError:
    """Give the refusal: one that says how to go on is told by its kind or its code."""
    faults, numbers = _refusals(named), [table.number for table in named]
    event = next(iter(named)).event
    stays = any(_stays(trouble, event) for troubles in named.values() for trouble in troubles)
    if not stays and _lets_tables_pass(event):
        return TablesNotReady(faults, tables=numbers)
    return faults[0] if len(faults) == 1 else ValidationError(faults)


def _troubles_of(table: Table, *, gives_up_missing: bool, at: datetime) -> list[str]:
    """Give all that keeps a sheet from its end, by code.

    Where tables are let pass, a sheet is complete after the end of time with the deals that it
    holds. One that is not complete need not be signed yet. A signature says of the whole sheet
    what the players say of each row.
    """
    event = table.event
    is_over = _lets_tables_pass(event) and clock.is_over(table, at=at)
    lacks = not table.is_complete and not gives_up_missing
    is_blank = lacks and is_over and not table.deals_recorded
    is_unsigned = event.is_tournament and table.signed_at is None
    found = {
        "not_zero": points_on(table) != 0,
        "deals_missing": lacks and not is_over,
        "left_blank": is_blank,
        "not_signed": is_unsigned and not is_blank and (not lacks or is_over),
        "not_confirmed": not event.is_tournament and table.rows_waiting > 0,
        "objection_open": table.objections > 0,
    }
    return [code for code, is_so in found.items() if is_so]


def _lets_tables_pass(event: Event) -> bool:
    """Are tables that are not ready given up by their numbers?"""
    return event.is_tournament or event.asks_to_confirm


def _stays(trouble: str, event: Event) -> bool:
    """Is this put right first, whatever the director gives up?

    Nothing closes over a wrong sum, nor over a player who says that his sheet is wrong where
    nobody has to agree with it.
    """
    is_disputed = trouble == "objection_open" and not event.asks_to_confirm
    return trouble == "not_zero" or is_disputed


def _refusals(troubles: Mapping[Table, Sequence[str]]) -> list[ValidationError]:
    """Give one sentence for all tables with the same troubles, in the order of the tables."""
    alike: dict[tuple[object, ...], list[Table]] = {}
    for table, codes in troubles.items():
        alike.setdefault((*codes, points_on(table)), []).append(table)
    return [_refusal(troubles[tables[0]], tables) for tables in alike.values()]


def _refusal(codes: Sequence[str], tables: Sequence[Table]) -> ValidationError:
    numbers, points = [table.number for table in tables], f"{points_on(tables[0]):+d}"
    if len(codes) == 1 and codes[0] in ALONE:
        return ALONE[codes[0]](numbers)
    if list(codes) == ["not_zero"] and len(numbers) == 1:
        return _wrong_sum(numbers[0], points)
    return _several(codes, numbers, points)


def _several(codes: Sequence[str], tables: list[int], points: str) -> ValidationError:
    said = [str(CLAUSES[code]) % {"points": points} for code in codes]
    return ValidationError(
        ngettext(
            "Table %(tables)s: %(troubles)s.", "Tables %(tables)s: %(troubles)s.", len(tables)
        ),
        code=codes[0] if len(codes) == 1 else "several_troubles",
        params={"tables": ", ".join(map(str, tables)), "troubles": ", ".join(said)},
    )


def _wrong_sum(number: int, points: str) -> ValidationError:
    return ValidationError(
        _("The sheet of table %(number)s adds up to %(points)s: correct it first."),
        code="not_zero",
        params={"number": number, "points": points},
    )


class TablesNotReady(ValidationError):  # noqa: N818 - a refusal, not a mistake
    """Sheets that are not complete, signed or agreed with; ``tables`` are their numbers."""

    def __init__(self, faults: list[ValidationError], *, tables: list[int]) -> None:
        super().__init__(faults)
        self.code = "tables_not_ready"
        self.tables = sorted(set(tables))


def _not_signed(tables: list[int]) -> ValidationError:
    return ValidationError(
        ngettext(
            "The sheet of table %(tables)s is not signed.",
            "The sheets of tables %(tables)s are not signed.",
            len(tables),
        ),
        code="not_signed",
        params={"tables": ", ".join(map(str, tables))},
    )


def _not_confirmed(tables: list[int]) -> ValidationError:
    return ValidationError(
        ngettext(
            "The sheet of table %(tables)s is not confirmed by its players.",
            "The sheets of tables %(tables)s are not confirmed by their players.",
            len(tables),
        ),
        code="not_confirmed",
        params={"tables": ", ".join(map(str, tables))},
    )


def _objected(tables: list[int]) -> ValidationError:
    return ValidationError(
        ngettext(
            "A player of table %(tables)s objects to the sheet: settle it first.",
            "Players of tables %(tables)s object to their sheets: settle that first.",
            len(tables),
        ),
        code="objection_open",
        params={"tables": ", ".join(map(str, tables))},
    )


def _left_blank(tables: list[int]) -> ValidationError:
    return ValidationError(
        ngettext(
            "The time is over and table %(tables)s has written no deal: give the table up.",
            "The time is over and tables %(tables)s have written no deal: give these tables up.",
            len(tables),
        ),
        code="left_blank",
        params={"tables": ", ".join(map(str, tables))},
    )


#: The sentence for tables with one trouble only, and what is said of each among several.
ALONE: Mapping[str, Callable[[list[int]], ValidationError]] = {
    "deals_missing": _deals_missing,
    "left_blank": _left_blank,
    "not_signed": _not_signed,
    "not_confirmed": _not_confirmed,
    "objection_open": _objected,
}
CLAUSES: Mapping[str, Any] = {
    "not_zero": gettext_lazy("the sheet adds up to %(points)s"),
    "deals_missing": gettext_lazy("deals are missing"),
    "left_blank": gettext_lazy("the time is over and no deal is written"),
    "not_signed": gettext_lazy("not signed"),
    "not_confirmed": gettext_lazy("not confirmed by the players"),
    "objection_open": gettext_lazy("a player objects"),
}


def _refuse_wrong_field(event: Event) -> None:
    """All positives and all negatives of the tournament must cancel (OT p.10)."""
    sums = Seat.objects.filter(round__event=event, table__best_of=None)
    sums = sums.exclude(round__state=Round.State.DRAWN)
    wrong = list(
        sums.order_by("round__number", "table__number")
        .values_list("round__number", "table__number")
        .annotate(sum=Sum("points"))
        .exclude(sum=0)
    )
    if wrong:
        number, table, points = wrong[0]
        raise ValidationError(
            _(
                "In round %(round)s the sheet of table %(number)s adds up to %(points)s: "
                "correct it first."
            ),
            code="field_not_zero",
            params={"round": number, "number": table, "points": f"{points:+d}"},
        )
