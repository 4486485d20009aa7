"""The floor as the director sees it: every table, what is the matter there, and who holds it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from statistics import median_low
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe
from django.views.decorators.vary import vary_on_headers

from clubs.models import Role
from clubs.permissions import MemberRequest, require_role
from scoring import actions, permissions
from scoring.forms.director import (
    TROUBLES,
    ConfirmationForm,
    FloorForm,
    FreezeForm,
    TakeOverForm,
)
from scoring.games import game_of
from scoring.views.agreements import stuck_tables
from scoring.views.open_rows import OpenRow, open_rows
from tournaments import actions as tournament_actions
from tournaments import clock
from tournaments.http import etag_of, mark, not_modified
from tournaments.models import Entry, Event, RefereeCall, Round, Table
from tournaments.permissions import get_event, get_round
from tournaments.querysets import as_entered
from tournaments.rules import is_quiet, points_on, twins_of
from tournaments.views.pages import evening_context
from tournaments.visitors import as_named, only_as_whoever_entered

#: So many deals behind the middle of the hall a table is slow.
BEHIND = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class TableLine:
    """A table at a glance."""

    table: Table
    points: int
    minutes: int
    call: RefereeCall | None = None
    twins: list[int] = field(default_factory=list)
    entering: list[OpenRow] = field(default_factory=list)
    #: Codes of what is the matter there.
    troubles: list[str] = field(default_factory=list)

    @property
    def said(self) -> list[tuple[str, str]]:
        """What is the matter, by code and in words."""
        return [(code, words_of(code, self.table)) for code in self.troubles]


@login_required
@require_safe
@vary_on_headers("HX-Request")
def floor(request: MemberRequest, pk: int) -> HttpResponseBase:
    """All tables of the last round at a glance, or those with one trouble."""
    event = get_event(request.user, pk, at_least=Role.DIRECTOR)
    form = FloorForm(request.GET)
    show = form.cleaned_data["show"] if form.is_valid() else ""
    this_round = event.rounds.published().in_order().last()
    lines = lines_of(this_round, at=timezone.now()) if this_round else []
    leaving = _leaving(event, this_round)
    context = {
        "event": event,
        "this_round": this_round,
        "lines": [line for line in lines if not show or show in line.troubles],
        "show": show,
        "counts": _counts(lines),
        "numbers": [line.table.number for line in lines],
        "all_count": len(lines),
        "leaving": leaving,
    }
    if not request.htmx:
        chosen = {"confirmation": event.confirmation}
        context["confirmation_form"] = ConfirmationForm(initial=chosen)
        context |= evening_context(request, event, here="floor")
        return render(request, "scoring/floor.html", context)
    leave = [entry.pk for entry in leaving]
    etag = etag_of(show, get_language(), event.state, leave, [_state_of(line) for line in lines])
    unchanged = not_modified(request, etag)
    if unchanged is not None:
        return unchanged
    return mark(render(request, "scoring/floor.html#floor", context), etag)


def lines_of(this_round: Round, *, at: datetime) -> list[TableLine]:
    """Give the tables of a round, each with what is the matter there; few queries for any hall."""
    tables = _tables_of(this_round)
    waiting = RefereeCall.objects.filter(table__round=this_round).waiting().for_list()
    calls = {call.table_id: call for call in waiting}
    entering = open_rows(tables, at=at)
    twins = twins_of(tables, game_of(this_round.event).rows_to_compare(this_round))
    stuck = stuck_tables(tables, at=at)
    middle = median_low([table.deals_recorded for table in tables]) if tables else 0
    return [
        TableLine(
            table=table,
            points=points_on(table),
            minutes=int((at - table.changed_at).total_seconds() // 60),
            call=calls.get(table.pk),
            twins=twins.get(table.pk, []),
            entering=entering.get(table.pk, []),
            troubles=_troubles(
                table,
                is_calling=table.pk in calls,
                is_twin=table.pk in twins,
                is_stuck=table.pk in stuck,
                middle=middle,
                at=at,
            ),
        )
        for table in tables
    ]


def _tables_of(this_round: Round) -> list[Table]:
    tables = this_round.tables.select_related("taken_over_by").in_order()
    found = list(tables.prefetch_related("seats__player"))
    for table in found:
        table.round = this_round  # the same row for all, without asking again
    return found


def _troubles(
    table: Table, *, is_calling: bool, is_twin: bool, is_stuck: bool, middle: int, at: datetime
) -> list[str]:
    is_over = clock.is_over(table, at=at)
    behind = middle - table.deals_recorded >= BEHIND and not table.is_complete
    asks_to_sign = table.event.is_tournament or table.event.asks_to_confirm
    found = {
        "objection": table.objections > 0,
        "call": is_calling,
        "sum": points_on(table) != 0,
        "twin": is_twin,
        "missing": not table.is_complete and (is_over or not table.is_open),
        "stuck": is_stuck,
        "slow": is_quiet(table, at=at) or (table.is_open and behind),
        "unsigned": asks_to_sign and table.is_complete and table.signed_at is None,
    }
    return [code for code in TROUBLES if found[code]]


def words_of(trouble: str, table: Table) -> str:
    """Give a trouble in the words of the table's game: where games are won no deals are missing."""
    if trouble == "missing" and table.best_of is not None:
        return _("Not decided")
    return str(TROUBLES[trouble])


def _counts(lines: Sequence[TableLine]) -> list[tuple[str, str, int]]:
    counted = [(code, [line for line in lines if code in line.troubles]) for code in TROUBLES]
    return [(code, words_of(code, has[0].table), len(has)) for code, has in counted if has]


def _leaving(event: Event, this_round: Round | None) -> list[Entry]:
    """Who said that he leaves after this round."""
    if this_round is None:
        return []
    leaving = event.entries.filter(leaves_after__isnull=False).prefetch_related(as_entered())
    return list(leaving.order_by("number", "pk"))


def _state_of(line: TableLine) -> tuple[Any, ...]:
    table = line.table
    entering = [(row.phone.pk, row.phone.enters_number) for row in line.entering]
    call = line.call and (line.call.pk, line.call.going_by_id, line.call.going_phone_id)
    held = (table.taken_over_by_id, table.round.frozen_at)
    said = (table.signed_at, table.rows_waiting)
    return (table.pk, table.version, line.minutes, line.troubles, entering, call, held, said)


# Holding


@login_required
@require_POST
def freeze_round(request: MemberRequest, pk: int) -> HttpResponse:
    """Let nobody but directors write on the sheets of a round, or let it go on."""
    this_round = get_round(request.user, pk, at_least=Role.DIRECTOR)
    form = FreezeForm(request.POST)
    frozen = form.is_valid() and form.cleaned_data["frozen"]
    act = tournament_actions.freeze_round if frozen else tournament_actions.unfreeze_round
    try:
        act(this_round=this_round, by=request.user)
    except ValidationError as refusal:
        messages.error(request, refusal.messages[0])
    else:
        messages.success(
            request,
            _("The sheets are frozen: only directors write on them.")
            if frozen
            else _("The tables write again."),
        )
    return redirect("floor", this_round.event_id)


@login_required
@only_as_whoever_entered
@require_POST
def take_over_table(request: MemberRequest, pk: int) -> HttpResponse:
    """Take over what is entered for a table, or hand it back to its players."""
    table = permissions.table_to_see(request, pk)
    require_role(request.user, table.event.club, Role.DIRECTOR)
    as_named(request, request.user, *permissions.actors_at(request, table))
    form = TakeOverForm(request.POST)
    takes = form.is_valid() and form.cleaned_data["takes"]
    act = tournament_actions.take_over_table if takes else tournament_actions.hand_back_table
    try:
        act(table=table, by=request.user)
    except ValidationError as refusal:
        messages.error(request, refusal.messages[0])
    else:
        messages.success(
            request,
            _("You write on this sheet now; its players look on.")
            if takes
            else _("The players write on their sheet again."),
        )
    return redirect(table)


@login_required
@require_POST
def change_confirmation(request: MemberRequest, pk: int) -> HttpResponse:
    """Say who has to agree with what one player enters."""
    event = get_event(request.user, pk, at_least=Role.DIRECTOR)
    form = ConfirmationForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("Choose who confirms."))
        return redirect("floor", event.pk)
    try:
        actions.change_confirmation(
            game_of(event).sheet, event=event, by=request.user, **form.cleaned_data
        )
    except ValidationError as refusal:
        messages.error(request, refusal.messages[0])
    else:
        messages.success(request, _("From now on this is asked for."))
    return redirect("floor", event.pk)
