"""A player's page: the season in points, evening by evening, and what was taken and made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q
from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from clubs.models import Player, Publication, Role, Season
from clubs.permissions import VisitorRequest
from scoring import charts
from scoring.models import Mark, RankingRow, TarotDeal
from scoring.views.leaderboards import season_shown, shown_evenings
from scoring.visibility import get_player_with_role, visible_seasons
from tournaments.models import Event
from tournaments.querysets import EventQuerySet


@dataclass(frozen=True, slots=True, kw_only=True)
class ContractCount:
    """How often a contract was taken and made; the bar that shows it."""

    name: str
    taken: int
    made: int
    bar: charts.Bar


@require_safe
def show_player(request: VisitorRequest, pk: int) -> HttpResponse:
    """The season of a player; to the world only from what is published."""
    player, role = get_player_with_role(request.user, pk)
    seasons = visible_seasons(player.club, role)
    season = season_shown(seasons, on=timezone.localdate())
    context = {
        "club": player.club,
        "nav": "players",
        "role": role,
        "directs": role is not None and role.may_act_as(Role.DIRECTOR),
        "player": player,
        "membership": getattr(player, "membership", None) if role else None,
        "season": season,
        **_results(player, season, role),
    }
    return render(request, "scoring/player.html", context)


def _results(player: Player, season: Season | None, role: Role | None) -> dict[str, Any]:
    events = _visible_events(player, role)
    if season is not None:
        events = events.of_season(season)
    contracts = _contracts(player, events)
    taken = sum(count.taken for count in contracts)
    return {
        "row": _row_of(player, season),
        "contracts": contracts,
        "contracts_height": charts.BAR_HEIGHT * len(contracts) + 4,
        "taken": taken,
        "made_share": round(100 * sum(c.made for c in contracts) / taken) if taken else None,
        "deals": Mark.objects.standing().of_player(player).in_events(events).count(),
        **_evenings(player, season, role),
    }


def _row_of(player: Player, season: Season | None) -> RankingRow | None:
    return RankingRow.objects.filter(ranking__season=season, player=player).first()


def _visible_events(player: Player, role: Role | None) -> EventQuerySet:
    events = Event.objects.of_club(player.club)
    return events if role is not None else events.filter(publication=Publication.PUBLIC)


def _evenings(player: Player, season: Season | None, role: Role | None) -> dict[str, Any]:
    """Give the evenings that may be told apart, with the total after each, and the curve."""
    row = _row_of(player, season)
    shown = shown_evenings(season, role) if season else None
    parts = [p for p in (row.history if row else ()) if shown is None or p["event"] in shown]
    events = Event.objects.in_bulk([part["event"] for part in parts])
    evenings, total = [], 0
    for part in parts:
        total += part["points"]
        event = events[part["event"]]
        evenings.append({"event": event, "points": part["points"], "total": total})
    totals = [(timezone.localdate(e["event"].starts_at), e["total"]) for e in evenings]
    return {"evenings": evenings, "chart": charts.line_chart(totals)}


def _contracts(player: Player, events: EventQuerySet) -> list[ContractCount]:
    counted = (
        TarotDeal.objects.standing()
        .filter(taker__player=player, table__round__event__in=events)
        .order_by()
        .values("contract")
        .annotate(taken=Count("pk"), made=Count("pk", filter=Q(is_made=True)))
    )
    by_contract = {line["contract"]: line for line in counted}
    rows = [by_contract[name] for name in TarotDeal.Contract.values if name in by_contract]
    drawn = charts.bars([(line["made"], line["taken"]) for line in rows])
    return [
        ContractCount(
            name=str(TarotDeal.Contract(line["contract"]).label),
            taken=line["taken"],
            made=line["made"],
            bar=bar,
        )
        for line, bar in zip(rows, drawn, strict=True)
    ]
