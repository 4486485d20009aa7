"""Joining an event with a phone, without an account: the code, the link, the own place."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clubs.attempts import QUARTER, Limit, address_of
from clubs.models import Player
from clubs.names import fold_name
from clubs.permissions import VisitorRequest
from clubs.views.answers import answers_in
from tournaments import actions, phones
from tournaments.forms.phones import CodeForm, FindNameForm, HelperForm, LeavingForm, PickForm
from tournaments.models import Ended, Entry, EntryPlayer, Event, JoinLink, Phone, Round, Seat, Table
from tournaments.permissions import get_phone_of
from tournaments.rules import Conflict
from tournaments.views.pages import status_of
from tournaments.visitors import for_visitor

log = logging.getLogger(__name__)

#: A hall is one address: eight hundred people mistype more than a few codes.
WRONG_CODES = Limit(name="join-code", most=300, seconds=QUARTER)
#: New phones that one place may bring in by one link: a card is for a table, a helper's link for a
#: few, the link of an event for the whole hall, where people also tap the wrong name.
HOUR = 60 * 60
JOINS = {
    "card": Limit(name="join-card", most=40, seconds=HOUR),
    "helper": Limit(name="join-helper", most=60, seconds=HOUR),
    "hall": Limit(name="join-hall", most=2_000, seconds=HOUR),
}
NAMES_SHOWN = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Somebody whom a phone can stand for: at a table by the seat, else by the name."""

    player: Player
    letter: str
    phone: Phone | None
    #: What tells him from others whose name reads the same.
    apart: str = ""

    def is_taken(self, *, by_other_than: Phone | None) -> bool:
        return self.phone is not None and self.phone != by_other_than


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def join(request: VisitorRequest) -> HttpResponse:
    """Ask for the code of the card on the table; show which events this phone is in."""
    form = CodeForm(answers_in(request))
    who = address_of(request)
    if not form.is_bound:
        return _code_page(request, form, status=200)
    if WRONG_CODES.is_reached(who):
        log.warning("Too many wrong codes from %s", who)
        form.add_error(None, _("Too many attempts from this place. Try again in 15 minutes."))
        return _code_page(request, form, status=429)
    if not form.is_valid():
        return _code_page(request, form, status=422)
    link = phones.link_with(form.cleaned_data["code"])
    if link is None:
        WRONG_CODES.count(who)
        log.warning("A wrong code from %s", who)
        form.add_error("code", _("No table has this code. Look at the card once more."))
        return _code_page(request, form, status=422)
    return redirect("join-by-link", phones.address_of(link))


def _code_page(request: VisitorRequest, form: CodeForm, *, status: int) -> HttpResponse:
    joined = Event.objects.filter(pk__in=list(phones.events_of(request))[:20])
    known = [event for event in joined if phones.phone_of(request, event) is not None]
    return render(request, "tournaments/join.html", {"form": form, "known": known}, status=status)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def join_by_link(request: VisitorRequest, address: str) -> HttpResponseBase:
    """Show who can be picked behind a link, or take the pick; a link that ended says why."""
    link = phones.link_at(address)
    if link is None:
        raise Http404
    if link.is_of_wall:
        return redirect("projector-by-link", link.event_id, address)
    ended = link.ended(timezone.now())
    if ended is not None:
        return ended_page(request, link, ended)
    if link.role == JoinLink.Role.PLAYER:
        return _join_as_player(request, link)
    return _join_as_helper(request, link)


def ended_page(request: VisitorRequest, link: JoinLink, ended: Ended) -> HttpResponse:
    """Say why a link opens nothing any more."""
    context = {"event": link.event, "why": ended.label}
    return render(request, "tournaments/link_ended.html", context, status=410)


def _join_as_player(request: VisitorRequest, link: JoinLink) -> HttpResponseBase:
    phone = phones.phone_of(request, link.event)
    if request.method != "POST":
        seat = phone and _seat_now(phone)
        if seat and seat.table.number == link.table_number and "again" not in request.GET:
            return redirect("own-place", link.event_id)
        return _pick_page(request, link, phone)
    form = PickForm(request.POST)
    if not form.is_valid():
        return _pick_page(request, link, phone, refusal=_nobody_picked())
    if _has_joined_often(request, link):
        return _pick_page(request, link, phone, refusal=_joined_often(), status=429)
    player = get_object_or_404(
        Player, entry_players__event=link.event_id, pk=form.cleaned_data["player"]
    )
    try:
        joined = actions.join_as_player(
            link=link, player=player, phone=phone, claims=form.cleaned_data["claims"]
        )
    except ValidationError as refusal:
        return _pick_page(request, link, phone, refusal=refusal, meant=player)
    if joined != phone:
        _count_join(request, link)
    return _joined(joined)


def _join_as_helper(request: VisitorRequest, link: JoinLink) -> HttpResponseBase:
    phone = phones.phone_of(request, link.event)
    form = HelperForm(answers_in(request))
    too_often = form.is_bound and _has_joined_often(request, link)
    if too_often:
        form.add_error(None, _joined_often())
    elif form.is_bound and form.is_valid():
        try:
            phone = actions.join_as_helper(link=link, phone=phone, **form.cleaned_data)
        except ValidationError as refusal:
            form.add_error(None, refusal)
        else:
            _count_join(request, link)
            return _joined(phone)
    context = {"link": link, "event": link.event, "form": form, "phone": phone}
    status = 429 if too_often else 422 if form.errors else 200
    return render(request, "tournaments/join_helper.html", context, status=status)


def _joins_of(request: VisitorRequest, link: JoinLink) -> tuple[Limit, str]:
    """Give the limit of new phones, and whom it counts: this link at this place."""
    if link.role != JoinLink.Role.PLAYER:
        kind = "helper"
    else:
        kind = "hall" if link.table_number is None else "card"
    return JOINS[kind], f"{link.pk} {address_of(request)}"


def _has_joined_often(request: VisitorRequest, link: JoinLink) -> bool:
    limit, who = _joins_of(request, link)
    reached = limit.is_reached(who)
    if reached:
        log.warning("Too many phones by link %s from %s", link.pk, address_of(request))
    return reached


def _count_join(request: VisitorRequest, link: JoinLink) -> None:
    limit, who = _joins_of(request, link)
    limit.count(who)


def _joined_often() -> ValidationError:
    return ValidationError(
        _(
            "Very many phones have joined by this link within the hour. "
            "Wait a while, or ask the director for a new one."
        ),
        code="joined_often",
    )


def _joined(phone: Phone) -> HttpResponse:
    response = redirect("referee" if phone.is_referee else "own-place", phone.event_id)
    phones.remember(response, phone)
    return response


def _nobody_picked() -> ValidationError:
    return ValidationError(_("Choose who you are."), code="nobody_picked")


def _pick_page(
    request: VisitorRequest,
    link: JoinLink,
    phone: Phone | None,
    *,
    refusal: ValidationError | None = None,
    meant: Player | None = None,
    status: int | None = None,
) -> HttpResponse:
    find = FindNameForm(request.GET)
    words = find.cleaned_data["q"] if find.is_valid() else ""
    this_round = link.event.rounds.published().in_order().last()
    table = _table_of(link, this_round)
    taken = isinstance(refusal, Conflict) and refusal.code == "seat_taken"
    context = {
        "link": link,
        "event": link.event,
        "table": table,
        "own_seat": phone and _seat_now(phone),
        "phone": phone,
        "places": _places_at(table) if table else _places_of(link.event, words),
        "words": words,
        "refusal": refusal,
        "meant": meant if taken else None,
    }
    status = status or status_of(refusal)
    return render(request, "tournaments/pick_seat.html", context, status=status)


def _table_of(link: JoinLink, this_round: Round | None) -> Table | None:
    if this_round is None or link.table_number is None:
        return None
    return this_round.tables.filter(number=link.table_number).select_related("round").first()


def _places_at(table: Table) -> list[Place]:
    seats = list(table.seats.select_related("player").order_by("place"))
    holders = _holders(table.round.event_id, [seat.player_id for seat in seats])
    return [Place(player=s.player, letter=s.letter, phone=holders.get(s.player_id)) for s in seats]


def _places_of(event: Event, words: str) -> list[Place]:
    gone = (Entry.State.WITHDRAWN, Entry.State.EXPELLED)
    found = EntryPlayer.objects.filter(event=event).exclude(entry__state__in=gone)
    for word in fold_name(words).split():
        found = found.filter(player__sort_name__contains=word)
    people = found.select_related("player", "entry").order_by("player__sort_name", "player")
    listed = list(people[:NAMES_SHOWN])
    holders = _holders(event.pk, [each.player_id for each in listed])
    apart = _told_apart(event, listed)
    return [
        Place(
            player=each.player,
            letter="",
            phone=holders.get(each.player_id),
            apart=apart.get(each.player_id, ""),
        )
        for each in listed
    ]


def _told_apart(event: Event, listed: list[EntryPlayer]) -> dict[int, str]:
    """Give what tells those apart whose names read the same: the seat, else the number."""
    counted = Counter(each.player.shown_name for each in listed)
    same = [each for each in listed if counted[each.player.shown_name] > 1]
    if not same:
        return {}
    last = event.rounds.published().in_order().last()
    sits = Seat.objects.filter(round=last, player__in=[each.player_id for each in same])
    seats = {seat.player_id: seat for seat in sits.select_related("table")}
    return {each.player_id: _where(seats.get(each.player_id), each.entry) for each in same}


def _where(seat: Seat | None, entry: Entry) -> str:
    if seat is None:
        return _("number %(number)s") % {"number": entry.number} if entry.number else ""
    gaps = {"number": seat.table.number, "seat": seat.letter}
    return _("table %(number)s, seat %(seat)s") % gaps


def _holders(event_id: int, players: Iterable[int]) -> dict[int | None, Phone]:
    """Give the good phones that stand for these players, by the player's key."""
    now = timezone.now()
    held = Phone.objects.filter(event=event_id, player__in=players, removed_at=None)
    held = held.select_related("link__event")
    return {phone.player_id: phone for phone in held if phone.ended(now) is None}


# The own place


@never_cache
@require_safe
def own_place(request: VisitorRequest, pk: int) -> HttpResponse:
    """Lead a phone to its table, round after round; asked again and again while it waits."""
    phone = get_phone_of(request, pk, or_else=tuple(Ended))
    context = _place_context(request, phone)
    template = "tournaments/own_place.html"
    if request.htmx:
        template += "#place"
    return for_visitor(request, render(request, template, context))


@never_cache
@require_POST
def leave_seat(request: VisitorRequest, pk: int) -> HttpResponse:
    """Let the phone stand for nobody, and pick again: that was the wrong name."""
    phone = get_phone_of(request, pk)
    actions.leave_seat(phone=phone)
    return redirect("join-by-link", phones.address_of(phone.link))


@never_cache
@require_POST
def leave_after_round(request: VisitorRequest, pk: int) -> HttpResponse:
    """Say that one leaves after this round, or stays after all."""
    phone = get_phone_of(request, pk)
    form = LeavingForm(request.POST)
    if phone.entry is not None and form.is_valid():
        try:
            actions.leave_after_round(
                entry=phone.entry, by=phone, leaves=form.cleaned_data["leaves"]
            )
        except ValidationError as refusal:
            context = _place_context(request, phone) | {"refusal": refusal}
            status = status_of(refusal)
            return render(request, "tournaments/own_place.html", context, status=status)
    return redirect("own-place", pk)


def _place_context(request: VisitorRequest, phone: Phone) -> dict[str, Any]:
    event = phone.event
    this_round = event.rounds.published().in_order().last()
    seat = _seat_now(phone)
    if phone.player_id is not None:
        phones.look_from(request, [phone.player_id])
    context: dict[str, Any] = {
        "event": event,
        "phone": phone,
        "ended": phone.ended(timezone.now()),
        # A phone whose seat was taken, or that stood for the wrong name, can choose again.
        "can_choose": phone.ended(timezone.now()) in {Ended.REPLACED, Ended.LEFT},
        "this_round": this_round,
        "seat": seat,
        "link_address": phones.address_of(phone.link),
        "next_round": this_round.number + 1 if this_round else 1,
    }
    if phone.is_scorer and this_round is not None:
        context["tables"] = _with_round(this_round)
    if seat is not None:
        context["call"] = seat.table.referee_calls.waiting().for_list().first()
    if phone.entry is not None and this_round is not None:
        context["sits_out"] = this_round.sit_outs.filter(entry=phone.entry).exists()
    return context


def _with_round(this_round: Round) -> list[Table]:
    found = list(this_round.tables.in_order())
    for table in found:
        table.round = this_round
    return found


def _seat_now(phone: Phone) -> Seat | None:
    """Where the phone's player sits in the last round that has started."""
    if phone.player_id is None or phone.removed_at is not None:
        return None
    last = phone.event.rounds.published().in_order().last()
    seats = Seat.objects.select_related("table__round__event__season__club", "player")
    return seats.filter(round=last, player=phone.player_id).first() if last else None
