"""What somebody entered on a phone that others hold now, and that they have thrown away."""

from __future__ import annotations

from django.http import HttpResponse
from django.views.decorators.http import require_POST

from clubs.permissions import VisitorRequest
from scoring import actions, permissions
from scoring.forms import DroppedForm
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
    actions.note_dropped(table=table, by=by, **form.cleaned_data)
    return HttpResponse(status=204)
