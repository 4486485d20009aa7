"""Which evening, round or table the visitor may touch; see ``clubs.permissions``."""

from __future__ import annotations

from django.http import Http404
from django.shortcuts import get_object_or_404

from clubs.models import Role
from clubs.permissions import require_role, role_in
from clubs.querysets import Visitor
from tournaments.models import Event, Table


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
