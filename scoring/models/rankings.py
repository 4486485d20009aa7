"""Rankings of seasons: how each counts, what evenings gave, and the lines as written down."""

from __future__ import annotations

from decimal import Decimal

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from clubs.models import Club, Player, Season
from scoring.querysets import CountingJobQuerySet, PlayerResultQuerySet, RankingRowQuerySet
from tournaments.models import Entry, Event


class Ranking(models.Model):
    """One way of ranking a season; a season may have several, of tarot and of truco apart."""

    class Method(models.TextChoices):
        """What a place goes by (``scoring.rankings.methods``)."""

        TOTAL = "total", _("Total of the points")
        AVERAGE = "average", _("Average points per deal")
        PLACES = "places", _("Points for places")
        WINS = "wins", _("Points for wins")
        RATING = "rating", _("Rating")

    class State(models.TextChoices):
        """A draft is seen by directors only."""

        DRAFT = "draft", _("draft")
        PROVISIONAL = "provisional", _("provisional")
        FINAL = "final", _("final")

    season = models.ForeignKey(Season, models.CASCADE, related_name="rankings")
    # Empty: called by its method.
    name = models.CharField(_("name"), max_length=60, blank=True)
    game = models.CharField(
        _("game"), max_length=12, choices=Event.Game.choices, default=Event.Game.TAROT
    )
    method = models.CharField(
        _("what counts"), max_length=10, choices=Method.choices, default=Method.TOTAL
    )
    # scoring.rankings.methods.Settings: filters, how many evenings count, scale, tie-breaks.
    settings = models.JSONField(default=dict, blank=True, encoder=DjangoJSONEncoder)
    order = models.PositiveSmallIntegerField(_("order"), default=0)
    state = models.CharField(
        _("state"), max_length=12, choices=State.choices, default=State.PROVISIONAL
    )
    # Grows with each change of how it counts; a line says from which version it was made.
    version = models.PositiveIntegerField(default=1, editable=False)
    entry_key = models.UUIDField(null=True, blank=True, unique=True, editable=False)
    computed_at = models.DateTimeField(null=True, blank=True, editable=False)
    evenings = models.PositiveIntegerField(default=0)
    last_event = models.ForeignKey(
        Event, models.SET_NULL, null=True, blank=True, editable=False, related_name="+"
    )
    # Why it could not be counted, since when and how often in a row; others go on meanwhile.
    failure = models.CharField(max_length=200, blank=True)
    failed_at = models.DateTimeField(null=True, blank=True, editable=False)
    failures = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name = _("ranking")
        verbose_name_plural = _("rankings")
        ordering = ["order", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["season", "name"],
                condition=~Q(name=""),
                name="ranking_name_once_in_the_season",
                violation_error_message=_("The season already has a ranking of this name."),
            ),
        ]

    def __str__(self) -> str:
        return self.name or str(self.Method(self.method).label)

    @property
    def decimals(self) -> int:
        """How many decimals the score of a line has."""
        return 2 if self.method in {self.Method.AVERAGE, self.Method.RATING} else 0

    @property
    def score_name(self) -> str:
        """What the score of a line is called."""
        names = {self.Method.AVERAGE: _("Per deal"), self.Method.RATING: _("Rating")}
        return str(names.get(self.Method(self.method), _("Points")))

    @property
    def is_draft(self) -> bool:
        return self.state == self.State.DRAFT

    @staticmethod
    def shown(score: int, decimals: int) -> Decimal | int:
        """Give a score, stored in units of the last decimal, as people read it."""
        return Decimal(score).scaleb(-decimals) if decimals else score


class PlayerResult(models.Model):
    """What one closed evening gave one player: the facts that all rankings count from."""

    event = models.ForeignKey(Event, models.CASCADE, related_name="player_results")
    player = models.ForeignKey(Player, models.CASCADE, related_name="results")
    entry = models.ForeignKey(Entry, models.CASCADE, related_name="+")
    # As the standings of the evening say: points with rulings, the place among so many entries.
    points = models.IntegerField()
    ruled_points = models.IntegerField()
    deals = models.PositiveIntegerField()
    place = models.PositiveIntegerField(null=True)
    entries = models.PositiveIntegerField()
    series = models.CharField(max_length=20, blank=True)
    is_member = models.BooleanField()
    # From the sheets, by how many played a deal.
    points_at_3 = models.IntegerField(default=0)
    deals_at_3 = models.PositiveIntegerField(default=0)
    points_at_4 = models.IntegerField(default=0)
    deals_at_4 = models.PositiveIntegerField(default=0)
    points_at_5 = models.IntegerField(default=0)
    deals_at_5 = models.PositiveIntegerField(default=0)
    # Of games that are won.
    wins = models.PositiveIntegerField(default=0)
    losses = models.PositiveIntegerField(default=0)
    games_won = models.PositiveIntegerField(default=0)
    games_lost = models.PositiveIntegerField(default=0)
    points_for = models.PositiveIntegerField(default=0)
    points_against = models.PositiveIntegerField(default=0)

    objects = PlayerResultQuerySet.as_manager()

    class Meta:
        verbose_name = _("result of a player")
        verbose_name_plural = _("results of players")
        constraints = [
            models.UniqueConstraint(fields=["event", "player"], name="player_result_once"),
        ]

    def __str__(self) -> str:
        return f"{self.event}: {self.player} {self.points:+d}"


class RankingRow(models.Model):
    """A player's line of a ranking, with all that explains it."""

    ranking = models.ForeignKey(Ranking, models.CASCADE, related_name="rows")
    player = models.ForeignKey(Player, models.CASCADE, related_name="ranking_rows")
    # Nothing for somebody who has not played enough yet.
    place = models.PositiveIntegerField(null=True)
    # The place before the last evening; nothing for somebody new.
    previous_place = models.PositiveIntegerField(null=True)
    # What the evenings that count add up to, in whole points, with what comes on top.
    points = models.IntegerField()
    # What the place goes by, in units of the ranking's last decimal.
    score = models.BigIntegerField(default=0)
    # The score and the tie-breaks, and those before the last evening, as texts that sort.
    rank_key = models.CharField(max_length=200, blank=True)
    before_key = models.CharField(max_length=200, blank=True)
    evenings = models.PositiveIntegerField()
    evenings_counted = models.PositiveIntegerField(default=0)
    deals_played = models.PositiveIntegerField()
    # [{"event": 7, "points": -40, "deals": 25, "adds": -40, "counts": true}] of each evening
    # played, oldest first; a place and the number of entries, wins and losses where they count.
    history = models.JSONField(default=list)
    # What comes on top of the evenings: [{"code": "attendance", "value": 10}].
    extras = models.JSONField(default=list)
    # [{"code": "best_evening", "value": 120}], all that the ranking declares, in their order.
    tie_breaks = models.JSONField(default=list)
    # The fingerprint of all that the line was made from.
    made_from = models.CharField(max_length=32, blank=True)
    changed_at = models.DateTimeField(default=timezone.now)
    # {"cause": "standings", "event": 7, "score": [12, -40], "rank_key": …}: what moved it last.
    last_change = models.JSONField(default=dict)

    objects = RankingRowQuerySet.as_manager()

    class Meta:
        verbose_name = _("line of a ranking")
        verbose_name_plural = _("lines of rankings")
        constraints = [
            models.UniqueConstraint(fields=["ranking", "player"], name="player_ranked_once"),
        ]
        indexes = [models.Index(fields=["ranking", "place"], name="ranking_by_place")]

    def __str__(self) -> str:
        return f"{self.place or '–'}. {self.player}"

    @property
    def is_ranked(self) -> bool:
        return self.place is not None

    def shown_score(self, decimals: int) -> Decimal | int:
        """What the place goes by, as people read it."""
        return Ranking.shown(self.score, decimals)


class RatingStep(models.Model):
    """A player’s rating before and after one evening, in millionths."""

    ranking = models.ForeignKey(Ranking, models.CASCADE, related_name="rating_steps")
    event = models.ForeignKey(Event, models.CASCADE, related_name="+")
    player = models.ForeignKey(Player, models.CASCADE, related_name="rating_steps")
    mu_before = models.BigIntegerField()
    sigma_before = models.BigIntegerField()
    mu = models.BigIntegerField()
    sigma = models.BigIntegerField()

    class Meta:
        verbose_name = _("step of a rating")
        verbose_name_plural = _("steps of ratings")
        constraints = [
            models.UniqueConstraint(
                fields=["ranking", "event", "player"], name="rated_once_an_evening"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.ranking} {self.event}: {self.player}"


class CountingJob(models.Model):
    """A rebuild or an audit of rankings, and how far it is."""

    class Kind(models.TextChoices):
        REBUILD = "rebuild", _("rebuild")
        AUDIT = "audit", _("audit")

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        RUNNING = "running", _("running")
        DONE = "done", _("done")
        FAILED = "failed", _("failed")

    kind = models.CharField(max_length=8, choices=Kind.choices)
    # Empty: all clubs.
    club = models.ForeignKey(
        Club, models.CASCADE, null=True, blank=True, related_name="counting_jobs"
    )
    state = models.CharField(max_length=8, choices=State.choices, default=State.WAITING)
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    asked_at = models.DateTimeField(default=timezone.now)
    started_at = models.DateTimeField(null=True)
    seen_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)
    evenings_done = models.PositiveIntegerField(default=0)
    evenings_total = models.PositiveIntegerField(default=0)
    # What was found to differ, or could not be counted; the first of them, and how many.
    findings = models.JSONField(default=list)
    findings_count = models.PositiveIntegerField(default=0)

    objects = CountingJobQuerySet.as_manager()

    class Meta:
        verbose_name = _("rebuild or audit")
        verbose_name_plural = _("rebuilds and audits")
        ordering = ["-asked_at", "-pk"]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.asked_at:%Y-%m-%d %H:%M}"

    @property
    def is_running(self) -> bool:
        return self.state in {self.State.WAITING, self.State.RUNNING}

    @property
    def percent(self) -> int:
        """How much is done, of a hundred."""
        if self.state == self.State.DONE:
            return 100
        return 100 * self.evenings_done // self.evenings_total if self.evenings_total else 0
