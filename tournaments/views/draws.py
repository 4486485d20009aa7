"""The draw of a round: the proposal, drawing again, swapping, starting."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from clubs.models import Player, Role
from clubs.permissions import MemberRequest
from tournaments import actions
from tournaments.cuts import decision_on, tie_at
from tournaments.forms import DrawForm, RoundForm, SwapForm
from tournaments.forms.stages import CutForm, PlaceForm
from tournaments.models import EntryPlayer, Event, Placement, Round, Stage
from tournaments.offers import Asked, offers_after, offers_beside
from tournaments.outlook import outlook
from tournaments.permissions import get_event
from tournaments.reasons import names_of, sentences
from tournaments.rules import is_for_another_roster
from tournaments.stages import earlier_rounds, next_stage
from tournaments.views.check_in import plan_context
from tournaments.views.pages import evening_context, round_meant, status_of

_STARTED_BEFORE = gettext_lazy("Round %(number)s had already started: this press changed nothing.")


@login_required
@require_safe
def draw(request: MemberRequest, pk: int) -> HttpResponse:
    """The proposal with its reasons, or what is needed for one."""
    event = get_event(request.user, pk, at_least=Role.DIRECTOR)
    if event.meets_in_fixtures:
        return redirect("fixtures", event.pk)
    return _page(request, event)


@login_required
@require_POST
def draw_round(request: MemberRequest, pk: int) -> HttpResponse:
    """Propose tables for those present, in the place of an earlier proposal."""
    event = get_event(request.user, pk, at_least=Role.DIRECTOR)
    if event.is_tournament:
        return _place(request, event)
    form = DrawForm(request.POST)
    if not form.is_valid():
        refusal = ValidationError(_("Nothing was drawn: look at the seed."), code="seed")
        return _page(request, event, refusal=refusal, draw_form=form)
    try:
        actions.draw_round(
            event=event,
            by=request.user,
            leftovers=form.cleaned_data["leftovers"] or None,
            seed=form.cleaned_data["seed"],
            instead=form.cleaned_data["instead"],
        )
    except ValidationError as refusal:
        return _page(request, event, refusal=refusal)
    return redirect("draw", event.pk)


def _place(request: MemberRequest, event: Event) -> HttpResponse:
    """Propose the next round of a tournament, placed as its stage or the director says."""
    form = _place_form(next_stage(event), request.POST)
    if not form.is_valid():
        refusal = ValidationError(_("Nothing was drawn: look at the answers."), code="answers")
        return _page(request, event, refusal=refusal, draw_form=form)
    answers = form.cleaned_data
    try:
        actions.place_round(
            event=event,
            by=request.user,
            placement=answers["placement"] or None,
            leftovers=answers["leftovers"] or None,
            seed=answers["seed"],
            beyond_limit=answers["beyond_limit"],
            without_pairs=answers["without_pairs"],
            instead=answers["instead"],
        )
    except ValidationError as refusal:
        offers = offers_after(getattr(refusal, "code", ""), _asked(event, answers))
        return _page(request, event, refusal=refusal, draw_form=form, offers=offers)
    return redirect("draw", event.pk)


@login_required
@require_POST
def decide_cut(request: MemberRequest, pk: int) -> HttpResponse:
    """Say who of those equal at the last place goes on, or let the lot say it."""
    event = get_event(request.user, pk, at_least=Role.DIRECTOR)
    form = CutForm(request.POST, names=_names_of_entries(event))
    if not form.is_valid():
        refusal = ValidationError(_("Choose among those who are equal."), code="through")
        return _page(request, event, refusal=refusal)
    answers = form.cleaned_data
    try:
        if answers["by_lot"]:
            actions.draw_lots_at_the_cut(event=event, by=request.user, equal=answers["equal"])
        else:
            actions.choose_at_the_cut(
                event=event, by=request.user, equal=answers["equal"], through=answers["through"]
            )
    except ValidationError as refusal:
        return _page(request, event, refusal=refusal)
    messages.success(request, _("It is decided who goes on. Now draw the tables."))
    return redirect("draw", event.pk)


def _names_of_entries(event: Event) -> dict[int, str]:
    return names_of(EntryPlayer.objects.filter(event=event).values_list("player", flat=True))


@login_required
@require_POST
def publish_round(request: MemberRequest, pk: int) -> HttpResponse:
    """Start the proposed round: everybody sees the tables."""
    event = get_event(request.user, pk, at_least=Role.DIRECTOR)
    form = RoundForm(request.POST)
    try:
        started, just_now = actions.start_round(proposal=_meant(event, form), by=request.user)
    except ValidationError as refusal:
        return _page(request, event, refusal=refusal)
    said = _("Round %(number)s has started.") if just_now else _STARTED_BEFORE
    messages.success(request, said % {"number": started.number})
    return redirect("tables", event.pk)


@login_required
@require_POST
def discard_draw(request: MemberRequest, pk: int) -> HttpResponse:
    """Drop the proposal."""
    event = get_event(request.user, pk, at_least=Role.DIRECTOR)
    form = RoundForm(request.POST)
    try:
        actions.discard_draw(proposal=_meant(event, form), by=request.user)
    except ValidationError as refusal:
        return _page(request, event, refusal=refusal)
    messages.success(request, _("The draw is dropped. Nobody has seen it."))
    return redirect("check-in", event.pk)


@login_required
@require_POST
def withdraw_round(request: MemberRequest, pk: int) -> HttpResponse:
    """Make a started round a proposal again, as long as nobody has written on a sheet."""
    event = get_event(request.user, pk, at_least=Role.DIRECTOR)
    form = RoundForm(request.POST)
    try:
        actions.withdraw_round(this_round=_meant(event, form), by=request.user)
    except ValidationError as refusal:
        return _page(request, event, refusal=refusal)
    return redirect("draw", event.pk)


@login_required
@require_POST
def swap_players(request: MemberRequest, pk: int) -> HttpResponse:
    """Let two players of the proposal change places."""
    event = get_event(request.user, pk, at_least=Role.DIRECTOR)
    proposal = _meant(event, RoundForm(request.POST))
    form = SwapForm(request.POST, proposal=proposal)
    chosen = form.cleaned_data if form.is_valid() else {"one": 0, "other": 0}
    try:
        actions.swap_players(
            proposal=proposal, one=chosen["one"], other=chosen["other"], by=request.user
        )
    except ValidationError as refusal:
        return _page(request, event, refusal=refusal)
    messages.success(request, _("The two have changed places."))
    return redirect("draw", event.pk)


def _meant(event: Event, form: RoundForm) -> Round:
    return round_meant(event, form.cleaned_data["round"] if form.is_valid() else 0)


def _page(
    request: MemberRequest, event: Event, *, refusal: ValidationError | None = None, **more: Any
) -> HttpResponse:
    if refusal is not None:
        event.refresh_from_db(fields=["state", "roster_version"])
    context = evening_context(request, event, here="draw", refusal=refusal)
    context |= plan_context(event)
    if event.is_tournament:
        context |= _stage_context(event)
    context |= more
    proposal = event.rounds.proposed().first()
    context["shown"] = proposal.pk if proposal else 0
    if proposal is not None:
        context |= _proposal_context(event, proposal)
        if event.is_tournament and "offers" not in context:
            asked = {"placement": proposal.placement, "leftovers": proposal.leftovers}
            context["offers"] = offers_beside(proposal, _asked(event, asked))
    if getattr(refusal, "code", "") == "roster_changed" and context.get("is_outdated"):
        context["refusal"] = None  # the page says so of itself, with what to do
    return render(request, "tournaments/draw.html", context, status=status_of(refusal))


def _asked(event: Event, answers: Mapping[str, Any]) -> Asked:
    """The draw that was asked for, so that other ways can be named beside it."""
    stage = next_stage(event)
    planned = stage.placement_at(len(earlier_rounds(stage)) + 1) if stage else Placement.DRAWN
    return Asked(
        placement=answers["placement"] or planned,
        leftovers=answers["leftovers"] or event.leftovers,
        players=event.entries.present().count(),
        has_teams=event.teams.exists(),
    )


def _place_form(stage: Stage | None, data: Any = None) -> PlaceForm:
    """The form of the next draw, which names the way that was planned for it."""
    if stage is None:
        return PlaceForm(data)
    return PlaceForm(data, planned=stage.placement_at(len(earlier_rounds(stage)) + 1))


def _stage_context(event: Event) -> dict[str, Any]:
    """The stage of the next round with what does not fit, and how it can be placed."""
    stage = next_stage(event)
    present = event.entries.present().count()
    stages = outlook(event, players=present)
    return {
        "stage": next((one for one in stages if one.stage == stage), None),
        "draw_form": _place_form(stage),
        "is_planned": event.stages.exists(),
        "has_pairs": event.prohibited_pairs.exists(),
        "tie": _tie_context(stage) if stage else None,
    }


def _tie_context(stage: Stage) -> dict[str, Any] | None:
    """Who is equal at the last place of the stage, and what was decided between them."""
    tie = tie_at(stage)
    if tie is None:
        return None
    names = names_of(tie.equal)
    decided = decision_on(tie)
    return {
        "stage": stage,
        "names": [names[player] for player in tie.equal],
        "places": tie.places,
        "form": CutForm(names=names),
        "decided": [names[player] for player in decided["players"]] if decided else [],
        "seed": decided["seed"] if decided else None,
    }


def _proposal_context(event: Event, proposal: Round) -> dict[str, Any]:
    waiting = Player.objects.filter(entry_players__entry__sit_outs__round=proposal)
    tables = list(proposal.tables.in_order().prefetch_related("seats__player"))
    sitting_out = list(waiting.by_name())
    return {
        "proposal": proposal,
        "tables": tables,
        "sitting_out": sitting_out,
        "drawn_for": sum(len(table.seats.all()) for table in tables) + len(sitting_out),
        "reasons": sentences(proposal.reasons),
        "is_outdated": is_for_another_roster(event, proposal),
        "swap_form": SwapForm(proposal=proposal),
    }
