"""The journal of an evening."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from clubs.models import Role
from clubs.permissions import MemberRequest
from scoring.journal import keys_of, lines_of
from tournaments.permissions import get_event
from tournaments.views.pages import evening_context

LINES_ON_A_PAGE = 50


@login_required
@require_safe
def journal(request: MemberRequest, pk: int) -> HttpResponse:
    """What somebody did to the evening and its sheets, and when."""
    event = get_event(request.user, pk, at_least=Role.MEMBER)
    page = Paginator(keys_of(event), LINES_ON_A_PAGE).get_page(request.GET.get("page"))
    lines = lines_of(list(page.object_list))
    context = evening_context(request, event, here="journal", page=page, lines=lines)
    return render(request, "scoring/journal.html", context)
