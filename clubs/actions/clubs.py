"""Starting a club, its settings and its seasons."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from itertools import count

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q
from django.utils.formats import date_format
from django.utils.text import slugify
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.models import Club, Membership, Player, Publication, Role, Season, User, fold_name
from clubs.names import one_line

# The card year, as federations and schools count it.
FIRST_MONTH = 9
#: Evenings that a refusal names; of more only the first.
NAMED = 8


def lock_club(club: Club) -> Club:
    """Let one change of the club's people or seasons happen at a time."""
    return Club.objects.select_for_update(of=("self",), no_key=True).get(pk=club.pk)


@transaction.atomic
def start_club(*, owner: User, name: str, town: str, language: str, on: date) -> Club:
    """Start a club with its owner and the running season; started twice, it is one club."""
    # Two presses of the button wait here for each other.
    User.objects.select_for_update(of=("self",), no_key=True).get(pk=owner.pk)
    for own in Club.objects.owned_by(owner):
        if fold_name(own.name) == fold_name(name):
            return own
    club = Club(name=one_line(name), town=one_line(town), language=language, slug=free_slug(name))
    club.full_clean()
    club.save()
    person = Player(club=club, name=owner.name or owner.email, account=owner)
    person.sort_name = fold_name(person.name)
    person.full_clean()
    person.save()
    Membership.objects.create(player=person, role=Role.OWNER, joined_on=on)
    first, last = card_year(on)
    add_season(
        club=club,
        name=f"{first.year}\u2013{last.year % 100:02d}",
        starts_on=first,
        ends_on=last,
        publication=Publication.CLUB,
    )
    return club


def card_year(day: date) -> tuple[date, date]:
    """The first and the last day of the year from September to August that holds this day."""
    year = day.year if day.month >= FIRST_MONTH else day.year - 1
    following = date(year + 1, FIRST_MONTH, 1)
    return date(year, FIRST_MONTH, 1), following - timedelta(days=1)


def free_slug(name: str) -> str:
    """An address that no club has yet."""
    return next(slug for slug in slugs(name) if not Club.objects.filter(slug=slug).exists())


def slugs(name: str) -> Iterator[str]:
    stem = slugify(fold_name(name))[:50].strip("-") or "club"
    yield stem
    for number in count(2):
        yield f"{stem}-{number}"


@transaction.atomic
def change_club(
    *,
    club: Club,
    name: str,
    town: str,
    about: str,
    language: str,
    publication: str,
    shows_sheets: bool = True,
    embed_origins: str = "",
) -> Club:
    """Change what the club says about itself and who sees it; its address stays."""
    club = lock_club(club)
    club.name = one_line(name)
    club.town = one_line(town)
    club.about = "\n".join(map(one_line, about.splitlines())).strip()
    club.language = language
    club.publication = publication
    club.shows_sheets = shows_sheets
    club.embed_origins = embed_origins
    club.full_clean()
    club.save(
        update_fields=[
            "name", "town", "about", "language", "publication", "shows_sheets", "embed_origins",
        ]
    )  # fmt: skip
    return club


@transaction.atomic
def add_season(
    *, club: Club, name: str, starts_on: date, ends_on: date, publication: str
) -> Season:
    """Add a season; seasons may overlap, as a summer cup lies within the year."""
    lock_club(club)
    season = Season(
        club=club,
        name=one_line(name),
        starts_on=starts_on,
        ends_on=ends_on,
        publication=publication,
    )
    season.full_clean()
    season.save()
    return season


@transaction.atomic
def change_season(
    *, season: Season, name: str, starts_on: date, ends_on: date, publication: str
) -> Season:
    """Change a season; refuses days that leave out an evening which belongs to it."""
    lock_club(season.club)
    _refuse_to_leave_out(season, starts_on, ends_on)
    season.name = one_line(name)
    season.starts_on = starts_on
    season.ends_on = ends_on
    season.publication = publication
    season.full_clean()
    season.save(update_fields=["name", "starts_on", "ends_on", "publication"])
    return season


def _refuse_to_leave_out(season: Season, starts_on: date, ends_on: date) -> None:
    inside = Q(starts_at__date__gte=starts_on, starts_at__date__lte=ends_on)
    left_out = list(season.events.exclude(inside).order_by("starts_at", "pk"))
    if not left_out:
        return
    named = [
        _("%(name)s of %(day)s")
        % {
            "name": event.name,
            "day": date_format(localtime(event.starts_at), "SHORT_DATE_FORMAT"),
        }
        for event in left_out[:NAMED]
    ]
    raise ValidationError(
        ngettext(
            "The season would no longer contain %(count)s of its evenings: %(evenings)s.",
            "The season would no longer contain %(count)s of its evenings: %(evenings)s.",
            len(left_out),
        )
        % {"count": len(left_out), "evenings": ", ".join(named + ["…"] * (len(left_out) > NAMED))},
        code="leaves_out",
    )


@transaction.atomic
def delete_season(*, season: Season) -> None:
    """Delete a season; refuses one that has evenings, and a second press finds it gone."""
    lock_club(season.club)
    if season.events.exists():
        raise ValidationError(
            _("The season “%(name)s” has evenings: it stays.") % {"name": season.name},
            code="has_evenings",
        )
    Season.objects.filter(pk=season.pk).delete()
