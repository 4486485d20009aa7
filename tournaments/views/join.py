"""Joining an event with a phone, without an account: the code, the link, the own place."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect

from clubs.attempts import QUARTER, Limit, address_of
from clubs.models import Player
from clubs.names import fold_name
from clubs.permissions import VisitorRequest
from clubs.views.answers import answers_in
from tournaments import actions, phones
from tournaments.forms.phones import CodeForm, FindNameForm, HelperForm, LeavingForm, PickForm
from tournaments.models import Ended, Entry, EntryPlayer, Event, JoinLink, Phone, Round, Seat, Table
from tournaments.permissions import get_phone_of
from tournaments.rules import Conflict, held_from
from tournaments.views.pages import status_of
from tournaments.visitors import (
    as_named,
    for_visitor,
    mark_of,
    mark_or_nobody,
    only_as_whoever_entered,
)

log = logging.getLogger(__name__)

#: A hall is one address: eight hundred people mistype more than a few codes.
WRONG_CODES = Limit(name="join-code", most=300, seconds=QUARTER)
#: Of all places together: whoever guesses from many addresses is no faster than this.
ALL_WRONG_CODES = Limit(name="join-code-all", most=3_000, seconds=QUARTER)
ANYWHERE = "anywhere"
#: New phones that one place may bring in by one link: a card is for a table, a helper's link for a
#: few, the link of an event for the whole hall, where people also tap the wrong name.
HOUR = 60 * 60
#: Where a phone has joined an event lately, that event's codes are good beyond these limits: a hall
#: in which many mistype, or that is open while somebody guesses elsewhere, is not locked out.
HALLS = Limit(name="join-known-hall", most=1, seconds=12 * HOUR)
WRONG_CODES_IN_A_HALL = Limit(name="join-code-hall", most=3_000, seconds=QUARTER)
JOINS = {
    "card": Limit(name="join-card", most=40, seconds=HOUR),
    "helper": Limit(name="join-helper", most=60, seconds=HOUR),
    "hall": Limit(name="join-hall", most=2_000, seconds=HOUR),
}
NAMES_SHOWN = 40
#: A phone whose seat was taken, or that stood for the wrong name, can choose again.
CAN_CHOOSE = {Ended.REPLACED, Ended.LEFT}


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Somebody whom a phone can stand for: at a table by the seat, else by the name."""

    player: Player
    letter: str
    phone: Phone | None
    #: Of a list of the whole event, where the name alone may not say who it is.
    seat: Seat | None = None
    entry: Entry | None = None

    @property
    def where(self) -> str:
        """Where he sits, else his number."""
        if self.seat is not None:
            gaps = {"number": self.seat.table.number, "seat": self.seat.letter}
            return _("table %(number)s, seat %(seat)s") % gaps
        number = self.entry.number if self.entry else None
        return _("number %(number)s") % {"number": number} if number else ""

    def is_meant(self, words: Sequence[str]) -> bool:
        """Do these words, folded like names, all tell of him: of his name as shown, or his seat?

        A number or a letter is a whole one: of table 1 and not of table 12.
        """
        name, where = fold_name(self.player.shown_name), fold_name(self.where)
        whole = {word.strip(".,") for word in f"{name} {where}".split()}
        if self.seat is not None:
            whole.add(f"{self.seat.table.number}{self.seat.letter}".casefold())
        return all(
            word in whole or (len(word) > 1 and not word.isdecimal() and word in name)
            for word in words
        )

    def order(self) -> tuple[str, int, int]:
        """Give the order of a list in which a name that is kept says nothing by its place."""
        name = fold_name(self.player.shown_name)
        if self.seat is not None:
            return name, self.seat.table.number, self.seat.place
        return name, (self.entry.number if self.entry else None) or 0, self.player.pk


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def join(request: VisitorRequest) -> HttpResponse:
    """Ask for the code of the card on the table; show which events this phone is in."""
    form = CodeForm(answers_in(request))
    who = address_of(request)
    if not form.is_bound:
        return _code_page(request, form, status=200)
    if not form.is_valid():
        return _code_page(request, form, status=422)
    link = phones.link_with(form.cleaned_data["code"])
    if _is_refused(who, link):
        form.add_error(None, _too_many_codes())
        return _code_page(request, form, status=429)
    if link is None:
        _count_wrong(who)
        form.add_error("code", _("No table has this code. Look at the card once more."))
        return _code_page(request, form, status=422)
    return redirect("join-by-link", phones.address_of(link))


def _is_refused(who: str, link: JoinLink | None) -> bool:
    """Have too many wrong codes come, for a code that is no longer looked at from this place?"""
    from_here, from_all = WRONG_CODES.is_reached(who), ALL_WRONG_CODES.is_reached(ANYWHERE)
    if not from_here and not from_all:
        return False
    if _is_in_its_hall(who, link):
        return False
    # A right code is answered like a wrong one, so that a guess beyond the limit tells nothing.
    WRONG_CODES_IN_A_HALL.count(who)
    log.warning("Too many wrong codes from %s", who if from_here else f"all places, and {who}")
    return True


def _is_in_its_hall(who: str, link: JoinLink | None) -> bool:
    if link is None or WRONG_CODES_IN_A_HALL.is_reached(who):
        return False
    return HALLS.is_reached(_hall(link, who))


def _hall(link: JoinLink, who: str) -> str:
    return f"{link.event_id} {who}"


def _count_wrong(who: str) -> None:
    for limit, whose in (
        (WRONG_CODES, who),
        (ALL_WRONG_CODES, ANYWHERE),
        (WRONG_CODES_IN_A_HALL, who),
    ):
        limit.count(whose)
    log.warning("A wrong code from %s", who)


def _too_many_codes() -> ValidationError:
    return ValidationError(
        _(
            "Too many wrong codes have been typed. Scan the square on the card instead, "
            "or try again in 15 minutes."
        ),
        code="too_many_codes",
    )


def _code_page(request: VisitorRequest, form: CodeForm, *, status: int) -> HttpResponse:
    joined = Event.objects.filter(pk__in=list(phones.events_of(request))[:20])
    goes_on = joined.exclude(state=Event.State.CLOSED)
    known = [event for event in goes_on if _leads_on(phones.phone_of(request, event))]
    return render(request, "tournaments/join.html", {"form": form, "known": known}, status=status)


def _leads_on(phone: Phone | None) -> bool:
    """Does its place lead on, and not back to the code?"""
    return phone is not None and phone.ended(timezone.now()) in {None, *CAN_CHOOSE}


@never_cache
@only_as_whoever_entered
@require_http_methods(["GET", "HEAD", "POST"])
def join_by_link(request: VisitorRequest, address: str) -> HttpResponse:
    """Show who can be picked behind a link, or take the pick; a link that ended says why."""
    link = phones.link_at(address)
    if link is None:
        return cancelled_page(request, address)
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


def cancelled_page(request: VisitorRequest, address: str) -> HttpResponse:
    """Say that the event of an address was cancelled; one that was made up leads nowhere."""
    if not phones.was_made_here(address):
        raise Http404
    context = {"why": Ended.CANCELLED.label}
    return render(request, "tournaments/link_ended.html", context, status=410)


def _join_as_player(request: VisitorRequest, link: JoinLink) -> HttpResponse:
    phone = phones.phone_of(request, link.event)
    if request.method != "POST":
        seat = phone and phones.seat_now(phone)
        if seat and seat.table.number == link.table_number and "again" not in request.GET:
            return redirect("own-place", link.event_id)
        return _pick_page(request, link, phone)
    form = PickForm(request.POST)
    if not form.is_valid():
        return _pick_page(request, link, phone, refusal=_nobody_picked())
    if phone is not None and phone.player_id != form.cleaned_data["player"]:
        as_named(request, phone)
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


def _join_as_helper(request: VisitorRequest, link: JoinLink) -> HttpResponse:
    phone = phones.phone_of(request, link.event)
    form = HelperForm(answers_in(request))
    too_often = form.is_bound and _has_joined_often(request, link)
    if too_often:
        form.add_error(None, _joined_often())
    elif form.is_bound and form.is_valid():
        if phone is not None and not _is_helper(phone, link, **form.cleaned_data):
            as_named(request, phone)
        try:
            phone = actions.join_as_helper(link=link, phone=phone, **form.cleaned_data)
        except ValidationError as refusal:
            form.add_error(None, refusal)
        else:
            _count_join(request, link)
            return _joined(phone)
    context = {"link": link, "event": link.event, "form": form, "phone": phone}
    context["as_whom"] = mark_or_nobody(phone)
    status = 429 if too_often else 422 if form.errors else 200
    return render(request, "tournaments/join_helper.html", context, status=status)


def _is_helper(phone: Phone, link: JoinLink, *, name: str) -> bool:
    """Has the phone joined by this link under this name already?"""
    return (phone.link_id, phone.name) == (link.pk, name)


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
    HALLS.count(_hall(link, address_of(request)))


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
        "own_seat": phone and phones.seat_now(phone),
        "phone": phone,
        "as_whom": mark_or_nobody(phone),
        "places": _places_at(table) if table else _places_of(link.event, this_round, words),
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


def _places_of(event: Event, this_round: Round | None, words: str) -> list[Place]:
    """Give those who can be picked, found and listed as whoever looks may read them."""
    gone = (Entry.State.WITHDRAWN, Entry.State.EXPELLED)
    people = EntryPlayer.objects.filter(event=event).exclude(entry__state__in=gone)
    seats = _seats_of(this_round)
    places = [
        Place(
            player=each.player,
            letter="",
            phone=None,
            seat=seats.get(each.player_id),
            entry=each.entry,
        )
        for each in people.select_related("player", "entry")
    ]
    asked = fold_name(words).split()
    listed = sorted((each for each in places if each.is_meant(asked)), key=Place.order)[
        :NAMES_SHOWN
    ]
    holders = _holders(event.pk, [each.player.pk for each in listed])
    return [replace(each, phone=holders.get(each.player.pk)) for each in listed]


def _seats_of(this_round: Round | None) -> dict[int, Seat]:
    """Give where everybody sits, by the player's key."""
    if this_round is None:
        return {}
    return {seat.player_id: seat for seat in this_round.seats.select_related("table")}


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
    try:
        phone = get_phone_of(request, pk, or_else=tuple(Ended))
    except Http404:
        return _ask_for_code(request)
    context = _place_context(request, phone)
    template = "tournaments/own_place.html"
    if request.htmx:
        template += "#place"
    else:
        actions.put_away(phone=phone)
    return for_visitor(request, render(request, template, context))


def _ask_for_code(request: VisitorRequest) -> HttpResponse:
    """Send a browser that is no phone of the event, be there such a one or not, to the code."""
    messages.info(
        request,
        _("This browser has not joined: type the code of the card, or scan it with this browser."),
    )
    if request.htmx:
        return HttpResponseClientRedirect(reverse("join"))
    return redirect("join")


@never_cache
@only_as_whoever_entered
@require_POST
def leave_seat(request: VisitorRequest, pk: int) -> HttpResponse:
    """Let the phone stand for nobody, and pick again: that was the wrong name."""
    phone = get_phone_of(request, pk)
    as_named(request, phone)
    actions.leave_seat(phone=phone)
    return redirect("join-by-link", phones.address_of(phone.link))


@never_cache
@only_as_whoever_entered
@require_POST
def leave_after_round(request: VisitorRequest, pk: int) -> HttpResponse:
    """Say that one leaves after this round, or stays after all."""
    phone = get_phone_of(request, pk)
    as_named(request, phone)
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
    seat = phones.seat_now(phone)
    if phone.player_id is not None:
        phones.look_from(request, [phone.player_id])
    context: dict[str, Any] = {
        "event": event,
        "phone": phone,
        "as_whom": mark_of(phone),
        "ended": phone.ended(timezone.now()),
        "can_choose": phone.ended(timezone.now()) in CAN_CHOOSE,
        "this_round": this_round,
        "seat": seat,
        "link_address": phones.address_of(phone.link),
        "next_round": this_round.number + 1 if this_round else 1,
    }
    if phone.is_scorer and this_round is not None:
        context["tables"] = _with_round(this_round)
    if seat is not None:
        context["held"] = held_from(seat.table, phone) if seat.table.is_open else None
        context["call"] = seat.table.referee_calls.waiting().for_list().first()
        asks_to_sign = event.is_tournament or event.asks_to_confirm
        context["waits_to_be_signed"] = asks_to_sign and seat.table.signed_at is None
    if phone.entry is not None:
        context["has_left"] = phone.entry.state in {Entry.State.AWAY, Entry.State.WITHDRAWN}
    if phone.entry is not None and this_round is not None:
        context["sits_out"] = this_round.sit_outs.filter(entry=phone.entry).exists()
    return context


def _with_round(this_round: Round) -> list[Table]:
    found = list(this_round.tables.in_order())
    for table in found:
        table.round = this_round
    return found
