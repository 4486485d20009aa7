"""What every page of an evening shows: the club, the visitor's role, what went wrong."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.urls import reverse

from clubs.models import Role
from clubs.permissions import role_in
from tournaments.games import facts_of
from tournaments.models import Event, Round
from tournaments.rules import Conflict


def evening_context(request: HttpRequest, event: Event, **more: Any) -> dict[str, Any]:
    """The context of a page of the evening."""
    role = role_in(request.user, event.club)
    return {
        "event": event,
        "club": event.club,
        "facts": facts_of(event.game),
        "nav": "evenings",
        "role": role,
        "may_direct": role is not None and role.may_act_as(Role.DIRECTOR),
        "may_check_in": role is not None and role.may_act_as(Role.SCORER),
        # Once for all rows of the list at the door.
        "presence_url": reverse("presence", args=[event.pk]),
    } | more


def status_of(refusal: ValidationError | None) -> int:
    """409 for a page that is too old, 422 for what was asked, 200 for no refusal."""
    if refusal is None:
        return 200
    return 409 if isinstance(refusal, Conflict) else 422


def round_meant(event: Event, pk: int) -> Round:
    """The round that the page spoke of, even when it is gone: then the action says so."""
    found = event.rounds.filter(pk=pk).first()
    return found or Round(pk=pk, event=event)
