"""The top of a ranking in a frame of another site, and only of the sites that the club has named.

The frame needs no script: its rows have one height, so the snippet says how high it is.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpResponseBase
from django.shortcuts import render
from django.utils import translation
from django.utils.csp import CSP
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from clubs import onlookers
from clubs.models import Club
from clubs.permissions import VisitorRequest
from scoring import freshness
from scoring.http import revalidated
from scoring.models import Ranking, RankingRow
from scoring.visibility import get_ranking_with_role

ROWS = 20
ROW_HEIGHT, FRAME_HEIGHT = 44, 162


def height_of(ranking: Ranking) -> int:
    """Say how high the frame is: its rows and what stands around them."""
    return FRAME_HEIGHT + ROW_HEIGHT * min(ROWS, max(1, ranking.rows.count()))


@require_safe
@xframe_options_exempt
def embed_ranking(request: VisitorRequest, pk: int) -> HttpResponseBase:
    """Show the top of a ranking as everybody may see it, whoever looks, in the club's language."""
    ranking, _role = get_ranking_with_role(request.user, pk)
    club = ranking.season.club
    with onlookers.before_the_world(), translation.override(club.language):
        rows = list(RankingRow.objects.filter(ranking=ranking).for_leaderboard()[:ROWS])
        lines = [(row, row.shown_score(ranking.decimals)) for row in rows]
        fresh = freshness.of_season(ranking.season, ranking)
        response = revalidated(
            request,
            club=club,
            version=(
                str(ranking), ranking.season.name, ranking.state, fresh, club.embed_origins,
                [(row.pk, row.place, row.score, row.evenings) for row in rows],
            ),
            modified=ranking.computed_at,
            make=lambda: render(
                request,
                "scoring/embed.html",
                {"ranking": ranking, "club": club, "lines": lines, "fresh": fresh, "role": None},
            ),
        )  # fmt: skip
    response._csp_config = policy_for(club)  # type: ignore[attr-defined]  # noqa: SLF001 - as csp_override does
    return response


def policy_for(club: Club) -> dict[str, Any]:
    """Give the policy of the site with the frames that this club allows; none without a site."""
    return settings.SECURE_CSP | {"frame-ancestors": club.origins or [CSP.NONE]}
