"""For staff: find a deal or a line and look at it; results change through the actions alone."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from clubs.admin import ReadOnlyAdmin
from scoring.models import (
    Confirmation,
    Mark,
    PaperJob,
    Ranking,
    RankingRow,
    SheetEvent,
    StaleRanking,
    StaleStandings,
    TarotDeal,
    TrucoLine,
)


class MarkInline(admin.TabularInline):
    """What the deal gives each seat."""

    model = Mark
    fields = ("seat", "points")
    extra = 0
    can_delete = False

    def has_add_permission(self, request: object, obj: object = None) -> bool:
        return False

    def has_change_permission(self, request: object, obj: object = None) -> bool:
        return False


@admin.register(TarotDeal)
class TarotDealAdmin(ReadOnlyAdmin):
    list_display = (
        "id", "table", "number", "state", "taker", "contract", "bouts", "half_points", "is_made",
        "margin", "author", "recorded_at",
    )  # fmt: skip
    list_filter = ("state", "contract")
    list_select_related = ("table", "taker__table", "taker__player", "author")
    search_fields = (
        "taker__player__name", "table__round__event__title",
        "table__round__event__season__club__name",
    )  # fmt: skip
    date_hierarchy = "recorded_at"
    ordering = ("-recorded_at", "-pk")
    inlines = (MarkInline,)


@admin.register(TrucoLine)
class TrucoLineAdmin(ReadOnlyAdmin):
    list_display = (
        "id", "table", "number", "kind", "state", "winner", "points", "ending", "author",
        "recorded_at",
    )  # fmt: skip
    list_filter = ("state", "kind", "ending")
    list_select_related = ("table", "author")
    search_fields = ("table__round__event__title", "table__round__event__season__club__name")
    date_hierarchy = "recorded_at"
    ordering = ("-recorded_at", "-pk")


@admin.register(Confirmation)
class ConfirmationAdmin(ReadOnlyAdmin):
    list_display = ("at", "table", "seat", "answer", "note", "given_by")
    list_filter = ("answer",)
    list_select_related = ("table", "seat__table", "seat__player", "given_by")
    search_fields = ("note", "seat__player__name", "table__round__event__title")
    ordering = ("-at", "-pk")


@admin.register(PaperJob)
class PaperJobAdmin(ReadOnlyAdmin):
    """What was printed; the file itself is fetched on the event's page."""

    list_display = ("asked_at", "event", "state", "pieces_done", "pieces_total", "made_by")
    list_filter = ("state",)
    list_select_related = ("event", "made_by")
    ordering = ("-asked_at", "-pk")
    exclude = ("file",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[PaperJob]:
        return super().get_queryset(request).defer("file")


@admin.register(SheetEvent)
class SheetEventAdmin(ReadOnlyAdmin):
    list_display = ("at", "table", "kind", "actor")
    list_filter = ("kind",)
    list_select_related = ("table", "actor")
    search_fields = ("actor__email", "table__round__event__season__club__name")
    ordering = ("-at", "-pk")


@admin.register(Ranking)
class RankingAdmin(ReadOnlyAdmin):
    list_display = ("season", "club", "evenings", "computed_at")
    list_select_related = ("season__club",)
    search_fields = ("season__name", "season__club__name")
    ordering = ("-computed_at", "-pk")

    @admin.display(ordering="season__club__name")
    def club(self, ranking: Ranking) -> str:
        return ranking.season.club.name


@admin.register(RankingRow)
class RankingRowAdmin(ReadOnlyAdmin):
    list_display = ("place", "player", "ranking", "points", "evenings", "deals_played")
    list_select_related = ("player", "ranking__season")
    search_fields = ("player__name", "player__sort_name", "ranking__season__club__name")
    ordering = ("ranking", "place", "pk")


@admin.register(StaleStandings, StaleRanking)
class StaleAdmin(ReadOnlyAdmin):
    """What still waits to be counted: rows that stay here tell of a worker that is away."""

    list_display = ("id", "marked_at")
    ordering = ("-marked_at", "-pk")
