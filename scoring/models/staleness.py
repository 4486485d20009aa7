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
    """Says that rankings of a season are older than the standings of its evenings.

    With an evening, only what it gave has changed; with a ranking, only how that one counts;
    with neither, everything of the season is counted again.
    """

    class Cause(models.TextChoices):
        """Why a line may change; the line keeps it as its last change."""

        STANDINGS = "standings", _("an evening was counted again")
        CLOSED = "closed", _("an evening was closed")
        REOPENED = "reopened", _("an evening was reopened")
        MERGED = "merged", _("two players were put together")
        SETTINGS = "settings", _("the ranking counts another way")
        REBUILD = "rebuild", _("everything was counted again")

    season = models.ForeignKey(Season, models.CASCADE, related_name="stale_rankings")
    # An evening that goes leaves the whole season to be counted.
    event = models.ForeignKey(Event, models.SET_NULL, null=True, related_name="+")
    ranking = models.ForeignKey("scoring.Ranking", models.CASCADE, null=True, related_name="+")
    cause = models.CharField(max_length=10, choices=Cause.choices, default=Cause.REBUILD)
    marked_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("stale ranking")
        verbose_name_plural = _("stale rankings")

    def __str__(self) -> str:
        return f"{self.season} {self.marked_at:%H:%M:%S}"
