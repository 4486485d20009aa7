"""What every action on fixtures shares: one lock, and sides written down from the results."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext as _

from rules_engine.errors import Illegal, Unreadable
from tournaments import fixtures
from tournaments.fixtures import State
from tournaments.meetings import (
    Meetings,
    as_text,
    has_begun,
    is_decided,
    meetings_of,
    out_of,
    stage_before,
    stages_with_fixtures,
)
from tournaments.models import Event, Fixture, Round, Stage
from tournaments.rules import Conflict, refuse_closed

STATE = Fixture.State
AT_TABLES = (STATE.PLAYING, STATE.PLAYED)
WRITTEN = ("home", "away", "state", "ending", "winner", "changed_at", "table")


def lock_stage(stage: Stage) -> tuple[Event, Stage]:
    """Lock the event of a stage that may be changed, and read the stage again."""
    event = Event.objects.locked().get(pk=stage.event_id)
    refuse_closed(event)
    now = event.stages.filter(pk=stage.pk).exclude(kind=Stage.Kind.DEALS).first()
    if now is None:
        raise Conflict(_("This stage is gone: somebody took it out."), code="stage_gone")
    now.event = event
    return event, now


def lock_fixture(fixture: Fixture) -> tuple[Event, Fixture]:
    """Lock the event of a fixture that may be changed, and read the fixture again."""
    event = Event.objects.locked().filter(stages__fixtures=fixture.pk).first()
    rows = Fixture.objects.select_related("stage", "home", "away", "table__round")
    now = rows.filter(pk=fixture.pk).first()
    if event is None or now is None:
        raise Conflict(_("This fixture is gone: somebody drew again."), code="draw_gone")
    refuse_closed(event)
    now.stage.event = event
    return event, now


def refusal_of(why: Illegal | Unreadable) -> ValidationError:
    """Say a refusal of the rules in the reader's language."""
    return ValidationError(_(why.sentence), code=why.code, params=dict(why.gaps))


def write_down_event(event: Event) -> None:
    """Write who meets whom, and what can be played, onto the fixtures of every drawn stage."""
    for stage in stages_with_fixtures(event):
        if stage.drawn_at is not None:
            stage.event = event
            _let_come(stage)
            write_down(meetings_of(stage))


def _let_come(stage: Stage) -> None:
    """Let those come into a stage that has not begun who come out of the one before now."""
    before = stage_before(stage)
    if before is None or has_begun(stage):
        return
    came = as_text(out_of(meetings_of(before)))
    if came == stage.came:
        return
    stage.came = came
    if stage.kind == Stage.Kind.SWISS:  # drawn among those who are known: it is drawn anew
        stage.fixtures.all().delete()
        stage.seed, stage.drawn_at = None, None
    stage.save(update_fields=["came", "seed", "drawn_at"])


def write_down(meetings: Meetings) -> None:
    """Write who meets whom, and what can be played, onto the fixtures of a stage."""
    try:
        now = meetings.now
    except fixtures.FixtureError as why:
        raise refusal_of(why) from why
    at = timezone.now()
    given_up = _given_up(meetings.rows)
    changed = [
        row for row in meetings.rows if _follow(row, now.fixtures[row.code], row.pk in given_up, at)
    ]
    Fixture.objects.bulk_update(changed, WRITTEN, batch_size=200)


def _given_up(rows: Iterable[Fixture]) -> set[int]:
    """The fixtures whose table was closed before anybody had won there."""
    tables = Fixture.objects.filter(
        pk__in=[row.pk for row in rows if row.state in (STATE.PLAYING, STATE.PLAYED)],
        table__round__state=Round.State.CLOSED,
    )
    return set(tables.values_list("pk", flat=True))


def _follow(row: Fixture, now: fixtures.Resolved, is_given_up: bool, at: datetime) -> bool:
    """Put what is known now onto a row; says whether that changed it."""
    before = [getattr(row, name) for name in ("home_id", "away_id", "state", "ending", "winner")]
    table = row.table_id
    row.home_id, row.away_id = now.home, now.away
    if not is_decided(row):
        _put_state(row, now, is_given_up=is_given_up)
    after = [getattr(row, name) for name in ("home_id", "away_id", "state", "ending", "winner")]
    if before == after and table == row.table_id:
        return False
    row.changed_at = at
    return True


def _put_state(row: Fixture, now: fixtures.Resolved, *, is_given_up: bool) -> None:
    if now.is_over:
        row.state = STATE.DONE
        row.winner = side_of(row, now.winner)
        row.ending = _ending_of(now)
        row.table = None
        return
    if now.state is State.WAITING:
        row.state, row.table = STATE.WAITING, None
    elif row.table_id is None or is_given_up:
        row.state, row.table = STATE.READY, None
    elif row.state not in (STATE.PLAYING, STATE.PLAYED):
        row.state = STATE.PLAYING
    if row.state != STATE.PLAYED:
        row.ending, row.winner = "", ""


def _ending_of(now: fixtures.Resolved) -> str:
    if now.state is State.FREE:
        return Fixture.Ending.BYE if now.by_bye else Fixture.Ending.WALKOVER
    if now.plan.decider_of:
        return ""  # the second final that nobody needs
    return Fixture.Ending.BYE if now.by_bye else Fixture.Ending.BOTH_ABSENT


def side_of(row: Fixture, entry: int | None) -> str:
    """The side of an entry in a fixture; empty for nobody."""
    if entry is None:
        return ""
    return Fixture.Side.HOME if entry == row.home_id else Fixture.Side.AWAY
