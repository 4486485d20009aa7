"""Rounds, their tables and who sits where."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from clubs.models import Player
from tournaments.models.entries import Entry
from tournaments.models.events import Event, Placement, Stage
from tournaments.querysets import RoundQuerySet, TableQuerySet


class Round(models.Model):
    """One draw and the deals played from it (a position)."""

    class State(models.TextChoices):
        """A proposal until published; changed in ``actions`` only."""

        DRAWN = "drawn", _("proposal")
        PLAYING = "playing", _("playing")
        CLOSED = "closed", _("closed")

    event = models.ForeignKey(Event, models.CASCADE, related_name="rounds")
    stage = models.ForeignKey(
        Stage, models.PROTECT, null=True, blank=True, related_name="rounds", verbose_name=_("stage")
    )
    placement = models.CharField(max_length=16, choices=Placement.choices, default=Placement.DRAWN)
    number = models.PositiveSmallIntegerField(_("number"))
    state = models.CharField(max_length=8, choices=State.choices, default=State.DRAWN)
    seed = models.PositiveBigIntegerField(_("number of the draw"))
    leftovers = models.CharField(max_length=12, choices=Event.Leftovers.choices)
    roster_version = models.PositiveIntegerField()
    # What the draw reached and what it could not: a list of {"code", "gaps"}.
    reasons = models.JSONField(default=list, encoder=DjangoJSONEncoder)
    # The starting places that a movement or a grid goes on with (tournaments.placing).
    chart = models.JSONField(null=True, blank=True, encoder=DjangoJSONEncoder, editable=False)
    drawn_at = models.DateTimeField(default=timezone.now)
    published_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)

    # The clock: how long, running since, stopped at, and the end of regulation time once called.
    minutes = models.PositiveSmallIntegerField(null=True, blank=True)
    clock_started_at = models.DateTimeField(null=True, blank=True)
    clock_paused_at = models.DateTimeField(null=True, blank=True)
    seconds_paused = models.PositiveIntegerField(default=0)
    time_called_at = models.DateTimeField(null=True, blank=True)
    # Nothing is written on its sheets while the director looks at them.
    frozen_at = models.DateTimeField(null=True, blank=True)
    frozen_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )

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
    # Tarot: 3, 4 or 5; a table of five with one sitting out each deal has 5 seats and plays by 4.
    # Truco: 2, 4 or 6; the seats of the two sides take turns.
    players_per_deal = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=8, choices=State.choices, default=State.OPEN)
    deals_planned = models.PositiveSmallIntegerField()
    deals_recorded = models.PositiveSmallIntegerField(default=0)
    # Grows with each change of the sheet: pages and phones compare it.
    version = models.PositiveIntegerField(default=0)
    changed_at = models.DateTimeField(default=timezone.now)
    extra_minutes = models.PositiveSmallIntegerField(default=0)
    # The sheet is complete and the players agree with it (the paraphe).
    signed_at = models.DateTimeField(null=True, blank=True)
    signed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    # Players who say that something on the sheet is wrong, not yet looked at; written by scoring.
    objections = models.PositiveSmallIntegerField(default=0, editable=False)
    # Rows to which those have not agreed yet whom the event asks; written by scoring.
    unconfirmed = models.PositiveSmallIntegerField(default=0, editable=False)
    # When a player last agreed with something on the sheet or objected to it.
    heard_at = models.DateTimeField(null=True, blank=True, editable=False)
    # Of games that are won: how many at most, to how many points, and since when it is decided.
    best_of = models.PositiveSmallIntegerField(_("best of"), null=True, blank=True)
    target = models.PositiveSmallIntegerField(_("points of a game"), null=True, blank=True)
    decided_at = models.DateTimeField(null=True, blank=True)
    # The place that deals first; empty: the first.
    first_dealer = models.PositiveSmallIntegerField(null=True, blank=True)
    # The director writes here now; the phones of the table only look on.
    taken_over_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    taken_over_at = models.DateTimeField(null=True, blank=True)

    objects = TableQuerySet.as_manager()

    class Meta:
        verbose_name = _("table")
        verbose_name_plural = _("tables")
        ordering = ["number", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["round", "number"], name="table_number_once"),
            models.CheckConstraint(
                condition=Q(players_per_deal__in=(2, 3, 4, 5, 6)),
                name="table_players_per_deal",
                violation_error_message=_("A table is played by 2 to 6."),
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
        if self.best_of is not None:
            return self.decided_at is not None
        return self.deals_recorded >= self.deals_planned

    @property
    def rows_waiting(self) -> int:
        """How many rows wait for somebody to agree; on a signed sheet none does."""
        return self.unconfirmed if self.signed_at is None else 0

    @property
    def is_open(self) -> bool:
        return self.state == self.State.OPEN and self.round.state == Round.State.PLAYING

    @property
    def sides(self) -> list[TableSide]:
        """The two sides that meet; none where each plays for himself."""
        if self.best_of is None:
            return []
        seats = sorted(self.seats.all(), key=lambda seat: seat.place)
        return [
            TableSide(letter=letter, seats=[seat for seat in seats if seat.side == letter])
            for letter in Seat.SIDES
        ]


@dataclass(frozen=True, kw_only=True)
class TableSide:
    """Who plays together at a table; its games and points stand at each of its seats."""

    letter: str
    seats: list[Seat]

    @property
    def first(self) -> Seat | None:
        """The seat that is read for the side; none at a table without players."""
        return next(iter(self.seats), None)


class Seat(models.Model):
    """A player's seat at a table; places count from 1 in order of play, the first deals first."""

    class Outcome(models.TextChoices):
        WON = "won", _("won")
        LOST = "lost", _("lost")
        DRAWN = "drawn", _("drawn")

    LETTERS = (_("N"), _("E"), _("S"), _("W"))
    #: Of games that are won: the seats of the two sides take turns.
    SIDES = ("A", "B")

    round = models.ForeignKey(Round, models.CASCADE, related_name="seats")
    table = models.ForeignKey(Table, models.CASCADE, related_name="seats")
    place = models.PositiveSmallIntegerField()
    entry = models.ForeignKey(Entry, models.PROTECT, related_name="seats")
    player = models.ForeignKey(Player, models.PROTECT, related_name="seats")
    # The bilan: the running total of the sheet and how many deals it holds.
    points = models.IntegerField(default=0)
    deals_played = models.PositiveSmallIntegerField(default=0)
    # Of games that are won: the other side's points, games won and lost, how the table ended.
    points_against = models.PositiveIntegerField(default=0)
    games_won = models.PositiveSmallIntegerField(default=0)
    games_lost = models.PositiveSmallIntegerField(default=0)
    outcome = models.CharField(max_length=5, choices=Outcome.choices, blank=True)

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
    def side(self) -> str:
        """The side of a seat where two sides meet."""
        return self.SIDES[(self.place - 1) % len(self.SIDES)]

    @property
    def letter(self) -> str:
        """N, E, S or W, and beyond them a number; where two sides meet, A1, B1, A2, B2 …"""
        if self.table.best_of is not None:
            return f"{self.side}{(self.place + 1) // len(self.SIDES)}"
        return (
            str(self.LETTERS[self.place - 1])
            if self.place <= len(self.LETTERS)
            else str(self.place)
        )


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
