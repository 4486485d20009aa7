"""The 112 collected hands, and random hands played by a second, naive implementation."""

from __future__ import annotations

import io
import json
import os
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from rules_engine import shell, truco
from tests.rules_engine import truco_naive

CASES = json.loads((Path(__file__).parent / "cases" / "truco-hands.json").read_text())["hands"]
#: TRUCO_HANDS=20000 plays the full run.
RANDOM_HANDS = int(os.environ.get("TRUCO_HANDS", "2000"))


def test_there_are_112_hands():
    assert len(CASES) == 112


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_every_collected_hand_ends_as_it_is_told(case):
    expected = {"refused": None} | case["expected"]

    assert truco.play_again(case, default=truco.ruleset("paulista")) == expected
    assert truco_naive.play_again(case) == expected


def test_the_shell_plays_a_file_of_hands_in_order():
    lines = b"\n".join(json.dumps(case).encode() for case in CASES)
    out = io.BytesIO()

    assert shell.run(shell.COMMANDS["truco-play"], io.BytesIO(lines), out)
    answers = [json.loads(line) for line in out.getvalue().splitlines()]
    assert answers == [{"refused": None} | case["expected"] for case in CASES]


def test_a_naive_second_implementation_agrees_on_random_hands():
    chance, seen = Random(12), Counter()
    for _ in range(RANDOM_HANDS):
        hand = truco_naive.random_hand(chance)
        expected = truco_naive.play_again(hand)

        assert truco.play_again(hand, default=truco.ruleset("paulista")) == expected, hand
        seen[str(expected["hand_winner"]), expected["points"]] += 1

    # Whoever compares must have met something to compare.
    assert {points for (_, points) in seen} == {0, 1, 3, 6, 9, 12}
    assert min(seen["A", 1], seen["B", 3], seen["tie", 0], seen["None", 0]) >= RANDOM_HANDS // 1000
