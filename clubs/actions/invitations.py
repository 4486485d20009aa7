"""Inviting a player to an account, and accepting it."""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from clubs import tasks
from clubs.actions.accounts import open_account
from clubs.actions.clubs import lock_club
from clubs.actions.players import make_member
from clubs.models import Invitation, Player, User

GOOD_FOR = timedelta(days=14)
# Within this a second press is a double press, not a second mail.
SAME_PRESS = timedelta(minutes=2)


@transaction.atomic
def invite_player(*, player: Player, email: str, by: User, at: datetime, site: str) -> Invitation:
    """Make a link for the player and mail it if there is an address; older links end."""
    lock_club(player.club)
    player.refresh_from_db()
    _refuse_to_invite(player)
    open_ones = player.invitations.good(at)
    same = open_ones.filter(email=email, created_at__gt=at - SAME_PRESS).first()
    if same is not None:
        return same
    open_ones.update(expires_at=at)
    invitation = Invitation(
        player=player,
        email=email,
        key=secrets.token_urlsafe(32),
        invited_by=by,
        created_at=at,
        expires_at=at + GOOD_FOR,
    )
    invitation.full_clean()
    invitation.save()
    if email:
        tasks.send_invitation.delay_on_commit(invitation.pk, site)
    return invitation


def _refuse_to_invite(player: Player) -> None:
    if player.account_id is not None:
        raise ValidationError(
            _("%(name)s already has an account.") % {"name": player.name}, code="taken"
        )
    if player.archived_at is not None:
        raise ValidationError(
            _("%(name)s has been put away. Take the player back first.") % {"name": player.name},
            code="archived",
        )


@transaction.atomic
def accept_invitation(*, invitation: Invitation, account: User, at: datetime) -> Player:
    """Give the player to the account and make a guest a member; accepted twice it is once."""
    lock_club(invitation.player.club)
    player = invitation.player
    player.refresh_from_db()
    if player.account_id == account.pk:
        return player
    invitation.refresh_from_db()
    if not invitation.is_good(at) or player.account_id is not None:
        raise ValidationError(
            _("This invitation has been used or has run out. Ask the club for a new one."),
            code="void",
        )
    player.account = account
    player.full_clean()
    player.save(update_fields=["account"])
    make_member(player=player, on=timezone.localdate(at))
    invitation.accepted_at = at
    invitation.save(update_fields=["accepted_at"])
    return player


@transaction.atomic
def open_invited_account(
    *, invitation: Invitation, email: str, password: str, name: str, language: str, at: datetime
) -> User:
    """Open an account and accept the invitation with it; nothing is kept when either is refused."""
    account = open_account(email=email, password=password, name=name, language=language)
    accept_invitation(invitation=invitation, account=account, at=at)
    return account
