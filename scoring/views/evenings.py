"""An evening's own page: its results, and for the director the next step; its end."""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from clubs.models import Publication, Role
from clubs.permissions import MemberRequest, VisitorRequest
from scoring import actions, freshness, results
from scoring.forms import CloseEventForm, PublicationForm, ReopenEventForm
from scoring.http import revalidated
from scoring.views.lines import columns_of, evening_rights, standing_lines, standings_page
from scoring.views.previews import as_data, state_of, words_of
from scoring.visibility import get_event_with_role
from tournaments import actions as tournament_actions
from tournaments.models import CancelledEvent, Event, Round
from tournaments.permissions import get_event
from tournaments.rules import Conflict
from tournaments.stages import next_stage

FEWEST_PLAYERS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """What the director does next: a sentence and a link that says what it does."""

    sentence: str
    address: str
    action: str
    #: Does he rather close the evening, and follow the link only to go on?
    closes: bool = False


@require_safe
def show_event(request: VisitorRequest, pk: int) -> HttpResponseBase:
    """The results so far or for good; for the director also what comes next."""
    try:
        event, role = get_event_with_role(request.user, pk)
    except Http404:
        return _cancelled_page(request, pk)
    context = _event_context(request, event, role)
    version = (
        role, event.name, event.place, event.starts_at, event.state, event.publication,
        event.deals_per_round, event.rounds_planned, event.club.name,
        context["fresh"], context["step"], context["is_final"],
        [(line.name, line.entry.place, line.cells) for line in context["lines"]],
        context["page"].paginator.count,
        context["waiting"], [(r.number, r.state) for r in context["rounds"]],
    )  # fmt: skip
    return revalidated(
        request,
        version=version,
        club=event.club,
        modified=event.standings_at,
        make=lambda: render(request, "scoring/event.html", context),
    )


def _cancelled_page(request: VisitorRequest, pk: int) -> HttpResponse:
    """Say that the evening does not take place, to whoever could see that it was planned."""
    visible = CancelledEvent.objects.visible_to(request.user).select_related("club")
    context = {"event": get_object_or_404(visible, number=pk), "nav": "evenings"}
    return render(request, "scoring/cancelled.html", context, status=HTTPStatus.GONE)


def _event_context(request: VisitorRequest, event: Event, role: Role | None) -> dict[str, Any]:
    rounds = list(event.rounds.published().in_order().prefetch_related("tables"))
    columns = [] if event.meets_in_fixtures else columns_of(event, rounds)
    rights = evening_rights(role)
    page = standings_page(event, request.GET.get("page"))
    waiting = event.entries.present().not_played().for_standings()
    return {
        "club": event.club,
        "nav": "evenings",
        "role": role,
        "event": event,
        **rights,
        "rounds": rounds,
        "sheets_are_shown": role is not None or event.club.shows_sheets,
        "columns": columns,
        "page": page,
        "lines": standing_lines(page, columns, request.user),
        "waiting": [str(entry) for entry in waiting],
        "fresh": freshness.of_event(event),
        "step": _step(event, rounds) if rights["may_direct"] else None,
        "is_playing": any(each.state == Round.State.PLAYING for each in rounds),
        "is_final": event.is_closed and results.is_final(event),
        "state_words": words_of(event),
        "results_are": state_of(event),
        "preview_text": _preview_text(event),
        "as_data": as_data(request, event),
        "close_form": CloseEventForm(),
        "reopen_form": ReopenEventForm(),
        "publication_form": PublicationForm(initial={"publication": event.publication}),
    }


def _preview_text(event: Event) -> str:
    day = date_format(localtime(event.starts_at))
    return ", ".join(filter(None, (event.club.name, day, event.place, words_of(event))))


def _step(event: Event, rounds: list[Round]) -> Step:
    if event.meets_in_fixtures and not event.is_closed:
        return _step_of_fixtures(event)
    return _next_step(event, rounds)


def _next_step(event: Event, rounds: list[Round]) -> Step:
    if event.is_closed:
        return _step_after_the_end(event)
    playing = next((each for each in rounds if each.state == Round.State.PLAYING), None)
    if playing is not None:
        return _step_of_playing(event, playing)
    number = len(rounds) + 1
    if event.rounds.proposed().exists():
        return Step(
            sentence=_("The draw of round %(number)s is a proposal so far.") % {"number": number},
            address=reverse("draw", args=[event.pk]),
            action=_("Look at the draw"),
        )
    if event.is_tournament and rounds and next_stage(event) is None:
        return Step(
            sentence=_(
                "All the rounds have been played: look at the ranking, then close the tournament."
            ),
            address=reverse("results", args=[event.pk]),
            action=_("Show the ranking"),
        )
    if not event.is_tournament and event.rounds_planned and number > event.rounds_planned:
        return _step_after_the_last_round(event)
    return _step_before_a_round(event, number)


def _step_after_the_end(event: Event) -> Step:
    if not results.is_final(event) and results.unsettled_sheets(event):
        return Step(
            sentence=_("The results stay provisional: not every sheet is settled."),
            address=f"{reverse('results', args=[event.pk])}#unsettled",
            action=_("Look at the sheets"),
        )
    return Step(
        sentence=_("The tournament is closed: its points count for the season.")
        if event.is_tournament
        else _("The evening is closed: its points count for the season."),
        address=reverse("ranking", args=[event.club.slug]),
        action=_("Show the ranking"),
    )


def _step_of_fixtures(event: Event) -> Step:
    return Step(
        sentence=_("Who meets whom, what can be played now, and the results."),
        address=reverse("fixtures", args=[event.pk]),
        action=_("Go to the fixtures"),
    )


def _step_of_playing(event: Event, playing: Round) -> Step:
    tables = list(playing.tables.all())
    done = sum(table.is_complete for table in tables)
    return Step(
        sentence=ngettext(
            "%(done)s of %(count)s tables has finished round %(number)s.",
            "%(done)s of %(count)s tables have finished round %(number)s.",
            done,
        )
        % {"done": done, "count": len(tables), "number": playing.number},
        address=reverse("tables", args=[event.pk]),
        action=_("Go to the tables"),
    )


def _step_before_a_round(event: Event, number: int) -> Step:
    present = event.entries.present().count()
    if present < FEWEST_PLAYERS:
        return Step(
            sentence=_("Mark who is present. From 3 players on, we propose the tables."),
            address=reverse("check-in", args=[event.pk]),
            action=_open_the_list(event),
        )
    return Step(
        sentence=ngettext("%(count)s player is present.", "%(count)s players are present.", present)
        % {"count": present},
        address=reverse("draw", args=[event.pk]),
        action=_("Draw the tables of round %(number)s") % {"number": number},
    )


def _step_after_the_last_round(event: Event) -> Step:
    return Step(
        sentence=_(
            "All the rounds that were planned have been played: look at the standings, then close "
            "the evening."
        ),
        address=reverse("draw", args=[event.pk]),
        action=_("Draw another round"),
        closes=True,
    )


def _open_the_list(event: Event) -> str:
    if event.is_tournament or event.enters_sides:
        return _("Open the entries")
    return _("Open the check-in")


@login_required
@require_POST
def close_event(request: MemberRequest, pk: int) -> HttpResponse:
    """End the evening; while a round is played only with the director's word for it."""
    event = get_event(request.user, pk, at_least=Role.DIRECTOR)
    form = CloseEventForm(request.POST)
    form.is_valid()
    try:
        actions.close_event(
            event=event, by=request.user, without_missing=form.cleaned_data["without_missing"]
        )
    except ValidationError as refusal:
        return _refused(request, event, refusal)
    messages.success(
        request,
        _("The tournament is closed. Its points count for the season.")
        if event.is_tournament
        else _("The evening is closed. Its points count for the season."),
    )
    return redirect(event)


@login_required
@require_POST
def reopen_event(request: MemberRequest, pk: int) -> HttpResponse:
    """Let the evening go on."""
    event = get_event(request.user, pk, at_least=Role.DIRECTOR)
    form = ReopenEventForm(request.POST)
    form.is_valid()
    try:
        actions.reopen_event(
            event=event, by=request.user, although_final=form.cleaned_data["although_final"]
        )
    except ValidationError as refusal:
        return _refused(request, event, refusal)
    messages.success(
        request,
        _("The tournament is open again. It does not count until you close it.")
        if event.is_tournament
        else _("The evening is open again. It does not count until you close it."),
    )
    return redirect(event)


@login_required
@require_POST
def publish_event(request: MemberRequest, pk: int) -> HttpResponse:
    """Say who may see the evening and its results."""
    event = get_event(request.user, pk, at_least=Role.DIRECTOR)
    form = PublicationForm(request.POST)
    if not form.is_valid():
        return _refused(request, event, ValidationError(list(form.errors["publication"])))
    publication = Publication(form.cleaned_data["publication"])
    event = tournament_actions.change_event(event=event, by=request.user, publication=publication)
    messages.success(request, said_of(publication))
    return redirect(event)


def said_of(publication: Publication) -> str:
    """Say in a sentence who sees the results from now on."""
    if publication == Publication.PUBLIC:
        return _("Everybody may see the results now.")
    return _("Only members see the results now.")


def _refused(request: MemberRequest, event: Event, refusal: ValidationError) -> HttpResponse:
    event, role = get_event_with_role(request.user, event.pk)
    context = _event_context(request, event, role) | {"refusals": refusal.messages}
    status = 409 if isinstance(refusal, Conflict) else 422
    return render(request, "scoring/event.html", context, status=status)
