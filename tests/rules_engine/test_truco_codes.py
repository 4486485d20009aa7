"""What truco's README promises: the codes of the refusals, and its examples."""

from __future__ import annotations

import re
from pathlib import Path

import rules_engine
from rules_engine import truco

README = (Path(rules_engine.__file__).parent / "truco" / "README.md").read_text("utf-8")
TRUCO = Path(rules_engine.__file__).parent / "truco"


def test_every_code_is_promised_and_every_promise_kept():
    promised = set(re.findall(r"`([a-z]+(?:_[a-z0-9]+)+)`", README.partition("## Refusals")[2]))
    files = [*sorted(TRUCO.glob("*.py")), TRUCO.parent / "house_rules.py"]
    source = "\n".join(path.read_text("utf-8") for path in files)
    used = set(re.findall(r'code="([a-z_0-9]+)"', source))
    used |= {"call_pending", "decision_pending", "round_not_noted"}  # from a table
    used |= {"vira_missing", "vira_not_played"}  # one or the other

    assert used == promised
    assert len(used) > 60


def test_the_example_of_the_notation_is_strict():
    example = README.partition("```\n[TRN")[2].partition("```")[0]

    assert truco.write(truco.read("[TRN" + example)) == "[TRN" + example


def test_the_example_in_python_runs():
    example = README.partition("```python\n")[2].partition("```")[0]
    names: dict[str, object] = {}

    exec(example, names)  # noqa: S102 - our own README

    assert truco.view(names["hand"], 1).deadline == 13
