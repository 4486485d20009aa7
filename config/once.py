"""A form that its page sends is done once, however often it arrives, and the answer leads on.

The page (``static/sending.js``) names each press by a key of its own. Where the answer to a press
was lost, the same press is sent again and finds its answer here instead of being done twice. What
was refused or broke off is forgotten, so that it can be sent again.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from http.cookies import SimpleCookie
from uuid import UUID

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from redis.exceptions import RedisError

log = logging.getLogger(__name__)

type Answering = Callable[[HttpRequest], HttpResponseBase]

SENDING_KEY, LEADS_TO = "Sending-Key", "Leads-To"
#: As long as a page may lie open after its answer was lost; less for what lets somebody in.
KEPT_SECONDS, LETS_IN_SECONDS = 24 * 60 * 60, 10 * 60
#: Longer than a page waits for the answer to a file; a process that was killed gives none.
UNDER_WAY, UNDER_WAY_SECONDS = "under-way", 6 * 60
LETS_NOBODY_IN = {"messages", settings.CSRF_COOKIE_NAME, settings.LANGUAGE_COOKIE_NAME}


@dataclass(frozen=True, slots=True, kw_only=True)
class WayOn:
    """What a press was answered with: where it leads, and what the browser keeps."""

    address: str
    cookies: SimpleCookie

    @property
    def seconds(self) -> int:
        """How long it can be said once more."""
        return LETS_IN_SECONDS if set(self.cookies) - LETS_NOBODY_IN else KEPT_SECONDS

    def answer(self) -> HttpResponse:
        """Give the answer once more."""
        response = HttpResponse(headers={LEADS_TO: self.address, "Cache-Control": "no-store"})
        response.cookies = self.cookies
        return response


def done_once(get_response: Answering) -> Answering:
    """Make the middleware that does each press once and says where it leads."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        key = key_of(request)
        if key is None:
            return get_response(request)
        if not _is_first(key):
            return _known_answer(key)
        response = get_response(request)
        _remember(key, _way_on(response))
        return _led_on(response)

    return middleware


def key_of(request: HttpRequest) -> UUID | None:
    """Give the key of the press, where a page sends a form and stays until it is answered."""
    if request.method != "POST":
        return None
    try:
        return UUID(request.headers.get(SENDING_KEY, ""))
    except ValueError:
        return None


def _is_first(key: UUID) -> bool:
    try:
        return cache.add(_place(key), UNDER_WAY, UNDER_WAY_SECONDS)
    except RedisError as fault:  # without the cache it is done all the same
        log.warning("A press is not kept: %s", fault)
        return True


def _known_answer(key: UUID) -> HttpResponse:
    known = cache.get(_place(key))
    if isinstance(known, WayOn):
        return known.answer()
    return HttpResponse(status=409, headers={"Refused": UNDER_WAY, "Cache-Control": "no-store"})


def _way_on(response: HttpResponseBase) -> WayOn | None:
    address = response.headers.get("Location")
    return None if address is None else WayOn(address=address, cookies=response.cookies)


def _remember(key: UUID, way_on: WayOn | None) -> None:
    try:
        if way_on is None:
            cache.delete(_place(key))
        else:
            cache.set(_place(key), way_on, way_on.seconds)
    except RedisError as fault:
        log.warning("A press is not kept: %s", fault)


def _led_on(response: HttpResponseBase) -> HttpResponseBase:
    """Name the way on: a script is not told where a redirect leads."""
    if "Location" in response.headers:
        response.status_code = 200
        response.headers[LEADS_TO] = response.headers["Location"]
        del response.headers["Location"]
    return response


def _place(key: UUID) -> str:
    return f"press:{key.hex}"
