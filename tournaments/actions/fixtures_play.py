"""Fixtures as they are decided, confirmed and taken back; and sides that leave."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.models import User
from clubs.names import one_line
from rules_engine import truco
from rules_engine.errors import Illegal
from tournaments import fixtures
from tournaments.actions.fixtures import AT_TABLES, lock_fixture, refusal_of, write_down_event
from tournaments.actions.journal import write_line
from tournaments.actions.roster import roster_changed
from tournaments.actors import Actor, account_of
from tournaments.meetings import is_decided, meetings_of, plan_of, result_from, stages_with_fixtures
from tournaments.models import (
    Entry,
    EntryPlayer,
    Event,
    Fixture,
    JournalLine,
    Table,
)
from tournaments.rules import Conflict, refuse_closed

KIND = JournalLine.Kind
STATE = Fixture.State
ENDING = Fixture.Ending
HOME, AWAY = Fixture.Side.HOME.value, Fixture.Side.AWAY.value
#: Who has played a hand was there.
NOT_THERE = (Fixture.Ending.WALKOVER, Fixture.Ending.BOTH_ABSENT)
#: Endings that somebody says about a fixture; byes and cancellations come about otherwise.
SAID = frozenset({
    ENDING.PLAYED, ENDING.CAP, ENDING.WALKOVER, ENDING.ABANDONED, ENDING.EXPELLED,
    ENDING.BOTH_ABSENT,
})  # fmt: skip

type Scores = Sequence[tuple[int, int]]


# Decided


@transaction.atomic
def decide_fixture(
    *,
    fixture: Fixture,
    by: User | None,
    ending: str,
    winner: str = "",
    scores: Scores = (),
    note: str = "",
    seen: datetime | None = None,
    at: datetime | None = None,
) -> Fixture:
    """Write the result of a fixture down, as the referee says it; the same again changes nothing.

    ``seen`` is the moment of the fixture that the page showed: refuses when it has changed since.
    Refuses sides that are not known yet, a result that the format cannot have, and the games of a
    sheet that says something itself.
    """
    event, now = lock_fixture(fixture)
    if is_decided(now):
        if _says_the_same(now, ending, winner, scores):
            return now
        raise Conflict(
            _("This fixture is decided: take its result back before you enter another one."),
            code="already_decided",
        )
    _refuse_stale(now, seen)
    if now.state not in (STATE.READY, *AT_TABLES):
        raise Conflict(_("It is not known yet who meets here."), code="not_ready")
    if now.table is not None and now.table.deals_recorded and ending == ENDING.PLAYED:
        raise Conflict(
            _("The sheet of table %(number)s has begun: finish and sign it there."),
            code="sheet_begun",
            params={"number": now.table.number},
        )
    if now.table is not None and now.table.deals_recorded and ending in NOT_THERE:
        raise Conflict(
            _(
                "The sheet of table %(number)s has begun, so both sides came: enter who abandoned, "
                "or call them away from the table first."
            ),
            code="sheet_begun",
            params={"number": now.table.number},
        )
    _refuse_impossible(now, ending, winner, scores)
    _write(now, ending, winner, scores, note=note, by=by, at=at or timezone.now())
    if now.table is not None:
        _close_table(now, now.table, by=by)
    if ending == ENDING.EXPELLED:
        _loser_of(now).update(state=Entry.State.EXPELLED, withdrawn_at=now.decided_at)
        roster_changed(event)
    write_down_event(event)
    _tell(event, now, KIND.FIXTURE_DECIDED, by)
    return now


def _loser_of(now: Fixture) -> QuerySet[Entry]:
    return Entry.objects.filter(pk=(now.away_id if now.winner == HOME else now.home_id) or 0)


def _refuse_stale(now: Fixture, seen: datetime | None) -> None:
    if seen is not None and seen != now.changed_at:
        raise Conflict(
            _("This fixture has changed since the page was made: %(state)s. Look again."),
            code="changed_meanwhile",
            params={"state": now.get_state_display()},
        )


def _says_the_same(now: Fixture, ending: str, winner: str, scores: Scores) -> bool:
    return (now.ending, now.winner, now.scores) == (ending, winner, [list(s) for s in scores])


def _refuse_impossible(now: Fixture, ending: str, winner: str, scores: Scores) -> None:
    if ending not in SAID:
        raise ValidationError(_("Say how the fixture ended."), code="ending")
    try:
        result = result_from(now, ending=ending, winner=winner, scores=scores)
        form = plan_of(now).format
        fixtures.check_result(result, form)
        rules = _rules_of(now, form)
        for score in result.scores:
            if max(score) >= form.target:
                truco.check_final_score(rules, score)
    except Illegal as why:
        raise refusal_of(why) from why


def _rules_of(now: Fixture, form: fixtures.FixtureFormat) -> truco.Ruleset:
    """Give the rules of a fixture: those of its event, for its players and its target."""
    event = now.stage.event
    stored = event.ruleset
    rules = truco.Ruleset.from_json(stored) if stored else truco.Ruleset()
    rules = rules.for_players(2 * event.side_size)
    return rules if rules.target == form.target else rules.to(form.target)


def _write(
    now: Fixture,
    ending: str,
    winner: str,
    scores: Scores,
    *,
    note: str,
    by: User | None,
    at: datetime,
) -> None:
    now.state, now.ending, now.winner = STATE.DONE, ending, winner
    now.scores = [list(score) for score in scores]
    now.note = one_line(note)
    now.decided_by, now.decided_at, now.changed_at = by, at, at
    now.save()


def _close_table(now: Fixture, table: Table, *, by: User | None) -> None:
    """Let nobody write at a table whose fixture is decided; a page opened before is too old."""
    at = timezone.now()
    Table.objects.filter(pk=table.pk).update(
        state=Table.State.CLOSED,
        decided_at=at,
        signed_at=at,
        signed_by=by,
        changed_at=at,
        version=F("version") + 1,
    )
    for side, place in ((HOME, 1), (AWAY, 0)):
        own = [score if side == HOME else score[::-1] for score in now.scores]
        outcome = "" if not now.winner else "won" if now.winner == side else "lost"
        table.seats.annotate(parity=F("place") % 2).filter(parity=place).update(
            points=sum(score[0] for score in own),
            points_against=sum(score[1] for score in own),
            games_won=sum(score[0] > score[1] for score in own),
            games_lost=sum(score[0] < score[1] for score in own),
            outcome=outcome,
        )


def _tell(event: Event, now: Fixture, kind: JournalLine.Kind, by: Actor | None) -> None:
    entries = [key for key in (now.home_id, now.away_id) if key is not None]
    rows = EntryPlayer.objects.filter(entry__in=entries, is_reserve=False).order_by("entry", "pk")
    write_line(
        event,
        kind,
        by,
        stage=now.stage.number,
        fixture=now.code,
        ending=now.ending,
        winner=now.winner,
        scores=now.scores,
        players=list(rows.values_list("player_id", flat=True)),
    )


# What the sheet of its table says


def follow_sheet(
    *, table: Table, winner: str, scores: Scores, ending: str = ENDING.PLAYED
) -> Fixture | None:
    """Let the fixture of a table say what its sheet says; nothing for a table without one.

    ``winner`` is empty while nobody has won. A confirmed result that the sheet no longer says
    waits for another confirmation, unless the round is closed: then the director has corrected
    it. Refuses that once a fixture that hangs on it is decided. The caller holds the event.
    """
    now = Fixture.objects.select_related("stage__event").filter(table=table).first()
    if now is None or _says_the_same(now, ending if winner else "", winner, scores):
        return now
    was_decided = is_decided(now)
    if was_decided:
        _refuse_held(now)
        now.decided_by, now.decided_at = None, None
    now.scores = [list(score) for score in scores]
    now.winner, now.ending = winner, ending if winner else ""
    now.state = STATE.PLAYED if winner else STATE.PLAYING
    now.changed_at = timezone.now()
    now.save()
    if was_decided:
        _drop_what_was_paired_after(now)
        write_down_event(now.stage.event)
        _tell(now.stage.event, now, KIND.FIXTURE_UNDONE, None)
        if not table.is_open:
            return confirm_by_signature(event=now.stage.event, table=table, by=None)
    return now


def confirm_by_signature(*, event: Event, table: Table, by: Actor | None) -> Fixture | None:
    """Make what a signed sheet says the result of its fixture; the caller holds the event."""
    now = Fixture.objects.select_related("stage").filter(table=table).first()
    if now is None or now.state != STATE.PLAYED or table.signed_at is None:
        return now
    now.stage.event = event
    now.state = STATE.DONE
    now.decided_by = None if by is None else account_of(by)
    now.decided_at = now.changed_at = table.signed_at
    now.save(update_fields=["state", "decided_by", "decided_at", "changed_at"])
    write_down_event(event)
    _tell(event, now, KIND.FIXTURE_DECIDED, by)
    return now


def open_by_signature(*, event: Event, table: Table, by: Actor | None) -> Fixture | None:
    """Let a fixture wait for its confirmation again when the signature is taken back.

    Refuses once a fixture that hangs on it is decided. The caller holds the event.
    """
    now = Fixture.objects.select_related("stage").filter(table=table).first()
    if now is None or not is_decided(now):
        return now
    now.stage.event = event
    _refuse_held(now)
    now.state, now.decided_by, now.decided_at = STATE.PLAYED, None, None
    now.changed_at = timezone.now()
    now.save(update_fields=["state", "decided_by", "decided_at", "changed_at"])
    _drop_what_was_paired_after(now)
    write_down_event(event)
    _tell(event, now, KIND.FIXTURE_UNDONE, by)
    return now


# Taken back


@transaction.atomic
def undo_fixture(*, fixture: Fixture, by: User | None, seen: datetime | None = None) -> Fixture:
    """Take the result of a fixture back, or call it away from its table; both leave it to play.

    What hangs on it waits again; rounds that were paired after it are dropped. Refuses once a
    fixture that hangs on it is called to a table or decided.
    """
    event, now = lock_fixture(fixture)
    if not is_decided(now) and now.table_id is None:
        return now
    _refuse_stale(now, seen)
    if is_decided(now):
        _refuse_held(now)
        _drop_what_was_paired_after(now)
    if now.ending == ENDING.EXPELLED:
        _loser_of(now).filter(state=Entry.State.EXPELLED).update(
            state=Entry.State.PRESENT, withdrawn_at=None
        )
        roster_changed(event)
    before = (now.ending, now.winner, now.scores)
    _leave_table(now)
    now.state, now.ending, now.winner, now.scores, now.note = STATE.READY, "", "", [], ""
    now.decided_by, now.decided_at, now.changed_at = None, None, timezone.now()
    now.save()
    write_down_event(event)
    now.ending, now.winner, now.scores = before
    _tell(event, now, KIND.FIXTURE_UNDONE, by)
    now.refresh_from_db()
    return now


def _refuse_held(now: Fixture) -> None:
    """Pass a result that no later decision rests on."""
    meetings = meetings_of(now.stage)
    held = fixtures.held_by(meetings.plans, meetings.results, now.code)
    later = Fixture.objects.filter(
        stage__event=now.stage.event_id,
        stage__number__gt=now.stage.number,
        decided_at__isnull=False,
    ).first()
    if held or later is not None:
        raise Conflict(
            _("%(fixture)s has been decided after it: take that result back first."),
            code="result_depends",
            params={"fixture": held[0] if held else str(later)},
        )
    _refuse_called(now, fixtures.dependents(meetings.plans, now.code))


def _refuse_called(now: Fixture, hanging: Collection[str]) -> None:
    """Pass a result after which nobody has been called to a table."""
    called = Fixture.objects.filter(stage__event=now.stage.event_id, table__isnull=False)
    after = called.filter(
        Q(stage=now.stage_id, code__in=hanging) | Q(stage__number__gt=now.stage.number)
    )
    first = after.select_related("table").order_by("stage__number", "wave", "order", "pk").first()
    if first is not None and first.table is not None:
        raise Conflict(
            _(
                "%(fixture)s hangs on this result and has been called to table %(number)s: "
                "call it away from there first."
            ),
            code="result_depends",
            params={"fixture": first.code, "number": first.table.number},
        )


def _drop_what_was_paired_after(now: Fixture) -> None:
    """Drop the rounds that were paired by a result."""
    meetings = meetings_of(now.stage)
    hanging = set(fixtures.dependents(meetings.plans, now.code))
    paired = {plan.code for plan in meetings.plans if plan.code in hanging and plan.entrants}
    now.stage.fixtures.filter(code__in=paired).delete()


def _leave_table(row: Fixture) -> None:
    """Take a fixture away from its table; a sheet that was written on stays readable."""
    table = Table.objects.filter(pk=row.table_id or 0).first()
    row.table, row.scores, row.winner, row.ending = None, [], "", ""
    if table is None:
        return
    Fixture.objects.filter(pk=row.pk).update(table=None)
    if table.version == 0 and not table.rulings.exists():
        table.delete()
        return
    at = timezone.now()
    Table.objects.filter(pk=table.pk).update(
        state=Table.State.CLOSED,
        decided_at=table.decided_at or at,
        signed_at=table.signed_at or at,
        changed_at=at,
        version=F("version") + 1,
    )


@transaction.atomic
def cancel_fixture(
    *,
    fixture: Fixture,
    by: User | None,
    goes_on: bool,
    note: str = "",
    seen: datetime | None = None,
) -> Fixture:
    """Settle a meeting that was broken off: dealt anew from the start, or on from the last score.

    Nothing is assumed: a walkover instead is a decision like others.
    """
    event, now = lock_fixture(fixture)
    _refuse_stale(now, seen)
    if now.state not in AT_TABLES:
        raise Conflict(_("This fixture is not being played."), code="not_playing")
    before = now.scores
    if not goes_on:
        _leave_table(now)
        now.state = STATE.READY
    now.note, now.changed_at = one_line(note), timezone.now()
    now.save()
    write_down_event(event)
    now.ending, now.scores = ENDING.CANCELLED, before
    _tell(event, now, KIND.FIXTURE_UNDONE, by)
    now.refresh_from_db()
    return now


# Who leaves


@transaction.atomic
def side_leaves(
    *, entry: Entry, by: User | None, is_expelled: bool, at: datetime | None = None
) -> Entry:
    """Take a side out of the tournament: what it has left to play is free for the others."""
    event = Event.objects.locked().get(pk=entry.event_id)
    refuse_closed(event)
    now = event.entries.get(pk=entry.pk)
    wanted = Entry.State.EXPELLED if is_expelled else Entry.State.WITHDRAWN
    if now.state == wanted:
        return now
    now.state, now.withdrawn_at = wanted, at or timezone.now()
    now.save(update_fields=["state", "withdrawn_at"])
    _free_running(event, now, by)
    roster_changed(event)
    write_down_event(event)
    kind = KIND.ENTRY_EXPELLED if is_expelled else KIND.ENTRY_WITHDRAWN
    write_line(event, kind, by, players=_players(now))
    return now


def _free_running(event: Event, entry: Entry, by: User | None) -> None:
    """Decide what the side is playing just now for its opponent."""
    ending = ENDING.EXPELLED if entry.state == Entry.State.EXPELLED else ENDING.ABANDONED
    for row in Fixture.objects.filter(stage__event=event, state__in=AT_TABLES).select_related(
        "stage", "table"
    ):
        if entry.pk in (row.home_id, row.away_id):
            row.stage.event = event
            winner = AWAY if row.home_id == entry.pk else HOME
            scores = [(score[0], score[1]) for score in row.scores]
            _write(row, ending, winner, scores, note="", by=by, at=timezone.now())
            if row.table is not None:
                _close_table(row, row.table, by=by)
            _tell(event, row, KIND.FIXTURE_DECIDED, by)


@transaction.atomic
def side_returns(*, entry: Entry, by: User | None) -> Entry:
    """Let a side that left play on; what was decided meanwhile stays decided."""
    event = Event.objects.locked().get(pk=entry.event_id)
    refuse_closed(event)
    now = event.entries.get(pk=entry.pk)
    if now.state not in (Entry.State.WITHDRAWN, Entry.State.EXPELLED):
        return now
    _refuse_resting_on(event, now)
    now.state, now.withdrawn_at = Entry.State.PRESENT, None
    now.save(update_fields=["state", "withdrawn_at"])
    roster_changed(event)
    write_down_event(event)
    write_line(event, KIND.ENTRY_BACK, by, players=_players(now))
    return now


def _refuse_resting_on(event: Event, entry: Entry) -> None:
    """Pass a return that takes no decided fixture its entrants away."""
    for stage in stages_with_fixtures(event):
        stage.event = event
        meetings = meetings_of(stage)
        for row in meetings.rows:
            mine = entry.pk in (row.home_id, row.away_id) and row.is_done and not is_decided(row)
            if mine and fixtures.held_by(meetings.plans, meetings.results, row.code):
                raise Conflict(
                    _("Others have played on without %(player)s: there is no way back."),
                    code="result_depends",
                    params={"player": entry},
                )


def _players(entry: Entry) -> list[int]:
    return list(entry.entry_players.order_by("pk").values_list("player_id", flat=True))
