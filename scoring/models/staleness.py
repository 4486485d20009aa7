"""What is older than the rows it was counted from."""

from __future__ import annotations

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from clubs.models import Season
from tournaments.models import Event


class StaleStandings(models.Model):
    """Says that an evening's standings are older than its sheets.

    Written in the transaction of the deal, one row each time: writers never wait for one
    another, and whoever refreshes removes exactly the rows it has seen.
    """

    event = models.ForeignKey(Event, models.CASCADE, related_name="stale_standings")
    marked_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("stale standings")
        verbose_name_plural = _("stale standings")

    def __str__(self) -> str:
        return f"{self.event} {self.marked_at:%H:%M:%S}"


class StaleRanking(models.Model):
    """Says that a season's ranking is older than the standings of its evenings."""

    season = models.ForeignKey(Season, models.CASCADE, related_name="stale_rankings")
    marked_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("stale ranking")
        verbose_name_plural = _("stale rankings")

    def __str__(self) -> str:
        return f"{self.season} {self.marked_at:%H:%M:%S}"
