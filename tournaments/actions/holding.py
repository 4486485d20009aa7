"""The director holds a round or a table: nothing is written there, or only by him."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.models import User
from clubs.names import one_line
from tournaments.actions.journal import write_line
from tournaments.models import Event, JournalLine, Round, Table
from tournaments.rules import Conflict, refuse_closed

KIND = JournalLine.Kind


@transaction.atomic
def freeze_round(*, this_round: Round, by: User, at: datetime | None = None) -> Round:
    """Let nobody but directors write on the sheets of a round; one that is frozen stays so."""
    event, now = _locked(this_round)
    if now.frozen_at is None:
        now.frozen_at, now.frozen_by = at or timezone.now(), by
        now.save(update_fields=["frozen_at", "frozen_by"])
        write_line(event, KIND.FROZEN, by, round=now.number)
    return now


@transaction.atomic
def unfreeze_round(*, this_round: Round, by: User) -> Round:
    """Let the tables of a round write again."""
    event, now = _locked(this_round)
    if now.frozen_at is not None:
        now.frozen_at = now.frozen_by = None
        now.save(update_fields=["frozen_at", "frozen_by"])
        write_line(event, KIND.UNFROZEN, by, round=now.number)
    return now


@transaction.atomic
def take_over_table(*, table: Table, by: User, at: datetime | None = None) -> Table:
    """Let only this director write on a sheet; from another who did, he takes it over as well."""
    event, now = _locked_table(table)
    if now.taken_over_by_id != by.pk:
        now.taken_over_by, now.taken_over_at = by, at or timezone.now()
        now.save(update_fields=["taken_over_by", "taken_over_at"])
        write_line(event, KIND.TAKEN_OVER, by, round=now.round.number, table=now.number)
    return now


@transaction.atomic
def hand_back_table(*, table: Table, by: User) -> Table:
    """Let the players of a table write on their sheet again."""
    event, now = _locked_table(table)
    if now.taken_over_by_id is not None:
        now.taken_over_by = now.taken_over_at = None
        now.save(update_fields=["taken_over_by", "taken_over_at"])
        write_line(event, KIND.HANDED_BACK, by, round=now.round.number, table=now.number)
    return now


def _locked(this_round: Round) -> tuple[Event, Round]:
    event = Event.objects.locked().get(pk=this_round.event_id)
    refuse_closed(event)
    now = event.rounds.select_for_update(of=("self",), no_key=True).filter(pk=this_round.pk).first()
    if now is None or now.state != Round.State.PLAYING:
        raise Conflict(_("The round is not being played."), code="round_not_playing")
    return event, now


def _locked_table(table: Table) -> tuple[Event, Table]:
    event, this_round = _locked(table.round)
    now = this_round.tables.locked().get(pk=table.pk)
    now.round = this_round
    return event, now


@transaction.atomic
def say_on_the_wall(*, event: Event, words: str, by: User) -> Event:
    """Put a sentence on the wall in the hall; no words take it away."""
    now = Event.objects.select_for_update(no_key=True).get(pk=event.pk)
    words = one_line(words)
    if now.wall_note != words:
        now.wall_note = words
        now.save(update_fields=["wall_note"])
        write_line(now, KIND.CHANGED, by, fields=["wall_note"])
    return now
