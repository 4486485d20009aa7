"""Pages of the site as a whole: the first one, help, privacy, the visitor's colours."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render, resolve_url
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_GET, require_POST

from clubs.forms.preferences import PreferencesForm
from clubs.models import Club, Membership

YEAR = 365 * 24 * 60 * 60
CLUBS_SHOWN = 30


@require_GET
def home(request: HttpRequest) -> HttpResponse:
    """My clubs, then those that show themselves to everybody."""
    own = Membership.objects.none()
    if request.user.is_authenticated:
        own = Membership.objects.of(request.user).with_club()
    public = Club.objects.public().not_of(request.user).by_name()[:CLUBS_SHOWN]
    return render(request, "clubs/home.html", {"own": own, "public": public})


@require_GET
def show_help(request: HttpRequest) -> HttpResponse:
    return render(request, "clubs/help.html")


@require_GET
def show_privacy(request: HttpRequest) -> HttpResponse:
    return render(request, "clubs/privacy.html")


def safe_next(request: HttpRequest, default: str = "home") -> str:
    """The address in ``next`` when it is on this site, else the default page."""
    wanted = request.POST.get("next", "") or request.GET.get("next", "")
    allowed = url_has_allowed_host_and_scheme(
        wanted, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return wanted if allowed else resolve_url(default)


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
