"""The table from which a page adds up scores: looking up and adding must be enough."""

from __future__ import annotations

import json
from random import Random

import pytest

from rules_engine import tarot
from tests.rules_engine.legal_deals import RULESETS, any_deal

TABLES = {rules.name: json.loads(json.dumps(tarot.scoring_table(rules))) for rules in RULESETS}


def added_up(table: dict, told: dict) -> list[int]:
    """Add up a deal as a page does: it looks up, it adds, it knows no rule."""
    at = int(2 * told["taker_card_points"]) - table["needed"][told["bouts"]] + table["offset"]
    result = "made" if at >= table["offset"] else "lost"
    contract = table["contracts"][told["contract"]]

    unit = contract["units"][at]
    if contract["petit_au_bout"]:
        unit += contract["petit_au_bout"][told["petit_au_bout"] or "none"]
    for poignee in told["poignees"]:
        unit += table["poignees"][result][poignee["size"]]
    for name in ("chelem", "petit_chelem"):
        if table[name] and name in told:
            way = "announced" if told[name]["announced"] else "unannounced"
            unit += table[name][way][told[name]["achieved"] or "none"]

    shares = table["shares"][told["called"] or "none"]
    roles = ["taker"] + ["partner"] * ("partner" in shares)
    roles += ["defender"] * (table["players"] - len(roles))
    scores = [unit * shares[role] for role in roles]
    for misere in told.get("miseres", []):
        for place in range(len(scores)):
            whose = "declarer" if place == misere["declarer"] else "others"
            scores[place] += table["misere"][whose]
    return scores


def test_adding_up_gives_the_score_of_5000_deals():
    chance = Random(78)

    for _ in range(5_000):
        deal = any_deal(chance)
        score = tarot.score_deal(deal)
        table = TABLES[deal.ruleset.name]

        assert added_up(table, deal.to_json()) == list(score.scores), deal
        at = deal.half_points - table["needed"][deal.bouts] + table["offset"]
        assert table["margins"][at] == score.margin


@pytest.mark.parametrize("rules", RULESETS, ids=lambda rules: rules.name)
def test_every_contract_and_every_number_of_points_is_in_the_table(rules):
    table = TABLES[rules.name]

    for contract in rules.contracts:
        for bouts in range(4):
            for half_points in range(
                table["fewest"][bouts], table["most"][bouts] + 1, table["step"]
            ):
                outcome = rules.tariff[contract][bouts][half_points]
                at = half_points - table["needed"][bouts] + table["offset"]
                assert table["contracts"][contract]["units"][at] == outcome.unit


def test_what_is_not_played_is_not_in_the_table():
    assert TABLES["fft"]["petit_chelem"] is None
    assert TABLES["fft"]["misere"] is None
    assert TABLES["no-petit-au-bout"]["contracts"]["garde"]["petit_au_bout"] is None
    assert "pousse" not in TABLES["fft"]["contracts"]


def test_the_table_of_the_federation_in_the_rule_books_numbers():
    table = TABLES["fft"]

    assert table["needed"] == [112, 102, 82, 72]
    assert table["contracts"]["garde"]["petit_au_bout"] == {
        "none": 0,
        "attack": 20,
        "defence": -20,
    }
    assert table["poignees"]["made"] == {"simple": 20, "double": 30, "triple": 40}
    assert table["chelem"] == {
        "announced": {"none": -200, "attack": 400, "defence": -400},
        "unannounced": {"none": 0, "attack": 200, "defence": -200},
    }
    assert table["shares"] == {"none": {"taker": 3, "defender": -1}}
    assert table["step"] == 2
    assert TABLES["fft-5"]["shares"] == {
        "partner": {"taker": 2, "partner": 1, "defender": -1},
        "self": {"taker": 4, "defender": -1},
    }
