"""Pictures that networks show beside a link, as everybody may see the page behind it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any

from django.http import HttpResponse, HttpResponseBase
from django.utils import translation
from django.utils.formats import date_format
from django.utils.safestring import SafeString
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from clubs import onlookers
from clubs.models import Club
from clubs.permissions import VisitorRequest
from clubs.templatetags.cards import signed
from scoring import freshness, pictures, results
from scoring.http import revalidated
from scoring.models import RankingRow
from scoring.pictures import LINES, Picture
from scoring.views.limits import slowed_down
from scoring.visibility import (
    get_club_with_role,
    get_event_with_role,
    get_ranking_with_role,
)
from tournaments.models import Entry, Event

#: What could end an element of a page, as JSON writes it as well.
UNMARKED = {ord(letter): f"\\u{ord(letter):04x}" for letter in "<>&"}


@require_safe
@slowed_down
def club_picture(request: VisitorRequest, slug: str) -> HttpResponseBase:
    """The club's name and town."""
    club, _role = get_club_with_role(request.user, slug)
    return _picture(request, club, lambda: Picture(club="Tapis Vert", title=club.name,
                                                   below=club.town), modified=None)  # fmt: skip


@require_safe
@slowed_down
def event_picture(request: VisitorRequest, pk: int) -> HttpResponseBase:
    """The evening with its first places, and what its results are."""
    event, _role = get_event_with_role(request.user, pk)
    return _picture(request, event.club, lambda: _of_event(event), modified=event.standings_at)


def _of_event(event: Event) -> Picture:
    day = date_format(localtime(event.starts_at))
    best = event.entries.played().for_standings()[:LINES]
    return Picture(
        club=_of_club(event.club),
        title=event.name,
        below=" · ".join(filter(None, (day, words_of(event) or event.place))),
        lines=list(_places(best)),
        age=_age_of(freshness.of_event(event)),
    )


#: What the results of an event are.
SO_FAR, PROVISIONAL, FINAL = "so-far", "provisional", "final"
WORDS = {
    SO_FAR: gettext_lazy("standings so far"),
    PROVISIONAL: gettext_lazy("provisional results"),
    FINAL: gettext_lazy("final results"),
}


def state_of(event: Event) -> str:
    """Say whether results are preliminary, provisional or final; nothing before the first deal."""
    if event.state == Event.State.CHECK_IN:
        return ""
    if event.state == Event.State.RUNNING:
        return SO_FAR
    return FINAL if not event.is_tournament or results.is_final(event) else PROVISIONAL


def words_of(event: Event) -> str:
    """Say the same in words."""
    return str(WORDS.get(state_of(event), ""))


def _age_of(fresh: freshness.Freshness) -> str:
    """Say how old the places are, and whether they are about to change."""
    if fresh.counted_at is None:
        return ""
    at = localtime(fresh.counted_at)
    counted = _("Counted on %(day)s at %(time)s") % {
        "day": date_format(at, "SHORT_DATE_FORMAT"),
        "time": date_format(at, "TIME_FORMAT"),
    }
    waits = "" if fresh.is_fresh else _("Being counted again")
    return " · ".join(filter(None, (counted, waits)))


@require_safe
@slowed_down
def ranking_picture(request: VisitorRequest, pk: int) -> HttpResponseBase:
    """The ranking with its first places."""
    ranking, _role = get_ranking_with_role(request.user, pk)
    club = ranking.season.club

    def made() -> Picture:
        rows = RankingRow.objects.filter(ranking=ranking, place__isnull=False).for_leaderboard()
        return Picture(
            club=_of_club(club),
            title=str(ranking),
            below=f"{ranking.season.name} · {ranking.get_state_display()}",
            lines=[
                (str(row.place), row.player.shown_name, signed(row.shown_score(ranking.decimals)))
                for row in rows[:LINES]
            ],
            age=_age_of(freshness.of_season(ranking.season, ranking)),
        )

    return _picture(request, club, made, modified=ranking.computed_at)


def _of_club(club: Club) -> str:
    return " · ".join(filter(None, (club.name, club.town)))


def _places(entries: Iterable[Entry]) -> Iterable[tuple[str, str, str]]:
    return ((str(entry.place), str(entry), signed(entry.points)) for entry in entries)


def _picture(
    request: VisitorRequest,
    club: Club,
    made: Callable[[], Picture],
    *,
    modified: datetime | None,
) -> HttpResponseBase:
    """Answer with the picture, in the club's language: whoever fetches it speaks none."""
    with onlookers.before_the_world(), translation.override(club.language):
        picture = made()
        return revalidated(
            request,
            club=club,
            version=picture.tag,
            modified=modified,
            make=lambda: HttpResponse(pictures.png_of(picture), content_type="image/png"),
        )


def as_data(request: VisitorRequest, event: Event) -> SafeString:
    """Describe a published evening as schema.org has it, for programs that read pages."""
    address = request.build_absolute_uri(event.get_absolute_url())
    data: dict[str, Any] = {
        "@context": "https://schema.org",
        "@type": "Event",
        "name": event.name,
        "startDate": localtime(event.starts_at).isoformat(),
        "url": address,
        "organizer": {"@type": "Organization", "name": event.club.name},
    }
    where = ", ".join(filter(None, (event.place, event.club.town)))
    if where:
        data["location"] = {"@type": "Place", "name": where, "address": where}
    # As json_script does: nothing in it can end the element.
    return SafeString(json.dumps(data, ensure_ascii=False).translate(UNMARKED))
