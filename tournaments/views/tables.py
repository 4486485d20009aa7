"""The board: every table of a round, how far it is, what it adds up to; and the round's end."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import ValidationError
from django.db.models import Max, Q
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe
from django.views.decorators.vary import vary_on_headers
from django_htmx.http import HttpResponseClientRefresh

from clubs.models import Player, Role
from clubs.permissions import MemberRequest, VisitorRequest
from tournaments import actions, phones
from tournaments.forms import BoardForm, CloseRoundForm, DealsForm, ExtendForm, RoundForm
from tournaments.http import etag_of, mark, not_modified
from tournaments.models import Event, RefereeCall, Round, Seat, Table
from tournaments.permissions import get_event, get_visible_event
from tournaments.rules import QUIET, is_quiet, needs_help, points_on, twins_of
from tournaments.stages import next_stage
from tournaments.views.clock import clock_context
from tournaments.views.pages import evening_context, round_meant, status_of

STOP_POLLING = 286


@require_safe
@vary_on_headers("HX-Request")
def tables(request: VisitorRequest, pk: int) -> HttpResponseBase:
    """The tables of the last round that has started, or of the one asked for."""
    event = get_visible_event(request.user, pk)
    asked = _asked(request)
    if not request.htmx:
        return _page(request, event)
    return _board(request, event, number=asked["round"] or 0, show=asked["show"])


@login_required
@require_POST
def close_round(request: MemberRequest, pk: int) -> HttpResponse:
    """End the round; missing deals must be given up in so many words."""
    event = get_event(request.user, pk, at_least=Role.DIRECTOR)
    meant = round_meant(event, _round_sent(request))
    form = CloseRoundForm(request.POST, numbers=_numbers_of(meant))
    form.is_valid()
    let_pass = form.cleaned_data.get("without", ())
    try:
        closed = actions.close_round(
            this_round=meant,
            by=request.user,
            without_missing=form.cleaned_data.get("without_missing", False),
            without=let_pass,
        )
    except ValidationError as refusal:
        none_chosen = form.cleaned_data.get("chooses", False) and not let_pass
        return _page(request, event, refusal=refusal, let_pass=let_pass, none_chosen=none_chosen)
    messages.success(request, _("Round %(number)s is closed.") % {"number": closed.number})
    return redirect("tables", event.pk)


@login_required
@require_POST
def reopen_round(request: MemberRequest, pk: int) -> HttpResponse:
    """Open the last round and its sheets again."""
    event = get_event(request.user, pk, at_least=Role.DIRECTOR)
    form = RoundForm(request.POST)
    meant = round_meant(event, form.cleaned_data["round"] if form.is_valid() else 0)
    try:
        reopened = actions.reopen_round(this_round=meant, by=request.user)
    except ValidationError as refusal:
        return _page(request, event, refusal=refusal)
    messages.success(request, _("Round %(number)s is open again.") % {"number": reopened.number})
    return redirect("tables", event.pk)


@login_required
@require_POST
def change_deals(request: MemberRequest, pk: int) -> HttpResponse:
    """Let a table play more or fewer deals than planned."""
    event = get_event(request.user, pk, at_least=Role.DIRECTOR)
    meant = RoundForm(request.POST)
    this_round = round_meant(event, meant.cleaned_data["round"] if meant.is_valid() else 0)
    form = DealsForm(request.POST, this_round=this_round)
    if not form.is_valid():
        refusal = ValidationError(_("Choose a table and from 1 to 50 deals."), code="deals")
        return _page(request, event, refusal=refusal, deals_form=form)
    try:
        table = actions.change_deals(
            table=form.cleaned_data["table"],
            deals_planned=form.cleaned_data["deals"],
            by=request.user,
        )
    except ValidationError as refusal:
        return _page(request, event, refusal=refusal, deals_form=form)
    messages.success(
        request,
        _("Table %(number)s plays %(deals)s deals in this round.")
        % {"number": table.number, "deals": table.deals_planned},
    )
    return redirect("tables", event.pk)


@require_safe
def current_sheet(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """The sheet of this table in the running round; what the card on the table points to.

    Whoever may not look at the evening is asked to sign in, whether it exists or not.
    """
    try:
        event = get_visible_event(request.user, pk)
    except Http404:
        if request.user.is_authenticated:
            raise
        return redirect_to_login(request.get_full_path())
    latest = Table.objects.filter(round__event=event, number=number).exclude(round__state="drawn")
    table = latest.order_by("-round__number").first()
    return redirect(table or "tables", *(() if table else (event.pk,)))


def _round_sent(request: HttpRequest) -> int:
    form = RoundForm(request.POST)
    sent: int = form.cleaned_data["round"] if form.is_valid() else 0
    return sent


def _numbers_of(this_round: Round) -> list[int]:
    return list(Table.objects.filter(round=this_round.pk).values_list("number", flat=True))


def _asked(request: HttpRequest) -> dict[str, Any]:
    form = BoardForm(request.GET)
    asked = form.cleaned_data if form.is_valid() else {"round": None, "show": ""}
    return {"round": asked["round"], "show": asked["show"] or "all"}


def _page(
    request: HttpRequest,
    event: Event,
    *,
    refusal: ValidationError | None = None,
    let_pass: Collection[int] = (),
    **more: Any,
) -> HttpResponse:
    if refusal is not None:
        event.refresh_from_db(fields=["state", "roster_version"])
    asked = _asked(request)
    rounds = list(event.rounds.published().in_order())
    context = evening_context(
        request,
        event,
        here="tables",
        rounds=rounds,
        show=asked["show"],
        refusal=refusal,
        asks_to_close=getattr(refusal, "code", "") == "deals_missing",
        given_up=_given_up(refusal, let_pass),
        let_pass=let_pass,
        proposal=event.rounds.proposed().first(),
        all_played=_all_played(event, rounds),
    )
    chosen = _chosen(rounds, asked["round"])
    if chosen is not None:
        context |= _round_context(chosen, is_last=chosen == rounds[-1]) | more
        context["own_seat"] = _own_seat(request, chosen)
        context["still_entering"] = _still_entering(chosen) if refusal is not None else []
        at = timezone.now()
        context |= board_context(
            chosen, show=asked["show"], at=at, named=getattr(refusal, "tables", ())
        )
        context |= clock_context(event, chosen, at=at)
    return render(request, "tournaments/tables.html", context, status=status_of(refusal))


def _given_up(refusal: ValidationError | None, let_pass: Collection[int]) -> list[int]:
    """Give the tables to choose from: those that are not ready, and those chosen before."""
    not_ready = getattr(refusal, "tables", ())
    return sorted({*not_ready, *let_pass}) if not_ready else []


def _still_entering(this_round: Round) -> list[int]:
    """Give the numbers of the tables for which a phone has a row open that is not written yet."""
    numbers = {each.pk: each.number for each in this_round.tables.all() if not each.is_complete}
    return sorted(numbers[pk] for pk in phones.entering(numbers))


def _all_played(event: Event, rounds: list[Round]) -> bool:
    """Has the last round that was planned come to its end?"""
    if not rounds or rounds[-1].state != Round.State.CLOSED:
        return False
    if event.is_tournament:
        return next_stage(event) is None
    return event.rounds_planned is not None and len(rounds) >= event.rounds_planned


def _chosen(rounds: list[Round], number: int | None) -> Round | None:
    if number is None:
        return rounds[-1] if rounds else None
    for each in rounds:
        if each.number == number:
            return each
    raise Http404


def _own_seat(request: HttpRequest, chosen: Round) -> Seat | None:
    if not request.user.is_authenticated:
        return None
    return chosen.seats.filter(player__account=request.user).select_related("table").first()


def _round_context(chosen: Round, *, is_last: bool) -> dict[str, Any]:
    waiting = Player.objects.filter(entry_players__entry__sit_outs__round=chosen)
    return {
        "this_round": chosen,
        "is_last": is_last,
        "sitting_out": waiting.by_name(),
        "deals_form": DealsForm(this_round=chosen),
        "extend_form": ExtendForm(this_round=chosen),
        "usual_minutes": chosen.minutes or (chosen.stage and chosen.stage.minutes_per_round),
    }


def board_context(
    this_round: Round, *, show: str, at: datetime, named: Collection[int] = ()
) -> dict[str, Any]:
    """The cards of the tables: all, or those to which the director should go.

    ``named`` are the numbers of the tables that have just kept the round from its end.
    """
    waiting = RefereeCall.objects.filter(table__round=this_round).waiting().for_list()
    calls = {call.table_id: call for call in waiting}
    # What a timed round plans is only the most that could be played.
    is_timed = this_round.stage is not None and this_round.stage.minutes_per_round is not None
    tables = _tables_of(this_round)
    twins = twins_of(tables)
    cards = [
        {
            "table": table,
            "points": points_on(table),
            "is_quiet": is_quiet(table, at=at),
            "minutes": int((at - table.changed_at).total_seconds() // 60),
            "missing": _missing(table),
            "needs_help": needs_help(table, at=at)
            or table.pk in calls
            or table.pk in twins
            or table.number in named,
            "twins": twins.get(table.pk, []),
            "call": calls.get(table.pk),
            "is_timed": is_timed and table.signed_at is None,
            "is_signed": table.signed_at is not None,
        }
        for table in tables
    ]
    to_help = [card for card in cards if card["needs_help"]]
    return {
        "this_round": this_round,
        "cards": to_help if show == "help" else cards,
        "show": show,
        "numbers": [table.number for table in tables],
        "all_count": len(cards),
        "help_count": len(to_help),
        "finished": sum(card["missing"] == 0 for card in cards),
    }


def _missing(table: Table) -> int:
    """How much is not on the sheet yet: deals, or for games that are won the decision."""
    if table.best_of is not None:
        return int(not table.is_complete)
    return max(0, table.deals_planned - table.deals_recorded)


def _tables_of(this_round: Round) -> list[Table]:
    found = list(this_round.tables.in_order().prefetch_related("seats__player"))
    for table in found:
        table.round = this_round  # the same row for all, without asking again
    return found


def _board(request: HttpRequest, event: Event, *, number: int, show: str) -> HttpResponseBase:
    """Answer the page that asks every ten seconds; unchanged, after one read by index."""
    at = timezone.now()
    state = _state_of(event, number)
    last = max((row[0] for row in state), default=0)
    if last != number:
        return HttpResponseClientRefresh()
    quiet = [row[2] for row in state if at - row[4] >= QUIET]
    ticking = any(row[-2] is not None and row[-1] is None for row in state)
    minutes = int(at.timestamp() // 60) if quiet or ticking else 0
    seen_by = (request.user.pk, event.club.names_changed_at)
    etag = etag_of(state, show, get_language(), event.state, minutes, seen_by)
    unchanged = not_modified(request, etag)
    if unchanged is not None:
        return unchanged
    this_round = get_object_or_404(event.rounds.published(), number=number)
    context = board_context(this_round, show=show, at=at) | {"event": event}
    context |= clock_context(event, this_round, at=at)
    status = STOP_POLLING if event.is_closed else 200
    return mark(render(request, "tournaments/tables.html#board", context, status=status), etag)


def _state_of(event: Event, number: int) -> list[tuple[Any, ...]]:
    """What the board depends on, of the round that is shown and any later one."""
    rows = Table.objects.filter(round__event=event, round__number__gte=number)
    return list(
        rows.exclude(round__state="drawn")
        .order_by("round__number", "number")
        .annotate(
            call=Max("referee_calls", filter=Q(referee_calls__answered_at=None)),
            going=Max("referee_calls__going_by", filter=Q(referee_calls__answered_at=None)),
        )
        .values_list(
            "round__number",
            "round__state",
            "pk",
            "version",
            "changed_at",
            "deals_recorded",
            "deals_planned",
            "objections",
            "unconfirmed",
            "signed_at",
            "call",
            "going",
            "round__seconds_paused",
            "round__clock_paused_at",
            "round__clock_started_at",
            "round__time_called_at",
        )
    )
