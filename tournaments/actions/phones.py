"""Phones that join an event: who sits behind them, what they say, and who sends them off."""

from __future__ import annotations

from datetime import datetime

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.models import Player, User
from clubs.names import one_line
from tournaments.actions.entries import fill_places
from tournaments.actions.journal import write_line
from tournaments.actors import Actor
from tournaments.models import Entry, EntryPlayer, Event, JoinLink, JournalLine, Phone, Round
from tournaments.rules import Conflict, refuse_closed

KIND = JournalLine.Kind


@transaction.atomic
def join_as_player(
    *,
    link: JoinLink,
    player: Player,
    phone: Phone | None = None,
    claims: bool = False,
    at: datetime | None = None,
) -> Phone:
    """Let a phone stand for a player of the event; one that stood for another moves.

    A player has one phone: where another good one stands for him it is refused, unless this one
    ``claims`` the seat; the other then stands for nobody, and its holder is told.
    """
    at = at or timezone.now()
    _refuse_ended(link, at)
    seat = _locked_place(link.event, player)
    phone = _own(link, phone, at)
    other = Phone.objects.filter(event=link.event, player=player, removed_at=None).first()
    if other is not None and other.pk == phone.pk:
        return phone
    if other is not None:
        _give_way(other, phone, claims=claims, at=at)
    phone.entry, phone.player = seat.entry, player
    phone.replaced_by = phone.replaced_at = None
    phone.save(update_fields=["entry", "player", "replaced_by", "replaced_at"])
    claimed = claims and other is not None
    write_line(link.event, KIND.PHONE_JOINED, phone, player=player.pk, claimed=claimed)
    return phone


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
    phone = _own(link, phone, at)
    phone.entry = phone.player = None
    phone.name = name
    phone.save(update_fields=["entry", "player", "name"])
    write_line(link.event, KIND.PHONE_JOINED, phone, name=name, role=link.role)
    return phone


@transaction.atomic
def leave_seat(*, phone: Phone) -> Phone:
    """Let a phone stand for nobody: somebody tapped the wrong name."""
    now = Phone.objects.select_for_update(of=("self",)).get(pk=phone.pk)
    now.entry = now.player = now.at_table = now.enters_number = now.enters_since = None
    now.replaced_by = now.replaced_at = None
    now.save()
    return now


@transaction.atomic
def remove_phone(*, phone: Phone, by: User, at: datetime | None = None) -> Phone:
    """Send a phone off the event; what it entered stays."""
    event = Event.objects.locked().get(pk=phone.event_id)
    now = Phone.objects.select_for_update(of=("self",)).get(pk=phone.pk)
    if now.removed_at is None:
        now.removed_at = at or timezone.now()
        now.at_table = None
        now.save(update_fields=["removed_at", "at_table"])
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
    event.roster_version += 1
    event.save(update_fields=["roster_version"])
    if event.is_tournament:
        fill_places(event)


def _player_of(entry: Entry) -> int:
    return EntryPlayer.objects.values_list("player_id", flat=True).filter(entry=entry)[0]


# The seat of a phone


def _refuse_ended(link: JoinLink, at: datetime) -> None:
    ended = link.ended(at)
    if ended is not None:
        raise Conflict(ended.label, code=ended.value)


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


def _own(link: JoinLink, phone: Phone | None, at: datetime) -> Phone:
    """Give the phone that asks, on this link now; a new one if it is unknown or was sent off."""
    if phone is None or phone.removed_at is not None or phone.event_id != link.event_id:
        return Phone.objects.create(link=link, event=link.event, joined_at=at, seen_at=at)
    now = Phone.objects.select_for_update(of=("self",)).get(pk=phone.pk)
    now.event, now.link = link.event, link
    now.save(update_fields=["link"])
    return now


def _give_way(other: Phone, phone: Phone, *, claims: bool, at: datetime) -> None:
    if other.ended(at) is None and not claims:
        raise Conflict(
            _("Another phone has had the seat of %(player)s since %(time)s."),
            code="seat_taken",
            params={
                "player": other.player,
                "time": timezone.localtime(other.joined_at).strftime("%H:%M"),
            },
        )
    other.entry = other.player = other.at_table = None
    other.replaced_by, other.replaced_at = phone, at
    other.save(update_fields=["entry", "player", "at_table", "replaced_by", "replaced_at"])
