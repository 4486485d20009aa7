"""The draw of a stage of fixtures: made, made again before the first result, dropped, continued."""

from __future__ import annotations

import secrets
import uuid
from collections.abc import Collection, Sequence
from datetime import datetime

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.models import Club, Publication, Season, User
from clubs.names import one_line
from rules_engine import truco
from tournaments import fixtures
from tournaments.actions.events import create_event
from tournaments.actions.fixtures import lock_stage, refusal_of, write_down
from tournaments.actions.journal import write_line
from tournaments.actions.meetings import incomplete
from tournaments.meetings import (
    Meetings,
    as_text,
    meetings_of,
    out_of,
    sections_of,
    settings_of,
    stage_before,
)
from tournaments.models import Entry, Event, Fixture, JournalLine, Stage
from tournaments.models.events import stored_stage_name
from tournaments.rules import Conflict

KIND = JournalLine.Kind
SEEDS = 1_000_000
FEWEST = 2
#: What a stage no longer has when its draw is dropped.
FORGOTTEN = ["seed", "drawn_at", "reasons", "standings", "extra_games"]


@transaction.atomic
def draw_fixtures(
    *, stage: Stage, by: User | None, seed: int | None = None, instead: int | None = None
) -> Stage:
    """Draw who meets whom in a stage: those present, or those who come out of the one before.

    ``instead`` is the number of the draw that the page showed, -1 for none: one page draws once,
    and of two directors one wins. Refuses once a result stands or a table plays, while the stage
    before goes on, fewer than two, and players who still look for a partner.
    """
    event, now = lock_stage(stage)
    if instead is not None and instead != (-1 if now.seed is None else now.seed):
        return _drawn_already(event, now, by)
    _refuse_begun(now)
    seed = secrets.randbelow(SEEDS) if seed is None else seed
    try:
        plan = _plan_of(event, now, seed)
        _refuse_impossible_cut(event, now, plan)
    except (fixtures.FixtureError, fixtures.Unreadable) as why:
        raise refusal_of(why) from why
    now.fixtures.all().delete()
    now.seed, now.drawn_at = seed, timezone.now()
    now.reasons = [reason.as_data() for reason in plan.reasons]
    now.standings, now.extra_games = [], []
    now.save(update_fields=["seed", "drawn_at", "reasons", "standings", "extra_games", "came"])
    _keep(now, plan.fixtures)
    write_down(meetings_of(now))
    write_line(event, KIND.FIXTURES_DRAWN, by, stage=now.number, seed=seed)
    return now


def _drawn_already(event: Event, now: Stage, by: User | None) -> Stage:
    last = event.journal.filter(kind=KIND.FIXTURES_DRAWN, details__stage=now.number).first()
    if now.drawn_at is not None and last is not None and by is not None and last.actor_id == by.pk:
        return now  # the same button pressed twice
    raise Conflict(
        _("Somebody else has drawn %(stage)s meanwhile: look at that draw."),
        code="changed_meanwhile",
        params={"stage": now},
    )


def _refuse_begun(stage: Stage) -> None:
    if stage.fixtures.filter(decided_at__isnull=False).exists():
        raise Conflict(
            _("%(stage)s has a result: take it back before you draw again."),
            code="stage_begun",
            params={"stage": stage},
        )
    if stage.fixtures.filter(table__isnull=False).exists():
        raise Conflict(
            _("%(stage)s is being played: it is not drawn again."),
            code="stage_begun",
            params={"stage": stage},
        )


def _refuse_impossible_cut(event: Event, stage: Stage, plan: fixtures.StagePlan) -> None:
    """Pass a draw out of which as many go on as the next stage waits for."""
    settings = settings_of(stage)
    if not _has_following(event, stage):
        return
    if not settings.qualifiers:
        raise _nobody_goes_on(stage)
    if settings.kind is not fixtures.StageKind.GROUPS:
        return
    members: dict[str, set[str]] = {}
    for one in plan.fixtures:
        members.setdefault(one.section, set()).update((one.home.text(), one.away.text()))
    section, there = min(members.items(), key=lambda each: len(each[1]))
    if len(there) < settings.qualifiers:
        raise ValidationError(
            _("Group %(letter)s has %(count)s sides: %(qualifiers)s cannot go on from it."),
            code="too_many_qualifiers",
            params={"letter": section, "count": len(there), "qualifiers": settings.qualifiers},
        )


def _has_following(event: Event, stage: Stage) -> bool:
    following = event.stages.filter(number__gt=stage.number)
    return following.exclude(kind=Stage.Kind.DEALS).exists()


def _nobody_goes_on(stage: Stage) -> ValidationError:
    return ValidationError(
        _("%(stage)s is followed by another stage: say how many go on."),
        code="no_qualifiers",
        params={"stage": stage},
    )


def _plan_of(event: Event, stage: Stage, seed: int) -> fixtures.StagePlan:
    settings = settings_of(stage)
    before = stage_before(stage)
    if before is not None:
        return _plan_after(before, stage, settings, seed)
    _refuse_incomplete(event)
    present = list(event.entries.present().order_by("number", "pk"))
    if len(present) < FEWEST:
        raise ValidationError(
            _("Two sides at least must be present before anything can be drawn."), code="too_few"
        )
    return fixtures.plan_stage(
        settings,
        [entry.pk for entry in present],
        seed=seed,
        seeds=_seeds(event),
        clubs=_clubs(event),
    )


def _seeds(event: Event) -> list[int]:
    seeded = event.entries.present().filter(seeded__isnull=False)
    return list(seeded.order_by("seeded", "number", "pk").values_list("pk", flat=True))


def _clubs(event: Event) -> dict[int, str]:
    return dict(event.entries.exclude(club_name="").values_list("pk", "club_name"))


def _refuse_incomplete(event: Event) -> None:
    alone = [entry for entry in incomplete(event) if entry.is_present]
    if alone:
        raise ValidationError(
            _("%(player)s has no partner yet: draw partners, or mark the player absent."),
            code="no_partner",
            params={"player": alone[0]},
        )


def _plan_after(
    before: Stage, stage: Stage, settings: fixtures.StageSettings, seed: int
) -> fixtures.StagePlan:
    # Whoever left since an earlier draw of this stage does not come into the new one.
    Stage.objects.filter(pk=stage.pk).update(drawn_at=None)
    played = meetings_of(before)
    if not played.is_over:
        raise ValidationError(
            _("%(stage)s is not over yet: only then is it known who goes on."),
            code="stage_not_over",
            params={"stage": before},
        )
    stage.came = as_text(out_of(played))
    if settings.kind is fixtures.StageKind.SWISS:
        event = stage.event
        through = [entry for entry in out_of(played).values() if entry is not None]
        return fixtures.plan_stage(settings, through, seed=seed, clubs=_clubs(event))
    return fixtures.plan_from_slots(settings, slots_of(stage, played, settings), seed=seed)


def slots_of(stage: Stage, played: Meetings, settings: fixtures.StageSettings) -> fixtures.SlotMap:
    """Who of the stage before goes where: as somebody said, or the usual map."""
    if stage.slots:
        return fixtures.SlotMap.from_json(stage.slots)
    return fixtures.default_slots(played.settings, sections_of(played), settings)


def _keep(stage: Stage, planned: Collection[fixtures.FixturePlan]) -> None:
    Fixture.objects.bulk_create(
        Fixture(
            stage=stage,
            code=one.code,
            section=one.section,
            round=one.round,
            order=one.order,
            wave=one.wave,
            format=one.format.to_json(),
            home_from=one.home.text(),
            away_from=one.away.text(),
        )
        for one in planned
    )


@transaction.atomic
def drop_fixtures(*, stage: Stage, by: User | None) -> Stage:
    """Drop the draw of a stage; one without a draw stays so. Refuses once it has begun."""
    event, now = lock_stage(stage)
    if now.drawn_at is None:
        return now
    _refuse_begun(now)
    now.fixtures.all().delete()
    seed = now.seed
    _forget_draw(now)
    now.save(update_fields=FORGOTTEN)
    write_line(event, KIND.FIXTURES_DROPPED, by, stage=now.number, seed=seed)
    return now


def _forget_draw(now: Stage) -> None:
    now.seed, now.drawn_at = None, None
    now.reasons, now.standings, now.extra_games = [], [], []


@transaction.atomic
def pair_next_round(
    *,
    stage: Stage,
    by: User | None,
    after: int | None = None,
    seed: int | None = None,
    bought_back: Collection[Entry] = (),
) -> Stage:
    """Pair the next round of a stage that is drawn round by round (Swiss, drawn anew, buy-back).

    ``after`` is the round that the page showed last: a second press finds the next one paired.
    """
    event, now = lock_stage(stage)
    meetings = meetings_of(now)
    last = max((row.wave for row in meetings.rows), default=0)
    if after is not None and after < last:
        return now
    if not meetings.asks_next_round:
        raise ValidationError(
            _("No round can be paired now: results are missing, or all rounds are played."),
            code="no_next_round",
        )
    seed = secrets.randbelow(SEEDS) if seed is None else seed
    try:
        more = fixtures.next_round(
            meetings.settings,
            meetings.now,
            seed=seed,
            seeds=_seeds(event),
            clubs=_clubs(event),
            joining=_joining(event, meetings),
            bought_back=[entry.pk for entry in bought_back],
        )
    except (fixtures.FixtureError, fixtures.Unreadable) as why:
        raise refusal_of(why) from why
    _keep(now, more.fixtures)
    now.reasons = [*now.reasons, *(reason.as_data() for reason in more.reasons)]
    now.save(update_fields=["reasons"])
    write_down(meetings_of(now))
    write_line(event, KIND.FIXTURES_DRAWN, by, stage=now.number, seed=seed, round=last + 1)
    return now


def _joining(event: Event, meetings: Meetings) -> list[int]:
    """Those who came too late for the first round of a Swiss that begins the tournament."""
    if meetings.settings.kind is not fixtures.StageKind.SWISS or stage_before(meetings.stage):
        return []
    there = {side for row in meetings.rows for side in (row.home_id, row.away_id)}
    present = event.entries.present().order_by("number", "pk").values_list("pk", flat=True)
    return [entry for entry in present if entry not in there]


# The plan


@transaction.atomic
def create_championship(
    *,
    club: Club,
    starts_at: datetime,
    stages: Sequence[tuple[str, fixtures.StageSettings]],
    by: User | None,
    entrants: str = Event.Entrants.PAIRS,
    preset: str = "paulista",
    entry_key: uuid.UUID | None = None,
    format: str = "",  # noqa: A002 - the column's name
    confirmation: str = Event.Confirmation.OTHER_SIDE,
    most_entries: int | None = None,
    title: str = "",
    place: str = "",
    publication: str = Publication.CLUB,
    season: Season | None = None,
) -> Event:
    """Plan a tournament of fixtures with its stages, each with its name and settings.

    The same ``entry_key`` is the same tournament. Refuses one without a stage.
    """
    if not stages:
        raise ValidationError(_("A tournament has at least one stage."), code="no_stage")
    event = create_event(
        club=club,
        starts_at=starts_at,
        title=title,
        place=place,
        publication=publication,
        season=season,
        by=by,
        entry_key=entry_key,
    )
    if event.stages.exists():
        return event
    event.kind, event.game = Event.Kind.TOURNAMENT, Event.Game.TRUCO
    event.entrants, event.format, event.confirmation = entrants, format, confirmation
    event.most_entries = most_entries
    event.ruleset = rules_called(preset, event.side_size).to_json()
    first = stages[0][1]
    event.best_of, event.target = first.format.best_of, first.format.target
    event.meeting_points = first.points.to_json()
    event.full_clean()
    event.save()
    for number, (name, settings) in enumerate(stages, start=1):
        _add(event, number, settings, name)
    return event


def rules_called(name: str, side_size: int) -> truco.Ruleset:
    """The rules of this name for sides of so many."""
    return truco.ruleset(name + {1: "-1v1", 3: "-3v3"}.get(side_size, ""))


def _add(event: Event, number: int, settings: fixtures.StageSettings, name: str) -> Stage:
    named = stored_stage_name(one_line(name))
    stage = Stage(event=event, number=number, name=named, rounds_planned=1)
    _put(stage, settings)
    stage.full_clean()
    stage.save()
    return stage


def _put(stage: Stage, settings: fixtures.StageSettings) -> None:
    stage.kind = settings.kind
    stage.settings = settings.to_json()


@transaction.atomic
def add_fixture_stage(
    *, event: Event, by: User | None, settings: fixtures.StageSettings, name: str = ""
) -> Stage:
    """Add a stage of fixtures after the last one."""
    event = Event.objects.locked().get(pk=event.pk)
    last = event.stages.order_by("-number").first()
    stage = _add(event, last.number + 1 if last else 1, settings, name)
    write_line(event, KIND.STAGE_CHANGED, by, stage=stage.number)
    return stage


@transaction.atomic
def change_fixture_stage(
    *, stage: Stage, by: User | None, settings: fixtures.StageSettings, name: str
) -> Stage:
    """Change how a stage is played; an untouched draw of it is dropped.

    Refuses all but the name once a result stands or a table plays.
    """
    event, now = lock_stage(stage)
    same = settings_of(now) == settings
    if not same:
        _refuse_begun(now)
        if not settings.qualifiers and _has_following(event, now):
            raise _nobody_goes_on(now)
        now.fixtures.all().delete()
        _forget_draw(now)
        if now.slots and now.kind != settings.kind:
            now.slots = {}
        _put(now, settings)
    named = stored_stage_name(one_line(name), before=now.name)
    if same and now.name == named:
        return now
    now.name = named
    now.full_clean()
    now.save()
    write_line(event, KIND.STAGE_CHANGED, by, stage=now.number)
    return now


@transaction.atomic
def remove_fixture_stage(*, stage: Stage, by: User | None) -> None:
    """Take a stage out of the plan; refuses one that has begun, and the only one."""
    event, now = lock_stage(stage)
    _refuse_begun(now)
    if event.stages.count() == 1:
        raise ValidationError(_("A tournament has at least one stage."), code="no_stage")
    now.fixtures.all().delete()
    number = now.number
    now.delete()
    write_line(event, KIND.STAGE_CHANGED, by, stage=number)


@transaction.atomic
def change_slots(*, stage: Stage, by: User | None, slots: fixtures.SlotMap | None) -> Stage:
    """Say who of the stage before goes where; None is the usual map again.

    A draw of the stage is dropped. Refuses once it has begun.
    """
    event, now = lock_stage(stage)
    _refuse_begun(now)
    now.slots = slots.to_json() if slots is not None else {}
    now.fixtures.all().delete()
    _forget_draw(now)
    now.save(update_fields=["slots", *FORGOTTEN])
    write_line(event, KIND.SLOTS_CHANGED, by, stage=now.number)
    return now
