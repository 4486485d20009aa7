"""A header that is on each answer of this site, by which its scripts know an answer from others.

A hall's wifi answers with pages of its own as if all were well: none of them may be taken for a
part of a page, or be kept in its place.
"""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest
from django.http.response import HttpResponseBase

OURS = "Tapis-Vert"

type Answering = Callable[[HttpRequest], HttpResponseBase]


def says_ours(get_response: Answering) -> Answering:
    """Make the middleware that says of each answer that it is this site's."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        response.headers[OURS] = "yes"
        return response

    return middleware
