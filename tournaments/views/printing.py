"""On paper: the cards that stand on the tables, and where everybody sits."""

from __future__ import annotations

from collections.abc import Mapping

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from clubs.models import Role
from clubs.names import fold_name
from clubs.permissions import MemberRequest
from tournaments import phones
from tournaments.cards import how_many_tables, qr_path
from tournaments.models import Event, JoinLink, Table
from tournaments.permissions import get_event, get_visible_event
from tournaments.querysets import as_entered
from tournaments.views.pages import evening_context


@login_required
@require_safe
def print_table_cards(request: MemberRequest, pk: int) -> HttpResponse:
    """A card for each table; its square opens the sheet of the running round.

    The address names the evening and the table, not one sheet, so that the cards printed at the
    beginning serve in every round.
    """
    event = get_event(request.user, pk, at_least=Role.SCORER)
    links = phones.links_of_tables(event)
    cards = [_card(request, event, n, links) for n in range(1, how_many_tables(event) + 1)]
    context = evening_context(
        request,
        event,
        here="print",
        cards=cards,
        without_link=sum(card["code"] is None for card in cards),
        join_address=request.build_absolute_uri(reverse("join")).partition("://")[2],
    )
    return render(request, "tournaments/print_table_cards.html", context)


@require_safe
def print_seating(request: HttpRequest, pk: int) -> HttpResponse:
    """Everybody by name, with table and seat; to hang on the door."""
    event = get_visible_event(request.user, pk)
    this_round = event.rounds.published().order_by("-number").first()
    seated = this_round.seats.select_related("player", "table") if this_round else ()
    # By the name that is told: its place among the others would tell a name that is kept.
    seats = sorted(seated, key=lambda seat: (fold_name(seat.player.shown_name), seat.player_id))
    waiting = this_round and this_round.sit_outs.prefetch_related(as_entered("entry__players"))
    context = evening_context(
        request, event, here="print", this_round=this_round, seats=seats, waiting=waiting
    )
    return render(request, "tournaments/print_seating.html", context)


def _card(
    request: HttpRequest, event: Event, number: int, links: Mapping[int, JoinLink]
) -> dict[str, object]:
    address = request.build_absolute_uri(phones.path_of_card(event, number, links))
    size, path = qr_path(address)
    return {
        "number": number,
        "suit": Table.SUITS[(number - 1) % 4],
        "code": phones.spoken(links[number].code) if number in links else None,
        "address": address.partition("://")[2],
        "size": size,
        "path": path,
    }
