"""Which evening, round or table the visitor may touch; see ``clubs.permissions``."""

from __future__ import annotations

from collections.abc import Collection
from typing import NoReturn, cast

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.models import Role, User
from clubs.permissions import may, require_role, role_in
from clubs.prepared import PreparedRead, keep
from clubs.querysets import Visitor
from tournaments import phones
from tournaments.actors import Actor
from tournaments.models import (
    Ended,
    Entry,
    Event,
    Fixture,
    JoinLink,
    Phone,
    RefereeCall,
    Round,
    Ruling,
    Seat,
    Stage,
    Table,
)

TABLES = PreparedRead(Table.objects.select_related("round__event__season__club"))
SEATS = PreparedRead(Seat.objects.select_related("player").order_by("place"), "table")


def get_event(visitor: Visitor, pk: int, *, at_least: Role) -> Event:
    """An evening of a club in which the visitor has the role."""
    event = get_object_or_404(Event.objects.select_related("season__club"), pk=pk)
    require_role(visitor, event.club, at_least)
    return event


def get_visible_event(visitor: Visitor, pk: int) -> Event:
    """An evening that is published or of the visitor's own club."""
    event = get_object_or_404(Event.objects.select_related("season__club"), pk=pk)
    if not event.is_public and role_in(visitor, event.club) is None:
        raise Http404
    return event


def get_table(pk: int) -> Table:
    """A table with the seats and the names at it, whoever asks."""
    table = TABLES.one(pk)
    if table is None:
        raise Http404
    keep(table, "seats", SEATS.of(table))
    return table


def get_visible_table(visitor: Visitor, pk: int) -> Table:
    """A table of a published evening or of the visitor's own club."""
    table = get_table(pk)
    refuse_hidden(visitor, table, role=role_in(visitor, table.event.club))
    return table


def refuse_hidden(visitor: Visitor, table: Table, *, role: Role | None) -> None:
    """Pass a table that the visitor may look at; all others do not exist for him."""
    if table.round.is_proposal:
        require_role(visitor, table.event.club, Role.DIRECTOR)
    is_shown = table.event.is_public and table.event.club.shows_sheets
    if not is_shown and role is None:
        raise Http404


def get_ruling(visitor: Visitor, pk: int, *, at_least: Role) -> Ruling:
    """A ruling in a club in which the visitor has the role."""
    ruling = get_object_or_404(Ruling.objects.select_related("event__season__club"), pk=pk)
    require_role(visitor, ruling.event.club, at_least)
    return ruling


def get_entry(visitor: Visitor, pk: int, *, at_least: Role) -> Entry:
    """An entry of an event of a club in which the visitor has the role."""
    entries = Entry.objects.for_desk().select_related("event__season__club", "team", "replaces")
    entry = get_object_or_404(entries, pk=pk)
    require_role(visitor, entry.event.club, at_least)
    return entry


def get_stage(visitor: Visitor, pk: int, *, at_least: Role) -> Stage:
    """A stage of an event of a club in which the visitor has the role."""
    stage = get_object_or_404(Stage.objects.select_related("event__season__club"), pk=pk)
    require_role(visitor, stage.event.club, at_least)
    return stage


# Phones


def get_phone_of(request: HttpRequest, pk: int, *, or_else: Collection[Ended] = ()) -> Phone:
    """The phone of this event that asks; one that has ended, unless like this, is told why."""
    event = get_object_or_404(Event.objects.select_related("season__club"), pk=pk)
    phone = phones.phone_of(request, event)
    if phone is None:
        raise Http404
    if phone.ended(timezone.now()) not in or_else:
        refuse_ended(phone)
    return phone


def good_phone(request: HttpRequest, event: Event) -> Phone | None:
    """The phone of this event that asks; nothing for one whose link has ended."""
    phone = phones.phone_of(request, event)
    return None if phone is None or phone.ended(timezone.now()) else phone


def refuse_ended(phone: Phone) -> None:
    """Pass a phone whose link is good."""
    ended = phone.ended(timezone.now())
    if ended is not None:
        raise PermissionDenied(ended.label)


def refuse_elsewhere(phone: Phone) -> NoReturn:
    """Tell a phone why it opens nothing here: it has ended, or its player sits elsewhere."""
    refuse_ended(phone)
    said = _("Your phone opens the table at which you sit.")
    seat = phones.seat_now(phone)
    if seat is not None:
        where = _("You sit at table %(number)s, seat %(seat)s.")
        said = f"{said} {where % {'number': seat.table.number, 'seat': seat.letter}}"
    raise PermissionDenied(said)


def sits_at(phone: Phone, table: Table) -> bool:
    """Does the phone stand for somebody who sits at this table?"""
    return phone.player_id is not None and any(
        seat.player_id == phone.player_id for seat in table.seats.all()
    )


def get_link(visitor: Visitor, pk: int, *, at_least: Role) -> JoinLink:
    """A link for phones of a club in which the visitor has the role."""
    link = get_object_or_404(JoinLink.objects.select_related("event__season__club"), pk=pk)
    require_role(visitor, link.event.club, at_least)
    return link


def get_phone(visitor: Visitor, pk: int, *, at_least: Role) -> Phone:
    """A phone that joined an event of a club in which the visitor has the role."""
    phone = get_object_or_404(Phone.objects.select_related("event__season__club"), pk=pk)
    require_role(visitor, phone.event.club, at_least)
    return phone


def get_round(visitor: Visitor, pk: int, *, at_least: Role) -> Round:
    """A round of an event of a club in which the visitor has the role."""
    this_round = get_object_or_404(Round.objects.select_related("event__season__club"), pk=pk)
    require_role(visitor, this_round.event.club, at_least)
    return this_round


def get_event_of_referee(request: HttpRequest, pk: int) -> Event:
    """An event whose calls the visitor may look at: as a member, or by a referee's link."""
    event = get_object_or_404(Event.objects.select_related("season__club"), pk=pk)
    phone = phones.phone_of(request, event)
    if phone is not None and phone.is_referee and phone.ended(timezone.now()) is None:
        return event
    _require_role_or_tell(request, event, Role.MEMBER, phone)
    return event


def get_event_to_rule(request: HttpRequest, pk: int) -> tuple[Event, Actor]:
    """An event, and who rules in it: a director, or the phone of a referee of the event."""
    event = get_object_or_404(Event.objects.select_related("season__club"), pk=pk)
    return event, _referee_of(request, event)


def get_ruling_to_withdraw(request: HttpRequest, pk: int) -> tuple[Ruling, Actor]:
    """A ruling, and who withdraws it: a director, or the phone of a referee of the event."""
    ruling = get_object_or_404(Ruling.objects.select_related("event__season__club"), pk=pk)
    return ruling, _referee_of(request, ruling.event)


def get_call_to_answer(request: HttpRequest, pk: int) -> tuple[RefereeCall, Actor]:
    """A call, and who goes to it: a director, or the phone of a referee of the event."""
    calls = RefereeCall.objects.select_related("table__round__event__season__club")
    call = get_object_or_404(calls, pk=pk)
    return call, _referee_of(request, call.table.event)


def _referee_of(request: HttpRequest, event: Event) -> Actor:
    """The director or the referee's phone that asks; all others are refused."""
    phone = phones.phone_of(request, event)
    is_referee = phone is not None and phone.is_referee and phone.ended(timezone.now()) is None
    if phone is not None and is_referee and not may(request.user, event.club, Role.DIRECTOR):
        return phone
    _require_role_or_tell(request, event, Role.DIRECTOR, phone)
    return cast("User", request.user)


def _require_role_or_tell(
    request: HttpRequest, event: Event, role: Role, phone: Phone | None
) -> None:
    """Pass whoever has the role; a phone without it is told, for it knows of the event."""
    try:
        require_role(request.user, event.club, role)
    except Http404:
        if phone is None:
            raise
        refuse_elsewhere(phone)


def get_fixture(visitor: Visitor, pk: int, *, at_least: Role | None = None) -> Fixture:
    """A fixture of an event that the visitor may see, or of a club in which he has the role."""
    rows = Fixture.objects.select_related("stage__event__season__club", "table")
    sides = ("home__entry_players__player", "away__entry_players__player")
    row = get_object_or_404(rows.select_related("home", "away").prefetch_related(*sides), pk=pk)
    event = row.stage.event
    if at_least is not None:
        require_role(visitor, event.club, at_least)
    elif not event.is_public and role_in(visitor, event.club) is None:
        raise Http404
    return row
