"""Addresses of the site, of accounts, clubs, players and seasons."""

from __future__ import annotations

from django.contrib.auth.views import LogoutView
from django.urls import path

from clubs.views import accounts, clubs, invitations, pages, players

urlpatterns = [
    path("", pages.home, name="home"),
    path("help/", pages.show_help, name="help"),
    path("privacy/", pages.show_privacy, name="privacy"),
    path("preferences/", pages.preferences, name="preferences"),
    path("preferences/choose/", pages.choose_preferences, name="choose-preferences"),
    # Accounts
    path("sign-in/", accounts.sign_in, name="sign-in"),
    path("sign-out/", LogoutView.as_view(), name="sign-out"),
    path("sign-up/", accounts.sign_up, name="sign-up"),
    path("account/", accounts.account, name="account"),
    path("account/calendar/", accounts.renew_calendar, name="renew-calendar"),
    path("password/change/", accounts.ChangePassword.as_view(), name="password-change"),
    path("password/reset/", accounts.ResetPassword.as_view(), name="password-reset"),
    path("password/reset/sent/", accounts.ResetPasswordDone.as_view(), name="password-reset-done"),
    path(
        "password/reset/<str:uidb64>/<str:token>/",
        accounts.ChooseNewPassword.as_view(),
        name="password-reset-confirm",
    ),
    path("invitations/<str:key>/", invitations.invitation, name="invitation"),
    # Clubs
    path("clubs/<slug:slug>/settings/", clubs.club_settings, name="club-settings"),
    path("clubs/<slug:slug>/seasons/", clubs.seasons, name="seasons"),
    path("clubs/<slug:slug>/seasons/new/", clubs.add_season, name="add-season"),
    path("seasons/<int:pk>/edit/", clubs.edit_season, name="edit-season"),
    path("seasons/<int:pk>/delete/", clubs.delete_season, name="delete-season"),
    # People
    path("clubs/<slug:slug>/players/", players.players, name="players"),
    path("clubs/<slug:slug>/players/new/", players.add_player, name="add-player"),
    path("players/<int:pk>/edit/", players.edit_player, name="edit-player"),
    path("players/<int:pk>/name/", players.player_name, name="player-name"),
    path("players/<int:pk>/member/", players.make_member, name="make-member"),
    path("players/<int:pk>/guest/", players.make_guest, name="make-guest"),
    path("players/<int:pk>/role/", players.change_role, name="change-role"),
    path("players/<int:pk>/away/", players.put_player_away, name="put-player-away"),
    path("players/<int:pk>/back/", players.take_player_back, name="take-player-back"),
    path("players/<int:pk>/invite/", invitations.invite_player, name="invite-player"),
]
