"""Rankings of seasons, as they were written down."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from clubs.models import Player, Season
from scoring.querysets import RankingRowQuerySet


class Ranking(models.Model):
    """A season's ranking: the sum of the points of its closed evenings."""

    season = models.OneToOneField(Season, models.CASCADE, related_name="ranking")
    computed_at = models.DateTimeField(null=True)
    evenings = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name = _("ranking")
        verbose_name_plural = _("rankings")

    def __str__(self) -> str:
        return str(self.season)


class RankingRow(models.Model):
    """A player's line of the ranking."""

    ranking = models.ForeignKey(Ranking, models.CASCADE, related_name="rows")
    player = models.ForeignKey(Player, models.CASCADE, related_name="ranking_rows")
    place = models.PositiveIntegerField()
    # The place before the last evening; nothing for somebody new.
    previous_place = models.PositiveIntegerField(null=True)
    points = models.IntegerField()
    evenings = models.PositiveIntegerField()
    deals_played = models.PositiveIntegerField()
    # [{"event": 7, "points": -40, "deals": 25}] of each evening played, oldest first: the
    # addends of the points, and the little curve beside the name.
    history = models.JSONField(default=list)

    objects = RankingRowQuerySet.as_manager()

    class Meta:
        verbose_name = _("line of a ranking")
        verbose_name_plural = _("lines of rankings")
        constraints = [
            models.UniqueConstraint(fields=["ranking", "player"], name="player_ranked_once"),
        ]
        indexes = [models.Index(fields=["ranking", "place"], name="ranking_by_place")]

    def __str__(self) -> str:
        return f"{self.place}. {self.player}"
