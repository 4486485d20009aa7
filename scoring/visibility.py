"""What the visitor may see, with the role that decides it; see ``clubs.permissions``.

Members see everything of their club; the world sees what the club has published: a public club,
and in it public seasons and public evenings.
"""

from __future__ import annotations

from django.db.models import Q
from django.http import Http404
from django.shortcuts import get_object_or_404

from clubs.models import Club, Player, Publication, Role, Season
from clubs.permissions import require_role, role_in
from clubs.querysets import Visitor
from scoring.models import Ranking, ResultsImport
from tournaments.models import Event


def get_club_with_role(visitor: Visitor, slug: str) -> tuple[Club, Role | None]:
    """The club of this address; 404 when it is not the visitor's to see."""
    club = get_object_or_404(Club, slug=slug)
    role = role_in(visitor, club)
    if role is None and not club.is_public:
        raise Http404
    return club, role


def get_event_with_role(visitor: Visitor, pk: int) -> tuple[Event, Role | None]:
    """The evening; 404 when it is not the visitor's to see."""
    event = get_object_or_404(Event.objects.select_related("season__club"), pk=pk)
    role = role_in(visitor, event.club)
    if role is None and not event.is_public:
        raise Http404
    return event, role


def get_season_with_role(visitor: Visitor, pk: int) -> tuple[Season, Role | None]:
    """The season; 404 when its ranking is not the visitor's to see."""
    season = get_object_or_404(Season.objects.select_related("club"), pk=pk)
    role = role_in(visitor, season.club)
    if role is None and not season.is_public:
        raise Http404
    return season, role


def visible_seasons(club: Club, role: Role | None) -> list[Season]:
    """The seasons whose ranking somebody with this role may see, the latest first."""
    if role is None and not club.is_public:
        return []
    seasons = club.seasons.latest_first()
    return list(seasons if role else seasons.filter(publication=Publication.PUBLIC))


def seasons_told(club: Club, role: Role | None) -> list[Season]:
    """The seasons of which somebody with this role may see the ranking or an evening."""
    if role is not None or not club.is_public:
        return visible_seasons(club, role)
    shown = Event.objects.of_club(club).published()
    told = Q(publication=Publication.PUBLIC) | Q(pk__in=shown.order_by().values("season"))
    return list(club.seasons.filter(told).latest_first())


def get_player_with_role(visitor: Visitor, pk: int) -> tuple[Player, Role | None]:
    """A player of the club.

    The world sees whom it has met in a published ranking or evening, nobody else.
    """
    player = get_object_or_404(Player.objects.select_related("club", "membership"), pk=pk)
    role = role_in(visitor, player.club)
    if role is None and not (player.has_page and _is_published(player)):
        raise Http404
    return player, role


def _is_published(player: Player) -> bool:
    if not player.club.is_public:
        return False
    lines = player.ranking_rows.filter(ranking__season__publication=Publication.PUBLIC)
    return (
        lines.exclude(ranking__state=Ranking.State.DRAFT).exists()
        or player.entries.filter(event__publication=Publication.PUBLIC, deals_played__gt=0).exists()
    )


def get_ranking_with_role(visitor: Visitor, pk: int) -> tuple[Ranking, Role | None]:
    """A ranking of a season; 404 when it is not the visitor's to see, drafts to directors only."""
    ranking = get_object_or_404(Ranking.objects.select_related("season__club"), pk=pk)
    role = role_in(visitor, ranking.season.club)
    if role is None and not ranking.season.is_public:
        raise Http404
    if ranking.is_draft and not (role is not None and role.may_act_as(Role.DIRECTOR)):
        raise Http404
    return ranking, role


def shown_ranking(season: Season) -> Ranking | None:
    """Give the first ranking of the season that is no draft."""
    rankings = Ranking.objects.filter(season=season).exclude(state=Ranking.State.DRAFT)
    return rankings.select_related("season").order_by("order", "pk").first()


def get_import(visitor: Visitor, pk: int) -> ResultsImport:
    """A list of past results, for the directors of its club."""
    lists = ResultsImport.objects.select_related("club", "event")
    sent: ResultsImport = get_object_or_404(lists, pk=pk)
    require_role(visitor, sent.club, Role.DIRECTOR)
    return sent
