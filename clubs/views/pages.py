"""Pages of the site as a whole: the first one, help, privacy, the visitor's colours."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.views.decorators.http import require_POST, require_safe

from clubs.forms.preferences import PreferencesForm
from clubs.models import Club, Membership
from clubs.views.answers import safe_next

YEAR = 365 * 24 * 60 * 60
CLUBS_SHOWN = 30


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """My clubs, then those that show themselves to everybody."""
    own = Membership.objects.none()
    if request.user.is_authenticated:
        own = Membership.objects.of(request.user).with_club()
    public = Club.objects.public().not_of(request.user).by_name()[:CLUBS_SHOWN]
    return render(request, "clubs/home.html", {"own": own, "public": public})


@require_safe
def show_help(request: HttpRequest) -> HttpResponse:
    return render(request, "clubs/help.html")


@require_safe
def show_privacy(request: HttpRequest) -> HttpResponse:
    return render(request, "clubs/privacy.html")


@require_safe
def choose_preferences(request: HttpRequest) -> HttpResponse:
    """The choices on a page of their own: pages that are kept for everybody hold no form."""
    return render(request, "clubs/preferences.html", {"here": safe_next(request)})


@require_POST
def preferences(request: HttpRequest) -> HttpResponse:
    """Keep the visitor's colours in a cookie, which the next page reads."""
    form = PreferencesForm(request.POST)
    response = HttpResponseRedirect(safe_next(request))
    if form.is_valid():
        response.set_cookie(
            "theme",
            form.cleaned_data["theme"],
            max_age=YEAR,
            secure=request.is_secure(),
            httponly=True,
            samesite="Lax",
        )
    return response
