"""A club's settings and seasons."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clubs import actions
from clubs.forms.clubs import ClubForm, SeasonForm
from clubs.models import Club, Role, Season
from clubs.permissions import MemberRequest, get_club, get_season, role_in
from clubs.views.answers import answer, answers_in


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def club_settings(request: MemberRequest, slug: str) -> HttpResponse:
    club = get_club(request.user, slug, at_least=Role.OWNER)
    form = ClubForm(answers_in(request), instance=club)
    if form.is_valid():
        try:
            club = actions.change_club(club=club, **form.cleaned_data)
        except ValidationError as refusal:
            form.add_error(None, refusal)
        else:
            messages.success(request, _("The settings are stored."))
            return redirect("club-settings", club.slug)
    shown = {"club": get_club(request.user, slug, at_least=Role.OWNER), "role": Role.OWNER}
    return answer(request, "clubs/settings.html", form, nav="club", **shown)


@login_required
@require_safe
def seasons(request: MemberRequest, slug: str) -> HttpResponse:
    club = get_club(request.user, slug, at_least=Role.MEMBER)
    role = role_in(request.user, club)
    context = {
        "club": club,
        "role": role,
        "may_change": role is not None and role.may_act_as(Role.DIRECTOR),
        "nav": "ranking",
        "seasons": club.seasons.latest_first(),
        "current": club.seasons.current(timezone.localdate()),
    }
    return render(request, "clubs/seasons.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def add_season(request: MemberRequest, slug: str) -> HttpResponse:
    club = get_club(request.user, slug, at_least=Role.DIRECTOR)
    form = SeasonForm(answers_in(request))
    return _season_form(request, club, form, partial(actions.add_season, club=club))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def edit_season(request: MemberRequest, pk: int) -> HttpResponse:
    season = get_season(request.user, pk, at_least=Role.DIRECTOR)
    form = SeasonForm(answers_in(request), instance=season)
    return _season_form(
        request,
        season.club,
        form,
        partial(actions.change_season, season=season),
        season=season,
        may_delete=not season.events.exists(),
    )


def _season_form(
    request: MemberRequest,
    club: Club,
    form: SeasonForm,
    store: Callable[..., Season],
    **context: object,
) -> HttpResponse:
    """Store what was sent and go to the seasons; ask, or say what is wrong, on the form."""
    if form.is_valid():
        try:
            store(**form.cleaned_data)
        except ValidationError as refusal:
            form.add_error(None, refusal)
        else:
            messages.success(request, _("The season is stored."))
            return redirect("seasons", club.slug)
    context |= {"club": club, "nav": "ranking", "role": role_in(request.user, club)}
    return answer(request, "clubs/season_form.html", form, **context)


@login_required
@require_POST
def delete_season(request: MemberRequest, pk: int) -> HttpResponse:
    """Take a season without evenings off the list."""
    season = get_season(request.user, pk, at_least=Role.DIRECTOR)
    club = season.club
    try:
        actions.delete_season(season=season)
    except ValidationError as refusal:
        messages.error(request, " ".join(refusal.messages))
    else:
        messages.success(request, _("The season is deleted."))
    return redirect("seasons", club.slug)
