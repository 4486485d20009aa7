"""The rulesets that have a name: the federation's and the variants of the seeds."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from rules_engine.house_rules import named
from rules_engine.tarot.contracts import Contract
from rules_engine.tarot.rulesets import SEED_004_VALUES, Ruleset

#: The contracts with the pousse between petite and garde, at one and a half.
POUSSE_HALVES = (
    (Contract.PETITE, 2),
    (Contract.POUSSE, 3),
    (Contract.GARDE, 4),
    (Contract.GARDE_SANS, 8),
    (Contract.GARDE_CONTRE, 12),
)


def _variant(name: str, **changes: object) -> tuple[Ruleset, ...]:
    four = Ruleset(name=name, **changes)  # type: ignore[arg-type]
    return four, four.for_players(3), four.for_players(5)


def _presets() -> dict[str, Ruleset]:
    rulesets = [
        *_variant("fft"),
        # The bare formula of the federation, for sheets whose cards nobody can ask any more.
        *_variant("fft-formula", card_check="formula"),
        *_variant("pousse", multiplier_halves=POUSSE_HALVES),
        *_variant("fixed-values", multiplier_halves=POUSSE_HALVES, fixed_values=SEED_004_VALUES),
        *_variant("parole", bidding="parole"),
        *_variant("parole-garde", bidding="parole_garde"),
        *_variant("overbid", bidding="overbid"),
        *_variant("vachette", all_pass="vachette"),  # noqa: S106 - a pass in the bidding
        *_variant("misere", misere=10),
        *_variant("petit-chelem", petit_chelem=True),
        *_variant("mouche", mouche=True),
        *_variant("no-petit-au-bout", petit_au_bout=False),
        *_variant("half-points-ignored", half_points="ignored"),
        *_variant(
            "seed-000",
            dog_rule="after_each_round",
            discard_trumps="never",
            called_cards="king_or_queen",
            first_lead="free",
            slam_excuse_side="either",
            unannounced_slam_petit="next_to_last_trick",
        ),
        *_variant("seed-003", dog_rule="not_first_or_last_three", discard_trumps="never"),
        *_variant("seed-004", dog_rule="at_most_three"),
        # Everything that seed 004 names as played in some regions, at once.
        *_variant(
            "seed-004-regional",
            dog_rule="at_most_three",
            multiplier_halves=POUSSE_HALVES,
            fixed_values=SEED_004_VALUES,
            bidding="parole",
            misere=10,
            mouche=True,
        ),
        Ruleset(name="one-sits-out", one_sits_out=True),
    ]
    return {rules.name: rules for rules in rulesets}


#: The rulesets by name: the federation's (``fft``, ``fft-3``, ``fft-5``) and the variants of the
#: seeds; each variant also with "-3" and "-5".
PRESETS: Mapping[str, Ruleset] = MappingProxyType(_presets())


def ruleset(name: str) -> Ruleset:
    """Give a preset by its name; refuses unknown names."""
    return named(PRESETS, name)
