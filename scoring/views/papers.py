"""Everything on paper: which documents there are, and each of them ready for the printer."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from clubs.models import Role
from clubs.permissions import MemberRequest, role_in
from scoring import exports
from scoring.forms import PaperForm
from scoring.views.lines import evening_rights
from tournaments.models import Event
from tournaments.permissions import get_event


@login_required
@require_safe
def paper(request: MemberRequest, pk: int) -> HttpResponse:
    """Choose what to print, in which language and on which paper."""
    event = get_event(request.user, pk, at_least=Role.SCORER)
    return _page(request, event, PaperForm(event=event, initial={"language": get_language()}))


def _page(
    request: MemberRequest, event: Event, form: PaperForm, *, status: int = 200
) -> HttpResponse:
    role = role_in(request.user, event.club)
    context = {
        "club": event.club,
        "nav": "evenings",
        "event": event,
        "here": "print",
        "form": form,
        "role": role,
        **evening_rights(role),
    }
    return render(request, "scoring/paper.html", context, status=status)


@login_required
@require_safe
def print_paper(request: MemberRequest, pk: int) -> HttpResponse:
    """Show one document as it will be printed."""
    event = get_event(request.user, pk, at_least=Role.SCORER)
    form = PaperForm(request.GET, event=event)
    if not form.is_valid():
        return _page(request, event, form, status=422)
    return HttpResponse(exports.html_of(event, form.order(), on_screen=True))
