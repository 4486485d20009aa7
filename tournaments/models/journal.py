"""What was done to an evening."""

from __future__ import annotations

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments.models.events import Event


class JournalLine(models.Model):
    """What somebody did to an evening, and when; written once, never changed."""

    class Kind(models.TextChoices):
        CREATED = "created", _("created the evening")
        CHANGED = "changed", _("changed the evening")
        CHECKED_IN = "checked_in", _("checked in")
        CHECKED_OUT = "checked_out", _("checked out")
        DRAWN = "drawn", _("drew the tables")
        DISCARDED = "discarded", _("dropped the draw")
        SWAPPED = "swapped", _("swapped two players")
        PUBLISHED = "published", _("published the draw")
        WITHDRAWN = "withdrawn", _("took the round back")
        DEALS_CHANGED = "deals_changed", _("changed the number of deals")
        ROUND_CLOSED = "round_closed", _("closed the round")
        ROUND_REOPENED = "round_reopened", _("reopened the round")
        CLOSED = "closed", _("closed the evening")
        REOPENED = "reopened", _("reopened the evening")
        MERGED = "merged", _("put two players together")

    event = models.ForeignKey(Event, models.CASCADE, related_name="journal")
    kind = models.CharField(max_length=16, choices=Kind.choices)
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    at = models.DateTimeField(default=timezone.now)
    details = models.JSONField(default=dict, encoder=DjangoJSONEncoder)

    class Meta:
        verbose_name = _("journal line")
        verbose_name_plural = _("journal")
        ordering = ["-at", "-pk"]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.get_kind_display()}"
