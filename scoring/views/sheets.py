"""The score sheet of a table, on the screen and on paper."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.contrib.auth import SESSION_KEY
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.crypto import salted_hmac
from django.utils.translation import get_language
from django.views.decorators.http import (
    condition,
    require_safe,
)
from django_htmx.http import HTMX_STOP_POLLING

from clubs.permissions import MemberRequest, role_in
from rules_engine import tarot
from scoring import permissions
from scoring.models import TarotDeal
from scoring.rules import names_at_table
from scoring.rules.tarot import ruleset_of
from scoring.views.lines import fault_words, is_barred
from scoring.views.sheet_lines import SheetLine, sheet_lines
from tournaments import clock
from tournaments.models import Event, Ruling, Seat, Table
from tournaments.permissions import get_visible_table

STATE_OF_A_SHEET = (
    "version",
    "changed_at",
    "deals_planned",
    "state",
    "round__state",
    "round__event__state",
    "signed_at",
    "extra_minutes",
    "round__time_called_at",
    "round__event__season__club__names_changed_at",
)


def show(
    request: HttpRequest, template: str, context: dict[str, Any], *, part: str, status: int = 200
) -> HttpResponse:
    """Render the page, or the named part of it that htmx asked for."""
    if getattr(request, "htmx", False):
        template += f"#{part}"
    response = render(request, template, context, status=status)
    patch_vary_headers(response, ["HX-Request"])
    return response


def page_context(request: HttpRequest, table: Table) -> dict[str, Any]:
    """What every page at the table shows."""
    role = role_in(request.user, table.event.club)
    return {"table": table, "event": table.event, "club": table.event.club, "role": role}


def seats_of(table: Table) -> list[Seat]:
    return sorted(table.seats.all(), key=lambda seat: seat.place)


def named(seats: list[Seat]) -> list[tuple[Seat, str]]:
    """Each seat with what its player is called at the table."""
    return list(zip(seats, names_at_table(seats).values(), strict=True))


def lines_of(table: Table, deals: Iterable[TarotDeal]) -> list[SheetLine]:
    seats = seats_of(table)
    return list(sheet_lines(list(deals), seats, names_at_table(seats), ruleset_of(table)))


# The sheet


def tag_of(request: HttpRequest, pk: int, state: object) -> str:
    """Name what a visitor sees of a sheet in this state."""
    visitor = request.session.get(SESSION_KEY)
    seen = f"{pk} {state} {visitor} {get_language()}"
    return f'"{salted_hmac("scoring.sheet", seen, algorithm="sha256").hexdigest()[:24]}"'


def tag_for_polling(request: HttpRequest, pk: int) -> str | None:
    """Name the present state for a page that polls: one read of one row.

    Nobody can guess the name: who knows it has been shown the sheet in this very state, so
    "unchanged" can be answered without asking for his role again.
    """
    if not getattr(request, "htmx", False):
        return None
    state = Table.objects.filter(pk=pk).values_list(*STATE_OF_A_SHEET).first()
    return tag_of(request, pk, state)


@require_safe
@condition(etag_func=tag_for_polling)
def sheet(request: MemberRequest, pk: int) -> HttpResponse:
    """Show the sheet: every deal, the totals, and what was corrected by whom."""
    table = get_visible_table(request.user, pk)
    event = table.event
    state = (
        table.version,
        table.changed_at,
        table.deals_planned,
        table.state,
        table.round.state,
        event.state,
        table.signed_at,
        table.extra_minutes,
        table.round.time_called_at,
        event.club.names_changed_at,
    )
    context = page_context(request, table)
    seats = seats_of(table)
    context |= {
        "poll_headers": json.dumps({"If-None-Match": tag_of(request, pk, state)}),
        "lines": lines_of(table, table.tarot_deals.for_sheet()),
        "seats": named(seats),
        "total": sum(seat.points for seat in seats),
        "may_score": permissions.may_score(request.user, table, role=context["role"]),
        "may_change": permissions.may_change(request.user, table, role=context["role"]),
        **signing_context(table),
    }
    if not request.htmx:
        context["call"] = table.referee_calls.waiting().select_related("going_by").first()
        context["rulings"] = rulings_at(table)
    status = HTMX_STOP_POLLING if request.htmx and not table.is_open else 200
    response = show(request, "scoring/sheet.html", context, part="sheet", status=status)
    response["Cache-Control"] = "private, no-cache"
    return response


@dataclass(frozen=True, slots=True, kw_only=True)
class RulingLine:
    """A ruling that stands, in words."""

    ruling: Ruling
    who: str
    fault: str
    is_barred: bool


def rulings_at(table: Table) -> list[RulingLine]:
    """What the referee decided at this table and has not withdrawn."""
    names = {seat.entry_id: seat.player.shown_name for seat in table.seats.all()}
    return [
        RulingLine(
            ruling=ruling,
            who=names.get(ruling.entry_id, "") if ruling.entry_id else "",
            fault=fault_words(ruling.fault),
            is_barred=is_barred(ruling),
        )
        for ruling in table.rulings.standing().order_by("ruled_at", "pk")
    ]


def signing_context(table: Table) -> dict[str, Any]:
    """Whether the time of the table is over, and whether its sheet waits to be signed."""
    is_over = clock.is_over(table, at=timezone.now())
    ended = table.is_complete or (is_over and table.deals_recorded > 0)
    in_tournament = table.event.kind == Event.Kind.TOURNAMENT
    return {
        "time_is_over": is_over and table.is_open,
        "waits_to_be_signed": in_tournament and ended and table.signed_at is None,
    }


# On paper


@require_safe
def print_sheet(request: MemberRequest, pk: int) -> HttpResponse:
    """Show the federation's paper sheet: with the deals so far, or blank for a pen."""
    table = get_visible_table(request.user, pk)
    blank = "blank" in request.GET
    standing = [] if blank else lines_of(table, table.tarot_deals.standing().for_sheet())
    by_number = {line.deal.number: line for line in standing}
    seats = seats_of(table)
    context = page_context(request, table) | {
        "rows": [(n, by_number.get(n)) for n in range(1, table.deals_planned + 1)],
        "sums": [won_and_lost(standing, place) for place in range(len(seats))],
        "seats": named(seats),
        "blank": blank,
        "rules": rules_in_short(table),
    }
    return render(request, "scoring/print_sheet.html", context)


def won_and_lost(lines: list[SheetLine], place: int) -> tuple[int, int]:
    """Add up the plus and the minus column of one seat."""
    points = [line.cells[place].points or 0 for line in lines]
    return sum(p for p in points if p > 0), -sum(p for p in points if p < 0)


def rules_in_short(table: Table) -> dict[str, Any]:
    """What a hand needs to add up a sheet: the scale of the table's rules."""
    rules = ruleset_of(table)
    amounts: dict[str, Any] = tarot.scoring_table(rules)
    return {
        "needed": [(bouts, half // 2) for bouts, half in tarot.HALF_POINTS_NEEDED.items()],
        "multipliers": [
            (TarotDeal.Contract(contract).label, multiplier_text(halves))
            for contract, halves in rules.multiplier_halves
        ],
        "fixed": [(TarotDeal.Contract(c).label, points) for c, points in rules.fixed_values],
        "poignees": amounts["poignees"]["made"].values(),
        "petit_au_bout": rules.petit_au_bout,
        "chelem": amounts["chelem"],
    }


def multiplier_text(halves: int) -> str:
    return f"{halves // 2}{'½' if halves % 2 else ''}"
