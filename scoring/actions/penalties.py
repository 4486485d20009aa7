"""What a fault costs where games are won: a tento, the hand, the game, or the tournament (R12)."""

from __future__ import annotations

from uuid import UUID, uuid4

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from clubs.names import one_line
from scoring.actions.fixtures import count_again, side_leaves
from scoring.actions.tentos import EFFECTS, give_tento
from tournaments.actions.fixtures import AT_TABLES, lock_fixture
from tournaments.actions.journal import write_line
from tournaments.actors import Actor, account_of, phone_of
from tournaments.games import facts_of
from tournaments.models import Entry, Event, Fixture, JournalLine, Ruling, Table
from tournaments.rules import Conflict, refuse_closed

EFFECT = Ruling.Effect


@transaction.atomic
def penalise_side(
    *,
    fixture: Fixture,
    entry: Entry,
    by: Actor,
    effect: str = "",
    note: str = "",
    hand: int | None = None,
    points: int | None = None,
    entry_key: UUID | None = None,
) -> Ruling:
    """Write a fault of a side into the ledger with what it costs; without an effect it only warns.

    A tento and a lost game are lines of the referee on the sheet; the same ``entry_key`` twice is
    one ruling. Refuses who does not meet there, and points at a table that is not playing.
    """
    event, now = lock_fixture(fixture)
    known = Ruling.objects.filter(event=event, entry_key=entry_key).first() if entry_key else None
    if known is not None:
        return known
    if entry.pk not in (now.home_id, now.away_id):
        raise ValidationError(_("This side does not meet here."), code="another_fixture")
    if effect in EFFECTS and (now.table is None or now.state not in AT_TABLES):
        raise Conflict(_("This fixture is not being played."), code="not_playing")
    return _rule(
        event, entry, now.table,
        by=by, effect=effect, note=note, hand=hand, points=points, entry_key=entry_key,
    )  # fmt: skip


@transaction.atomic
def penalise_entry(
    *,
    event: Event,
    entry: Entry,
    by: Actor,
    table: Table | None = None,
    effect: str = "",
    note: str = "",
    hand: int | None = None,
    points: int | None = None,
    entry_key: UUID | None = None,
) -> Ruling:
    """Write a fault into the ledger where games are won, as the referee rules it from his page.

    The same ``entry_key`` twice is one ruling. Refuses people and tables of another tournament,
    and what is written on a sheet without its table.
    """
    event = Event.objects.locked().get(pk=event.pk)
    known = Ruling.objects.filter(event=event, entry_key=entry_key).first() if entry_key else None
    if known is not None:
        return known
    refuse_closed(event)
    if effect not in facts_of(event.game).effects:
        raise ValidationError(_("This game knows no such penalty."), code="effect")
    if entry.event_id != event.pk or (table is not None and table.round.event_id != event.pk):
        raise ValidationError(_("This player is not of this evening."), code="another_evening")
    if effect == EFFECT.EXCLUSION and not event.meets_in_fixtures:
        raise ValidationError(
            _("Take the player out on the page of entries: nothing is drawn here."), code="effect"
        )
    return _rule(
        event, entry, table,
        by=by, effect=effect, note=note, hand=hand, points=points, entry_key=entry_key,
    )  # fmt: skip


def _rule(
    event: Event,
    entry: Entry,
    table: Table | None,
    *,
    by: Actor,
    effect: str,
    note: str,
    hand: int | None,
    points: int | None,
    entry_key: UUID | None,
) -> Ruling:
    if effect in EFFECTS:
        return _given_at_the_table(
            table, entry, by=by, effect=effect, note=note, points=points, entry_key=entry_key
        )
    ruling = Ruling(
        event=event,
        kind=Ruling.Kind.DECISION if effect else Ruling.Kind.WARNING,
        effect=effect,
        entry=entry,
        round=table.round if table is not None else None,
        table=table,
        deal_number=hand,
        fault="other",
        note=one_line(note),
        entry_key=entry_key,
        ruled_by=account_of(by),
        phone=phone_of(by),
    )
    ruling.full_clean()
    ruling.save()
    _tell(ruling, by=by)
    if effect == EFFECT.EXCLUSION:
        side_leaves(entry=entry, by=account_of(by), is_expelled=True)
    count_again(event.pk)
    return ruling


def _tell(ruling: Ruling, *, by: Actor) -> None:
    player = ruling.entry.players.first() if ruling.entry is not None else None
    write_line(
        ruling.event,
        JournalLine.Kind.RULED,
        by,
        ruling=ruling.pk,
        fault=ruling.fault,
        points=0,
        **({"player": player.pk} if player is not None else {}),
        **({"table": ruling.table.number} if ruling.table is not None else {}),
    )


def _given_at_the_table(
    table: Table | None,
    entry: Entry,
    *,
    by: Actor,
    effect: str,
    note: str,
    points: int | None,
    entry_key: UUID | None,
) -> Ruling:
    """Let the sheet give the other side what the fault costs."""
    seat = table.seats.filter(entry=entry).first() if table is not None else None
    if table is None or seat is None:
        raise ValidationError(
            _("Choose the table where this side plays: it is written on its sheet."), code="table"
        )
    line = give_tento(
        table=table,
        to="a" if (seat.place - 1) % 2 else "b",
        by=by,
        entry_key=entry_key or uuid4(),
        effect=effect,
        worth=points if effect == EFFECT.LOSE_HAND else None,
        note=note,
    )
    if line.ruling is None:  # an older line of the same key
        raise Conflict(_("This entry was already sent."), code="sent_before")
    return line.ruling
