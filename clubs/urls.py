"""Addresses of the site, of accounts, clubs, players and seasons."""

from __future__ import annotations

from django.contrib.auth.views import LoginView, LogoutView
from django.urls import path

from clubs.views import accounts, pages

urlpatterns = [
    path("", pages.home, name="home"),
    path("help/", pages.show_help, name="help"),
    path("privacy/", pages.privacy, name="privacy"),
    path("preferences/", pages.preferences, name="preferences"),
    path(
        "sign-in/",
        LoginView.as_view(template_name="accounts/sign_in.html"),
        name="sign-in",
    ),
    path("sign-out/", LogoutView.as_view(), name="sign-out"),
    path("account/", accounts.account, name="account"),
]
