"""What other programs follow: the results of a club as an Atom feed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.syndication.views import Feed
from django.http import HttpRequest, HttpResponseBase
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.feedgenerator import Atom1Feed
from django.utils.formats import date_format
from django.utils.html import escape
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from clubs import onlookers
from clubs.models import Club
from clubs.permissions import VisitorRequest
from clubs.templatetags.cards import signed
from scoring.http import revalidated
from scoring.views.clubs import PLACES_SHOWN, best_of
from scoring.visibility import get_club_with_role
from tournaments.models import Entry, Event, ResultVersion

ENTRIES = 25


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
        told = _told(_latest_of(club))
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


def _latest_of(club: Club) -> list[Event]:
    closed = Event.objects.of_club(club).published().closed()
    return list(closed.select_related("season__club").latest_first()[:ENTRIES])


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
            "day": date_format(timezone.localtime(item.event.starts_at), "SHORT_DATE_FORMAT"),
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
