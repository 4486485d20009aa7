"""Planning a tournament of fixtures: its formats, its stages with every setting, who goes where."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clubs.models import Club, Role
from clubs.permissions import MemberRequest, get_club
from clubs.views.answers import answers_in
from tournaments import actions
from tournaments.actions.fixtures_draw import slots_of
from tournaments.forms.fixtures import (
    ChampionshipForm,
    NewStageForm,
    SlotsForm,
    new_championship_form,
    settings_form,
)
from tournaments.meetings import (
    has_begun,
    meetings_of,
    settings_of,
    stage_before,
    stages_with_fixtures,
)
from tournaments.models import Event, Stage
from tournaments.models.events import stage_name
from tournaments.permissions import get_event, get_stage
from tournaments.presets import FixturePreset, fixture_preset_named
from tournaments.saying import said_settings
from tournaments.views.pages import evening_context, status_of


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def create_championship(request: MemberRequest, slug: str) -> HttpResponse:
    """Plan a tournament of fixtures from a format; each of its stages can be changed after it."""
    club = get_club(request.user, slug, at_least=Role.DIRECTOR)
    chosen = fixture_preset_named(request.GET.get("format", ""))
    if chosen is None:
        return redirect("create-tournament", slug)
    form = new_championship_form(club, answers_in(request))
    if form.is_valid():
        event = _planned(request, club, chosen, form)
        if event is not None:
            messages.success(request, _("The tournament is planned. Enter the players."))
            return redirect("entries", event.pk)
    context = {
        "club": club,
        "nav": "evenings",
        "role": Role.DIRECTOR,
        "form": form,
        "chosen": chosen,
        "stages": [(stage_name(name), said_settings(settings)) for name, settings in chosen.stages],
    }
    status = 422 if form.errors else 200
    return render(request, "tournaments/championship_form.html", context, status=status)


def _planned(
    request: MemberRequest, club: Club, chosen: FixturePreset, form: ChampionshipForm
) -> Event | None:
    try:
        return actions.create_championship(
            club=club,
            by=request.user,
            format=chosen.code,
            entry_key=form.key(),
            stages=chosen.stages,
            **form.plan(),
        )
    except ValidationError as refusal:
        form.add_error(None, refusal.messages)
        return None


@login_required
@require_safe
def fixture_stages(request: MemberRequest, pk: int) -> HttpResponse:
    """The stages in order with what they are played by, and a form for another one."""
    event = get_event(request.user, pk, at_least=Role.DIRECTOR)
    return _stages(request, event)


@login_required
@require_POST
def add_fixture_stage(request: MemberRequest, pk: int) -> HttpResponse:
    """Add a stage after the last one, then ask for its settings."""
    event = get_event(request.user, pk, at_least=Role.DIRECTOR)
    form = NewStageForm(request.POST)
    if not form.is_valid():
        return _stages(request, event, new_form=form, status=422)
    try:
        stage = actions.add_fixture_stage(
            event=event, by=request.user, settings=form.settings(), name=form.cleaned_data["name"]
        )
    except ValidationError as refusal:
        return _stages(request, event, refusal=refusal, new_form=form)
    return redirect("stage-settings", stage.pk)


@login_required
@require_POST
def remove_fixture_stage(request: MemberRequest, pk: int) -> HttpResponse:
    """Take a stage out of the plan."""
    stage = _stage(request, pk)
    try:
        actions.remove_fixture_stage(stage=stage, by=request.user)
    except ValidationError as refusal:
        return _stages(request, stage.event, refusal=refusal)
    messages.success(request, _("The stage is taken out."))
    return redirect("fixture-stages", stage.event_id)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def stage_settings(request: MemberRequest, pk: int) -> HttpResponse:
    """Every setting of a stage; what has begun keeps all but its name."""
    stage = _stage(request, pk)
    form = settings_form(stage, settings_of(stage), answers_in(request))
    refusal: ValidationError | None = None
    if form.is_valid():
        try:
            actions.change_fixture_stage(
                stage=stage,
                by=request.user,
                settings=form.settings(),
                name=form.cleaned_data["name"],
            )
        except ValidationError as why:
            refusal = why
        else:
            messages.success(request, _("The stage is changed."))
            return redirect("fixture-stages", stage.event_id)
    context = evening_context(
        request, stage.event, here="stages", stage=stage, form=form, refusal=refusal
    )
    context["has_begun"] = has_begun(stage)
    status = 422 if form.is_bound and form.errors else status_of(refusal)
    return render(request, "tournaments/fixtures_settings.html", context, status=status)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def stage_slots(request: MemberRequest, pk: int) -> HttpResponse:
    """Who of the stage before goes where; the usual map until somebody changes it."""
    stage = _stage(request, pk)
    before = stage_before(stage)
    if before is None:
        raise Http404
    played, settings = meetings_of(before), settings_of(stage)
    refusal: ValidationError | None = None
    form: SlotsForm | None = None
    if not played.rows:
        refusal = None
    else:
        form = SlotsForm(
            answers_in(request),
            slots=slots_of(stage, played, settings),
            from_groups=before.kind == Stage.Kind.GROUPS,
        )
    if request.method == "POST" and form is not None:
        usual = "usual" in request.POST
        if usual or form.is_valid():
            try:
                actions.change_slots(
                    stage=stage, by=request.user, slots=None if usual else form.slot_map()
                )
            except ValidationError as why:
                refusal = why
            else:
                messages.success(request, _("It is settled who goes where."))
                return redirect("stage-slots", stage.pk)
    context = evening_context(
        request, stage.event, here="stages", stage=stage, before=before, form=form, refusal=refusal
    )
    context["has_begun"] = has_begun(stage)
    status = 422 if form is not None and form.is_bound and form.errors else status_of(refusal)
    return render(request, "tournaments/fixtures_slots.html", context, status=status)


def _stage(request: MemberRequest, pk: int) -> Stage:
    stage = get_stage(request.user, pk, at_least=Role.DIRECTOR)
    if not stage.has_fixtures:
        raise Http404
    return stage


def _stages(
    request: MemberRequest,
    event: Event,
    *,
    refusal: ValidationError | None = None,
    status: int | None = None,
    **more: Any,
) -> HttpResponse:
    stages = stages_with_fixtures(event)
    lines = [
        {
            "stage": stage,
            "said": said_settings(settings_of(stage)),
            "has_begun": has_begun(stage),
            "is_first": stage == stages[0],
        }
        for stage in stages
    ]
    context = evening_context(request, event, here="stages", refusal=refusal, lines=lines)
    context |= {"new_form": NewStageForm()} | more
    status = status or status_of(refusal)
    return render(request, "tournaments/fixtures_stages.html", context, status=status)
