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

from tournaments.http import etag_of, mark


def revalidated(
    request: HttpRequest,
    *,
    version: object,
    modified: datetime | None,
    make: Callable[[], HttpResponse],
) -> HttpResponseBase:
    """Answer 304 to whoever has this version already, else make the page.

    ``version`` names everything that the page shows, by its ``repr``; who looks, in which
    language and colours, is added here. A page with a message for the visitor is always made.
    """
    etag = etag_of(_seen_by(request), version)
    seconds = None if modified is None else int(modified.timestamp())
    response: HttpResponseBase | None = None
    if not len(get_messages(request)):
        response = get_conditional_response(request, etag=etag, last_modified=seconds)
    if response is None:
        response = make()
    if seconds is not None:
        response.headers["Last-Modified"] = http_date(seconds)
    return mark(response, etag)


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
