"""What happens on the score sheet, and what is counted from it."""

from __future__ import annotations

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from clubs.models import Player, Season
from rules_engine import tarot
from scoring.querysets import (
    MarkQuerySet,
    PaperJobQuerySet,
    RankingRowQuerySet,
    TarotDealQuerySet,
)
from tournaments.models import Event, Seat, Table


class TarotDeal(models.Model):
    """A deal of French tarot as the table reported it; never edited, superseded."""

    class State(models.TextChoices):
        STANDING = "standing", _("counts")
        CORRECTED = "corrected", _("corrected")
        VOID = "void", _("void")

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
    # Made by the page or phone that entered it: sending it twice is one deal.
    entry_key = models.UUIDField(editable=False)
    state = models.CharField(max_length=10, choices=State.choices, default=State.STANDING)
    corrected_by = models.OneToOneField(
        "self", models.PROTECT, null=True, blank=True, related_name="corrects"
    )
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
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    recorded_at = models.DateTimeField(default=timezone.now)
    void_reason = models.CharField(_("reason"), max_length=200, blank=True)
    voided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    voided_at = models.DateTimeField(null=True)

    objects = TarotDealQuerySet.as_manager()

    class Meta:
        verbose_name = _("deal")
        verbose_name_plural = _("deals")
        ordering = ["table", "number", "recorded_at", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["table", "number"],
                condition=Q(state="standing"),
                name="one_standing_deal_per_number",
                violation_error_message=_("This deal has already been entered."),
            ),
            models.UniqueConstraint(
                fields=["table", "entry_key"],
                name="deal_entry_once",
                violation_error_message=_("This deal has already been entered."),
            ),
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
            # Only one way: the new row can stand only once the old one no longer does, so for
            # a moment of the transaction a corrected deal has no successor to name.
            models.CheckConstraint(
                condition=Q(corrected_by__isnull=True) | Q(state="corrected"),
                name="deal_corrected_by_another",
                violation_error_message=_("Only a corrected deal names the one that replaces it."),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table} {self.number}"

    @property
    def is_standing(self) -> bool:
        return self.state == self.State.STANDING


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


class SheetEvent(models.Model):
    """What somebody wrote on a sheet; written once, never changed."""

    class Kind(models.TextChoices):
        RECORDED = "recorded", _("entered")
        CORRECTED = "corrected", _("corrected")
        VOIDED = "voided", _("declared void")
        UNDONE = "undone", _("took back")
        REINSTATED = "reinstated", _("let count again")

    table = models.ForeignKey(Table, models.CASCADE, related_name="sheet_events")
    deal = models.ForeignKey(TarotDeal, models.CASCADE, related_name="sheet_events")
    kind = models.CharField(max_length=12, choices=Kind.choices)
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    at = models.DateTimeField(default=timezone.now)
    details = models.JSONField(default=dict, encoder=DjangoJSONEncoder)

    class Meta:
        verbose_name = _("line of the sheet's history")
        verbose_name_plural = _("history of the sheets")
        ordering = ["at", "pk"]

    def __str__(self) -> str:
        return f"{self.deal} {self.get_kind_display()}"


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


class PaperJob(models.Model):
    """A file of many sheets that somebody asked for; a worker makes it and tells how far it is."""

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        MAKING = "making", _("being made")
        DONE = "done", _("ready")
        FAILED = "failed", _("failed")

    event = models.ForeignKey(Event, models.CASCADE, related_name="paper_jobs")
    # An exports.Order: the document, its language, the paper, which tables.
    order = models.JSONField()
    state = models.CharField(max_length=8, choices=State.choices, default=State.WAITING)
    pieces_done = models.PositiveIntegerField(default=0)
    pieces_total = models.PositiveIntegerField(default=0)
    file = models.BinaryField(null=True)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    asked_at = models.DateTimeField(default=timezone.now)
    finished_at = models.DateTimeField(null=True)

    objects = PaperJobQuerySet.as_manager()

    class Meta:
        verbose_name = _("file for the printer")
        verbose_name_plural = _("files for the printer")

    def __str__(self) -> str:
        return f"{self.event} {self.order['document']}"

    @property
    def is_unfinished(self) -> bool:
        return self.state in {self.State.WAITING, self.State.MAKING}

    def start(self) -> None:
        """Say that the worker has begun."""
        self.state = self.State.MAKING
        self.save(update_fields=["state"])
