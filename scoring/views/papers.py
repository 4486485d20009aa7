"""Everything on paper: which documents there are, and each of them ready for the printer."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import get_language
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import HTMX_STOP_POLLING

from clubs.models import Role
from clubs.permissions import MemberRequest, role_in
from scoring import actions, exports
from scoring.forms import JobForm, PaperForm
from scoring.models import PaperJob
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
    return render(request, "scoring/paper.html", _context(request, event, form=form), status=status)


def _context(request: MemberRequest, event: Event, **more: Any) -> dict[str, Any]:
    role = role_in(request.user, event.club)
    shown = {"club": event.club, "nav": "evenings", "event": event, "here": "print", "role": role}
    return shown | evening_rights(role) | more


@login_required
@require_safe
def print_paper(request: MemberRequest, pk: int) -> HttpResponse:
    """Show one document as it will be printed."""
    event = get_event(request.user, pk, at_least=Role.SCORER)
    form = PaperForm(request.GET, event=event)
    if not form.is_valid():
        return _page(request, event, form, status=422)
    return HttpResponse(
        exports.html_of(event, form.order(origin=origin_of(request)), on_screen=True)
    )


def origin_of(request: MemberRequest) -> str:
    """Give where the pages are, as addresses on paper begin."""
    return request.build_absolute_uri("/").rstrip("/")


# One file, made by a worker


@login_required
@require_POST
def make_paper(request: MemberRequest, pk: int) -> HttpResponse:
    """Have one file made of the document, and go and watch."""
    event = get_event(request.user, pk, at_least=Role.SCORER)
    form = PaperForm(request.POST, event=event)
    if not form.is_valid():
        return _page(request, event, form, status=422)
    try:
        job = actions.ask_for_paper(
            event=event, order=form.order(origin=origin_of(request)), by=request.user
        )
    except ValidationError as refusal:
        form.add_error(None, refusal)
        return _page(request, event, form, status=422)
    return redirect(reverse("paper-file", args=[event.pk]) + f"?job={job.pk}")


@login_required
@require_safe
def paper_file(request: MemberRequest, pk: int) -> HttpResponse:
    """Say how far a file is, and give it once it is made."""
    event = get_event(request.user, pk, at_least=Role.SCORER)
    form = JobForm(request.GET)
    if not form.is_valid():
        return redirect("paper", event.pk)
    jobs: Any = event.paper_jobs
    if form.cleaned_data["download"]:
        job = get_object_or_404(jobs, pk=form.cleaned_data["job"], state=PaperJob.State.DONE)
        return _download(job)
    job = get_object_or_404(jobs.defer("file"), pk=form.cleaned_data["job"])
    title, asked = exports.DOCUMENTS[job.order["document"]], _as_asked(job.order)
    context = _context(request, event, job=job, title=title, asked=asked)
    template = "scoring/paper_file.html" + ("#job" if request.htmx else "")
    status = HTMX_STOP_POLLING if request.htmx and not job.is_unfinished else 200
    return render(request, template, context, status=status)


def _as_asked(order: dict[str, Any]) -> str:
    """Give an order as the address of the page to print has it."""
    chosen = {name: order[name] for name in PaperForm.base_fields if order.get(name)}
    return urlencode(chosen | ({"blank": "on"} if order.get("blank") else {}))


def _download(job: PaperJob) -> HttpResponse:
    name = f"{job.order['document']}-{job.event_id}.pdf"
    return HttpResponse(
        bytes(job.file or b""),
        content_type="application/pdf",
        headers={"Content-Disposition": f'inline; filename="{name}"'},
    )
