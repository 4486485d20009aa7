"""The check-in: who is here, guests, and how they would split into tables."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe
from django.views.decorators.vary import vary_on_headers
from django_htmx.http import reswap, retarget

from clubs.models import Player, Role
from clubs.names import fold_name
from clubs.permissions import MemberRequest
from tournaments import actions
from tournaments.actions.sides import in_sides, plan_of_sides
from tournaments.forms import DrawForm, GuestForm, PresenceForm, SearchForm
from tournaments.models import Entry, Event
from tournaments.permissions import get_event
from tournaments.reasons import explained, sides_in_words, split_in_words
from tournaments.roster import people, row_of, with_evenings
from tournaments.seating import Leftovers, possible_splits, split_for
from tournaments.views.pages import evening_context, status_of

#: A page of so many rows opens at once; the others are found by their name.
PEOPLE_SHOWN = 60


@login_required
@require_safe
@vary_on_headers("HX-Request")
def check_in(request: MemberRequest, pk: int) -> HttpResponse:
    """The list at the door; htmx asks for the people whose name holds what was typed."""
    event = get_event(request.user, pk, at_least=Role.SCORER)
    if event.enters_sides or event.is_tournament:
        return redirect("entries", event.pk)
    template = "tournaments/check_in.html"
    if request.htmx:
        template += "#people"
    return render(request, template, door_context(request, event))


@login_required
@require_POST
def presence(request: MemberRequest, pk: int) -> HttpResponse:
    """One press marks a player present or gone; the same press again changes nothing."""
    event = get_event(request.user, pk, at_least=Role.SCORER)
    form = PresenceForm(request.POST, event=event)
    if not form.is_valid():
        return _refused(request, event, ValidationError(list(form.non_field_errors())))
    arrives, leaves = form.cleaned_data["present"], form.cleaned_data["absent"]
    try:
        if arrives:
            actions.check_in(event=event, player=arrives, by=request.user)
        else:
            actions.check_out(event=event, player=leaves, by=request.user)
    except ValidationError as refusal:
        return _refused(request, event, refusal)
    return _answered(request, event, arrives or leaves)


@login_required
@require_POST
def add_guest(request: MemberRequest, pk: int) -> HttpResponse:
    """Check in somebody by name, known to the club or not."""
    event = get_event(request.user, pk, at_least=Role.SCORER)
    form = GuestForm(request.POST)
    if not form.is_valid():
        return _refused(request, event, ValidationError(list(form["name"].errors)))
    name = form.cleaned_data["name"]
    try:
        entry = actions.add_guest(
            event=event,
            name=name,
            by=request.user,
            despite_namesakes=form.cleaned_data["despite_namesakes"],
        )
    except ValidationError as refusal:
        return _refused(request, event, refusal, name=name)
    messages.success(request, _("%(player)s is present.") % {"player": entry})
    return redirect("check-in", event.pk)


def door_context(request: HttpRequest, event: Event, **more: Any) -> dict[str, Any]:
    """The list, the search and the plan of the tables."""
    form = SearchForm(request.GET)
    asked = form.cleaned_data if form.is_valid() else {"q": "", "show": ""}
    words, show = asked["q"].strip(), asked["show"] or "all"
    found = people(event, words=words, only_present=show == "present")
    everybody = show == "everybody"
    rows = with_evenings(event, found if everybody else found[: PEOPLE_SHOWN + 1])
    more_found = not everybody and len(rows) > PEOPLE_SHOWN
    exact = any(row.sort_name == fold_name(words) for row in rows)
    return (
        evening_context(
            request,
            event,
            here="check-in",
            people=rows[:PEOPLE_SHOWN] if more_found else rows,
            more_found=more_found,
            words=words,
            show=show,
            new_name=words if words and not exact and fold_name(words) else "",
        )
        | plan_context(event)
        | more
    )


def plan_context(event: Event, **more: Any) -> dict[str, Any]:
    """How many are present, and into which tables they would split."""
    present = Entry.objects.filter(event=event).present().count()
    if in_sides(event):
        return _in_progress(event) | _sides_context(event, present) | more
    choices = possible_splits(present)
    chosen = split_for(present, Leftovers(event.leftovers)).policy if choices else None
    plans = [
        {
            "policy": choice.policy.value,
            "words": split_in_words(choice.split),
            "sizes": choice.split.sizes,
            "why": explained(choice.reasons),
            "is_chosen": choice.policy == chosen,
        }
        for choice in choices
    ]
    return _in_progress(event) | {"present": present, "plans": plans} | more


def _in_progress(event: Event) -> dict[str, Any]:
    return {
        "draw_form": DrawForm(),
        "current": event.rounds.exclude(state="closed").first(),
        "next_number": event.rounds.published().count() + 1,
    }


def _sides_context(event: Event, present: int) -> dict[str, Any]:
    """The one way in which sides meet: as many tables as they fill, the others sit out."""
    plan = plan_of_sides(event, present)
    plans = []
    if plan is not None:
        plans.append(
            {
                "policy": Leftovers.SIT_OUT.value,
                "words": sides_in_words(plan.tables, plan.seats, plan.sit_out),
                "sizes": [plan.seats] * plan.tables,
                "why": [],
                "is_chosen": True,
            }
        )
    return {"present": present, "plans": plans}


def _answered(request: MemberRequest, event: Event, player: Player) -> HttpResponse:
    if not request.htmx:
        return redirect("check-in", event.pk)
    person = row_of(event, player)
    context = evening_context(request, event, person=person, swapped=True)
    return render(request, "tournaments/check_in.html#answer", context | plan_context(event))


def _refused(
    request: MemberRequest, event: Event, refusal: ValidationError, *, name: str = ""
) -> HttpResponse:
    event.refresh_from_db(fields=["state", "roster_version"])
    namesakes = getattr(refusal, "params", None) or {}
    context = door_context(
        request,
        event,
        refusal=refusal,
        refused_name=name,
        namesakes=namesakes.get("players", []),
    )
    template = "tournaments/check_in.html"
    if not request.htmx:
        return render(request, template, context, status=status_of(refusal))
    response = render(request, f"{template}#refusal", context, status=status_of(refusal))
    return reswap(retarget(response, "#refusal"), "outerHTML")
