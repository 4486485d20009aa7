"""Evenings as calendars that programs ask for again: of a club, of one evening, of an account."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import icalendar
from django.db.models import Prefetch
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from clubs import calendars
from clubs.models import Club, Membership, User
from clubs.permissions import VisitorRequest
from clubs.templatetags.cards import colon
from scoring.http import revalidated
from scoring.views.limits import slowed_down
from scoring.visibility import get_club_with_role, get_event_with_role
from tournaments.models import CancelledEvent, Event, JournalLine
from tournaments.querysets import CancelledEventQuerySet, EventQuerySet

#: Evenings in a calendar: those of the last weeks too, for whoever looks back.
MOST_EVENINGS, LOOKS_BACK = 200, timedelta(days=60)
#: Nobody says when an evening ends: calendars want to know.
AN_EVENING = timedelta(hours=4)


@dataclass(frozen=True, slots=True, kw_only=True)
class Dated:
    """An evening as a calendar has it; ``changes`` is how often its plan was changed."""

    number: int
    summary: str
    place: str
    starts_at: datetime
    changes: int
    changed_at: datetime
    address: str
    is_cancelled: bool = False


@require_safe
def club_calendar(request: VisitorRequest, slug: str) -> HttpResponseBase:
    """The evenings of a club that everybody may see."""
    club, _role = get_club_with_role(request.user, slug)
    events = Event.objects.of_club(club).published()
    cancelled = CancelledEvent.objects.of_club(club).published()
    with translation.override(club.language):
        dated = _dated(events, cancelled)
        return _calendar(request, dated, title=club.name, name=club.slug, club=club)


@require_safe
def event_calendar(request: VisitorRequest, pk: int) -> HttpResponseBase:
    """One evening, to put into a calendar; also when it was cancelled since."""
    cancelled = CancelledEvent.objects.visible_to(request.user).filter(number=pk)
    gone = cancelled.select_related("club").first()
    club = gone.club if gone else get_event_with_role(request.user, pk)[0].club
    with translation.override(club.language):
        dated = [_of_cancelled(gone)] if gone else _of_events(Event.objects.filter(pk=pk))
        name = f"{club.slug}-{pk}"
        return _calendar(request, dated, title=club.name, name=name, club=club)


@require_safe
@slowed_down
def own_calendar(request: VisitorRequest, token: str) -> HttpResponseBase:
    """All evenings of the clubs of an account, for programs that cannot sign in."""
    account = calendars.account_of(token)
    if account is None:
        raise Http404
    events = Event.objects.of_clubs_of(account)
    cancelled = CancelledEvent.objects.of_clubs_of(account)
    with translation.override(account.language or _language_of_clubs(account)):
        dated = _dated(events, cancelled)
        response = _calendar(request, dated, title=_("My evenings"), name="tapis-vert")
    response.headers["X-Robots-Tag"] = "noindex"
    return response


def _language_of_clubs(account: User) -> str | None:
    """The language of the account's first club: a program seldom says what its owner reads."""
    membership = Membership.objects.of(account).with_club().first()
    return membership.player.club.language if membership else translation.get_language()


def _calendar(
    request: VisitorRequest,
    dated: Sequence[Dated],
    *,
    title: str,
    name: str,
    club: Club | None = None,
) -> HttpResponseBase:
    return revalidated(
        request,
        club=club,
        version=(title, dated),
        modified=max((each.changed_at for each in dated), default=None),
        make=lambda: HttpResponse(
            calendar_of(request, title, dated),
            content_type="text/calendar; charset=utf-8",
            headers={"Content-Disposition": f'inline; filename="{name}.ics"'},
        ),
    )


# Which evenings


def _dated(events: EventQuerySet, cancelled: CancelledEventQuerySet) -> list[Dated]:
    """Give the evenings from some weeks ago on, those that are cancelled in their places."""
    since = timezone.now() - LOOKS_BACK
    gone = cancelled.filter(starts_at__gte=since).select_related("club").soonest_first()
    found = [
        *_of_events(events.filter(starts_at__gte=since)),
        *map(_of_cancelled, gone[:MOST_EVENINGS]),
    ]
    return sorted(found, key=lambda each: (each.starts_at, each.number))


def _of_events(events: EventQuerySet) -> list[Dated]:
    changes = Prefetch("journal", JournalLine.objects.filter(kind=JournalLine.Kind.CHANGED))
    found = events.select_related("season__club").prefetch_related(changes)
    return [_of_event(event) for event in found.soonest_first()[:MOST_EVENINGS]]


def _of_event(event: Event) -> Dated:
    changed = [line.at for line in event.journal.all()]
    return Dated(
        number=event.pk,
        summary=f"{event.club.name}{colon()} {event.name}",
        place=_place(event.place, event.club),
        starts_at=event.starts_at,
        changes=len(changed),
        changed_at=max(changed, default=event.created_at),
        address=event.get_absolute_url(),
    )


def _of_cancelled(event: CancelledEvent) -> Dated:
    return Dated(
        number=event.number,
        summary=f"{event.club.name}{colon()} {event.name}",
        place=_place(event.place, event.club),
        starts_at=event.starts_at,
        changes=event.changes,
        changed_at=event.cancelled_at,
        address=reverse("evenings", args=[event.club.slug]),
        is_cancelled=True,
    )


def _place(place: str, club: Club) -> str:
    return ", ".join(filter(None, (place, club.town)))


# The file


def calendar_of(request: HttpRequest, title: str, dated: Sequence[Dated]) -> bytes:
    """Write the evenings as iCalendar (RFC 5545); the same bytes for the same evenings."""
    calendar = icalendar.Calendar()
    calendar.add("prodid", "-//Tapis Vert//evenings//EN")
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    calendar.add("x-wr-calname", title)
    calendar.add("refresh-interval;value=duration", "PT6H")
    for each in dated:
        calendar.add_component(_entry_of(request, each))
    written: bytes = calendar.to_ical()
    return written


def _entry_of(request: HttpRequest, dated: Dated) -> icalendar.Event:
    entry = icalendar.Event()
    entry.add("uid", f"event-{dated.number}@{request.get_host().partition(':')[0]}")
    entry.add("dtstamp", dated.changed_at)
    entry.add("last-modified", dated.changed_at)
    entry.add("sequence", dated.changes)
    entry.add("dtstart", dated.starts_at)
    entry.add("dtend", dated.starts_at + AN_EVENING)
    entry.add("summary", dated.summary)
    if dated.place:
        entry.add("location", dated.place)
    entry.add("url", request.build_absolute_uri(dated.address))
    # The same entry with a higher number and this word: programs strike it out (RFC 5546, 3.2.5).
    entry.add("status", "CANCELLED" if dated.is_cancelled else "CONFIRMED")
    return entry
