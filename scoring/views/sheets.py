"""The score sheet of a table, on the screen and on paper."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import (
    condition,
    require_safe,
)
from django_htmx.http import HTMX_STOP_POLLING

from clubs.models import Role
from clubs.permissions import MemberRequest
from scoring import permissions
from scoring.games import game_of
from scoring.permissions import actor_at
from scoring.rules import names_at_table
from scoring.rules.rulings import said_of_bar
from scoring.views.agreements import agreements, signatures
from scoring.views.lines import fault_words
from tournaments import actions as tournament_actions
from tournaments import clock
from tournaments.live import ReadOfOne, tag_of
from tournaments.models import Phone, Ruling, Seat, Table
from tournaments.permissions import good_phone
from tournaments.visitors import for_visitor, mark_of

state_of_sheet = ReadOfOne(
    Table.objects.all(),
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
    "heard_at",
    "objections",
    "taken_over_by",
    "round__frozen_at",
)


def show(
    request: HttpRequest, template: str, context: dict[str, Any], *, part: str, status: int = 200
) -> HttpResponse:
    """Render the page, or the named part of it that htmx asked for."""
    if getattr(request, "htmx", False):
        template += f"#{part}"
    response = render(request, template, context, status=status)
    patch_vary_headers(response, ["HX-Request"])
    return for_visitor(request, response)


def page_context(request: HttpRequest, table: Table, *, number: int = 1) -> dict[str, Any]:
    """What every page at the table shows; ``number`` is the row that the page is about."""
    game = game_of(table)
    return {
        "table": table,
        "event": table.event,
        "club": table.event.club,
        "role": permissions.role_here(request, table),
        "phone": good_phone(request, table.event),
        "as_whom": as_whom(request, table),
        "words": game.words(table, number),
        "number": number,
        "is_held": permissions.is_held_here(request, table),
        "progress_part": game.template("progress"),
        "cells_part": game.template("cells"),
        **game.progress(table),
    }


def as_whom(request: HttpRequest, table: Table) -> str:
    """Give the mark of the one for whom a page of the table is made; nothing for an onlooker."""
    may_write = permissions.may_score_here(request, table)
    return mark_of(actor_at(request, table)) if may_write else ""


def seats_of(table: Table) -> list[Seat]:
    return sorted(table.seats.all(), key=lambda seat: seat.place)


def named(seats: list[Seat]) -> list[tuple[Seat, str]]:
    """Each seat with what its player is called at the table."""
    return list(zip(seats, names_at_table(seats).values(), strict=True))


# The sheet


def tag_for_polling(request: HttpRequest, pk: int, **_row: int) -> str | None:
    """Name the present state for a page that polls: one read of one row.

    Nobody can guess the name: who knows it has been shown the sheet in this very state, so
    "unchanged" can be answered without asking for his role again.
    """
    if not getattr(request, "htmx", False):
        return None
    return tag_of_sheet(request, pk)


def tag_of_sheet(request: HttpRequest, pk: int) -> str:
    """Name what the visitor sees of a sheet; it is read once for an answer, before the rest."""
    known: dict[int, str] = request.__dict__.setdefault("_sheets", {})
    if pk not in known:
        known[pk] = tag_of(request, "sheet", state_of_sheet(pk))
    return known[pk]


@require_safe
@condition(etag_func=tag_for_polling)
def sheet(request: MemberRequest, pk: int) -> HttpResponse:
    """Show the sheet: every deal, the totals, and what was corrected by whom."""
    tag = tag_of_sheet(request, pk)
    table = permissions.table_to_see(request, pk)
    game = game_of(table)
    lines = game.lines(table, game.rows_of_sheet(table))
    context = page_context(request, table)
    by = actor_at(request, table) if permissions.may_score_here(request, table) else None
    context |= {
        "poll_headers": json.dumps({"If-None-Match": tag}),
        "lines": lines,
        "lines_part": game.template("lines"),
        "sum_part": game.template("sum"),
        "seats": named(seats_of(table)),
        "may_score": by is not None,
        "is_scorer": permissions.is_scorer_here(request, table),
        "may_settle": context["role"] is not None and context["role"].may_act_as(Role.DIRECTOR),
        "may_write": by is not None and table.is_open and not context["is_held"],
        "may_change": permissions.may_change_here(request, table) and not context["is_held"],
        **signing_context(table),
        **agreements(table, lines, by=by),
        **signatures(table, by=by),
        **game.sheet_context(table, lines),
    }
    if not request.htmx:
        if isinstance(by, Phone):
            tournament_actions.put_away(phone=by)
        context["call"] = table.referee_calls.waiting().for_list().first()
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
    bar: str


def rulings_at(table: Table) -> list[RulingLine]:
    """What the referee decided at this table and has not withdrawn."""
    names = {seat.entry_id: seat.player.shown_name for seat in table.seats.all()}
    return [
        RulingLine(
            ruling=ruling,
            who=names.get(ruling.entry_id, "") if ruling.entry_id else "",
            fault=fault_words(ruling.fault),
            bar=said_of_bar(ruling),
        )
        for ruling in table.rulings.standing().order_by("ruled_at", "pk")
    ]


def signing_context(table: Table) -> dict[str, Any]:
    """Whether the time of the table is over, and whether its sheet waits to be signed."""
    is_over = clock.is_over(table, at=timezone.now())
    ended = table.is_complete or (is_over and table.deals_recorded > 0)
    event = table.event
    asks = event.is_tournament or event.asks_to_confirm
    return {
        "time_is_over": is_over and table.is_open,
        "waits_to_be_signed": asks and ended and table.signed_at is None,
    }


# On paper


@require_safe
def print_sheet(request: MemberRequest, pk: int) -> HttpResponse:
    """Show the paper sheet of the game: with the rows so far, or blank for a pen."""
    table = permissions.table_to_see(request, pk)
    blank = "blank" in request.GET
    game = game_of(table)
    context = page_context(request, table) | {
        "seats": named(seats_of(table)),
        "blank": blank,
        "paper": game.template("paper"),
        **game.paper(table, blank=blank),
    }
    return render(request, "scoring/print_sheet.html", context)
