"""On paper: the cards that stand on the tables, and where everybody sits."""

from __future__ import annotations

import segno
from django.contrib.auth.decorators import login_required
from django.db.models import Max
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from clubs.models import Role
from clubs.permissions import MemberRequest
from tournaments.models import Entry, Event, Table
from tournaments.permissions import get_event, get_visible_event
from tournaments.seating import Leftovers, split_for
from tournaments.views.pages import evening_context

QUIET_ZONE = 2


@login_required
@require_safe
def print_table_cards(request: MemberRequest, pk: int) -> HttpResponse:
    """A card for each table; its square opens the sheet of the running round.

    The address names the evening and the table, not one sheet, so that the cards printed at the
    beginning serve in every round.
    """
    event = get_event(request.user, pk, at_least=Role.SCORER)
    cards = [_card(request, event, number) for number in range(1, _how_many(event) + 1)]
    context = evening_context(request, event, here="print", cards=cards)
    return render(request, "tournaments/print_table_cards.html", context)


@require_safe
def print_seating(request: HttpRequest, pk: int) -> HttpResponse:
    """Everybody by name, with table and seat; to hang on the door."""
    event = get_visible_event(request.user, pk)
    this_round = event.rounds.published().order_by("-number").first()
    seats = this_round and this_round.seats.select_related("player", "table").order_by(
        "player__sort_name", "player"
    )
    waiting = this_round and this_round.sit_outs.prefetch_related("entry__players")
    context = evening_context(
        request, event, here="print", this_round=this_round, seats=seats, waiting=waiting
    )
    return render(request, "tournaments/print_seating.html", context)


def _how_many(event: Event) -> int:
    drawn = Table.objects.filter(round__event=event).aggregate(last=Max("number"))["last"]
    if drawn:
        return int(drawn)
    present = Entry.objects.filter(event=event).present().count()
    return split_for(present, Leftovers(event.leftovers)).split.tables if present >= 3 else 0  # noqa: PLR2004 - the smallest table


def _card(request: HttpRequest, event: Event, number: int) -> dict[str, object]:
    address = request.build_absolute_uri(reverse("table-sheet", args=[event.pk, number]))
    size, path = qr_path(address)
    return {
        "number": number,
        "suit": Table.SUITS[(number - 1) % 4],
        "address": address.partition("://")[2],
        "size": size,
        "path": path,
    }


def qr_path(text: str) -> tuple[int, str]:
    """A QR code as one SVG path: the side of its square and the dark cells."""
    rows = list(segno.make(text, error="m").matrix_iter(border=QUIET_ZONE))
    cells = (
        f"M{x} {y}h1v1h-1z" for y, row in enumerate(rows) for x, dark in enumerate(row) if dark
    )
    return len(rows), "".join(cells)
