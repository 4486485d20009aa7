"""Calls for the referee, and what the referee decided."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from clubs.models import User
from tournaments.models.entries import Entry
from tournaments.models.events import Event
from tournaments.models.phones import Phone
from tournaments.models.rounds import Round, Table
from tournaments.querysets import RefereeCallQuerySet, RulingQuerySet


class RefereeCall(models.Model):
    """A table asks for the referee."""

    table = models.ForeignKey(Table, models.CASCADE, related_name="referee_calls")
    reason = models.CharField(_("reason"), max_length=200, blank=True)
    # "Something is wrong here": not a matter for a referee at once.
    is_problem = models.BooleanField(default=False)
    phone = models.ForeignKey(Phone, models.SET_NULL, null=True, blank=True, related_name="+")
    called_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    called_at = models.DateTimeField(default=timezone.now)
    # Who is on the way, so that no two referees walk to one table.
    going_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    # By the referee's link, when nobody signed in.
    going_phone = models.ForeignKey(Phone, models.SET_NULL, null=True, blank=True, related_name="+")
    answered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    answered_phone = models.ForeignKey(
        Phone, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    answered_at = models.DateTimeField(null=True, blank=True)

    objects = RefereeCallQuerySet.as_manager()

    class Meta:
        verbose_name = _("call for the referee")
        verbose_name_plural = _("calls for the referee")
        ordering = ["called_at", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["table"],
                condition=Q(answered_at__isnull=True),
                name="one_open_call_per_table",
                violation_error_message=_("The referee has already been called."),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table} {self.called_at:%H:%M}"

    @property
    def caller(self) -> User | Phone | None:
        return self.called_by or self.phone

    @property
    def on_the_way(self) -> User | Phone | None:
        return self.going_by or self.going_phone


class Ruling(models.Model):
    """A referee's ruling: its own line outside the zero-sum sheets; withdrawn, never erased."""

    class Kind(models.TextChoices):
        WARNING = "warning", _("warning")
        PENALTY = "penalty", _("penalty")
        DECISION = "decision", _("decision")

    class Outcome(models.TextChoices):
        """What becomes of the deal."""

        COUNTS = "counts", _("counts")
        REPLAYED = "replayed", _("void, dealt again")
        REMOVED = "removed", _("void, not dealt again")

    class Effect(models.TextChoices):
        """What a fault costs where games are won and points are not added up."""

        TENTO = "tento", _("tento to the other side")
        LOSE_HAND = "lose_hand", _("loses the hand")
        LOSE_GAME = "lose_game", _("loses the game")
        EXCLUSION = "exclusion", _("excluded")

    event = models.ForeignKey(Event, models.CASCADE, related_name="rulings")
    kind = models.CharField(_("kind"), max_length=10, choices=Kind.choices)
    # Who is at fault; a decision about a table has nobody.
    entry = models.ForeignKey(
        Entry,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="rulings",
        verbose_name=_("player"),
    )
    round = models.ForeignKey(Round, models.PROTECT, null=True, blank=True, related_name="rulings")
    table = models.ForeignKey(Table, models.PROTECT, null=True, blank=True, related_name="rulings")
    deal_number = models.PositiveSmallIntegerField(_("deal"), null=True, blank=True)
    # The fault by its code in tournaments.faults; "other" with a note of its own.
    fault = models.CharField(_("fault"), max_length=40)
    # Taken from the offender alone (CA p.4-8), in points.
    points = models.PositiveIntegerField(_("points taken"), default=0)
    note = models.CharField(_("note"), max_length=300, blank=True)
    outcome = models.CharField(
        _("the deal"), max_length=8, choices=Outcome.choices, default=Outcome.COUNTS
    )
    effect = models.CharField(_("effect"), max_length=9, choices=Effect.choices, blank=True)
    # Made by the page that recorded it: sending it twice is one ruling.
    entry_key = models.UUIDField(null=True, unique=True, editable=False)
    ruled_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    # By the referee's link, when nobody signed in.
    phone = models.ForeignKey(Phone, models.SET_NULL, null=True, blank=True, related_name="+")
    ruled_at = models.DateTimeField(default=timezone.now)
    withdrawn_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    withdrawn_phone = models.ForeignKey(
        Phone, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    withdrawn_why = models.CharField(_("why it was withdrawn"), max_length=200, blank=True)

    objects = RulingQuerySet.as_manager()

    class Meta:
        verbose_name = _("ruling")
        verbose_name_plural = _("rulings")
        ordering = ["ruled_at", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=~Q(kind="penalty") | Q(points__gt=0, entry__isnull=False),
                name="penalty_takes_points_from_somebody",
                violation_error_message=_("A penalty takes points from somebody."),
            ),
            models.CheckConstraint(
                condition=Q(kind="penalty") | Q(points=0),
                name="only_a_penalty_takes_points",
                violation_error_message=_("Only a penalty takes points."),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.fault}"

    @property
    def stands(self) -> bool:
        return self.withdrawn_at is None

    @property
    def ruler(self) -> User | Phone | None:
        return self.ruled_by or self.phone

    @property
    def withdrawer(self) -> User | Phone | None:
        return self.withdrawn_by or self.withdrawn_phone
