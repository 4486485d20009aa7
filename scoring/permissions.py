"""Which sheet and which deal the visitor may write to; see ``clubs.permissions``."""

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest
from django.utils.translation import gettext as _

from clubs.models import Role, User
from clubs.permissions import role_in
from clubs.querysets import Visitor
from tournaments import phones
from tournaments.actors import Actor
from tournaments.models import Phone, Table
from tournaments.permissions import (
    get_table,
    get_visible_table,
    good_phone,
    refuse_elsewhere,
    refuse_hidden,
    sits_at,
)
from tournaments.rules import held_from


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


# By account or by phone


def role_here(request: HttpRequest, table: Table) -> Role | None:
    """The visitor's role in the club of a table, looked up once for a request."""
    known: dict[int, Role | None] = request.__dict__.setdefault("_roles", {})
    club = table.event.club
    if club.pk not in known:
        known[club.pk] = role_in(request.user, club)
    return known[club.pk]


def is_scorer_here(request: HttpRequest, table: Table) -> bool:
    """Does the visitor write on the sheets of all tables, by account or by phone?"""
    role = role_here(request, table)
    if role is not None and role.may_act_as(Role.SCORER):
        return True
    phone = good_phone(request, table.event)
    return phone is not None and phone.is_scorer


def table_to_see(request: HttpRequest, pk: int) -> Table:
    """A table whose sheet the visitor may look at, by account or by phone."""
    table = get_table(pk)
    phone = phones.phone_of(request, table.event)
    if phone is not None and phone_opens(good_phone(request, table.event), table):
        phones.look_from(request, [seat.player_id for seat in table.seats.all()])
        return table
    try:
        refuse_hidden(request.user, table, role=role_here(request, table))
    except Http404:
        if phone is None:
            raise
        refuse_elsewhere(phone)
    return table


def table_to_score(request: HttpRequest, pk: int) -> Table:
    """A table on whose sheet the visitor may write, by account or by phone."""
    table = table_to_see(request, pk)
    if not may_score_here(request, table):
        phone = phones.phone_of(request, table.event)
        if phone is not None:
            refuse_elsewhere(phone)
        raise PermissionDenied(
            _("Only the players of this table and the club's scorers enter deals.")
        )
    return table


def table_and_holder(request: HttpRequest, pk: int) -> tuple[Table, Actor]:
    """A table of which a phone keeps a row, and who holds that phone now, wherever he sits."""
    table = get_table(pk)
    phone = good_phone(request, table.event)
    if phone is not None:
        return table, phone
    table = table_to_score(request, pk)
    return table, actor_at(request, table)


def table_to_change(request: HttpRequest, pk: int) -> Table:
    """A table on whose sheet the visitor may correct rows or declare them void."""
    table = table_to_score(request, pk)
    if not may_change_here(request, table):
        raise PermissionDenied(_("The round is closed: only a director changes its sheets."))
    return table


def may_score_here(request: HttpRequest, table: Table) -> bool:
    """May the visitor write on this sheet, by account or by phone?"""
    role = role_here(request, table)
    if may_score(request.user, table, role=role):
        return True
    return phone_opens(good_phone(request, table.event), table)


def may_change_here(request: HttpRequest, table: Table) -> bool:
    """May the visitor correct what stands on this sheet? A phone while the round is played."""
    role = role_here(request, table)
    if may_change(request.user, table, role=role):
        return True
    return table.is_open and phone_opens(good_phone(request, table.event), table)


def is_held_here(request: HttpRequest, table: Table) -> bool:
    """Does the director hold the sheet, so that what this visitor wrote would be refused?"""
    if table.taken_over_by_id is None and table.round.frozen_at is None:
        return False
    may_write = may_score_here(request, table)
    return may_write and held_from(table, actor_at(request, table)) is not None


def phone_opens(phone: Phone | None, table: Table) -> bool:
    """Is this the phone of somebody at the table, or of a scorer of the event?"""
    if phone is None or table.round.is_proposal or phone.is_referee:
        return False
    return phone.is_scorer or sits_at(phone, table)


def actor_at(request: HttpRequest, table: Table) -> Actor:
    """Who writes and speaks on this sheet: whoever sits there, else the account if it may.

    A phone of a seat is the player's, whatever office holds the account that is signed in on it:
    his yes comes from his seat, and nobody agrees with himself.
    """
    user = request.user
    phone = good_phone(request, table.event)
    if phone is not None and _speaks_from_seat(phone, user, table):
        return phone
    if phone is not None and not may_score(user, table, role=role_here(request, table)):
        return phone
    if not isinstance(user, User):
        raise PermissionDenied
    return user


def _speaks_from_seat(phone: Phone, user: Visitor, table: Table) -> bool:
    """Does the phone sit here, and the account not? Where only directors write, no seat speaks."""
    is_held = table.taken_over_by_id is not None or table.round.frozen_at is not None
    if is_held or not table.is_open or not sits_at(phone, table):
        return False
    return not any(seat.player.account_id == user.pk for seat in table.seats.all() if user.pk)


def actors_at(request: HttpRequest, table: Table) -> list[Actor]:
    """All as whom the visitor may write on this sheet, first as whom he does unless he says so."""
    actors = [actor_at(request, table)]
    user, phone = request.user, good_phone(request, table.event)
    if phone is not None and phone not in actors and phone_opens(phone, table):
        actors.append(phone)
    if not isinstance(user, User) or user in actors:
        return actors
    may_too = may_score(user, table, role=role_here(request, table))
    return [*actors, user] if may_too else actors


def in_office(request: HttpRequest, table: Table, by: Actor) -> Actor:
    """Who does what an office is needed for: a scorer's account, though its phone sits here."""
    user, role = request.user, role_here(request, table)
    if not isinstance(user, User) or role is None or not role.may_act_as(Role.SCORER):
        return by
    return user if isinstance(by, Phone) and not by.is_scorer else by
