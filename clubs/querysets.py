"""Which clubs, players and memberships: reads worded in the club's terms."""

from __future__ import annotations

from datetime import date, datetime
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Self

from django.apps import apps
from django.contrib.auth.models import AnonymousUser, BaseUserManager
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower

from clubs.names import fold_name

if TYPE_CHECKING:
    from clubs.models import (  # noqa: F401 - named as text
        Club,
        Invitation,
        Membership,
        Player,
        Season,
        User,
    )

type Visitor = User | AnonymousUser


class UserManager(BaseUserManager["User"]):
    """Accounts are known by their e-mail address, in small letters."""

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> User:
        """Store a new account; refuses an empty address."""
        if not email:
            raise ValueError("An account needs an e-mail address.")
        user = self.model(email=email.strip().lower(), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> User:
        """Store an account that may use the admin."""
        return self.create_user(email, password, is_staff=True, is_superuser=True, **fields)

    def get_by_natural_key(self, username: str | None) -> User:
        return self.get(email=(username or "").strip().lower())


class ClubQuerySet(models.QuerySet["Club"]):
    """Clubs as somebody may see them."""

    def of(self, visitor: Visitor) -> Self:
        """The clubs in which this account has a running membership."""
        if not visitor.is_authenticated:
            return self.none()
        return self.filter(
            players__account=visitor,
            players__membership__left_on=None,
            players__membership__isnull=False,
        ).distinct()

    def owned_by(self, account: User) -> Self:
        """The clubs of which this account is an owner."""
        return self.filter(
            players__account=account,
            players__membership__left_on=None,
            players__membership__role="owner",
        )

    def public(self) -> Self:
        """The clubs that show themselves to the world."""
        return self.filter(publication="public")

    def not_of(self, visitor: Visitor) -> Self:
        """Without the visitor's own."""
        if not visitor.is_authenticated:
            return self
        return self.exclude(
            players__in=visitor.players.filter(membership__left_on=None).exclude(membership=None)
        )

    def visible_to(self, visitor: Visitor) -> Self:
        """The public clubs, and the visitor's own."""
        own = self.of(visitor).values("pk")
        return self.filter(Q(publication="public") | Q(pk__in=own))

    def by_name(self) -> Self:
        return self.order_by(Lower("name"), "pk")


class SeasonQuerySet(models.QuerySet["Season"]):
    """Seasons in time."""

    def running(self, on: date) -> Self:
        """The seasons that contain this day."""
        return self.filter(starts_on__lte=on, ends_on__gte=on)

    def current(self, on: date) -> Season | None:
        """The season of this day; of several the one that began last."""
        return self.running(on).latest_first().first()

    def have_overlaps(self) -> bool:
        """Is there a day that two of them contain?"""
        days = list(self.order_by("starts_on", "pk").values_list("starts_on", "ends_on"))
        return any(
            starts <= latest
            for (starts, _), latest in zip(
                days[1:], accumulate((ends for _, ends in days), max), strict=False
            )
        )

    def latest_first(self) -> Self:
        return self.order_by("-starts_on", "-pk")


class PlayerQuerySet(models.QuerySet["Player"]):
    """Players of a club."""

    def members(self) -> Self:
        """Those with a running membership."""
        return self.filter(membership__isnull=False, membership__left_on=None)

    def guests(self) -> Self:
        """Those who play without being a member."""
        return self.exclude(membership__isnull=False, membership__left_on=None)

    def owners(self) -> Self:
        """Members who may do everything, and can sign in to do it."""
        return self.members().filter(membership__role="owner", account__is_active=True)

    def active(self) -> Self:
        """Those who have not been put away."""
        return self.filter(archived_at=None)

    def in_group(self, group: str) -> Self:
        """Members, guests or those put away; everybody still on the lists for anything else."""
        if group == "away":
            return self.filter(archived_at__isnull=False)
        groups = {"members": self.members, "guests": self.guests}
        return groups.get(group, self.all)().active()

    def called(self, words: str) -> Self:
        """Those whose name holds every one of the words, whatever the case and the accents."""
        found = self
        for word in fold_name(words).split():
            found = found.filter(Q(sort_name__contains=word) | Q(pk__in=self._at_table(word)))
        return found

    def _at_table(self, word: str) -> list[int]:
        """Give those who are called so at the table: few have another name there."""
        named = self.order_by().exclude(table_name="").values_list("pk", "table_name")
        return [key for key, name in named if word in fold_name(name)]

    def by_name(self) -> Self:
        return self.order_by("sort_name", "pk")

    def for_list(self, at: datetime) -> Self:
        """With the membership, and whether an invitation is on its way."""
        invitations = apps.get_model("clubs", "Invitation").objects.good(at)
        return self.select_related("membership").annotate(
            is_invited=models.Exists(invitations.filter(player=models.OuterRef("pk")))
        )


class MembershipQuerySet(models.QuerySet["Membership"]):
    """Who belongs to which club."""

    def of(self, account: User) -> Self:
        """The running memberships of an account."""
        return self.filter(player__account=account, left_on=None)

    def with_club(self) -> Self:
        """With player and club, the clubs by name."""
        return self.select_related("player__club").order_by(Lower("player__club__name"), "pk")


class InvitationQuerySet(models.QuerySet["Invitation"]):
    """Invitations of players."""

    def good(self, at: datetime) -> Self:
        """Those that can still be accepted."""
        return self.filter(accepted_at=None, expires_at__gt=at)

    def to_mail(self) -> Self:
        """Those with an address to which nothing has been sent."""
        return self.filter(accepted_at=None, mailed_at=None).exclude(email="")

    def latest_first(self) -> Self:
        return self.order_by("-created_at", "-pk")
