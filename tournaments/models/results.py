"""Results as they were published: each version stays."""

from __future__ import annotations

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments.models.events import Event


class ResultVersion(models.Model):
    """The ranking of a tournament at one moment; a late correction makes another one."""

    class State(models.TextChoices):
        PROVISIONAL = "provisional", _("provisional")
        FINAL = "final", _("final")

    event = models.ForeignKey(Event, models.CASCADE, related_name="result_versions")
    number = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=12, choices=State.choices)
    # One line per entry: {"entry", "place", "points", "sheet_points", "ruled_points", "rounds"}.
    lines = models.JSONField(encoder=DjangoJSONEncoder)
    # What differs from the version before: [{"entry", "points": [old, new], "place": [old, new]}].
    changes = models.JSONField(default=list, encoder=DjangoJSONEncoder)
    final_from = models.DateTimeField(null=True, blank=True)
    made_at = models.DateTimeField(default=timezone.now)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )

    class Meta:
        verbose_name = _("version of the result")
        verbose_name_plural = _("versions of the result")
        ordering = ["number", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["event", "number"], name="result_version_once"),
        ]

    def __str__(self) -> str:
        return f"{self.event} {self.number}"
