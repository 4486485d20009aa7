"""The entries of a tournament: the desk, the list, and the page of one entry."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.db.models import Q
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django.views.decorators.vary import vary_on_headers

from clubs.models import Player, Role, User
from clubs.names import fold_name
from clubs.permissions import MemberRequest
from clubs.views.answers import answers_in
from tournaments import actions
from tournaments.actions.entries import HOLDING
from tournaments.actions.meetings import incomplete
from tournaments.forms.entries import (
    ChangeEntryForm,
    ChangeSideForm,
    EntryForm,
    EntryPresenceForm,
    FindEntryForm,
    ForgetPairForm,
    PairForm,
    ReplaceForm,
    ReserveForm,
    SideForm,
    SideListForm,
    WithdrawForm,
)
from tournaments.models import Entry, Event, ProhibitedPair, Round
from tournaments.outlook import outlook, team_of_wrong_size
from tournaments.permissions import get_entry, get_event
from tournaments.querysets import EntryQuerySet
from tournaments.roster import evenings_elsewhere
from tournaments.views.pages import evening_context, status_of

ENTRIES_ON_A_PAGE = 100
#: So many names help the one who types; more would slow the page.
NAMES_OFFERED = 500


@login_required
@require_safe
@vary_on_headers("HX-Request")
def entries(request: MemberRequest, pk: int) -> HttpResponse:
    """The list of entries with the desk above it."""
    event = get_event(request.user, pk, at_least=Role.SCORER)
    template = "tournaments/entries.html"
    if request.htmx:
        template += "#entries"
    return render(request, template, _list_context(request, event))


@login_required
@require_POST
def enter_player(request: MemberRequest, pk: int) -> HttpResponse:
    """Enter somebody; then the desk is ready for the next one."""
    event = get_event(request.user, pk, at_least=Role.SCORER)
    form = _entry_form(event, request.POST)
    if not form.is_valid():
        return _list(request, event, entry_form=form, status=422)
    try:
        entry = actions.enter_player(event=event, by=request.user, **form.wish())
    except ValidationError as refusal:
        return _list(request, event, refusal=refusal, entry_form=form)
    said = (
        _("%(player)s is on the waiting list as number %(number)s.")
        if entry.state == Entry.State.WAITING
        else _("%(player)s is entered as number %(number)s.")
    )
    messages.success(request, said % {"player": entry, "number": entry.number})
    _warn_of_team(request, entry)
    return redirect("entries", event.pk)


@login_required
@require_POST
def import_entries(request: MemberRequest, pk: int) -> HttpResponse:
    """Enter a pasted list of sides: all of them, or none and why."""
    event = get_event(request.user, pk, at_least=Role.DIRECTOR)
    form = SideListForm(request.POST, size=event.side_size)
    if not form.is_valid():
        return _list(request, event, list_form=form, status=422)
    try:
        entered = actions.import_entries(event=event, by=request.user, **form.cleaned_data)
    except ValidationError as refusal:
        form.add_error("text", refusal.messages)
        return _list(request, event, list_form=form, status=status_of(refusal))
    messages.success(request, _("Entered %(count)s from the list.") % {"count": len(entered)})
    return redirect("entries", event.pk)


@login_required
@require_POST
def draw_partners(request: MemberRequest, pk: int) -> HttpResponse:
    """Let lots put those together who entered alone."""
    event = get_event(request.user, pk, at_least=Role.DIRECTOR)
    try:
        sides = actions.draw_partners(event=event, by=request.user)
    except ValidationError as refusal:
        return _list(request, event, refusal=refusal)
    drawn = "; ".join(str(side) for side in sides)
    messages.success(request, _("Drawn together: %(sides)s.") % {"sides": drawn})
    return redirect("entries", event.pk)


@login_required
@require_POST
def entry_presence(request: MemberRequest, pk: int) -> HttpResponse:
    """One press marks an entry present or gone; the same press again changes nothing."""
    event = get_event(request.user, pk, at_least=Role.SCORER)
    form = EntryPresenceForm(request.POST, event=event)
    if not form.is_valid():
        return _list(request, event, refusal=ValidationError(list(form.non_field_errors())))
    comes, goes = form.cleaned_data["present"], form.cleaned_data["absent"]
    try:
        if comes:
            actions.check_in_entry(entry=comes, by=request.user)
        else:
            actions.check_out_entry(entry=goes, by=request.user)
    except ValidationError as refusal:
        return _list(request, event, refusal=refusal)
    if not request.htmx:
        return redirect("entries", event.pk)
    pressed = Entry.objects.filter(event=event).for_desk().get(pk=(comes or goes).pk)
    (shown,) = _told_elsewhere(event, [pressed])
    context = evening_context(request, event, entry=shown, swapped=True, **_counts(event))
    return render(request, "tournaments/entries.html#answer", context)


@login_required
@require_POST
def check_in_everybody(request: MemberRequest, pk: int) -> HttpResponse:
    """Mark all who are entered present."""
    event = get_event(request.user, pk, at_least=Role.DIRECTOR)
    try:
        count = actions.check_in_everybody(event=event, by=request.user)
    except ValidationError as refusal:
        return _list(request, event, refusal=refusal)
    messages.success(request, _("Marked %(count)s more as present.") % {"count": count})
    return redirect("entries", event.pk)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def entry(request: MemberRequest, pk: int) -> HttpResponse:
    """One entry: what is said about it, who replaces it, who it may not meet."""
    one = get_entry(request.user, pk, at_least=Role.SCORER)
    form = _change_form(one)(answers_in(request), instance=one)
    refusal: ValidationError | None = None
    if form.is_valid():
        try:
            changed = actions.change_entry(entry=one, by=request.user, **form.particulars())
        except ValidationError as why:
            refusal = why
        else:
            messages.success(request, _("The entry is changed."))
            _warn_of_team(request, changed)
            return redirect("entries", one.event_id)
    return _one(request, one, refusal=refusal, form=form)


@login_required
@require_POST
def withdraw_entry(request: MemberRequest, pk: int) -> HttpResponse:
    """Take somebody out from the next draw on; who is seated now only after a second look."""
    one = get_entry(request.user, pk, at_least=Role.DIRECTOR)
    form = WithdrawForm(request.POST)
    seat = one.seats.filter(round__state=Round.State.PLAYING).select_related("table").first()
    if seat is not None and not (form.is_valid() and form.cleaned_data["sure"]):
        return _one(request, one, asks_to_withdraw=True, seated_at=seat.table)
    waiting = [each.pk for each in _waiting(one.event)]
    try:
        _withdraw(one, request.user)
    except ValidationError as refusal:
        return _one(request, one, refusal=refusal)
    messages.success(request, _("%(player)s has withdrawn.") % {"player": one})
    for each in one.event.entries.filter(pk__in=waiting).exclude(state=Entry.State.WAITING):
        messages.info(
            request,
            _(
                "%(player)s moves up from the waiting list as number %(number)s, and plays from "
                "the next draw on once marked present."
            )
            % {"player": each, "number": each.number},
        )
    return redirect("entry", one.pk)


@login_required
@require_POST
def return_entry(request: MemberRequest, pk: int) -> HttpResponse:
    """Take a withdrawal back, and say whether there is a place."""
    one = get_entry(request.user, pk, at_least=Role.DIRECTOR)
    try:
        back = actions.take_back_withdrawal(entry=one, by=request.user)
    except ValidationError as refusal:
        return _one(request, one, refusal=refusal)
    messages.success(request, _where(back))
    return redirect("entry", one.pk)


def _where(back: Entry) -> str:
    """Say where somebody stands who has come back."""
    if back.is_present:
        return _("%(player)s is back and plays from the next draw on.") % {"player": back}
    if back.state != Entry.State.WAITING:
        return _("%(player)s is entered again, and not marked present.") % {"player": back}
    keys = [each.pk for each in _waiting(back.event)]
    return _("Every place is taken: %(player)s is at place %(place)s of the waiting list.") % {
        "player": back,
        "place": keys.index(back.pk) + 1,
    }


def _waiting(event: Event) -> list[Entry]:
    return list(event.entries.filter(state=Entry.State.WAITING).order_by("entered_at", "pk"))


@login_required
@require_POST
def replace_entry(request: MemberRequest, pk: int) -> HttpResponse:
    """Let somebody else go on in the place of an entry."""
    one = get_entry(request.user, pk, at_least=Role.DIRECTOR)
    form = ReplaceForm(request.POST)
    if not form.is_valid():
        return _one(request, one, replace_form=form, status=422)
    try:
        came = actions.replace_entry(entry=one, by=request.user, **form.cleaned_data)
    except ValidationError as refusal:
        return _one(request, one, refusal=refusal, replace_form=form)
    messages.success(
        request,
        _("%(player)s goes on as number %(number)s in the place of %(gone)s.")
        % {"player": came, "number": came.number, "gone": one},
    )
    return redirect("entry", came.pk)


@login_required
@require_POST
def prohibit_pair(request: MemberRequest, pk: int) -> HttpResponse:
    """Never put an entry at one table with another."""
    one = get_entry(request.user, pk, at_least=Role.DIRECTOR)
    form = PairForm(request.POST, entry=one)
    if not form.is_valid():
        return _one(request, one, pair_form=form, status=422)
    try:
        other = form.cleaned_data["other"]
        actions.prohibit_pair(event=one.event, one=one, other=other, by=request.user)
    except ValidationError as refusal:
        return _one(request, one, refusal=refusal)
    return redirect("entry", one.pk)


@login_required
@require_POST
def allow_pair(request: MemberRequest, pk: int) -> HttpResponse:
    """Let two who were kept apart meet again."""
    one = get_entry(request.user, pk, at_least=Role.DIRECTOR)
    form = ForgetPairForm(request.POST, entry=one)
    if form.is_valid() and form.cleaned_data["pair"]:
        try:
            actions.allow_pair(pair=form.cleaned_data["pair"], by=request.user)
        except ValidationError as refusal:
            return _one(request, one, refusal=refusal)
    return redirect("entry", one.pk)


def _withdraw(entry: Entry, by: User) -> Entry:
    """Take somebody out; where sides meet, the others go on without playing."""
    if entry.event.meets_in_fixtures:
        return actions.side_leaves(entry=entry, by=by, is_expelled=False)
    return actions.withdraw_entry(entry=entry, by=by)


def _list(
    request: MemberRequest,
    event: Event,
    *,
    refusal: ValidationError | None = None,
    status: int | None = None,
    **more: Any,
) -> HttpResponse:
    event.refresh_from_db(fields=["state", "roster_version"])
    context = _list_context(request, event, refusal=refusal, **_namesakes(refusal), **more)
    status = status or status_of(refusal)
    return render(request, "tournaments/entries.html", context, status=status)


def _list_context(request: MemberRequest, event: Event, **more: Any) -> dict[str, Any]:
    form = FindEntryForm(request.GET)
    asked = form.cleaned_data if form.is_valid() else {"q": "", "show": ""}
    words, show = asked["q"].strip(), asked["show"]
    found = _found(event, words=words, show=show)
    page = Paginator(found, ENTRIES_ON_A_PAGE).get_page(request.GET.get("page"))
    page.object_list = _told_elsewhere(event, page.object_list)
    return (
        evening_context(
            request,
            event,
            here="entries",
            page=page,
            words=words,
            show=show,
            entry_form=_entry_form(event, initial={"is_present": _has_begun(event)}),
            **_sides(event),
            is_fresh=request.method == "GET" and not words,
            entry_presence_url=f"{request.path}presence/",
            **_known(event),
        )
        | _counts(event)
        | more
    )


def _told_elsewhere(event: Event, entries: Iterable[Any]) -> list[Any]:
    """Give entries with the other evening at which one of their players plays now, if any."""
    found = list(entries)
    others = evenings_elsewhere(event, [p.pk for entry in found for p in entry.players.all()])
    for entry in found:
        too = (others[player.pk] for player in entry.players.all() if player.pk in others)
        entry.plays_too = next(too, None)
    return found


def _entry_form(event: Event, data: Any = None, **more: Any) -> EntryForm:
    """The form at the desk: a player, or a side that plays together."""
    if not (event.enters_sides or event.meets_in_fixtures):
        return EntryForm(data, **more)
    return SideForm(data, size=event.side_size, **more)


def _sides(event: Event) -> dict[str, Any]:
    """What the desk offers besides where several play together."""
    if event.side_size == 1:
        return {"list_form": SideListForm(size=1)}
    return {"alone": len(incomplete(event)), "list_form": SideListForm(size=event.side_size)}


def _found(event: Event, *, words: str, show: str) -> EntryQuerySet:
    found = Entry.objects.filter(event=event).for_desk()
    if words.isdecimal():
        return found.filter(number=int(words[:6])).by_number()
    for word in fold_name(words).split():
        found = found.filter(players__sort_name__contains=word)
    state = Entry.State
    if show == "absent":
        found = found.filter(state__in=(state.ENTERED, state.AWAY))
    elif show == "unpaid":
        found = found.filter(fee_paid_at=None).exclude(state=state.WITHDRAWN)
    elif show == "waiting":
        return found.filter(state=state.WAITING).order_by("entered_at", "pk")
    return found.by_number()


def _warn_of_team(request: MemberRequest, entry: Entry) -> None:
    problem = team_of_wrong_size(entry)
    if problem:
        messages.warning(request, problem)


def _has_begun(event: Event) -> bool:
    return event.state == Event.State.RUNNING


def _counts(event: Event) -> dict[str, Any]:
    """How many there are of each kind, and what that means for the tables."""
    states = Counter(event.entries.values_list("state", flat=True))
    holding = sum(states[state] for state in HOLDING)
    paid = event.entries.exclude(fee_paid_at=None).exclude(state=Entry.State.WITHDRAWN)
    return {
        "holding": holding,
        "present": states[Entry.State.PRESENT],
        "coming": states[Entry.State.ENTERED],
        "waiting_count": states[Entry.State.WAITING],
        "withdrawn_count": states[Entry.State.WITHDRAWN],
        "paid": paid.count(),
        "outlook": [] if event.meets_in_fixtures else outlook(event),
    }


def _known(event: Event) -> dict[str, Any]:
    """What is offered to the one who types."""
    taken = Q(entry_players__event=event)
    names = Player.objects.filter(club=event.season.club_id, archived_at=None).exclude(taken)
    told = event.entries.order_by()
    return {
        "known_names": names.by_name().values_list("name", flat=True)[:NAMES_OFFERED],
        "known_clubs": sorted({*told.exclude(club_name="").values_list("club_name", flat=True)}),
        "known_series": sorted({*told.exclude(series="").values_list("series", flat=True)}),
        "known_teams": event.teams.values_list("name", flat=True),
    }


def _namesakes(refusal: ValidationError | None) -> dict[str, Any]:
    params = getattr(refusal, "params", None) or {}
    return {"namesakes": params.get("players", [])}


def _change_form(one: Entry) -> type[ChangeEntryForm | ChangeSideForm]:
    in_sides = one.event.enters_sides or one.event.meets_in_fixtures
    return ChangeSideForm if in_sides else ChangeEntryForm


def _one(
    request: MemberRequest,
    one: Entry,
    *,
    refusal: ValidationError | None = None,
    status: int | None = None,
    **more: Any,
) -> HttpResponse:
    one.refresh_from_db()
    form = more.get("form")
    pairs = ProhibitedPair.objects.filter(Q(one=one) | Q(other=one))
    context = evening_context(
        request,
        one.event,
        here="entries",
        entry=one,
        refusal=refusal,
        seats=one.seats.exclude(round__state="drawn").select_related("round", "table"),
        pairs=pairs.prefetch_related("one__players", "other__players"),
        came=Entry.objects.filter(replaces=one).first(),
        **_known(one.event),
        **_namesakes(refusal),
    )
    context |= {
        "form": _change_form(one)(instance=one),
        "reserve_form": ReserveForm(entry=one),
        "side": one.entry_players.select_related("player").order_by("is_reserve", "pk"),
        "replace_form": ReplaceForm(),
        "pair_form": PairForm(entry=one),
    } | more
    invalid = form is not None and form.is_bound and not form.is_valid()
    status = status or (422 if invalid else status_of(refusal))
    return render(request, "tournaments/entry.html", context, status=status)
