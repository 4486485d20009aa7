"""Who may see and do what; each helper gives the row that the visitor may touch.

A stranger meets 404 (the club's data does not exist for him), a member whose role does not
reach meets 403.
"""

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from django_htmx.middleware import HtmxDetails

from clubs import onlookers
from clubs.models import Club, Membership, Player, Role, Season, User
from clubs.querysets import Visitor


class VisitorRequest(HttpRequest):
    """A request of anybody, which may ask for a part of the page only."""

    htmx: HtmxDetails


class MemberRequest(VisitorRequest):
    """A request of somebody who has signed in."""

    user: User


def role_in(visitor: Visitor, club: Club) -> Role | None:
    """The visitor's role in the club; nothing for a stranger, the owner's for a superuser."""
    if not visitor.is_authenticated:
        return None
    if visitor.is_superuser:
        return Role.OWNER
    role = (
        Membership.objects.filter(player__club=club, player__account=visitor, left_on=None)
        .values_list("role", flat=True)
        .first()
    )
    onlookers.learn(visitor.pk, club.pk, belongs=role is not None)
    return Role(role) if role else None


def may(visitor: Visitor, club: Club, role: Role) -> bool:
    """Does the visitor's role in the club reach this one?"""
    own = role_in(visitor, club)
    return own is not None and own.may_act_as(role)


def require_role(visitor: Visitor, club: Club, at_least: Role) -> None:
    """Pass whoever has the role; 404 for a stranger, 403 for a lower role."""
    own = role_in(visitor, club)
    if own is None:
        raise Http404
    if not own.may_act_as(at_least):
        raise PermissionDenied(
            _("This needs the role of %(role)s in the club.") % {"role": at_least.label}
        )


def get_club(visitor: Visitor, slug: str, *, at_least: Role) -> Club:
    """The club of this address, for somebody with the role."""
    club = get_object_or_404(Club, slug=slug)
    require_role(visitor, club, at_least)
    return club


def get_visible_club(visitor: Visitor, slug: str) -> Club:
    """The club of this address if it is public or the visitor's own."""
    club = get_object_or_404(Club, slug=slug)
    if not club.is_public and role_in(visitor, club) is None:
        raise Http404
    return club


def get_player(visitor: Visitor, pk: int, *, at_least: Role) -> Player:
    """A player of a club in which the visitor has the role."""
    player = get_object_or_404(Player.objects.select_related("club", "membership"), pk=pk)
    require_role(visitor, player.club, at_least)
    return player


def get_player_to_change(visitor: Visitor, pk: int) -> Player:
    """A player whom a director may change; whoever has a higher role is the owners' business."""
    player = get_player(visitor, pk, at_least=Role.DIRECTOR)
    if player.role is not None:
        require_role(visitor, player.club, player.role)
    return player


def get_season(visitor: Visitor, pk: int, *, at_least: Role) -> Season:
    """A season of a club in which the visitor has the role."""
    season = get_object_or_404(Season.objects.select_related("club"), pk=pk)
    require_role(visitor, season.club, at_least)
    return season


class Looking:
    """Whoever sent the request, as an onlooker: asked for once, when a name first needs it."""

    def __init__(self, request: HttpRequest) -> None:
        self.request = request
        self._known: dict[tuple[int, int], bool] = {}

    def belongs_to(self, club_id: int) -> bool:
        # The API learns who asks only after the request has come in.
        visitor = self.request.user
        if not visitor.is_authenticated:
            return False
        if visitor.is_superuser:
            return True
        key = (visitor.pk, club_id)
        if key not in self._known:
            self._known[key] = Membership.objects.of(visitor).filter(player__club=club_id).exists()
        return self._known[key]

    def learn(self, account_id: int, club_id: int, *, belongs: bool) -> None:
        """Remember it; whose account it is goes with it, for the API may find another one."""
        self._known[account_id, club_id] = belongs


def get_player_to_name(visitor: Visitor, pk: int) -> Player:
    """A player whose shown name the visitor may choose: his own, or any for an owner."""
    player = get_object_or_404(Player.objects.select_related("club", "membership"), pk=pk)
    if not visitor.is_authenticated or player.account_id != visitor.pk:
        require_role(visitor, player.club, Role.OWNER)
    return player
