"""Which sheet and which deal the visitor may write to; see ``clubs.permissions``."""

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from clubs.models import Role
from clubs.permissions import may
from clubs.querysets import Visitor
from scoring.models import TarotDeal
from tournaments.models import Table
from tournaments.permissions import get_visible_table


def may_score(visitor: Visitor, table: Table) -> bool:
    """Scorers write on every sheet of the club, players on the sheet of their own table."""
    if may(visitor, table.event.club, Role.SCORER):
        return True
    return may(visitor, table.event.club, Role.MEMBER) and any(
        seat.player.account_id == visitor.pk for seat in table.seats.all()
    )


def get_table_to_score(visitor: Visitor, pk: int) -> Table:
    """A table on whose sheet the visitor may write."""
    table = get_visible_table(visitor, pk)
    if not may_score(visitor, table):
        raise PermissionDenied(_("Only the players of this table and the club's scorers enter deals."))
    return table


def get_deal_to_change(visitor: Visitor, pk: int) -> TarotDeal:
    """A deal that the visitor may correct or declare void."""
    deal = get_object_or_404(
        TarotDeal.objects.select_related("table__round__event__season__club"), pk=pk
    )
    get_table_to_score(visitor, deal.table_id)
    return deal
