"""The director's page of links: who may come in without an account, and who has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.db.models import Count, Max, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from clubs.models import Role
from clubs.permissions import MemberRequest
from tournaments import actions, phones
from tournaments.cards import qr_path
from tournaments.forms.phones import MOST_TABLES, LinksForm
from tournaments.models import Event, JoinLink, Phone, Table
from tournaments.permissions import get_event, get_link, get_phone
from tournaments.views.pages import evening_context, status_of

#: Enough for one page; a hall of eight hundred is looked through by name.
PHONES_SHOWN = 200


@login_required
@require_safe
def links(request: MemberRequest, pk: int) -> HttpResponse:
    """All links of the event that are good, to show, print, copy, renew and take back."""
    return _page(request, get_event(request.user, pk, at_least=Role.DIRECTOR))


@login_required
@require_POST
def make_links(request: MemberRequest, pk: int) -> HttpResponse:
    """Make a link of a role, or one for each table card."""
    event = get_event(request.user, pk, at_least=Role.DIRECTOR)
    form = LinksForm(request.POST)
    if not form.is_valid():
        message = _("Choose from 1 to %(most)s tables.") % {"most": MOST_TABLES}
        return _page(request, event, refusal=ValidationError(message, code="tables"))
    last = form.cleaned_data["tables"]
    tables: list[int | None] = list(range(1, last + 1)) if last else [None]
    role = JoinLink.Role(form.cleaned_data["role"])
    try:
        made = actions.make_links(event=event, role=role, by=request.user, tables=tables)
    except ValidationError as refusal:
        return _page(request, event, refusal=refusal)
    said = ngettext("%(n)s link is ready.", "%(n)s links are ready.", len(made))
    messages.success(request, said % {"n": len(made)})
    return redirect("links", event.pk)


@login_required
@require_POST
def revoke_link(request: MemberRequest, pk: int) -> HttpResponse:
    """Take a link back, with the phones that joined by it."""
    link = get_link(request.user, pk, at_least=Role.DIRECTOR)
    actions.revoke_link(link=link, by=request.user)
    messages.success(request, _("The link opens nothing any more."))
    return redirect("links", link.event_id)


@login_required
@require_POST
def renew_link(request: MemberRequest, pk: int) -> HttpResponse:
    """Take a link back and make another in its place."""
    link = get_link(request.user, pk, at_least=Role.DIRECTOR)
    try:
        actions.renew_link(link=link, by=request.user)
    except ValidationError as refusal:
        return _page(request, link.event, refusal=refusal)
    messages.success(request, _("The old link opens nothing any more; here is the new one."))
    return redirect("links", link.event_id)


@login_required
@require_POST
def remove_phone(request: MemberRequest, pk: int) -> HttpResponse:
    """Send a phone off the event."""
    phone = get_phone(request.user, pk, at_least=Role.DIRECTOR)
    actions.remove_phone(phone=phone, by=request.user)
    messages.success(
        request,
        _(
            "The phone is off the event. What it entered stays. Whoever has a link that is good "
            "can join again: renew the link to keep him out."
        ),
    )
    return redirect("links", phone.event_id)


def _page(
    request: MemberRequest, event: Event, *, refusal: ValidationError | None = None
) -> HttpResponse:
    good = [link for link in _with_phones(event) if link.is_good(timezone.now())]
    joined = Phone.objects.filter(event=event, removed_at=None, link__revoked_at=None)
    lines = [line_of(request, link) for link in good]
    single = (JoinLink.Role.SCORER, JoinLink.Role.REFEREE, JoinLink.Role.WALL)
    context = evening_context(
        request,
        event,
        here="links",
        refusal=refusal,
        single=[line for line in lines if line["link"].role in single],
        whole=[line for line in lines if line["link"].role == "player" and not line["number"]],
        tables=[line for line in lines if line["number"]],
        missing=[role for role in single if role not in {link.role for link in good}],
        phones=joined.select_related("link", "player").order_by("-seen_at")[:PHONES_SHOWN],
        tables_drawn=_tables_drawn(event),
        join_address=_shown(request, reverse("join")),
    )
    return render(request, "tournaments/links.html", context, status=status_of(refusal))


def _with_phones(event: Event) -> Sequence[JoinLink]:
    here = Q(phones__removed_at=None)
    found = list(event.join_links.filter(revoked_at=None).annotate(joined=Count("phones", here)))
    for link in found:
        link.event = event
    return found


def _tables_drawn(event: Event) -> int:
    last = Table.objects.filter(round__event=event).aggregate(last=Max("number"))["last"]
    return int(last or 0)


def line_of(request: HttpRequest, link: JoinLink) -> dict[str, Any]:
    """What a page shows of a link: its address, its short code and its square."""
    address = request.build_absolute_uri(phones.path_of(link))
    size, path = qr_path(address)
    return {
        "link": link,
        "number": link.table_number,
        "address": address,
        "code": phones.spoken(link.code),
        "size": size,
        "path": path,
    }


def _shown(request: HttpRequest, path: str) -> str:
    return request.build_absolute_uri(path).partition("://")[2]
