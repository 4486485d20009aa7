"""What the world reads of a club besides its page: the records of a season, and what to share."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.contrib.auth.decorators import login_required
from django.db.models import Max
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from clubs.models import Player, Publication, Role, Season
from clubs.permissions import MemberRequest, VisitorRequest, get_club, role_in
from scoring import figures
from scoring.forms import RankingForm
from scoring.freshness import Freshness, of_season
from scoring.http import revalidated
from scoring.models import Ranking
from scoring.views.embeds import height_of
from scoring.views.leaderboards import season_shown
from scoring.views.limits import slowed_down
from scoring.visibility import get_club_with_role, visible_seasons
from tournaments.models import Event
from tournaments.querysets import EventQuerySet


@require_safe
@slowed_down
def show_records(request: VisitorRequest, slug: str) -> HttpResponseBase:
    """The records of a season: to the world from published evenings only."""
    club, role = get_club_with_role(request.user, slug)
    seasons = visible_seasons(club, role)
    form = RankingForm(request.GET, seasons=seasons)
    asked = form.cleaned_data.get("season") if form.is_valid() else None
    season = asked or season_shown(seasons, on=timezone.localdate())
    events = closed_events(season, role) if season else Event.objects.none()
    state = figures.state_of(season, events) if season else ()
    fresh = _age(season, events) if season else None
    return revalidated(
        request,
        club=club,
        version=(role, club.name, state, fresh, [(s.pk, s.name) for s in seasons]),
        modified=None,
        make=lambda: render(
            request,
            "scoring/records.html",
            {
                "club": club,
                "nav": "ranking",
                "role": role,
                "seasons": seasons,
                "season": season,
                "fresh": fresh,
                "records": _records(season, events, state) if season else {},
            },
        ),
    )


def _age(season: Season, events: EventQuerySet) -> Freshness:
    """Say since when the evenings stand as they are told, and whether one is being counted."""
    counted_at = events.aggregate(last=Max("standings_at"))["last"]
    return replace(of_season(season, None), counted_at=counted_at)


def closed_events(season: Season, role: Role | None) -> EventQuerySet:
    """The closed evenings of a season that somebody with this role may see."""
    events = Event.objects.of_season(season).closed()
    return events if role is not None else events.filter(publication=Publication.PUBLIC)


def _records(
    season: Season, events: EventQuerySet, state: tuple[object, ...]
) -> dict[str, dict[str, Any]]:
    boards = figures.records_of(season, events, state=state)
    every = [record for board in boards.values() for record in board.records]
    players = Player.objects.in_bulk([record.player for record in every])
    evenings = Event.objects.in_bulk([record.event for record in every if record.event])
    return {
        name: {
            "lines": [
                {
                    "player": players[record.player],
                    "value": record.value,
                    "of": record.of,
                    "event": evenings.get(record.event or 0),
                    "contract": record.words,
                }
                for record in board.records
                # What was kept may name somebody who is no longer there.
                if record.player in players
            ],
            "more": board.more,
        }
        for name, board in boards.items()
    }


@login_required
@require_safe
def share_club(request: MemberRequest, slug: str) -> HttpResponse:
    """What members hand on: feed, calendar, downloads, and the ranking for another site."""
    club = get_club(request.user, slug, at_least=Role.MEMBER)
    rankings = (
        Ranking.objects.filter(season__club=club)
        .exclude(state=Ranking.State.DRAFT)
        .select_related("season")
        .order_by("-season__starts_on", "order", "pk")[:10]
    )
    context = {
        "club": club,
        "nav": "club",
        "role": role_in(request.user, club),
        "rankings": [(ranking, height_of(ranking)) for ranking in rankings],
    }
    return render(request, "scoring/share.html", context)
