"""What happens in a club: every write of this drawer, one transaction each."""

from __future__ import annotations

from clubs.actions.accounts import change_account, open_account, renew_calendar, sign_up
from clubs.actions.clubs import (
    add_season,
    change_club,
    change_season,
    delete_season,
    lock_club,
    start_club,
)
from clubs.actions.invitations import accept_invitation, invite_player, open_invited_account
from clubs.actions.players import (
    add_guests,
    add_player,
    change_player,
    change_role,
    choose_shown_name,
    hand_over_memberships,
    lead_on,
    make_guest,
    make_member,
    names_have_changed,
    put_away,
    take_back,
)

__all__ = [
    "accept_invitation",
    "add_guests",
    "add_player",
    "add_season",
    "change_account",
    "change_club",
    "change_player",
    "change_role",
    "change_season",
    "choose_shown_name",
    "delete_season",
    "hand_over_memberships",
    "invite_player",
    "lead_on",
    "lock_club",
    "make_guest",
    "make_member",
    "names_have_changed",
    "open_account",
    "open_invited_account",
    "put_away",
    "renew_calendar",
    "sign_up",
    "start_club",
    "take_back",
]
