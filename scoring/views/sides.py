"""A side of a tournament of fixtures: it leaves, it returns, its reserve plays."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from clubs.models import Role
from clubs.permissions import MemberRequest
from scoring import actions
from scoring.forms.fixtures import LeaveForm
from tournaments.forms.entries import ReserveForm
from tournaments.permissions import get_entry


@login_required
@require_POST
def side_leaves(request: MemberRequest, pk: int) -> HttpResponse:
    """Withdraw or expel a side, or let it play on."""
    entry = get_entry(request.user, pk, at_least=Role.DIRECTOR)
    form = LeaveForm(request.POST)
    if not entry.event.meets_in_fixtures or not form.is_valid():
        return redirect("entry", entry.pk)
    how = form.cleaned_data["how"]
    try:
        if how == "return":
            actions.side_returns(entry=entry, by=request.user)
        else:
            actions.side_leaves(entry=entry, by=request.user, is_expelled=how == "expel")
    except ValidationError as refusal:
        messages.error(request, " ".join(refusal.messages))
    return redirect("entry", entry.pk)


@login_required
@require_POST
def put_in_reserve(request: MemberRequest, pk: int) -> HttpResponse:
    """Let the reserve of a side play for one of its players."""
    entry = get_entry(request.user, pk, at_least=Role.DIRECTOR)
    form = ReserveForm(request.POST, entry=entry)
    if not form.is_valid():
        messages.error(request, _("Choose who stops and who plays instead."))
        return redirect("entry", entry.pk)
    gone, comes = form.cleaned_data["gone"].player, form.cleaned_data["comes"].player
    try:
        actions.put_in_reserve(entry=entry, gone=gone, comes=comes, by=request.user)
    except ValidationError as refusal:
        messages.error(request, " ".join(refusal.messages))
    else:
        messages.success(request, _("%(player)s plays now.") % {"player": comes})
    return redirect("entry", entry.pk)
