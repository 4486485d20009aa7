"""Who takes part in a tournament: entering, coming late, leaving, being replaced."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, TypedDict, Unpack

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.models import Player, User
from clubs.names import one_line
from tournaments.actions.journal import write_line
from tournaments.actions.roster import player_called, roster_changed
from tournaments.models import Entry, EntryPlayer, Event, JournalLine, Team
from tournaments.rules import Conflict, refuse_closed

KIND = JournalLine.Kind
STATE = Entry.State
LARGEST_TEAM = 4
#: What the standings write: nobody enters with it.
WRITTEN_DOWN = ("place", "previous_place", "round_points", "tie_breaks")
#: Those who hold a place; the others wait for one or have given theirs back.
HOLDING = (STATE.ENTERED, STATE.PRESENT, STATE.AWAY)
#: What a draw depends on: an unpublished one is no longer good after such a change.
MATTERS_TO_A_DRAW = frozenset({"fixed_table", "team", "start_line", "start_table"})
#: What is settled once the first round has started.
SETTLED_AT_THE_START = frozenset({"number", "team", "start_line", "start_table"})


class Particulars(TypedDict, total=False):
    """What an entry says besides its player; whatever is left out stays as it is."""

    number: int | None
    licence_number: str
    series: str
    club_name: str
    fee_paid: bool
    fixed_table: int | None
    team: str
    start_line: str
    start_table: int | None
    side_name: str
    seeded: int | None


@transaction.atomic
def enter_player(
    *,
    event: Event,
    by: User | None,
    name: str = "",
    player: Player | None = None,
    partners: Sequence[str] = (),
    reserve: str = "",
    is_present: bool = False,
    despite_namesakes: bool = False,
    at: datetime | None = None,
    **particulars: Unpack[Particulars],
) -> Entry:
    """Enter a player, by key or by a name that may be new; waits when every place is taken.

    In an event of pairs or trios the ``partners`` enter with him, the first named as captain; who
    names none waits for partners to be drawn. Somebody who comes late plays from the next draw on.
    Refuses who is entered already, a number that is taken, and a name almost like a known one
    unless told that it is somebody else.
    """
    event = Event.objects.locked().get(pk=event.pk)
    refuse_closed(event)
    partners = [name for name in map(one_line, partners) if name]
    _refuse_another_size(event, 1 + len(partners), reserve=one_line(reserve))
    player = player or player_called(event, name, despite_namesakes=despite_namesakes)
    others = [*partners, *filter(None, [one_line(reserve)])]
    side = [
        player,
        *(player_called(event, each, despite_namesakes=despite_namesakes) for each in others),
    ]
    _refuse_twice(side)
    for one in side:
        _refuse_entered(event, one)
    at = at or timezone.now()
    entry = Entry(event=event, number=_next_number(event), entered_at=at, checked_in_at=at)
    entry.state = _state_of_a_new_entry(event, is_present=is_present)
    _apply(entry, particulars, at)
    entry.full_clean(exclude=WRITTEN_DOWN)
    entry.save()
    EntryPlayer.objects.bulk_create(
        EntryPlayer(
            event=event,
            entry=entry,
            player=one,
            is_captain=bool(partners) and place == 0,
            is_reserve=place > len(partners),
        )
        for place, one in enumerate(side)
    )
    who = {"players": [one.pk for one in side]} if partners else {"player": player.pk}
    write_line(event, KIND.ENTERED, by, number=entry.number, **who)
    _changed(event, of_the_draw=entry.is_present)
    return entry


@transaction.atomic
def change_entry(
    *, entry: Entry, by: User | None, at: datetime | None = None, **particulars: Unpack[Particulars]
) -> Entry:
    """Change what is given of an entry.

    Refuses another number, team or starting place once the first round has started.
    """
    event, entry = _locked(entry)
    before = {name: _told(entry, name) for name in particulars}
    _apply(entry, particulars, at or timezone.now())
    changed = {name for name in particulars if _told(entry, name) != before[name]}
    if not changed:
        return entry
    if changed & SETTLED_AT_THE_START and has_started(event):
        raise Conflict(
            _("The first round has started: numbers, teams and starting places stay."),
            code="settled",
        )
    entry.full_clean(exclude=WRITTEN_DOWN)
    entry.save()
    _drop_empty_teams(event)
    write_line(event, KIND.ENTRY_CHANGED, by, player=_player_of(entry), fields=sorted(changed))
    _changed(event, of_the_draw=bool(changed & MATTERS_TO_A_DRAW))
    return entry


@transaction.atomic
def check_in_entry(*, entry: Entry, by: User | None, at: datetime | None = None) -> Entry:
    """Mark an entry present; refuses one that waits for a place or has withdrawn."""
    event, entry = _locked(entry)
    if entry.is_present:
        return entry
    if entry.state == STATE.WAITING:
        raise ValidationError(
            _("%(player)s is on the waiting list: every place is taken."),
            code="waiting",
            params={"player": entry},
        )
    _refuse_withdrawn(entry)
    _mark_present(entry, at or timezone.now())
    write_line(event, KIND.CHECKED_IN, by, player=_player_of(entry))
    _changed(event, of_the_draw=True)
    return entry


@transaction.atomic
def check_in_everybody(*, event: Event, by: User | None, at: datetime | None = None) -> int:
    """Mark all who hold a place and have not come present; gives how many."""
    event = Event.objects.locked().get(pk=event.pk)
    refuse_closed(event)
    coming = list(event.entries.filter(state=STATE.ENTERED).prefetch_related("players"))
    if not coming:
        return 0
    for entry in coming:
        _mark_present(entry, at or timezone.now())
    players = [player.pk for entry in coming for player in entry.players.all()]
    write_line(event, KIND.CHECKED_IN, by, players=players)
    _changed(event, of_the_draw=True)
    return len(coming)


@transaction.atomic
def check_out_entry(*, entry: Entry, by: User | None) -> Entry:
    """Mark an entry absent from the next draw on; it keeps its place."""
    event, entry = _locked(entry)
    if not entry.is_present:
        return entry
    entry.state = STATE.AWAY if entry.seats.exists() else STATE.ENTERED
    entry.save(update_fields=["state"])
    write_line(event, KIND.CHECKED_OUT, by, player=_player_of(entry))
    _changed(event, of_the_draw=True)
    return entry


@transaction.atomic
def withdraw_entry(*, entry: Entry, by: User | None, at: datetime | None = None) -> Entry:
    """Take an entry out from the next draw on; what it has played stays.

    The first on the waiting list gets the place.
    """
    event, entry = _locked(entry)
    if entry.state == STATE.WITHDRAWN:
        return entry
    _leave(entry, at or timezone.now())
    write_line(event, KIND.ENTRY_WITHDRAWN, by, player=_player_of(entry))
    _changed(event, of_the_draw=True)
    fill_places(event)
    return entry


@transaction.atomic
def take_back_withdrawal(*, entry: Entry, by: User | None) -> Entry:
    """Let somebody who has withdrawn come back; refuses one who has been replaced.

    When every place is taken he waits, where his first entry puts him in the list.
    """
    event, entry = _locked(entry)
    if entry.state != STATE.WITHDRAWN:
        return entry
    if Entry.objects.filter(replaces=entry).exists():
        raise Conflict(
            _("%(player)s has been replaced: enter somebody else instead."),
            code="replaced",
            params={"player": entry},
        )
    entry.state = _state_of_a_new_entry(event, is_present=has_started(event))
    entry.withdrawn_at = None
    entry.save(update_fields=["state", "withdrawn_at"])
    write_line(event, KIND.ENTRY_BACK, by, player=_player_of(entry))
    _changed(event, of_the_draw=True)
    return entry


@transaction.atomic
def replace_entry(
    *,
    entry: Entry,
    by: User | None,
    name: str = "",
    player: Player | None = None,
    despite_namesakes: bool = False,
    at: datetime | None = None,
) -> Entry:
    """Let somebody else go on in the place of an entry, which withdraws; points stay with whoever
    made them.

    The new entry has a number of its own, and the starting place, table and team of the other.
    """
    event, entry = _locked(entry)
    if event.entrants != Event.Entrants.PLAYERS:
        raise ValidationError(
            _("A reserve goes on for a player of a side; sides are not replaced."),
            code="side_not_replaced",
        )
    if Entry.objects.filter(replaces=entry).exists():
        raise Conflict(
            _("%(player)s has already been replaced."), code="replaced", params={"player": entry}
        )
    player = player or player_called(event, name, despite_namesakes=despite_namesakes)
    _refuse_entered(event, player)
    at = at or timezone.now()
    came = Entry(
        event=event,
        number=_next_number(event),
        replaces=entry,
        state=entry.state if entry.state in HOLDING else STATE.PRESENT,
        entered_at=at,
        checked_in_at=at,
        start_line=entry.start_line,
        start_table=entry.start_table,
        fixed_table=entry.fixed_table,
        team=entry.team,
        reached_stage=entry.reached_stage,
    )
    if entry.state != STATE.WITHDRAWN:
        _leave(entry, at)
    came.full_clean(exclude=WRITTEN_DOWN)
    came.save()
    EntryPlayer.objects.create(event=event, entry=came, player=player)
    write_line(event, KIND.ENTRY_REPLACED, by, players=[_player_of(entry), player.pk])
    _changed(event, of_the_draw=True)
    return came


def fill_places(event: Event) -> list[Entry]:
    """Give the free places to those who wait, in the order of their first entry."""
    if event.most_entries is None:
        waiting = event.entries.filter(state=STATE.WAITING)
    else:
        free = max(0, event.most_entries - holding_a_place(event))
        waiting = event.entries.filter(state=STATE.WAITING)
        waiting = waiting.order_by("entered_at", "pk")[:free]
    let_in = list(waiting)
    for entry in let_in:
        entry.state = STATE.ENTERED
        entry.save(update_fields=["state"])
    return let_in


def has_started(event: Event) -> bool:
    """Has a round of the event been published?"""
    return event.rounds.published().exists()


def _locked(entry: Entry) -> tuple[Event, Entry]:
    event = Event.objects.locked().get(pk=entry.event_id)
    refuse_closed(event)
    return event, event.entries.select_related("team").get(pk=entry.pk)


def _refuse_entered(event: Event, player: Player) -> None:
    if player.club_id != event.season.club_id:
        raise ValidationError(
            _("%(player)s is not a player of this club."),
            code="another_club",
            params={"player": player},
        )
    known = event.entries.filter(entry_players__player=player).first()
    if known is not None:
        raise ValidationError(
            _("%(player)s is already entered as number %(number)s."),
            code="already_entered",
            params={"player": player, "number": known.number},
        )


def _refuse_another_size(event: Event, size: int, *, reserve: str) -> None:
    """Pass as many as play together, and one who still looks for partners."""
    wanted = event.side_size
    if size not in {1, wanted}:
        raise ValidationError(
            _("%(count)s players enter together here."),
            code="side_size",
            params={"count": wanted},
        )
    if reserve and size != wanted:
        raise ValidationError(
            _("A reserve enters with the whole side."), code="reserve_without_side"
        )


def _refuse_twice(side: Sequence[Player]) -> None:
    if len({player.pk for player in side}) < len(side):
        raise ValidationError(_("Somebody is named twice."), code="named_twice")


def _refuse_withdrawn(entry: Entry) -> None:
    if entry.state == STATE.WITHDRAWN:
        raise Conflict(
            _("%(player)s has withdrawn. Take the withdrawal back first."),
            code="withdrawn",
            params={"player": entry},
        )


def _state_of_a_new_entry(event: Event, *, is_present: bool) -> str:
    if event.most_entries is not None and holding_a_place(event) >= event.most_entries:
        return STATE.WAITING
    return STATE.PRESENT if is_present else STATE.ENTERED


def holding_a_place(event: Event) -> int:
    """How many hold a place of the event; who waits and who has withdrawn does not."""
    return event.entries.filter(state__in=HOLDING).count()


def _next_number(event: Event) -> int:
    return (event.entries.aggregate(last=Max("number"))["last"] or 0) + 1


def _mark_present(entry: Entry, at: datetime) -> None:
    entry.state = STATE.PRESENT
    entry.checked_in_at = at
    entry.save(update_fields=["state", "checked_in_at"])


def _leave(entry: Entry, at: datetime) -> None:
    entry.state = STATE.WITHDRAWN
    entry.withdrawn_at = at
    entry.save(update_fields=["state", "withdrawn_at"])


def _apply(entry: Entry, particulars: Particulars, at: datetime) -> None:
    values: dict[str, Any] = dict(particulars)
    number, team = values.pop("number", None), values.pop("team", None)
    paid = values.pop("fee_paid", None)
    if "side_name" in values:
        entry.name = one_line(values.pop("side_name"))
    if number is not None:
        entry.number = number
    if paid is not None and paid != (entry.fee_paid_at is not None):
        entry.fee_paid_at = at if paid else None
    if team is not None:
        entry.team = _team_called(entry, team)
    for name, value in values.items():
        setattr(entry, name, one_line(value) if isinstance(value, str) else value)


def _team_called(entry: Entry, name: str) -> Team | None:
    name = one_line(name)
    if not name:
        return None
    team, _new = Team.objects.get_or_create(event=entry.event, name=name)
    others = team.entries.exclude(pk=entry.pk).exclude(state=STATE.WITHDRAWN)
    if others.count() >= LARGEST_TEAM:
        raise ValidationError(
            _("The team %(team)s already has four players."),
            code="team_full",
            params={"team": team},
        )
    return team


def _drop_empty_teams(event: Event) -> None:
    event.teams.filter(entries=None).delete()


def _told(entry: Entry, name: str) -> object:
    if name == "fee_paid":
        return entry.fee_paid_at is not None
    if name == "team":
        return entry.team_id
    return entry.name if name == "side_name" else getattr(entry, name)


def _player_of(entry: Entry) -> int:
    return EntryPlayer.objects.values_list("player_id", flat=True).filter(entry=entry)[0]


def _changed(event: Event, *, of_the_draw: bool) -> None:
    if of_the_draw:
        roster_changed(event)
