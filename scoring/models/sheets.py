"""What was written on the sheets, by whom, and who agrees with it."""

from __future__ import annotations

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from scoring.models.tarot import TarotDeal
from scoring.models.truco import TrucoLine
from scoring.querysets import ConfirmationQuerySet
from tournaments.models import Phone, Seat, Table


class SheetEvent(models.Model):
    """What somebody wrote on a sheet; written once, never changed."""

    class Kind(models.TextChoices):
        RECORDED = "recorded", _("entered")
        CORRECTED = "corrected", _("corrected")
        VOIDED = "voided", _("declared void")
        UNDONE = "undone", _("took back")
        REINSTATED = "reinstated", _("let count again")
        # A row that was never sent: it waited on a phone which somebody else holds now.
        DROPPED = "dropped", _("threw away unsent")

    table = models.ForeignKey(Table, models.CASCADE, related_name="sheet_events")
    # What it was written about: a row of the table's game.
    deal = models.ForeignKey(
        TarotDeal, models.CASCADE, null=True, blank=True, related_name="sheet_events"
    )
    truco_line = models.ForeignKey(
        TrucoLine, models.CASCADE, null=True, blank=True, related_name="sheet_events"
    )
    kind = models.CharField(max_length=12, choices=Kind.choices)
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    phone = models.ForeignKey(Phone, models.SET_NULL, null=True, blank=True, related_name="+")
    at = models.DateTimeField(default=timezone.now)
    details = models.JSONField(default=dict, encoder=DjangoJSONEncoder)

    class Meta:
        verbose_name = _("line of the sheet's history")
        verbose_name_plural = _("history of the sheets")
        ordering = ["at", "pk"]

    def __str__(self) -> str:
        return f"{self.deal or self.truco_line} {self.get_kind_display()}"


class Confirmation(models.Model):
    """Somebody else at the table says that a row, or the whole sheet, is right or wrong."""

    class Answer(models.TextChoices):
        AGREES = "agrees", _("agrees")
        OBJECTS = "objects", _("objects")

    table = models.ForeignKey(Table, models.CASCADE, related_name="confirmations")
    # Without either the whole sheet is meant.
    deal = models.ForeignKey(
        TarotDeal, models.CASCADE, null=True, blank=True, related_name="confirmations"
    )
    truco_line = models.ForeignKey(
        TrucoLine, models.CASCADE, null=True, blank=True, related_name="confirmations"
    )
    # The state of the sheet that was looked at.
    table_version = models.PositiveIntegerField()
    seat = models.ForeignKey(Seat, models.CASCADE, related_name="confirmations")
    answer = models.CharField(max_length=8, choices=Answer.choices)
    # What should stand there instead, in words and as the form typed it.
    note = models.CharField(_("what is wrong"), max_length=300, blank=True)
    proposed = models.JSONField(default=dict, blank=True, encoder=DjangoJSONEncoder)
    given_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    phone = models.ForeignKey(Phone, models.SET_NULL, null=True, blank=True, related_name="+")
    at = models.DateTimeField(default=timezone.now)
    # An objection that the director has looked at.
    settled_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    settled_at = models.DateTimeField(null=True, blank=True)

    objects = ConfirmationQuerySet.as_manager()

    class Meta:
        verbose_name = _("confirmation")
        verbose_name_plural = _("confirmations")
        ordering = ["at", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["deal", "seat"],
                condition=Q(deal__isnull=False, answer="agrees"),
                name="seat_confirms_a_deal_once",
                violation_error_message=_("This seat has already agreed."),
            ),
            models.UniqueConstraint(
                fields=["truco_line", "seat"],
                condition=Q(truco_line__isnull=False, answer="agrees"),
                name="seat_confirms_a_line_once",
                violation_error_message=_("This seat has already agreed."),
            ),
            models.UniqueConstraint(
                fields=["table", "seat", "table_version"],
                condition=Q(deal__isnull=True, truco_line__isnull=True, answer="agrees"),
                name="seat_confirms_a_sheet_once",
                violation_error_message=_("This seat has already agreed."),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.seat} {self.get_answer_display()}"
