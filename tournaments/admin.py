"""The staff's window on evenings: everything can be found and read, nothing changed.

Results are changed by the actions only, which lock, check and write the journal.
"""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import Model, QuerySet
from django.http import HttpRequest

from tournaments.models import Entry, Event, JournalLine, Round, Seat, SitOut, Table


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
    inlines = (RoundInline, EntryInline)


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
