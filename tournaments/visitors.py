"""A short mark of each person that a browser can write as.

A row that waits on a phone is sent only as the one who entered it, and pages that are kept there
are shown to nobody else. A mark says nothing about who it is, and opens nothing.
"""

from __future__ import annotations

from django.contrib.auth import SESSION_KEY
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import salted_hmac

from tournaments.actors import Actor
from tournaments.models import Phone
from tournaments.phones import cookies_of

LENGTH = 16


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


def _mark(text: str) -> str:
    return salted_hmac("tournaments.visitor", text, algorithm="sha256").hexdigest()[:LENGTH]
