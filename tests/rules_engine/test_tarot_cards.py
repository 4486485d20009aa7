"""The 78 cards: codes, names, values (RO p.3)."""

from __future__ import annotations

import pytest

from rules_engine import tarot
from rules_engine.errors import Unreadable
from rules_engine.tarot.cards import (
    BOUTS,
    EXCUSE_ALONE,
    KINGS,
    LOW_CARDS,
    PACK,
    SUITS,
    TRUMPS,
    rank_of,
    suit_of,
)
from tests.rules_engine.tarot_tables import cards


def test_the_pack_is_four_suits_of_fourteen_the_trumps_and_the_excuse():
    assert [SUITS[suit].bit_count() for suit in tarot.Suit] == [14, 14, 14, 14]
    assert TRUMPS.bit_count() == 21
    assert sum(SUITS.values()) + TRUMPS + EXCUSE_ALONE == PACK


def test_the_pack_holds_91_points():
    assert tarot.half_points(PACK) == tarot.PACK_HALF_POINTS == 182


@pytest.mark.parametrize(
    ("code", "half_points"),
    [
        ("EX", 9),
        ("T1", 9),
        ("T21", 9),
        ("HR", 9),
        ("SD", 7),
        ("DC", 5),
        ("CV", 3),
        ("H10", 1),
        ("T20", 1),
        ("T2", 1),
    ],
)
def test_a_card_is_worth_what_the_federation_says(code, half_points):
    assert tarot.half_points(cards(code)) == half_points


def test_the_bouts_are_the_21_the_petit_and_the_excuse():
    assert cards("T21 T1 EX") == BOUTS


@pytest.mark.parametrize(
    ("low", "high", "points"),
    [("H4", "T21", 5), ("T7", "SR", 5), ("T7", "SD", 4), ("C3", "DC", 3), ("T2", "CV", 2)],
)
def test_a_dear_card_is_counted_with_a_low_one(low, high, points):
    assert tarot.count_in_pairs(cards(low, high)) == (
        (tarot.card_from(high), tarot.card_from(low), 2 * points),
    )


def test_two_low_cards_are_one_point_and_a_card_left_over_stays_alone():
    pairs = tarot.count_in_pairs(cards("H4 H5 H6"))

    assert [row[2] for row in pairs] == [2, 1]
    assert pairs[1][1] is None


def test_a_pile_of_dear_cards_alone_is_still_counted():
    pile = cards("HR SR DR T21 CD")

    assert sum(row[2] for row in tarot.count_in_pairs(pile)) == tarot.half_points(pile) == 43


def test_every_card_has_a_code_that_names_it_again():
    for card in range(78):
        assert tarot.card_from(tarot.code_of(card)) == card
    assert tarot.codes_of(PACK)[:3] == ["EX", "T1", "T2"]


@pytest.mark.parametrize(
    "code", ["", "T0", "T22", "RH", "X", "h4", "S11", None, 4, ["SR"], "S" * 90]
)
def test_what_is_no_card_is_refused(code):
    with pytest.raises(Unreadable) as refusal:
        tarot.card_from(code, field="dog")

    assert (refusal.value.code, refusal.value.field) == ("unknown_card", "dog")
    assert len(refusal.value.message) < 160


def test_a_suit_card_knows_its_suit_and_rank_and_a_trump_its_number():
    queen = tarot.card_from("HD")

    assert (suit_of(queen), rank_of(queen)) == (tarot.Suit.HEARTS, 13)
    assert (suit_of(tarot.TWENTY_ONE), rank_of(tarot.TWENTY_ONE)) == (None, 21)
    assert (suit_of(tarot.EXCUSE), rank_of(tarot.EXCUSE)) == (None, 0)
    assert tarot.card_of(tarot.Suit.HEARTS, 13) == queen


@pytest.mark.parametrize(
    ("code", "english", "french", "portuguese"),
    [
        ("HD", "queen of hearts", "dame de cœur", "dama de copas"),
        ("S1", "ace of spades", "as de pique", "ás de espadas"),
        ("D10", "10 of diamonds", "10 de carreau", "10 de ouros"),
        ("CC", "knight of clubs", "cavalier de trèfle", "cavaleiro de paus"),
        ("T21", "trump 21", "21 d'atout", "trunfo 21"),
        ("T1", "petit (trump 1)", "petit (1 d'atout)", "baixinho (trunfo 1)"),
        ("EX", "Excuse", "Excuse", "Curinga"),
    ],
)
def test_cards_have_names_in_three_languages(code, english, french, portuguese):
    card = tarot.card_from(code)

    assert tarot.name_of(card) == english
    assert tarot.name_of(card, "fr") == french
    assert tarot.name_of(card, "pt") == portuguese


def test_no_two_cards_share_a_name():
    for language in ("en", "fr", "pt"):
        assert len({tarot.name_of(card, language) for card in range(78)}) == 78


def test_another_language_is_refused():
    with pytest.raises(Unreadable, match="en, fr and pt"):
        tarot.name_of(0, "de")


def test_a_set_gives_its_cards_in_order_and_by_place():
    hand = cards("SR T4 EX H2")
    in_order = [*tarot.cards_in(hand)]

    assert in_order == sorted(in_order)
    assert [tarot.nth_card(hand, place) for place in range(4)] == in_order
    assert tarot.card_set(in_order) == hand


def test_low_cards_are_those_of_half_a_point():
    assert LOW_CARDS.bit_count() == 78 - 3 - 16
    assert not LOW_CARDS & KINGS
