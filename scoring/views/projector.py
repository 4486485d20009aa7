"""The wall: pages that turn by themselves, for a screen that nobody signs in at."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from clubs import onlookers
from clubs.models import Role
from clubs.names import fold_name
from clubs.permissions import MemberRequest, VisitorRequest
from scoring import freshness
from scoring.forms.director import WallNoteForm
from scoring.live import state_of_standings
from scoring.views.brackets import entries_of, picture_of
from scoring.views.leaderboards import ROWS_ON_THE_WALL
from scoring.views.lines import standing_lines
from scoring.visibility import get_event_with_role
from tournaments import actions, clock, phones
from tournaments.cards import qr_path
from tournaments.live import answered_when_unchanged
from tournaments.meetings import meetings_of, stages_with_fixtures
from tournaments.models import Event, JoinLink, Round, Seat
from tournaments.permissions import get_event
from tournaments.views.join import cancelled_page, ended_page

#: Three columns of ten names are read from ten metres away.
SEATS_ON_THE_WALL = 30


@require_safe
@answered_when_unchanged(state_of_standings)
def projector(request: VisitorRequest, pk: int) -> HttpResponseBase:
    """Show the wall of an event that the visitor may see."""
    event, role = get_event_with_role(request.user, pk)
    return _wall(request, event, role, address=reverse("projector", args=[pk]))


@require_safe
@answered_when_unchanged(state_of_standings)
def projector_by_link(request: VisitorRequest, pk: int, key: str) -> HttpResponseBase:
    """Show the wall to a screen that has a link to it, or say why the link has ended."""
    link = phones.link_at(key)
    if link is None:
        return cancelled_page(request, key)
    if link.event_id != pk or not link.is_of_wall:
        raise Http404
    ended = link.ended(timezone.now())
    if ended is None:
        return _wall(request, link.event, None, address=phones.path_of(link))
    if request.htmx:  # A screen that shows the old state loads itself anew, and says so.
        return HttpResponse(status=410, headers={"HX-Refresh": "true"})
    return ended_page(request, link, ended)


@login_required
@require_POST
def change_wall_note(request: MemberRequest, pk: int) -> HttpResponse:
    """Put a sentence on the wall, or take it away."""
    event = get_event(request.user, pk, at_least=Role.DIRECTOR)
    form = WallNoteForm(request.POST)
    if form.is_valid():
        actions.say_on_the_wall(event=event, words=form.cleaned_data["words"], by=request.user)
    else:
        messages.error(request, _("The sentence is too long for the wall."))
    return redirect("projector", pk)


def _wall(
    request: HttpRequest, event: Event, role: Role | None, *, address: str
) -> HttpResponseBase:
    # Everybody in the hall reads the wall, whoever has switched it on.
    with onlookers.before_the_world():
        directs = role is not None and role.may_act_as(Role.DIRECTOR)
        context = _wall_context(request, event) | {
            "role": role,
            "address": address,
            "may_say": directs,
            "wall_link": _wall_link(request, event) if directs else "",
        }
        template = "scoring/projector.html"
        if getattr(request, "htmx", False):
            template += "#wall"
        return render(request, template, context)


def _wall_context(request: HttpRequest, event: Event) -> dict[str, Any]:
    rounds = list(event.rounds.published().in_order())
    this_round = rounds[-1] if rounds else None
    lines = standing_lines(event.entries.played().for_standings(), rounds, request.user)
    seats = (
        _seats_by_name(this_round) if this_round and this_round.state == Round.State.PLAYING else []
    )
    return {
        "event": event,
        "club": event.club,
        "this_round": this_round,
        "fresh": freshness.of_event(event),
        "seconds_left": _seconds_left(this_round),
        "standings": _in_pages(lines, ROWS_ON_THE_WALL),
        "seating": _in_pages(seats, SEATS_ON_THE_WALL),
        "pictures": _pictures(event),
        "join": _join(request, event),
    }


def _in_pages[Line](lines: list[Line], size: int) -> list[list[Line]]:
    return [lines[first : first + size] for first in range(0, len(lines), size)]


def _seats_by_name(this_round: Round) -> list[Seat]:
    seats = this_round.seats.select_related("player", "table")
    # By the name that is told: its place among the others would tell a name that is kept.
    return sorted(seats, key=lambda seat: (fold_name(seat.player.shown_name), seat.player_id))


def _seconds_left(this_round: Round | None) -> int | None:
    left = clock.time_left(this_round, at=timezone.now()) if this_round else None
    return None if left is None else int(left.total_seconds())


def _pictures(event: Event) -> list[tuple[Any, Any]]:
    """Give the brackets and groups of the stage that is played, of an event of fixtures."""
    if not event.meets_in_fixtures:
        return []
    drawn = [stage for stage in stages_with_fixtures(event) if stage.drawn_at]
    if not drawn:
        return []
    stage = drawn[-1]
    stage.event = event
    return [(stage, picture_of(meetings_of(stage), entries_of(event), frozenset()))]


def _join(request: HttpRequest, event: Event) -> dict[str, Any] | None:
    """Give how a phone comes in, where the event has a link for all tables."""
    link = _good_link(event, JoinLink.Role.PLAYER)
    if link is None or event.is_closed:
        return None
    address = request.build_absolute_uri(phones.path_of(link))
    size, path = qr_path(address)
    site = request.build_absolute_uri(reverse("join")).partition("://")[2]
    return {"size": size, "path": path, "code": phones.spoken(link.code), "site": site}


def _wall_link(request: HttpRequest, event: Event) -> str:
    """Give the address for a screen without an account; nothing where no link is good."""
    link = _good_link(event, JoinLink.Role.WALL)
    return request.build_absolute_uri(phones.path_of(link)) if link else ""


def _good_link(event: Event, role: JoinLink.Role) -> JoinLink | None:
    good = event.join_links.filter(role=role, revoked_at=None, expires_at__gt=timezone.now())
    return good.filter(table_number=None).first()
