"""Which sheet and which deal the visitor may write to; see ``clubs.permissions``."""

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from clubs.models import Role
from clubs.permissions import role_in
from clubs.querysets import Visitor
from scoring.models import TarotDeal
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


def get_deal_to_change(visitor: Visitor, pk: int) -> TarotDeal:
    """A deal that the visitor may correct or declare void."""
    deal = get_object_or_404(TarotDeal, pk=pk)
    deal.table = get_table_to_score(visitor, deal.table_id)
    if not may_change(visitor, deal.table, role=role_in(visitor, deal.table.event.club)):
        raise PermissionDenied(_("The round is closed: only a director changes its sheets."))
    return deal
