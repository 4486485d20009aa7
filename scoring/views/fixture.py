"""One fixture: who meets, how it stands, how it ended, what was ruled."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from clubs.models import Role
from clubs.permissions import MemberRequest, VisitorRequest
from scoring import actions
from scoring.forms.fixtures import REPLAY, CancelForm, DecideForm, PenaltyForm, SeenForm
from scoring.views.brackets import comes_from_groups, match_of, own_entries
from scoring.views.fixtures import to_stage
from tournaments import fixtures
from tournaments.meetings import is_decided, settings_of
from tournaments.models import Event, Fixture, Ruling
from tournaments.permissions import get_fixture
from tournaments.views.pages import evening_context, status_of


@require_safe
def show_fixture(request: VisitorRequest, pk: int) -> HttpResponse:
    """One fixture: who meets, how it stands, and for the director how it ended."""
    return _page(request, get_fixture(request.user, pk))


@login_required
@require_POST
def decide_fixture(request: MemberRequest, pk: int) -> HttpResponse:
    """Enter the result of a fixture."""
    row = get_fixture(request.user, pk, at_least=Role.DIRECTOR)
    form = DecideForm(request.POST, fixture=row, sides=_sides(row))
    if not form.is_valid():
        return _page(request, row, decide_form=form, status=422)
    try:
        actions.decide_fixture(fixture=row, by=request.user, **form.decision())
    except ValidationError as refusal:
        return _page(request, row, refusal=refusal, decide_form=form)
    messages.success(request, _("The result of %(fixture)s is entered.") % {"fixture": row.code})
    return to_stage(row.stage)


@login_required
@require_POST
def undo_fixture(request: MemberRequest, pk: int) -> HttpResponse:
    """Take the result of a fixture back, or call it away from its table."""
    row = get_fixture(request.user, pk, at_least=Role.DIRECTOR)
    form = SeenForm(request.POST)
    try:
        seen = form.cleaned_data["seen"] if form.is_valid() else row.changed_at - timedelta(1)
        paired = _paired_rounds(row.stage.event)
        actions.undo_fixture(fixture=row, by=request.user, seen=seen)
    except ValidationError as refusal:
        return _page(request, row, refusal=refusal)
    messages.success(request, _("%(fixture)s is open again.") % {"fixture": row.code})
    for stage, number in sorted(paired - _paired_rounds(row.stage.event)):
        messages.warning(
            request,
            _("The pairing of round %(number)s of stage %(stage)s was dropped: pair it again.")
            % {"number": number, "stage": stage},
        )
    return redirect("fixture", row.pk)


def _paired_rounds(event: Event) -> set[tuple[int, int]]:
    """The rounds that have fixtures, by the number of their stage."""
    rows = Fixture.objects.filter(stage__event=event).order_by()
    return set(rows.values_list("stage__number", "wave").distinct())


@login_required
@require_POST
def cancel_fixture(request: MemberRequest, pk: int) -> HttpResponse:
    """Say what becomes of a meeting that was broken off."""
    row = get_fixture(request.user, pk, at_least=Role.DIRECTOR)
    form = CancelForm(request.POST)
    if not form.is_valid():
        return _page(request, row, cancel_form=form, status=422)
    try:
        actions.cancel_fixture(
            fixture=row,
            by=request.user,
            goes_on=form.cleaned_data["how"] != REPLAY,
            note=form.cleaned_data["note"],
            seen=form.cleaned_data["seen"],
        )
    except ValidationError as refusal:
        return _page(request, row, refusal=refusal, cancel_form=form)
    return redirect("fixture", row.pk)


@login_required
@require_POST
def penalise_side(request: MemberRequest, pk: int) -> HttpResponse:
    """Write a fault of a side down with what it costs."""
    row = get_fixture(request.user, pk, at_least=Role.DIRECTOR)
    form = PenaltyForm(request.POST, fixture=row)
    if not form.is_valid():
        return _page(request, row, penalty_form=form, status=422)
    try:
        actions.penalise_side(fixture=row, by=request.user, **form.ruling())
    except ValidationError as refusal:
        return _page(request, row, refusal=refusal, penalty_form=form)
    messages.success(request, _("The ruling is recorded."))
    return redirect("fixture", row.pk)


def _sides(row: Fixture) -> tuple[str, str]:
    return str(row.home or _("nobody")), str(row.away or _("nobody"))


def _page(
    request: HttpRequest,
    row: Fixture,
    *,
    refusal: ValidationError | None = None,
    status: int | None = None,
    **more: Any,
) -> HttpResponse:
    event = row.stage.event
    if refusal is not None:
        row = get_fixture(request.user, row.pk)
    entries = {entry.pk: entry for entry in (row.home, row.away) if entry is not None}
    rights = evening_context(request, event, here="fixtures", refusal=refusal)
    match = match_of(
        row,
        entries,
        own_entries(entries, request.user),
        from_groups=comes_from_groups(row.stage),
    )
    context = rights | {
        "stage": row.stage,
        "fixture": row,
        "match": match,
        "format": fixtures.FixtureFormat.from_json(row.format),
        "is_decided": is_decided(row),
        "can_be_decided": row.state in (
            Fixture.State.READY, Fixture.State.PLAYING, Fixture.State.PLAYED
        ),
        "at_table": row.table is not None and not is_decided(row),
        "decide_form": DecideForm(fixture=row, sides=_sides(row)),
        "cancel_form": CancelForm(initial={"seen": row.changed_at.isoformat()}),
        "penalty_form": PenaltyForm(fixture=row),
        "tolerance": _tolerance(row),
        "rulings": _rulings(row),
        "seen": row.changed_at.isoformat(),
    } | more  # fmt: skip
    return render(request, "tournaments/fixture.html", context, status=status or status_of(refusal))


def _tolerance(row: Fixture) -> int:
    """How many minutes the others wait before a walkover."""
    settings = settings_of(row.stage)
    is_first = row.wave == 1 and row.stage.number == 1
    return settings.tolerance_first if is_first else settings.tolerance_later


def _rulings(row: Fixture) -> list[Ruling]:
    """What was ruled at the table of a fixture."""
    if row.table_id is None:
        return []
    rulings = Ruling.objects.filter(table=row.table_id).standing().order_by("ruled_at", "pk")
    return list(rulings.prefetch_related("entry__entry_players__player"))
