"""Equals at the last place of a final: who of them goes on."""

from __future__ import annotations

import secrets
from collections.abc import Collection

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.models import User
from tournaments.actions.draws import SEEDS
from tournaments.actions.journal import write_line
from tournaments.actions.placings import refuse_uncounted
from tournaments.cuts import Tie, decision_on, tie_at
from tournaments.models import Event, JournalLine
from tournaments.rules import Conflict, refuse_closed, refuse_while_playing
from tournaments.seating.dice import Dice
from tournaments.stages import next_stage

LOTS, EXTRA_DEAL = "lots", "extra_deal"


@transaction.atomic
def draw_lots_at_the_cut(
    *, event: Event, by: User | None, equal: Collection[int], seed: int | None = None
) -> tuple[int, ...]:
    """Let the lot decide between those who share the last place; gives who goes on.

    Lots are drawn once: a second press finds what they said. ``equal`` are the players whom the
    page showed; refuses when it is others by now.
    """
    tie = _tie_shown(event, equal)
    decided = decision_on(tie)
    if decided is not None and decided["how"] == LOTS:
        return tuple(decided["players"])
    seed = secrets.randbelow(SEEDS) if seed is None else seed
    through = Dice(seed).shuffled(list(tie.equal))[: tie.places]
    _write(tie, through, by, how=LOTS, seed=seed)
    return tuple(sorted(through))


@transaction.atomic
def choose_at_the_cut(
    *, event: Event, by: User | None, equal: Collection[int], through: Collection[int]
) -> tuple[int, ...]:
    """Write down who has won the extra deal among those who share the last place.

    Refuses another number of players than there are places, and anybody who is not equal.
    """
    tie = _tie_shown(event, equal)
    chosen = tuple(sorted(set(through)))
    if len(chosen) != tie.places or not set(chosen) <= set(tie.equal):
        raise ValidationError(
            ngettext(
                "Choose %(count)s of them: so many places are left.",
                "Choose %(count)s of them: so many places are left.",
                tie.places,
            ),
            code="not_so_many",
            params={"count": tie.places},
        )
    decided = decision_on(tie)
    if decided is None or tuple(decided["players"]) != chosen or decided["how"] != EXTRA_DEAL:
        _write(tie, chosen, by, how=EXTRA_DEAL)
    return chosen


def _tie_shown(event: Event, equal: Collection[int]) -> Tie:
    event = Event.objects.locked().get(pk=event.pk)
    refuse_closed(event)
    refuse_while_playing(event)
    refuse_uncounted(event)
    stage = next_stage(event)
    tie = tie_at(stage) if stage is not None else None
    if tie is None or tie.equal != tuple(sorted(equal)):
        raise Conflict(
            _("The ranking has changed: others are equal at the last place, or nobody is."),
            code="tie_changed",
        )
    return tie


def _write(
    tie: Tie, through: Collection[int], by: User | None, *, how: str, seed: int | None = None
) -> None:
    event = tie.stage.event
    # A proposal was drawn for those who went on before.
    event.rounds.proposed().delete()
    write_line(
        event,
        JournalLine.Kind.CUT_DECIDED,
        by,
        stage=tie.stage.number,
        how=how,
        seed=seed,
        equal=list(tie.equal),
        players=sorted(through),
    )
