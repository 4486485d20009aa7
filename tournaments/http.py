"""Answers that need no work, and answers that are the same for everybody."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from hashlib import blake2b

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response, patch_cache_control, patch_vary_headers


def etag_of(*state: object) -> str:
    """A short mark of a state; equal states have equal marks."""
    return f'"{blake2b(repr(state).encode(), digest_size=12).hexdigest()}"'


def not_modified(request: HttpRequest, etag: str) -> HttpResponseBase | None:
    """Give 304 to whoever already has this state."""
    response = get_conditional_response(request, etag=etag)
    if response is not None:
        mark(response, etag)
    return response


def mark[Answer: HttpResponseBase](response: Answer, etag: str) -> Answer:
    """Let the browser keep the answer and ask each time whether it still holds."""
    response.headers["ETag"] = etag
    patch_cache_control(response, private=True, no_cache=True)
    patch_vary_headers(response, ["Cookie", "HX-Request", "Accept-Language"])
    return response


#: Cookies that choose how a page looks and say nothing of the visitor.
HARMLESS = frozenset({"theme", "django_language"})


def for_everybody(request: HttpRequest) -> bool:
    """Is this a request that anybody could have sent?"""
    has_credentials = "Authorization" in request.headers or set(request.COOKIES) - HARMLESS
    return request.method in {"GET", "HEAD"} and not has_credentials


def leave_out_token(request: HttpRequest) -> None:
    """Say that the page is for everybody: it then holds no token, which would be one visitor's."""
    request.for_everybody = True  # type: ignore[attr-defined]  # read by the templates


def holds_token(request: HttpRequest) -> bool:
    """Did the page need a token all the same, for a form that everybody may send?"""
    return "CSRF_COOKIE" in request.META


def shared[Answer: HttpResponseBase](response: Answer, etag: str) -> Answer:
    """Let every cache keep the answer and ask each time whether it still holds."""
    response.headers["ETag"] = etag
    patch_cache_control(response, public=True, no_cache=True)
    patch_vary_headers(response, ["Cookie", "HX-Request", "Accept-Language"])
    return response


def kept_for_everybody[**Rest](
    view: Callable[Rest, HttpResponseBase],
) -> Callable[Rest, HttpResponseBase]:
    """Let caches keep what a visitor without a cookie of his own is shown, by a mark of its bytes.

    For pages that know no version of what they show: they are made each time, and sent when new.
    """

    @wraps(view)
    def keeping(*args: Rest.args, **kwargs: Rest.kwargs) -> HttpResponseBase:
        request = args[0]
        if not isinstance(request, HttpRequest) or not for_everybody(request):
            return view(*args, **kwargs)
        leave_out_token(request)
        response = view(*args, **kwargs)
        if not isinstance(response, HttpResponse) or response.status_code != 200:  # noqa: PLR2004
            return response
        if "ETag" in response.headers or holds_token(request):
            return response
        etag = etag_of(response.content)
        unchanged = get_conditional_response(request, etag=etag, response=response)
        return shared(unchanged or response, etag)

    return keeping
