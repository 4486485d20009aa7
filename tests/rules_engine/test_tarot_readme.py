"""What the card level's README promises: its example runs, and its codes are the codes."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import rules_engine

TAROT = Path(rules_engine.__file__).parent / "tarot"
README = (TAROT / "README.md").read_text(encoding="utf-8")
MODULES = (
    "bidding",
    "cards",
    "dealing",
    "dog",
    "notation",
    "notation_json",
    "notation_reader",
    "play",
    "poignees",
    "record_checks",
    "record_json",
    "../commands/tarot_play",
)
CODE = re.compile(r"[a-z]+(?:_[a-z0-9]+)+")


def test_the_example_deals_plays_and_scores_a_deal(capsys):
    example = re.search(r"```python\n(.*?)```", README, re.DOTALL)[1]

    exec(compile(example, "README.md", "exec"), {})  # noqa: S102  our own example

    scores = ast.literal_eval(capsys.readouterr().out)
    assert len(scores) == 4
    assert sum(scores) == 0


def codes_of(module: str) -> set[str]:
    """The codes that a module refuses with: given by name, or first in its own helpers."""
    tree = ast.parse((TAROT / f"{module}.py").read_text(encoding="utf-8"))
    codes = set()
    for call in ast.walk(tree):
        if isinstance(call, ast.Call):
            name = getattr(call.func, "id", getattr(call.func, "attr", ""))
            given = [word.value for word in call.keywords if word.arg == "code"]
            given += call.args[:1] if name in {"_refuse", "_unreadable"} else []
            codes |= {each.value for each in given if isinstance(each, ast.Constant)}
    return codes


def test_every_code_of_the_card_level_is_promised():
    promised = set(CODE.findall(README.partition("## Refusals of this level")[2]))
    duties = {
        f"must_{duty}" for duty in ("follow", "trump", "overtrump", "undertrump", "first_lead")
    }
    used = set().union(*map(codes_of, MODULES)) | duties | {"card_not_held", "deal_is_over"}

    assert used - promised == set()
    assert promised - used == set()
    assert len(used) > 70
