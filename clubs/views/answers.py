"""How views read what was sent and answer it."""

from __future__ import annotations

from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render, resolve_url
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _


def answers_in(request: HttpRequest) -> QueryDict | None:
    """What was sent, empty or not; nothing when the page is only asked for."""
    return request.POST if request.method == "POST" else None


def answer(request: HttpRequest, template: str, form: BaseForm, **context: object) -> HttpResponse:
    """Render the form's page; 422 when it was sent and refused."""
    status = 422 if form.is_bound and not form.is_valid() else 200
    return render(request, template, {"form": form, **context}, status=status)


def too_many(request: HttpRequest, form: BaseForm, template: str) -> HttpResponse:
    form.full_clean()
    form.add_error(None, _("Too many attempts from this place. Try again in 15 minutes."))
    return render(request, template, {"form": form}, status=429)


def safe_next(request: HttpRequest, default: str = "home") -> str:
    """The address in ``next`` when it is on this site, else the default page."""
    wanted = request.POST.get("next", "") or request.GET.get("next", "")
    allowed = url_has_allowed_host_and_scheme(
        wanted, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return wanted if allowed else resolve_url(default)
