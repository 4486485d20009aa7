"""Tonight's standings, on a phone and on the wall, and the ranking of a season."""

from __future__ import annotations

from datetime import date
from math import ceil
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import Case, F, IntegerField, Q, QuerySet, Sum, Value, When
from django.db.models.functions import Least
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from clubs import actions as club_actions
from clubs import onlookers
from clubs.models import Publication, Role, Season
from clubs.permissions import MemberRequest, VisitorRequest, require_role
from scoring import freshness, why
from scoring.forms import PublicationForm, RankingForm
from scoring.forms.director import ScreenForm
from scoring.http import revalidated
from scoring.live import state_of_standings
from scoring.models import Ranking, RankingRow
from scoring.views.evenings import said_of
from scoring.views.lines import evening_rights, rank_lines, standing_lines, standings_page
from scoring.views.screens import At, Part, screen_at
from scoring.visibility import (
    get_club_with_role,
    get_event_with_role,
    get_ranking_with_role,
    visible_seasons,
)
from tournaments.live import answered_when_unchanged
from tournaments.models import Entry, Event, Round

ROWS_ON_A_PAGE = 100
# Two columns of seven at the size that is read from ten metres away.
ROWS_ON_THE_WALL = 14


# Tonight


@require_safe
@answered_when_unchanged(state_of_standings)
def show_standings(request: VisitorRequest, pk: int) -> HttpResponseBase:
    """Who stands where; asked for again every few seconds, and answered with 304 when quiet."""
    event, role = get_event_with_role(request.user, pk)
    rounds = list(event.rounds.published().in_order())
    fresh = freshness.of_event(event)
    return revalidated(
        request,
        club=event.club,
        version=(
            role, event.state, event.name, event.place, event.starts_at, event.season.name,
            event.roster_version, event.publication, fresh,
            [(each.number, each.state) for each in rounds],
        ),
        modified=event.standings_at,
        make=lambda: _standings_told_to(request, event, role, rounds, fresh),
    )  # fmt: skip


def _standings_told_to(
    request: VisitorRequest,
    event: Event,
    role: Role | None,
    rounds: list[Round],
    fresh: freshness.Freshness,
) -> HttpResponse:
    # Everybody in the hall reads the wall, whoever has switched it on.
    if "projector" in request.GET and event.is_public:
        with onlookers.before_the_world():
            return _render_standings(request, event, role, rounds, fresh)
    return _render_standings(request, event, role, rounds, fresh)


def _render_standings(
    request: VisitorRequest,
    event: Event,
    role: Role | None,
    rounds: list[Round],
    fresh: freshness.Freshness,
) -> HttpResponse:
    on_the_wall = "projector" in request.GET
    told = _screen_of(request, event, rounds) if on_the_wall else _page_of(request, event, rounds)
    context: dict[str, Any] = {
        "club": event.club,
        "nav": "evenings",
        "role": role,
        "event": event,
        "rounds": rounds,
        "fresh": fresh,
        "here": "standings",
        **evening_rights(role),
        **told,
    }
    template = "scoring/board.html" if on_the_wall else "scoring/standings.html"
    return render(request, template + "#standings" if request.htmx else template, context)


def _page_of(request: VisitorRequest, event: Event, rounds: list[Round]) -> dict[str, Any]:
    page = standings_page(event, request.GET.get("page"))
    return {"page": page, "lines": standing_lines(page, rounds, request.user)}


def _screen_of(request: VisitorRequest, event: Event, rounds: list[Round]) -> dict[str, Any]:
    entries = event.entries.played().for_standings()
    part = part_of(entries)
    screen = screen_at([part], At(*ScreenForm(request.GET).asked()))
    shown = entries[screen.of(part.kind)] if screen else []
    return {
        "screen": screen,
        "lines": standing_lines(shown, [], request.user),
        "tables": _tables_of_the_wall(rounds),
    }


def part_of(entries: QuerySet[Entry]) -> Part:
    """Give the turn that the standings have on a wall."""
    return Part(kind="standings", rows=entries.count(), size=ROWS_ON_THE_WALL)


def _tables_of_the_wall(rounds: list[Round]) -> dict[str, int]:
    """Count how much of the last round is on its sheets, and of how much: deals, else meetings."""
    if not rounds:
        return {"written": 0, "planned": 0}
    of_meetings = Q(best_of__isnull=False)
    one, none, deals = Value(1), Value(0), IntegerField()
    decided = When(of_meetings & Q(decided_at__isnull=False), then=one)
    found = rounds[-1].tables.aggregate(
        written=Sum(
            Case(
                decided,
                When(of_meetings, then=none),
                default=Least("deals_recorded", "deals_planned"),
                output_field=deals,
            )
        ),
        planned=Sum(
            Case(When(of_meetings, then=one), default=F("deals_planned"), output_field=deals)
        ),
    )
    return {name: count or 0 for name, count in found.items()}


# The season


@require_safe
def show_ranking(request: VisitorRequest, slug: str) -> HttpResponseBase:
    """The ranking of a season; what is not published only to members."""
    club, role = get_club_with_role(request.user, slug)
    seasons = visible_seasons(club, role)
    form = RankingForm(request.GET, seasons=seasons)
    asked = form.cleaned_data if form.is_valid() else {}
    season = asked.get("season") or season_shown(seasons, on=timezone.localdate())
    context = {
        "club": club,
        "nav": "ranking",
        "role": role,
        "seasons": seasons,
        "season": season,
        "form": form,
        "words": asked.get("player", ""),
        **(_ranking_of(request, season, role, asked) if season else {}),
    }
    ranking = context.get("ranking")
    return revalidated(
        request,
        club=club,
        version=(
            role, club.name, [(s.pk, s.name, s.publication) for s in seasons], context.get("fresh"),
            [(each.pk, each.version, each.state) for each in context.get("rankings", ())],
            ranking and ranking.pk,
            [(line.row.pk, line.row.place, line.row.player.shown_name, line.score, line.curve,
              line.is_guest) for line in context.get("lines", ())],
        ),
        modified=ranking.computed_at if ranking else None,
        make=lambda: render(
            request, "scoring/ranking.html" + ("#table" if request.htmx else ""), context
        ),
    )  # fmt: skip


def season_shown(seasons: list[Season], *, on: date) -> Season | None:
    """Give the season of this day, else the latest; nothing when there is none."""
    running = [season for season in seasons if season.starts_on <= on <= season.ends_on]
    return next(iter(running or seasons), None)


def _ranking_of(
    request: VisitorRequest, season: Season, role: Role | None, asked: dict[str, Any]
) -> dict[str, Any]:
    directs = role is not None and role.may_act_as(Role.DIRECTOR)
    rankings = visible_rankings(season, role)
    chosen = [each for each in rankings if each.pk == asked.get("ranking")] or rankings
    ranking = chosen[0] if chosen else None
    rows = (
        RankingRow.objects.filter(ranking=ranking)
        .called(asked.get("player", ""), by_the_world=role is None)
        .for_leaderboard()
    )
    page = Paginator(rows, ROWS_ON_A_PAGE).get_page(request.GET.get("page"))
    shown = shown_evenings(season, role)
    return {
        "rankings": rankings,
        "ranking": ranking,
        "rules": why.rules_of(ranking, why.settings_of(ranking)) if ranking else [],
        "page": page,
        "lines": rank_lines(
            page, request.user, shown=shown, decimals=ranking.decimals if ranking else 0
        ),
        "fresh": freshness.of_season(season, ranking),
        "publication_form": PublicationForm(initial={"publication": season.publication}),
        "may_publish": directs,
    }


def visible_rankings(season: Season, role: Role | None) -> list[Ranking]:
    """Give the rankings of a season; drafts to directors only."""
    rankings = season.rankings.all()
    if role is None or not role.may_act_as(Role.DIRECTOR):
        rankings = rankings.exclude(state=Ranking.State.DRAFT)
    return list(rankings)


def shown_evenings(season: Season, role: Role | None) -> set[int] | None:
    """Give the evenings whose results may be shown one by one; nothing when all may."""
    if role is not None:
        return None
    return set(
        Event.objects.of_season(season)
        .filter(publication=Publication.PUBLIC)
        .values_list("pk", flat=True)
    )


@require_safe
def explain_rank(request: VisitorRequest, pk: int) -> HttpResponse:
    """Why somebody has this place: every evening with what it adds, and all that parts equals."""
    row = get_object_or_404(RankingRow.objects.select_related("player__membership"), pk=pk)
    row.ranking, role = get_ranking_with_role(request.user, row.ranking_id)
    season = row.ranking.season
    context = {
        "club": season.club,
        "nav": "ranking",
        "role": role,
        "season": season,
        "row": row,
        "why": why.explain(row, shown=shown_evenings(season, role)),
        "before": _neighbour(row, better=True),
        "after": _neighbour(row, better=False),
        "fresh": freshness.of_season(season, row.ranking),
        "back": reverse("ranking", args=[season.club.slug]),
    }
    return render(request, "scoring/why.html" + ("#why" if request.htmx else ""), context)


def _neighbour(row: RankingRow, *, better: bool) -> dict[str, Any] | None:
    """Give who has the next place above or below, with the points between."""
    if row.place is None:
        return None
    rows = RankingRow.objects.filter(ranking=row.ranking).select_related("player")
    if better:
        found = (
            rows.filter(place__lt=row.place).order_by("-place", "player__sort_name", "pk").first()
        )
    else:
        found = rows.filter(place__gt=row.place).by_place().first()
    if found is None:
        return None
    apart = Ranking.shown(abs(found.score - row.score), row.ranking.decimals)
    # Plurals are of whole numbers.
    return {
        "name": found.player.shown_name,
        "points": apart,
        "whole": ceil(apart),
        "parted": why.what_parts(row, found),
    }


@login_required
@require_POST
def publish_ranking(request: MemberRequest, pk: int) -> HttpResponse:
    """Say who may see the ranking of a season."""
    season = get_object_or_404(Season.objects.select_related("club"), pk=pk)
    require_role(request.user, season.club, Role.DIRECTOR)
    form = PublicationForm(request.POST)
    if form.is_valid():
        publication = Publication(form.cleaned_data["publication"])
        club_actions.change_season(
            season=season,
            name=season.name,
            starts_on=season.starts_on,
            ends_on=season.ends_on,
            publication=publication,
        )
        messages.success(request, said_of(publication))
    else:
        messages.error(request, _("Say who may see the ranking."))
    return redirect(reverse("ranking", args=[season.club.slug]) + f"?season={season.pk}")
