"""The formats that a tournament is planned from, in the reader's language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournaments import fixtures
from tournaments.models import Placement
from tournaments.models.events import stage_name


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """A format with its stages as the form of a stage starts with them."""

    code: str
    name: Any
    words: Any
    stages: tuple[Mapping[str, Any], ...]


def _stage(rounds: int, deals: int | None = None, **more: Any) -> dict[str, Any]:
    return {
        "rounds_planned": rounds,
        "deals_per_round": deals,
        "placement": Placement.FFT,
        "carried": "1",
        "session": 1,
    } | more


def _final(best: int) -> Preset:
    return Preset(
        code=f"5x4-final-{best}",
        name=_FINAL_NAMES[best],
        words=_("Everybody plays 5 positions of 4 deals, the best a sixth one; all points count."),
        stages=(
            _stage(5, 4),
            _stage(1, 4, placement=Placement.FINAL, qualifiers=best, name=_("Final")),
        ),
    )


_FINAL_NAMES = {
    12: _("5 × 4, then a final of 12"),
    16: _("5 × 4, then a final of 16"),
    20: _("5 × 4, then a final of 20"),
}

PRESETS: tuple[Preset, ...] = (
    Preset(
        code="6x4",
        name=_("6 × 4 deals"),
        words=_("24 deals in 6 positions, by the federation’s movement."),
        stages=(_stage(6, 4),),
    ),
    Preset(
        code="6x4-ranked",
        name=_("6 × 4 deals, the last position by the ranking"),
        words=_("5 positions by the federation’s movement, then the best play with the best."),
        stages=(_stage(6, 4, position_6=Placement.BEST_WITH_BEST),),
    ),
    Preset(
        code="5x5",
        name=_("5 × 5 deals"),
        words=_("25 deals in 5 positions, by the federation’s movement."),
        stages=(_stage(5, 5),),
    ),
    Preset(
        code="3x8",
        name=_("3 × 8 deals"),
        words=_("24 deals in 3 positions, by the federation’s movement."),
        stages=(_stage(3, 8),),
    ),
    Preset(
        code="3x60",
        name=_("3 séances of 60 minutes"),
        words=_("Three rounds by the clock, drawn each time; a round plays as many deals as fit."),
        stages=(_stage(3, minutes_per_round=60, placement=Placement.DRAWN),),
    ),
    _final(12),
    _final(16),
    _final(20),
    Preset(
        code="25-final-20",
        name=_("25 deals, then the best 20 play 5 single deals"),
        words=_("5 positions of 5 deals; the best 20 play 5 positions of one deal each."),
        stages=(
            _stage(5, 5),
            _stage(5, 1, placement=Placement.FINAL, qualifiers=20, name=_("Final")),
        ),
    ),
    Preset(
        code="two-sessions",
        name=_("Two sessions, half of the points carried over"),
        words=_("5 × 4 deals twice; for the second session the points so far are halved."),
        stages=(_stage(5, 4), _stage(5, 4, carried="1/2", session=2)),
    ),
    Preset(
        code="howell",
        name=_("12 or 16 players"),
        words=_("5 positions of 4 deals by the grids for 3 and 4 tables."),
        stages=(_stage(5, 4, placement=Placement.HOWELL),),
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FixturePreset:
    """A format of fixtures, with the name of each stage as it is stored, and its settings."""

    code: str
    name: str
    stages: tuple[tuple[str, fixtures.StageSettings], ...]
    entrants: int | None

    @property
    def words(self) -> str:
        """Say for how many it was written, and what its stages are."""
        said = ", ".join(stage_name(name) for name, _settings in self.stages)
        if self.entrants is None:
            return said
        return gettext("%(stages)s. Written for %(count)s; others may play by it.") % {
            "stages": said,
            "count": self.entrants,
        }


def fixture_presets() -> list[FixturePreset]:
    """All formats of fixtures, in the reader's language."""
    return [_in_words(code, preset) for code, preset in fixtures.PRESETS.items()]


def fixture_preset_named(code: str) -> FixturePreset | None:
    """The format of fixtures of this code, if there is one."""
    preset = fixtures.PRESETS.get(code)
    return _in_words(code, preset) if preset is not None else None


def _in_words(code: str, preset: fixtures.Preset) -> FixturePreset:
    kinds = [settings.kind for settings in preset.stages]
    return FixturePreset(
        code=code,
        name=gettext(preset.name),
        stages=tuple(
            (_stage_name(kinds, number), settings) for number, settings in enumerate(preset.stages)
        ),
        entrants=preset.entrants,
    )


def _stage_name(kinds: Sequence[fixtures.StageKind], number: int) -> str:
    same = kinds[: number + 1].count(kinds[number])
    return f":{kinds[number]}" + (f" {same}" if kinds.count(kinds[number]) > 1 else "")


def choices() -> tuple[Preset, ...]:
    """All formats, in the order in which they are offered."""
    return PRESETS


def preset_named(code: str) -> Preset | None:
    """The format of this code, if there is one."""
    return next((preset for preset in PRESETS if preset.code == code), None)


def stages_of(preset: Preset) -> list[dict[str, Any]]:
    """What the forms of its stages start with."""
    return [dict(stage) for stage in preset.stages]
