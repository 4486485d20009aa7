"""The mouche and the vachette, house games beside the score sheet."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules_engine import tarot
from rules_engine.errors import Illegal, Unreadable
from rules_engine.tarot import Contract
from rules_engine.tarot.mouche import Pot

MOUCHE = tarot.ruleset("mouche")
VACHETTE = tarot.ruleset("vachette")


# Mouche (seed 004)


def test_when_nobody_takes_the_dealers_ante_stays_and_it_starts_again():
    first = Pot().nobody_takes(ruleset=MOUCHE, dealer=0)
    second = first.pot.nobody_takes(ruleset=MOUCHE, dealer=1)

    assert first.payments == (-5, 0, 0, 0)
    assert second.payments == (0, -5, 0, 0)
    assert second.pot == Pot(points=10)


def test_a_taker_who_makes_his_contract_takes_the_pot():
    step = Pot(points=10).taken(
        ruleset=MOUCHE, dealer=0, taker=2, contract=Contract.GARDE, made=True
    )

    assert step.payments == (-45, -40, 135, -40)
    assert step.pot == Pot()


def test_a_taker_who_fails_doubles_the_pot():
    step = Pot(points=10).taken(
        ruleset=MOUCHE, dealer=0, taker=2, contract=Contract.GARDE, made=False
    )

    assert step.payments == (-45, -40, -135, -40)
    assert step.pot == Pot(points=270)


def test_a_taker_who_deals_antes_too():
    step = Pot().taken(ruleset=MOUCHE, dealer=1, taker=1, contract=Contract.PETITE, made=True)

    assert step.payments == (-10, 30, -10, -10)


@given(st.randoms(use_true_random=False))
def test_what_leaves_the_players_is_in_the_pot(chance: Random):
    rules = tarot.ruleset(chance.choice(["mouche", "mouche-3", "mouche-5", "seed-004-regional"]))
    pot, paid = Pot(), 0

    for _ in range(20):
        dealer, taker = chance.randrange(rules.players), chance.randrange(rules.players)
        contract, made = chance.choice(rules.contracts), chance.random() < 0.6
        if chance.random() < 0.2:
            step = pot.nobody_takes(ruleset=rules, dealer=dealer)
        else:
            step = pot.taken(
                ruleset=rules, dealer=dealer, taker=taker, contract=contract, made=made
            )
        pot, paid = step.pot, paid + sum(step.payments)

        assert pot.points == -paid


def test_a_pot_survives_being_written_and_read():
    assert Pot.from_json(Pot(points=35).to_json()) == Pot(points=35)
    with pytest.raises(Unreadable):
        Pot.from_json({"points": 1, "of": "A"})


def test_a_pot_below_nothing_is_refused():
    with pytest.raises(Illegal, match="no less than nothing"):
        Pot(points=-1)


@pytest.mark.parametrize(
    ("ruleset", "dealer", "taker", "contract", "code"),
    [
        ("fft", 0, 1, Contract.GARDE, "mouche_not_played"),
        ("mouche", 4, 1, Contract.GARDE, "seat_not_there"),
        ("mouche", 0, -1, Contract.GARDE, "seat_not_there"),
        ("mouche", 0, 1, Contract.POUSSE, "contract_not_played"),
    ],
)
def test_a_mouche_that_cannot_be_is_refused(ruleset, dealer, taker, contract, code):
    with pytest.raises(Illegal) as refused:
        Pot().taken(
            ruleset=tarot.ruleset(ruleset),
            dealer=dealer,
            taker=taker,
            contract=contract,
            made=True,
        )

    assert refused.value.code == code


# Vachette


@pytest.mark.parametrize(
    ("half_points", "scores", "places"),
    [
        ((10, 40, 60, 20), (120, -60, -120, 60), (1, 3, 4, 2)),
        ((10, 10, 60, 20), (90, 90, -120, -60), (1, 1, 4, 3)),
        ((20, 20, 20, 0), (-40, -40, -40, 120), (2, 2, 2, 1)),
        ((40, 40, 40, 40), (0, 0, 0, 0), (1, 1, 1, 1)),
    ],
)
def test_the_fewest_card_points_win_and_ties_share_their_places(half_points, scores, places):
    result = tarot.score_vachette(ruleset=VACHETTE, half_points=half_points)

    assert (result.scores, result.places) == (scores, places)


@given(
    st.sampled_from([3, 4, 5]).flatmap(
        lambda n: st.lists(st.integers(0, 36), min_size=n, max_size=n)
    )
)
def test_a_vachette_sums_to_zero(half_points: list[int]):
    rules = VACHETTE.for_players(len(half_points))

    assert sum(tarot.score_vachette(ruleset=rules, half_points=half_points).scores) == 0


@pytest.mark.parametrize(
    ("ruleset", "half_points", "code"),
    [
        ("fft", (1, 2, 3, 4), "vachette_not_played"),
        ("vachette", (1, 2, 3), "vachette_players"),
        ("vachette", (1, 2, 3, -1), "vachette_points"),
        ("vachette", (1, 2, 3, 4.0), "vachette_points"),
        ("vachette", (100, 80, 3, 0), "vachette_points"),
    ],
)
def test_a_vachette_that_cannot_be_is_refused(ruleset, half_points, code):
    with pytest.raises(Illegal) as refused:
        tarot.score_vachette(ruleset=tarot.ruleset(ruleset), half_points=half_points)

    assert refused.value.code == code
