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
    """Was the row, which has an author and a phone, entered by this very actor?"""
    if isinstance(by, Phone):
        return bool(row.phone_id == by.pk)
    return bool(row.author_id == by.pk)


def may_act_as(by: Actor, event: Event, role: Role) -> bool:
    """Does what the actor is in this event's club reach the role?

    A phone is a scorer by a scorer's link to this event, and never more.
    """
    if isinstance(by, User):
        return may(by, event.club, role)
    is_scorer = by.event_id == event.pk and by.link.role == JoinLink.Role.SCORER
    return is_scorer and Role.SCORER.may_act_as(role)
