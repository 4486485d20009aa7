"""What other programs follow: the results of a club as an Atom feed, its evenings as a calendar."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import icalendar
from django.contrib.syndication.views import Feed
from django.db.models import Prefetch
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import escape
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from clubs import onlookers
from clubs.models import Club
from clubs.permissions import VisitorRequest
from clubs.templatetags.cards import signed
from scoring.http import revalidated
from scoring.views.clubs import PLACES_SHOWN, best_of
from scoring.visibility import get_club_with_role, get_event_with_role
from tournaments.models import Entry, Event, JournalLine, ResultVersion
from tournaments.querysets import EventQuerySet

ENTRIES = 25
#: Evenings in the calendar: those of the last weeks too, for whoever looks back.
MOST_EVENINGS, LOOKS_BACK = 200, timedelta(days=60)
#: Nobody says when an evening ends: calendars want to know.
AN_EVENING = timedelta(hours=4)


def published(club: Club) -> EventQuerySet:
    """The evenings of the club that the world may see."""
    events = Event.objects.of_club(club).select_related("season__club")
    return events.filter(publication="public", season__club__publication="public")


# Results


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A closed evening with its best and what its results are: provisional, or final."""

    event: Event
    best: Sequence[Entry]
    version: ResultVersion | None

    @property
    def changed_at(self) -> datetime:
        times = [self.event.standings_at, self.event.closed_at, self.event.starts_at]
        return max(time for time in times if time is not None)

    @property
    def is_provisional(self) -> bool:
        return self.version is not None and self.version.state != ResultVersion.State.FINAL


@require_safe
def results_feed(request: VisitorRequest, slug: str) -> HttpResponseBase:
    """The latest results as everybody may read them, in the club's language."""
    club, _role = get_club_with_role(request.user, slug)
    with onlookers.before_the_world(), translation.override(club.language):
        told = _told(list(published(club).closed().latest_first()[:ENTRIES]))
        return revalidated(
            request,
            club=club,
            version=(
                club.name, club.town,
                [(each.event.pk, each.event.name, each.event.starts_at, each.changed_at,
                  each.version and (each.version.number, each.version.state),
                  [(entry.pk, entry.points) for entry in each.best]) for each in told],
            ),
            modified=max((each.changed_at for each in told), default=None),
            make=lambda: ResultsFeed()(request, club=club, told=told),
        )  # fmt: skip


def _told(events: Sequence[Event]) -> list[Told]:
    best = best_of(events)
    versions = {
        version.event_id: version
        for version in ResultVersion.objects.filter(event__in=events).order_by("number")
    }
    return [
        Told(event=event, best=best[event.pk][:PLACES_SHOWN], version=versions.get(event.pk))
        for event in events
    ]


@dataclass(frozen=True, slots=True)
class Followed:
    """A club and what its feed tells."""

    club: Club
    told: Sequence[Told]


class ResultsFeed(Feed):  # type: ignore[type-arg]  # not generic at run time
    """The feed, as the library for feeds wants it said."""

    feed_type = Atom1Feed

    def get_object(
        self, request: HttpRequest, *args: Any, club: Club, told: Sequence[Told], **kwargs: Any
    ) -> Followed:
        return Followed(club, told)

    def title(self, obj: Followed) -> str:
        return _("%(club)s: results") % {"club": obj.club.name}

    def link(self, obj: Followed) -> str:
        return obj.club.get_absolute_url()

    def author_name(self, obj: Followed) -> str:
        return obj.club.name

    def feed_url(self, obj: Followed) -> str:
        return reverse("results-feed", args=[obj.club.slug])

    def items(self, obj: Followed) -> Sequence[Told]:
        return obj.told

    def item_title(self, item: Told) -> str:
        gaps = {
            "name": item.event.name,
            "day": timezone.localtime(item.event.starts_at).strftime("%Y-%m-%d"),
        }
        if item.is_provisional:
            return _("%(name)s, %(day)s (provisional)") % gaps
        return _("%(name)s, %(day)s") % gaps

    def item_description(self, item: Told) -> str:
        # Atom has summaries as HTML: a name that looks like a tag is none.
        lines = [f"{entry.place}. {entry} {signed(entry.points)}" for entry in item.best]
        return escape(" · ".join(lines))

    def item_link(self, item: Told) -> str:
        return item.event.get_absolute_url()

    def item_pubdate(self, item: Told) -> datetime:
        return item.event.closed_at or item.event.starts_at

    def item_updateddate(self, item: Told) -> datetime:
        return item.changed_at


# Evenings


@require_safe
def club_calendar(request: VisitorRequest, slug: str) -> HttpResponseBase:
    """The evenings to come, and those just past, as a calendar that programs ask for again."""
    club, _role = get_club_with_role(request.user, slug)
    since = timezone.now() - LOOKS_BACK
    changes = JournalLine.objects.filter(kind=JournalLine.Kind.CHANGED)
    events = published(club).filter(starts_at__gte=since).soonest_first()
    events = events.prefetch_related(Prefetch("journal", changes))
    return _calendar(request, club, list(events[:MOST_EVENINGS]), name=club.slug)


@require_safe
def event_calendar(request: VisitorRequest, pk: int) -> HttpResponseBase:
    """One evening, to put into a calendar."""
    event, _role = get_event_with_role(request.user, pk)
    return _calendar(request, event.club, [event], name=f"{event.club.slug}-{event.pk}")


def _calendar(
    request: VisitorRequest, club: Club, events: Sequence[Event], *, name: str
) -> HttpResponseBase:
    with translation.override(club.language):
        return revalidated(
            request,
            club=club,
            version=(club.name, club.town,
                     [(e.pk, e.name, e.place, e.starts_at, e.state, _changes(e)) for e in events]),
            modified=None,
            make=lambda: HttpResponse(
                calendar_of(request, club, events),
                content_type="text/calendar; charset=utf-8",
                headers={"Content-Disposition": f'inline; filename="{name}.ics"'},
            ),
        )  # fmt: skip


def calendar_of(request: HttpRequest, club: Club, events: Sequence[Event]) -> bytes:
    """Write the evenings as iCalendar (RFC 5545); the same bytes for the same evenings."""
    calendar = icalendar.Calendar()
    calendar.add("prodid", "-//Tapis Vert//evenings//EN")
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    calendar.add("x-wr-calname", club.name)
    calendar.add("refresh-interval;value=duration", "PT6H")
    for event in events:
        calendar.add_component(_entry_of(request, club, event))
    written: bytes = calendar.to_ical()
    return written


def _entry_of(request: HttpRequest, club: Club, event: Event) -> icalendar.Event:
    entry = icalendar.Event()
    entry.add("uid", f"event-{event.pk}@{request.get_host().partition(':')[0]}")
    number, changed_at = _changes(event)
    entry.add("dtstamp", changed_at)
    entry.add("last-modified", changed_at)
    entry.add("sequence", number)
    entry.add("dtstart", event.starts_at)
    entry.add("dtend", event.starts_at + AN_EVENING)
    entry.add("summary", f"{club.name}: {event.name}")
    place = ", ".join(filter(None, (event.place, club.town)))
    if place:
        entry.add("location", place)
    entry.add("url", request.build_absolute_uri(event.get_absolute_url()))
    entry.add("status", "CONFIRMED")
    return entry


def _changes(event: Event) -> tuple[int, datetime]:
    """Say how often the plan of an evening was changed, and when last: calendars follow it."""
    changed = JournalLine.Kind.CHANGED
    times = [line.at for line in event.journal.all() if line.kind == changed]
    return len(times), max(times, default=event.created_at)
