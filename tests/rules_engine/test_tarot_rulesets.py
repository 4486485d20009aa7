"""Rulesets as data: presets, house rules, copies that an event keeps."""

from __future__ import annotations

import json
import pickle

import pytest

from rules_engine import tarot
from rules_engine.errors import Illegal, RulesError, Unreadable
from rules_engine.tarot import Contract, Ruleset
from rules_engine.tarot.contracts import Contract as Bid
from rules_engine.tarot.rulesets import FIELDS, WAYS

FFT = tarot.ruleset("fft")


@pytest.mark.parametrize("name", tarot.PRESETS)
def test_an_event_reads_its_copy_of_a_ruleset_back_unchanged(name):
    preset = tarot.ruleset(name)

    copied = Ruleset.from_json(json.loads(json.dumps(preset.to_json())))

    assert copied == preset
    assert copied.name == name
    assert copied.tariff is preset.tariff


@pytest.mark.parametrize("name", [name for name in tarot.PRESETS if name != "one-sits-out"])
def test_every_preset_is_there_for_three_four_and_five(name):
    rules = tarot.ruleset(name)

    assert [rules.for_players(size).players for size in (3, 4, 5)] == [3, 4, 5]
    assert rules.for_players(rules.players) is rules
    assert all(tarot.PRESETS[rules.for_players(size).name] for size in (3, 4, 5))
    assert rules.for_players(3).for_players(5).for_players(4) == rules.for_players(4)


def test_a_table_of_five_with_one_sitting_out_plays_fours():
    rules = tarot.ruleset("one-sits-out")

    assert (rules.players, rules.seats) == (4, 5)
    assert rules.for_players(5).seats == 5
    assert not rules.for_players(5).one_sits_out


def test_the_federation_has_four_contracts_and_the_pousse_is_a_house_rule():
    assert FFT.contracts == (
        Contract.PETITE,
        Contract.GARDE,
        Contract.GARDE_SANS,
        Contract.GARDE_CONTRE,
    )
    assert tarot.ruleset("pousse").contracts == tuple(Contract)


@pytest.mark.parametrize(
    ("players", "trumps"), [(3, (13, 15, 18)), (4, (10, 13, 15)), (5, (8, 10, 13))]
)
def test_a_poignee_needs_its_trumps_by_the_number_of_players(players, trumps):
    assert FFT.for_players(players).trumps_in_poignee == trumps


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"name": ""}, "name"),
        ({"name": "x" * 61}, "name"),
        ({"version": 0}, "version"),
        ({"players": 2}, "players"),
        ({"players": 3, "one_sits_out": True}, "one_sits_out"),
        *[({name: "otherwise"}, name) for name in WAYS],
        ({"multiplier_halves": ()}, "multiplier_halves"),
        ({"multiplier_halves": ((Bid.GARDE, 4), (Bid.PETITE, 2))}, "multiplier_halves"),
        ({"multiplier_halves": ((Bid.GARDE, 0),)}, "multiplier_halves"),
        ({"fixed_values": ((Bid.GARDE, 40),)}, "fixed_values"),
        ({"fixed_values": ((Bid.GARDE, 10_001),)}, "fixed_values"),
        ({"mouche": True, "mouche_values": ((Bid.GARDE, 40),)}, "mouche_values"),
        ({"misere": -1}, "misere"),
        ({"mouche_ante": 10_001}, "mouche_ante"),
        ({"petit_chelem_points": (1, 2)}, "petit_chelem_points"),
        ({"petit_chelem_points": (1, 2, -3)}, "petit_chelem_points"),
        ({"poignee_sizes": ((4, (10, 13, 15)),)}, "poignee_sizes"),
        (
            {"poignee_sizes": ((3, (13, 15, 23)), (4, (10, 13, 15)), (5, (8, 10, 13)))},
            "poignee_sizes",
        ),
        (
            {"poignee_sizes": ((3, (13, 15)), (4, (10, 13, 15)), (5, (8, 10, 13)))},
            "poignee_sizes",
        ),
        ({"vachette_scale": ()}, "vachette_scale"),
        (
            {"vachette_scale": ((3, (10, 0, -5)), (4, (1, 1, -1, -1)), (5, (0, 0, 0, 0, 0)))},
            "vachette_scale",
        ),
        (
            {"vachette_scale": ((3, (10, -10)), (4, (1, 1, -1, -1)), (5, (0, 0, 0, 0, 0)))},
            "vachette_scale",
        ),
        (
            # Two who tie for the first place would get half a point.
            {"vachette_scale": ((3, (3, 0, -3)), (4, (1, 1, -1, -1)), (5, (0, 0, 0, 0, 0)))},
            "vachette_scale",
        ),
    ],
)
def test_rules_that_no_table_can_play_are_refused_at_their_field(changes, field):
    with pytest.raises(Illegal) as refused:
        Ruleset(**changes)

    assert refused.value.field == field


def test_an_unknown_preset_is_refused_by_name():
    with pytest.raises(Unreadable, match="There is no ruleset “belote”"):
        tarot.ruleset("belote")


def test_tarot_is_not_played_by_two():
    with pytest.raises(Illegal, match="played by 3, 4 or 5, not by 2"):
        FFT.for_players(2)


@pytest.mark.parametrize(
    ("changes", "code", "field"),
    [
        ({"joker": True}, "unknown_field", "joker"),
        ({"name": 3}, "not_a_text", "name"),
        ({"name": None}, "not_a_text", "name"),
        ({"players": "4"}, "not_a_whole_number", "players"),
        ({"mouche": 1}, "not_true_or_false", "mouche"),
        ({"misere": True}, "not_a_whole_number", "misere"),
        ({"bidding": "auction"}, "impossible_rule", "bidding"),
        ({"petit_chelem_points": "200"}, "not_whole_numbers", "petit_chelem_points"),
        ({"petit_chelem_points": [200, 100, 0.5]}, "not_whole_numbers", "petit_chelem_points"),
        ({"poignee_sizes": []}, "not_an_object", "poignee_sizes"),
        ({"poignee_sizes": {"4": [10, 13, 15]}}, "missing_field", "poignee_sizes.3"),
        ({"multiplier_halves": {"garde": "2"}}, "not_a_whole_number", "multiplier_halves.garde"),
        ({"multiplier_halves": {"misere": 2}}, "unknown_field", "multiplier_halves.misere"),
    ],
)
def test_a_copy_with_unknown_or_wrong_fields_is_refused(changes, code, field):
    with pytest.raises(RulesError) as refused:
        Ruleset.from_json(FFT.to_json() | changes)

    assert (refused.value.code, refused.value.field) == (code, field)


def test_a_copy_from_before_a_rule_existed_takes_its_default():
    old = {name: FFT.to_json()[name] for name in ("name", "version", "players")}

    assert Ruleset.from_json(old) == FFT


@pytest.mark.parametrize("name", ["name", "version", "players"])
def test_a_copy_always_says_its_name_version_and_players(name):
    data = FFT.to_json()
    del data[name]

    with pytest.raises(Unreadable, match=f"The field “{name}” is missing"):
        Ruleset.from_json(data)


def test_what_is_stored_is_every_rule_and_nothing_else():
    assert set(FFT.to_json()) == set(FIELDS)
    assert "tariff" not in FFT.to_json()


def test_a_ruleset_travels_between_processes_and_shares_its_tariff():
    arrived = pickle.loads(pickle.dumps(FFT))  # noqa: S301

    assert arrived == FFT
    assert arrived.tariff is FFT.tariff


def test_the_words_of_the_game_have_names_for_people():
    assert [contract.word for contract in Contract] == [
        "petite",
        "pousse",
        "garde",
        "garde sans",
        "garde contre",
    ]
    assert [side.word for side in tarot.Side] == ["attack", "defence"]
    assert tarot.PoigneeSize.SIMPLE.word == "simple poignée"
    assert tarot.MisereKind.TRUMPS.word == "misère of trumps"


def test_the_other_side_of_the_attack_is_the_defence():
    assert tarot.Side.ATTACK.other is tarot.Side.DEFENCE
    assert tarot.Side.DEFENCE.other is tarot.Side.ATTACK


def test_only_up_to_the_garde_does_the_taker_see_the_dog():
    assert [contract.takes_dog for contract in Contract] == [True, True, True, False, False]
