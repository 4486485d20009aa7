"""The club's page to the world: next evenings, latest results, the top of the season."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.http import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from clubs.models import Club, Role
from clubs.permissions import VisitorRequest
from scoring import freshness
from scoring.http import revalidated
from scoring.models import Ranking, RankingRow
from scoring.views.leaderboards import season_shown, shown_evenings
from scoring.views.lines import RankLine, rank_lines
from scoring.visibility import get_club_with_role, shown_ranking, visible_seasons
from tournaments.models import Entry, Event

EVENINGS_SHOWN = 4
RESULTS_SHOWN = 3
PLACES_SHOWN = 3
TOP = 10


@require_safe
def show_club(request: VisitorRequest, slug: str) -> HttpResponseBase:
    """What the club shows: to the world what it has published, to its members everything."""
    club, role = get_club_with_role(request.user, slug)
    context = _club_context(request, club, role, at=timezone.now())
    version = (
        role, club.name, club.town, club.about,
        [(e.pk, e.name, e.place, e.starts_at, e.state, e.present) for e in context["evenings"]],
        [(r["event"].pk, r["event"].name, [(e.pk, str(e), e.points) for e in r["best"]])
         for r in context["results"]],
        context["season"] and context["season"].name, context["fresh"],
        [(line.row.pk, line.row.player.shown_name, line.score, line.curve)
         for line in context["lines"]],
    )  # fmt: skip
    ranking = context["ranking"]
    return revalidated(
        request,
        version=version,
        club=club,
        modified=ranking.computed_at if ranking else None,
        make=lambda: render(request, "scoring/club.html", context),
    )


def _club_context(
    request: VisitorRequest, club: Club, role: Role | None, *, at: datetime
) -> dict[str, Any]:
    visible = Event.objects.of_club(club).visible_to(request.user)
    evenings = list(visible.upcoming(at).for_list().soonest_first()[:EVENINGS_SHOWN])
    season = season_shown(visible_seasons(club, role), on=timezone.localdate(at))
    ranking = shown_ranking(season) if season else None
    return {
        "club": club,
        "nav": "club",
        "role": role,
        "directs": role is not None and role.may_act_as(Role.DIRECTOR),
        "evenings": evenings,
        "next_evening": evenings[0] if evenings else None,
        "later": evenings[1:],
        "results": _results(list(visible.closed().latest_first()[:RESULTS_SHOWN])),
        "season": season,
        "ranking": ranking,
        "fresh": freshness.of_season(season, ranking) if season else None,
        "lines": _top(request, ranking, role),
    }


def best_of(events: Sequence[Event]) -> dict[int, list[Entry]]:
    """Give the first places of each evening, those who share one too."""
    best: dict[int, list[Entry]] = defaultdict(list)
    for entry in Entry.objects.filter(event__in=events, place__lte=PLACES_SHOWN).for_standings():
        best[entry.event_id].append(entry)
    return best


def _results(events: Sequence[Event]) -> list[dict[str, Any]]:
    best = best_of(events)
    # Many may share a place: the page shows three names, the evening's own page all.
    return [{"event": event, "best": best[event.pk][:PLACES_SHOWN]} for event in events]


def _top(request: VisitorRequest, ranking: Ranking | None, role: Role | None) -> list[RankLine]:
    if ranking is None:
        return []
    rows = RankingRow.objects.filter(ranking=ranking).for_leaderboard()[:TOP]
    shown = shown_evenings(ranking.season, role)
    return rank_lines(rows, request.user, shown=shown, decimals=ranking.decimals)
