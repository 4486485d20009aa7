"""Pages that cost the database much: one visitor may ask for so many of them, not for all."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate

from django.http import HttpResponseBase
from django.shortcuts import render

from clubs.attempts import Limit, address_of
from clubs.permissions import VisitorRequest

MINUTE = 60
#: A club in one hall has one address: a hundred people who each open a page now and then.
PAGES = Limit(name="heavy-pages", most=300, seconds=MINUTE)


def slowed_down[**Rest](
    view: Callable[Concatenate[VisitorRequest, Rest], HttpResponseBase],
) -> Callable[Concatenate[VisitorRequest, Rest], HttpResponseBase]:
    """Answer 429 to an address without an account that asks too often."""

    @wraps(view)
    def limited(
        request: VisitorRequest, /, *args: Rest.args, **kwargs: Rest.kwargs
    ) -> HttpResponseBase:
        if request.user.is_authenticated:
            return view(request, *args, **kwargs)
        address = address_of(request)
        if PAGES.is_reached(address):
            response = render(request, "scoring/too_many.html", status=429)
            response.headers["Retry-After"] = str(MINUTE)
            return response
        PAGES.count(address)
        return view(request, *args, **kwargs)

    return limited
