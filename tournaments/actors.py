"""Who does something: an account, or a phone that joined by a link without one."""

from __future__ import annotations

from typing import Any, TypedDict

from clubs.models import Role, User
from clubs.permissions import may
from tournaments.models import Event, JoinLink, Phone

type Actor = User | Phone


class Author(TypedDict):
    """Who entered a row of a sheet."""

    author: User | None
    phone: Phone | None


class Doer(TypedDict):
    """Who did what a line of a history tells."""

    actor: User | None
    phone: Phone | None


def account_of(by: Actor) -> User | None:
    """Give the account; nothing for a phone."""
    return by if isinstance(by, User) else None


def phone_of(by: Actor) -> Phone | None:
    """Give the phone; nothing for an account."""
    return by if isinstance(by, Phone) else None


def as_author(by: Actor) -> Author:
    """Spread an actor into the columns of a row that somebody entered."""
    return {"author": account_of(by), "phone": phone_of(by)}


def as_doer(by: Actor) -> Doer:
    """Spread an actor into the columns of a line of history."""
    return {"actor": account_of(by), "phone": phone_of(by)}


def has_entered(by: Actor, row: Any) -> bool:
    """Was the row, which has an author and a phone, entered by this very person?

    Whoever has joined again as himself, or plays with his phone and signs in, is still the same.
    """
    if isinstance(by, Phone):
        return _has_entered_as(by, row)
    if row.author_id == by.pk:
        return True
    player = row.phone and row.phone.player
    return player is not None and bool(player.account_id == by.pk)


def _has_entered_as(phone: Phone, row: Any) -> bool:
    if row.phone_id == phone.pk:
        return True
    if phone.player is None:
        return False
    if row.phone is not None:
        return bool(row.phone.player_id == phone.player_id)
    return row.author_id is not None and bool(row.author_id == phone.player.account_id)


def may_act_as(by: Actor, event: Event, role: Role) -> bool:
    """Does what the actor is in this event's club reach the role?

    A phone is a scorer by a scorer's link to this event, and never more.
    """
    if isinstance(by, User):
        return may(by, event.club, role)
    is_scorer = by.event_id == event.pk and by.link.role == JoinLink.Role.SCORER
    return is_scorer and Role.SCORER.may_act_as(role)
