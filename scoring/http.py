"""Pages that are asked for again and again: the same version is answered with 304 and no body."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from django.contrib.messages import get_messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.templatetags.static import static
from django.utils.cache import get_conditional_response
from django.utils.http import http_date
from django.utils.translation import get_language

from clubs.models import Club
from tournaments.http import (
    etag_of,
    for_everybody,
    holds_token,
    leave_out_token,
    mark,
    shared,
)


def revalidated(
    request: HttpRequest,
    *,
    version: object,
    modified: datetime | None,
    make: Callable[[], HttpResponse],
    club: Club | None = None,
) -> HttpResponseBase:
    """Answer 304 to whoever has this version already, else make the page.

    ``version`` names everything that the page shows, by its ``repr``; who looks, in which
    language and colours, is added here, and with ``club`` its name, town, and since when its
    players are named as they are. A page with a message for the visitor is always made.

    What somebody without a single cookie of his own is shown of a club is the same for everybody:
    any cache on the way may keep it, and asks each time whether it still holds.
    """
    is_shared = club is not None and for_everybody(request)
    if is_shared:
        leave_out_token(request)
    if club is not None:
        told = (club.name, club.town, club.names_changed_at, club.shows_sheets)
        version = (version, told)
        modified = _latest(modified, club.names_changed_at)
    etag = etag_of(_seen_by(request), version)
    seconds = None if modified is None else int(modified.timestamp())
    response: HttpResponseBase | None = None
    if is_shared or not len(get_messages(request)):
        # The tag alone decides, also for who names a time only: two changes within a second have
        # one time, and what a page shows beside its numbers changes without another one.
        response = get_conditional_response(request, etag=etag)
    if response is None:
        response = make()
    if seconds is not None:
        response.headers["Last-Modified"] = http_date(seconds)
    is_shared = is_shared and not holds_token(request)
    return shared(response, etag) if is_shared else mark(response, etag)


def _latest(*times: datetime | None) -> datetime | None:
    return max((each for each in times if each is not None), default=None)


def _seen_by(request: HttpRequest) -> tuple[object, ...]:
    # The page holds the token of the visitor's cookie: with another cookie it is another page.
    return (
        request.user.pk,
        get_language(),
        request.COOKIES.get("theme"),
        request.COOKIES.get("csrftoken"),
        request.headers.get("HX-Request"),
        request.get_full_path(),
        static("site.css"),
        static("site.js"),
    )
