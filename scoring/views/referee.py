"""The referee's page: who calls, what was decided, and what a table is told."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe
from django.views.decorators.vary import vary_on_headers

from clubs.permissions import MemberRequest, role_in
from clubs.templatetags.cards import colon
from scoring import actions, permissions
from scoring.forms import CallForm, GameRulingForm, RulingForm, WithdrawForm, ruling_form
from scoring.rules.rulings import said_of_bar
from scoring.views.keeping import author_sent
from scoring.views.lines import evening_rights, fault_words
from tournaments import actions as tournament_actions
from tournaments.games import facts_of
from tournaments.models import Event, RefereeCall, Ruling, Table
from tournaments.permissions import (
    get_call_to_answer,
    get_event_of_referee,
    get_event_to_rule,
    get_ruling_to_withdraw,
    good_phone,
)
from tournaments.phones import known_visitor_required
from tournaments.rules import Conflict, points_on
from tournaments.visitors import as_named, mark_of, only_as_whoever_entered


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerLine:
    """A ruling in words."""

    ruling: Ruling
    who: str
    fault: str
    bar: str
    #: For the one line whose withdrawal was refused: the form as it was sent.
    form: WithdrawForm


@known_visitor_required
@require_safe
@vary_on_headers("HX-Request")
def referee(request: MemberRequest, pk: int) -> HttpResponse:
    """The calls and the ledger; for the director also the form of a new ruling."""
    event = get_event_of_referee(request, pk)
    if request.htmx:
        role = role_in(request.user, event.club)
        context = {"event": event, "role": role, **_rights(request, event), **_calls(event)}
        return render(request, "scoring/referee.html#calls", context)
    return _page(request, event)


@known_visitor_required
@only_as_whoever_entered
@require_POST
def record_ruling(request: MemberRequest, pk: int) -> HttpResponse:
    """Write a ruling into the ledger."""
    event, by = get_event_to_rule(request, pk)
    as_named(request, by)
    form = ruling_form(event)(request.POST, event=event, table=_table_asked(event, request.POST))
    if not form.is_valid():
        return _page(request, event, form=form)
    try:
        act = actions.penalise_entry if isinstance(form, GameRulingForm) else actions.record_ruling
        ruling = act(event=event, by=by, **form.ruling())
    except ValidationError as refusal:
        form.add_error(None, refusal.messages)
        return _page(request, event, form=form)
    messages.success(request, _said_of(ruling))
    return redirect("referee", event.pk)


@known_visitor_required
@only_as_whoever_entered
@require_POST
def withdraw_ruling(request: MemberRequest, pk: int) -> HttpResponse:
    """Strike a ruling through, with the reason."""
    ruling, by = get_ruling_to_withdraw(request, pk)
    as_named(request, by)
    form = WithdrawForm(request.POST, prefix=f"ruling-{ruling.pk}")
    if form.is_valid():
        try:
            actions.withdraw_ruling(ruling=ruling, why=form.cleaned_data["why"], by=by)
        except ValidationError as refusal:
            form.add_error("why", refusal.messages)
        else:
            messages.success(request, _("The ruling is withdrawn."))
            return redirect("referee", ruling.event_id)
    return _page(request, ruling.event, withdrawing=(ruling, form))


@known_visitor_required
@only_as_whoever_entered
@require_POST
def call_referee(request: MemberRequest, pk: int) -> HttpResponse:
    """Call the referee to a table, or say that something is wrong: its players may, and scorers."""
    table = permissions.table_to_score(request, pk)
    form = CallForm(request.POST)
    said = form.cleaned_data if form.is_valid() else {}
    try:
        tournament_actions.call_referee(table=table, by=author_sent(request, table), **said)
    except ValidationError as refusal:
        messages.error(request, refusal.messages[0])
    else:
        messages.success(request, _said_to_the_table(is_problem=said.get("is_problem", False)))
    return redirect(table)


def _said_to_the_table(*, is_problem: bool) -> str:
    if is_problem:
        return _("The director is told that something is wrong here. Play on meanwhile.")
    return _("The referee is called. Leave the cards as they are.")


@known_visitor_required
@only_as_whoever_entered
@require_POST
def go_to_call(request: MemberRequest, pk: int) -> HttpResponse:
    """Say that one is on the way to the table that calls."""
    call, by = get_call_to_answer(request, pk)
    as_named(request, by)
    try:
        tournament_actions.go_to_call(call=call, by=by)
    except Conflict as refusal:
        messages.error(request, refusal.messages[0])
    return redirect("referee", call.table.round.event_id)


@known_visitor_required
@only_as_whoever_entered
@require_POST
def answer_call(request: MemberRequest, pk: int) -> HttpResponse:
    """Settle a call."""
    call, by = get_call_to_answer(request, pk)
    as_named(request, by)
    tournament_actions.answer_call(call=call, by=by)
    return redirect("referee", call.table.round.event_id)


def _page(
    request: MemberRequest,
    event: Event,
    *,
    form: RulingForm | GameRulingForm | None = None,
    withdrawing: tuple[Ruling, WithdrawForm] | None = None,
) -> HttpResponse:
    role = role_in(request.user, event.club)
    rights = _rights(request, event)
    context: dict[str, Any] = {
        "event": event,
        # A referee without an account finds nothing behind the pages of a club that shows nothing.
        "club": event.club if role is not None or event.club.is_public else None,
        "nav": "evenings",
        "here": "referee",
        "role": role,
        **rights,
        "this_round": event.rounds.published().in_order().last(),
        **_calls(event),
        "ledger": _ledger(event.rulings.for_ledger(), withdrawing),
        "takes_points": not facts_of(event.game).effects,
        "in_force": _in_force(event),
    }
    if rights["may_go"]:
        context["form"] = form or _blank_form(request, event)
        context["tables"] = _tables_of_the_last_round(event)
    failed = form is not None or withdrawing is not None
    return render(request, "scoring/referee.html", context, status=422 if failed else 200)


def _rights(request: MemberRequest, event: Event) -> dict[str, Any]:
    """What the visitor may do here: the phone of a referee goes to calls and rules."""
    rights = evening_rights(role_in(request.user, event.club))
    phone = good_phone(request, event)
    may_go = rights["may_direct"] or (phone is not None and phone.is_referee)
    by = request.user if rights["may_direct"] or phone is None else phone
    return rights | {"may_go": may_go, "as_whom": mark_of(by) if may_go else ""}


def _calls(event: Event) -> dict[str, Any]:
    """What asks for the referee: tables that call, and sheets that do not add up."""
    return {
        "calls": list(RefereeCall.objects.of_event(event).waiting().for_list()),
        "wrong_sheets": _wrong_sheets(event),
    }


def _blank_form(request: MemberRequest, event: Event) -> RulingForm | GameRulingForm:
    table = _table_asked(event, request.GET)
    initial = {}
    if table is not None and not table.is_complete:
        initial["deal_number"] = table.deals_recorded + 1
    return ruling_form(event)(event=event, table=table, initial=initial)


def _table_asked(event: Event, sent: Any) -> Table | None:
    asked = sent.get("table", "")
    if not (asked.isascii() and asked.isdigit()) or len(asked) > 18:  # noqa: PLR2004 - a key
        return None
    tables = Table.objects.filter(round__event=event).exclude(round__state="drawn")
    return tables.select_related("round").filter(pk=int(asked)).first()


def _tables_of_the_last_round(event: Event) -> list[Table]:
    last = event.rounds.published().in_order().last()
    return list(last.tables.in_order()) if last else []


def _wrong_sheets(event: Event) -> list[dict[str, Any]]:
    """Sheets of the round being played that do not add up to zero, where they have to."""
    if facts_of(event.game).plays_games:
        return []
    tables = Table.objects.filter(round__event=event, round__state="playing").in_order()
    sums = [(table, points_on(table)) for table in tables.prefetch_related("seats")]
    return [{"table": table, "points": points} for table, points in sums if points]


def _in_force(event: Event) -> int:
    penalties = event.rulings.standing().penalties()
    return -sum(penalties.values_list("points", flat=True))


def _ledger(
    rulings: Iterable[Ruling], withdrawing: tuple[Ruling, WithdrawForm] | None
) -> list[LedgerLine]:
    return [
        LedgerLine(
            ruling=ruling,
            who=str(ruling.entry) if ruling.entry else "",
            fault=fault_words(ruling.fault),
            bar=said_of_bar(ruling),
            form=withdrawing[1]
            if withdrawing and withdrawing[0].pk == ruling.pk
            else WithdrawForm(prefix=f"ruling-{ruling.pk}"),
        )
        for ruling in rulings
    ]


def _said_of(ruling: Ruling) -> str:
    gaps = {"player": ruling.entry, "points": ruling.points}
    if ruling.kind == Ruling.Kind.PENALTY:
        said = ngettext(
            "%(player)s loses %(points)s point.",
            "%(player)s loses %(points)s points.",
            ruling.points,
        )
        return said % gaps
    if ruling.effect:
        words = ruling.get_effect_display()
        return f"{ruling.entry}{colon()} {words}" if ruling.entry else words
    if ruling.kind == Ruling.Kind.WARNING:
        return _("%(player)s is warned.") % gaps
    return _("The ruling is recorded.")
