"""What will not work, or not as one may expect, with so many players; known before the start."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tournaments.formats.values import Format, StagePlan
from tournaments.placing import (
    USUAL_FINALS,
    Place,
    Placement,
    Seat,
    positions_it_lasts,
    positions_of,
    removed_norths,
    threes_again,
)
from tournaments.seating import Leftovers, Reason

FULL_TABLE = 4
FEWEST_FOR_MOVEMENT = 17
HOWELL_PLAYERS = (12, 16)


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """Something that will not work: a reason in words; ``blocks`` when it cannot be played so."""

    reason: Reason
    blocks: bool = False

    @property
    def code(self) -> str:
        """The stable code of the reason."""
        return self.reason.code


type Gaps = dict[str, int]


def _blocks(code: str, **gaps: int) -> Problem:
    return Problem(reason=Reason(code=code, gaps=gaps), blocks=True)


def _warns(code: str, **gaps: int) -> Problem:
    return Problem(reason=Reason(code=code, gaps=gaps))


def problems(plan: Format, entries: int) -> tuple[Problem, ...]:
    """What will not work, or not as one may expect, when so many players take part."""
    return tuple(_problems(plan, entries))


def _problems(plan: Format, entries: int) -> Iterator[Problem]:
    if entries < 3:  # noqa: PLR2004 - nobody plays tarot by two
        yield _blocks("too_few_entries", entries=entries)
        return
    if entries % plan.team_size:
        yield _warns("teams_incomplete", entries=entries, size=plan.team_size)
    for number, stage in enumerate(plan.stages, start=1):
        here = plan.entries_in(number, entries)
        yield from _of_leftovers(plan, here)
        if stage.best is not None:
            yield from _of_the_best(stage, number, plan.entries_in(number - 1, entries))
        yield from _of_teams(plan, stage, number)
        yield from _of_the_movement(plan, stage, number, here)
        yield from _of_howell(stage, number, here)
        yield from _of_seeds(stage, number, here)
        yield from _of_drawing(stage, number, here)


def _of_leftovers(plan: Format, here: int) -> Iterator[Problem]:
    if here % 4 == 0 and here:
        return
    if plan.leftovers is Leftovers.SIT_OUT:
        yield _warns("sitting_out_not_homologable")
    elif plan.leftovers is not Leftovers.THREES or here == 5:  # noqa: PLR2004 - 5 make one table
        yield _warns("tables_of_five_not_homologable")


def _of_the_best(stage: StagePlan, number: int, before: int) -> Iterator[Problem]:
    best = stage.best or 0
    if best > before:
        yield _blocks("fewer_than_the_best", stage=number, best=best, entries=before)
    if best not in USUAL_FINALS:
        yield _warns("unusual_final", stage=number, best=best)


def _of_teams(plan: Format, stage: StagePlan, number: int) -> Iterator[Problem]:
    # OT p.15: random and best with best are forbidden; in the Howell grids all meet.
    if plan.team_size > 1 and set(stage.placements) != {Placement.FFT_MOVEMENT}:
        yield _blocks("teams_forbid_placement", stage=number)


def _of_the_movement(plan: Format, stage: StagePlan, number: int, here: int) -> Iterator[Problem]:
    by_round = stage.by_round
    if Placement.FFT_MOVEMENT not in by_round:
        return
    yield from _resumed(by_round, number)
    if plan.leftovers is not Leftovers.THREES and here % 4:
        yield _blocks("movement_without_fives", stage=number)
    if here < FEWEST_FOR_MOVEMENT:
        yield _blocks("movement_needs_five_tables", stage=number, entries=here)
        return
    first = 1 if plan.team_size == 1 else 2
    planned, tables = _movement_rounds(by_round), -(-here // 4)
    lasts = positions_it_lasts(tables, first=first)
    if planned > lasts:
        yield _blocks(
            "movement_too_short", stage=number, planned=planned, tables=tables, lasts=lasts
        )
    again = _threes_again(here, tables, min(planned, lasts)) if first == 1 else 0
    if again:
        yield _warns("threes_unavoidable", stage=number, count=again)


def _movement_rounds(by_round: tuple[Placement, ...]) -> int:
    """How many positions the movement has; the seeds of a final are its first."""
    seeded = by_round[:2] == (Placement.FINAL, Placement.FFT_MOVEMENT)
    return by_round.count(Placement.FFT_MOVEMENT) + seeded


def _resumed(by_round: tuple[Placement, ...], number: int) -> Iterator[Problem]:
    # OT p.12. Seeds of a final are starting places of a movement, not another placement.
    left = False
    for round_number, placement in enumerate(by_round, start=1):
        if placement is Placement.FFT_MOVEMENT and left:
            yield _blocks("movement_resumed", stage=number, round=round_number)
            return
        seeds = placement is Placement.FINAL and round_number == 1
        left = left or not (placement is Placement.FFT_MOVEMENT or seeds)


def _threes_again(here: int, tables: int, positions: int) -> int:
    norths = removed_norths(tables, 4 * tables - here, positions)
    empty = [Place(table, Seat.NORTH) for table in norths]
    return threes_again(tables, empty, range(1, positions + 1))


def _of_howell(stage: StagePlan, number: int, here: int) -> Iterator[Problem]:
    planned = stage.by_round.count(Placement.HOWELL)
    if not planned:
        return
    if here not in HOWELL_PLAYERS:
        yield _blocks("howell_wrong_number", stage=number, entries=here)
    elif planned > positions_of(here):
        lasts = positions_of(here)
        yield _blocks("howell_too_short", stage=number, planned=planned, entries=here, lasts=lasts)


def _of_seeds(stage: StagePlan, number: int, here: int) -> Iterator[Problem]:
    if Placement.FINAL in stage.by_round[1:]:
        yield _blocks("final_only_first", stage=number)
    if Placement.FINAL in stage.by_round and here % FULL_TABLE:
        yield _blocks("final_wrong_number", stage=number, entries=here)


def _of_drawing(stage: StagePlan, number: int, here: int) -> Iterator[Problem]:
    drawn = stage.by_round.count(Placement.DRAWN)
    # At tables of 4 everybody meets three others each round.
    if here % 4 == 0 and 3 * drawn > here - 1:
        yield _warns("meetings_unavoidable", stage=number, rounds=drawn, entries=here)
