"""The staff's window on evenings: everything can be found and read, nothing changed.

Results are changed by the actions only, which lock, check and write the journal.
"""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import Model, QuerySet
from django.http import HttpRequest

from tournaments.models import (
    CancelledEvent,
    Entry,
    Event,
    Fixture,
    JoinLink,
    JournalLine,
    Phone,
    ProhibitedPair,
    RefereeCall,
    ResultVersion,
    Round,
    Ruling,
    Seat,
    SitOut,
    Stage,
    Table,
    Team,
)


class ReadOnly:
    """Nobody adds, changes or deletes here."""

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


class EntryInline(ReadOnly, admin.TabularInline):
    model = Entry
    fields = ("number", "__str__", "state", "points", "deals_played", "place")
    readonly_fields = ("__str__",)
    show_change_link = True

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).prefetch_related("players")


class RoundInline(ReadOnly, admin.TabularInline):
    model = Round
    fields = ("number", "state", "seed", "leftovers", "drawn_at", "published_at", "closed_at")
    show_change_link = True


class StageInline(ReadOnly, admin.TabularInline):
    model = Stage
    fields = ("number", "kind", "name", "rounds_planned", "placement", "seed")
    show_change_link = True


class SeatInline(ReadOnly, admin.TabularInline):
    model = Seat
    fields = ("place", "player", "points", "deals_played")


class TableInline(ReadOnly, admin.TabularInline):
    model = Table
    fields = ("number", "state", "players_per_deal", "deals_recorded", "deals_planned", "version")
    show_change_link = True


class SitOutInline(ReadOnly, admin.TabularInline):
    model = SitOut


@admin.register(Event)
class EventAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("name", "club", "starts_at", "state", "publication")
    list_filter = ("state", "kind", "publication")
    search_fields = ("title", "place", "season__club__name", "entries__players__name")
    date_hierarchy = "starts_at"
    list_select_related = ("season__club",)
    inlines = (StageInline, RoundInline, EntryInline)


@admin.register(CancelledEvent)
class CancelledEventAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("name", "club", "starts_at", "cancelled_at")
    search_fields = ("title", "place", "club__name")
    date_hierarchy = "starts_at"
    list_select_related = ("club",)


@admin.register(Round)
class RoundAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("event", "number", "state", "seed", "published_at", "closed_at")
    list_filter = ("state",)
    search_fields = ("=seed", "event__title", "event__season__club__name")
    list_select_related = ("event",)
    inlines = (TableInline, SitOutInline)


@admin.register(Table)
class TableAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("__str__", "round", "state", "deals_recorded", "deals_planned", "changed_at")
    list_filter = ("state", "players_per_deal")
    search_fields = ("seats__player__name", "round__event__title")
    list_select_related = ("round__event",)
    inlines = (SeatInline,)


@admin.register(Entry)
class EntryAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("__str__", "event", "number", "state", "points", "deals_played", "place")
    list_filter = ("state",)
    search_fields = ("players__name", "event__title", "event__season__club__name")
    list_select_related = ("event",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).prefetch_related("players")


@admin.register(JournalLine)
class JournalLineAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("at", "event", "kind", "actor")
    list_filter = ("kind",)
    search_fields = ("event__title", "event__season__club__name", "actor__email")
    date_hierarchy = "at"
    list_select_related = ("event", "actor")


@admin.register(Stage)
class StageAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("event", "number", "kind", "name", "seed", "drawn_at")
    list_filter = ("kind",)
    search_fields = ("name", "=seed", "event__title", "event__season__club__name")
    list_select_related = ("event",)


@admin.register(Fixture)
class FixtureAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("code", "stage", "round", "home", "away", "state", "ending", "winner")
    list_filter = ("state", "ending")
    search_fields = ("=code", "stage__event__title", "home__players__name", "away__players__name")
    list_select_related = ("stage__event", "home", "away")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).prefetch_related("home__players", "away__players")


@admin.register(Team)
class TeamAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("name", "event")
    search_fields = ("name", "event__title", "entries__players__name")
    list_select_related = ("event",)


@admin.register(ProhibitedPair)
class ProhibitedPairAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("event", "one", "other")
    search_fields = ("one__players__name", "other__players__name", "event__title")
    list_select_related = ("event", "one", "other")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).prefetch_related("one__players", "other__players")


@admin.register(RefereeCall)
class RefereeCallAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("called_at", "table", "reason", "is_problem", "going_by", "answered_at")
    list_filter = ("is_problem",)
    search_fields = ("reason", "table__round__event__title")
    list_select_related = ("table", "going_by")


@admin.register(Ruling)
class RulingAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("ruled_at", "event", "entry", "kind", "fault", "points", "withdrawn_at")
    list_filter = ("kind", "outcome")
    search_fields = ("fault", "note", "event__title", "entry__players__name")
    date_hierarchy = "ruled_at"
    list_select_related = ("event", "entry")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).prefetch_related("entry__players")


@admin.register(ResultVersion)
class ResultVersionAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("event", "number", "state", "made_at")
    list_filter = ("state",)
    search_fields = ("event__title", "event__season__club__name")
    list_select_related = ("event",)


@admin.register(JoinLink)
class JoinLinkAdmin(ReadOnly, admin.ModelAdmin):
    """Whom a link lets in and how long; what is in its address is shown to nobody."""

    list_display = ("event", "role", "table_number", "made_at", "expires_at", "revoked_at")
    list_filter = ("role",)
    search_fields = ("event__title", "event__season__club__name")
    list_select_related = ("event",)


@admin.register(Phone)
class PhoneAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("name", "event", "player", "joined_at", "seen_at", "removed_at")
    search_fields = ("name", "player__name", "event__title")
    date_hierarchy = "joined_at"
    list_select_related = ("event", "player", "link__event")
