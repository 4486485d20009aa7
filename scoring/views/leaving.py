"""A player says himself that he leaves."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from clubs.models import Role, User
from clubs.permissions import MemberRequest
from scoring import actions
from tournaments import actions as tournament_actions
from tournaments.models import Entry
from tournaments.permissions import get_event
from tournaments.views.pages import evening_context, status_of
from tournaments.visitors import as_named, mark_of, only_as_whoever_entered


@login_required
@only_as_whoever_entered
@require_http_methods(["GET", "HEAD", "POST"])
def leave_event(request: MemberRequest, pk: int) -> HttpResponse:
    """A player says himself that he leaves, from the next round on."""
    event = get_event(request.user, pk, at_least=Role.MEMBER)
    as_named(request, request.user)
    own = Entry.objects.filter(event=event, players__account=request.user).first()
    refusal: ValidationError | None = None
    if request.method == "POST" and own is not None:
        try:
            own = _withdraw(own, request.user)
        except ValidationError as why:
            refusal = why
    seat = own and own.seats.filter(round__state="playing").select_related("table").first()
    said = {"own": own, "seat": seat, "refusal": refusal, "as_whom": mark_of(request.user)}
    context = evening_context(request, event, here="leave", **said)
    return render(request, "tournaments/leave.html", context, status=status_of(refusal))


def _withdraw(entry: Entry, by: User) -> Entry:
    """Take somebody out; where sides meet, the others go on without playing."""
    if entry.event.meets_in_fixtures:
        return actions.side_leaves(entry=entry, by=by, is_expelled=False)
    return tournament_actions.withdraw_entry(entry=entry, by=by)
