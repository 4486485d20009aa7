"""Deals of French tarot as the tables reported them."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from rules_engine import tarot
from scoring.models.rows import SheetRow
from scoring.querysets import MarkQuerySet, TarotDealQuerySet
from tournaments.models import Seat, Table


class TarotDeal(SheetRow):
    """A deal of French tarot as the table reported it; never edited, superseded."""

    class Contract(models.TextChoices):
        PETITE = "petite", _("Petite")
        POUSSE = "pousse", _("Pousse")
        GARDE = "garde", _("Garde")
        GARDE_SANS = "garde_sans", _("Garde sans")
        GARDE_CONTRE = "garde_contre", _("Garde contre")

    class Side(models.TextChoices):
        ATTACK = "attack", _("Attack")
        DEFENCE = "defence", _("Defence")

    class Called(models.TextChoices):
        """At five: with the holder of the called card, or alone."""

        PARTNER = "partner", _("with a partner")
        SELF = "self", _("alone")

    table = models.ForeignKey(Table, models.CASCADE, related_name="tarot_deals")
    number = models.PositiveSmallIntegerField(_("deal"))
    sits_out = models.ForeignKey(
        Seat, models.PROTECT, null=True, blank=True, related_name="+", verbose_name=_("sits out")
    )
    taker = models.ForeignKey(
        Seat, models.PROTECT, related_name="taken_deals", verbose_name=_("taker")
    )
    partner = models.ForeignKey(
        Seat, models.PROTECT, null=True, blank=True, related_name="+", verbose_name=_("partner")
    )
    called = models.CharField(max_length=8, choices=Called.choices, blank=True)
    contract = models.CharField(_("contract"), max_length=12, choices=Contract.choices)
    bouts = models.PositiveSmallIntegerField(_("bouts"))
    half_points = models.PositiveSmallIntegerField(_("card points of the attack, in halves"))
    petit_au_bout = models.CharField(max_length=8, choices=Side.choices, blank=True)
    # [{"size": "simple", "side": "attack"}], and house options by their name in the engine.
    poignees = models.JSONField(default=list, blank=True)
    chelem = models.JSONField(default=dict, blank=True)
    house_options = models.JSONField(default=dict, blank=True)
    # Written down from the engine, so that pages read and do not compute.
    is_made = models.BooleanField(_("made"))
    margin = models.SmallIntegerField(_("margin"))

    objects = TarotDealQuerySet.as_manager()

    class Meta:
        verbose_name = _("deal")
        verbose_name_plural = _("deals")
        ordering = ["table", "number", "recorded_at", "pk"]
        constraints = [
            *SheetRow.Meta.constraints,
            models.CheckConstraint(
                condition=Q(half_points__lte=tarot.PACK_HALF_POINTS),
                name="deal_points_within_the_pack",
                violation_error_message=_("A tarot pack holds 91 points."),
            ),
            models.CheckConstraint(
                condition=Q(bouts__lte=3),
                name="deal_three_bouts",
                violation_error_message=_("There are three bouts."),
            ),
            models.CheckConstraint(
                condition=Q(partner__isnull=True) | Q(called="partner"),
                name="deal_partner_is_called",
                violation_error_message=_("Only a called card makes a partner."),
            ),
            models.CheckConstraint(
                condition=Q(partner__isnull=True) | ~Q(partner=F("taker")),
                name="deal_partner_is_not_the_taker",
                violation_error_message=_("Whoever calls himself plays alone."),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table} {self.number}"


class Mark(models.Model):
    """The points that one deal gives one seat (the player's marque)."""

    deal = models.ForeignKey(TarotDeal, models.CASCADE, related_name="marks")
    seat = models.ForeignKey(Seat, models.PROTECT, related_name="marks")
    points = models.IntegerField()

    objects = MarkQuerySet.as_manager()

    class Meta:
        verbose_name = _("mark")
        verbose_name_plural = _("marks")
        ordering = ["deal", "seat"]
        constraints = [models.UniqueConstraint(fields=["deal", "seat"], name="mark_once")]

    def __str__(self) -> str:
        return f"{self.deal}: {self.points:+d}"
