"""The rulesets that have a name: the seed's truco paulista and the variants it names."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from rules_engine.house_rules import named
from rules_engine.truco.rulesets import Ruleset


def _variant(name: str, **changes: object) -> tuple[Ruleset, ...]:
    four = Ruleset(name=name, **changes)  # type: ignore[arg-type]
    return four, four.for_players(2), four.for_players(6)


def _presets() -> dict[str, Ruleset]:
    rulesets = [
        *_variant("paulista"),
        # Tables name the steps of this ladder differently, and some play 1 3 6 9 12.
        *_variant(
            "mineiro",
            manilha="fixed",
            ladder=(2, 4, 6, 10, 12),
            call_names=("truco", "seis", "dez", "doze"),
            special_at=10,
            special_play=4,
            special_decline=2,
        ),
        *_variant("paulista-manilha-velha", manilha="fixed"),
        *_variant("paulista-aberto", reply_shows_partner=True),
    ]
    return {rules.name: rules for rules in rulesets}


#: The rulesets by name; each also with "-1v1" and "-3v3".
PRESETS: Mapping[str, Ruleset] = MappingProxyType(_presets())
#: Names by which records know a preset, too.
OTHER_NAMES = {"paulista-barajamos": "paulista"}


def ruleset(name: str) -> Ruleset:
    """Give a preset by its name; refuses unknown names."""
    return named(PRESETS, OTHER_NAMES.get(name, name))
