"""A stage of fixtures: who meets whom, its draw, and what can be played now."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.forms import BaseForm
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
from scoring.forms.fixtures import CallForm, EqualsForm, NextRoundForm
from scoring.live import state_of_standings
from scoring.views.brackets import (
    StagePicture,
    entries_of,
    own_entries,
    picture_of,
    said_matches,
)
from tournaments import actions as tournament_actions
from tournaments.forms.fixtures import DrawFixturesForm
from tournaments.live import answered_when_unchanged
from tournaments.meetings import Meetings, meetings_of, settings_of, stages_with_fixtures
from tournaments.models import Entry, Event, Stage
from tournaments.permissions import get_event, get_stage, get_visible_event
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
    draw = partial(actions.draw_fixtures, stage=stage, by=request.user, **form.cleaned_data)
    return _change(request, stage, draw, _("The stage is drawn."), draw_form=form)


@login_required
@require_POST
def drop_fixtures(request: MemberRequest, pk: int) -> HttpResponse:
    """Drop the draw of a stage."""
    stage = _stage(request, pk)
    return _change(request, stage, partial(actions.drop_fixtures, stage=stage, by=request.user))


@login_required
@require_POST
def pair_next_round(request: MemberRequest, pk: int) -> HttpResponse:
    """Pair the next round of a stage that is drawn round by round."""
    stage = _stage(request, pk)
    form = NextRoundForm(request.POST, event=stage.event)
    if not form.is_valid():
        refusal = ValidationError(_("Choose sides of this tournament."), code="bought_back")
        return _page(request, stage.event, refusal=refusal, stage=stage)
    pair = partial(actions.pair_next_round, stage=stage, by=request.user, **form.cleaned_data)
    return _change(request, stage, pair, _("The next round is paired."))


@login_required
@require_POST
def decide_equals(request: MemberRequest, pk: int) -> HttpResponse:
    """Enter the extra game between equals of a table, or draw lots between them."""
    stage = _stage(request, pk)
    form = EqualsForm(request.POST, event=stage.event)
    if not form.is_valid():
        return _page(request, stage.event, refusal=_unreadable(form, "equals"), stage=stage)
    decide = (
        partial(actions.draw_lots, equal=form.keys())
        if "lots" in request.POST
        else partial(actions.enter_extra_game, won=form.won())
    )
    said = _("It is decided who is ahead.")
    return _change(request, stage, partial(decide, stage=stage, by=request.user), said)


@login_required
@require_POST
def undo_equals(request: MemberRequest, pk: int) -> HttpResponse:
    """Take back what decided between equals of a table."""
    stage = _stage(request, pk)
    form = EqualsForm(request.POST, event=stage.event)
    if not form.is_valid():
        return _page(request, stage.event, refusal=_unreadable(form, "equals"), stage=stage)
    undo = partial(actions.undo_extra_game, stage=stage, by=request.user, equal=form.keys())
    return _change(request, stage, undo, _("They are equal again."))


def _change(
    request: MemberRequest,
    stage: Stage,
    action: Callable[[], Stage],
    said: str = "",
    **forms: BaseForm,
) -> HttpResponse:
    """Do one thing to a stage and come back to it; a refusal is said there."""
    try:
        action()
    except ValidationError as refusal:
        stage.refresh_from_db()
        return _page(request, stage.event, refusal=refusal, stage=stage, **forms)
    if said:
        messages.success(request, said)
    return to_stage(stage)


def _stage(request: MemberRequest, pk: int) -> Stage:
    stage = get_stage(request.user, pk, at_least=Role.DIRECTOR)
    if not stage.has_fixtures:
        raise Http404
    return stage


def to_stage(stage: Stage) -> HttpResponse:
    """Go to the page of a stage."""
    return redirect(f"{reverse('fixtures', args=[stage.event_id])}?stage={stage.number}")


def _unreadable(form: BaseForm, code: str) -> ValidationError:
    return ValidationError(
        [words for errors in form.errors.values() for words in errors], code=code
    )


# The tables


@login_required
@require_POST
def call_fixtures(request: MemberRequest, pk: int) -> HttpResponse:
    """Seat the chosen fixtures at tables."""
    event = get_event(request.user, pk, at_least=Role.DIRECTOR)
    form = CallForm(request.POST, event=event)
    if not form.is_valid():
        return _page(request, event, refusal=_unreadable(form, "nothing_chosen"))
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
