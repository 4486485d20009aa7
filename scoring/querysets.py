"""Which deals and ranking rows: reads worded in the scorer's terms."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, Self

from django.apps import apps
from django.db import models

from clubs.models import Club, Player
from clubs.names import fold_name


class SheetRowQuerySet(models.QuerySet[Any]):
    """Rows of a sheet, whatever the game."""

    #: What a line of the sheet shows of this game besides who wrote the row.
    shown: tuple[str, ...] = ()

    def standing(self) -> Self:
        """Those that count: not corrected since, not void."""
        return self.filter(state="standing")

    def in_play_order(self) -> Self:
        return self.order_by("number", "recorded_at", "pk")

    def for_sheet(self) -> Self:
        """With everything that a line of the sheet shows; hidden queries are refused."""
        return (
            self.select_related("author", "phone__player", "voided_by", *self.shown)
            .in_play_order()
            .fetch_mode(models.FETCH_RAISE)
        )


class TarotDealQuerySet(SheetRowQuerySet):
    """Deals of a sheet."""

    def for_sheet(self) -> Self:
        """With everything that a line of the sheet shows, and the marks."""
        # In the order of their own columns: the usual one joins deals, seats and tables for it.
        marks = apps.get_model("scoring", "Mark").objects.order_by("deal_id", "seat_id")
        return super().for_sheet().prefetch_related(models.Prefetch("marks", marks))


class TrucoLineQuerySet(SheetRowQuerySet):
    """Lines of a truco sheet."""

    shown = ("ruling",)


class MarkQuerySet(models.QuerySet[Any]):
    """Points that deals give to seats."""

    def standing(self) -> Self:
        """Those of deals that count."""
        return self.filter(deal__state="standing")

    def of_event(self, event_id: int) -> Self:
        # By the deals, which are asked for what counts: by the seats, a database that has not yet
        # measured its tables compares each deal of a new hall with each mark.
        return self.filter(deal__table__round__event=event_id)

    def of_player(self, player: Player) -> Self:
        return self.filter(seat__player=player)

    def in_events(self, events: models.QuerySet[Any]) -> Self:
        return self.filter(seat__round__event__in=events)

    def by_sheet(self) -> Any:
        """For each entry and sheet its points and deals, as ``standings.SheetTotal`` names them."""
        return (
            self.order_by()
            .values(
                entry=models.F("seat__entry"),
                round=models.F("seat__round__number"),
                table=models.F("seat__table"),
                number=models.F("seat__table__number"),
            )
            .annotate(points=models.Sum("points"), deals=models.Count("pk"))
        )


class RankingRowQuerySet(models.QuerySet[Any]):
    """Lines of a ranking."""

    def by_place(self) -> Self:
        """The best first; whoever has not played enough for a place comes last."""
        return self.order_by(models.F("place").asc(nulls_last=True), "player__sort_name", "pk")

    def called(self, words: str, *, by_the_world: bool = False) -> Self:
        """Those whose name holds every one of the words, accents and case aside.

        The world finds nobody by a name that it may not read.
        """
        asked = fold_name(words).split()
        if not asked:
            return self
        found = models.Q()
        for word in asked:
            found &= models.Q(player__sort_name__contains=word)
        if by_the_world:
            found &= models.Q(player__shown_as="full")
            found |= models.Q(player__in=self._told_otherwise(asked))
        return self.filter(found)

    def _told_otherwise(self, asked: list[str]) -> list[int]:
        """Give those whose pseudonym, or first name and initial, holds every one of the words."""
        few = Player.objects.filter(
            ranking_rows__in=self.order_by(), shown_as__in=("initial", "pseudonym")
        )
        told = {player.pk: fold_name(player.public_name) for player in few}
        return [key for key, name in told.items() if all(word in name for word in asked)]

    def for_leaderboard(self) -> Self:
        """With the names that the ranking shows; hidden queries are refused."""
        return self.select_related("player__membership").by_place().fetch_mode(models.FETCH_RAISE)


class PlayerResultQuerySet(models.QuerySet[Any]):
    """What evenings gave players."""

    def of_season(self, season_id: int) -> Self:
        return self.filter(event__season=season_id)

    def in_time(self) -> Self:
        """The oldest evening first."""
        return self.order_by("event__starts_at", "event_id", "player_id")


class CountingJobQuerySet(models.QuerySet[Any]):
    """Rebuilds and audits of rankings."""

    def unfinished(self) -> Self:
        return self.filter(state__in=("waiting", "running"))

    def for_club(self, club: Club) -> Self:
        """Those that count the club's seasons: its own, and those of all clubs since it began."""
        of_all = models.Q(club=None, asked_at__gte=club.created_at)
        return self.filter(models.Q(club=club) | of_all)

    def forgotten(self, at: datetime) -> Self:
        """Those whose message was lost or whose worker was killed."""
        lost = models.Q(state="waiting", asked_at__lt=at - FORGOTTEN_AFTER)
        killed = models.Q(state="running", seen_at__lt=at - KILLED_AFTER)
        return self.filter(lost | killed).order_by("pk")

    def old(self, at: datetime) -> Self:
        """Those that nobody asks about any more."""
        return self.filter(asked_at__lt=at - JOBS_KEPT_FOR)


FORGOTTEN_AFTER = timedelta(minutes=3)
KILLED_AFTER = timedelta(minutes=20)
KEPT_FOR = timedelta(days=1)
JOBS_KEPT_FOR = timedelta(days=60)


class PaperJobQuerySet(models.QuerySet[Any]):
    """Files for the printer."""

    def unfinished(self) -> Self:
        return self.filter(state__in=("waiting", "making"))

    def forgotten(self, at: datetime) -> Self:
        """Those whose message was lost or whose worker was killed."""
        lost = models.Q(state="waiting", asked_at__lt=at - FORGOTTEN_AFTER)
        killed = models.Q(state="making", asked_at__lt=at - KILLED_AFTER)
        return self.filter(lost | killed).order_by("pk")

    def old(self, at: datetime) -> Self:
        """Those that nobody fetches any more."""
        return self.filter(asked_at__lt=at - KEPT_FOR)


class ConfirmationQuerySet(models.QuerySet[Any]):
    """What the players of a table said about its sheet."""

    def of_the_sheet(self) -> Self:
        """Signatures under the whole sheet."""
        return self.filter(deal=None, truco_line=None, answer="agrees")

    def with_speakers(self) -> Self:
        """With whoever said it."""
        return self.select_related("given_by", "phone__player")

    def agreeing(self) -> Self:
        return self.filter(answer="agrees")

    def objections_ever(self) -> Self:
        """What somebody said is wrong, settled or not."""
        return self.filter(answer="objects")

    def objections(self) -> Self:
        """What somebody says is wrong and nobody has settled."""
        return self.filter(answer="objects", settled_at=None)


class ResultsImportQuerySet(models.QuerySet[Any]):
    """Lists of past results."""

    def without_rows(self) -> Self:
        """For a list of them: the cells stay where they are."""
        return self.defer("rows", "roles", "people")

    def locked(self) -> Self:
        """For one who imports or takes back: a second press waits and finds it done."""
        return self.select_related("club").select_for_update(of=("self",), no_key=True)
