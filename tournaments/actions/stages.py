"""The stages of a tournament: planned from a preset, changed until they begin."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, TypedDict, Unpack

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from clubs.models import Club, Publication, Season, User
from clubs.names import one_line
from tournaments.actions.events import create_event
from tournaments.actions.journal import write_line
from tournaments.actions.placings import deals_planned
from tournaments.models import Event, JournalLine, Placement, Stage
from tournaments.models.events import stored_stage_name
from tournaments.rules import Conflict, refuse_closed
from tournaments.stages import GOES_ON, runs_of

#: What may still be changed in a stage that has begun; its rounds never below those started.
CHANGEABLE_LATER = frozenset({"name", "rounds_planned"})


class StagePlan(TypedDict, total=False):
    """What may be asked of a stage; whatever is left out stays as it is."""

    name: str
    rounds_planned: int
    deals_per_round: int | None
    minutes_per_round: int | None
    placement: str
    placements: Mapping[str, str]
    qualifiers: int | None
    carried_numerator: int
    carried_denominator: int
    session: int


@transaction.atomic
def create_tournament(
    *,
    club: Club,
    starts_at: datetime,
    stages: Sequence[StagePlan],
    by: User | None,
    entry_key: uuid.UUID | None = None,
    format: str = "",  # noqa: A002 - the column's name
    leftovers: str = Event.Leftovers.THREES,
    most_entries: int | None = None,
    missed_rounds: str = Event.MissedRounds.NOTHING,
    missed_points: int = 0,
    title: str = "",
    place: str = "",
    publication: str = Publication.CLUB,
    preset: str = "fft",
    season: Season | None = None,
) -> Event:
    """Plan a tournament with its stages; the same ``entry_key`` is the same tournament."""
    if not stages:
        raise ValidationError(_("A tournament has at least one stage."), code="no_stage")
    event = create_event(
        club=club,
        starts_at=starts_at,
        leftovers=leftovers,
        title=title,
        place=place,
        publication=publication,
        preset=preset,
        season=season,
        by=by,
        entry_key=entry_key,
    )
    if event.stages.exists():
        return event
    event.kind = Event.Kind.TOURNAMENT
    event.format = format
    event.most_entries = most_entries
    event.missed_rounds = missed_rounds
    event.missed_points = missed_points
    event.full_clean()
    event.save()
    for number, plan in enumerate(stages, start=1):
        _save(Stage(event=event, number=number), plan)
    _write_length(event)
    return event


@transaction.atomic
def add_stage(*, event: Event, by: User | None, **plan: Unpack[StagePlan]) -> Stage:
    """Add a stage after the last one."""
    event = Event.objects.locked().get(pk=event.pk)
    refuse_closed(event)
    last = event.stages.aggregate(last=Max("number"))["last"] or 0
    stage = _save(Stage(event=event, number=last + 1), plan)
    _changed(event, stage, by)
    return stage


@transaction.atomic
def change_stage(*, stage: Stage, by: User | None, **changes: Unpack[StagePlan]) -> Stage:
    """Change what is given of a stage; an unpublished draw of it is dropped.

    Refuses all but the name and more rounds once a round of it has started.
    """
    event, stage = _locked(stage)
    if "name" in changes:
        changes["name"] = stored_stage_name(one_line(changes["name"]), before=stage.name)
    changed = {name for name, value in changes.items() if _is_another(stage, name, value)}
    if not changed:
        return stage
    started = stage.rounds.published().count()
    if started and not changed <= CHANGEABLE_LATER:
        raise Conflict(
            _(
                "%(stage)s has begun: deals, time, placement and what is carried over stay as "
                "they are. One position can still be placed in another way at its draw."
            ),
            code="stage_begun",
            params={"stage": stage},
        )
    if changes.get("rounds_planned", started) < started:
        raise ValidationError(
            _("%(rounds)s rounds of this stage have been started: it has no fewer."),
            code="rounds_started",
            params={"rounds": started},
        )
    _save(stage, changes)
    if changed - {"name"}:
        stage.rounds.proposed().delete()
    _changed(event, stage, by)
    return stage


@transaction.atomic
def remove_stage(*, stage: Stage, by: User | None) -> None:
    """Take a stage out of the plan; refuses one that has begun, and the only one."""
    event, stage = _locked(stage)
    if stage.rounds.published().exists():
        raise Conflict(
            _("%(stage)s has begun: it stays."), code="stage_begun", params={"stage": stage}
        )
    if event.stages.count() == 1:
        raise ValidationError(_("A tournament has at least one stage."), code="no_stage")
    stage.rounds.proposed().delete()
    stage.delete()
    _changed(event, stage, by)


def _is_another(stage: Stage, name: str, value: Any) -> bool:
    now = getattr(stage, name)
    if name != "placements":
        return bool(now != value)
    # A position beyond the last, or placed as its stage is, says nothing.
    return _single(stage, now) != _single(stage, value)


def _single(stage: Stage, placements: Mapping[str, str]) -> dict[str, str]:
    """The positions that are placed in another way than their stage, in order."""
    numbers = map(str, range(1, stage.rounds_planned + 1))
    return {
        n: placements[n] for n in numbers if placements.get(n, stage.placement) != stage.placement
    }


def _locked(stage: Stage) -> tuple[Event, Stage]:
    event = Event.objects.locked().get(pk=stage.event_id)
    refuse_closed(event)
    now = event.stages.filter(pk=stage.pk).first()
    if now is None:
        raise Conflict(_("This stage is gone: somebody took it out."), code="stage_gone")
    return event, now


def _save(stage: Stage, plan: Mapping[str, Any]) -> Stage:
    for name, value in plan.items():
        setattr(stage, name, one_line(value) if isinstance(value, str) else value)
    stage.name = stored_stage_name(stage.name)
    if stage.qualifiers and stage.number == 1:
        raise ValidationError(
            _("Nobody can qualify for the first stage: it is for everybody."), code="first_cut"
        )
    if stage.placement == Placement.FINAL and not stage.qualifiers:
        raise ValidationError(
            _("A seeded final needs to know how many qualify."), code="final_without_cut"
        )
    stage.placements = _single(stage, stage.placements)
    _refuse_resumed(stage)
    stage.full_clean()
    stage.save()
    return stage


def _refuse_resumed(stage: Stage) -> None:
    """Pass positions of which a movement is the first, if there is one."""
    for run in runs_of(stage)[1:]:
        if run.placement in GOES_ON:
            raise ValidationError(
                _(
                    "Position %(position)s goes back to “%(placement)s”: after a position placed "
                    "in another way it is not taken up again."
                ),
                code="movement_resumed",
                params={"position": run.first, "placement": run.placement.label},
            )


def _changed(event: Event, stage: Stage, by: User | None) -> None:
    _write_length(event)
    write_line(event, JournalLine.Kind.STAGE_CHANGED, by, stage=stage.number)


def _write_length(event: Event) -> None:
    """Write down what the lists of evenings show: how many rounds, and deals in the first."""
    stages = list(event.stages.order_by("number"))
    event.rounds_planned = min(50, sum(stage.rounds_planned for stage in stages))
    event.deals_per_round = deals_planned(stages[0])
    event.save(update_fields=["rounds_planned", "deals_per_round"])
