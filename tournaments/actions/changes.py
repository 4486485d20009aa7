"""Seats changed by hand while a round is drawn or played, and the change undone."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.models import User
from clubs.names import fold_name
from tournaments.actions.journal import write_line
from tournaments.models import EntryPlayer, Event, JournalLine, Round, Seat, SitOut
from tournaments.reseating import (
    Danger,
    Outlook,
    Seating,
    Spots,
    Wish,
    is_written,
    look_ahead,
)
from tournaments.rules import Conflict, refuse_closed, refuse_fixtures_at

KIND = JournalLine.Kind


@transaction.atomic
def change_seats(
    *, this_round: Round, wish: Wish, by: User | None, seen: str | None = None, typed: str = ""
) -> Outlook:
    """Make a change of seats as it was previewed.

    ``seen`` is the preview's mark: refuses when a sheet or a seat has changed since. A change
    that gives points to somebody else wants the name of the preview typed.
    """
    now = _locked(this_round)
    outlook = look_ahead(now, wish)
    if seen is not None and seen != outlook.seen:
        raise Conflict(
            _("A seat or a sheet has changed meanwhile. Look at the preview again."),
            code="changed_meanwhile",
        )
    if outlook.danger == Danger.UNSAFE and fold_name(typed) != fold_name(outlook.confirm):
        raise ValidationError(
            _("Type “%(name)s” to confirm the change."),
            code="not_confirmed",
            params={"name": outlook.confirm},
        )
    _place(now, outlook.after)
    write_line(
        now.event,
        KIND.SEATS_CHANGED,
        by,
        round=now.number,
        players=list(outlook.after),
        before=_as_data(outlook.before),
        after=_as_data(outlook.after),
    )
    return outlook


@transaction.atomic
def undo_change(*, this_round: Round, by: User | None) -> list[int]:
    """Put everybody back where he sat before the last change; gives the players moved.

    Refuses when nothing is left to undo, when somebody of them has been moved since, and when a
    table that would gain or lose a seat has begun.
    """
    now = _locked(this_round)
    if now.state == Round.State.CLOSED:
        raise Conflict(
            _("Round %(number)s is already closed."),
            code="round_closed",
            params={"number": now.number},
        )
    line = last_change(now)
    if line is None:
        raise ValidationError(_("There is no change to undo."), code="nothing_to_undo")
    before, after = _from_data(line.details["before"]), _from_data(line.details["after"])
    _refuse_moved_since(now, before, after)
    _place(now, before)
    write_line(
        now.event, KIND.CHANGE_UNDONE, by, round=now.number, players=list(before), undoes=line.pk
    )
    return list(before)


def last_change(this_round: Round) -> JournalLine | None:
    """The last change of seats of the round that nobody has undone."""
    # The number alone will not do: another draw may have taken the place of an earlier one.
    lines = this_round.event.journal.filter(
        details__round=this_round.number, at__gte=this_round.drawn_at
    )
    undone = {line.details["undoes"] for line in lines.filter(kind=KIND.CHANGE_UNDONE)}
    changes = lines.filter(kind=KIND.SEATS_CHANGED).order_by("-pk")
    return next((line for line in changes if line.pk not in undone), None)


def _locked(this_round: Round) -> Round:
    event = Event.objects.locked().get(pk=this_round.event_id)
    refuse_closed(event)
    now = event.rounds.select_for_update(of=("self",), no_key=True).filter(pk=this_round.pk).first()
    if now is None:
        raise Conflict(_("This round is gone: somebody drew again."), code="draw_gone")
    refuse_fixtures_at(now)
    now.event = event
    # Scorers wait: a deal that arrives meanwhile is counted for whoever sits there afterwards.
    list(now.tables.locked())
    return now


def _refuse_moved_since(now: Round, before: Spots, after: Spots) -> None:
    seating = Seating.of(now)
    taken = {seating.spot(player) for player in seating.seats if player not in after}
    moved = any(seating.spot(player) != spot for player, spot in after.items())
    if moved or taken & {spot for spot in before.values() if spot is not None}:
        raise Conflict(
            _("Somebody has been moved again since this change: it cannot be undone."),
            code="moved_since",
        )
    for key, table in seating.tables.items():
        grows = len(seating.at_table(key, before)) != len(seating.at_table(key))
        if grows and is_written(table):
            raise Conflict(
                _("Table %(number)s has begun: nobody joins or leaves it before the next round."),
                code="table_begun",
                params={"number": table.number},
            )


def _place(this_round: Round, spots: Spots) -> None:
    """Let everybody of ``spots`` sit there; seats that hold deals stay and change their player."""
    entries = dict(
        EntryPlayer.objects.filter(event=this_round.event_id, player__in=spots).values_list(
            "player_id", "entry_id"
        )
    )
    wanted = {spot: player for player, spot in spots.items() if spot is not None}
    rows = list(this_round.seats.filter(player__in=spots))
    there = {(row.table_id, row.place): row for row in rows}
    # A player sits once in a round at any moment: everybody gets up before anybody sits down.
    # Nobody has such a key; the database asks for the player only at the end of the transaction.
    Seat.objects.filter(pk__in=[row.pk for row in rows]).update(player_id=-F("pk"))
    Seat.objects.filter(pk__in=[row.pk for key, row in there.items() if key not in wanted]).delete()
    for spot, player in wanted.items():
        if spot in there:
            Seat.objects.filter(pk=there[spot].pk).update(player=player, entry=entries[player])
        else:
            Seat.objects.create(
                round=this_round,
                table_id=spot[0],
                place=spot[1],
                player_id=player,
                entry_id=entries[player],
            )
    _sit_out(this_round, spots, entries)
    _resize(this_round, {*there, *wanted})


def _sit_out(this_round: Round, spots: Spots, entries: dict[int, int]) -> None:
    seated = [entries[player] for player, spot in spots.items() if spot is not None]
    this_round.sit_outs.filter(entry__in=seated).delete()
    for player, spot in spots.items():
        if spot is None:
            SitOut.objects.get_or_create(round=this_round, entry_id=entries[player])


def _resize(this_round: Round, touched: Iterable[tuple[int, int]]) -> None:
    tables = this_round.tables.filter(pk__in={key for key, _place in touched})
    for table in tables:
        count = table.seats.count()
        five = 4 if this_round.event.leftovers == Event.Leftovers.FIVE_OF_FOUR else 5
        table.players_per_deal = five if count > 4 else count  # noqa: PLR2004 - a full table
        table.signed_at = table.signed_by = None
        # Not the version: a deal that somebody is typing at the table stays good.
        table.changed_at = timezone.now()
        table.save(update_fields=["players_per_deal", "signed_at", "signed_by", "changed_at"])


def _as_data(spots: Spots) -> list[list[Any]]:
    return [[player, *(spot or (None, None))] for player, spot in spots.items()]


def _from_data(stored: list[list[Any]]) -> Spots:
    return {player: None if table is None else (table, place) for player, table, place in stored}
