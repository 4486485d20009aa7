"""Evenings and tournaments of a club, and the stages of a tournament."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubs.models import Club, Publication, Season
from tournaments.querysets import CancelledEventQuerySet, EventQuerySet


class Event(models.Model):
    """An evening or a tournament of a club, in a season."""

    class Kind(models.TextChoices):
        CLUB_NIGHT = "club_night", _("Club night")
        TOURNAMENT = "tournament", _("Tournament")

    class Game(models.TextChoices):
        TAROT = "tarot", _("French tarot")
        TRUCO = "truco", _("Truco")

    class Entrants(models.TextChoices):
        """Who enters: players alone, or pairs and trios that stay together."""

        PLAYERS = "players", _("Players")
        PAIRS = "pairs", _("Pairs")
        TRIOS = "trios", _("Trios")

    class Confirmation(models.TextChoices):
        """Who has to agree with what one player entered."""

        NOBODY = "nobody", _("Nobody")
        OTHER_SEAT = "other_seat", _("One other player")
        OTHER_SIDE = "other_side", _("One player of the other side")
        ALL_SEATS = "all_seats", _("All players of the table")

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

    class MissedRounds(models.TextChoices):
        """What somebody who came late or left early gets for a round without him."""

        NOTHING = "nothing", _("Nothing")
        AVERAGE = "average", _("The average of the rounds played")
        FIXED = "fixed", _("So many points")

    season = models.ForeignKey(
        Season, models.PROTECT, related_name="events", verbose_name=_("season")
    )
    kind = models.CharField(_("kind"), max_length=12, choices=Kind.choices, default=Kind.CLUB_NIGHT)
    game = models.CharField(_("game"), max_length=12, choices=Game.choices, default=Game.TAROT)
    entrants = models.CharField(
        _("who enters"), max_length=8, choices=Entrants.choices, default=Entrants.PLAYERS
    )
    confirmation = models.CharField(
        _("who confirms an entry"),
        max_length=10,
        choices=Confirmation.choices,
        default=Confirmation.NOBODY,
    )
    # Of games that are won: how many games a table plays for, and to how many points.
    best_of = models.PositiveSmallIntegerField(_("best of"), null=True, blank=True)
    target = models.PositiveSmallIntegerField(_("points of a game"), null=True, blank=True)
    # {"win": 3, "loss": 1, …}: what a meeting gives (tournaments.fixtures); empty for tarot.
    meeting_points = models.JSONField(
        _("points of a meeting"), default=dict, blank=True, encoder=DjangoJSONEncoder
    )
    # tournaments.fixtures.CapRule: what ends a meeting whose time is over; empty: the table agrees.
    cap_rule = models.CharField(_("when the time is over"), max_length=32, blank=True)
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
    # By which preset of tournaments.formats it was planned; empty for a club night.
    format = models.CharField(max_length=40, blank=True, editable=False)
    # Whoever enters beyond these goes on the waiting list.
    most_entries = models.PositiveSmallIntegerField(
        _("places"), null=True, blank=True, validators=[MinValueValidator(3)]
    )
    missed_rounds = models.CharField(
        _("what a missed round counts"),
        max_length=8,
        choices=MissedRounds.choices,
        default=MissedRounds.NOTHING,
    )
    missed_points = models.IntegerField(_("points of a missed round"), default=0)
    # Codes of tournaments.tiebreaks, one after the other; empty: equal points share a place.
    tie_breaks = models.JSONField(_("when points are equal"), default=list, blank=True)
    # How long the results stay provisional after the end.
    provisional_hours = models.PositiveSmallIntegerField(
        _("hours until the results are final"), default=48, validators=[MaxValueValidator(720)]
    )
    # What the director says to the hall; on the wall until he takes it away.
    wall_note = models.CharField(_("on the wall"), max_length=160, blank=True)
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
    # Its results came as a list: there are no sheets from which to count them again.
    imported_at = models.DateTimeField(null=True, blank=True, editable=False)
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
    def is_tournament(self) -> bool:
        return self.kind == self.Kind.TOURNAMENT

    @property
    def asks_to_confirm(self) -> bool:
        """Has anybody to agree with what one player enters?"""
        return self.confirmation != self.Confirmation.NOBODY

    @property
    def side_size(self) -> int:
        """How many play together."""
        return {"pairs": 2, "trios": 3}.get(self.entrants, 1)

    @property
    def enters_sides(self) -> bool:
        """Do pairs or trios enter, instead of players?"""
        return self.side_size > 1

    @property
    def meets_in_fixtures(self) -> bool:
        """Is it a tournament in which two sides meet, and one of them wins?"""
        return self.is_tournament and self.game == self.Game.TRUCO

    @property
    def is_imported(self) -> bool:
        return self.imported_at is not None

    @property
    def deals_in_a_round(self) -> int | None:
        """How many deals a round has; nothing where games are won, nor of a list: it has none."""
        plays_deals = self.best_of is None and not self.meets_in_fixtures
        return self.deals_per_round if plays_deals and not self.is_imported else None

    @property
    def has_begun_sheets(self) -> bool:
        """Does a line stand on any of its sheets, whether or not it counts already?"""
        return self.rounds.filter(tables__deals_recorded__gt=0).exists()

    @property
    def is_public(self) -> bool:
        return self.publication == Publication.PUBLIC and self.club.is_public


class CancelledEvent(models.Model):
    """An evening that was announced and does not take place: its plan is gone, its date is told."""

    # The key that the evening had: its address, and what calendars know it by.
    number = models.BigIntegerField(unique=True, editable=False)
    club = models.ForeignKey(Club, models.CASCADE, related_name="cancelled_events")
    kind = models.CharField(_("kind"), max_length=12, choices=Event.Kind.choices)
    title = models.CharField(_("title"), max_length=120, blank=True)
    place = models.CharField(_("place"), max_length=120, blank=True)
    starts_at = models.DateTimeField(_("when"))
    publication = models.CharField(max_length=8, choices=Publication.choices)
    # How often its plan was changed, the end of it included.
    changes = models.PositiveIntegerField(default=1)
    cancelled_at = models.DateTimeField(_("cancelled on"), default=timezone.now)

    objects = CancelledEventQuerySet.as_manager()

    class Meta:
        verbose_name = _("cancelled evening")
        verbose_name_plural = _("cancelled evenings")
        ordering = ["starts_at", "pk"]

    def __str__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        """The title, else what kind of evening it was."""
        return self.title or str(self.get_kind_display())


class Placement(models.TextChoices):
    """How a round places its players (OT p.12)."""

    DRAWN = "drawn", _("Drawn")
    FFT = "fft_movement", _("The federation’s movement")
    HOWELL = "howell", _("Howell grid")
    BEST_WITH_BEST = "best_with_best", _("Best with best")
    FINAL = "final", _("Seeds of a final")


#: What stages are called that nobody gave a name of his own; a name is stored as ":" and its key.
STAGE_NAMES: Mapping[str, Any] = {
    "groups": _("Group stage"),
    "knockout": _("Knockout"),
    "double": _("Double elimination"),
    "swiss": _("Swiss system"),
    "side_knockout": _("Knockout with a second chance"),
    "final": _("Final"),
}


def stage_name(stored: str) -> str:
    """Say the name of a stage in the reader's language: ":groups 2" is its second group stage."""
    key, _space, number = stored.removeprefix(":").partition(" ")
    if not stored.startswith(":") or key not in STAGE_NAMES:
        return stored
    name = str(STAGE_NAMES[key])
    return gettext("%(stage)s %(number)s") % {"stage": name, "number": number} if number else name


def stored_stage_name(typed: str, before: str = "") -> str:
    """Give the name as it is stored: one of the usual names is told in every language."""
    if before and typed == stage_name(before):
        return before
    return next((f":{key}" for key, name in STAGE_NAMES.items() if typed == str(name)), typed)


class Stage(models.Model):
    """A part of a tournament played by one plan; a club night has none."""

    class Kind(models.TextChoices):
        """Rounds of deals, or fixtures of two entrants."""

        DEALS = "deals", _("Rounds of deals")
        GROUPS = "groups", _("Groups")
        KNOCKOUT = "knockout", _("Knockout")
        DOUBLE = "double", _("Double elimination")
        SWISS = "swiss", _("Swiss system")
        SIDE = "side_knockout", _("Second chance")

    event = models.ForeignKey(Event, models.CASCADE, related_name="stages")
    number = models.PositiveSmallIntegerField(_("number"))
    kind = models.CharField(_("kind"), max_length=16, choices=Kind.choices, default=Kind.DEALS)
    # Of a stage of fixtures: tournaments.fixtures.StageSettings, and its draw once made.
    settings = models.JSONField(default=dict, blank=True, encoder=DjangoJSONEncoder)
    seed = models.PositiveBigIntegerField(_("number of the draw"), null=True, blank=True)
    drawn_at = models.DateTimeField(null=True, blank=True, editable=False)
    # What the draw could not satisfy: a list of {"code", "gaps"}.
    reasons = models.JSONField(default=list, blank=True, encoder=DjangoJSONEncoder)
    # Who of the stage before goes where (tournaments.fixtures); empty: the usual map.
    slots = models.JSONField(default=dict, blank=True, encoder=DjangoJSONEncoder)
    # {"place:A:1": 12}: who had come out of the stage before when this one was drawn; kept once
    # it has begun, whoever leaves afterwards.
    came = models.JSONField(default=dict, blank=True, encoder=DjangoJSONEncoder)
    # Lines of its groups or the places of its bracket, best first, as last counted.
    standings = models.JSONField(default=list, blank=True, encoder=DjangoJSONEncoder)
    # What decided between equals besides its fixtures: a list of {"section", "won": [[entry,
    # games]], "seed"}; with a seed lots were drawn instead of an extra game.
    extra_games = models.JSONField(default=list, blank=True, encoder=DjangoJSONEncoder)
    name = models.CharField(_("name"), max_length=60, blank=True)
    rounds_planned = models.PositiveSmallIntegerField(
        _("rounds"), validators=[MinValueValidator(1), MaxValueValidator(50)]
    )
    # Either a number of deals or a time; timed rounds play as many deals as fit.
    deals_per_round = models.PositiveSmallIntegerField(_("deals in a round"), null=True, blank=True)
    minutes_per_round = models.PositiveSmallIntegerField(
        _("minutes of a round"), null=True, blank=True
    )
    placement = models.CharField(
        _("how the players are placed"),
        max_length=16,
        choices=Placement.choices,
        default=Placement.DRAWN,
    )
    # How single positions are placed where they differ: {"6": "best_with_best"}.
    placements = models.JSONField(default=dict, blank=True)
    # The best of the stage before; empty: everybody.
    qualifiers = models.PositiveSmallIntegerField(_("how many qualify"), null=True, blank=True)
    # What the points made before are multiplied with ("abattre"): 1/1 all of them, 0/1 none.
    carried_numerator = models.PositiveSmallIntegerField(default=1)
    carried_denominator = models.PositiveSmallIntegerField(
        default=1, validators=[MinValueValidator(1)]
    )
    session = models.PositiveSmallIntegerField(_("session"), default=1)

    class Meta:
        verbose_name = _("stage")
        verbose_name_plural = _("stages")
        ordering = ["number", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["event", "number"], name="stage_number_once"),
            models.CheckConstraint(
                condition=Q(deals_per_round__isnull=False, minutes_per_round__isnull=True)
                | Q(deals_per_round__isnull=True, minutes_per_round__isnull=False)
                | ~Q(kind="deals"),
                name="stage_by_deals_or_by_time",
                violation_error_message=_("A round is so many deals long, or so many minutes."),
            ),
            models.CheckConstraint(
                condition=Q(carried_denominator__gte=1),
                name="stage_carried_is_a_fraction",
                violation_error_message=_("Nothing is divided by zero."),
            ),
        ]

    def __str__(self) -> str:
        return self.shown_name or gettext("Stage %(number)s") % {"number": self.number}

    @property
    def shown_name(self) -> str:
        """The name in the reader's language; empty where nobody gave one."""
        return stage_name(self.name)

    @property
    def has_fixtures(self) -> bool:
        """Do two entrants meet, instead of players at tables?"""
        return self.kind != self.Kind.DEALS

    def placement_at(self, position: int) -> str:
        """How a position of the stage, from 1, is placed: as its own choice, else the stage's."""
        return str(self.placements.get(str(position), self.placement))

    @property
    def carried(self) -> Fraction:
        """What the points made before are multiplied with."""
        return Fraction(self.carried_numerator, self.carried_denominator)
