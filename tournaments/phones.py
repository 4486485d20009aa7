"""The phones that joined without an account: the addresses that let them in, and their cookies.

A link's address is its key and a mark made with the site's secret, so that an address that was
made up costs no look into the database. A phone carries one signed cookie for each event that it
joined; the cookie holds the phone's key and nothing about a person.
"""

from __future__ import annotations

import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from functools import update_wrapper
from typing import Any, Concatenate, cast
from uuid import UUID

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.core.signing import BadSignature
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac

from clubs.prepared import PreparedRead
from tournaments.models import Event, JoinLink, Phone, Seat

#: Letters and digits that nobody mistakes for each other on a printed card; and if he does.
ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
MISREAD = str.maketrans("1I0O", "LLQQ")
CODE_LENGTH = 6
GROUP = CODE_LENGTH // 2
KEY_LENGTH, MARK_BYTES = 22, 12
COOKIE = "phone-"
#: Digits; more would be no key of a row.
LONGEST_KEY = 18
#: A phone's last sign of life is written down this often.
SEEN_EVERY = timedelta(minutes=1)
#: A page says twice a minute which row it has open; one that is silent has been put away.
ENTERING_FOR = timedelta(seconds=90)
PHONES = PreparedRead(Phone.objects.select_related("link", "player"), "key")


def new_code() -> str:
    """Give a short code for a card, by lot."""
    return "".join(secrets.choice(ALPHABET) for _ in range(CODE_LENGTH))


def spoken(code: str) -> str:
    """Give a code as it is printed: in two groups."""
    return f"{code[:GROUP]}-{code[GROUP:]}"


def typed(text: str) -> str:
    """Give what somebody typed as a code: in capitals, without gaps and misread letters."""
    return "".join(letter for letter in text.upper() if letter.isalnum()).translate(MISREAD)


def address_of(link: JoinLink) -> str:
    """Give the last part of a link's address: its key and the mark over it."""
    key = urlsafe_b64encode(link.key.bytes).rstrip(b"=").decode()
    return key + _mark(link.key, settings.SECRET_KEY)


def path_of(link: JoinLink) -> str:
    """Give where a link leads: to the choice of who one is, or to the wall."""
    if link.is_of_wall:
        return reverse("projector-by-link", args=[link.event_id, address_of(link)])
    return reverse("join-by-link", args=[address_of(link)])


def link_at(address: str) -> JoinLink | None:
    """Give the link of an address; nothing for one that this site has not made."""
    key = _key_in(address)
    if key is None:
        return None
    return JoinLink.objects.select_related("event__season__club").filter(key=key).first()


def was_made_here(address: str) -> bool:
    """Has this site made the address, be its link still there or gone with a cancelled event?"""
    return _key_in(address) is not None


def _key_in(address: str) -> UUID | None:
    try:
        key = UUID(bytes=urlsafe_b64decode(address[:KEY_LENGTH] + "=="))
    except ValueError:
        return None
    secrets_ = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    is_ours = any(constant_time_compare(address[KEY_LENGTH:], _mark(key, s)) for s in secrets_)
    return key if is_ours else None


def link_with(code: str) -> JoinLink | None:
    """Give the link with this short code."""
    links = JoinLink.objects.select_related("event__season__club")
    return links.filter(code=typed(code)).first()


def links_of_tables(event: Event, *, at: datetime | None = None) -> dict[int, JoinLink]:
    """Give the good links of an event's table cards, by the table's number."""
    at = at or timezone.now()
    links = event.join_links.filter(
        role=JoinLink.Role.PLAYER, revoked_at=None, expires_at__gt=at, table_number__isnull=False
    )
    return {link.table_number: link for link in links if link.table_number is not None}


def path_of_card(event: Event, number: int, links: Mapping[int, JoinLink]) -> str:
    """Give where a table card leads: in by its link, else to the table's sheet of the round."""
    if number in links:
        return reverse("join-by-link", args=[address_of(links[number])])
    return reverse("table-sheet", args=[event.pk, number])


def _mark(key: UUID, secret: str) -> str:
    digest = salted_hmac("tournaments.join", key.hex, secret=secret, algorithm="sha256").digest()
    return urlsafe_b64encode(digest[:MARK_BYTES]).decode()


# The phone that asks


def seat_now(phone: Phone) -> Seat | None:
    """Give where the phone's player sits in the last round that has started.

    Nothing for a phone that has ended, be it removed or its link: it stands for nobody by now.
    """
    if phone.player_id is None or phone.ended(timezone.now()) is not None:
        return None
    last = phone.event.rounds.published().in_order().last()
    seats = Seat.objects.select_related("table__round__event__season__club", "player")
    return seats.filter(round=last, player=phone.player_id).first() if last else None


def former(by: Any) -> Iterable[Phone]:
    """Give the phones that stood for the same player at the same event before this one."""
    if not isinstance(by, Phone) or by.player_id is None:
        return ()
    return Phone.objects.filter(event=by.event_id, player=by.player_id).exclude(pk=by.pk)


def phone_that_asked(request: HttpRequest) -> Phone | None:
    """Give a phone that was looked for during this request and found, good or not any more."""
    known: dict[int, Phone | None] = request.__dict__.get("_phones", {})
    return next((phone for phone in known.values() if phone is not None), None)


def phone_of(request: HttpRequest, event: Event, *, at: datetime | None = None) -> Phone | None:
    """Give the phone of this event that the request comes from, good or not any more."""
    known: dict[int, Phone | None] = request.__dict__.setdefault("_phones", {})
    if event.pk not in known:
        known[event.pk] = _found(request, event)
    phone = known[event.pk]
    if phone is not None:
        _seen(phone, at or timezone.now())
    return phone


def helps_club(request: HttpRequest, club_id: int) -> bool:
    """Has a good phone of a scorer or referee of this club been found in the request?"""
    now = timezone.now()
    known: dict[int, Phone | None] = request.__dict__.get("_phones", {})
    return any(
        phone is not None
        and (phone.is_scorer or phone.is_referee)
        and phone.event.season.club_id == club_id
        and phone.ended(now) is None
        for phone in known.values()
    )


def look_from(request: HttpRequest, players: Iterable[int]) -> None:
    """Note that the page is about the table where the phone sits with these players."""
    request.__dict__["_tablemates"] = frozenset(players)


def sits_with(request: HttpRequest, player_id: int) -> bool:
    """Is the page about the table where the phone sits with this player?"""
    return player_id in request.__dict__.get("_tablemates", ())


def has_phone(request: HttpRequest) -> bool:
    """Does the request come from a phone that joined some event?"""
    return any(name.startswith(COOKIE) for name in request.COOKIES)


def cookies_of(request: HttpRequest) -> list[str]:
    """Give what tells the phones of one request from those of another."""
    return sorted(value for name, value in request.COOKIES.items() if name.startswith(COOKIE))


def events_of(request: HttpRequest) -> Iterator[int]:
    """Give the keys of the events of whose phones the request brings cookies."""
    for name in request.COOKIES:
        number = name.removeprefix(COOKIE)
        if name.startswith(COOKIE) and number.isdecimal() and len(number) <= LONGEST_KEY:
            yield int(number)


def remember(response: HttpResponse, phone: Phone) -> None:
    """Let the phone be known again, as long as its link lasts."""
    response.set_signed_cookie(
        f"{COOKIE}{phone.event_id}",
        phone.key.hex,
        salt=_salt(phone.event),
        expires=phone.link.expires_at,
        httponly=True,
        secure=settings.SESSION_COOKIE_SECURE,
        samesite="Lax",
    )


def _found(request: HttpRequest, event: Event) -> Phone | None:
    try:
        key = request.get_signed_cookie(f"{COOKIE}{event.pk}", salt=_salt(event))
    except (KeyError, BadSignature):
        return None
    if key is None:
        return None
    phone = PHONES.one(UUID(key))
    if phone is None or phone.event_id != event.pk:
        return None
    phone.event = phone.link.event = event
    return phone


def _salt(event: Event) -> str:
    return f"tournaments.phone.{event.entry_key}"


def _seen(phone: Phone, at: datetime) -> None:
    if at - phone.seen_at >= SEEN_EVERY:
        phone.seen_at = at
        Phone.objects.filter(pk=phone.pk).update(seen_at=at)


def entering(tables: Collection[int], *, at: datetime | None = None) -> dict[int, list[Phone]]:
    """Give, by table, the phones that have a row of it open, since a short while."""
    since = (at or timezone.now()) - ENTERING_FOR
    found = Phone.objects.filter(at_table__in=tables, enters_since__gte=since, removed_at=None)
    by_table: dict[int, list[Phone]] = {}
    for phone in found.select_related("link", "player").order_by("enters_since", "pk"):
        if phone.at_table_id is not None:
            by_table.setdefault(phone.at_table_id, []).append(phone)
    return by_table


type View[**P] = Callable[Concatenate[Any, P], HttpResponse]


def known_visitor_required[**P](view: View[P]) -> View[P]:
    """Let in whoever has signed in or joined with a phone; all others are asked to sign in."""

    def guarded(request: Any, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if not request.user.is_authenticated and not has_phone(request):
            return redirect_to_login(request.get_full_path())
        return view(request, *args, **kwargs)

    return cast("View[P]", update_wrapper(guarded, view))
