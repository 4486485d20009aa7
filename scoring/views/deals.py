"""The pages on which deals are entered, compared, corrected, declared void and taken back."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.formats import get_format
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST
from django_htmx.http import HttpResponseClientRedirect

from clubs.models import Role
from clubs.permissions import MemberRequest
from rules_engine import tarot
from scoring import actions, permissions
from scoring.forms import TarotDealForm, UndoForm, VoidDealForm, answers_of
from scoring.models import TarotDeal
from scoring.rules import StaleSheet, entered_last, is_correction, next_number
from scoring.rules.tarot import ruleset_of
from scoring.views.sheet_lines import SheetLine, typed_line
from scoring.views.sheets import lines_of, page_context, seats_of, show, signing_context
from tournaments.models import Table
from tournaments.permissions import get_visible_table


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def record_deal(request: MemberRequest, pk: int) -> HttpResponse:
    """Show the form of the next deal; take it, or say what stands in its way."""
    table = permissions.get_table_to_score(request.user, pk)
    if request.method != "POST":
        return deal_page(request, table)
    form = TarotDealForm(request.POST, table=table, number=number_sent(request))
    if not form.is_valid():
        return deal_page(request, table, form, status=422)
    if "preview" in request.POST:
        return deal_page(request, table, form)
    try:
        actions.record_tarot_deal(
            table=table,
            number=form.cleaned_data["number"],
            entry_key=form.cleaned_data["entry_key"],
            deal=form.deal(),
            by=request.user,
            **form.seats_of_deal(),
        )
    except StaleSheet as stale:
        return conflict_page(request, table, form, stale)
    except ValidationError as refusal:
        form.add_error(None, refusal)
        return deal_page(request, table, form, status=422)
    return deal_page_again(request, table)


@login_required
@require_POST
def undo_deal(request: MemberRequest, pk: int) -> HttpResponse:
    """Take back the deal that the page showed as the last one."""
    table = permissions.get_table_to_score(request.user, pk)
    form = UndoForm(request.POST)
    if not form.is_valid():
        return deal_page(request, table, status=422)
    try:
        undone = actions.undo_last_deal(
            table=table, by=request.user, deal_id=form.cleaned_data["deal"]
        )
    except StaleSheet:
        messages.error(request, _("Another deal has been entered since. Look at the sheet."))
        return deal_page(request, table, status=409)
    except ValidationError as refusal:
        messages.error(request, refusal.messages[0])
        return deal_page(request, table, status=409)
    messages.success(request, _("Deal %(n)s is taken back.") % {"n": undone.number})
    return deal_page_again(request, table)


def number_sent(request: HttpRequest) -> int:
    """The number that the page was made for: it says who dealt."""
    try:
        number: int = TarotDealForm.base_fields["number"].clean(request.POST.get("number", ""))
    except ValidationError:
        return 1
    return number


def deal_page_again(request: MemberRequest, table: Table) -> HttpResponse:
    """Go on to the next deal: htmx gets it at once, a browser is sent there."""
    if not request.htmx:
        return redirect("record-deal", table.pk)
    return deal_page(request, get_visible_table(request.user, table.pk))


def deal_page(
    request: MemberRequest, table: Table, form: TarotDealForm | None = None, *, status: int = 200
) -> HttpResponse:
    """Show a deal form, the next blank one when none is given, under it the last deal."""
    rows = list(table.tarot_deals.for_sheet())
    standing = {deal.number for deal in rows if deal.is_standing}
    number = next_number(standing)
    context = page_context(request, table)
    if form is None and table.is_open and len(standing) < table.deals_planned:
        form = TarotDealForm(table=table, number=number)
    context |= {
        "form": form,
        "number": form.deal_number if form else number,
        "last": last_line(table, rows) if form is None or not form.is_bound else None,
        "shown": shown_line(form),
        "preview": preview_data(ruleset_of(table)),
        "time_is_over": signing_context(table)["time_is_over"],
    }
    if context["last"]:
        last = context["last"].deal
        scorer = context["role"] is not None and context["role"].may_act_as(Role.SCORER)
        mine = scorer or last.author_id == request.user.pk
        context["may_undo"] = table.is_open and mine and not is_correction(last, rows)
    return show(request, "scoring/record_deal.html", context, part="deal", status=status)


def preview_data(rules: tarot.Ruleset) -> dict[str, Any]:
    """What the phone shows scores with before a deal is sent: amounts to add up, and words."""
    return {
        "table": tarot.scoring_table(rules),
        "pack": tarot.PACK_HALF_POINTS,
        "words": {
            "made": _("%(contract)s made by %(n)s"),
            "lost": _("%(contract)s down by %(n)s"),
            "taker": _("Who took?"),
            "contract": _("Which contract?"),
            "partner": _("With whom?"),
            "bouts": _("How many bouts?"),
            "points": _("How many points?"),
            "range": _("Points go from %(fewest)s to %(most)s."),
            "whole": _("At this table points are whole."),
            "half": get_format("DECIMAL_SEPARATOR") + "5",
        },
    }


def last_line(table: Table, rows: list[TarotDeal]) -> SheetLine | None:
    """The deal that was entered last."""
    last = entered_last(rows)
    return lines_of(table, [last])[0] if last else None


def shown_line(form: TarotDealForm | None) -> SheetLine | None:
    """What a valid form would give; nothing without one."""
    return typed_line(form) if form and form.is_bound and form.is_valid() else None


def conflict_page(
    request: MemberRequest,
    table: Table,
    form: TarotDealForm,
    stale: StaleSheet,
    *,
    corrects: bool = False,
) -> HttpResponse:
    """Show what stands beside what was sent, and let the visitor choose."""
    theirs = stale.standing
    rows = table.tarot_deals.filter(pk=theirs.pk).for_sheet() if theirs else ()
    number = form.deal_number if corrects else stale.number
    context = page_context(request, table) | {
        "mine": typed_line(form),
        "theirs": next(iter(lines_of(table, rows)), None),
        "number": form.deal_number,
        "next_number": number,
        "corrects": corrects,
        "sent": form.as_sent(number=number, entry_key=uuid4(), version=table.version),
        "action": reverse("record-deal", args=[table.pk]),
    }
    if corrects:
        context["action"] = reverse("correct-deal", args=[theirs.pk]) if theirs else None
    return show(request, "scoring/deal_conflict.html", context, part="deal", status=409)


# A deal is changed


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def correct_deal(request: MemberRequest, pk: int) -> HttpResponse:
    """Show a deal as it stands, to be put right; the former version stays on the sheet."""
    deal = permissions.get_deal_to_change(request.user, pk)
    table = deal.table
    if request.method != "POST":
        typed = answers_of(deal, seats_of(table))
        form = TarotDealForm(table=table, number=deal.number, initial=typed)
        return correction_page(request, deal, form)
    form = TarotDealForm(request.POST, table=table, number=deal.number)
    if not form.is_valid():
        return correction_page(request, deal, form, status=422)
    if "preview" in request.POST:
        return correction_page(request, deal, form)
    try:
        actions.correct_tarot_deal(
            deal=deal,
            corrected=form.deal(),
            entry_key=form.cleaned_data["entry_key"],
            by=request.user,
            **form.seats_of_deal(),
        )
    except StaleSheet as stale:
        return conflict_page(request, table, form, stale, corrects=True)
    except ValidationError as refusal:
        form.add_error(None, refusal)
        return correction_page(request, deal, form, status=422)
    messages.success(request, _("Deal %(n)s is corrected.") % {"n": deal.number})
    return to_sheet(request, table)


def correction_page(
    request: MemberRequest, deal: TarotDeal, form: TarotDealForm, *, status: int = 200
) -> HttpResponse:
    context = page_context(request, deal.table) | {
        "deal": deal,
        "form": form,
        "number": deal.number,
        "shown": shown_line(form),
        "preview": preview_data(form.ruleset),
    }
    return show(request, "scoring/correct_deal.html", context, part="deal", status=status)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def void_deal(request: MemberRequest, pk: int) -> HttpResponse:
    """Ask why a deal does not count, and strike it through."""
    deal = permissions.get_deal_to_change(request.user, pk)
    form = VoidDealForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            actions.void_deal(deal=deal, reason=form.sentence(), by=request.user)
        except StaleSheet:
            messages.error(request, _("This version of the deal no longer counts."))
        else:
            messages.success(request, _("Deal %(n)s is void.") % {"n": deal.number})
        return to_sheet(request, deal.table)
    rows = deal.table.tarot_deals.filter(pk=deal.pk).for_sheet()
    context = page_context(request, deal.table) | {
        "deal": deal,
        "form": form,
        "line": lines_of(deal.table, rows)[0],
    }
    status = 422 if form.errors else 200
    return show(request, "scoring/void_deal.html", context, part="deal", status=status)


def to_sheet(request: MemberRequest, table: Table) -> HttpResponse:
    """Go to the sheet, also from a page of which htmx asked only a part."""
    address = reverse("sheet", args=[table.pk])
    return HttpResponseClientRedirect(address) if request.htmx else redirect(address)
