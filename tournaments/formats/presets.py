"""The formats that a director picks from."""

from __future__ import annotations

from collections.abc import Mapping

from rules_engine.errors import gettext_noop
from tournaments.formats.values import Format, StagePlan
from tournaments.placing import Placement


def _movement(rounds: int, *, deals: int | None = None, minutes: int | None = None) -> StagePlan:
    placements = (Placement.FFT_MOVEMENT,)
    return StagePlan(rounds=rounds, deals=deals, minutes=minutes, placements=placements)


def _with_final(name: str, best: int) -> Format:
    final = StagePlan(rounds=1, deals=4, best=best, placements=(Placement.FINAL,))
    return Format(name=name, stages=(_movement(5, deals=4), final))


#: What a director picks from, by a stable key; every field can be changed before the first draw.
PRESETS: Mapping[str, Format] = {
    "6x4": Format(name=gettext_noop("6 positions of 4 deals"), stages=(_movement(6, deals=4),)),
    "5x5": Format(name=gettext_noop("5 positions of 5 deals"), stages=(_movement(5, deals=5),)),
    "3x8": Format(name=gettext_noop("3 positions of 8 deals"), stages=(_movement(3, deals=8),)),
    "3x60min": Format(
        name=gettext_noop("3 rounds of 60 minutes"),
        stages=(StagePlan(rounds=3, minutes=60, breaks_after=(1, 2, 3)),),
    ),
    "5x4+12": _with_final(gettext_noop("5 positions of 4 deals, a sixth for the best 12"), 12),
    "5x4+16": _with_final(gettext_noop("5 positions of 4 deals, a sixth for the best 16"), 16),
    "5x4+20": _with_final(gettext_noop("5 positions of 4 deals, a sixth for the best 20"), 20),
    "5x5+5x1": Format(
        name=gettext_noop("25 deals, then 5 positions of one deal for the best 20"),
        stages=(
            _movement(5, deals=5),
            StagePlan(
                rounds=5,
                deals=1,
                best=20,
                # The seeds are the first position of a new movement.
                placements=(Placement.FINAL, *[Placement.FFT_MOVEMENT] * 4),
            ),
        ),
    ),
    "2 sessions": Format(
        name=gettext_noop("Two sessions of 5 positions of 4 deals"),
        stages=(
            StagePlan(rounds=5, deals=4, placements=(Placement.FFT_MOVEMENT,), breaks_after=(5,)),
            StagePlan(rounds=5, deals=4, placements=(Placement.BEST_WITH_BEST,)),
        ),
    ),
}
