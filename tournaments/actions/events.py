"""Planning an evening and changing the plan."""

from __future__ import annotations

import uuid
from datetime import date, datetime, timedelta
from typing import Any, TypedDict, Unpack

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.actions.clubs import add_season, card_year, lock_club
from clubs.models import Club, Publication, Season, User
from clubs.names import one_line
from tournaments.actions.entries import fill_places, holding_a_place
from tournaments.actions.journal import write_line
from tournaments.games import facts_of
from tournaments.models import CancelledEvent, Event, Fixture, JournalLine, Table
from tournaments.rules import Conflict, refuse_far_ahead, refuse_started

#: What may still be said differently about an evening whose results count.
HARMLESS = frozenset({"title", "place", "publication"})
#: What a draw is made for, of games that are won; ``preset`` and ``target`` make the rules too.
OF_GAMES = frozenset({"entrants", "seats", "best_of", "target", "meeting_points", "cap_rule"})
RULES = frozenset({"preset", "seats", "target"})


class Changes(TypedDict, total=False):
    """What may be asked of an evening; whatever is left out stays as it is."""

    starts_at: datetime
    deals_per_round: int
    rounds_planned: int | None
    leftovers: str
    title: str
    place: str
    publication: str
    preset: str
    most_entries: int | None
    missed_rounds: str
    missed_points: int
    confirmation: str
    entrants: str
    seats: int
    best_of: int
    target: int
    meeting_points: dict[str, Any]
    cap_rule: str
    season: Season


@transaction.atomic
def create_event(
    *,
    club: Club,
    starts_at: datetime,
    deals_per_round: int = 5,
    leftovers: str = Event.Leftovers.THREES,
    by: User | None,
    entry_key: uuid.UUID | None = None,
    rounds_planned: int | None = None,
    title: str = "",
    place: str = "",
    publication: str = Publication.CLUB,
    preset: str = "",
    season: Season | None = None,
    game: str = Event.Game.TAROT,
    entrants: str = Event.Entrants.PLAYERS,
    seats: int = 0,
    best_of: int | None = None,
    target: int | None = None,
    meeting_points: dict[str, Any] | None = None,
    cap_rule: str = "",
) -> Event:
    """Plan an evening in the season of its date, or in the one chosen of several.

    ``seats`` at a table, ``best_of``, ``target``, the points of a meeting and what ends it when
    its time is over are said for games that are won. The same ``entry_key`` is the same evening.
    Refuses a date more than two years ahead.
    """
    refuse_far_ahead(starts_at, at=timezone.now())
    # Two evenings planned at once must not open the same season twice: lock the club.
    lock_club(club)
    entry_key = entry_key or uuid.uuid4()
    known = Event.objects.filter(entry_key=entry_key).select_related("season__club").first()
    if known is not None:
        return _sent_again(known, club, starts_at)
    event = Event(
        season=season or season_of(club, timezone.localdate(starts_at)),
        starts_at=starts_at,
        deals_per_round=deals_per_round,
        leftovers=leftovers,
        rounds_planned=rounds_planned,
        title=one_line(title),
        place=one_line(place),
        publication=publication,
        game=game,
        entrants=entrants,
        best_of=best_of,
        target=target,
        meeting_points=meeting_points or {},
        cap_rule=cap_rule,
        ruleset=facts_of(game).ruleset(preset, seats=seats, target=target or 0),
        entry_key=entry_key,
    )
    _refuse_outside(event, club)
    event.full_clean()
    event.save()
    write_line(event, JournalLine.Kind.CREATED, by)
    return event


def _sent_again(known: Event, club: Club, starts_at: datetime) -> Event:
    # Back and another date on the same page is another evening: not to be lost in silence.
    if known.club != club or known.starts_at != starts_at:
        raise ValidationError(
            _("This page has already planned an evening. Open it anew to plan another one."),
            code="entry_key_taken",
        )
    return known


def season_of(club: Club, day: date) -> Season:
    """The season that contains the day; opened when the club has none."""
    return club.seasons.current(day) or _open_season(club, day)


def _open_season(club: Club, day: date) -> Season:
    first, last = card_year(day)
    before = club.seasons.filter(ends_on__lt=day).order_by("-ends_on").first()
    after = club.seasons.filter(starts_on__gt=day).order_by("starts_on").first()
    return add_season(
        club=club,
        name=_free_name(club, f"{first.year}–{last.year % 100:02d}"),
        starts_on=max(first, before.ends_on + timedelta(days=1)) if before else first,
        ends_on=min(last, after.starts_on - timedelta(days=1)) if after else last,
        publication=before.publication if before else Publication.CLUB,
    )


def _free_name(club: Club, name: str) -> str:
    taken = {known.casefold() for known in club.seasons.values_list("name", flat=True)}
    names = (name, *(f"{name} ({n})" for n in range(2, len(taken) + 3)))
    return next(free for free in names if free.casefold() not in taken)


@transaction.atomic
def change_event(*, event: Event, by: User | None, **changes: Unpack[Changes]) -> Event:
    """Change what is given of the plan.

    Refuses other rules once a round was published, other games that are won once one was drawn,
    others who enter once somebody has, fewer places than are held, and all but title, place and
    publication once the evening is closed. Another number of deals holds for the tables
    not yet published.
    """
    lock_club(event.club)
    event = Event.objects.locked().get(pk=event.pk)
    changed = _changed(event, changes)
    if not changed:
        return event
    if "starts_at" in changed:
        refuse_far_ahead(changes["starts_at"], at=timezone.now())
    _refuse_too_late(event, changed)
    _refuse_fewer_places(event, changes.get("most_entries"))
    _apply(event, changes, changed)
    event.full_clean()
    event.save()
    if "most_entries" in changed:
        fill_places(event)
    if "deals_per_round" in changed:
        proposed = Table.objects.filter(round__event=event, round__state="drawn")
        proposed.update(deals_planned=event.deals_per_round)
    write_line(event, JournalLine.Kind.CHANGED, by, fields=sorted(changed))
    return event


def _changed(event: Event, changes: Changes) -> set[str]:
    of_the_ruleset = {"preset": preset_of(event), "seats": event.ruleset.get("players")}
    return {
        name
        for name, value in changes.items()
        if value != (of_the_ruleset[name] if name in of_the_ruleset else getattr(event, name))
    }


def preset_of(event: Event) -> str:
    """Give the name of the house rules, whatever the seats at a table are."""
    return str(event.ruleset.get("name", "")).removesuffix("-1v1").removesuffix("-3v3")


def _refuse_too_late(event: Event, changed: set[str]) -> None:
    if event.is_closed and not changed <= HARMLESS:
        raise Conflict(
            _("This evening is closed: only its title, its place and who sees it can change."),
            code="evening_closed",
        )
    if "preset" in changed and event.rounds.published().exists():
        raise Conflict(
            _("Sheets have been opened under these rules: they stay until the evening is over."),
            code="rules_in_use",
        )
    _refuse_other_games(event, changed)
    if changed & {"missed_rounds", "missed_points"} and event.rounds.published().exists():
        raise Conflict(
            _("The first round has started: what a missed round counts stays as announced."),
            code="missed_rounds_announced",
        )
    if event.is_tournament and "leftovers" in changed and event.rounds.published().exists():
        raise Conflict(
            _(
                "The first round has started: what becomes of those left over stays as announced. "
                "A single round can be drawn otherwise."
            ),
            code="leftovers_announced",
        )


def _refuse_other_games(event: Event, changed: set[str]) -> None:
    """Pass a change of the games that comes before the first draw, and before who enters."""
    if changed & OF_GAMES and event.rounds.exists():
        raise Conflict(
            _("A round is drawn for these games: they stay as they were planned."),
            code="games_drawn",
        )
    if "entrants" in changed and event.entries.exists():
        raise Conflict(
            _("People are on the list already: who enters, alone or together, stays as it is."),
            code="entered_already",
        )


def _refuse_fewer_places(event: Event, places: int | None) -> None:
    """Pass a number of places that leaves everybody theirs who holds one."""
    if places is None or places == event.most_entries:
        return
    holding = holding_a_place(event)
    if places < holding:
        raise ValidationError(
            _("%(count)s players hold a place already: there cannot be fewer places."),
            code="places_held",
            params={"count": holding},
        )


def _apply(event: Event, changes: Changes, changed: set[str]) -> None:
    for name, value in changes.items():
        if name in changed and name not in {"preset", "seats"}:
            setattr(event, name, one_line(value) if isinstance(value, str) else value)
    if changed & RULES:
        event.ruleset = facts_of(event.game).ruleset(
            changes.get("preset", preset_of(event)),
            seats=changes.get("seats", event.ruleset.get("players", 0)),
            target=event.target or 0,
        )
    if "season" not in changes and "starts_at" in changed:
        day = timezone.localdate(event.starts_at)
        if not event.season.contains(day):
            event.season = season_of(event.club, day)
    if changed & {"starts_at", "season"}:
        _refuse_outside(event, event.club)


def _refuse_outside(event: Event, club: Club) -> None:
    """Pass an evening that lies within its season."""
    is_inside = event.season.contains(timezone.localdate(event.starts_at))
    if event.season.club_id != club.pk or not is_inside:
        raise ValidationError(
            {"season": _("This season does not contain the date of the evening.")}, code="outside"
        )


@transaction.atomic
def cancel_event(*, event: Event, at: datetime | None = None) -> None:
    """Take an evening out of the plan with all that was prepared; a second press finds it gone.

    That it was announced and is cancelled stays known: calendars that hold it have to be told.
    Refuses one of which a round has been started: what was played stays readable.
    """
    now = Event.objects.locked().filter(pk=event.pk).first()
    if now is None:
        return
    refuse_started(now)
    _tell_cancelled(now, at or timezone.now())
    Fixture.objects.filter(stage__event=now).delete()
    now.rounds.all().delete()
    now.entries.all().delete()
    now.delete()


def _tell_cancelled(event: Event, at: datetime) -> None:
    changes = event.journal.filter(kind=JournalLine.Kind.CHANGED).count()
    CancelledEvent.objects.create(
        number=event.pk,
        club=event.club,
        kind=event.kind,
        title=event.title,
        place=event.place,
        starts_at=event.starts_at,
        publication=event.publication,
        changes=changes + 1,
        cancelled_at=at,
    )
