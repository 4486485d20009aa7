"""Links that let somebody in without an account, and the phones that came in by one."""

from __future__ import annotations

import uuid
from datetime import datetime

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments.models.entries import Entry
from tournaments.models.events import Event


class Ended(models.TextChoices):
    """Why a link or a phone opens nothing any more, as the holder is told."""

    REVOKED = "revoked", _("This link was taken back. Ask the director for the new one.")
    EXPIRED = "expired", _("This link has run out. Ask the director for a new one.")
    CLOSED = "closed", _("The event is over: its links open nothing any more.")
    CANCELLED = "cancelled", _("The event was cancelled: its links open nothing any more.")
    REMOVED = "removed", _("The director has taken this phone off the event.")
    REPLACED = "replaced", _("Another phone took the seat. If you sit there, take it back.")
    LEFT = "left", _("This phone stands for nobody now: choose who you are.")


class JoinLink(models.Model):
    """A link and a short code to one event; what it opens depends on its role.

    The address carries a signature over the key, so a link cannot be guessed; the short code can,
    and is therefore counted and limited.
    """

    class Role(models.TextChoices):
        PLAYER = "player", _("player")
        SCORER = "scorer", _("scorer")
        REFEREE = "referee", _("referee")
        WALL = "wall", _("wall")

    event = models.ForeignKey(Event, models.CASCADE, related_name="join_links")
    role = models.CharField(_("role"), max_length=8, choices=Role.choices, default=Role.PLAYER)
    # Of a table card; empty: the whole event.
    table_number = models.PositiveSmallIntegerField(_("table"), null=True, blank=True)
    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    code = models.CharField(_("code"), max_length=8, unique=True, editable=False)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    made_at = models.DateTimeField(default=timezone.now)
    # At the latest; a link also ends with its event, but the wall shows the results after it.
    expires_at = models.DateTimeField(_("good until"))
    revoked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("link")
        verbose_name_plural = _("links")
        ordering = ["event", "role", "table_number", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["event", "role"],
                condition=Q(revoked_at__isnull=True, table_number__isnull=True),
                name="one_good_link_for_each_role",
            ),
            models.UniqueConstraint(
                fields=["event", "role", "table_number"],
                condition=Q(revoked_at__isnull=True, table_number__isnull=False),
                name="one_good_link_for_each_table",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.event} {self.get_role_display()} {self.code}"

    @property
    def is_of_wall(self) -> bool:
        """Does it open the wall to a screen, which no phone can join by?"""
        return self.role == self.Role.WALL

    def is_good(self, at: datetime) -> bool:
        """Does it still open its event?"""
        return self.ended(at) is None

    def ended(self, at: datetime) -> Ended | None:
        """Why it opens nothing any more; nothing while it is good.

        One that had run out before it was replaced by another has run out, and was not taken back.
        """
        if self.revoked_at is not None and self.revoked_at < self.expires_at:
            return Ended.REVOKED
        if self.event.is_closed and not self.is_of_wall:
            return Ended.CLOSED
        return Ended.EXPIRED if max(at, self.revoked_at or at) >= self.expires_at else None


class Phone(models.Model):
    """A phone that joined an event by a link: who holds it, and what it is doing.

    It stands for one player for good, so that what it wrote stays his: who changes seats with it
    goes on as another phone.
    """

    link = models.ForeignKey(JoinLink, models.CASCADE, related_name="phones")
    event = models.ForeignKey(Event, models.CASCADE, related_name="phones")
    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    # Who sits behind it; empty until a seat is picked, and for scorers and referees.
    entry = models.ForeignKey(Entry, models.SET_NULL, null=True, blank=True, related_name="phones")
    player = models.ForeignKey(
        "clubs.Player", models.SET_NULL, null=True, blank=True, related_name="phones"
    )
    name = models.CharField(_("name"), max_length=60, blank=True)
    joined_at = models.DateTimeField(default=timezone.now)
    seen_at = models.DateTimeField(default=timezone.now)
    # Sent off by the director, replaced by another phone, or left by its holder.
    removed_at = models.DateTimeField(null=True, blank=True)
    removed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    # The one that took its seat, or as which its holder goes on.
    replaced_by = models.ForeignKey(
        "self", models.SET_NULL, null=True, blank=True, related_name="replaced"
    )
    # Which deal of which table it has open, for the others at the table.
    at_table = models.ForeignKey(
        "tournaments.Table", models.SET_NULL, null=True, blank=True, related_name="phones"
    )
    enters_number = models.PositiveSmallIntegerField(null=True, blank=True)
    enters_since = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("phone")
        verbose_name_plural = _("phones")
        ordering = ["event", "joined_at", "pk"]
        indexes = [models.Index(fields=["at_table", "-enters_since"], name="phones_at_a_table")]
        constraints = [
            models.UniqueConstraint(
                fields=["event", "player"],
                condition=Q(removed_at__isnull=True),
                name="one_phone_for_each_player",
                violation_error_message=_("Another phone already has this seat."),
            ),
        ]

    def __str__(self) -> str:
        if self.player is not None:
            return self.player.shown_name
        return self.name or self.link.get_role_display()

    @property
    def is_scorer(self) -> bool:
        return self.link.role == JoinLink.Role.SCORER

    @property
    def is_referee(self) -> bool:
        return self.link.role == JoinLink.Role.REFEREE

    def ended(self, at: datetime) -> Ended | None:
        """Why it may do nothing any more; nothing while it is good."""
        if self.removed_at is None:
            return self.link.ended(at)
        if self.removed_by_id is not None:
            return Ended.REMOVED
        return Ended.LEFT if self.replaced_by_id is None else Ended.REPLACED
