"""The wall: screens that turn by themselves, for a hall in which nobody signs in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from clubs import onlookers
from clubs.models import Player, Role
from clubs.names import fold_name
from clubs.permissions import MemberRequest, VisitorRequest
from scoring import freshness
from scoring.forms.director import ScreenForm, WallNoteForm
from scoring.live import state_of_standings
from scoring.views.brackets import (
    Bracket,
    Group,
    StagePicture,
    TableLine,
    entries_of,
    picture_of,
)
from scoring.views.leaderboards import part_of
from scoring.views.lines import standing_lines
from scoring.views.screens import At, Part, packed, screen_at
from scoring.visibility import get_event_with_role
from tournaments import actions, clock, phones
from tournaments.cards import qr_path
from tournaments.live import answered_when_unchanged
from tournaments.meetings import meetings_of, stages_with_fixtures
from tournaments.models import Event, JoinLink, Round, Seat, Stage
from tournaments.permissions import get_event
from tournaments.views.join import cancelled_page, ended_page

#: Three columns of ten names are read from ten metres away.
SEATS_ON_THE_WALL = 30
#: Lines of one table of a group; lines, or fixtures, that a screen holds; fixtures of one round.
LINES_OF_A_TABLE, ON_A_SCREEN, IN_A_COLUMN = 24, 64, 32
#: What a player's name is told by.
TOLD_BY = ("shown_as", "name", "pseudonym")
SEATING, STAGE, JOIN = "seating", "stage", "join"


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """The table of a group, or a part of a long one."""

    title: str
    lines: Sequence[TableLine]


@dataclass(frozen=True, slots=True, kw_only=True)
class StageScreen:
    """What of a stage of fixtures is on the wall at a time."""

    tables: Sequence[Table] = ()
    brackets: Sequence[Bracket] = ()


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
    entries = event.entries.played().for_standings()
    standings = part_of(entries)
    seats = _seats_of(this_round)
    stage, pictures = _pictures(event)
    join = _join(request, event)
    parts = [
        Part(kind=SEATING, rows=seats.count(), size=SEATS_ON_THE_WALL),
        Part(kind=STAGE, rows=len(pictures)),
        standings,
        Part(kind=JOIN, rows=1 if join else 0),
    ]
    screen = screen_at(parts, At(*ScreenForm(request.GET).asked()))
    context = {
        "event": event,
        "club": event.club,
        "this_round": this_round,
        "fresh": freshness.of_event(event),
        "seconds_left": _seconds_left(this_round),
        "screen": screen,
    }
    if screen is None:
        return context
    return context | {
        "seating": _by_name(seats, screen.of(SEATING)) if screen.at.kind == SEATING else [],
        "stage": stage,
        "pictures": pictures[screen.of(STAGE)],
        "standings": standing_lines(entries[screen.of(standings.kind)], [], request.user),
        "join": join if screen.at.kind == JOIN else None,
    }


def _seats_of(this_round: Round | None) -> QuerySet[Seat]:
    """Give where people sit in a round that is played."""
    if this_round is None or this_round.state != Round.State.PLAYING:
        return Seat.objects.none()
    return this_round.seats.order_by()


def _by_name(seats: QuerySet[Seat], shown: slice) -> list[Seat]:
    """Give some of the seats, by the names that are told.

    A name that is kept would be told by its place among the others.
    """
    names = seats.values_list("pk", "player__sort_name", *(f"player__{each}" for each in TOLD_BY))
    by_name = sorted((_sorted_by(name, *told), pk) for pk, name, *told in names)
    keys = [pk for _name, pk in by_name[shown]]
    found = Seat.objects.select_related("player", "table").in_bulk(keys)
    return [found[key] for key in keys if key in found]


def _sorted_by(sort_name: str, shown_as: str, *told: str) -> str:
    if shown_as == Player.ShownAs.FULL:
        return sort_name
    player = Player(**dict(zip(TOLD_BY, (shown_as, *told), strict=True)))
    return fold_name(player.public_name)


def _seconds_left(this_round: Round | None) -> int | None:
    left = clock.time_left(this_round, at=timezone.now()) if this_round else None
    return None if left is None else int(left.total_seconds())


def _pictures(event: Event) -> tuple[Stage | None, list[StageScreen]]:
    """Give the groups and brackets of the stage that is played, of an event of fixtures."""
    drawn = (
        [stage for stage in stages_with_fixtures(event) if stage.drawn_at]
        if event.meets_in_fixtures
        else []
    )
    if not drawn:
        return None, []
    stage = drawn[-1]
    stage.event = event
    return stage, _screens_of(picture_of(meetings_of(stage), entries_of(event), frozenset()))


def _screens_of(picture: StagePicture) -> list[StageScreen]:
    tables = [table for group in picture.groups for table in _tables_of(group)]
    brackets = [each for each in map(_that_fits, picture.brackets) if each.columns]
    return [
        *(
            StageScreen(tables=some)
            for some in packed(tables, lambda table: len(table.lines), most=ON_A_SCREEN)
        ),
        *(StageScreen(brackets=some) for some in packed(brackets, _matches_of, most=ON_A_SCREEN)),
    ]


def _tables_of(group: Group) -> list[Table]:
    return [
        Table(title=group.title, lines=group.lines[first : first + LINES_OF_A_TABLE])
        for first in range(0, len(group.lines), LINES_OF_A_TABLE)
    ]


def _that_fits(bracket: Bracket) -> Bracket:
    """Leave of a bracket the rounds that can be read across a hall: the later ones."""
    columns = [column for column in bracket.columns if len(column.matches) <= IN_A_COLUMN]
    first = [replace(column, is_fed=False) for column in columns[:1]]
    return replace(bracket, columns=[*first, *columns[1:]])


def _matches_of(bracket: Bracket) -> int:
    return sum(len(column.matches) for column in bracket.columns)


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
