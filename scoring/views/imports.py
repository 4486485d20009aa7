"""Past results brought in: send a list, look at what it would become, import it, take it back."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST

from clubs.models import Club, Role
from clubs.permissions import MemberRequest, get_club, role_in
from clubs.templatetags.cards import signed
from clubs.views.answers import answers_in
from scoring import actions
from scoring.actions.lists import (
    Person,
    by_line,
    is_left_out,
    opens_season,
    people_of,
    reading_of,
    twin_of,
)
from scoring.forms.imports import (
    ListForm,
    SendListForm,
    people_in,
    words_of_roles,
    written_in,
)
from scoring.imports import Problem, Reading
from scoring.imports import Role as Column
from scoring.models import ResultsImport
from scoring.visibility import get_import
from tournaments.games import facts_of

IMPORTS_ON_A_PAGE, ROWS_SHOWN, LINES_SHOWN = 30, 6, 400
#: Names that a page asks about: a form of thousands of fields is refused before it is read.
ASKED_AT_ONCE = 300

SENTENCES: Mapping[str, Any] = {
    "no_player": gettext_lazy("Say which column holds the players."),
    "no_points": gettext_lazy("Say which columns hold the rounds or the total."),
    "no_wins_or_points": gettext_lazy("Say which column holds the meetings won, or the points."),
    "column_twice": gettext_lazy("Two columns are said to be: %(column)s."),
    "many_rounds": gettext_lazy("An evening has at most %(most)s rounds."),
    "no_lines": gettext_lazy("No line of the list names a player."),
    "no_number": gettext_lazy("Row %(row)s: “%(cell)s” is no whole number of points."),
    "which_number": gettext_lazy(
        "Row %(row)s: “%(cell)s” can be read as thousands or as a fraction. Write it without the "
        "point or comma."
    ),
    "below_zero": gettext_lazy("Row %(row)s: “%(cell)s” is below zero."),
    "side_size": gettext_lazy(
        "Row %(row)s: players named in “%(name)s”: %(count)s instead of %(size)s."
    ),
    "twice": gettext_lazy("Row %(row)s: %(name)s already stands in row %(first)s."),
    "nobody": gettext_lazy("Row %(row)s names nobody and is left out."),
    "number_twice": gettext_lazy(
        "Row %(row)s: the number %(number)s already stands in row %(first)s. Everybody gets a new "
        "number, in the order of the list."
    ),
    "no_own_number": gettext_lazy(
        "Row %(row)s: %(name)s has no number. Everybody gets a new number, in the order of the "
        "list."
    ),
    "sum_line": gettext_lazy("Row %(row)s (“%(name)s”) is taken for a sum and left out."),
    "not_played": gettext_lazy("Row %(row)s: %(name)s has no points and is left out."),
    "other_total": gettext_lazy(
        "Row %(row)s: the rounds of %(name)s add up to %(sum)s; the total %(total)s counts."
    ),
    "other_place": gettext_lazy(
        "Row %(row)s: the list ranks %(name)s %(place)s, the points %(counted)s. Ranks are counted "
        "from the points."
    ),
    "own_place": gettext_lazy(
        "Row %(row)s: the list ranks %(name)s %(place)s, the points %(counted)s. The rank of the "
        "list counts."
    ),
    "other_played": gettext_lazy(
        "Row %(row)s: %(name)s: %(wins)s won and %(losses)s lost, but %(played)s played."
    ),
    "no_wins": gettext_lazy(
        "No column holds the meetings won: a ranking that counts them finds none here."
    ),
    "points_of_wins": gettext_lazy("The list has no points: each meeting won counts as one."),
    "sum_wins": gettext_lazy(
        "Meetings won: %(won)s, lost: %(lost)s. Is somebody missing? "
        "It can be imported all the same."
    ),
    "sum_points": gettext_lazy(
        "Tentos for: %(won)s, against: %(lost)s. Is somebody missing? "
        "It can be imported all the same."
    ),
    "sum": gettext_lazy(
        "The points add up to %(sum)s and not to 0: is somebody missing? It can be imported all "
        "the same."
    ),
}


def said(problem: Problem, game: str) -> str:
    """Say what is wrong or odd in a sentence."""
    gaps = {name: _with_true_minus(value) for name, value in problem.gaps.items()}
    if "column" in gaps:
        gaps["column"] = words_of_roles(game)[Column(gaps["column"])]
    return str(SENTENCES[problem.code] % gaps)


def _with_true_minus(value: Any) -> Any:
    return signed(value) if isinstance(value, int) and value < 0 else value


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def list_imports(request: MemberRequest, slug: str) -> HttpResponse:
    """The lists a club has brought in, and the form for another one."""
    club = get_club(request.user, slug, at_least=Role.DIRECTOR)
    answers = answers_in(request)
    files = request.FILES if answers is not None else None
    form = SendListForm(answers, files, initial={"entry_key": uuid.uuid4()})
    if form.is_valid():
        try:
            sent = actions.send_list(club=club, by=request.user, **form.answers())
        except ValidationError as refusal:
            form.add_error(None, refusal)
        else:
            return redirect("import-list", sent.pk)
    return _listed(request, club, form)


def _listed(request: MemberRequest, club: Club, form: SendListForm) -> HttpResponse:
    sent = club.results_imports.without_rows().select_related("event", "sent_by")
    context = {
        "club": club,
        "role": role_in(request.user, club),
        "nav": "evenings",
        "form": form,
        "page": Paginator(sent, IMPORTS_ON_A_PAGE).get_page(request.GET.get("page")),
    }
    status = 422 if form.is_bound else 200
    return render(request, "scoring/imports.html", context, status=status)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def look_at_list(request: MemberRequest, pk: int) -> HttpResponse:
    """What the list would become; nothing counts before it is imported from here."""
    sent = get_import(request.user, pk)
    answers = answers_in(request)
    form = ListForm(answers, instance=sent)
    if answers is None or not form.is_valid():
        return _looked_at(request, get_import(request.user, pk), form)
    written, strangers = written_in(answers.dict(), club=sent.club)
    is_second_press = sent.is_done and "import" in answers
    try:
        if not is_second_press:
            people = people_in(answers.dict(), known=sent.people) | written
            sent = actions.describe_list(sent=sent, people=people, **form.answers())
            _refuse_strangers(strangers)
        if "import" not in answers:
            return redirect("import-list", pk)
        event = actions.import_list(sent=sent, by=request.user)
    except ValidationError as refusal:
        # Conflicts as well: the page then shows how things stand.
        fresh = get_import(request.user, pk)
        return _looked_at(request, fresh, ListForm(instance=fresh), refusal.messages)
    messages.success(request, _("The list is imported: the evening is closed and counts."))
    return redirect(event.get_absolute_url())


def _refuse_strangers(names: list[str]) -> None:
    """Refuse names written by hand that no player of the club has; the rest is kept."""
    if names:
        words = _("No player of the club is called: %(names)s.")
        raise ValidationError(words % {"names": ", ".join(names)}, code="stranger")


def _looked_at(
    request: MemberRequest,
    sent: ResultsImport,
    form: ListForm,
    refusals: list[str] | None = None,
) -> HttpResponse:
    reading = reading_of(sent)
    people = people_of(sent, reading.lines)
    context = {
        "club": sent.club,
        "role": role_in(request.user, sent.club),
        "nav": "evenings",
        "sent": sent,
        "form": form,
        "refusals": refusals or [],
        "sample": sent.rows[max(sent.head, 0) :][:ROWS_SHOWN],
        "left_out": _left_out(sent),
        "errors": [said(problem, sent.game) for problem in reading.errors],
        "warnings": [said(problem, sent.game) for problem in reading.warnings],
        "opens_season": sent.is_draft and opens_season(sent),
        "twin": twin_of(sent, reading.lines) if sent.is_draft else None,
        "is_ready": sent.is_draft and not reading.errors,
        **_asked(sent, people),
        **_becomes(sent, reading, people),
    }
    status = 422 if refusals or (form.is_bound and not form.is_valid()) else 200
    return render(request, "scoring/import.html", context, status=status)


def _asked(sent: ResultsImport, people: Sequence[Person]) -> dict[str, Any]:
    """Say of whom the page asks who is meant; as many as one form can hold, the open ones first."""
    # New names come last: whoever is not asked about stays what was said, or a guest.
    open_first = sorted(people, key=lambda person: (not person.is_open, person.is_new))
    to_decide = [person for person in open_first if not _is_plain(person)]
    return {
        "to_decide": to_decide[:ASKED_AT_ONCE],
        "not_asked": max(0, len(to_decide) - ASKED_AT_ONCE),
        "known_names": sent.club.players.active().by_name().values_list("name", flat=True),
        "new_count": sum(person.is_new for person in people),
        "open_count": sum(person.is_open for person in people),
    }


def _becomes(sent: ResultsImport, reading: Reading, people: Sequence[Person]) -> dict[str, Any]:
    """Give the lines as results, with the columns that their table needs."""
    lines = [
        {"people": side, "line": side[0].line, "is_left_out": is_left_out(side)}
        for side in by_line(people)
    ]
    return {
        "plays_games": facts_of(sent.game).plays_games,
        "shows": {
            "games": any(line.won and any(line.won.games) for line in reading.lines),
            "points": any(line.won and any(line.won.points) for line in reading.lines),
            "played": Column.PLAYED in sent.roles,
            "deals": any(line.deals for line in reading.lines),
        },
        "round_numbers": range(1, reading.rounds + 1),
        "lines": lines[:LINES_SHOWN],
        "not_shown": max(0, len(lines) - LINES_SHOWN),
        "count": len(lines),
    }


def _left_out(sent: ResultsImport) -> list[str]:
    """Give the headings of the columns of which nothing is taken."""
    headings = sent.rows[sent.head] if sent.head >= 0 else []
    named = zip(headings, sent.roles, strict=False)
    return [heading for heading, role in named if heading and not role]


def _is_plain(person: Person) -> bool:
    """Is this a name that the club has, so that there is nothing to say?"""
    return person.player is not None and list(person.near) == [person.player]


@login_required
@require_POST
def undo_import(request: MemberRequest, pk: int) -> HttpResponse:
    """Take the whole list back."""
    sent = get_import(request.user, pk)
    sent = actions.undo_import(sent=sent, by=request.user)
    if not sent.is_draft:
        messages.success(request, _("The import is taken back: its evening no longer counts."))
    return redirect("imports", sent.club.slug)


@login_required
@require_POST
def discard_import(request: MemberRequest, pk: int) -> HttpResponse:
    """Throw away a list that does not count: never imported, or taken back."""
    sent = get_import(request.user, pk)
    try:
        actions.discard_list(sent=sent)
    except ValidationError as refusal:
        messages.error(request, " ".join(refusal.messages))
        return redirect("import-list", pk)
    messages.success(request, _("The list is thrown away."))
    return redirect("imports", sent.club.slug)
