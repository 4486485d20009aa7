"""The pages on which rows of a sheet are entered, compared, corrected, void and taken back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import uuid4

from django.contrib import messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST
from django_htmx.http import HttpResponseClientRedirect, HttpResponseClientRefresh

from clubs.permissions import VisitorRequest
from clubs.views.answers import answers_in
from scoring import permissions
from scoring.forms import DealerForm, SheetForm, UndoForm, VoidDealForm
from scoring.games import SheetLine, game_of
from scoring.models import SheetRow
from scoring.permissions import actor_at
from scoring.rules import StaleSheet, entered_last, is_correction
from scoring.rules.agreement import owes_reason
from scoring.views.agreements import agreements
from scoring.views.keeping import (
    author_sent,
    keeping,
    tells_entry_key,
    tells_why_refused,
)
from scoring.views.sheets import page_context, show, signing_context
from tournaments.actors import Actor, has_entered
from tournaments.models import Table
from tournaments.phones import known_visitor_required
from tournaments.visitors import only_as_whoever_entered

#: The header of a phone that can ask for the next row by itself (static/outbox.js).
GOES_ON = "Goes-On"
WHAT_A_ROW_CHANGES = ("version", "deals_recorded", "unconfirmed", "signed_at", "changed_at")

#: What asks, on a page that has no form because the director holds the sheet.
HELD_REGION = "held-here"


@tells_entry_key
@known_visitor_required
@only_as_whoever_entered
@require_http_methods(["GET", "HEAD", "POST"])
def record_deal(request: VisitorRequest, pk: int) -> HttpResponse:
    """Show the form of the next row; take it, or say what stands in its way."""
    table = permissions.table_to_score(request, pk)
    if request.method != "POST":
        is_waiting = request.htmx and request.htmx.trigger == HELD_REGION
        return still_held(request, table) if is_waiting else deal_page(request, table)
    game = game_of(table)
    form = game.form(request.POST, table=table, number=number_sent(request))
    if not form.is_valid():
        return deal_page(request, table, form, status=422)
    if "preview" in request.POST:
        return deal_page(request, table, form)
    by = writer(request, table, needs_office=form.is_ruling)
    try:
        written = game.record(form, by=by)
    except StaleSheet as stale:
        return conflict_page(request, table, form, stale)
    except ValidationError as refusal:
        form.add_error(None, refusal)
        return tells_why_refused(deal_page(request, table, form, status=422), refusal)
    return written_page(request, table, written, by=by)


@known_visitor_required
@only_as_whoever_entered
@require_POST
def undo_deal(request: VisitorRequest, pk: int) -> HttpResponse:
    """Take back the row that the page showed as the last one."""
    table = permissions.table_to_score(request, pk)
    game = game_of(table)
    form = UndoForm(request.POST)
    if not form.is_valid():
        return deal_page(request, table, status=422)
    row = game.rows(table).filter(pk=form.cleaned_data["deal"]).first()
    is_own = row is None or has_entered(author_sent(request, table), row)
    by = writer(request, table, needs_office=not is_own)
    try:
        undone = game.undo(table, by=by, row_id=form.cleaned_data["deal"])
    except StaleSheet:
        messages.error(request, _("Another deal has been entered since. Look at the sheet."))
        return deal_page(request, table, status=409)
    except ValidationError as refusal:
        messages.error(request, refusal.messages[0])
        return deal_page(request, table, status=409)
    messages.success(request, game.words(table, undone.number).undone)
    return deal_page_again(request, table)


@known_visitor_required
@only_as_whoever_entered
@require_POST
def choose_dealer(request: VisitorRequest, pk: int) -> HttpResponse:
    """Let the player at a place deal first, or draw who does."""
    table = permissions.table_to_score(request, pk)
    form = DealerForm(request.POST)
    has_begun = table.deals_recorded > 0
    if has_begun and not permissions.is_scorer_here(request, table):
        raise PermissionDenied(
            _("The first hand is on the sheet: only a scorer corrects who dealt first.")
        )
    try:
        if form.is_valid():
            place = form.cleaned_data["place"]
            game_of(table).choose_dealer(table, place=place, by=author_sent(request, table))
            if has_begun:
                messages.success(
                    request, _("Who dealt first is corrected; who deals next has changed with it.")
                )
    except ValidationError as refusal:
        messages.error(request, refusal.messages[0])
    return redirect("record-deal", table.pk)


def still_held(request: VisitorRequest, table: Table) -> HttpResponse:
    """Answer a page without a form; once the director lets the table write it is made anew."""
    if permissions.is_held_here(request, table):
        return HttpResponse(HELD_REGION)
    return HttpResponseClientRefresh()


def writer(request: VisitorRequest, table: Table, *, needs_office: bool) -> Actor:
    """Give who writes: as whom the page was made, in office where only that opens it."""
    by = author_sent(request, table)
    return permissions.in_office(request, table, by) if needs_office else by


def number_sent(request: HttpRequest) -> int:
    """The number that the page was made for: it says who dealt."""
    try:
        number: int = SheetForm.base_fields["number"].clean(request.POST.get("number", ""))
    except ValidationError:
        return 1
    return number


def deal_page_again(request: VisitorRequest, table: Table) -> HttpResponse:
    """Go on to the next row: htmx gets it at once, a browser is sent there."""
    if not request.htmx:
        return redirect("record-deal", table.pk)
    return deal_page(request, permissions.table_to_see(request, table.pk))


def deal_page(
    request: VisitorRequest, table: Table, form: SheetForm | None = None, *, status: int = 200
) -> HttpResponse:
    """Show a form, the next blank one when none is given, under it the last row."""
    game = game_of(table)
    rows = game.rows_of_sheet(table)
    if form is None and not permissions.is_held_here(request, table):
        form = game.blank_form(table, rows)
    number = form.deal_number if form else game.next_number(rows)
    last = entered_last(rows) if form is None or not form.is_bound else None
    context = page_context(request, table, number=number) | {
        "form": form,
        **beside(request, table, last, rows),
        **form_context(table, form, request),
        "time_is_over": signing_context(table)["time_is_over"],
        "keeping": keeping(table, number, by=actor_at(request, table), form=form) if form else None,
    }
    return show(request, "scoring/record_deal.html", context, part="deal", status=status)


def written_page(
    request: VisitorRequest, table: Table, written: SheetRow, *, by: Actor
) -> HttpResponse:
    """Go on from a row that is on the sheet now, whoever entered it."""
    if not has_entered(by, written):
        said = _("%(name)s: somebody else entered exactly the same. It is on the sheet once.")
        name = game_of(table).words(table, written.number).name
        messages.info(request, said % {"name": name})
    elif GOES_ON in request.headers:
        return went_on(request, table, written)
    return deal_page_again(request, table)


def went_on(request: VisitorRequest, table: Table, written: SheetRow) -> HttpResponse:
    """Answer a phone that asks for the next row by itself: only what stands around its form.

    Where something else is to be said, or the row written is not the last one, it gets all.
    """
    game = game_of(table)
    # The row's own table was read when it was locked, and is as the row has left it.
    now = written.table
    is_last = written.number == now.deals_recorded and not now.is_complete
    if not game.goes_on or not is_last or signing_context(table)["time_is_over"]:
        return deal_page_again(request, table)
    for name in WHAT_A_ROW_CHANGES:
        setattr(table, name, getattr(now, name))
    # The rows before it matter only where somebody has to agree with them.
    rows = game.rows_of_sheet(table) if asks_about_rows(table) else [written]
    context = page_context(request, table, number=written.number + 1) | {
        "last_part": game.template("last"),
        "told": {"version": table.version, "number": written.number + 1},
        **beside(request, table, entered_last(rows), rows),
    }
    return show(request, "scoring/record_deal.html", context, part="around")


def beside(
    request: VisitorRequest, table: Table, last: SheetRow | None, rows: Sequence[SheetRow]
) -> dict[str, Any]:
    """Give what stands beside the form of the next row: the last one, and what is asked of it."""
    if last is None:
        return {"last": None}
    return {
        "last": game_of(table).line_of(table, last, rows),
        "may_undo": may_undo(request, table, last, rows),
        **agreement_on_last(request, table, last, rows),
    }


def may_undo(
    request: VisitorRequest,
    table: Table,
    last: SheetRow,
    rows: Sequence[SheetRow],
) -> bool:
    """May the visitor take back the row that came last?"""
    is_mine = has_entered(actor_at(request, table), last)
    is_mine = is_mine or permissions.is_scorer_here(request, table)
    may_write = table.is_open and not permissions.is_held_here(request, table)
    return may_write and is_mine and not is_correction(last, rows)


def asks_about_rows(table: Table) -> bool:
    """Has somebody to agree with what is entered at the table, or has objected to it?"""
    return table.event.asks_to_confirm or table.objections > 0


def agreement_on_last(
    request: VisitorRequest, table: Table, last: SheetRow | None, rows: Sequence[SheetRow]
) -> dict[str, Any]:
    """Say whether the last row is confirmed, and what this seat is still asked."""
    if not asks_about_rows(table):
        return {"to_confirm": [], "agreement": None}
    lines = game_of(table).lines(table, rows)
    said = agreements(table, lines, by=actor_at(request, table))
    return {
        "to_confirm": [each for each in said.get("unconfirmed", ()) if each.is_asked],
        "agreement": next((e for e in said.get("agreements", ()) if e.line.row == last), None),
    }


def form_context(
    table: Table, form: SheetForm | None, request: VisitorRequest | None = None
) -> dict[str, Any]:
    """What a page with a form needs: its fields, its script, and what it would give."""
    game = game_of(table)
    if form is not None and request is not None:
        form.seen_by(actor_at(request, table))
    is_scorer = request is not None and permissions.is_scorer_here(request, table)
    return {
        "may_rule": is_scorer,
        "may_choose_dealer": is_scorer or not table.deals_recorded,
        "form_part": game.template("form"),
        "more_part": game.template("more") if game.has_more else "",
        "ahead_part": game.template("ahead") if game.carries_ahead and form else "",
        "script": game.script,
        "preview": game.preview(form) if form else {},
        "shown": shown_line(table, form),
    }


def shown_line(table: Table, form: SheetForm | None) -> SheetLine | None:
    """What a valid form would give; nothing without one."""
    if form is None or not form.is_bound or not form.is_valid():
        return None
    return game_of(table).typed_line(form)


def conflict_page(
    request: VisitorRequest,
    table: Table,
    form: SheetForm,
    stale: StaleSheet,
    *,
    corrects: bool = False,
) -> HttpResponse:
    """Show what stands beside what was sent, and let the visitor choose."""
    game = game_of(table)
    rows = game.rows_of_sheet(table)
    theirs = next((row for row in rows if stale.standing and row.pk == stale.standing.pk), None)
    number = form.deal_number if corrects else stale.number
    stands = None if corrects else theirs
    # What is compared, else what the sheet waits for now: the head says of which row the text is.
    about = form.deal_number if theirs or number is None else number
    context = page_context(request, table, number=about) | {
        "correct_action": (reverse("correct-deal", args=[table.pk, stands.pk]) if stands else None),
        "object_action": (
            reverse("object-to-deal", args=[table.pk, stands.pk]) if stands else None
        ),
        "sent_instead": form.as_sent(entry_key=uuid4(), version=table.version),
        "mine": game.typed_line(form),
        "theirs": game.line_of(table, theirs, rows) if theirs else None,
        "is_own": theirs is not None and has_entered(actor_at(request, table), theirs),
        "next_number": number,
        "next_words": game.words(table, number) if number else None,
        "corrects": corrects,
        "keeping": keeping(table, number or 1, by=actor_at(request, table)),
        "entry_key": form["entry_key"].value(),
        "sent": form.as_sent(number=number, entry_key=uuid4(), version=table.version),
        "action": reverse("record-deal", args=[table.pk]),
    }
    if corrects:
        context["action"] = reverse("correct-deal", args=[table.pk, theirs.pk]) if theirs else None
    return show(request, "scoring/deal_conflict.html", context, part="deal", status=409)


# A row is changed


@known_visitor_required
@only_as_whoever_entered
@require_http_methods(["GET", "HEAD", "POST"])
def correct_deal(request: VisitorRequest, pk: int, row: int) -> HttpResponse:
    """Show a row as it stands, to be put right; the former version stays on the sheet."""
    table = permissions.table_to_change(request, pk)
    game = game_of(table)
    deal = get_row(table, row)
    form = game.form_to_correct(deal, answers_in(request))
    if asks_why(request, deal):
        form.ask_why()
    if request.method != "POST":
        return form_or_sheet(request, deal, form)
    if not form.is_valid():
        return correction_page(request, deal, form, status=422)
    if "preview" in request.POST:
        return correction_page(request, deal, form)
    try:
        by = writer(request, table, needs_office=form.is_ruling or deal.is_ruling)
        game.correct(deal, form, by=by)
    except StaleSheet as stale:
        return conflict_page(request, table, form, stale, corrects=True)
    except ValidationError as refusal:
        form.add_error(None, refusal)
        return correction_page(request, deal, form, status=422)
    messages.success(request, game.words(table, deal.number).corrected)
    return to_sheet(request, table)


def asks_why(request: VisitorRequest, deal: SheetRow) -> bool:
    """Does a director change what others wrote, from outside the table?"""
    role = permissions.role_here(request, deal.table)
    by = actor_at(request, deal.table)
    return owes_reason(by, deal, list(deal.table.seats.all()), role=role)


def get_row(table: Table, pk: int) -> SheetRow:
    """A row of this table's sheet."""
    deal: SheetRow = get_object_or_404(game_of(table).rows(table), pk=pk)
    deal.table = table
    return deal


def form_or_sheet(request: VisitorRequest, deal: SheetRow, form: SheetForm) -> HttpResponse:
    """Show the form of a correction; the sheet, which says who holds it, while it is held."""
    if permissions.is_held_here(request, deal.table):
        return to_sheet(request, deal.table)
    return correction_page(request, deal, form)


def correction_page(
    request: VisitorRequest, deal: SheetRow, form: SheetForm, *, status: int = 200
) -> HttpResponse:
    context = page_context(request, deal.table, number=deal.number) | {
        "deal": deal,
        "form": form,
        **form_context(deal.table, form, request),
    }
    return show(request, "scoring/correct_deal.html", context, part="deal", status=status)


@known_visitor_required
@only_as_whoever_entered
@require_http_methods(["GET", "HEAD", "POST"])
def void_deal(request: VisitorRequest, pk: int, row: int) -> HttpResponse:
    """Ask why a row does not count, and strike it through."""
    table = permissions.table_to_change(request, pk)
    game = game_of(table)
    deal = get_row(table, row)
    if request.method != "POST" and permissions.is_held_here(request, table):
        return to_sheet(request, table)  # which says who holds it
    form = VoidDealForm(answers_in(request), usual=game.void_reasons)
    if form.is_valid():
        try:
            by = writer(request, table, needs_office=deal.is_ruling)
            game.void(deal, reason=form.sentence(), by=by)
        except StaleSheet:
            messages.error(request, _("This version of the deal no longer counts."))
            return to_sheet(request, table)
        except ValidationError as refusal:
            form.add_error(None, refusal)
        else:
            messages.success(request, game.words(table, deal.number).voided)
            return to_sheet(request, table)
    rows = game.rows_of_sheet(table)
    shown = next(each for each in rows if each.pk == deal.pk)
    context = page_context(request, table, number=deal.number) | {
        "deal": shown,
        "form": form,
        "line": game.line_of(table, shown, rows),
    }
    status = 422 if form.errors else 200
    return show(request, "scoring/void_deal.html", context, part="deal", status=status)


def to_sheet(request: VisitorRequest, table: Table) -> HttpResponse:
    """Go to the sheet, also from a page of which htmx asked only a part."""
    address = reverse("sheet", args=[table.pk])
    return HttpResponseClientRedirect(address) if request.htmx else redirect(address)
