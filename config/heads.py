"""The answers to HEAD."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase

type Answering = Callable[[HttpRequest], HttpResponseBase]


def headers_only(get_response: Answering) -> Answering:
    """Make the middleware that answers HEAD as GET, with the same headers and nothing after them.

    Views make the page for both; a server that has to drop it complains each time.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if request.method != "HEAD":
            return response
        if isinstance(response, StreamingHttpResponse):
            response.streaming_content = ()
        elif isinstance(response, HttpResponse):
            response.content = b""
        return response

    return middleware
