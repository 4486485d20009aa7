"""A player's page: results, contracts, company at the tables; and two players head to head."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import reduce
from operator import or_
from typing import Any

from django.db.models import Count, Max, Q
from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from clubs.models import Player, Publication, Role, Season
from clubs.permissions import VisitorRequest
from scoring import charts, figures
from scoring.forms import RankingForm
from scoring.freshness import Freshness, of_season
from scoring.http import revalidated
from scoring.models import PlayerResult, Ranking, RankingRow
from scoring.views.leaderboards import season_shown
from scoring.views.limits import slowed_down
from scoring.visibility import get_player_with_role, seasons_told
from tournaments.games import facts_of
from tournaments.models import Event, Seat
from tournaments.querysets import EventQuerySet

COMPANY_SHOWN = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """What a page about a player is made from: who looks at which season of whom."""

    player: Player
    role: Role | None
    seasons: Sequence[Season]
    season: Season | None
    events: EventQuerySet

    @property
    def directs(self) -> bool:
        return self.role is not None and self.role.may_act_as(Role.DIRECTOR)

    def context(self) -> dict[str, Any]:
        return {
            "club": self.player.club,
            "nav": "players",
            "role": self.role,
            "directs": self.directs,
            "player": self.player,
            "seasons": self.seasons,
            "season": self.season,
        }

    def state(self, *players: Player) -> tuple[object, ...]:
        """Name what the figures depend on: the sheets of these players, the counted evenings."""
        seats = Seat.objects.filter(player__in=(self.player, *players)).aggregate(
            count=Count("pk"), changed=Max("table__changed_at")
        )
        counted = figures.state_of(self.season, self.events) if self.season else ()
        return (self.role, seats["count"], seats["changed"], counted)

    def kept_back(self) -> int:
        """How many evenings of the player the season counts and this visitor may not see."""
        if self.role is not None or self.season is None or not self.season.is_public:
            return 0
        results = PlayerResult.objects.filter(player=self.player, event__season=self.season)
        return results.exclude(event__in=self.events).count()

    def freshness(self, rows: Sequence[RankingRow]) -> Freshness | None:
        """How old the player's lines are; nothing where there is none."""
        if self.season is None or not rows:
            return None
        return of_season(self.season, rows[0].ranking)


def _shown(request: VisitorRequest, pk: int) -> Shown:
    player, role = get_player_with_role(request.user, pk)
    seasons = seasons_told(player.club, role)
    form = RankingForm(request.GET, seasons=seasons)
    asked = form.cleaned_data.get("season") if form.is_valid() else None
    season = asked or season_shown(seasons, on=timezone.localdate())
    events = Event.objects.of_club(player.club)
    if role is None:
        events = events.filter(publication=Publication.PUBLIC)
    # Without a season there is nothing that this visitor may see counted.
    events = events.of_season(season) if season else events.none()
    return Shown(player=player, role=role, seasons=seasons, season=season, events=events)


# One player


@require_safe
@slowed_down
def show_player(request: VisitorRequest, pk: int) -> HttpResponseBase:
    """The season of a player; to the world only from what is published."""
    now = _players_now(request, pk)
    if now != [pk]:
        return redirect("player", *now)
    shown = _shown(request, pk)
    player = shown.player
    rows = _rows_of(shown)
    fresh, kept_back = shown.freshness(rows), shown.kept_back()
    membership = getattr(player, "membership", None) if shown.role else None
    version = (
        player.pk, player.shown_name, player.archived_at, shown.state(),
        [(s.pk, s.name) for s in shown.seasons], shown.season and shown.season.pk,
        [(row.pk, row.place, row.score, row.ranking.computed_at, str(row.ranking))
         for row in rows],
        membership and (membership.joined_on, membership.left_on, membership.licence_number),
        fresh, kept_back,
    )  # fmt: skip
    return revalidated(
        request,
        club=player.club,
        version=version,
        modified=_counted_at(rows),
        make=lambda: _render_player(
            request, shown, rows, membership=membership, fresh=fresh, kept_back=kept_back
        ),
    )


def _players_now(request: VisitorRequest, *keys: int) -> list[int]:
    """Give those who have the results now; 404 where that is nobody the visitor may know of."""
    asked = reduce(or_, (Q(pk=key) for key in keys))
    led = Player.objects.filter(asked).values_list("pk", "put_together_with")
    leads_to = {key: other for key, other in led if other is not None}
    now = [leads_to.get(key, key) for key in keys]
    for key in now:
        if key not in keys:
            get_player_with_role(request.user, key)
    return now


def _counted_at(rows: Sequence[RankingRow]) -> datetime | None:
    return max((r.ranking.computed_at for r in rows if r.ranking.computed_at), default=None)


def _rows_of(shown: Shown) -> list[RankingRow]:
    """Give the player's line of each ranking of the season that the visitor may see."""
    rows = RankingRow.objects.filter(ranking__season=shown.season, player=shown.player)
    if shown.role is None:
        rows = rows.filter(ranking__season__publication=Publication.PUBLIC)
    if not shown.directs:
        rows = rows.exclude(ranking__state=Ranking.State.DRAFT)
    return list(rows.select_related("ranking").order_by("ranking__order", "ranking"))


def _render_player(
    request: VisitorRequest, shown: Shown, rows: Sequence[RankingRow], **told: object
) -> HttpResponse:
    player = shown.player
    # Only what is in the results: the deals of an evening that is played would add up to more.
    events = shown.events.filter(player_results__player=player)
    contracts = figures.contracts_of(player, events)
    parts = figures.parts_of(player, events)
    taken = sum(line.taken for line in contracts)
    context = shown.context() | {
        **told,
        "rows": rows,
        "row": rows[0] if rows else None,
        "score": rows[0].shown_score(rows[0].ranking.decimals) if rows else None,
        "contracts": list(
            zip(contracts, charts.bars([(c.made, c.taken) for c in contracts]), strict=True)
        ),
        "contracts_height": charts.BAR_HEIGHT * len(contracts) + 4,
        "taken": taken,
        "made_share": round(100 * sum(c.made for c in contracts) / taken) if taken else None,
        "parts": parts,
        "company": figures.company_of(player, events, most=COMPANY_SHOWN),
        "games": figures.games_of(player, events),
        **_evenings(player, events),
    }
    context["beside"] = context["total"] - context["ruled"] - sum(line.points for line in parts)
    return render(request, "scoring/player.html", context)


def _evenings(player: Player, events: EventQuerySet) -> dict[str, Any]:
    """Give the closed evenings with the total after each, and the curve where points add up."""
    results = PlayerResult.objects.filter(player=player, event__in=events)
    evenings, total, ruled, deals = [], 0, 0, 0
    for result in results.select_related("event").in_time():
        plays_games = facts_of(result.event.game).plays_games
        if not plays_games:
            total += result.points
            ruled += result.ruled_points
            deals += result.deals
        evenings.append(
            {
                "result": result,
                "event": result.event,
                "total": total,
                "plays_games": plays_games,
            }
        )
    totals = [
        (timezone.localdate(e["event"].starts_at), e["total"])
        for e in evenings
        if not e["plays_games"]
    ]
    return {
        "evenings": evenings,
        "total": total,
        "ruled": ruled,
        "deals": deals,
        # Whoever has only won and lost matches has no points and deals to add up.
        "has_points": bool(totals) or not evenings,
        "chart": charts.line_chart(totals),
    }


# Two players


@require_safe
@slowed_down
def head_to_head(request: VisitorRequest, pk: int, other: int) -> HttpResponseBase:
    """What two players did at one table, and in the evenings that both played."""
    now = _players_now(request, pk, other)
    if now != [pk, other]:
        return redirect("head-to-head", *now)
    shown = _shown(request, pk)
    rival, _role = get_player_with_role(request.user, other)
    player = shown.player
    if rival.club_id != player.club_id or rival.pk == player.pk:
        raise Http404
    version = (player.shown_name, rival.shown_name, shown.season and shown.season.name,
               [(s.pk, s.name) for s in shown.seasons], shown.state(rival))  # fmt: skip
    return revalidated(
        request,
        club=player.club,
        version=version,
        modified=None,
        make=lambda: _render_rivals(request, shown, rival),
    )


def _render_rivals(request: VisitorRequest, shown: Shown, rival: Player) -> HttpResponse:
    player, events = shown.player, shown.events
    met = figures.meetings(player, rival, events)
    context = shown.context() | {
        "rival": rival,
        "together": figures.between(player, rival, events),
        "sides": [
            (player, rival, figures.against(player, rival, events)),
            (rival, player, figures.against(rival, player, events)),
        ],
        "meetings": met,
        "ahead": sum(_is_ahead(m.own, m.other) for m in met),
        "behind": sum(_is_ahead(m.other, m.own) for m in met),
        "level": sum(_is_level(m.own, m.other) for m in met),
        "turned": reverse("head-to-head", args=[rival.pk, player.pk]),
    }
    return render(request, "scoring/head_to_head.html", context)


def _is_ahead(one: PlayerResult, other: PlayerResult) -> bool:
    return one.place is not None and other.place is not None and one.place < other.place


def _is_level(one: PlayerResult, other: PlayerResult) -> bool:
    return one.place is not None and one.place == other.place
