"""What a phone looks up about truco is what the engine says, at every score."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules_engine import truco
from rules_engine.truco import HandKind, Pair

PAULISTA = truco.ruleset("paulista")
RULESETS = {
    **truco.PRESETS,
    "to 15": PAULISTA.to(15),
    "to 24": truco.ruleset("mineiro").to(24),
    "no iron": replace(PAULISTA, iron="off"),
    "capped": replace(PAULISTA, cap_score=True),
    "forfeit": replace(PAULISTA, special_call="forfeit"),
}


def every_score(rules: truco.Ruleset) -> list[truco.Score]:
    return [(a, b) for a in range(rules.target) for b in range(rules.target)]


@pytest.mark.parametrize("rules", RULESETS.values(), ids=RULESETS)
def test_the_table_asks_at_every_score_what_the_engine_asks(rules):
    table = truco.asking_table(rules)
    scores = range(len(table["classes"]))

    looked_up = {
        (a, b): table["asks"][table["classes"][a] + table["classes"][b]]
        for a in scores
        for b in scores
    }

    assert looked_up == {score: truco.asked_at(rules, score) for score in looked_up}
    # No hand leads to a score that the table does not have.
    longest = max(max(truco.possible_points(rules, s, p)) for s in every_score(rules) for p in Pair)
    assert rules.target - 1 + longest < len(table["classes"]) or rules.special_call == "forfeit"


@pytest.mark.parametrize("rules", RULESETS.values(), ids=RULESETS)
def test_the_table_gives_at_every_score_what_the_engine_allows(rules):
    table = truco.asking_table(rules)
    for score in every_score(rules):
        gives = table["gives"][truco.asked_at(rules, score)]
        deciding = truco.deciding_pair(rules, score)
        for pair in Pair:
            letter = pair.name.lower()
            missing = {rules.target - score[pair]} if gives["to_target"] else set()
            allowed = set(truco.possible_points(rules, score, pair))
            assert set(gives["possible"][letter]) | missing == allowed
            assert {*gives["won"].values(), *gives["ran"].values()} <= allowed
            assert (gives["to"] == letter) == (deciding is pair.other)
        plain = truco.kind_at(rules, score) is HandKind.NORMAL
        assert list(gives["ran"].values()) == (list(rules.ladder[:-1]) if plain else [])


def test_a_game_that_is_very_long_has_no_table():
    assert truco.asking_table(PAULISTA.to(1000)) is None
