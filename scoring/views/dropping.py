"""What somebody entered on a phone that others hold now, and that they have thrown away."""

from __future__ import annotations

from django.http import HttpResponse, QueryDict
from django.views.decorators.http import require_POST

from clubs.permissions import VisitorRequest
from scoring import actions, permissions
from scoring.forms import DroppedForm
from scoring.games import game_of
from tournaments.models import Table
from tournaments.phones import known_visitor_required


@known_visitor_required
@require_POST
def drop_kept(request: VisitorRequest, pk: int) -> HttpResponse:
    """Write into the journal who has thrown away what, and whose it was.

    The row itself was on the phone only, and has gone from there whatever is answered.
    """
    table, by = permissions.table_and_holder(request, pk)
    form = DroppedForm(request.POST)
    if not form.is_valid():
        return HttpResponse(status=422)
    words = words_of_row(table, request.POST, number=form.cleaned_data["number"])
    sheets = game_of(table).sheet
    actions.note_dropped(sheets, table=table, by=by, words=words, **form.cleaned_data)
    return HttpResponse(status=204)


def words_of_row(table: Table, sent: QueryDict, *, number: int) -> str:
    """Say what the fields of a row that was never sent say; nothing where they cannot be read."""
    game = game_of(table)
    fields = sent.copy()
    # What its page asked may be no question any more: the answer is read as it stands.
    fields.pop("asked", None)
    form = game.form(fields, table=table, number=number)
    if not form.is_valid():
        return ""
    line = game.typed_line(form)
    return " · ".join(filter(None, [line.words, *line.extras, line.outcome]))
