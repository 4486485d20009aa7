"""What a deal of tarot cannot be: each refusal names its rule."""

from __future__ import annotations

import copy
import pickle

import pytest

from rules_engine import tarot
from rules_engine.errors import Illegal, RulesError, Unreadable
from rules_engine.tarot import Called, Chelem, Contract, Misere, MisereKind, Poignee, Side
from rules_engine.tarot import PoigneeSize as Size
from rules_engine.tarot.tariff import attack_slam_bounds, defence_slam_most

ATTACK, DEFENCE = Side.ATTACK, Side.DEFENCE
SLAM = Chelem(achieved=ATTACK)
LOST_ALL = Chelem(achieved=DEFENCE)


def refusal_of(
    *,
    ruleset: str = "fft",
    contract: Contract = Contract.GARDE,
    bouts: int = 2,
    points: float = 45,
    **told: object,
) -> Illegal:
    with pytest.raises(Illegal) as refused:
        tarot.Deal(
            ruleset=tarot.ruleset(ruleset),
            contract=contract,
            bouts=bouts,
            half_points=told.pop("half_points", int(2 * points)),
            **told,
        )
    return refused.value


def showing(*handfuls: tuple[Size, Side]) -> tuple[Poignee, ...]:
    return tuple(Poignee(size=size, side=side) for size, side in handfuls)


def misere(declarer: int) -> Misere:
    return Misere(kind=MisereKind.TRUMPS, declarer=declarer)


@pytest.mark.parametrize(
    ("told", "code", "field", "rule"),
    [
        # contract, bouts, points
        (
            {"contract": Contract.POUSSE},
            "contract_not_played",
            "contract",
            "The contract “pousse” is not played under these rules.",
        ),
        ({"bouts": 4}, "bouts_out_of_range", "bouts", "There are three bouts"),
        ({"bouts": -1}, "bouts_out_of_range", "bouts", "There are three bouts"),
        ({"half_points": 90.0}, "half_points_not_whole", "half_points", "whole numbers of half"),
        ({"half_points": True}, "half_points_not_whole", "half_points", "whole numbers of half"),
        ({"points": -1}, "points_outside_the_pack", "half_points", "holds 91 points"),
        ({"points": 92}, "points_outside_the_pack", "half_points", "holds 91 points"),
        ({"bouts": 1, "points": 3}, "points_below_the_bouts", "half_points", "at least 4 points"),
        ({"bouts": 2, "points": 8}, "points_below_the_bouts", "half_points", "at least 9 points"),
        ({"bouts": 3, "points": 13}, "points_below_the_bouts", "half_points", "at least 14 points"),
        ({"bouts": 0, "points": 78}, "points_above_the_bouts", "half_points", "at most 77 points"),
        ({"bouts": 1, "points": 83}, "points_above_the_bouts", "half_points", "at most 82 points"),
        ({"bouts": 2, "points": 88}, "points_above_the_bouts", "half_points", "at most 87 points"),
        (
            {"bouts": 0, "points": 78, "ruleset": "fft-3"},
            "points_above_the_bouts",
            "half_points",
            "at most 77½ points",
        ),
        ({"points": 40.5}, "half_point_at_four", "half_points", "Count again: 40½."),
        # the called card
        ({"ruleset": "fft-5"}, "called_missing", "called", "At five players the taker calls"),
        ({"called": Called.PARTNER}, "called_only_at_five", "called", "Only at five players"),
        (
            {"called": Called.SELF, "ruleset": "fft-3"},
            "called_only_at_five",
            "called",
            "Only at five players",
        ),
        # petit au bout
        (
            {"petit_au_bout": ATTACK, "ruleset": "no-petit-au-bout"},
            "petit_au_bout_not_played",
            "petit_au_bout",
            "not played under these rules",
        ),
        (
            {"petit_au_bout": ATTACK, "bouts": 0},
            "petit_without_a_bout",
            "petit_au_bout",
            "the attack has at least one bout",
        ),
        (
            {"petit_au_bout": DEFENCE, "bouts": 3},
            "petit_and_three_bouts",
            "petit_au_bout",
            "cannot have all three bouts",
        ),
        # poignées
        (
            {"poignees": showing((Size.SIMPLE, ATTACK), (Size.DOUBLE, DEFENCE))},
            "poignees_over_22_cards",
            "poignees",
            "These poignées would be 23 cards: there are 21 trumps and the Excuse.",
        ),
        (
            {"poignees": showing((Size.SIMPLE, ATTACK)) * 2, "ruleset": "fft-3"},
            "poignees_over_22_cards",
            "poignees",
            "26 cards",
        ),
        (
            {"poignees": showing((Size.SIMPLE, ATTACK)) * 2},
            "two_poignees_of_one_player",
            "poignees",
            "A player shows one poignée",
        ),
        (
            {
                "poignees": showing((Size.SIMPLE, ATTACK)) * 2,
                "ruleset": "fft-5",
                "called": Called.SELF,
            },
            "two_poignees_of_one_player",
            "poignees",
            "A player shows one poignée",
        ),
        # chelem
        (
            {"chelem": SLAM, "bouts": 3, "points": 90},
            "chelem_points",
            "half_points",
            "With all the tricks the attack has 91 points and three bouts",
        ),
        ({"chelem": SLAM, "bouts": 1, "points": 82}, "chelem_points", "half_points", "91 points"),
        (
            {"chelem": SLAM, "bouts": 3, "points": 91, "contract": Contract.GARDE_CONTRE},
            "chelem_points",
            "half_points",
            "everything but the dog",
        ),
        (
            {"chelem": LOST_ALL, "bouts": 0, "points": 20},
            "defence_chelem_points",
            "half_points",
            "at most 19 points, so that its contract is lost",
        ),
        (
            {"chelem": LOST_ALL, "bouts": 2, "points": 19},
            "defence_chelem_bouts",
            "bouts",
            "it cannot hold 2 of the three bouts",
        ),
        (
            {"chelem": LOST_ALL, "bouts": 3, "points": 36, "contract": Contract.GARDE_SANS},
            "defence_chelem_points",
            "half_points",
            "at most 31 points",
        ),
        (
            {"bouts": 3, "points": 91},
            "chelem_not_marked",
            "chelem",
            "With 91 points and 3 of the three bouts the attack won every trick: that is a chelem.",
        ),
        ({"bouts": 2, "points": 87}, "chelem_not_marked", "chelem", "that is a chelem"),
        (
            {"chelem": SLAM, "bouts": 2, "points": 87, "petit_au_bout": DEFENCE},
            "petit_against_the_chelem",
            "petit_au_bout",
            "also wins the last trick",
        ),
        (
            {"chelem": LOST_ALL, "bouts": 1, "points": 10, "petit_au_bout": ATTACK},
            "petit_against_the_chelem",
            "petit_au_bout",
            "also wins the last trick",
        ),
        # petit chelem
        (
            {"petit_chelem": SLAM},
            "petit_chelem_not_played",
            "petit_chelem",
            "The petit chelem is not played under these rules.",
        ),
        (
            {
                "petit_chelem": Chelem(announced=True),
                "chelem": Chelem(announced=True),
                "ruleset": "petit-chelem",
            },
            "two_chelems_announced",
            "petit_chelem",
            "not both",
        ),
        (
            {
                "petit_chelem": SLAM,
                "chelem": SLAM,
                "bouts": 3,
                "points": 91,
                "ruleset": "petit-chelem",
            },
            "two_chelems_achieved",
            "petit_chelem",
            "a deal ends in one chelem",
        ),
        # misère
        ({"miseres": (misere(0),)}, "misere_not_played", "miseres", "Misères are not played"),
        (
            {"miseres": (misere(1), misere(1)), "ruleset": "misere"},
            "misere_twice",
            "miseres",
            "each misère once",
        ),
        (
            {"miseres": (misere(4),), "ruleset": "misere"},
            "misere_declarer",
            "miseres",
            "one of the 4 players",
        ),
        (
            {"miseres": (misere(-1),), "ruleset": "misere-3"},
            "misere_declarer",
            "miseres",
            "one of the 3 players",
        ),
    ],
)
def test_what_cannot_be_is_refused_and_the_rule_named(told, code, field, rule):
    refusal = refusal_of(**told)

    assert (refusal.code, refusal.field) == (code, field)
    assert rule in refusal.message


@pytest.mark.parametrize(
    "told",
    [
        {"bouts": 3, "half_points": 27, "ruleset": "fft-3"},
        {"bouts": 0, "half_points": 155, "ruleset": "fft-3"},
        {"bouts": 3, "half_points": 182, "chelem": SLAM},
        {"bouts": 3, "half_points": 180},
        {
            "bouts": 3,
            "half_points": 182,
            "ruleset": "petit-chelem",
            "petit_chelem": Chelem(announced=True, achieved=ATTACK),
        },
        {"poignees": showing((Size.SIMPLE, ATTACK), (Size.SIMPLE, DEFENCE))},
        {"poignees": showing((Size.SIMPLE, DEFENCE), (Size.SIMPLE, DEFENCE))},
        {
            "poignees": showing((Size.SIMPLE, ATTACK), (Size.DOUBLE, ATTACK)),
            "ruleset": "fft-5",
            "called": Called.PARTNER,
        },
        {"bouts": 0, "petit_au_bout": DEFENCE},
        {"bouts": 3, "petit_au_bout": ATTACK},
        {"half_points": 81, "ruleset": "fft-formula"},
        {"bouts": 3, "half_points": 182, "ruleset": "fft-formula"},
    ],
)
def test_what_lies_at_the_edge_of_the_rules_is_accepted(told):
    told = {"ruleset": "fft", "contract": Contract.GARDE, "bouts": 2, "half_points": 90} | told

    assert tarot.Deal(**told | {"ruleset": tarot.ruleset(told["ruleset"])})


# The bounds of a slam, worked out by hand


def test_all_the_tricks_are_91_points_or_87_when_the_defence_keeps_the_excuse():
    assert attack_slam_bounds(4, Contract.GARDE) == {3: (182, 182), 2: (174, 174)}


def test_all_the_tricks_of_a_garde_contre_leave_out_the_dog():
    # Three bouts: the dog has from six low cards (3) to four kings and two queens (25). None:
    # the Excuse kept by the defence (4), and the two other bouts with four kings in the dog (27).
    assert attack_slam_bounds(4, Contract.GARDE_CONTRE) == {
        3: (2 * 66, 2 * 88),
        2: (2 * 62, 2 * 84),
        1: (2 * 61, 2 * 80),
        0: (2 * 60, 2 * 76),
    }


def test_all_the_tricks_of_a_garde_contre_at_five_leave_out_three_cards():
    assert attack_slam_bounds(5, Contract.GARDE_CONTRE) == {
        3: (155, 179),
        2: (147, 171),
        1: (147, 163),
        0: (147, 155),
    }


@pytest.mark.parametrize(
    ("players", "contract", "most"),
    [
        (4, Contract.GARDE, {0: 2 * 19, 1: 2 * 23}),
        (5, Contract.PETITE, {0: 21, 1: 29}),
        (4, Contract.GARDE_SANS, {0: 2 * 25, 1: 2 * 29, 2: 2 * 30, 3: 2 * 31}),
        (4, Contract.GARDE_CONTRE, {0: 0, 1: 8}),
    ],
)
def test_without_a_trick_the_attack_has_at_most_its_pile_and_its_excuse(players, contract, most):
    assert defence_slam_most(players, contract) == most
    assert all(points < tarot.HALF_POINTS_NEEDED[bouts] for bouts, points in most.items())


# Reading


ROW = {"players": 4, "contract": "garde", "bouts": 2, "taker_card_points": 45}


@pytest.mark.parametrize(
    ("told", "code", "field"),
    [
        ({"players": "4"}, "not_a_whole_number", "players"),
        ({"players": True}, "not_a_whole_number", "players"),
        ({"players": 6}, "players_out_of_range", "players"),
        ({"bouts": 2.0}, "not_a_whole_number", "bouts"),
        ({"bouts": True}, "not_a_whole_number", "bouts"),
        ({"bouts": 10**7}, "number_too_large", "bouts"),
        ({"contract": "passe"}, "unknown_value", "contract"),
        ({"contract": None}, "unknown_value", "contract"),
        ({"contract": ["garde"]}, "unknown_value", "contract"),
        ({"taker_card_points": "45"}, "not_a_number", "taker_card_points"),
        ({"taker_card_points": False}, "not_a_number", "taker_card_points"),
        ({"taker_card_points": float("nan")}, "not_a_number", "taker_card_points"),
        ({"taker_card_points": float("inf")}, "not_a_number", "taker_card_points"),
        ({"taker_card_points": 45.25}, "not_half_points", "taker_card_points"),
        ({"taker_card_points": 1e300}, "number_too_large", "taker_card_points"),
        ({"taker_card_points": -(10**4000)}, "number_too_large", "taker_card_points"),
        ({"taker_card_points": 92}, "points_outside_the_pack", "taker_card_points"),
        ({"taker_card_points": 45.5}, "half_point_at_four", "taker_card_points"),
        ({"petit_au_bout": "taker"}, "unknown_value", "petit_au_bout"),
        ({"poignees": {}}, "not_a_list", "poignees"),
        ({"poignees": [None] * 11}, "list_too_long", "poignees"),
        ({"poignees": ["simple"]}, "not_an_object", "poignees[0]"),
        ({"poignees": [{"side": "attack"}]}, "missing_field", "poignees[0].size"),
        (
            {"poignees": [{"size": "simple", "side": "attack", "of": "A"}]},
            "unknown_field",
            "poignees[0].of",
        ),
        ({"chelem": {"announced": 1}}, "not_true_or_false", "chelem.announced"),
        ({"chelem": {"announced": True, "achieved": "us"}}, "unknown_value", "chelem.achieved"),
        ({"chelem": []}, "not_an_object", "chelem"),
        ({"chelem": {"announced": True, "by": 1}}, "unknown_field", "chelem.by"),
        ({"called": "king"}, "unknown_value", "called"),
        ({"ruleset": 1}, "not_a_text", "ruleset"),
        ({"ruleset": "wist"}, "unknown_ruleset", "ruleset"),
        (
            {"miseres": [{"kind": "trumps", "declarer": "A"}]},
            "not_a_whole_number",
            "miseres[0].declarer",
        ),
        ({"colour": "red"}, "unknown_field", "colour"),
    ],
)
def test_a_line_that_cannot_be_read_is_refused_at_its_field(told, code, field):
    with pytest.raises(RulesError) as refused:
        tarot.Deal.from_json(ROW | told)

    assert (refused.value.code, refused.value.field) == (code, field)


@pytest.mark.parametrize("name", ROW)
def test_a_missing_field_is_named(name):
    with pytest.raises(Unreadable, match=f"The field “{name}” is missing"):
        tarot.Deal.from_json({key: value for key, value in ROW.items() if key != name})


def test_what_is_not_an_object_is_refused():
    with pytest.raises(Unreadable, match="must be an object"):
        tarot.Deal.from_json([ROW])


def test_a_long_unknown_name_is_cut_in_the_refusal():
    with pytest.raises(Unreadable) as refused:
        tarot.Deal.from_json(ROW | {"x" * 5000: 1})

    assert len(refused.value.message) < 100


@pytest.mark.parametrize("empty", ["petit_au_bout", "poignees", "chelem", "called", "ruleset"])
def test_null_means_that_there_was_none(empty):
    assert tarot.Deal.from_json(ROW | {empty: None}) == tarot.Deal.from_json(ROW)


def test_a_deal_is_judged_by_the_rules_of_its_event_or_refused():
    house = tarot.Ruleset(name="ours", petit_au_bout=False)

    assert tarot.Deal.from_json(ROW, rules=house).ruleset is house
    assert tarot.Deal.from_json(ROW | {"ruleset": "ours"}, rules=house).ruleset is house
    with pytest.raises(Unreadable, match="another ruleset than “ours”"):
        tarot.Deal.from_json(ROW | {"ruleset": "fft"}, rules=house)
    with pytest.raises(Unreadable, match="another ruleset"):
        tarot.Deal.from_json(ROW | {"players": 3}, rules=house)


# Refusals as values


def test_a_refusal_travels_between_processes():
    refusal = refusal_of(bouts=4)

    arrived = pickle.loads(pickle.dumps(refusal))  # noqa: S301

    assert type(arrived) is Illegal
    assert (arrived.code, arrived.field, arrived.gaps) == (
        "bouts_out_of_range",
        "bouts",
        {"bouts": 4},
    )
    assert arrived.message == refusal.message


def test_a_deal_is_a_value_that_nobody_changes():
    told = tarot.Deal.from_json(ROW)

    with pytest.raises(AttributeError):
        told.bouts = 3
    assert copy.replace(told, bouts=1) == tarot.Deal.from_json(ROW | {"bouts": 1})
    assert hash(told) == hash(tarot.Deal.from_json(ROW))
    with pytest.raises(Illegal):
        copy.replace(told, bouts=4)
