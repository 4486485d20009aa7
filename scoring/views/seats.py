"""Seats changed by hand: asked, looked at, made, undone."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from clubs.models import Player, Role
from clubs.permissions import MemberRequest
from scoring import actions
from scoring.games import game_of
from scoring.views.lines import evening_rights
from scoring.visibility import get_event_with_role
from tournaments.actions import last_change
from tournaments.forms import ChangeSeatsForm, RoundForm
from tournaments.models import Event, Round
from tournaments.permissions import get_event
from tournaments.reasons import listed
from tournaments.reseating import Danger, Outlook, look_ahead
from tournaments.rules import Conflict
from tournaments.views.pages import round_meant


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def change_seats(request: MemberRequest, pk: int) -> HttpResponse:
    """Show what a change of seats would do; make it when it is posted."""
    event = get_event(request.user, pk, at_least=Role.DIRECTOR)
    this_round = event.rounds.exclude(state=Round.State.CLOSED).in_order().last()
    if this_round is None:
        return _page(request, event)
    if request.method == "POST":
        return _make(request, event, this_round)
    if "kind" not in request.GET:
        table = request.GET.get("table")
        form = ChangeSeatsForm(this_round=this_round, initial={"table": table, "kind": "swap"})
        return _page(request, event, this_round, form)
    form = ChangeSeatsForm(request.GET, this_round=this_round)
    return _preview(request, event, this_round, form)


def _make(request: MemberRequest, event: Event, this_round: Round) -> HttpResponse:
    form = ChangeSeatsForm(request.POST, this_round=this_round)
    if not form.is_valid():
        return _page(request, event, this_round, form, status=422)
    try:
        actions.change_seats(
            game_of(event).sheet,
            this_round=this_round,
            wish=form.wish(),
            by=request.user,
            # Without a preview there is nothing that somebody has seen.
            seen=form.cleaned_data["seen"] or "-",
            typed=form.cleaned_data["typed"],
        )
    except Conflict as conflict:
        return _preview(request, event, this_round, form, refusal=conflict)
    except ValidationError as refusal:
        return _preview(request, event, this_round, form, refusal=refusal)
    messages.success(request, _("The seats are changed. You can undo it here."))
    return redirect("change-seats", event.pk)


@login_required
@require_POST
def undo_change(request: MemberRequest, pk: int) -> HttpResponse:
    """Undo the last change of seats."""
    event = get_event(request.user, pk, at_least=Role.DIRECTOR)
    form = RoundForm(request.POST)
    this_round = round_meant(event, form.cleaned_data["round"] if form.is_valid() else 0)
    try:
        actions.undo_change(game_of(event).sheet, this_round=this_round, by=request.user)
    except ValidationError as refusal:
        messages.error(request, refusal.messages[0])
    else:
        messages.success(request, _("The change is undone: everybody sits as before."))
    return redirect("change-seats", event.pk)


def _preview(
    request: MemberRequest,
    event: Event,
    this_round: Round,
    form: ChangeSeatsForm,
    *,
    refusal: ValidationError | None = None,
) -> HttpResponse:
    status = 200 if refusal is None else 409 if isinstance(refusal, Conflict) else 422
    if not form.is_valid():
        return _page(request, event, this_round, form, status=422)
    try:
        outlook = look_ahead(this_round, form.wish())
    except ValidationError as why:
        form.add_error(None, why.messages)
        return _page(request, event, this_round, form, status=422)
    return _page(request, event, this_round, form, outlook, refusal=refusal, status=status)


def _page(
    request: MemberRequest,
    event: Event,
    this_round: Round | None = None,
    form: ChangeSeatsForm | None = None,
    outlook: Outlook | None = None,
    *,
    refusal: ValidationError | None = None,
    status: int = 200,
) -> HttpResponse:
    event, role = get_event_with_role(request.user, event.pk)
    context: dict[str, Any] = {
        "event": event,
        "club": event.club,
        "nav": "evenings",
        "here": "tables",
        "role": role,
        **evening_rights(role),
        "this_round": this_round,
        "form": form,
        "outlook": outlook,
        "is_unsafe": outlook is not None and outlook.danger == Danger.UNSAFE,
        "refusal": refusal,
    }
    if this_round is not None:
        context["undoable"] = _names_of_last_change(this_round)
    return render(request, "scoring/seats.html", context, status=status)


def _names_of_last_change(this_round: Round) -> str:
    line = last_change(this_round)
    if line is None:
        return ""
    players = Player.objects.filter(pk__in=line.details["players"]).by_name()
    return listed([player.name for player in players])
