"""Fixtures: who meets whom, what can be played now, one fixture and its result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe
from django.views.decorators.vary import vary_on_headers

from clubs.models import Role
from clubs.permissions import MemberRequest, VisitorRequest
from scoring import actions, freshness
from scoring.forms.fixtures import (
    REPLAY,
    CallForm,
    CancelForm,
    DecideForm,
    EqualsForm,
    LeaveForm,
    NextRoundForm,
    PenaltyForm,
    SeenForm,
)
from scoring.live import state_of_standings
from scoring.views.brackets import (
    StagePicture,
    comes_from_groups,
    entries_of,
    match_of,
    own_entries,
    picture_of,
    said_matches,
)
from tournaments import actions as tournament_actions
from tournaments import fixtures
from tournaments.forms.entries import ReserveForm
from tournaments.forms.fixtures import DrawFixturesForm
from tournaments.live import answered_when_unchanged
from tournaments.meetings import (
    Meetings,
    is_decided,
    meetings_of,
    settings_of,
    stages_with_fixtures,
)
from tournaments.models import Entry, Event, Fixture, Ruling, Stage
from tournaments.permissions import (
    get_entry,
    get_event,
    get_fixture,
    get_stage,
    get_visible_event,
)
from tournaments.reasons import sentences
from tournaments.saying import said_settings
from tournaments.views.pages import evening_context, status_of

NOT_DRAWN = -1


@require_safe
def show_fixtures(request: VisitorRequest, pk: int) -> HttpResponse:
    """A stage with its groups or its bracket; for the director also the next step."""
    return _page(request, get_visible_event(request.user, pk))


@require_safe
@vary_on_headers("HX-Request")
@answered_when_unchanged(state_of_standings)
def fixtures_board(request: VisitorRequest, pk: int) -> HttpResponse:
    """The stage on the wall: its groups or its bracket, made anew every quarter of a minute."""
    event = get_visible_event(request.user, pk)
    template = "tournaments/bracket_board.html"
    if request.htmx:
        template += "#live"
    context = _stage_context(request, event) | {"event": event, "club": event.club}
    return render(request, template, context)


def _page(
    request: HttpRequest,
    event: Event,
    *,
    refusal: ValidationError | None = None,
    stage: Stage | None = None,
    **more: Any,
) -> HttpResponse:
    if not event.meets_in_fixtures:
        raise Http404
    context = evening_context(request, event, here="fixtures", refusal=refusal)
    context |= _stage_context(request, event, stage) | more
    return render(request, "tournaments/fixtures.html", context, status=status_of(refusal))


def _stage_context(
    request: HttpRequest, event: Event, meant: Stage | None = None
) -> dict[str, Any]:
    stages = stages_with_fixtures(event)
    stage = meant or _chosen(stages, request.GET.get("stage", ""))
    context: dict[str, Any] = {
        "stages": stages,
        "stage": stage,
        "fresh": freshness.of_event(event),
        "call_form": CallForm(event=event),
        "draw_form": DrawFixturesForm(),
    }
    if stage is None:
        return context
    stage.event = event
    entries = entries_of(event)
    own = own_entries(entries, request.user)
    meetings = meetings_of(stage)
    picture = picture_of(meetings, entries, own)
    following = next((each for each in stages if each.number > stage.number), None)
    return context | {
        "picture": picture,
        "said": said_settings(settings_of(stage)),
        "reasons": sentences(stage.reasons, {key: str(entry) for key, entry in entries.items()}),
        "listed": said_matches(picture.matches),
        "present": event.entries.present().count(),
        "instead": NOT_DRAWN if stage.seed is None else stage.seed,
        "last_wave": max((row.wave for row in meetings.rows), default=0),
        "following": following,
        "compared": _compared(picture, entries),
        "buyers": _buyers(picture),
        "equals": _equals(event, meetings, entries),
        "parted": _parted(meetings, entries),
        "paper": "a3" if request.GET.get("paper") == "a3" else "a4",
    }


def _chosen(stages: Sequence[Stage], asked: str) -> Stage | None:
    """The stage that was asked for, else the last that is drawn, else the first."""
    if asked.isdecimal():
        found = next((each for each in stages if each.number == int(asked[:4])), None)
        if found is None:
            raise Http404
        return found
    drawn = [each for each in stages if each.drawn_at is not None]
    if drawn:
        return drawn[-1]
    return stages[0] if stages else None


def _compared(picture: StagePicture, entries: Any) -> list[dict[str, Any]]:
    """Those who compete for the places of the best of their place, once the stage is over."""
    meetings = picture.meetings
    if not meetings.has_tables or not meetings.settings.best_of_next or not meetings.is_over:
        return []
    return [
        {
            "entry": entries.get(each.entrant),
            "section": each.section,
            "goes_on": each.goes_on,
        }
        for each in meetings.qualified.compared
    ]


def _buyers(picture: StagePicture) -> list[Any]:
    """The losers of the first round who may still buy themselves back in."""
    meetings = picture.meetings
    if not meetings.settings.buy_back or not meetings.asks_next_round:
        return []
    if max((row.wave for row in meetings.rows), default=0) != 1:
        return []
    return [
        side.entry
        for match in picture.matches
        for side in match.sides
        if match.counts and side.entry is not None and not side.is_winner
    ]


def _equals(event: Event, meetings: Meetings, entries: Mapping[int, Entry]) -> list[dict[str, Any]]:
    """The equals who wait for an extra game, each with a form."""
    return [
        {
            "section": section,
            "form": EqualsForm(event=event, equal=[entries[key] for key in equal]),
            "entries": [entries[key] for key in equal],
        }
        for section, equal in meetings.undecided
    ]


def _parted(meetings: Meetings, entries: Mapping[int, Entry]) -> list[dict[str, Any]]:
    """Those whom an extra game or lots have parted."""
    return [
        {
            "section": each["section"],
            "seed": each["seed"],
            "won": [(entries[entry], won) for entry, won in each["won"]],
        }
        for each in meetings.deciding
    ]


# The draw


@login_required
@require_POST
def draw_fixtures(request: MemberRequest, pk: int) -> HttpResponse:
    """Draw a stage, or draw it again before its first result."""
    stage = _stage(request, pk)
    form = DrawFixturesForm(request.POST)
    if not form.is_valid():
        refusal = ValidationError(_("Nothing was drawn: look at the seed."), code="seed")
        return _page(request, stage.event, refusal=refusal, stage=stage, draw_form=form)
    try:
        actions.draw_fixtures(
            stage=stage,
            by=request.user,
            seed=form.cleaned_data["seed"],
            instead=form.cleaned_data["instead"],
        )
    except ValidationError as refusal:
        stage.refresh_from_db()
        return _page(request, stage.event, refusal=refusal, stage=stage, draw_form=form)
    messages.success(request, _("The stage is drawn."))
    return _to(stage)


@login_required
@require_POST
def drop_fixtures(request: MemberRequest, pk: int) -> HttpResponse:
    """Drop the draw of a stage."""
    stage = _stage(request, pk)
    try:
        actions.drop_fixtures(stage=stage, by=request.user)
    except ValidationError as refusal:
        return _page(request, stage.event, refusal=refusal, stage=stage)
    return _to(stage)


@login_required
@require_POST
def pair_next_round(request: MemberRequest, pk: int) -> HttpResponse:
    """Pair the next round of a stage that is drawn round by round."""
    stage = _stage(request, pk)
    form = NextRoundForm(request.POST, event=stage.event)
    if not form.is_valid():
        refusal = ValidationError(_("Choose sides of this tournament."), code="bought_back")
        return _page(request, stage.event, refusal=refusal, stage=stage)
    try:
        actions.pair_next_round(
            stage=stage,
            by=request.user,
            after=form.cleaned_data["after"],
            bought_back=form.cleaned_data["bought_back"],
        )
    except ValidationError as refusal:
        return _page(request, stage.event, refusal=refusal, stage=stage)
    messages.success(request, _("The next round is paired."))
    return _to(stage)


@login_required
@require_POST
def decide_equals(request: MemberRequest, pk: int) -> HttpResponse:
    """Enter the extra game between equals of a table, or draw lots between them."""
    stage = _stage(request, pk)
    form = EqualsForm(request.POST, event=stage.event)
    if not form.is_valid():
        return _page(request, stage.event, refusal=_unreadable(form), stage=stage)
    try:
        if "lots" in request.POST:
            actions.draw_lots(stage=stage, by=request.user, equal=form.keys())
        else:
            actions.enter_extra_game(stage=stage, by=request.user, won=form.won())
    except ValidationError as refusal:
        return _page(request, stage.event, refusal=refusal, stage=stage)
    messages.success(request, _("It is decided who is ahead."))
    return _to(stage)


@login_required
@require_POST
def undo_equals(request: MemberRequest, pk: int) -> HttpResponse:
    """Take back what decided between equals of a table."""
    stage = _stage(request, pk)
    form = EqualsForm(request.POST, event=stage.event)
    if not form.is_valid():
        return _page(request, stage.event, refusal=_unreadable(form), stage=stage)
    try:
        actions.undo_extra_game(stage=stage, by=request.user, equal=form.keys())
    except ValidationError as refusal:
        return _page(request, stage.event, refusal=refusal, stage=stage)
    messages.success(request, _("They are equal again."))
    return _to(stage)


def _unreadable(form: EqualsForm) -> ValidationError:
    words = [words for errors in form.errors.values() for words in errors]
    return ValidationError(words, code="equals")


@login_required
@require_POST
def call_fixtures(request: MemberRequest, pk: int) -> HttpResponse:
    """Seat the chosen fixtures at tables."""
    event = get_event(request.user, pk, at_least=Role.DIRECTOR)
    form = CallForm(request.POST, event=event)
    if not form.is_valid():
        words = [words for errors in form.errors.values() for words in errors]
        return _page(request, event, refusal=ValidationError(words, code="nothing_chosen"))
    try:
        called = tournament_actions.call_fixtures(
            event=event,
            chosen=form.chosen(),
            by=request.user,
            minutes=form.cleaned_data["minutes"],
        )
    except ValidationError as refusal:
        return _page(request, event, refusal=refusal)
    tables = called.tables.count()
    messages.success(
        request,
        ngettext(
            "Round %(number)s plays at %(count)s table.",
            "Round %(number)s plays at %(count)s tables.",
            tables,
        )
        % {"number": called.number, "count": tables},
    )
    return redirect("tables", event.pk)


def _stage(request: MemberRequest, pk: int) -> Stage:
    stage = get_stage(request.user, pk, at_least=Role.DIRECTOR)
    if not stage.has_fixtures:
        raise Http404
    return stage


def _to(stage: Stage) -> HttpResponse:
    return redirect(f"{reverse('fixtures', args=[stage.event_id])}?stage={stage.number}")


# One fixture


@require_safe
def show_fixture(request: VisitorRequest, pk: int) -> HttpResponse:
    """One fixture: who meets, how it stands, and for the director how it ended."""
    return _one(request, get_fixture(request.user, pk))


@login_required
@require_POST
def decide_fixture(request: MemberRequest, pk: int) -> HttpResponse:
    """Enter the result of a fixture."""
    row = get_fixture(request.user, pk, at_least=Role.DIRECTOR)
    form = DecideForm(request.POST, fixture=row, sides=_sides(row))
    if not form.is_valid():
        return _one(request, row, decide_form=form, status=422)
    try:
        actions.decide_fixture(fixture=row, by=request.user, **form.decision())
    except ValidationError as refusal:
        return _one(request, row, refusal=refusal, decide_form=form)
    messages.success(request, _("The result of %(fixture)s is entered.") % {"fixture": row.code})
    return _to(row.stage)


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
        return _one(request, row, refusal=refusal)
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
        return _one(request, row, cancel_form=form, status=422)
    try:
        actions.cancel_fixture(
            fixture=row,
            by=request.user,
            goes_on=form.cleaned_data["how"] != REPLAY,
            note=form.cleaned_data["note"],
            seen=form.cleaned_data["seen"],
        )
    except ValidationError as refusal:
        return _one(request, row, refusal=refusal, cancel_form=form)
    return redirect("fixture", row.pk)


@login_required
@require_POST
def penalise_side(request: MemberRequest, pk: int) -> HttpResponse:
    """Write a fault of a side down with what it costs."""
    row = get_fixture(request.user, pk, at_least=Role.DIRECTOR)
    form = PenaltyForm(request.POST, fixture=row)
    if not form.is_valid():
        return _one(request, row, penalty_form=form, status=422)
    try:
        actions.penalise_side(fixture=row, by=request.user, **form.ruling())
    except ValidationError as refusal:
        return _one(request, row, refusal=refusal, penalty_form=form)
    messages.success(request, _("The ruling is recorded."))
    return redirect("fixture", row.pk)


def _sides(row: Fixture) -> tuple[str, str]:
    return str(row.home or _("nobody")), str(row.away or _("nobody"))


def _one(
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


# Sides


@login_required
@require_POST
def side_leaves(request: MemberRequest, pk: int) -> HttpResponse:
    """Withdraw or expel a side, or let it play on."""
    entry = get_entry(request.user, pk, at_least=Role.DIRECTOR)
    form = LeaveForm(request.POST)
    if not entry.event.meets_in_fixtures or not form.is_valid():
        return redirect("entry", entry.pk)
    how = form.cleaned_data["how"]
    try:
        if how == "return":
            actions.side_returns(entry=entry, by=request.user)
        else:
            actions.side_leaves(entry=entry, by=request.user, is_expelled=how == "expel")
    except ValidationError as refusal:
        messages.error(request, " ".join(refusal.messages))
    return redirect("entry", entry.pk)


@login_required
@require_POST
def put_in_reserve(request: MemberRequest, pk: int) -> HttpResponse:
    """Let the reserve of a side play for one of its players."""
    entry = get_entry(request.user, pk, at_least=Role.DIRECTOR)
    form = ReserveForm(request.POST, entry=entry)
    if not form.is_valid():
        messages.error(request, _("Choose who stops and who plays instead."))
        return redirect("entry", entry.pk)
    gone, comes = form.cleaned_data["gone"].player, form.cleaned_data["comes"].player
    try:
        actions.put_in_reserve(entry=entry, gone=gone, comes=comes, by=request.user)
    except ValidationError as refusal:
        messages.error(request, " ".join(refusal.messages))
    else:
        messages.success(request, _("%(player)s plays now.") % {"player": comes})
    return redirect("entry", entry.pk)
