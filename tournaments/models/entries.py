"""Who takes part: entries, their players and teams."""

from __future__ import annotations

from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from clubs.models import Player, unless_it_tells
from tournaments.models.events import Event
from tournaments.querysets import EntryQuerySet


class Team(models.Model):
    """Two or four entries whose points add up and who never meet (OT p.15)."""

    event = models.ForeignKey(Event, models.CASCADE, related_name="teams")
    name = models.CharField(_("name"), max_length=60)

    class Meta:
        verbose_name = _("team")
        verbose_name_plural = _("teams")
        ordering = ["name", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["event", "name"],
                name="team_name_once",
                violation_error_message=_("There is already a team of this name."),
            ),
        ]

    def __str__(self) -> str:
        return self.told_name or " / ".join(map(str, self.entries.all()))

    @property
    def told_name(self) -> str:
        """The name as whoever is looking may read it; empty where it tells one of its players."""
        members = (player for entry in self.entries.all() for player in entry.everybody)
        return unless_it_tells(members, self.name)


class Entry(models.Model):
    """Who takes part: one player, or a pair or a trio where the event is for those."""

    class State(models.TextChoices):
        """Changed in ``actions`` only; a draw takes those present."""

        ENTERED = "entered", _("entered")
        WAITING = "waiting", _("on the waiting list")
        PRESENT = "present", _("present")
        AWAY = "away", _("away")
        WITHDRAWN = "withdrawn", _("withdrawn")
        EXPELLED = "expelled", _("expelled")

    event = models.ForeignKey(Event, models.CASCADE, related_name="entries")
    number = models.PositiveSmallIntegerField(_("number"))
    # What a pair or a trio calls itself; empty: the names of its players.
    name = models.CharField(_("name"), max_length=60, blank=True)
    # 1 for the strongest; a draw keeps the seeds apart.
    seeded = models.PositiveSmallIntegerField(_("seed"), null=True, blank=True)
    state = models.CharField(max_length=10, choices=State.choices, default=State.PRESENT)
    players = models.ManyToManyField(Player, through="EntryPlayer", related_name="entries")
    checked_in_at = models.DateTimeField(default=timezone.now)
    # When the entry was first valid: the order of the waiting list, whatever happens later.
    entered_at = models.DateTimeField(default=timezone.now)
    licence_number = models.CharField(_("licence number"), max_length=20, blank=True)
    series = models.CharField(_("series"), max_length=20, blank=True)
    club_name = models.CharField(_("club"), max_length=80, blank=True)
    fee_paid_at = models.DateTimeField(_("fee paid on"), null=True, blank=True)
    team = models.ForeignKey(
        Team, models.SET_NULL, null=True, blank=True, related_name="entries", verbose_name=_("team")
    )
    # Somebody who cannot walk from table to table keeps this one.
    fixed_table = models.PositiveSmallIntegerField(_("fixed table"), null=True, blank=True)
    # Where the entry starts in a movement: "N", "S", "E", "W" and the table's number.
    start_line = models.CharField(max_length=1, blank=True)
    start_table = models.PositiveSmallIntegerField(null=True, blank=True)
    # The last stage with a cut that the entry has qualified for; 1 is everybody.
    reached_stage = models.PositiveSmallIntegerField(default=1)
    # The number of the round after which it leaves, as somebody of it said beforehand.
    leaves_after = models.PositiveSmallIntegerField(null=True, blank=True)
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    replaces = models.OneToOneField(
        "self", models.SET_NULL, null=True, blank=True, related_name="replaced_by"
    )
    # Written down by the standings (scoring.tasks): what counts, and its part on the sheets.
    points = models.IntegerField(default=0)
    sheet_points = models.IntegerField(default=0)
    ruled_points = models.IntegerField(default=0)
    deals_played = models.PositiveIntegerField(default=0)
    place = models.PositiveIntegerField(null=True)
    # The place before the latest round with a deal; nothing for somebody new.
    previous_place = models.PositiveIntegerField(null=True)
    # [{"round": 1, "table": 12, "number": 3, "points": -40, "deals": 5}], in playing order.
    # A round that was missed and counts by the event's rule has no table.
    round_points = models.JSONField(default=list, encoder=DjangoJSONEncoder)
    # [{"code": "best_round", "value": 40}]: what parted the entry from those with equal points.
    tie_breaks = models.JSONField(default=list, encoder=DjangoJSONEncoder)

    # Of games that are won: {"wins", "losses", "games": [won, lost], "points": [for, against]}.
    tally = models.JSONField(default=dict, blank=True, encoder=DjangoJSONEncoder)

    objects = EntryQuerySet.as_manager()

    class Meta:
        verbose_name = _("entry")
        verbose_name_plural = _("entries")
        ordering = ["number", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["event", "number"],
                name="entry_number_once",
                violation_error_message=_("This number is taken."),
            ),
        ]

    def __str__(self) -> str:
        return self.told_name or " & ".join(player.shown_name for player in self.side)

    @property
    def told_name(self) -> str:
        """What the side calls itself, as whoever is looking may read it; empty for its players."""
        return unless_it_tells(self.everybody, self.name) if self.name else ""

    @property
    def everybody(self) -> list[Player]:
        """All who belong to it, the reserve as well."""
        if "entry_players" in getattr(self, "_prefetched_objects_cache", {}):
            return [row.player for row in self.entry_players.all()]
        return list(self.players.all())

    @property
    def side(self) -> list[Player]:
        """Those who play; without the reserve where its rows were read with the entry."""
        if "entry_players" not in getattr(self, "_prefetched_objects_cache", {}):
            if "players" in getattr(self, "_prefetched_objects_cache", {}):
                return list(self.players.all())
            return list(self.players.order_by("entry_players__pk"))
        rows = sorted(self.entry_players.all(), key=lambda row: row.pk)
        return [row.player for row in rows if not row.is_reserve]

    @property
    def is_present(self) -> bool:
        return self.state == self.State.PRESENT


class EntryPlayer(models.Model):
    """A player of an entry; nobody enters an evening twice."""

    event = models.ForeignKey(Event, models.CASCADE, related_name="+")
    entry = models.ForeignKey(Entry, models.CASCADE, related_name="entry_players")
    player = models.ForeignKey(Player, models.PROTECT, related_name="entry_players")
    is_captain = models.BooleanField(_("captain"), default=False)
    # Plays only when put in for another one of the entry.
    is_reserve = models.BooleanField(_("reserve"), default=False)

    class Meta:
        verbose_name = _("player of an entry")
        verbose_name_plural = _("players of entries")
        constraints = [
            models.UniqueConstraint(
                fields=["event", "player"],
                name="player_enters_once",
                violation_error_message=_("This player is already on the list."),
            ),
        ]

    def __str__(self) -> str:
        return str(self.player)


class ProhibitedPair(models.Model):
    """Two entries that are never put at one table."""

    event = models.ForeignKey(Event, models.CASCADE, related_name="prohibited_pairs")
    one = models.ForeignKey(Entry, models.CASCADE, related_name="+")
    other = models.ForeignKey(Entry, models.CASCADE, related_name="+")

    class Meta:
        verbose_name = _("prohibited pair")
        verbose_name_plural = _("prohibited pairs")
        constraints = [
            # The smaller key first, so that a pair is written one way only.
            models.CheckConstraint(
                condition=Q(one__lt=F("other")),
                name="pair_of_two",
                violation_error_message=_("A pair is two different players."),
            ),
            models.UniqueConstraint(
                fields=["one", "other"],
                name="pair_once",
                violation_error_message=_("This pair is already on the list."),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.one} / {self.other}"
