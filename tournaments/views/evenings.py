"""The list of a club's evenings, the plan of one."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clubs.models import Role
from clubs.permissions import MemberRequest, get_club, get_visible_club, role_in
from clubs.views.answers import answers_in
from tournaments import actions
from tournaments.forms import EventForm, change_event_form, new_event_form
from tournaments.forms.fixtures import change_championship_form
from tournaments.forms.stages import change_tournament_form
from tournaments.models import CancelledEvent, Event
from tournaments.permissions import get_event
from tournaments.rules import Conflict
from tournaments.views.pages import evening_context

EVENINGS_ON_A_PAGE = 20


@require_safe
def evenings(request: HttpRequest, slug: str) -> HttpResponse:
    """The evenings to come, then the past ones, the latest first."""
    club = get_visible_club(request.user, slug)
    role = role_in(request.user, club)
    shown = Event.objects.of_club(club).visible_to(request.user).for_list()
    if role is not None:
        shown = Event.objects.of_club(club).for_list()
    cancelled = CancelledEvent.objects.of_club(club).visible_to(request.user)
    now = timezone.now()
    past = Paginator(shown.past(now).latest_first(), EVENINGS_ON_A_PAGE)
    context = {
        "club": club,
        "nav": "evenings",
        "role": role,
        "may_direct": role is not None and role.may_act_as(Role.DIRECTOR),
        "may_check_in": role is not None and role.may_act_as(Role.SCORER),
        "upcoming": shown.upcoming(now).soonest_first(),
        "cancelled": cancelled.upcoming(now).soonest_first(),
        "past": past.get_page(request.GET.get("page")),
    }
    return render(request, "tournaments/evenings.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def create_event(request: MemberRequest, slug: str) -> HttpResponse:
    """Plan an evening in three answers."""
    club = get_club(request.user, slug, at_least=Role.DIRECTOR)
    form = new_event_form(club, answers_in(request))
    if form.is_valid():
        try:
            event = actions.create_event(
                club=club, by=request.user, entry_key=form.key(), **form.plan()
            )
        except ValidationError as refusal:
            form.add_error(None, refusal.messages)
        else:
            messages.success(request, _("The evening is planned. Mark who is present."))
            return redirect("check-in", event.pk)
    context = {"form": form, "club": club, "nav": "evenings", "role": Role.DIRECTOR}
    status = 422 if form.errors else 200
    return render(request, "tournaments/event_form.html", context, status=status)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def edit_event(request: MemberRequest, pk: int) -> HttpResponse:
    """Change the plan of an evening."""
    event = get_event(request.user, pk, at_least=Role.DIRECTOR)
    form = _form_of(event, answers_in(request))
    refusal: ValidationError | None = None
    if form.is_valid():
        try:
            actions.change_event(event=event, by=request.user, **form.plan())
        except ValidationError as why:
            refusal = why
            form.add_error(None, why.messages)
        else:
            messages.success(
                request,
                _("The tournament is changed.")
                if event.is_tournament
                else _("The evening is changed."),
            )
            return redirect("check-in", event.pk)
    return _plan_page(request, event, form, refusal)


@login_required
@require_POST
def cancel_event(request: MemberRequest, pk: int) -> HttpResponse:
    """Take an evening of which no round has been started out of the plan."""
    event = get_event(request.user, pk, at_least=Role.DIRECTOR)
    season = event.season
    try:
        actions.cancel_event(event=event)
    except ValidationError as refusal:
        return _plan_page(request, event, _form_of(event), refusal)
    messages.success(request, _("%(evening)s is cancelled.") % {"evening": event.name})
    if not season.events.exists():
        messages.info(
            request,
            _("The season “%(season)s” has no evening now; it can be deleted on its page.")
            % {"season": season.name},
        )
    return redirect("evenings", season.club.slug)


def _form_of(event: Event, data: Any = None) -> EventForm:
    """The form of the plan: of an evening, or of a tournament of either kind."""
    if event.meets_in_fixtures:
        return change_championship_form(event, data)
    return (change_tournament_form if event.is_tournament else change_event_form)(event, data)


def _plan_page(
    request: MemberRequest, event: Event, form: EventForm, refusal: ValidationError | None
) -> HttpResponse:
    may_cancel = not event.rounds.published().exists()
    shown = refusal if refusal is not None and not form.is_bound else None
    context = evening_context(
        request, event, form=form, here="plan", refusal=shown, may_cancel=may_cancel
    )
    status = 409 if isinstance(refusal, Conflict) else 422 if form.errors else 200
    name = "tournament_form" if event.is_tournament else "event_form"
    return render(request, f"tournaments/{name}.html", context, status=status)
