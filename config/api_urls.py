"""The addresses of the API, version 1."""

from __future__ import annotations

from django.urls import include, path
from drf_spectacular.views import SpectacularAPIView
from rest_framework.routers import SimpleRouter

from clubs.api import ClubViewSet, OwnTokenView, SeasonViewSet, TokenView
from config.api_docs import docs
from scoring.api import (
    EntriesView,
    LeaderboardView,
    ResultsView,
    StandingsView,
    TableViewSet,
    rows_view,
)
from scoring.api_fixtures import FixturesView, FixtureViewSet, StagesView
from scoring.api_rankings import RankingLinesView, SeasonRankingsView, WhyView
from scoring.api_referee import (
    CallsView,
    CallViewSet,
    FaultsView,
    RulingsView,
    RulingViewSet,
    TableCallView,
)
from scoring.games import every_game
from tournaments.api import EventViewSet, RoundViewSet
from tournaments.api_clock import ClockView, ExtraMinutesView

app_name = "api"

router = SimpleRouter(use_regex_path=False)
router.register("clubs", ClubViewSet, basename="club")
router.register("seasons", SeasonViewSet, basename="season")
router.register("events", EventViewSet, basename="event")
router.register("rounds", RoundViewSet, basename="round")
router.register("tables", TableViewSet, basename="table")
router.register("rulings", RulingViewSet, basename="ruling")
router.register("calls", CallViewSet, basename="call")
router.register("fixtures", FixtureViewSet, basename="fixture")
for game in every_game():
    router.register(game.api.address, rows_view(game), basename=game.api.name.replace(" ", "-"))

urlpatterns = [
    path("token/", TokenView.as_view(), name="token"),
    path("token/own/", OwnTokenView.as_view(), name="own-token"),
    path("events/<int:pk>/standings/", StandingsView.as_view(), name="event-standings"),
    path("events/<int:pk>/results/", ResultsView.as_view(), name="event-results"),
    path("events/<int:pk>/entries/", EntriesView.as_view(), name="event-entries"),
    path("events/<int:pk>/rulings/", RulingsView.as_view(), name="event-rulings"),
    path("events/<int:pk>/calls/", CallsView.as_view(), name="event-calls"),
    path("events/<int:pk>/stages/", StagesView.as_view(), name="event-stages"),
    path("events/<int:pk>/fixtures/", FixturesView.as_view(), name="event-fixtures"),
    path("rounds/<int:pk>/clock/", ClockView.as_view(), name="round-clock"),
    path("tables/<int:pk>/call/", TableCallView.as_view(), name="table-call"),
    path("tables/<int:pk>/extra-minutes/", ExtraMinutesView.as_view(), name="table-extra-minutes"),
    path("faults/", FaultsView.as_view(), name="faults"),
    path("seasons/<int:pk>/leaderboard/", LeaderboardView.as_view(), name="season-leaderboard"),
    path("seasons/<int:pk>/rankings/", SeasonRankingsView.as_view(), name="season-rankings"),
    path("rankings/<int:pk>/lines/", RankingLinesView.as_view(), name="ranking-lines"),
    path("ranking-lines/<int:pk>/", WhyView.as_view(), name="ranking-line"),
    path("schema/", SpectacularAPIView.as_view(), name="schema"),
    path("docs/", docs, name="docs"),
    path("", include(router.urls)),
]
