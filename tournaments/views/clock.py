"""The buttons of the clock on the director's board."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from clubs.models import Role
from clubs.permissions import MemberRequest
from tournaments import actions, clock
from tournaments.forms import ClockForm, ExtendForm, RoundForm
from tournaments.models import Event, Round
from tournaments.permissions import get_event
from tournaments.views.pages import round_meant

PRESSED = {
    "pause": actions.pause_clock,
    "resume": actions.resume_clock,
    "call": actions.call_time,
    "take_back": actions.take_time_back,
}


@login_required
@require_POST
def change_clock(request: MemberRequest, pk: int) -> HttpResponse:
    """Start, stop or go on with the clock of a round, or call the end of its time."""
    event = get_event(request.user, pk, at_least=Role.DIRECTOR)
    form = ClockForm(request.POST)
    if not form.is_valid():
        messages.error(request, _what_is_wrong(form))
        return redirect("tables", event.pk)
    this_round = round_meant(event, form.cleaned_data["round"])
    try:
        _press(form, this_round, request)
    except ValidationError as refusal:
        messages.error(request, refusal.messages[0])
    return redirect("tables", event.pk)


def _what_is_wrong(form: ClockForm) -> str:
    if "minutes" in form.errors:
        return _("A round lasts from 1 to %(most)s minutes.") % {"most": 600}
    return _("This page is damaged. Open it again.")


def _press(form: ClockForm, this_round: Round, request: MemberRequest) -> None:
    pressed = form.cleaned_data["press"]
    if pressed == "start":
        minutes = form.cleaned_data["minutes"] or 0
        actions.start_clock(this_round=this_round, minutes=minutes, by=request.user)
    else:
        PRESSED[pressed](this_round=this_round, by=request.user)


@login_required
@require_POST
def extend_table(request: MemberRequest, pk: int) -> HttpResponse:
    """Give a table more time than the others."""
    event = get_event(request.user, pk, at_least=Role.DIRECTOR)
    meant = RoundForm(request.POST)
    this_round = round_meant(event, meant.cleaned_data["round"] if meant.is_valid() else 0)
    form = ExtendForm(request.POST, this_round=this_round)
    if not form.is_valid():
        messages.error(request, _("Choose a table and from 0 to 600 minutes."))
        return redirect("tables", event.pk)
    table, minutes = form.cleaned_data["table"], form.cleaned_data["minutes"]
    try:
        actions.extend_table(table=table, minutes=minutes, by=request.user)
    except ValidationError as refusal:
        messages.error(request, refusal.messages[0])
    else:
        said = ngettext(
            "Table %(number)s plays %(minutes)s minute longer than the others.",
            "Table %(number)s plays %(minutes)s minutes longer than the others.",
            minutes,
        )
        messages.success(request, said % {"number": table.number, "minutes": minutes})
    return redirect("tables", event.pk)


def clock_context(event: Event, this_round: Round, *, at: datetime) -> dict[str, Any]:
    """What the board shows of the clock: when it ends, what is left, who has more time."""
    left = clock.time_left(this_round, at=at)
    return {
        "clock_ends_at": clock.ends_at(this_round, at=at),
        "minutes_left": None if left is None else -(-int(left.total_seconds()) // 60),
        "clock_runs": clock.is_running(this_round),
        "clock_matters": event.kind == Event.Kind.TOURNAMENT or this_round.minutes is not None,
        "extended": list(
            this_round.tables.in_order()
            .filter(extra_minutes__gt=0)
            .values_list("number", "extra_minutes")
        ),
    }
