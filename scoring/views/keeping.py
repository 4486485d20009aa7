"""What a phone needs to keep rows until they have arrived, and the answer that lets go of them."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate
from uuid import UUID

from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.utils.translation import gettext as _

from clubs.permissions import VisitorRequest
from scoring import permissions
from scoring.forms import SheetForm
from scoring.games import game_of
from tournaments import phones
from tournaments.actors import Actor
from tournaments.models import Phone, Table
from tournaments.visitors import as_named, mark_of

ENTRY_KEY = "Entry-Key"
#: A table that a director has taken over, or of a round that is frozen; and a round that is closed.
REFUSED = {"taken_over": "held", "frozen": "held", "sheet_closed": "closed"}


type View[**P] = Callable[Concatenate[Any, P], HttpResponse]


def tells_entry_key[**P](view: View[P]) -> View[P]:
    """Let an answer say which row it is about.

    A phone lets go of a row only by such an answer: a network that answers everything with a page
    of its own never counts as one that has taken it.
    """

    @wraps(view)
    def telling(request: Any, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        response = view(request, *args, **kwargs)
        key = _key_in(request.POST.get("entry_key", ""))
        if key is not None:
            response.headers[ENTRY_KEY] = str(key)
        return response

    return telling


def author_sent(request: VisitorRequest, table: Table) -> Actor:
    """Give for whom the page was made that sends this, where the visitor may write as him."""
    return as_named(request, *permissions.actors_at(request, table))


def tells_why_refused(response: HttpResponse, refusal: ValidationError) -> HttpResponse:
    """Let a refusal say that it is one for a while, and the phone sends again, or one for good."""
    why = REFUSED.get(getattr(refusal, "code", None) or "")
    if why is not None:
        response.headers["Refused"] = why
    return response


def _key_in(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None


def keeping(
    table: Table, number: int, *, by: Actor, form: SheetForm | None = None
) -> dict[str, Any]:
    """Give what a page keeps rows with: as whom they are sent, and what follows each of them."""
    game = game_of(table)
    words = {n: game.words(table, n) for n in game.ahead(table, number)}
    return {
        "table": table.pk,
        "number": number,
        "stand": game.stand(form) if form else None,
        "who": mark_of(by),
        "by": str(by) if isinstance(by, Phone) else by.name,
        "was": [mark_of(former) for former in phones.former(by)],
        "name": game.words(table, number).name,
        "at": _("Round %(round)s, table %(table)s")
        % {"round": table.round.number, "table": table.number},
        "rows": {
            n: {
                "name": said.name,
                "send": said.send,
                "heading": said.heading,
                "dealer": game.dealer_of(table, n).pk,
            }
            for n, said in words.items()
        },
    }
