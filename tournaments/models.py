"""Who sits where and when: evenings and tournaments, entries, rounds, tables and seats."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from clubs.models import Club, Player, Publication, Season
from tournaments.querysets import EntryQuerySet, EventQuerySet, RoundQuerySet, TableQuerySet


class Event(models.Model):
    """An evening or a tournament of a club, in a season."""

    class Kind(models.TextChoices):
        CLUB_NIGHT = "club_night", _("Club night")
        TOURNAMENT = "tournament", _("Tournament")

    class Game(models.TextChoices):
        TAROT = "tarot", _("French tarot")

    class State(models.TextChoices):
        """Check-in, then rounds, then done; changed in ``actions`` only."""

        CHECK_IN = "check_in", _("check-in")
        RUNNING = "running", _("playing")
        CLOSED = "closed", _("closed")

    class Leftovers(models.TextChoices):
        """What happens when the players are not a multiple of four."""

        THREES = "threes", _("Tables of 3")
        FIVES = "fives", _("Tables of 5")
        FIVE_OF_FOUR = "five_of_four", _("Tables of 5, one sits out each deal")
        SIT_OUT = "sit_out", _("Some sit out the round")

    season = models.ForeignKey(
        Season, models.PROTECT, related_name="events", verbose_name=_("season")
    )
    kind = models.CharField(_("kind"), max_length=12, choices=Kind.choices, default=Kind.CLUB_NIGHT)
    game = models.CharField(_("game"), max_length=12, choices=Game.choices, default=Game.TAROT)
    title = models.CharField(_("title"), max_length=120, blank=True)
    place = models.CharField(_("place"), max_length=120, blank=True)
    starts_at = models.DateTimeField(_("when"))
    deals_per_round = models.PositiveSmallIntegerField(
        _("deals in a round"),
        default=5,
        validators=[MinValueValidator(1), MaxValueValidator(50)],
    )
    # How far a draw looks ahead; empty when nobody knows yet.
    rounds_planned = models.PositiveSmallIntegerField(
        _("rounds"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(50)],
    )
    leftovers = models.CharField(
        _("when not a multiple of 4"),
        max_length=12,
        choices=Leftovers.choices,
        default=Leftovers.THREES,
    )
    # A copy: old sheets go on validating when the club changes its house rules.
    ruleset = models.JSONField(_("rules"), default=dict, encoder=DjangoJSONEncoder)
    state = models.CharField(
        _("state"), max_length=12, choices=State.choices, default=State.CHECK_IN
    )
    publication = models.CharField(
        _("who sees the results"),
        max_length=8,
        choices=Publication.choices,
        default=Publication.CLUB,
    )
    # Grows with each change of who is present; a draw says which roster it was made from.
    roster_version = models.PositiveIntegerField(default=0, editable=False)
    standings_at = models.DateTimeField(null=True, blank=True, editable=False)
    closed_at = models.DateTimeField(null=True, blank=True, editable=False)
    entry_key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = EventQuerySet.as_manager()

    class Meta:
        verbose_name = _("evening")
        verbose_name_plural = _("evenings")
        ordering = ["-starts_at", "-pk"]
        indexes = [models.Index(fields=["season", "-starts_at"], name="event_of_season")]
        constraints = [
            models.CheckConstraint(
                condition=Q(deals_per_round__gte=1, deals_per_round__lte=50),
                name="event_deals_per_round",
                violation_error_message=_("A round has between 1 and 50 deals."),
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("event", args=[self.pk])

    @property
    def name(self) -> str:
        """The title, else what kind of evening it is."""
        return self.title or str(self.get_kind_display())

    @property
    def club(self) -> Club:
        return self.season.club

    @property
    def is_closed(self) -> bool:
        return self.state == self.State.CLOSED

    @property
    def is_public(self) -> bool:
        return self.publication == Publication.PUBLIC and self.club.is_public


class Entry(models.Model):
    """Who takes part: one player today; a pair or a team where the format has them."""

    class State(models.TextChoices):
        PRESENT = "present", _("present")
        AWAY = "away", _("away")

    event = models.ForeignKey(Event, models.CASCADE, related_name="entries")
    number = models.PositiveSmallIntegerField(_("number"))
    state = models.CharField(max_length=8, choices=State.choices, default=State.PRESENT)
    players = models.ManyToManyField(Player, through="EntryPlayer", related_name="entries")
    checked_in_at = models.DateTimeField(default=timezone.now)
    # Written down by the standings (scoring.tasks); points as on the sheets.
    points = models.IntegerField(default=0)
    deals_played = models.PositiveIntegerField(default=0)
    place = models.PositiveIntegerField(null=True)
    # The place before the latest round with a deal; nothing for somebody new.
    previous_place = models.PositiveIntegerField(null=True)
    # [{"round": 1, "table": 12, "number": 3, "points": -40, "deals": 5}], in playing order.
    round_points = models.JSONField(default=list, encoder=DjangoJSONEncoder)

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
        return " & ".join(p.name for p in self.players.all())

    @property
    def is_present(self) -> bool:
        return self.state == self.State.PRESENT


class EntryPlayer(models.Model):
    """A player of an entry; nobody enters an evening twice."""

    event = models.ForeignKey(Event, models.CASCADE, related_name="+")
    entry = models.ForeignKey(Entry, models.CASCADE, related_name="entry_players")
    player = models.ForeignKey(Player, models.PROTECT, related_name="entry_players")

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


class Round(models.Model):
    """One draw and the deals played from it (a position)."""

    class State(models.TextChoices):
        """A proposal until published; changed in ``actions`` only."""

        DRAWN = "drawn", _("proposal")
        PLAYING = "playing", _("playing")
        CLOSED = "closed", _("closed")

    event = models.ForeignKey(Event, models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField(_("number"))
    state = models.CharField(max_length=8, choices=State.choices, default=State.DRAWN)
    seed = models.PositiveBigIntegerField(_("number of the draw"))
    leftovers = models.CharField(max_length=12, choices=Event.Leftovers.choices)
    roster_version = models.PositiveIntegerField()
    # What the draw reached and what it could not: a list of {"code", "gaps"}.
    reasons = models.JSONField(default=list, encoder=DjangoJSONEncoder)
    drawn_at = models.DateTimeField(default=timezone.now)
    published_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)

    objects = RoundQuerySet.as_manager()

    class Meta:
        verbose_name = _("round")
        verbose_name_plural = _("rounds")
        ordering = ["number", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["event", "number"],
                name="round_number_once",
                violation_error_message=_("This round has already been drawn."),
            ),
            models.UniqueConstraint(
                fields=["event"],
                condition=~Q(state="closed"),
                name="one_round_at_a_time",
                violation_error_message=_("Close the running round first."),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.event} {self.number}"

    @property
    def is_proposal(self) -> bool:
        return self.state == self.State.DRAWN


class Table(models.Model):
    """A table in a round, with its sheet's progress."""

    class State(models.TextChoices):
        OPEN = "open", _("open")
        CLOSED = "closed", _("closed")

    SUITS = ("spade", "heart", "diamond", "club")

    round = models.ForeignKey(Round, models.CASCADE, related_name="tables")
    number = models.PositiveSmallIntegerField(_("number"))
    # 3, 4 or 5; a table of five with one sitting out each deal has 5 seats and plays by 4.
    players_per_deal = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=8, choices=State.choices, default=State.OPEN)
    deals_planned = models.PositiveSmallIntegerField()
    deals_recorded = models.PositiveSmallIntegerField(default=0)
    # Grows with each change of the sheet: pages and phones compare it.
    version = models.PositiveIntegerField(default=0)
    changed_at = models.DateTimeField(default=timezone.now)

    objects = TableQuerySet.as_manager()

    class Meta:
        verbose_name = _("table")
        verbose_name_plural = _("tables")
        ordering = ["number", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["round", "number"], name="table_number_once"),
            models.CheckConstraint(
                condition=Q(players_per_deal__in=(3, 4, 5)),
                name="table_players_per_deal",
                violation_error_message=_("Tarot is played by 3, 4 or 5."),
            ),
        ]

    def __str__(self) -> str:
        return pgettext_lazy("heading", "Table %(number)s") % {"number": self.number}

    def get_absolute_url(self) -> str:
        return reverse("sheet", args=[self.pk])

    @property
    def event(self) -> Event:
        return self.round.event

    @property
    def suit(self) -> str:
        """The suit that marks the table, as the corner of a card does."""
        return self.SUITS[(self.number - 1) % 4]

    @property
    def is_complete(self) -> bool:
        return self.deals_recorded >= self.deals_planned

    @property
    def is_open(self) -> bool:
        return self.state == self.State.OPEN and self.round.state == Round.State.PLAYING


class Seat(models.Model):
    """A player's seat at a table; places count from 1 in order of play, the first deals first."""

    LETTERS = (_("N"), _("E"), _("S"), _("W"))

    round = models.ForeignKey(Round, models.CASCADE, related_name="seats")
    table = models.ForeignKey(Table, models.CASCADE, related_name="seats")
    place = models.PositiveSmallIntegerField()
    entry = models.ForeignKey(Entry, models.PROTECT, related_name="seats")
    player = models.ForeignKey(Player, models.PROTECT, related_name="seats")
    # The bilan: the running total of the sheet and how many deals it holds.
    points = models.IntegerField(default=0)
    deals_played = models.PositiveSmallIntegerField(default=0)

    class Meta:
        verbose_name = _("seat")
        verbose_name_plural = _("seats")
        ordering = ["table", "place"]
        constraints = [
            models.UniqueConstraint(fields=["table", "place"], name="seat_place_once"),
            models.UniqueConstraint(
                fields=["round", "player"],
                name="player_sits_once_in_a_round",
                violation_error_message=_("This player already sits at a table of this round."),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table} {self.player}"

    @property
    def letter(self) -> str:
        """N, E, S or W; the fifth seat is called by its number."""
        return str(self.LETTERS[self.place - 1]) if self.place <= len(self.LETTERS) else "5"


class SitOut(models.Model):
    """An entry without a table in a round; remembered so that the next draw evens it out."""

    round = models.ForeignKey(Round, models.CASCADE, related_name="sit_outs")
    entry = models.ForeignKey(Entry, models.PROTECT, related_name="sit_outs")

    class Meta:
        verbose_name = _("sitting out")
        verbose_name_plural = _("sitting out")
        constraints = [
            models.UniqueConstraint(fields=["round", "entry"], name="entry_sits_out_once"),
        ]

    def __str__(self) -> str:
        return f"{self.round}: {self.entry}"


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

    event = models.ForeignKey(Event, models.CASCADE, related_name="journal")
    kind = models.CharField(max_length=16, choices=Kind.choices)
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    at = models.DateTimeField(default=timezone.now)
    details = models.JSONField(default=dict, encoder=DjangoJSONEncoder)

    class Meta:
        verbose_name = _("journal line")
        verbose_name_plural = _("journal")
        ordering = ["-at", "-pk"]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.get_kind_display()}"
