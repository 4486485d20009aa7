"""Fixtures drawn, played and decided, so that their standings are counted again."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from clubs.models import Player, User
from scoring import tasks
from scoring.actions.objections import settle_all
from scoring.meetings import write_stages
from scoring.models import StaleStandings
from scoring.rules.truco import meeting_of
from tournaments import actions
from tournaments.actors import Actor
from tournaments.models import Entry, Event, Fixture, Stage, Table


@transaction.atomic
def draw_fixtures(
    *, stage: Stage, by: User | None, seed: int | None = None, instead: int | None = None
) -> Stage:
    """Draw who meets whom in a stage."""
    drawn = actions.draw_fixtures(stage=stage, by=by, seed=seed, instead=instead)
    count_again(stage.event_id)
    return drawn


@transaction.atomic
def drop_fixtures(*, stage: Stage, by: User | None) -> Stage:
    """Drop the draw of a stage."""
    dropped = actions.drop_fixtures(stage=stage, by=by)
    count_again(stage.event_id)
    return dropped


@transaction.atomic
def pair_next_round(
    *,
    stage: Stage,
    by: User | None,
    after: int | None = None,
    seed: int | None = None,
    bought_back: Collection[Entry] = (),
) -> Stage:
    """Pair the next round of a stage that is drawn round by round."""
    paired = actions.pair_next_round(
        stage=stage, by=by, after=after, seed=seed, bought_back=bought_back
    )
    count_again(stage.event_id)
    return paired


@transaction.atomic
def enter_extra_game(*, stage: Stage, by: User | None, won: Mapping[int, int]) -> Stage:
    """Write down how many games each of these equals won in a play-off."""
    entered = actions.enter_extra_game(stage=stage, by=by, won=won)
    count_again(stage.event_id)
    return entered


@transaction.atomic
def draw_lots(
    *, stage: Stage, by: User | None, equal: Collection[int], seed: int | None = None
) -> Stage:
    """Draw lots between these equals instead of an extra game."""
    drawn = actions.draw_lots(stage=stage, by=by, equal=equal, seed=seed)
    count_again(stage.event_id)
    return drawn


@transaction.atomic
def undo_extra_game(*, stage: Stage, by: User | None, equal: Collection[int]) -> Stage:
    """Take back what decided between these equals."""
    undone = actions.undo_extra_game(stage=stage, by=by, equal=equal)
    count_again(stage.event_id)
    return undone


@transaction.atomic
def decide_fixture(
    *,
    fixture: Fixture,
    by: User | None,
    ending: str,
    winner: str = "",
    scores: Sequence[tuple[int, int]] = (),
    note: str = "",
    seen: datetime | None = None,
) -> Fixture:
    """Write the result of a fixture down."""
    decided = actions.decide_fixture(
        fixture=fixture, by=by, ending=ending, winner=winner, scores=scores, note=note, seen=seen
    )
    settle_without_sheets(decided.stage.event_id, by=by)
    count_again(decided.stage.event_id)
    return decided


@transaction.atomic
def undo_fixture(*, fixture: Fixture, by: User | None, seen: datetime | None = None) -> Fixture:
    """Take the result of a fixture back, or call it away from its table."""
    undone = actions.undo_fixture(fixture=fixture, by=by, seen=seen)
    settle_without_sheets(undone.stage.event_id, by=by)
    count_again(undone.stage.event_id)
    return undone


@transaction.atomic
def cancel_fixture(
    *,
    fixture: Fixture,
    by: User | None,
    goes_on: bool,
    note: str = "",
    seen: datetime | None = None,
) -> Fixture:
    """Settle a meeting that was broken off: from the start again, or on from the last score."""
    cancelled = actions.cancel_fixture(
        fixture=fixture, by=by, goes_on=goes_on, note=note, seen=seen
    )
    settle_without_sheets(cancelled.stage.event_id, by=by)
    count_again(cancelled.stage.event_id)
    return cancelled


@transaction.atomic
def side_leaves(*, entry: Entry, by: User | None, is_expelled: bool) -> Entry:
    """Take a side out of the tournament."""
    gone = actions.side_leaves(entry=entry, by=by, is_expelled=is_expelled)
    settle_without_sheets(entry.event_id, by=by)
    count_again(entry.event_id)
    return gone


@transaction.atomic
def side_returns(*, entry: Entry, by: User | None) -> Entry:
    """Let a side that left play on."""
    back = actions.side_returns(entry=entry, by=by)
    count_again(entry.event_id)
    return back


@transaction.atomic
def put_in_reserve(*, entry: Entry, gone: Player, comes: Player, by: User | None) -> None:
    """Let the reserve of a side play for somebody of it, between two games."""
    actions.put_in_reserve(
        entry=entry, gone=gone, comes=comes, by=by, game_runs=_is_in_a_game(entry)
    )


def _is_in_a_game(entry: Entry) -> bool:
    """Does a game go on at the side's table: has anybody scored in it?"""
    table = Table.objects.filter(
        seats__entry=entry, round__state="playing", decided_at=None
    ).first()
    if table is None:
        return False
    meeting = meeting_of(table, table.truco_lines.all())
    return meeting.score != meeting.start


@transaction.atomic
def sign_sheet(*, table: Table, by: Actor | None, at: datetime | None = None) -> Table:
    """Sign a sheet; what a fixture's sheet says becomes its result and is counted."""
    signed = actions.sign_sheet(table=table, by=by, at=at)
    _count_its_fixture(signed)
    return signed


@transaction.atomic
def unsign_sheet(*, table: Table, by: Actor | None) -> Table:
    """Take a signature back; a fixture then waits for its confirmation again."""
    unsigned = actions.unsign_sheet(table=table, by=by)
    _count_its_fixture(unsigned)
    return unsigned


def settle_without_sheets(event_id: int, *, by: User | None) -> None:
    """Settle what is objected at tables whose sheet decides no fixture any more.

    The fixture has left the table, or the director has written its result himself.
    """
    by_its_sheet = Q(decided_at=None) | Q(decided_at=F("table__signed_at"))
    followed = Fixture.objects.filter(by_its_sheet, stage__event=event_id, table__isnull=False)
    disputed = Table.objects.filter(round__event=event_id, objections__gt=0)
    for table in disputed.exclude(pk__in=followed.values("table")).select_related("round__event"):
        said = table.confirmations.objections().with_speakers().order_by("at", "pk")
        settle_all(said, table=table, by=by, at=timezone.now(), takes=False, left=True)


def _count_its_fixture(table: Table) -> None:
    if Fixture.objects.filter(table=table).exists():
        count_again(table.round.event_id)


def count_again(event_id: int) -> None:
    """Write the tables of the stages at once, and send for the worker to count the rest."""
    event = Event.objects.filter(pk=event_id).first()
    if event is not None and event.meets_in_fixtures:
        write_stages(event)
    StaleStandings.objects.create(event_id=event_id)
    tasks.refresh_standings.soon_on_commit(event_id)
