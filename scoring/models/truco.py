"""Lines of truco sheets: hands, final scores of games and the referee's tentos."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from scoring.models.rows import SheetRow
from scoring.querysets import TrucoLineQuerySet
from tournaments.models import Ruling, Table


class TrucoLine(SheetRow):
    """One line of a truco sheet; the score is never stored but added up by the engine."""

    class Kind(models.TextChoices):
        HAND = "hand", _("hand")
        GAME = "game", _("final score of a game")
        TENTO = "tento", _("referee’s tento")
        CAP = "cap", _("end of time")

    class Pair(models.TextChoices):
        """The pair with the first seat, and the other one."""

        A = "a", _("A")
        B = "b", _("B")

    class Ending(models.TextChoices):
        """How a hand ended; empty where the sheet does not say."""

        ROUNDS = "rounds", _("played")
        ALL_TIED = "all_tied", _("all rounds tied")
        RAN = "ran", _("ran")
        DECLINED = "declined", _("declined")
        FORFEIT = "forfeit", _("forfeited")

    table = models.ForeignKey(Table, models.CASCADE, related_name="truco_lines")
    number = models.PositiveSmallIntegerField(_("line"))
    kind = models.CharField(max_length=5, choices=Kind.choices, default=Kind.HAND)
    # Empty: nobody scored.
    winner = models.CharField(max_length=1, choices=Pair.choices, blank=True)
    # Raw points of a hand or a tento, without a cap.
    points = models.PositiveSmallIntegerField(_("points"), default=0)
    ending = models.CharField(max_length=8, choices=Ending.choices, blank=True)
    # The final score of a whole game.
    points_a = models.PositiveSmallIntegerField(null=True, blank=True)
    points_b = models.PositiveSmallIntegerField(null=True, blank=True)
    # The whole hand card by card, where it was noted (TRN).
    notation = models.TextField(blank=True)
    ruling = models.ForeignKey(
        Ruling, models.PROTECT, null=True, blank=True, related_name="truco_lines"
    )

    objects = TrucoLineQuerySet.as_manager()

    class Meta:
        verbose_name = _("line of a truco sheet")
        verbose_name_plural = _("lines of truco sheets")
        ordering = ["table", "number", "recorded_at", "pk"]
        constraints = [
            *SheetRow.Meta.constraints,
            models.CheckConstraint(
                condition=Q(kind="game", points_a__isnull=False, points_b__isnull=False)
                | (~Q(kind="game") & Q(points_a__isnull=True, points_b__isnull=True)),
                name="truco_game_has_a_final_score",
                violation_error_message=_("A whole game has the final score of both pairs."),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table} {self.number}"

    @property
    def is_ruling(self) -> bool:
        """Is it the referee's, or the end of the time as he says it?"""
        return self.kind in {self.Kind.TENTO, self.Kind.CAP}
