"""The rankings of a season as directors keep them: which there are, and how each counts."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect

from clubs.models import Player, Role, Season
from clubs.permissions import MemberRequest, get_club, require_role
from scoring import actions
from scoring.forms import PresetForm, WaysForm
from scoring.models import CountingJob, Ranking
from scoring.rankings.preview import Move, Preview, preview
from tournaments.rules import Conflict

HTMX_STOP_POLLING = 286
MOVES_SHOWN = 100


@login_required
@require_safe
def season_rankings(request: MemberRequest, pk: int) -> HttpResponse:
    """Every ranking of a season, how it counts, and whether it could be counted."""
    season = _season(request, pk)
    return _list(request, season, PresetForm(initial={"entry_key": uuid.uuid4()}))


@login_required
@require_POST
def add_ranking(request: MemberRequest, pk: int) -> HttpResponse:
    """Begin another ranking and go and say how it counts."""
    season = _season(request, pk)
    form = PresetForm(request.POST)
    if form.is_valid():
        try:
            ranking = actions.add_ranking(
                season=season, preset=form.chosen(), entry_key=form.cleaned_data["entry_key"]
            )
        except ValidationError as refusal:
            form.add_error(None, refusal)
        else:
            return redirect("edit-ranking", ranking.pk)
    return _list(request, season, form, status=422)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def edit_ranking(request: MemberRequest, pk: int) -> HttpResponse:
    """How a ranking counts; first it is shown who would move, then it is stored."""
    ranking = _ranking(request, pk)
    if request.method != "POST":
        return _form(request, ranking, WaysForm(ranking=ranking))
    form = WaysForm(request.POST, ranking=ranking)
    if not form.is_valid():
        return _form(request, ranking, form, status=422)
    if not form.stores_what_was_shown:
        seen = preview(ranking, method=form.chosen_method(), settings=form.chosen_settings())
        return _form(request, ranking, form, seen=seen)
    return _store(request, ranking, form)


def _store(request: MemberRequest, ranking: Ranking, form: WaysForm) -> HttpResponse:
    try:
        actions.change_ranking(
            ranking=ranking,
            seen_version=form.cleaned_data["version"],
            name=form.cleaned_data["name"],
            method=form.chosen_method(),
            settings=form.chosen_settings(),
            state=Ranking.State(form.cleaned_data["state"]),
            order=form.cleaned_data["order"] or 0,
        )
    except Conflict as refusal:
        form.add_error(None, refusal)
        return _form(request, ranking, form, status=409)
    except ValidationError as refusal:
        form.add_error(None, ValidationError(refusal.messages))
        return _form(request, ranking, form, status=422)
    messages.success(request, _("The ranking is stored; it is counted in a moment."))
    address = reverse("season-rankings", args=[ranking.season_id])
    return HttpResponseClientRedirect(address) if request.htmx else redirect(address)


@login_required
@require_POST
def delete_ranking(request: MemberRequest, pk: int) -> HttpResponse:
    """Take a ranking away; the results stay."""
    ranking = _ranking(request, pk)
    try:
        actions.delete_ranking(ranking=ranking)
    except ValidationError as refusal:
        messages.error(request, " ".join(refusal.messages))
    else:
        messages.success(request, _("The ranking is deleted; the results are all there."))
    return redirect("season-rankings", ranking.season_id)


@login_required
@require_safe
def counting(request: MemberRequest, slug: str) -> HttpResponse:
    """How far the rebuild of the club’s rankings is, and what the last audits found."""
    club = get_club(request.user, slug, at_least=Role.DIRECTOR)
    jobs = list(CountingJob.objects.for_club(club).order_by("-asked_at", "-pk")[:5])
    own = set(Season.objects.filter(club=club).values_list("pk", flat=True))
    failing = Ranking.objects.filter(season__in=own, failures__gt=0).select_related("season")
    context = {
        "club": club,
        "nav": "ranking",
        "role": Role.DIRECTOR,
        "jobs": [{"job": job, "findings": _findings(job, own)} for job in jobs],
        "is_running": any(job.is_running for job in jobs),
        "failing": list(failing.order_by("season", "order", "pk")),
    }
    template = "scoring/counting.html" + ("#jobs" if request.htmx else "")
    status = HTMX_STOP_POLLING if request.htmx and not context["is_running"] else 200
    return render(request, template, context, status=status)


@login_required
@require_POST
def rebuild_rankings(request: MemberRequest, slug: str) -> HttpResponse:
    """Have everything counted again, and go and watch."""
    club = get_club(request.user, slug, at_least=Role.DIRECTOR)
    actions.rebuild_rankings(club=club, by=request.user)
    return redirect("counting", club.slug)


def _findings(job: CountingJob, seasons: set[int]) -> int:
    """How many of the kept findings are of these seasons: a job of all clubs tells each its own."""
    return sum(finding.get("season") in seasons for finding in job.findings)


def _season(request: MemberRequest, pk: int) -> Season:
    season = get_object_or_404(Season.objects.select_related("club"), pk=pk)
    require_role(request.user, season.club, Role.DIRECTOR)
    return season


def _ranking(request: MemberRequest, pk: int) -> Ranking:
    ranking = get_object_or_404(Ranking.objects.select_related("season__club"), pk=pk)
    require_role(request.user, ranking.season.club, Role.DIRECTOR)
    return ranking


def _list(
    request: MemberRequest, season: Season, form: PresetForm, *, status: int = 200
) -> HttpResponse:
    context = {
        "club": season.club,
        "nav": "ranking",
        "role": Role.DIRECTOR,
        "season": season,
        "rankings": list(season.rankings.all()),
        "form": form,
    }
    return render(request, "scoring/rankings.html", context, status=status)


def _form(
    request: MemberRequest,
    ranking: Ranking,
    form: WaysForm,
    *,
    seen: Preview | None = None,
    status: int = 200,
) -> HttpResponse:
    context: dict[str, Any] = {
        "club": ranking.season.club,
        "nav": "ranking",
        "role": Role.DIRECTOR,
        "season": ranking.season,
        "ranking": ranking,
        "form": form,
        "back": reverse("season-rankings", args=[ranking.season_id]),
    }
    if seen is not None:
        chosen = Ranking(method=form.chosen_method())
        moves = _moves(seen.moves, decimals=chosen.decimals)
        context |= {"preview": seen, "moves": moves, "score_name": chosen.score_name}
    template = "scoring/edit_ranking.html" + ("#ways" if request.htmx else "")
    return render(request, template, context, status=status)


def _moves(moves: tuple[Move, ...], *, decimals: int) -> list[dict[str, Any]]:
    players = Player.objects.in_bulk([move.player for move in moves[:MOVES_SHOWN]])
    return [
        {
            "name": players[move.player].name,
            "move": move,
            "score": None if move.score is None else Ranking.shown(move.score, decimals),
        }
        for move in moves[:MOVES_SHOWN]
    ]
