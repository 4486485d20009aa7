"""For staff: find and look; what happens in a club happens on its pages, through the actions."""

from __future__ import annotations

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.db import models
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from clubs.forms.accounts import StaffSignInForm
from clubs.models import Club, Invitation, Membership, PastMembership, Player, Season, User

admin.site.login_form = StaffSignInForm


class ReadOnlyAdmin(admin.ModelAdmin):
    """Shows rows and changes none."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False


@admin.register(User)
class AccountAdmin(UserAdmin):
    """Accounts: whether they may sign in, who is staff."""

    ordering = ("email",)
    list_display = ("email", "name", "language", "is_active", "is_staff", "date_joined")
    list_filter = ("is_active", "is_staff", "language")
    search_fields = ("email", "name")
    readonly_fields = ("last_login", "date_joined")
    fieldsets = (
        (None, {"fields": ("email", "name", "language", "password")}),
        (_("Permissions"), {"fields": ("is_active", "is_staff", "is_superuser", "groups")}),
        (_("Important dates"), {"fields": ("last_login", "date_joined")}),
    )
    add_fieldsets = (
        (None, {"classes": ("wide",), "fields": ("email", "name", "password1", "password2")}),
    )
    filter_horizontal = ("groups",)

    def has_delete_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        """An account is switched off, not deleted: journals go on naming it."""
        return False


@admin.register(Club)
class ClubAdmin(ReadOnlyAdmin):
    list_display = ("name", "town", "slug", "language", "publication", "created_at")
    list_filter = ("publication", "language")
    search_fields = ("name", "town", "slug")
    ordering = ("name", "pk")


@admin.register(Season)
class SeasonAdmin(ReadOnlyAdmin):
    list_display = ("name", "club", "starts_on", "ends_on", "publication")
    list_filter = ("publication",)
    list_select_related = ("club",)
    search_fields = ("name", "club__name")
    ordering = ("-starts_on", "-pk")


@admin.register(Player)
class PlayerAdmin(ReadOnlyAdmin):
    list_display = ("name", "club", "membership", "account", "archived_at")
    # The membership's name shows its player: without that each row asks for it again.
    list_select_related = ("club", "membership__player", "account")
    search_fields = ("name", "sort_name", "club__name", "account__email")
    ordering = ("sort_name", "pk")


@admin.register(Membership)
class MembershipAdmin(ReadOnlyAdmin):
    list_display = ("player", "club", "role", "licence_number", "joined_on", "left_on")
    list_filter = ("role",)
    list_select_related = ("player__club",)
    search_fields = ("player__name", "player__sort_name", "licence_number", "player__club__name")
    ordering = ("player__sort_name", "pk")

    @admin.display(description=_("club"))
    def club(self, membership: Membership) -> Club:
        return membership.player.club


@admin.register(PastMembership)
class PastMembershipAdmin(ReadOnlyAdmin):
    list_display = ("player", "joined_on", "left_on")
    list_select_related = ("player",)
    search_fields = ("player__name", "player__sort_name", "player__club__name")
    ordering = ("player__sort_name", "joined_on", "pk")


@admin.register(Invitation)
class InvitationAdmin(ReadOnlyAdmin):
    """Without the key: who reads it could accept in somebody's place."""

    list_display = ("player", "email", "created_at", "expires_at", "accepted_at")
    list_select_related = ("player",)
    search_fields = ("player__name", "email")
    exclude = ("key",)
    ordering = ("-created_at", "-pk")
