"""Equals in a table whom only an extra game parts, or lots instead of it."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Mapping
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from clubs.models import User
from tournaments.actions.fixtures import lock_stage, write_down_event
from tournaments.actions.fixtures_draw import SEEDS
from tournaments.actions.journal import write_line
from tournaments.fixtures.standing import lots
from tournaments.meetings import has_begun, meetings_of, stages_with_fixtures
from tournaments.models import EntryPlayer, Event, JournalLine, Stage
from tournaments.rules import Conflict

KIND = JournalLine.Kind


@transaction.atomic
def enter_extra_game(*, stage: Stage, by: User | None, won: Mapping[int, int]) -> Stage:
    """Write down how many games each of these equals won in a play-off; the same again is one.

    Refuses those who are not equal, a play-off in which nobody is ahead, and all of it once the
    next stage has begun.
    """
    event, now = lock_stage(stage)
    if len(set(won.values())) == 1:
        raise ValidationError(
            _("After an extra game somebody is ahead: enter who won."), code="nobody_ahead"
        )
    return _write(event, now, by, won, seed=None)


@transaction.atomic
def draw_lots(
    *, stage: Stage, by: User | None, equal: Collection[int], seed: int | None = None
) -> Stage:
    """Draw lots between these equals instead of an extra game; the seed is kept."""
    event, now = lock_stage(stage)
    known = _known(now, equal)
    if known is not None and known["seed"] is not None and seed is None:
        return now
    seed = secrets.randbelow(SEEDS) if seed is None else seed
    return _write(event, now, by, lots(equal, f"{seed}:extra"), seed=seed)


def _write(
    event: Event, now: Stage, by: User | None, won: Mapping[int, int], *, seed: int | None
) -> Stage:
    in_order = sorted(won.items(), key=lambda each: (-each[1], each[0]))
    known = _known(now, won)
    if known is not None and known["won"] == [list(each) for each in in_order]:
        return now
    if known is not None:
        raise Conflict(
            _("This is decided: take it back before you enter something else."),
            code="already_decided",
        )
    _refuse_gone_on(event, now)
    meetings = meetings_of(now)
    section = next((s for s, equal in meetings.equals if set(equal) == set(won)), None)
    if section is None:
        raise Conflict(
            _("They are not equal, or no longer: look at the table again."), code="not_equal"
        )
    decided = {"section": section, "won": [list(each) for each in in_order], "seed": seed}
    # What lapsed because the table changed goes with it.
    now.extra_games = [*meetings.deciding, decided]
    now.save(update_fields=["extra_games"])
    write_down_event(event)
    _tell(event, now, KIND.EQUALS_DECIDED, by, decided)
    return now


@transaction.atomic
def undo_extra_game(*, stage: Stage, by: User | None, equal: Collection[int]) -> Stage:
    """Take back what decided between these equals; refuses once the next stage has begun."""
    event, now = lock_stage(stage)
    known = _known(now, equal)
    if known is None:
        return now
    _refuse_gone_on(event, now)
    now.extra_games = [each for each in now.extra_games if each != known]
    now.save(update_fields=["extra_games"])
    write_down_event(event)
    _tell(event, now, KIND.EQUALS_UNDONE, by, known)
    return now


def _known(now: Stage, equal: Collection[int]) -> Mapping[str, Any] | None:
    for each in now.extra_games:
        if {entry for entry, _won in each["won"]} == set(equal):
            return dict(each)
    return None


def _refuse_gone_on(event: Event, now: Stage) -> None:
    for later in stages_with_fixtures(event):
        if later.number > now.number and has_begun(later):
            raise Conflict(
                _("%(stage)s has begun: who goes on stays."),
                code="stage_begun",
                params={"stage": later},
            )


def _tell(
    event: Event, now: Stage, kind: JournalLine.Kind, by: User | None, decided: Mapping[str, Any]
) -> None:
    entries = [entry for entry, _won in decided["won"]]
    rows = EntryPlayer.objects.filter(entry__in=entries, is_reserve=False).order_by("pk")
    players: dict[int, list[int]] = {entry: [] for entry in entries}
    for entry, player in rows.values_list("entry_id", "player_id"):
        players[entry].append(player)
    write_line(
        event,
        kind,
        by,
        stage=now.number,
        seed=decided["seed"],
        players=[player for entry in entries for player in players[entry]],
    )
