"""Which evenings, rounds, tables and entries: reads worded in the director's terms."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Self

from django.db import models
from django.db.models import Count, Q

from clubs.models import Club, Player, Publication, Season
from clubs.querysets import Visitor

if TYPE_CHECKING:
    from tournaments.models import (  # noqa: F401 - named as text
        CancelledEvent,
        Entry,
        Event,
        RefereeCall,
        Round,
        Ruling,
        Table,
    )


AN_EVENING = timedelta(hours=12)


def as_entered(path: str = "players") -> models.Prefetch[str, models.QuerySet[Player], str]:
    """Read the players of entries in the order in which they entered, not that of the alphabet."""
    return models.Prefetch(path, Player.objects.order_by("entry_players__pk"))


class EventQuerySet(models.QuerySet["Event"]):
    """Evenings of a club."""

    def locked(self) -> Self:
        """For one who changes the evening: others wait until he is done."""
        # Rows that point to the evening may be written meanwhile, hence no_key.
        return self.select_related("season__club").select_for_update(of=("self",), no_key=True)

    def upcoming(self, at: datetime) -> Self:
        """Those to come and those under way."""
        return self.filter(Q(state="running") | Q(state="check_in", starts_at__gte=at - AN_EVENING))

    def past(self, at: datetime) -> Self:
        """Those that are over, and those that nobody opened."""
        return self.exclude(
            Q(state="running") | Q(state="check_in", starts_at__gte=at - AN_EVENING)
        )

    def for_list(self) -> Self:
        """With how many have come, as the list of evenings shows it."""
        return self.select_related("season__club").annotate(
            present=Count("entries", filter=Q(entries__state="present")),
            taking_part=Count("entries", filter=Q(entries__deals_played__gt=0)),
        )

    def of_club(self, club: Club) -> Self:
        return self.filter(season__club=club)

    def of_season(self, season: Season) -> Self:
        return self.filter(season=season)

    def published(self) -> Self:
        """Those that the world may see."""
        return self.filter(
            publication=Publication.PUBLIC, season__club__publication=Publication.PUBLIC
        )

    def of_clubs_of(self, visitor: Visitor) -> Self:
        """Those of the clubs in which the visitor has a running membership."""
        return self.filter(season__club__in=Club.objects.of(visitor).values("pk"))

    def visible_to(self, visitor: Visitor) -> Self:
        """Published evenings of public clubs, and all of the visitor's own clubs."""
        if not visitor.is_authenticated:
            return self.published()
        return self.published() | self.of_clubs_of(visitor)

    def closed(self) -> Self:
        """Those whose results count for the season."""
        return self.filter(state="closed")

    def latest_first(self) -> Self:
        return self.order_by("-starts_at", "-pk")

    def soonest_first(self) -> Self:
        return self.order_by("starts_at", "pk")


class CancelledEventQuerySet(models.QuerySet["CancelledEvent"]):
    """Evenings that do not take place."""

    def of_club(self, club: Club) -> Self:
        return self.filter(club=club)

    def upcoming(self, at: datetime) -> Self:
        """Those whose day is still to come."""
        return self.filter(starts_at__gte=at - AN_EVENING)

    def published(self) -> Self:
        """Those that the world was told of."""
        return self.filter(publication=Publication.PUBLIC, club__publication=Publication.PUBLIC)

    def of_clubs_of(self, visitor: Visitor) -> Self:
        """Those of the clubs in which the visitor has a running membership."""
        return self.filter(club__in=Club.objects.of(visitor).values("pk"))

    def visible_to(self, visitor: Visitor) -> Self:
        """Those that the world was told of, and all of the visitor's own clubs."""
        return self.published() | self.of_clubs_of(visitor)

    def soonest_first(self) -> Self:
        return self.order_by("starts_at", "pk")


class EntryQuerySet(models.QuerySet["Entry"]):
    """Who takes part."""

    def present(self) -> Self:
        return self.filter(state="present")

    def played(self) -> Self:
        """Those who sat at a table in a round that was published."""
        return self.filter(deals_played__gt=0)

    def not_played(self) -> Self:
        """Those for whom nothing counts, and on whose sheets nothing stands."""
        begun = models.Q(seats__table__deals_recorded__gt=0)
        return self.filter(deals_played=0).exclude(begun)

    def by_place(self) -> Self:
        """First the ranked, in their order; then those who have not played."""
        return self.order_by(models.F("place").asc(nulls_last=True), "number", "pk")

    def by_number(self) -> Self:
        return self.order_by("number", "pk")

    def for_desk(self) -> Self:
        """With the names, the team and who was replaced, as the desk shows them."""
        return (
            self.with_teams()
            .select_related("replaces")
            .prefetch_related(as_entered(), as_entered("replaces__players"))
        )

    def with_teams(self) -> Self:
        """With their teams, and whoever plays in those: a name of a team may tell one of them."""
        return self.select_related("team").prefetch_related("team__entries__players")

    def with_sides(self) -> Self:
        """With who plays in each, reserves told apart, as fixtures name them."""
        return self.prefetch_related("entry_players__player")

    def for_standings(self) -> Self:
        """In their order, with the names."""
        return self.by_place().prefetch_related(as_entered())


class RoundQuerySet(models.QuerySet["Round"]):
    """Rounds of an evening."""

    def in_order(self) -> Self:
        return self.order_by("number", "pk")

    def published(self) -> Self:
        return self.exclude(state="drawn")

    def proposed(self) -> Self:
        return self.filter(state="drawn")

    def playing(self) -> Self:
        return self.filter(state="playing")


class TableQuerySet(models.QuerySet["Table"]):
    """Tables of a round."""

    def in_order(self) -> Self:
        return self.order_by("number", "pk")

    def locked(self) -> Self:
        """For one who changes the tables: scorers wait; always in the same order."""
        return self.order_by("pk").select_for_update(of=("self",), no_key=True)

    def with_rows_waiting(self) -> Self:
        """Those with rows that wait for somebody to agree (``Table.rows_waiting``)."""
        return self.filter(unconfirmed__gt=0, signed_at=None)


class RefereeCallQuerySet(models.QuerySet["RefereeCall"]):
    """Calls for the referee."""

    def waiting(self) -> Self:
        """Those that nobody has settled."""
        return self.filter(answered_at=None)

    def of_event(self, event: Event) -> Self:
        return self.filter(table__round__event=event)

    def for_list(self) -> Self:
        """With who called from where, the longest waiting first."""
        people = ("called_by", "going_by", "phone__link", "phone__player", "going_phone__link")
        return self.select_related("table__round", *people).order_by("called_at", "pk")


class RulingQuerySet(models.QuerySet["Ruling"]):
    """Rulings of an evening."""

    def standing(self) -> Self:
        """Those that nobody has withdrawn."""
        return self.filter(withdrawn_at=None)

    def penalties(self) -> Self:
        """Those that take points."""
        return self.filter(kind="penalty")

    def of_fault(self, entry: Entry, fault: str) -> Self:
        """What was ruled on this fault of this entry."""
        return self.filter(entry=entry, fault=fault)

    def for_ledger(self) -> Self:
        """With everything that a line of the ledger shows, the latest first."""
        people = ("ruled_by", "withdrawn_by", "phone__link", "withdrawn_phone__link")
        return (
            self.select_related("table", "round", *people)
            .prefetch_related(as_entered("entry__players"))
            .order_by("-ruled_at", "-pk")
        )
