"""What the README shows is true."""

from __future__ import annotations

import re
from pathlib import Path

README = (Path(__file__).parents[2] / "README.md").read_text()


def test_the_ten_lines_deal_play_and_score_a_deal(capsys):
    (example,) = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)

    exec(compile(example, "README.md", "exec"), {})  # noqa: S102 - it is our own page

    scores = [int(points) for points in re.findall(r"-?\d+", capsys.readouterr().out)]
    assert len(scores) == 4
    assert sum(scores) == 0
    assert scores[0] != 0


def test_the_commands_it_names_exist():
    makefile = (Path(__file__).parents[2] / "Makefile").read_text()

    for command in set(re.findall(r"(?:^|`)make ([a-z-]+)", README, flags=re.MULTILINE)):
        assert re.search(rf"^{command}:", makefile, flags=re.MULTILINE), command


def test_the_files_it_leads_to_exist():
    for address in re.findall(r"\]\(([^)#]+)\)", README):
        assert (Path(__file__).parents[2] / address).exists(), address
