"""Which clubs, players and memberships: reads worded in the club's terms."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any, Self

from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser, BaseUserManager
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower

if TYPE_CHECKING:
    from clubs.models import Club, User  # noqa: F401 - the generic names them as text

type Visitor = AbstractBaseUser | AnonymousUser


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

    def public(self) -> Self:
        """The clubs that show themselves to the world."""
        return self.filter(publication="public")

    def visible_to(self, visitor: Visitor) -> Self:
        """The public clubs, and the visitor's own."""
        own = self.of(visitor).values("pk")
        return self.filter(Q(publication="public") | Q(pk__in=own))

    def by_name(self) -> Self:
        return self.order_by(Lower("name"), "pk")


class SeasonQuerySet(models.QuerySet[Any]):
    """Seasons in time."""

    def running(self, on: date) -> Self:
        """The seasons that contain this day."""
        return self.filter(starts_on__lte=on, ends_on__gte=on)

    def latest_first(self) -> Self:
        return self.order_by("-starts_on", "-pk")


class PlayerQuerySet(models.QuerySet[Any]):
    """Players of a club."""

    def members(self) -> Self:
        """Those with a running membership."""
        return self.filter(membership__isnull=False, membership__left_on=None)

    def guests(self) -> Self:
        """Those who play without being a member."""
        return self.exclude(membership__isnull=False, membership__left_on=None)

    def active(self) -> Self:
        """Those who have not been put away."""
        return self.filter(archived_at=None)

    def called(self, words: str) -> Self:
        """Those whose name holds every one of the words, whatever the case."""
        found = self
        for word in words.split():
            found = found.filter(Q(name__icontains=word) | Q(table_name__icontains=word))
        return found

    def by_name(self) -> Self:
        return self.order_by("sort_name", "pk")
