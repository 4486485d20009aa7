"""Which evening, round or table the visitor may touch; see ``clubs.permissions``."""

from __future__ import annotations

from django.http import Http404
from django.shortcuts import get_object_or_404

from clubs.models import Role
from clubs.permissions import require_role, role_in
from clubs.querysets import Visitor
from tournaments.models import Entry, Event, RefereeCall, Ruling, Stage, Table


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


def get_visible_table(visitor: Visitor, pk: int) -> Table:
    """A table of a published evening or of the visitor's own club."""
    table = get_object_or_404(Table.objects.for_board(), pk=pk)
    if table.round.is_proposal:
        require_role(visitor, table.event.club, Role.DIRECTOR)
    if not table.event.is_public and role_in(visitor, table.event.club) is None:
        raise Http404
    return table


def get_call(visitor: Visitor, pk: int, *, at_least: Role) -> RefereeCall:
    """A call for the referee in a club in which the visitor has the role."""
    calls = RefereeCall.objects.select_related("table__round__event__season__club")
    call = get_object_or_404(calls, pk=pk)
    require_role(visitor, call.table.event.club, at_least)
    return call


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
