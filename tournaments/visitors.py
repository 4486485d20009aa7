"""A short mark of each person that a browser can write as.

A row that waits on a phone is sent only as the one who entered it, and pages that are kept there
are shown to nobody else. A form names by it for whom its page was made, so that nobody acts in the
name of whoever had the phone before. A mark says nothing about who it is, and opens nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate

from django.contrib import messages
from django.contrib.auth import SESSION_KEY
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from tournaments.actors import Actor
from tournaments.models import Phone
from tournaments.phones import cookies_of

LENGTH = 16
#: The field in which a form names for whom its page was made.
ENTERED_BY = "entered_by"
#: What stands in that field on a page for a browser that was nobody yet.
NOBODY = "nobody"


class AuthorshipError(Exception):
    """The one who sends something cannot act as the one for whom its page was made."""


type View[**P] = Callable[Concatenate[Any, P], HttpResponse]


def mark_of(by: Actor) -> str:
    """Give the mark of an account or a phone."""
    return _mark(f"phone {by.key.hex}" if isinstance(by, Phone) else f"account {by.pk}")


def marks_of(request: HttpRequest) -> list[str]:
    """Give the marks of all that the browser brings with it: its account and its phones."""
    account = request.session.get(SESSION_KEY) if hasattr(request, "session") else None
    phones = [f"phone {value.partition(':')[0]}" for value in cookies_of(request)]
    return [_mark(text) for text in (*([f"account {account}"] if account else ()), *phones)]


def for_visitor[Answer: HttpResponse](request: HttpRequest, response: Answer) -> Answer:
    """Say for whom a page was made, so that his phone may keep it and show it to nobody else."""
    marks = marks_of(request)
    if marks:
        response.headers["Visitor"] = marks[0]
    return response


# For whom a page was made


def as_named(request: HttpRequest, *actors: Actor) -> Actor:
    """Give, of those as whom a visitor may act, the one whom his page names; else the first."""
    named = request.POST.get(ENTERED_BY)
    for by in actors:
        if not named or mark_of(by) == named:
            return by
    raise AuthorshipError


def mark_or_nobody(by: Actor | None) -> str:
    """Give what a form names where a browser may be nobody yet."""
    return NOBODY if by is None else mark_of(by)


def only_as_whoever_entered[**P](view: View[P]) -> View[P]:
    """Refuse what comes from a page that was made for somebody else than the one who sends it.

    A row stays on the phone as his who entered it; any other page says so and is made anew.
    Nobody is made the author of what he has not entered.
    """

    @wraps(view)
    def guarding(request: Any, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        try:
            _refuse_unknown(request)
            return view(request, *args, **kwargs)
        except AuthorshipError:
            return _of_another(request)

    return guarding


def _refuse_unknown(request: HttpRequest) -> None:
    """Refuse him for whom the browser does not stand any more, before anything else is asked."""
    named = request.POST.get(ENTERED_BY)
    if named and named not in {NOBODY, *marks_of(request)}:
        raise AuthorshipError


def _of_another(request: Any) -> HttpResponse:
    refused = HttpResponse(status=403, headers={"Refused": "another"})
    if request.htmx and "entry_key" in request.POST:
        return refused
    messages.error(
        request,
        _("This phone stands for somebody else since the page was loaded: nothing was stored."),
    )
    if not request.htmx:
        return redirect(request.path)
    refused.headers["HX-Refresh"] = "true"
    return refused


def _mark(text: str) -> str:
    return salted_hmac("tournaments.visitor", text, algorithm="sha256").hexdigest()[:LENGTH]
