"""Files for the printer that a worker makes."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from scoring.querysets import PaperJobQuerySet
from tournaments.models import Event

#: A worker that runs takes a file within seconds.
PATIENCE_SECONDS = 20


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

    @property
    def seconds_without_a_worker(self) -> int:
        """Tell how long it has waited, once that is longer than a running worker would take."""
        waited = (timezone.now() - self.asked_at).total_seconds()
        is_forgotten = self.state == self.State.WAITING and waited > PATIENCE_SECONDS
        return int(waited) if is_forgotten else 0

    def start(self) -> None:
        """Say that the worker has begun."""
        self.state = self.State.MAKING
        self.save(update_fields=["state"])
