"""The signatures under a sheet: the table agrees, or no longer does."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from clubs.permissions import VisitorRequest
from scoring import actions, permissions
from scoring.forms.confirmations import SignForm
from scoring.games import game_of
from scoring.views.keeping import author_sent
from tournaments.models import Table
from tournaments.phones import known_visitor_required
from tournaments.visitors import only_as_whoever_entered


@known_visitor_required
@only_as_whoever_entered
@require_POST
def sign_sheet(request: VisitorRequest, pk: int) -> HttpResponse:
    """Sign the sheet from one's seat; a scorer signs for the table that has signed on paper."""
    table = permissions.table_to_score(request, pk)
    form = SignForm(request.POST)
    sent = form.cleaned_data if form.is_valid() else {}
    by, for_all = author_sent(request, table), sent.get("for_all", False)
    try:
        now = actions.sign(
            game_of(table).sheet,
            table=table,
            by=permissions.in_office(request, table, by) if for_all else by,
            version=sent.get("version"),
            for_all=for_all,
        )
    except ValidationError as refusal:
        messages.error(request, refusal.messages[0])
    else:
        messages.success(request, _said(now))
    return redirect(table)


def _said(table: Table) -> str:
    if table.signed_at is not None:
        return _("The sheet is signed.")
    return _("You have signed. The sheet still waits for the others.")


@known_visitor_required
@only_as_whoever_entered
@require_POST
def unsign_sheet(request: VisitorRequest, pk: int) -> HttpResponse:
    """Take the signature back, to change the sheet."""
    table = permissions.table_to_score(request, pk)
    try:
        actions.unsign_sheet(table=table, by=author_sent(request, table))
    except ValidationError as refusal:
        messages.error(request, refusal.messages[0])
    else:
        messages.success(request, _("The signature is taken back."))
    return redirect(table)
