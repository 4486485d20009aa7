"""What a refused request is answered with, whichever page it was for.

A page that stays while it asks for a part of itself, or sends a form, leaves no room for a whole
other page: it is answered with a status (401 signed out, 403 with ``Refused: page-too-old``), and
``static/site.js`` says so while the page keeps what was typed. An address that only takes what is
sent leads on to its page.
"""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.middleware.csrf import get_token
from django.shortcuts import resolve_url
from django.urls import Resolver404, resolve, reverse
from django.utils.cache import patch_cache_control
from django.views.csrf import csrf_failure

from clubs.models import Club
from config.once import key_of
from tournaments.models import Event

type Answering = Callable[[HttpRequest], HttpResponseBase]

FOUND, WRONG_METHOD = 302, 405
#: Addresses under a row that has no page of its own: how its evening is found, and its page there.
PAGE_OF_EVENING = {
    "change-stage": ("stages", "stages"),
    "remove-stage": ("stages", "stages"),
    "withdraw-ruling": ("rulings", "referee"),
    "go-to-call": ("rounds__tables__referee_calls", "referee"),
    "answer-call": ("rounds__tables__referee_calls", "referee"),
}


def answer_refusals(get_response: Answering) -> Answering:
    """Make the middleware that gives each refusal an answer its asker can use."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if page_stays(request) and _leads_to_sign_in(response):
            return _uncached(HttpResponse(status=401))
        if request.method in {"GET", "HEAD"} and response.status_code == WRONG_METHOD:
            page = page_of(request)
            return response if page is None else _uncached(HttpResponseRedirect(page))
        return response

    return middleware


def too_old(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Refuse what came without the token of this visitor, and let the page fetch a new one."""
    if not page_stays(request):
        return csrf_failure(request, reason)
    get_token(request)  # sets the cookie that the page's script reads
    return _uncached(HttpResponse(status=403, headers={"Refused": "page-too-old"}))


def page_stays(request: HttpRequest) -> bool:
    """Does the page stay that asks: for a part of itself by htmx, or by sending a form?"""
    return request.headers.get("HX-Request") == "true" or key_of(request) is not None


def page_of(request: HttpRequest) -> str | None:
    """Give the page to which an address belongs that takes only what is sent; None in the API."""
    if request.path_info.startswith(("/api/", "/admin/")):
        return None
    return _page_of_row(request) or page_above(request.path_info)


def page_above(address: str) -> str:
    """Give the nearest address above this one that exists; the first page is above all."""
    while len(address) > 1:
        address = address.rstrip("/").rpartition("/")[0] + "/"
        try:
            resolve(address)
        except Resolver404:
            continue
        return address
    return "/"


def _page_of_row(request: HttpRequest) -> str | None:
    found = request.resolver_match
    if found is None:
        return None
    if found.url_name == "publish-ranking":
        clubs = Club.objects.visible_to(request.user)
        club = clubs.filter(seasons__pk=found.kwargs["pk"]).first()
        return None if club is None else reverse("ranking", args=[club.slug])
    if found.url_name not in PAGE_OF_EVENING:
        return None
    row, page = PAGE_OF_EVENING[found.url_name]
    event = Event.objects.filter(**{f"{row}__pk": found.kwargs["pk"]}).only("pk").first()
    return None if event is None else reverse(page, args=[event.pk])


def _leads_to_sign_in(response: HttpResponseBase) -> bool:
    """Must somebody sign in before it goes on? A new password ends at that page, too."""
    address, _, asked = response.headers.get("Location", "").partition("?")
    is_door = address == resolve_url(settings.LOGIN_URL) and "next=" in asked
    return response.status_code == FOUND and is_door


def _uncached(response: HttpResponse) -> HttpResponse:
    patch_cache_control(response, no_store=True)
    return response
