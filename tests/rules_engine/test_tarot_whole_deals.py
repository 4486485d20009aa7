"""Every published whole deal, card by card: what was legal, who won, what it scored."""

from __future__ import annotations

import pytest

from rules_engine import tarot
from tests.rules_engine.tarot_tables import (
    CASES,
    aside_of,
    attack_of,
    contract_of,
    play_of,
)

each_case = pytest.mark.parametrize("case", CASES, ids=range(len(CASES)))
each_settled_case = pytest.mark.parametrize(
    "case", [case for case in CASES if case["ambiguous"] is None]
)


def play_through(case: dict, rules: tarot.Ruleset | None = None) -> tarot.Play:
    play = play_of(case, rules)
    for _, code, _ in case["plays"]:
        play.play(tarot.card_from(code))
    return play


@each_case
def test_every_legal_set_is_the_published_one(case):
    play = play_of(case)

    for seat, code, legal in case["plays"]:
        assert play.turn == seat
        assert {tarot.code_of(card) for card in play.legal} == set(legal)
        play.play(tarot.card_from(code))
    assert play.is_over
    assert play.legal == []


@each_case
def test_every_trick_goes_to_the_published_winner(case):
    assert play_through(case).winners == case["trick_winners"]


@each_case
def test_the_tricks_of_both_sides_are_counted(case):
    count = tarot.count_cards(play_through(case), aside=aside_of(case))

    won = {"attack": count.tricks, "defence": count.of_tricks - count.tricks}
    assert won == case["tricks_won"]


@each_settled_case
def test_points_bouts_petit_and_scores_are_the_published_ones(case):
    play = play_through(case)

    count = tarot.count_cards(play, aside=aside_of(case))
    deal = tarot.deal_of(
        count, ruleset=play.ruleset, contract=contract_of(case), attack=attack_of(case)
    )
    score = tarot.score_deal(deal)

    assert count.half_points / 2 == case["attack_points"]
    assert count.bouts == case["bouts"]
    assert count.petit_au_bout == case["petit_au_bout"]
    assert score.made == case["made"]
    assert list(score.by_seat(case["players"], *attack_of(case))) == case["scores"]


@each_case
def test_a_case_that_the_text_leaves_open_has_the_published_points_under_one_of_the_options(case):
    other = tarot.ruleset("fft").for_players(case["players"])
    other = tarot.Ruleset.from_json({**other.to_json(), "excuse_last_own_side": "nothing_back"})

    counts = [
        tarot.count_cards(play_through(case, rules), aside=aside_of(case))
        for rules in (None, other)
    ]

    assert case["attack_points"] in [count.half_points / 2 for count in counts]
    assert {count.bouts for count in counts} == {case["bouts"]}
