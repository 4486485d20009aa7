"""The codes of the refusals are promised in the engine's README."""

from __future__ import annotations

import re
from pathlib import Path

import rules_engine

ENGINE = Path(rules_engine.__file__).parent
SCORING_LEVEL = (
    "house_rules",
    "reading",
    "jsonlines",
    "shell",
    "tarot/rulesets",
    "tarot/presets",
    "tarot/deals",
    "tarot/deal_checks",
    "tarot/scores",
    "tarot/vachette",
    "tarot/mouche",
)


def promised() -> set[str]:
    text = (ENGINE / "README.md").read_text(encoding="utf-8")
    return set(re.findall(r"`([a-z]+(?:_[a-z0-9]+)+)`", text.partition("## Refusals")[2]))


def test_every_code_of_the_scoring_level_is_promised():
    source = "\n".join((ENGINE / f"{name}.py").read_text("utf-8") for name in SCORING_LEVEL)
    used = set(re.findall(r'code="([a-z_0-9]+)"', source))

    assert used - promised() == set()
    assert promised() - used == set()
    assert len(used) > 50
