"""The pages on which the others at a table agree with a row, or object to it."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import (
    condition,
    require_http_methods,
    require_POST,
    require_safe,
)

from clubs.models import Role
from clubs.permissions import MemberRequest, VisitorRequest, require_role
from clubs.views.answers import answers_in
from scoring import actions, permissions
from scoring.forms import SheetForm
from scoring.forms.confirmations import EnteringForm, ObjectionForm, SettleForm
from scoring.games import SheetLine, game_of
from scoring.models import Confirmation, SheetRow
from scoring.permissions import actor_at
from scoring.rules import StaleSheet, entered_last
from scoring.views.agreements import agreements, row_of
from scoring.views.deals import agreement_on_last, form_context, get_row
from scoring.views.keeping import author_sent
from scoring.views.open_rows import open_rows
from scoring.views.sheets import page_context, show, tag_for_polling
from tournaments import actions as tournament_actions
from tournaments import phones
from tournaments.actors import Actor
from tournaments.models import Phone, Table
from tournaments.permissions import get_table
from tournaments.phones import known_visitor_required
from tournaments.rules import held_from
from tournaments.visitors import AuthorshipError, as_named, only_as_whoever_entered


@known_visitor_required
@only_as_whoever_entered
@require_http_methods(["GET", "HEAD", "POST"])
def confirm_deal(request: VisitorRequest, pk: int, row: int) -> HttpResponse:
    """Ask another player of the table whether a row is right, and take his word for it.

    Beside a form htmx asks and answers in a region of its own: what is half entered there stays.
    """
    table = permissions.table_to_score(request, pk)
    deal = get_row(table, row)
    if request.method != "POST":
        return _confirm_page(request, table, deal)
    game = game_of(table)
    try:
        said = actions.confirm_row(game.sheet, row=deal, by=author_sent(request, table))
    except StaleSheet:
        messages.error(request, _("This row has changed since: look at the sheet."))
        return _confirm_page(request, table, deal, status=409)
    except ValidationError as refusal:
        messages.error(request, refusal.messages[0])
        return _confirm_page(request, table, deal, status=422)
    messages.success(request, _said_of(said))
    if request.htmx:
        return _next_to_confirm(request, permissions.table_to_see(request, pk))
    return redirect("record-deal" if table.is_open and not table.is_complete else "sheet", pk)


@known_visitor_required
@only_as_whoever_entered
@require_http_methods(["GET", "HEAD", "POST"])
def object_to_deal(request: VisitorRequest, pk: int, row: int) -> HttpResponse:
    """Let a player say what is wrong with a row, and what should stand there."""
    table = permissions.table_to_score(request, pk)
    game, deal = game_of(table), get_row(table, row)
    note, form = ObjectionForm(answers_in(request)), game.form_to_correct(deal)
    if request.method != "POST":
        return _objection_page(request, deal, note, form)
    only_words = note.is_valid() and note.cleaned_data["only_words"]
    form = form if only_words else game.form_to_correct(deal, request.POST)
    if not note.is_valid() or not (only_words or form.is_valid()):
        return _objection_page(request, deal, note, form, status=422)
    try:
        actions.object_to_row(
            game.sheet,
            row=deal,
            by=author_sent(request, table),
            note=note.cleaned_data["note"],
            proposed={} if only_words else _proposed(deal, form),
        )
    except StaleSheet:
        messages.error(request, _("This row has changed since: look at the sheet."))
        return redirect("sheet", pk)
    except ValidationError as refusal:
        note.add_error("note", refusal)
        return _objection_page(request, deal, note, form, status=422)
    messages.success(request, _("The director is told, with both versions."))
    return redirect("sheet", pk)


@require_safe
@condition(etag_func=tag_for_polling)
def agreement(request: VisitorRequest, pk: int, row: int) -> HttpResponse:
    """Say of the row that a page shows whether it is confirmed by now."""
    table = permissions.table_to_see(request, pk)
    game = game_of(table)
    said = agreements(table, game.lines(table, game.rows_of_sheet(table)), by=None)
    found = (each for each in said.get("agreements", ()) if each.line.row.pk == row)
    context = {"table": table, "agreement": next(found, None)}
    return show(request, "scoring/agreement.html", context, part="agreement")


@login_required
@only_as_whoever_entered
@require_POST
def settle_objection(request: MemberRequest, pk: int) -> HttpResponse:
    """Settle an objection as the director: take what it proposes, or keep what stands."""
    said = get_object_or_404(Confirmation.objects.objections_ever(), pk=pk)
    table = permissions.table_to_see(request, said.table_id)
    require_role(request.user, table.event.club, Role.DIRECTOR)
    as_named(request, request.user, *permissions.actors_at(request, table))
    form = SettleForm(request.POST)
    takes = form.is_valid() and form.cleaned_data["takes"] and said.settled_at is None
    game = game_of(table)
    try:
        if takes:
            row = get_row(table, row_of(game, said) or 0)
            game.take_proposal(row, said, by=request.user)
        else:
            actions.settle_objection(objection=said, by=request.user, takes=False)
    except StaleSheet:
        messages.error(request, _("This row has changed since: look at the sheet."))
        return redirect("sheet", table.pk)
    except ValidationError as refusal:
        messages.error(request, refusal.messages[0])
        return redirect("sheet", table.pk)
    messages.success(request, _("The objection is settled."))
    return redirect("sheet", table.pk)


def _said_of(said: Confirmation) -> str:
    if said.answer == Confirmation.Answer.OBJECTS:
        return _("Your objection is taken back.")
    return _("You agree: thank you.")


def _proposed(deal: SheetRow, form: SheetForm) -> dict[str, str]:
    """What should stand there instead; empty where it says what stands there already."""
    game = game_of(deal.table)
    rows = game.rows_of_sheet(deal.table)
    shown = next(each for each in rows if each.pk == deal.pk)
    standing, typed = game.line_of(deal.table, shown, rows), game.typed_line(form)
    return {} if _says(standing) == _says(typed) else dict(form.as_sent())


def _says(line: SheetLine) -> tuple[Any, ...]:
    cells = [(cell.seat.pk, cell.points) for cell in line.cells]
    return line.words, line.verdict, line.extras, cells


def _confirm_page(
    request: VisitorRequest, table: Table, deal: SheetRow, *, status: int = 200
) -> HttpResponse:
    game = game_of(table)
    lines = game.lines(table, game.rows_of_sheet(table))
    by = actor_at(request, table)
    said = agreements(table, lines, by=by)
    known = {each.line.row.pk: each for each in said.get("agreements", ())}
    context = page_context(request, table, number=deal.number) | {
        "line": next(line for line in lines if line.row.pk == deal.pk),
        "agreement": known.get(deal.pk),
    }
    return show(request, "scoring/confirm_deal.html", context, part="to-confirm", status=status)


def _next_to_confirm(request: VisitorRequest, table: Table) -> HttpResponse:
    rows = game_of(table).rows_of_sheet(table)
    said = agreement_on_last(request, table, entered_last(rows), rows)
    context = page_context(request, table) | said
    return show(request, "scoring/next_to_confirm.html", context, part="to-confirm")


def _objection_page(
    request: VisitorRequest,
    deal: SheetRow,
    note: ObjectionForm,
    form: SheetForm,
    *,
    status: int = 200,
) -> HttpResponse:
    context = page_context(request, deal.table, number=deal.number) | {
        "deal": deal,
        "note_form": note,
        "form": form,
        **form_context(deal.table, form),
    }
    return show(request, "scoring/object_to_deal.html", context, part="deal", status=status)


# Who has what open


@known_visitor_required
@require_POST
def entering(request: VisitorRequest, pk: int) -> HttpResponse:
    """Note which row the phone has open, and say what the other phones of the table do."""
    try:
        table = permissions.table_to_score(request, pk)
    except PermissionDenied as refusal:
        if not request.htmx:
            raise
        table = get_table(pk)
        return _shut_out(request, table, str(refusal))
    form = EnteringForm(request.POST)
    number = form.cleaned_data["number"] if form.is_valid() else None
    try:
        by = author_sent(request, table)
    except AuthorshipError:
        return _shut_out(request, table, _("This phone stands for somebody else by now."))
    if isinstance(by, Phone):
        is_written_on = table.is_open and not table.is_complete
        noted = number if is_written_on else None
        tournament_actions.note_entering(phone=by, table=table, number=noted)
    entering = open_rows([table], at=timezone.now()).get(table.pk, ())
    others = [each for each in entering if each.phone != by]
    is_written = number is not None and game_of(table).rows(table).standing().filter(number=number)
    context = {
        "table": table,
        "others": others,
        "number": number,
        "is_written": bool(is_written),
        "words": game_of(table).words(table, number or 1),
        "by": by,
        "held": refusal_of(table, by),
    }
    return show(request, "scoring/entering.html", context, part="entering")


def refusal_of(table: Table, by: Actor) -> str:
    """Say who holds the sheet, to somebody who has its form open; nothing where he may write."""
    held = held_from(table, by)
    return held.messages[0] if held else ""


def _shut_out(request: VisitorRequest, table: Table, why: str) -> HttpResponse:
    """Tell a page that has stayed open why nothing can be entered there any more."""
    has_joined = phones.phone_of(request, table.event) is not None
    context = {"event": table.event, "why": why, "has_joined": has_joined}
    return show(request, "scoring/entering.html", context, part="shut-out")
