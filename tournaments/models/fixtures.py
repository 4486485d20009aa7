"""Who meets whom: the fixtures of a stage, played at a table or decided without one."""

from __future__ import annotations

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments.models.entries import Entry
from tournaments.models.events import Stage
from tournaments.models.rounds import Table


class Fixture(models.Model):
    """Two entrants of a stage meet; each is known from the draw or comes from another fixture."""

    class State(models.TextChoices):
        """Written down from ``tournaments.fixtures.progress``; changed in ``actions`` only."""

        WAITING = "waiting", _("waiting for entrants")
        READY = "ready", _("can be played")
        PLAYING = "playing", _("being played")
        PLAYED = "played", _("to be confirmed")
        DONE = "done", _("decided")

    class Side(models.TextChoices):
        HOME = "home", _("first named")
        AWAY = "away", _("second named")

    class Ending(models.TextChoices):
        PLAYED = "played", _("played")
        CAP = "cap", _("decided by time")
        WALKOVER = "walkover", _("walkover")
        ABANDONED = "abandoned", _("abandoned")
        EXPELLED = "expelled", _("expelled")
        BOTH_ABSENT = "both_absent", _("both absent")
        BYE = "bye", _("bye")
        CANCELLED = "cancelled", _("cancelled")

    stage = models.ForeignKey(Stage, models.CASCADE, related_name="fixtures")
    # Unique in its stage; "A2-1" in a group, "W3-2" in a bracket.
    code = models.CharField(max_length=16)
    # A group's letter, or the part of a bracket.
    section = models.CharField(max_length=4)
    round = models.PositiveSmallIntegerField(_("round"))
    order = models.PositiveSmallIntegerField()
    # Fixtures of one wave may be played at the same time; counted over all sections.
    wave = models.PositiveSmallIntegerField(default=1)
    # tournaments.fixtures.FixtureFormat: best of how many games, to how many points.
    format = models.JSONField(default=dict, blank=True, encoder=DjangoJSONEncoder)
    # Where each entrant comes from, as tournaments.fixtures writes a source.
    home_from = models.CharField(max_length=24)
    away_from = models.CharField(max_length=24)
    home = models.ForeignKey(Entry, models.PROTECT, null=True, blank=True, related_name="+")
    away = models.ForeignKey(Entry, models.PROTECT, null=True, blank=True, related_name="+")
    table = models.OneToOneField(
        Table, models.SET_NULL, null=True, blank=True, related_name="fixture"
    )
    state = models.CharField(max_length=8, choices=State.choices, default=State.WAITING)
    ending = models.CharField(max_length=12, choices=Ending.choices, blank=True)
    winner = models.CharField(max_length=4, choices=Side.choices, blank=True)
    # The final score of each game, the first named side first: [[12, 9], [7, 12]].
    scores = models.JSONField(default=list, blank=True, encoder=DjangoJSONEncoder)
    note = models.CharField(_("reason"), max_length=200, blank=True)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    decided_at = models.DateTimeField(null=True, blank=True)
    changed_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("fixture")
        verbose_name_plural = _("fixtures")
        ordering = ["stage", "round", "order", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["stage", "code"], name="fixture_code_once"),
        ]

    def __str__(self) -> str:
        return f"{self.stage} {self.code}"

    @property
    def is_done(self) -> bool:
        return self.state == self.State.DONE
