"""What was done to an evening."""

from __future__ import annotations

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments.models.events import Event
from tournaments.models.phones import Phone


class JournalLine(models.Model):
    """What somebody did to an evening, and when; written once, never changed."""

    class Kind(models.TextChoices):
        CREATED = "created", _("created the evening")
        CHANGED = "changed", _("changed the evening")
        CHECKED_IN = "checked_in", _("checked in")
        CHECKED_OUT = "checked_out", _("checked out")
        DRAWN = "drawn", _("drew the tables")
        DISCARDED = "discarded", _("dropped the draw")
        SWAPPED = "swapped", _("swapped two players")
        PUBLISHED = "published", _("published the draw")
        WITHDRAWN = "withdrawn", _("took the round back")
        DEALS_CHANGED = "deals_changed", _("changed the number of deals")
        ROUND_CLOSED = "round_closed", _("closed the round")
        ROUND_REOPENED = "round_reopened", _("reopened the round")
        CLOSED = "closed", _("closed the evening")
        REOPENED = "reopened", _("reopened the evening")
        MERGED = "merged", _("put two players together")
        RESULT_FINAL = "result_final", _("declared the results final")
        RULED = "ruled", _("ruled")
        RULING_WITHDRAWN = "ruling_withdrawn", _("withdrew a ruling")
        CLOCK_STARTED = "clock_started", _("started the clock")
        CLOCK_PAUSED = "clock_paused", _("stopped the clock")
        CLOCK_RESUMED = "clock_resumed", _("let the clock run on")
        TABLE_EXTENDED = "table_extended", _("gave a table more time")
        TIME_CALLED = "time_called", _("called the end of time")
        TIME_TAKEN_BACK = "time_taken_back", _("took the end of time back")
        SIGNED = "signed", _("signed a sheet")
        UNSIGNED = "unsigned", _("took a signature back")
        SEATS_CHANGED = "seats_changed", _("changed the seats")
        CHANGE_UNDONE = "change_undone", _("undid a change of the seats")
        ENTERED = "entered", _("entered a player")
        ENTRY_CHANGED = "entry_changed", _("changed an entry")
        ENTRY_WITHDRAWN = "entry_withdrawn", _("withdrew a player")
        ENTRY_BACK = "entry_back", _("took a withdrawal back")
        ENTRY_REPLACED = "entry_replaced", _("replaced a player")
        TEAMS_CHANGED = "teams_changed", _("changed the teams")
        PAIRS_CHANGED = "pairs_changed", _("changed who may not meet")
        STAGE_CHANGED = "stage_changed", _("changed a stage")
        CUT_DECIDED = "cut_decided", _("decided between equals at the cut")
        EQUALS_DECIDED = "equals_decided", _("decided between equals")
        EQUALS_UNDONE = "equals_undone", _("took back what decided between equals")

        FIXTURES_DRAWN = "fixtures_drawn", _("drew the fixtures")
        FIXTURES_DROPPED = "fixtures_dropped", _("dropped the fixtures")
        SLOTS_CHANGED = "slots_changed", _("changed who goes where")
        FIXTURES_CALLED = "fixtures_called", _("called fixtures to tables")
        FIXTURE_DECIDED = "fixture_decided", _("decided a fixture")
        FIXTURE_UNDONE = "fixture_undone", _("took a fixture’s result back")
        PARTNERS_DRAWN = "partners_drawn", _("drew partners")
        ENTRY_EXPELLED = "entry_expelled", _("expelled an entry")
        SUBSTITUTED = "substituted", _("put in a reserve")
        LINK_MADE = "link_made", _("made a link")
        LINK_REVOKED = "link_revoked", _("revoked a link")
        PHONE_JOINED = "phone_joined", _("joined with a phone")
        PHONE_REMOVED = "phone_removed", _("removed a phone")
        LEAVES_AFTER = "leaves_after", _("leaves after the round")
        STAYS = "stays", _("stays after all")
        FROZEN = "frozen", _("froze the round")
        UNFROZEN = "unfrozen", _("let the round go on")
        TAKEN_OVER = "taken_over", _("took over a table")
        HANDED_BACK = "handed_back", _("handed a table back")
        OBJECTION_SETTLED = "objection_settled", _("settled an objection")
        IMPORTED = "imported", _("imported results")

    event = models.ForeignKey(Event, models.CASCADE, related_name="journal")
    kind = models.CharField(max_length=24, choices=Kind.choices)
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    # The phone at a table it came from, when nobody signed in.
    phone = models.ForeignKey(Phone, models.SET_NULL, null=True, blank=True, related_name="+")
    at = models.DateTimeField(default=timezone.now)
    details = models.JSONField(default=dict, encoder=DjangoJSONEncoder)

    class Meta:
        verbose_name = _("journal line")
        verbose_name_plural = _("journal")
        ordering = ["-at", "-pk"]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.get_kind_display()}"
