"""The signature under a sheet: the table agrees, or no longer does."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from clubs.permissions import MemberRequest
from scoring import permissions
from tournaments import actions as tournament_actions


@login_required
@require_POST
def sign_sheet(request: MemberRequest, pk: int) -> HttpResponse:
    """Sign the sheet: the players of the table and the scorers may."""
    table = permissions.get_table_to_score(request.user, pk)
    try:
        tournament_actions.sign_sheet(table=table, by=request.user)
    except ValidationError as refusal:
        messages.error(request, refusal.messages[0])
    else:
        messages.success(request, _("The sheet is signed."))
    return redirect(table)


@login_required
@require_POST
def unsign_sheet(request: MemberRequest, pk: int) -> HttpResponse:
    """Take the signature back, to change the sheet."""
    table = permissions.get_table_to_score(request.user, pk)
    try:
        tournament_actions.unsign_sheet(table=table, by=request.user)
    except ValidationError as refusal:
        messages.error(request, refusal.messages[0])
    else:
        messages.success(request, _("The signature is taken back."))
    return redirect(table)
