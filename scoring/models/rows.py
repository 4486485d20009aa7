"""What every row of a sheet has, whatever the game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments.models import Phone


class SheetRow(models.Model):
    """A row of a sheet as the table reported it; never edited, superseded.

    Each game adds its ``table`` and ``number``, under names of its own seen from the table.
    """

    if TYPE_CHECKING:
        table: Any
        table_id: int
        number: Any
        corrected_by_id: int | None

    class State(models.TextChoices):
        STANDING = "standing", _("counts")
        CORRECTED = "corrected", _("corrected")
        VOID = "void", _("void")

    # Made by the page or phone that entered it: sending it twice is one row.
    entry_key = models.UUIDField(editable=False)
    state = models.CharField(max_length=10, choices=State.choices, default=State.STANDING)
    corrected_by = models.OneToOneField(
        "self", models.PROTECT, null=True, blank=True, related_name="corrects"
    )
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    # The phone at the table it came from, when nobody signed in.
    phone = models.ForeignKey(Phone, models.SET_NULL, null=True, blank=True, related_name="+")
    recorded_at = models.DateTimeField(default=timezone.now)
    void_reason = models.CharField(_("reason"), max_length=200, blank=True)
    voided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    voided_at = models.DateTimeField(null=True)

    class Meta:
        abstract = True
        constraints = [
            models.UniqueConstraint(
                fields=["table", "number"],
                condition=Q(state="standing"),
                name="one_standing_%(class)s_per_number",
                violation_error_message=_("This deal has already been entered."),
            ),
            models.UniqueConstraint(
                fields=["table", "entry_key"],
                name="%(class)s_entry_once",
                violation_error_message=_("This deal has already been entered."),
            ),
            # Only one way: the new row can stand only once the old one no longer does, so for
            # a moment of the transaction a corrected row has no successor to name.
            models.CheckConstraint(
                condition=Q(corrected_by__isnull=True) | Q(state="corrected"),
                name="%(class)s_corrected_by_another",
                violation_error_message=_("Only a corrected deal names the one that replaces it."),
            ),
        ]

    @property
    def is_ruling(self) -> bool:
        """Is it what only somebody in office may write?"""
        return False

    @property
    def is_standing(self) -> bool:
        return self.state == self.State.STANDING
