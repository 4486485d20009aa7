"""Fixtures that can be played are called to tables."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.models import User
from tournaments import fixtures
from tournaments.actions.fixtures import AT_TABLES
from tournaments.actions.journal import write_line
from tournaments.actions.rounds import close_round
from tournaments.models import (
    Entry,
    EntryPlayer,
    Event,
    Fixture,
    JournalLine,
    Placement,
    Round,
    Seat,
    Table,
)
from tournaments.rules import Conflict, refuse_closed

KIND = JournalLine.Kind
STATE = Fixture.State


@transaction.atomic
def call_fixtures(
    *, event: Event, chosen: Collection[int], by: User | None, minutes: int | None = None
) -> Round:
    """Seat fixtures that can be played at tables of the running round, or of a new one.

    ``chosen`` are keys; of those who would have to play twice only the first fixture is called. A
    round in which all is decided is closed first. A second press finds the fixtures called.
    """
    event = Event.objects.locked().get(pk=event.pk)
    refuse_closed(event)
    running = (
        event.rounds.select_for_update(of=("self",), no_key=True).filter(state="playing").first()
    )
    ready = _ready(event, chosen)
    if not ready:
        if running is not None:
            return running
        raise ValidationError(_("No fixture of these can be played now."), code="nothing_to_call")
    if running is not None and not _is_playing(running):
        # What a player objects to is not let pass without the director's word.
        open_tables = [t.number for t in running.tables.filter(objections=0) if not t.is_complete]
        close_round(this_round=running, by=by, without=open_tables)
        running = None
    seated = _not_twice(ready, running)
    this_round = running or _new_round(event, seated[0], minutes)
    _lay_tables(this_round, seated)
    write_line(
        event, KIND.FIXTURES_CALLED, by, round=this_round.number, fixtures=[f.code for f in seated]
    )
    return this_round


def _ready(event: Event, chosen: Collection[int]) -> list[Fixture]:
    rows = Fixture.objects.filter(stage__event=event, pk__in=chosen, state=STATE.READY)
    rows = rows.select_related("stage", "home", "away")
    return list(rows.order_by("stage__number", "wave", "section", "order", "pk"))


def _is_playing(running: Round) -> bool:
    return Fixture.objects.filter(table__round=running, state__in=AT_TABLES).exists()


def _not_twice(ready: list[Fixture], running: Round | None) -> list[Fixture]:
    busy: set[int | None] = set()
    if running is not None:
        busy |= set(running.seats.values_list("entry_id", flat=True))
    seated = []
    for row in ready:
        if row.home_id not in busy and row.away_id not in busy:
            seated.append(row)
            busy |= {row.home_id, row.away_id}
    if not seated:
        raise Conflict(
            _("Their players still sit at other tables of this round: they are called after it."),
            code="players_busy",
        )
    return seated


def _new_round(event: Event, first: Fixture, minutes: int | None) -> Round:
    last = event.rounds.aggregate(last=Max("number"))["last"] or 0
    at = timezone.now()
    this_round = Round(
        event=event,
        stage=first.stage,
        number=last + 1,
        state=Round.State.PLAYING,
        placement=Placement.DRAWN,
        seed=first.stage.seed or 0,
        leftovers=Event.Leftovers.SIT_OUT,
        roster_version=event.roster_version,
        drawn_at=at,
        published_at=at,
        minutes=minutes or fixtures.FixtureFormat.from_json(first.format).cap_minutes,
    )
    this_round.full_clean(exclude=["reasons"])
    this_round.save()
    if event.state != Event.State.RUNNING:
        event.state = Event.State.RUNNING
        event.save(update_fields=["state"])
    return this_round


def _lay_tables(this_round: Round, seated: Sequence[Fixture]) -> None:
    size = this_round.event.side_size
    players = _players_of(seated, size)
    last = this_round.tables.aggregate(last=Max("number"))["last"] or 0
    at = timezone.now()
    for number, row in enumerate(seated, start=last + 1):
        form = fixtures.FixtureFormat.from_json(row.format)
        table = Table.objects.create(
            round=this_round,
            number=number,
            players_per_deal=2 * size,
            deals_planned=1,
            best_of=form.best_of,
            target=form.target,
            changed_at=at,
        )
        # The sides take turns: home sits at 1, 3, 5.
        Seat.objects.bulk_create(
            Seat(
                round=this_round,
                table=table,
                place=2 * turn + side + 1,
                entry_id=entry,
                player_id=player,
            )
            for side, entry in enumerate((row.home_id or 0, row.away_id or 0))
            for turn, player in enumerate(players[entry])
        )
        row.table, row.state, row.changed_at = table, STATE.PLAYING, at
        row.save(update_fields=["table", "state", "changed_at"])


def _players_of(seated: Iterable[Fixture], size: int) -> dict[int, list[int]]:
    entries = {key for row in seated for key in (row.home_id, row.away_id) if key is not None}
    players: dict[int, list[int]] = {entry: [] for entry in entries}
    rows = EntryPlayer.objects.filter(entry__in=entries, is_reserve=False)
    for entry, player in rows.order_by("-is_captain", "pk").values_list("entry_id", "player_id"):
        players[entry].append(player)
    for entry, own in players.items():
        if len(own) != size:
            raise ValidationError(
                _("%(player)s is not complete: %(count)s players play together here."),
                code="side_size",
                params={"player": Entry.objects.get(pk=entry), "count": size},
            )
    return players
