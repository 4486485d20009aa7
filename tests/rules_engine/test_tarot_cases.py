"""The 85 collected scoring cases, each by its number."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rules_engine import tarot
from rules_engine.errors import Illegal

CASES = json.loads((Path(__file__).parent / "cases" / "tarot-scores.json").read_text())["vectors"]
REMARKS = ("id", "scores", "source", "note")

#: Cases that other programs' tests made up: the formula gives them scores, 78 cards never do.
NO_CARDS_GIVE = {
    45: "half_point_at_four",
    57: "petit_without_a_bout",
    68: "petit_without_a_bout",
    74: "poignees_over_22_cards",
    108: "half_point_at_four",
    109: "half_point_at_four",
    111: "half_point_at_four",
    114: "petit_and_three_bouts",
}


def row_of(case: dict) -> dict:
    return {name: value for name, value in case.items() if name not in REMARKS}


def test_there_are_85_cases():
    assert len(CASES) == 85


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"case {case['id']}")
def test_the_formula_of_the_federation_gives_every_case(case):
    deal = tarot.Deal.from_json(row_of(case), default=tarot.ruleset("fft-formula"))

    assert list(tarot.score_deal(deal).scores) == case["scores"]


@pytest.mark.parametrize(
    "case",
    [case for case in CASES if case["id"] not in NO_CARDS_GIVE],
    ids=lambda case: f"case {case['id']}",
)
def test_a_case_that_cards_can_give_is_scored_under_the_strict_rules(case):
    deal = tarot.Deal.from_json(row_of(case))

    assert list(tarot.score_deal(deal).scores) == case["scores"]


@pytest.mark.parametrize(
    "case",
    [case for case in CASES if case["id"] in NO_CARDS_GIVE],
    ids=lambda case: f"case {case['id']}",
)
def test_a_case_that_no_cards_give_is_refused_under_the_strict_rules(case):
    with pytest.raises(Illegal) as refused:
        tarot.Deal.from_json(row_of(case))

    assert refused.value.code == NO_CARDS_GIVE[case["id"]]
