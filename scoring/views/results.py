"""The ranking of a tournament: round by round, by series, club and team, and its versions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from operator import itemgetter
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.db.models import Max
from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.http import require_POST, require_safe

from clubs.models import Player, Role
from clubs.permissions import MemberRequest, VisitorRequest
from clubs.querysets import Visitor
from clubs.templatetags.cards import signed
from scoring import actions, counting, freshness, results
from scoring.forms import FinalForm, ProvisionalForm, ResultsForm, TieBreaksForm
from scoring.http import revalidated
from scoring.live import state_of_standings
from scoring.standings import shared_places
from scoring.views.lines import (
    ENTRIES_ON_A_PAGE,
    Cell,
    cells_of,
    columns_of,
    evening_rights,
)
from scoring.views.previews import state_of
from scoring.visibility import get_event_with_role
from tournaments.cuts import decision_on, tie_at
from tournaments.faults import FAULTS
from tournaments.models import Entry, Event, ResultVersion, Round, Stage
from tournaments.permissions import get_event
from tournaments.reasons import names_of
from tournaments.tiebreaks import TIE_BREAK_NAMES, TieBreak


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultLine:
    """An entry's line of the ranking; ``place`` is the one in the group that is shown."""

    entry: Entry
    players: Sequence[Player]
    place: int
    points: int
    sheet_points: int
    ruled_points: int
    cells: Sequence[Cell | None]
    tie_breaks: Sequence[str]
    is_own: bool
    ends_cut: bool = False
    #: Of games that are won: fixtures, games and tentos.
    tally: Mapping[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return " & ".join(player.shown_name for player in self.players)


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """A series, a club or a team; only a team has points and a place of its own."""

    name: str
    lines: Sequence[ResultLine]
    points: int | None = None
    place: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """Who goes on into the next stage, as far as it is known."""

    stage: str
    qualifiers: int
    not_here: int
    is_shared: bool
    decided: Sequence[str] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What a version changed for one entry."""

    name: str
    old_points: int | None
    new_points: int | None
    old_place: int | None
    new_place: int | None


# The page


@require_safe
def show_results(request: VisitorRequest, pk: int) -> HttpResponseBase:
    """The ranking, as it is, as it was after a round, or as a version had it."""
    event, role = get_event_with_role(request.user, pk)
    return revalidated(
        request,
        club=event.club,
        version=(role, _state(event)),
        modified=event.standings_at,
        make=lambda: render(request, "scoring/results.html", _context(request, event, role)),
    )


def _state(event: Event) -> tuple[object, ...]:
    """Name what the ranking is made from: its sheets, its versions, and what was decided of it."""
    return (
        state_of_standings(event.pk),
        event.starts_at,
        event.tie_breaks,
        event.provisional_hours,
        list(event.result_versions.order_by("number").values_list("number", "state")),
        list(event.stages.order_by("number").values_list("name", "qualifiers")),
        event.journal.aggregate(last=Max("pk")),
    )


def _context(request: VisitorRequest, event: Event, role: Role | None) -> dict[str, Any]:
    rights = evening_rights(role)
    found = results_of(event, request.user, request.GET)
    return _paged(found, request.GET.get("page")) | {
        "club": event.club,
        "nav": "evenings",
        "role": role,
        "event": event,
        "here": "results",
        "fresh": freshness.of_event(event),
        "results_are": state_of(event),
        "provisional_form": ProvisionalForm(initial={"hours": event.provisional_hours}),
        "tie_breaks_form": TieBreaksForm.declared(event.tie_breaks),
        "played": event.entries.played().exists(),
        "unsettled": results.unsettled_sheets(event)
        if rights["may_direct"] and event.is_closed
        else [],
        **rights,
    }


def _paged(found: dict[str, Any], number: str | None) -> dict[str, Any]:
    """Leave of the lines, or of the groups with theirs, as many as a page shows."""
    if not found["by"]:
        page = Paginator(found["lines"], ENTRIES_ON_A_PAGE).get_page(number)
        return found | {"page": page, "lines": page.object_list}
    groups: Sequence[Group] = found["groups"]
    every = [(at, line) for at, group in enumerate(groups) for line in group.lines]
    pairs = Paginator(every, ENTRIES_ON_A_PAGE).get_page(number)
    shown = [
        replace(groups[at], lines=[line for _at, line in part])
        for at, part in groupby(pairs, key=itemgetter(0))
    ]
    return found | {"page": pairs, "groups": shown}


def results_of(event: Event, visitor: Visitor, asked: Mapping[str, Any]) -> dict[str, Any]:
    """What the page and the paper show of a ranking; 404 for a round or version there is not."""
    form = ResultsForm(asked)
    if not form.is_valid():
        raise Http404
    rounds = list(event.rounds.published().in_order())
    versions = list(event.result_versions.order_by("-number"))
    version = _version(form.cleaned_data["version"], versions, event)
    after = form.cleaned_data["after"]
    if after is not None and after not in {each.number for each in rounds}:
        raise Http404
    entries = {
        entry.pk: entry
        for entry in event.entries.with_teams().prefetch_related("players__membership")
    }
    shown = [each for each in columns_of(event, rounds) if after is None or each.number <= after]
    lines = [
        _line(raw, entries[raw["entry"]], [each.number for each in shown], visitor)
        for raw in _counted(event, version, after)
        if raw["entry"] in entries
    ]
    lines, cut = _with_cut(event, rounds, lines) if after is None else (lines, None)
    by = form.cleaned_data["by"]
    causes = results.causes(event, versions)
    return {
        "rounds": rounds,
        "shown_rounds": shown,
        "after": after,
        "by": by,
        "lines": lines,
        "cut": cut,
        "groups": GROUPED[by](event, lines) if by else [],
        "has_series": any(entry.series for entry in entries.values()),
        "has_clubs": any(entry.club_name for entry in entries.values()),
        "has_teams": any(entry.team_id for entry in entries.values()),
        "has_rulings": any(line.ruled_points for line in lines),
        "has_ties": any(line.tie_breaks for line in lines),
        "tie_break_names": [tie_break_name(code) for code in event.tie_breaks],
        "version": version,
        "versions": [
            (each, _changes(each, entries), _causes_in_words(causes.get(each.number, ())))
            for each in versions
        ],
    }


def _version(
    number: int | None, versions: Sequence[ResultVersion], event: Event
) -> ResultVersion | None:
    if number is None:
        return versions[0] if versions and event.is_closed else None
    found = next((each for each in versions if each.number == number), None)
    if found is None:
        raise Http404
    return found


def _counted(
    event: Event, version: ResultVersion | None, after: int | None
) -> Sequence[Mapping[str, Any]]:
    if after is not None:
        return [
            {
                "entry": line.entry,
                "place": line.place,
                "points": line.points,
                "sheet_points": line.sheet_points,
                "ruled_points": line.ruled_points,
                "tie_breaks": line.tie_breaks,
                "rounds": [part.to_json() for part in line.rounds],
            }
            for line in counting.after_round(event, after)
        ]
    if version is not None:
        return list(version.lines)
    return results.lines_of(event)


def _line(
    raw: Mapping[str, Any], entry: Entry, numbers: Sequence[int], visitor: Visitor
) -> ResultLine:
    players = list(entry.players.all())
    return ResultLine(
        entry=entry,
        players=players,
        place=raw["place"],
        points=raw["points"],
        sheet_points=raw["sheet_points"],
        ruled_points=raw["ruled_points"],
        cells=cells_of(raw["rounds"], numbers),
        tie_breaks=[_tie_break_text(each) for each in raw["tie_breaks"]],
        is_own=visitor.is_authenticated and any(p.account_id == visitor.pk for p in players),
        tally=raw.get("tally", {}),
    )


def tie_break_name(code: str) -> str:
    """Say a tie-break in words; an unknown one by its code."""
    return _(TIE_BREAK_NAMES[TieBreak(code)]) if code in set(TieBreak) else code


def _tie_break_text(decided: Mapping[str, Any]) -> str:
    value = decided["value"]
    values = value if isinstance(value, list) else [value]
    return _("%(tie_break)s: %(values)s") % {
        "tie_break": tie_break_name(decided["code"]),
        "values": ", ".join(signed(each) for each in values),
    }


def _changes(version: ResultVersion, entries: Mapping[int, Entry]) -> list[Change]:
    return [
        Change(
            name=str(entries[each["entry"]]),
            old_points=each["points"][0],
            new_points=each["points"][1],
            old_place=each["place"][0],
            new_place=each["place"][1],
        )
        for each in version.changes
        if each["entry"] in entries
    ]


def _causes_in_words(causes: Sequence[results.Cause]) -> list[str]:
    """Say what made a version differ, each thing once."""
    return list(dict.fromkeys(map(_cause_in_words, causes)))


def _cause_in_words(cause: results.Cause) -> str:
    if cause.ruling is not None:
        fault = FAULTS.get(cause.ruling.fault)
        said = {"fault": _(fault.words) if fault else cause.ruling.get_kind_display()}
        if cause.is_withdrawal:
            return _("ruling “%(fault)s”, withdrawn") % said
        return _("ruling “%(fault)s”") % said
    written = cause.written
    if written is None or cause.row is None:
        return _("a sheet")
    return _("round %(round)s, table %(table)s, line %(line)s: %(what)s") % {
        "round": written.table.round.number,
        "table": written.table.number,
        "line": cause.row.number,
        "what": written.get_kind_display(),
    }


# Who goes on


def _with_cut(
    event: Event, rounds: Sequence[Round], lines: list[ResultLine]
) -> tuple[list[ResultLine], Cut | None]:
    """Draw the line under those who qualify for the next stage, while it has not begun."""
    stage = _next_cut(event, rounds)
    # Who has withdrawn gives the place to the next.
    candidates = [line for line in lines if line.entry.state != Entry.State.WITHDRAWN]
    if stage is None or stage.qualifiers is None or not candidates:
        return lines, None
    inside = candidates[: stage.qualifiers]
    outside = candidates[stage.qualifiers :]
    last = inside[-1]
    cut = Cut(
        stage=stage.shown_name or pgettext("stage", "the next stage"),
        qualifiers=len(inside),
        not_here=sum(not line.entry.is_present for line in inside),
        is_shared=bool(outside) and outside[0].place == last.place,
        decided=_decided_at(stage),
    )
    return [replace(line, ends_cut=line is last) for line in lines], cut


def _decided_at(stage: Stage) -> list[str]:
    """Who of those equal at the line goes on, once it is decided."""
    tie = tie_at(stage)
    decided = decision_on(tie) if tie is not None else None
    if decided is None:
        return []
    names = names_of(decided["players"])
    return [names[player] for player in decided["players"]]


def _next_cut(event: Event, rounds: Sequence[Round]) -> Stage | None:
    if event.is_closed:
        return None
    begun = {each.stage_id for each in rounds if each.stage_id is not None}
    waiting = event.stages.filter(qualifiers__isnull=False).exclude(pk__in=begun)
    return waiting.order_by("number").first()


# By series, club and team


def _grouped(
    lines: Sequence[ResultLine], name_of: Callable[[ResultLine], str]
) -> dict[str, list[ResultLine]]:
    groups: dict[str, list[ResultLine]] = {}
    for line in lines:
        groups.setdefault(name_of(line), []).append(replace(line, ends_cut=False))
    return {
        name: [
            replace(line, place=1 + sum(other.place < line.place for other in members))
            for line in members
        ]
        for name, members in groups.items()
    }


def _by_series(event: Event, lines: Sequence[ResultLine]) -> list[Group]:
    grouped = _grouped(lines, lambda line: line.entry.series or _("Without a series"))
    return [Group(name=name, lines=grouped[name]) for name in sorted(grouped)]


def _by_club(event: Event, lines: Sequence[ResultLine]) -> list[Group]:
    grouped = _grouped(lines, lambda line: _club_of(event, line))
    return [Group(name=name, lines=members) for name, members in grouped.items()]


def _club_of(event: Event, line: ResultLine) -> str:
    if line.entry.club_name:
        return line.entry.club_name
    is_member = any(player.role is not None for player in line.players)
    return event.club.name if is_member else _("Without a club")


def _by_team(event: Event, lines: Sequence[ResultLine]) -> list[Group]:
    teams: dict[int, list[ResultLine]] = {}
    for line in lines:
        if line.entry.team_id is not None:
            teams.setdefault(line.entry.team_id, []).append(replace(line, ends_cut=False))
    points = {team: sum(line.points for line in members) for team, members in teams.items()}
    return [
        Group(
            name=str(teams[team][0].entry.team), lines=teams[team], points=points[team], place=place
        )
        for team, place in shared_places(points).items()
    ]


GROUPED: Mapping[str, Callable[[Event, Sequence[ResultLine]], list[Group]]] = {
    "series": _by_series,
    "club": _by_club,
    "team": _by_team,
}


# What the director says of them


@login_required
@require_POST
def make_final(request: MemberRequest, pk: int) -> HttpResponse:
    """Declare the results final before their time."""
    event = get_event(request.user, pk, at_least=Role.DIRECTOR)
    form = FinalForm(request.POST)
    try:
        actions.declare_final(event=event, by=request.user, without_missing=form.agrees())
    except ValidationError as refusal:
        return _refused(request, event, refusal.messages)
    messages.success(request, _("The results are final."))
    return redirect(reverse("results", args=[event.pk]))


@login_required
@require_POST
def change_provisional_hours(request: MemberRequest, pk: int) -> HttpResponse:
    """Say how long the results stay provisional."""
    event = get_event(request.user, pk, at_least=Role.DIRECTOR)
    form = ProvisionalForm(request.POST)
    if not form.is_valid():
        return _refused(request, event, form.refusals())
    try:
        actions.change_provisional_hours(
            event=event, hours=form.cleaned_data["hours"], by=request.user
        )
    except ValidationError as refusal:
        return _refused(request, event, refusal.messages)
    messages.success(request, _("The provisional time is changed."))
    return redirect(reverse("results", args=[event.pk]))


@login_required
@require_POST
def declare_tie_breaks(request: MemberRequest, pk: int) -> HttpResponse:
    """Say how equal points are told apart."""
    event = get_event(request.user, pk, at_least=Role.DIRECTOR)
    form = TieBreaksForm(request.POST)
    if not form.is_valid():
        return _refused(request, event, [], tie_breaks_form=form)
    try:
        actions.declare_tie_breaks(event=event, codes=form.codes(), by=request.user)
    except ValidationError as refusal:
        return _refused(request, event, refusal.messages)
    messages.success(request, _("It is declared how equal points are told apart."))
    return redirect(reverse("results", args=[event.pk]))


def _refused(
    request: MemberRequest, event: Event, refusals: Sequence[str], **forms: Any
) -> HttpResponse:
    event, role = get_event_with_role(request.user, event.pk)
    context = _context(request, event, role) | {"refusals": refusals} | forms
    return render(request, "scoring/results.html", context, status=422)
