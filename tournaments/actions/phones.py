"""Phones that join an event: who sits behind them, what they say, and who sends them off."""

from __future__ import annotations

from datetime import datetime
from typing import TypedDict, Unpack

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.formats import time_format
from django.utils.translation import gettext as _

from clubs.models import Player, User
from clubs.names import one_line
from tournaments.actions.entries import fill_places
from tournaments.actions.fixtures import write_down_event
from tournaments.actions.journal import write_line
from tournaments.actions.roster import roster_changed
from tournaments.actors import Actor
from tournaments.models import (
    Entry,
    EntryPlayer,
    Event,
    JoinLink,
    JournalLine,
    Phone,
    Round,
    Table,
)
from tournaments.rules import Conflict, refuse_closed

KIND = JournalLine.Kind
LONGEST_NAME = 60


class Holder(TypedDict, total=False):
    """Who holds a phone."""

    entry: Entry
    player: Player
    name: str


@transaction.atomic
def join_as_player(
    *,
    link: JoinLink,
    player: Player,
    phone: Phone | None = None,
    claims: bool = False,
    at: datetime | None = None,
) -> Phone:
    """Let a phone stand for a player of the event.

    A player has one phone: where another good one stands for him it is refused, unless this one
    ``claims`` the seat; the other then opens nothing any more, and its holder is told.
    """
    at = at or timezone.now()
    _refuse_ended(link, at)
    place = _locked_place(link.event, player)
    _refuse_elsewhere(link, player)
    other = Phone.objects.filter(event=link.event, player=player, removed_at=None).first()
    if other is not None and phone is not None and other.pk == phone.pk:
        return _moved_to(link, other)
    if other is not None and other.ended(at) is None and not claims:
        raise _seat_taken(other)
    _leave(other, at)
    mine = _new(link, phone, at, entry=place.entry, player=player, name=player.name[:LONGEST_NAME])
    _replace(other, mine)
    claimed = other is not None and claims
    write_line(link.event, KIND.PHONE_JOINED, mine, player=player.pk, claimed=claimed)
    return mine


@transaction.atomic
def join_as_helper(
    *, link: JoinLink, name: str, phone: Phone | None = None, at: datetime | None = None
) -> Phone:
    """Let a phone in as a scorer or a referee, under the name of whoever holds it."""
    at = at or timezone.now()
    _refuse_ended(link, at)
    name = one_line(name)
    if not name:
        raise ValidationError(_("Say who you are: others see who wrote."), code="name_missing")
    mine = _new(link, phone, at, name=name)
    write_line(link.event, KIND.PHONE_JOINED, mine, name=name, role=link.role)
    return mine


@transaction.atomic
def leave_seat(*, phone: Phone, at: datetime | None = None) -> Phone:
    """Let a phone stand for nobody: somebody tapped the wrong name."""
    now = Phone.objects.select_for_update(of=("self",)).get(pk=phone.pk)
    _leave(now, at or timezone.now())
    return now


@transaction.atomic
def remove_phone(*, phone: Phone, by: User, at: datetime | None = None) -> Phone:
    """Send a phone off the event; what it entered stays."""
    event = Event.objects.locked().get(pk=phone.event_id)
    now = Phone.objects.select_for_update(of=("self",)).get(pk=phone.pk)
    if now.removed_at is None:
        now.removed_by = by
        _leave(now, at or timezone.now())
        write_line(event, KIND.PHONE_REMOVED, by, player=now.player_id, name=now.name)
    return now


# Leaving after the round


@transaction.atomic
def leave_after_round(
    *, entry: Entry, by: Actor, leaves: bool = True, at: datetime | None = None
) -> Entry:
    """Say that an entry leaves when the round being played closes, or that it stays after all.

    Between two rounds it leaves at once.
    """
    event = Event.objects.locked().get(pk=entry.event_id)
    refuse_closed(event)
    entry = event.entries.get(pk=entry.pk)
    playing = event.rounds.playing().first()
    number = playing.number if playing and leaves else None
    if leaves and playing is None:
        _let_go(event, [entry], by, at=at or timezone.now())
        write_down_event(event)
    elif entry.leaves_after != number:
        entry.leaves_after = number
        entry.save(update_fields=["leaves_after"])
        kind = KIND.LEAVES_AFTER if leaves else KIND.STAYS
        write_line(event, kind, by, player=_player_of(entry), round=playing and playing.number)
    return entry


def let_go(event: Event, this_round: Round, by: User | None, *, at: datetime) -> None:
    """Take out those who said that they leave after this round."""
    leaving = event.entries.filter(leaves_after__lte=this_round.number)
    _let_go(event, [each for each in leaving if each.is_present], by, at=at)


def _let_go(event: Event, leaving: list[Entry], by: Actor | None, *, at: datetime) -> None:
    if not leaving:
        return
    state = Entry.State.WITHDRAWN if event.is_tournament else Entry.State.AWAY
    kind = KIND.ENTRY_WITHDRAWN if event.is_tournament else KIND.CHECKED_OUT
    for entry in leaving:
        if entry.state == state:
            continue
        entry.state, entry.leaves_after = state, None
        entry.withdrawn_at = at if event.is_tournament else None
        entry.save(update_fields=["state", "leaves_after", "withdrawn_at"])
        write_line(event, kind, by, player=_player_of(entry))
    roster_changed(event)
    if event.is_tournament:
        fill_places(event)


def _player_of(entry: Entry) -> int:
    return EntryPlayer.objects.values_list("player_id", flat=True).filter(entry=entry)[0]


# The seat of a phone


def _refuse_ended(link: JoinLink, at: datetime) -> None:
    ended = link.ended(at)
    if ended is not None:
        raise Conflict(ended.label, code=ended.value)


def _refuse_elsewhere(link: JoinLink, player: Player) -> None:
    """Pass who sits at the table of the card in the last round, if that table is played at."""
    if link.table_number is None:
        return
    last = link.event.rounds.published().in_order().last()
    table = last and last.tables.filter(number=link.table_number).first()
    if table is not None and not table.seats.filter(player=player).exists():
        raise Conflict(
            _("%(player)s does not sit at table %(number)s: use the card on your own table."),
            code="another_table",
            params={"player": player, "number": link.table_number},
        )


def _locked_place(event: Event, player: Player) -> EntryPlayer:
    """Lock the player's place on the list: two phones may tap one name together."""
    places = EntryPlayer.objects.select_for_update(of=("self",)).select_related("entry")
    place = places.filter(event=event, player=player).first()
    if place is None:
        raise ValidationError(
            _("%(player)s does not take part in this event."),
            code="not_entered",
            params={"player": player},
        )
    return place


def _moved_to(link: JoinLink, phone: Phone) -> Phone:
    """Give a phone that came in by another link of its event, on this one from now on."""
    phone.event, phone.link = link.event, link
    phone.save(update_fields=["link"])
    return phone


def _new(link: JoinLink, before: Phone | None, at: datetime, **who: Unpack[Holder]) -> Phone:
    """Make the phone; what the same one was before at this event ends."""
    if before is not None and before.event_id == link.event_id:
        _leave(before, at)
    mine = Phone.objects.create(link=link, event=link.event, joined_at=at, seen_at=at, **who)
    if before is not None and before.event_id == link.event_id:
        _replace(before, mine)
    return mine


def _leave(phone: Phone | None, at: datetime) -> None:
    if phone is None or phone.removed_at is not None:
        return
    phone.removed_at = at
    phone.at_table = phone.enters_number = phone.enters_since = None
    phone.save(
        update_fields=["removed_at", "removed_by", "at_table", "enters_number", "enters_since"]
    )


def _replace(phone: Phone | None, by: Phone) -> None:
    if phone is not None and phone.replaced_by_id is None:
        phone.replaced_by = by
        phone.save(update_fields=["replaced_by"])


def _seat_taken(other: Phone) -> Conflict:
    since = time_format(timezone.localtime(other.joined_at))
    return Conflict(
        _("Another phone has had the seat of %(player)s since %(time)s."),
        code="seat_taken",
        params={"player": other.player, "time": since},
    )


# What a phone has open


def note_entering(
    *, phone: Phone, table: Table, number: int | None, at: datetime | None = None
) -> None:
    """Note that a phone has a row of a table open, or none any more.

    Others see it for a while; it grants nothing, hence without a lock.
    """
    at = at or timezone.now()
    if number is None:
        Phone.objects.filter(pk=phone.pk, at_table=table).update(at_table=None, enters_number=None)
        return
    Phone.objects.filter(pk=phone.pk).update(at_table=table, enters_number=number, enters_since=at)


def put_away(*, phone: Phone) -> None:
    """Note that a phone shows another page than the form that it had open."""
    if phone.at_table_id is not None:
        Phone.objects.filter(pk=phone.pk).update(at_table=None, enters_number=None)
