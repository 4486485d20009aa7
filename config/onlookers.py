"""Names are told before whoever sent the request."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from clubs import onlookers
from clubs.permissions import Looking

type Answering = Callable[[HttpRequest], HttpResponseBase]


def names_as_allowed(get_response: Answering) -> Answering:
    """Make the middleware that says before whom the names of a page are told."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        with onlookers.before(Looking(request)):
            return get_response(request)

    return middleware
