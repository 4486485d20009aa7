"""The list at the door: the club's people, and who of them is here tonight."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.utils import timezone

from clubs.models import Player
from clubs.querysets import PlayerQuerySet
from tournaments.models import Entry, EntryPlayer, Event, Round


def people(
    event: Event, *, words: str = "", only_present: bool = False, at: datetime | None = None
) -> Any:
    """Members and tonight's guests by name; with words, everybody whose name holds them."""
    found = _as_rows(event, at or timezone.now())
    if only_present:
        return found.filter(is_present=True).by_name()
    if words:
        return found.called(words).filter(Q(archived_at=None) | Q(is_entered=True)).by_name()
    members = Q(membership__isnull=False, membership__left_on=None, archived_at=None)
    return found.filter(members | Q(is_entered=True)).by_name()


def row_of(event: Event, player: Player, *, at: datetime | None = None) -> Player:
    """One player as a line of the list."""
    row = _as_rows(event, at or timezone.now()).get(pk=player.pk)
    line: Player = with_evenings(event, [row])[0]
    return line


def _as_rows(
    event: Event, at: datetime
) -> Any:  # annotated rows: the type checker knows no such players
    here = EntryPlayer.objects.filter(event=event, player=OuterRef("pk"))
    players: PlayerQuerySet = Player.objects.filter(club=event.season.club_id)
    return players.select_related("membership").annotate(
        is_present=Exists(here.filter(entry__state=Entry.State.PRESENT)),
        is_entered=Exists(here),
        last_seen=Subquery(_earlier(event, at).values("event__starts_at")[:1]),
    )


def evenings_elsewhere(event: Event, players: Collection[int]) -> dict[int, Event]:
    """Give, by player, where else somebody is present now, in a round that is being played."""
    present = EntryPlayer.objects.filter(
        player__in=players,
        entry__state=Entry.State.PRESENT,
        event__rounds__state=Round.State.PLAYING,
    )
    found = dict(present.exclude(event=event).order_by("event").values_list("player", "event"))
    names = Event.objects.in_bulk(set(found.values()))
    return {player: names[other] for player, other in found.items()}


def with_evenings(event: Event, rows: Iterable[Any]) -> list[Any]:
    """Give the lines of people with the other evening that somebody plays at, if there is one."""
    found = list(rows)
    others = evenings_elsewhere(event, [row.pk for row in found])
    for row in found:
        row.plays_too = others.get(row.pk)
    return found


def _earlier(event: Event, at: datetime) -> QuerySet[EntryPlayer]:
    # An evening may be opened before its date: nobody has been seen on a day to come.
    before = min(event.starts_at, at)
    played = EntryPlayer.objects.filter(player=OuterRef("pk"), entry__deals_played__gt=0)
    return played.filter(event__starts_at__lt=before).order_by("-event__starts_at")
