"""Which sheet and which deal the visitor may write to; see ``clubs.permissions``."""

from __future__ import annotations

from typing import cast

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.utils.translation import gettext as _

from clubs.models import Role, User
from clubs.permissions import role_in
from clubs.querysets import Visitor
from tournaments.actors import Actor
from tournaments.models import Table
from tournaments.permissions import get_visible_table


def may_score(visitor: Visitor, table: Table, *, role: Role | None) -> bool:
    """Scorers write on every sheet of the club, players on the sheet of their own table."""
    if role is None:
        return False
    return role.may_act_as(Role.SCORER) or any(
        seat.player.account_id == visitor.pk for seat in table.seats.all()
    )


def may_change(visitor: Visitor, table: Table, *, role: Role | None) -> bool:
    """While the round is played whoever may write corrects too; afterwards only a director."""
    if table.is_open:
        return may_score(visitor, table, role=role)
    return role is not None and role.may_act_as(Role.DIRECTOR)


def get_table_to_score(visitor: Visitor, pk: int) -> Table:
    """A table on whose sheet the visitor may write."""
    table = get_visible_table(visitor, pk)
    if not may_score(visitor, table, role=role_in(visitor, table.event.club)):
        raise PermissionDenied(
            _("Only the players of this table and the club's scorers enter deals.")
        )
    return table


def get_table_to_change(visitor: Visitor, pk: int) -> Table:
    """A table on whose sheet the visitor may correct rows or declare them void."""
    table = get_table_to_score(visitor, pk)
    if not may_change(visitor, table, role=role_in(visitor, table.event.club)):
        raise PermissionDenied(_("The round is closed: only a director changes its sheets."))
    return table


def actor_of(request: HttpRequest) -> Actor:
    """Who writes by this request."""
    return cast("User", request.user)
