"""Lists of past results that a club brings in."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubs.models import Club
from scoring.querysets import ResultsImportQuerySet
from tournaments.models import Event


class ResultsImport(models.Model):
    """A list as it was sent, what its columns are, who is meant, and the evening it became."""

    class State(models.TextChoices):
        """Changed in ``actions`` only."""

        DRAFT = "draft", _("being looked at")
        DONE = "done", _("imported")
        UNDONE = "undone", _("taken back")

    club = models.ForeignKey(Club, models.CASCADE, related_name="results_imports")
    # Made by the page that sent the file: sending it twice is one list.
    entry_key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    state = models.CharField(max_length=8, choices=State.choices, default=State.DRAFT)
    file_name = models.CharField(_("file"), max_length=120, blank=True)
    # How the file was read: "csv", "cp1252", ";".
    form = models.CharField(max_length=8)
    encoding = models.CharField(max_length=12, blank=True)
    delimiter = models.CharField(max_length=1, blank=True)
    # The cells, as texts: no file is kept.
    rows = models.JSONField(default=list, encoder=DjangoJSONEncoder)
    game = models.CharField(
        _("game"), max_length=12, choices=Event.Game.choices, default=Event.Game.TAROT
    )
    entrants = models.CharField(
        _("who plays"),
        max_length=8,
        choices=Event.Entrants.choices,
        default=Event.Entrants.PLAYERS,
        help_text=_("Pairs and trios name their players in one cell, or in a column each."),
    )
    # The index of the row with the headings, -1 for none; what each column is.
    head = models.SmallIntegerField(default=-1)
    roles = models.JSONField(default=list)
    # {folded name: key of a player, "new" or "skip"}, where somebody has said so.
    people = models.JSONField(default=dict, blank=True)
    title = models.CharField(_("title"), max_length=120, blank=True)
    place = models.CharField(_("place"), max_length=120, blank=True)
    held_on = models.DateField(_("when"))
    kind = models.CharField(
        _("kind"), max_length=12, choices=Event.Kind.choices, default=Event.Kind.CLUB_NIGHT
    )
    deals_per_round = models.PositiveSmallIntegerField(
        _("deals in a round"),
        default=5,
        validators=[MinValueValidator(1), MaxValueValidator(50)],
        help_text=_("Counts as played for each round where the list does not say."),
    )
    # What it became; the players that were made for it go with it when it is taken back.
    event = models.OneToOneField(
        Event, models.SET_NULL, null=True, blank=True, related_name="results_import"
    )
    new_players = models.JSONField(default=list, blank=True)
    sent_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    sent_at = models.DateTimeField(default=timezone.now)
    done_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    done_at = models.DateTimeField(null=True, blank=True)
    undone_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    undone_at = models.DateTimeField(null=True, blank=True)

    objects = ResultsImportQuerySet.as_manager()

    class Meta:
        verbose_name = _("import of results")
        verbose_name_plural = _("imports of results")
        ordering = ["-sent_at", "-pk"]

    def __str__(self) -> str:
        return self.title or self.file_name or self._named_by_day()

    def _named_by_day(self) -> str:
        return gettext("List of %(day)s") % {"day": date_format(self.held_on)}

    @property
    def is_draft(self) -> bool:
        return self.state == self.State.DRAFT

    @property
    def is_done(self) -> bool:
        return self.state == self.State.DONE
