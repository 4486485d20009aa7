"""Planning a tournament from a preset, and its stages until they begin."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.forms import BaseFormSet
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clubs.models import Club, Role
from clubs.permissions import MemberRequest, get_club
from clubs.views.answers import answers_in
from tournaments import actions
from tournaments.forms.stages import StageForm, TournamentForm, stage_form, stages_form
from tournaments.models import Event, Stage
from tournaments.outlook import outlook
from tournaments.permissions import get_event, get_stage
from tournaments.presets import Preset, choices, fixture_presets, preset_named, stages_of
from tournaments.views.pages import evening_context, status_of


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def create_tournament(request: MemberRequest, slug: str) -> HttpResponse:
    """Choose a format, then plan the tournament; each field of the format can be changed."""
    club = get_club(request.user, slug, at_least=Role.DIRECTOR)
    chosen = preset_named(request.GET.get("format", ""))
    context = {"club": club, "nav": "evenings", "role": Role.DIRECTOR, "presets": choices()}
    if chosen is None:
        context["fixture_presets"] = fixture_presets()
        return render(request, "tournaments/tournament_formats.html", context)
    form = TournamentForm(answers_in(request), club=club, initial=_initial(club))
    stages = stages_form(stages_of(chosen), answers_in(request))
    if form.is_valid() and stages.is_valid():
        event = _planned(request, club, chosen.code, form, stages)
        if event is not None:
            messages.success(request, _("The tournament is planned. Enter the players."))
            return redirect("entries", event.pk)
    elif form.is_bound:
        stages = _refused_stages(form, stages, chosen)
    context |= {"form": form, "stages": stages, "chosen": chosen}
    status = 422 if form.is_bound else 200
    return render(request, "tournaments/tournament_form.html", context, status=status)


def _refused_stages(
    form: TournamentForm, stages: BaseFormSet[StageForm], chosen: Preset
) -> BaseFormSet[StageForm]:
    """Say on the form what is wrong with the stages together; then they start again."""
    errors = stages.non_form_errors()
    for error in errors:
        form.add_error(None, error)
    return stages_form(stages_of(chosen)) if errors else stages


def _initial(club: Club) -> dict[str, Any]:
    return {"entry_key": uuid.uuid4(), "publication": club.publication, "missed_points": 0}


def _planned(
    request: MemberRequest, club: Club, code: str, form: TournamentForm, stages: Any
) -> Event | None:
    try:
        return actions.create_tournament(
            club=club,
            by=request.user,
            format=code,
            entry_key=form.key(),
            stages=[stage.plan() for stage in stages],
            **form.plan(),
        )
    except ValidationError as refusal:
        form.add_error(None, refusal.messages)
        return None


@login_required
@require_safe
def stages(request: MemberRequest, pk: int) -> HttpResponse:
    """The stages with what they need, and a form for each that has not begun."""
    event = get_event(request.user, pk, at_least=Role.DIRECTOR)
    if event.meets_in_fixtures:
        return redirect("fixture-stages", event.pk)
    return _page(request, event)


@login_required
@require_POST
def add_stage(request: MemberRequest, pk: int) -> HttpResponse:
    """Add a stage after the last one."""
    event = get_event(request.user, pk, at_least=Role.DIRECTOR)
    form = StageForm(request.POST, prefix="new")
    if not form.is_valid():
        return _page(request, event, new_form=form, status=422)
    try:
        actions.add_stage(event=event, by=request.user, **form.plan())
    except ValidationError as refusal:
        return _page(request, event, refusal=refusal, new_form=form)
    messages.success(request, _("The stage is added."))
    return redirect("stages", event.pk)


@login_required
@require_POST
def change_stage(request: MemberRequest, pk: int) -> HttpResponse:
    """Change a stage."""
    stage = get_stage(request.user, pk, at_least=Role.DIRECTOR)
    form = stage_form(stage, request.POST)
    if not form.is_valid():
        return _page(request, stage.event, bound=(stage, form), status=422)
    try:
        actions.change_stage(stage=stage, by=request.user, **form.plan())
    except ValidationError as refusal:
        return _page(request, stage.event, refusal=refusal, bound=(stage, form))
    messages.success(request, _("The stage is changed."))
    return redirect("stages", stage.event_id)


@login_required
@require_POST
def remove_stage(request: MemberRequest, pk: int) -> HttpResponse:
    """Take a stage out of the plan."""
    stage = get_stage(request.user, pk, at_least=Role.DIRECTOR)
    try:
        actions.remove_stage(stage=stage, by=request.user)
    except ValidationError as refusal:
        return _page(request, stage.event, refusal=refusal)
    messages.success(request, _("The stage is taken out."))
    return redirect("stages", stage.event_id)


def _page(
    request: MemberRequest,
    event: Event,
    *,
    refusal: ValidationError | None = None,
    bound: tuple[Stage, StageForm] | None = None,
    status: int | None = None,
    **more: Any,
) -> HttpResponse:
    begun = set(event.rounds.published().values_list("stage_id", flat=True))
    lines = [
        {
            "outlook": one,
            "stage": one.stage,
            "form": bound[1] if bound and bound[0] == one.stage else stage_form(one.stage),
            "has_begun": one.stage.pk in begun,
        }
        for one in outlook(event)
    ]
    context = evening_context(request, event, here="stages", refusal=refusal, lines=lines)
    context |= {"new_form": StageForm(prefix="new", initial={"carried": "1"})} | more
    return render(request, "tournaments/stages.html", context, status=status or status_of(refusal))
