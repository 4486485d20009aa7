"""The people of a club: players, their memberships and roles."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.module_loading import import_string
from django.utils.translation import gettext_lazy as _

from clubs.actions.clubs import lock_club
from clubs.models import Club, Membership, PastMembership, Player, Role, fold_name
from clubs.names import one_line

ROWS_AT_ONCE = 500


@transaction.atomic
def add_player(
    *,
    club: Club,
    name: str,
    table_name: str = "",
    is_member: bool = True,
    licence_number: str = "",
    on: date,
) -> Player:
    """Add somebody to the club, as a member or a guest; refuses a name that it already has."""
    lock_club(club)
    player = Player(club=club)
    _name(player, name=name, table_name=table_name)
    player.full_clean()
    player.save()
    if is_member:
        membership = Membership(player=player, licence_number=licence_number, joined_on=on)
        membership.full_clean()
        membership.save()
    return player


@transaction.atomic
def add_guests(*, club: Club, names: Iterable[str]) -> list[Player]:
    """Add many guests at once, in the order of their names; refuses what ``add_player`` refuses."""
    lock_club(club)
    taken = set(club.players.values_list("sort_name", flat=True))
    guests = [_guest(club, name, taken) for name in names]
    return Player.objects.bulk_create(guests, batch_size=ROWS_AT_ONCE)


def _guest(club: Club, name: str, taken: set[str]) -> Player:
    guest = Player(club=club)
    _name(guest, name=name, table_name="")
    guest.clean_fields(exclude=["club"])
    if guest.sort_name in taken:
        raise ValidationError(
            {"name": _("The club already has a player of this name. Add an initial or a town.")},
            code="unique",
        )
    taken.add(guest.sort_name)
    return guest


@transaction.atomic
def change_player(
    *, player: Player, name: str, table_name: str, licence_number: str = ""
) -> Player:
    """Change the names, and the licence number of somebody who has been a member."""
    lock_club(player.club)
    _name(player, name=name, table_name=table_name)
    player.full_clean()
    player.save(update_fields=["name", "table_name", "sort_name"])
    names_have_changed(player.club)
    membership = getattr(player, "membership", None)
    if membership is not None:
        membership.licence_number = one_line(licence_number)
        membership.full_clean()
        membership.save(update_fields=["licence_number"])
    return player


@transaction.atomic
def choose_shown_name(*, player: Player, shown_as: str, pseudonym: str = "") -> Player:
    """Say how those outside the club read the name; refuses what they read of somebody else."""
    lock_club(player.club)
    player.shown_as = Player.ShownAs(shown_as)
    player.pseudonym = one_line(pseudonym)
    player.full_clean(exclude=["account"])
    _refuse_anothers_name(player)
    _refuse_anothers_initial(player)
    player.save(update_fields=["shown_as", "pseudonym"])
    names_have_changed(player.club)
    return player


def names_have_changed(club: Club) -> None:
    """Let no page that was kept somewhere go on telling the names as they were."""
    club.names_changed_at = timezone.now()
    Club.objects.filter(pk=club.pk).update(names_changed_at=club.names_changed_at)


def _refuse_anothers_name(player: Player) -> None:
    folded = fold_name(player.pseudonym)
    if not folded:
        return
    others = Player.objects.filter(club=player.club).exclude(pk=player.pk)
    pseudonyms = others.exclude(pseudonym="").values_list("pseudonym", flat=True)
    if others.filter(sort_name=folded).exists() or folded in map(fold_name, pseudonyms):
        raise ValidationError(
            {"pseudonym": _("Somebody else in the club is called that. Choose another one.")},
            code="taken",
        )


def _refuse_anothers_initial(player: Player) -> None:
    """Two lines "Ana R." of one table would be told apart by nobody."""
    if player.shown_as in {Player.ShownAs.FULL, Player.ShownAs.HIDDEN}:
        return
    told = fold_name(player.public_name)
    by_initial = Player.objects.filter(club=player.club, shown_as=Player.ShownAs.INITIAL)
    others = by_initial.exclude(pk=player.pk)
    if told in {fold_name(other.public_name) for other in others}:
        field = "pseudonym" if player.shown_as == Player.ShownAs.PSEUDONYM else "shown_as"
        raise ValidationError(
            {field: _("Somebody else is called that already. A pseudonym tells you two apart.")},
            code="taken",
        )


def _name(player: Player, *, name: str, table_name: str) -> None:
    player.name = one_line(name)
    player.table_name = one_line(table_name)
    player.sort_name = fold_name(player.name)
    if not player.sort_name:
        raise ValidationError({"name": _("A name has at least one letter.")}, code="required")


@transaction.atomic
def make_member(*, player: Player, on: date) -> Membership:
    """Make a guest a member, or a former member one again, with the plainest role."""
    lock_club(player.club)
    if player.archived_at is not None:
        raise ValidationError(
            _("%(name)s has been put away. Take the player back first.") % {"name": player.name},
            code="archived",
        )
    membership, _is_new = Membership.objects.get_or_create(
        player=player, defaults={"joined_on": on}
    )
    if membership.left_on is not None:
        _begin_again(membership, on)
    _membership_has_changed(player)
    return membership


def _begin_again(membership: Membership, on: date) -> None:
    """Let a membership run again; what it was before the gap stays known, for its evenings."""
    left_on = membership.left_on
    if left_on is not None and left_on < on:
        membership.player.past_memberships.create(joined_on=membership.joined_on, left_on=left_on)
        membership.joined_on = on
    membership.left_on = None
    membership.role = Role.MEMBER
    membership.save(update_fields=["left_on", "joined_on", "role"])


@transaction.atomic
def make_guest(*, player: Player, on: date) -> Player:
    """End a membership: the player stays, with all results, as a guest."""
    lock_club(player.club)
    _keep_an_owner(player)
    if Membership.objects.filter(player=player, left_on=None).update(left_on=on):
        _membership_has_changed(player)
    return _fresh(player)


@transaction.atomic
def change_role(*, player: Player, role: Role) -> Membership:
    """Give a member another role; refuses a guest, and to leave the club without an owner."""
    lock_club(player.club)
    membership = Membership.objects.filter(player=player, left_on=None).first()
    if membership is None:
        raise ValidationError(
            _("%(name)s is a guest. Only members have a role.") % {"name": player.name},
            code="guest",
        )
    if role != Role.OWNER:
        _keep_an_owner(player)
    membership.role = role
    membership.full_clean()
    membership.save(update_fields=["role"])
    return membership


@transaction.atomic
def put_away(*, player: Player, at: datetime, on: date) -> Player:
    """Take a player off the lists and end the membership; results keep the name."""
    make_guest(player=player, on=on)
    Player.objects.filter(pk=player.pk, archived_at=None).update(archived_at=at)
    return _fresh(player)


@transaction.atomic
def hand_over_memberships(*, player: Player, to: Player) -> None:
    """Give the times as a member, all of them over, to another player who is the same person."""
    ended = Membership.objects.filter(player=player).exclude(left_on=None).first()
    if ended is not None and ended.left_on is not None:
        to.past_memberships.create(joined_on=ended.joined_on, left_on=ended.left_on)
    PastMembership.objects.filter(player=player).update(player=to)
    if to.past_memberships.exists():
        _membership_has_changed(to)


@transaction.atomic
def lead_on(*, player: Player, to: Player) -> None:
    """Let somebody who was put away lead to another player who is the same person.

    Who led to the player leads on as well: nobody is two steps away.
    """
    lock_club(player.club)
    led_here = Q(pk=player.pk) | Q(put_together_with=player)
    Player.objects.filter(led_here).update(put_together_with=to)


@transaction.atomic
def take_back(*, player: Player) -> Player:
    """Put a player on the lists again, as a guest and as somebody else than all others."""
    lock_club(player.club)
    Player.objects.filter(pk=player.pk).update(archived_at=None, put_together_with=None)
    return _fresh(player)


def _membership_has_changed(player: Player) -> None:
    """Let what is counted above follow in the same transaction; the settings say what that is."""
    for follow in settings.AFTER_MEMBERSHIP_CHANGES:
        import_string(follow)(player=player)


def _keep_an_owner(player: Player) -> None:
    """Refuse what would take the last owner away."""
    owners = Player.objects.filter(club=player.club).owners()
    is_owner = Membership.objects.filter(player=player, left_on=None, role=Role.OWNER).exists()
    if is_owner and not owners.exclude(pk=player.pk).exists():
        raise ValidationError(
            _("%(name)s is the last owner who can sign in. Make somebody else an owner first.")
            % {"name": player.name},
            code="last-owner",
        )


def _fresh(player: Player) -> Player:
    return Player.objects.select_related("club", "membership").get(pk=player.pk)
