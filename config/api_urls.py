"""The addresses of the API, version 1."""

from __future__ import annotations

from django.urls import include, path
from drf_spectacular.views import SpectacularAPIView
from rest_framework.routers import SimpleRouter

from clubs.api import ClubViewSet, OwnTokenView, SeasonViewSet, TokenView
from config.api_docs import docs
from scoring.api import LeaderboardView, ResultsView, StandingsView, TableViewSet, rows_view
from scoring.games import every_game
from tournaments.api import EventViewSet, RoundViewSet

app_name = "api"

router = SimpleRouter(use_regex_path=False)
router.register("clubs", ClubViewSet, basename="club")
router.register("seasons", SeasonViewSet, basename="season")
router.register("events", EventViewSet, basename="event")
router.register("rounds", RoundViewSet, basename="round")
router.register("tables", TableViewSet, basename="table")
for game in every_game():
    router.register(game.api.address, rows_view(game), basename=game.api.name.replace(" ", "-"))

urlpatterns = [
    path("token/", TokenView.as_view(), name="token"),
    path("token/own/", OwnTokenView.as_view(), name="own-token"),
    path("events/<int:pk>/standings/", StandingsView.as_view(), name="event-standings"),
    path("events/<int:pk>/results/", ResultsView.as_view(), name="event-results"),
    path("seasons/<int:pk>/leaderboard/", LeaderboardView.as_view(), name="season-leaderboard"),
    path("schema/", SpectacularAPIView.as_view(), name="schema"),
    path("docs/", docs, name="docs"),
    path("", include(router.urls)),
]
