"""The duties of play, the Excuse, the first lead at five, and what each may see (RO p.7-8, 12)."""

from __future__ import annotations

import dataclasses
from random import Random

import pytest

from rules_engine import tarot
from rules_engine.errors import Illegal
from rules_engine.tarot.play import winning_place
from tests.rules_engine.tarot_tables import cards

FFT, FIVE = tarot.ruleset("fft"), tarot.ruleset("fft-5")


def table(*hands: str, leader: int = 0, rules: tarot.Ruleset = FFT, **more) -> tarot.Play:
    """Somebody's last cards: one string for each seat."""
    return tarot.Play(hands=[cards(hand) for hand in hands], leader=leader, ruleset=rules, **more)


def play(game: tarot.Play, *codes: str) -> tarot.Play:
    for each in codes:
        for code in each.split():
            game.play(tarot.card_from(code))
    return game


def legal(game: tarot.Play) -> set[str]:
    return {tarot.code_of(card) for card in game.legal}


# Duties (RO p.7-8)


@pytest.mark.parametrize(
    ("played", "hand", "allowed", "duty"),
    [
        ("S4", "S2 SR H3 T5", "S2 SR", "follow"),  # no duty to beat
        ("S4", "S2 EX T5", "S2 EX", "follow"),
        ("S4", "H3 T5 T9", "T5 T9", "trump"),
        ("S4", "H3 T5 EX", "T5 EX", "trump"),
        ("S4 T7", "H3 T5 T9 T12", "T9 T12", "overtrump"),
        ("S4 T7", "H3 T5 T6", "T5 T6", "undertrump"),
        ("S4 T7", "S2 T9", "S2", "follow"),  # the suit first
        ("S4 T7", "H3 D5", "H3 D5", "free"),
        ("S4", "H3 EX", "H3 EX", "free"),
        ("T7", "T5 T9 S2", "T9", "overtrump"),
        ("T7", "T5 T6 S2 EX", "T5 T6 EX", "undertrump"),
        ("T7", "S2 H3", "S2 H3", "free"),
        ("T7 T9", "T8 T3 S2", "T8 T3", "undertrump"),
        ("T7 S2", "T9 S3", "T9", "overtrump"),
        ("EX", "S2 T5", "S2 T5", "lead"),  # after a led Excuse the next card leads
        ("EX S4", "S2 H3", "S2", "follow"),
        ("EX T4", "S2 T3", "T3", "undertrump"),
        ("S4 EX", "H3 T5", "T5", "trump"),
        ("S4 H9", "S2 H3", "S2", "follow"),  # a discard changes nothing
    ],
)
def test_what_was_played_binds_the_next_player(played, hand, allowed, duty):
    before = played.split()
    others = [f"{code} C9" for code in before]
    rest = ["C2 C3"] * (3 - len(before))
    game = play(table(*others, hand, *rest), played)

    assert legal(game) == set(allowed.split())
    assert game.duty == duty


@pytest.mark.parametrize(
    ("hand", "card", "code"),
    [
        ("S2 H3", "H3", "must_follow"),
        ("H3 T5", "H3", "must_trump"),
        ("S2 H3", "D5", "card_not_held"),
    ],
)
def test_a_card_that_breaks_a_duty_is_refused_and_the_play_goes_on(hand, card, code):
    game = play(table("S4 C1", hand, "C2 C3", "C4 C5"), "S4")

    with pytest.raises(Illegal) as refusal:
        play(game, card)

    assert refusal.value.code == code
    assert card in refusal.value.message
    assert game.turn == 1
    assert game.legal
    play(game, tarot.code_of(game.legal[0]))
    assert game.turn == 2


@pytest.mark.parametrize(
    ("hand", "card", "code"),
    [("T9 T2", "T2", "must_overtrump"), ("T2 H3", "H3", "must_undertrump")],
)
def test_a_trump_must_go_over_or_at_least_be_a_trump(hand, card, code):
    game = play(table("T7 C1", hand, "C2 C3", "C4 C5"), "T7")

    with pytest.raises(Illegal) as refusal:
        play(game, card)

    assert refusal.value.code == code


@pytest.mark.parametrize("card", [-1, 78, 1000])
def test_what_is_no_card_is_refused(card):
    game = table("S4 C1", "S2 H3", "C2 C3", "C4 C5")

    with pytest.raises(Illegal) as refusal:
        game.play(card)

    assert refusal.value.code == "card_not_held"


def test_nothing_is_played_when_all_cards_are():
    game = play(table("S4", "S5", "S6", "S7"), "S4 S5 S6 S7")

    assert game.is_over
    assert game.legal == []
    with pytest.raises(Illegal) as refusal:
        play(game, "S4")
    assert refusal.value.code == "deal_is_over"
    game.play_out(Random(1).getrandbits)
    assert len(game.cards) == 4


# Who wins (RO p.7-8)


@pytest.mark.parametrize(
    ("trick", "winner"),
    [
        ("S4 S9 SR S2", 2),
        ("S4 HR DR CR", 0),  # another suit never wins
        ("S4 T2 SR S5", 1),
        ("S4 T2 T9 T3", 2),
        ("T4 T9 SR T3", 1),
        ("EX S4 S9 S2", 2),  # the Excuse never wins, and the next card fixes the suit
        ("EX HR S9 S2", 1),
        ("S4 EX S9 T1", 3),
        ("S4 EX HR DR", 0),
    ],
)
def test_the_highest_trump_takes_else_the_highest_of_the_suit_led(trick, winner):
    hands = [
        f"{code} {spare}"
        for code, spare in zip(trick.split(), ["C1", "C2", "C3", "C4"], strict=True)
    ]
    game = play(table(*hands, leader=0), trick)

    assert game.winners == [winner]
    assert game.turn == winner  # and leads next
    assert winning_place([tarot.card_from(code) for code in trick.split()]) == winner


def test_the_winner_leads_and_play_goes_round_from_him():
    game = play(table("S4 H1", "S9 H2", "S2 H3", "S3 H4", leader=3), "S3 S4 S9 S2")

    assert game.winners == [1]
    assert game.turn == 1
    assert game.tricks == [[tarot.card_from(code) for code in ("S3", "S4", "S9", "S2")]]
    play(game, "H2")
    assert game.table == [tarot.card_from("H2")]
    assert game.played_by(1) == [tarot.card_from("S9"), tarot.card_from("H2")]
    assert game.played_by(3) == [tarot.card_from("S3")]


# The Excuse and a slam (RO p.6, 8)


def slam(*, attack=(0,), rules=FFT, hands=("SR EX", "S2 T1", "S3 H3", "S4 H4")) -> tarot.Play:
    """Seat 0 has won every trick; in the last one he has only the Excuse."""
    return table(*hands, attack=attack, rules=rules)


def test_a_slamming_takers_excuse_led_to_the_last_trick_wins_it():
    game = play(slam(), "SR S2 S3 S4", "EX T1 H3 H4")

    assert game.winners == [0, 0]


def test_a_partners_excuse_wins_it_as_well():
    hands = ("SR HR", "S2 EX", "S3 D3", "S4 H4")

    game = play(slam(attack=(0, 1), hands=hands), "SR S2 S3 S4", "HR EX D3 H4")

    assert game.winners == [0, 1]


def test_who_lost_a_trick_before_does_not_win_with_the_excuse():
    hands = ("S1 SR EX", "S9 T2 T1", "S3 C2 H3", "S4 C3 H4")

    game = play(slam(hands=hands), "S1 S9 S3 S4", "T2 C2 C3 SR", "T1 H3 H4 EX")

    assert game.winners == [1, 1, 1]


def test_a_defender_does_not_win_with_the_excuse_unless_the_table_plays_it_so():
    either = tarot.Ruleset.from_json(
        {**FFT.to_json(), "name": "house", "slam_excuse_side": "either"}
    )
    tricks = ("SR S2 S3 S4", "EX T1 H3 H4")

    assert play(slam(attack=(1,)), *tricks).winners == [0, 1]
    assert play(slam(attack=(1,), rules=either), *tricks).winners == [0, 0]


def test_where_everybody_plays_alone_the_excuse_never_wins():
    assert play(slam(attack=()), "SR S2 S3 S4", "EX T1 H3 H4").winners == [0, 1]


def test_the_excuse_may_be_played_before_the_last_trick_by_who_announced_a_slam():
    """It is then lost for the slam, but no duty is broken."""
    game = slam(hands=("SR EX HR", "S2 T1 H2", "S3 H3 D3", "S4 H4 D4"))

    assert "EX" in legal(game)


# The first lead at five (RO p.12)

HANDS_AT_FIVE = ("S2 S3 HD EX", "S5 HR H1 D1", "D2 D3 H4 T5", "D4 D5 T7 T8", "C1 C2 C3 C4")


def five(rules: tarot.Ruleset = FIVE, called: str | None = "SR", **more) -> tarot.Play:
    card = None if called is None else tarot.card_from(called)
    return table(*HANDS_AT_FIVE, rules=rules, called=card, **more)


def test_the_first_lead_is_not_in_the_called_suit():
    game = five()

    assert legal(game) == {"HD", "EX"}
    assert game.duty == "first_lead"
    with pytest.raises(Illegal) as refusal:
        play(game, "S2")
    assert refusal.value.code == "must_first_lead"


def test_unless_it_is_the_called_card_itself():
    assert legal(five(called="S3")) == {"S3", "HD", "EX"}


def test_later_leads_are_free():
    game = play(five(called="HR", leader=4), "C1 S2 S5 T5 T7")

    assert game.turn == 3
    assert legal(game) == {"D4", "D5", "T8"}
    assert game.duty == "lead"


def test_after_a_led_excuse_the_called_suit_stays_closed_unless_the_table_opens_it():
    open_suit = dataclasses.replace(FIVE, called_suit_after_excuse="allowed")

    assert legal(play(five(called="HR"), "EX")) == {"S5", "HR", "D1"}
    assert legal(play(five(called="HD"), "EX")) == {"S5", "D1"}
    assert legal(play(five(rules=open_suit, called="HD"), "EX")) == {"S5", "HR", "H1", "D1"}


def test_seed_000_lets_any_card_open():
    assert legal(five(rules=tarot.ruleset("seed-000-5"))) == {"S2", "S3", "HD", "EX"}


def test_a_deal_that_opens_by_lot_keeps_the_first_lead():
    for seed in range(40):
        game = five()
        game.play_out(Random(seed).getrandbits)
        assert tarot.code_of(game.cards[0]) in {"HD", "EX"}
        if game.cards[0] == tarot.EXCUSE:
            assert tarot.code_of(game.cards[1]) != "S5"


# What each may see (RO p.8)


def test_a_seat_sees_its_hand_the_trick_and_the_one_before():
    game = play(table("S4 H1", "S9 H2", "S2 H3", "S3 H4"), "S4 S9 S2 S3", "H2 H3")

    view = game.view(0)

    assert view.hand == cards("H1")
    assert view.turn == 3
    assert view.legal == ()
    assert view.table == (tarot.card_from("H2"), tarot.card_from("H3"))
    assert view.previous == tuple(map(tarot.card_from, ("S4", "S9", "S2", "S3")))
    assert view.cards_left == (1, 0, 0, 1)
    assert view.tricks_won == (0, 1, 0, 0)
    assert game.view(3).legal == (tarot.card_from("H4"),)
    assert table("S4", "S5", "S6", "S7").view(2).previous == ()


def test_a_table_without_cards_has_nothing_to_play():
    game = table("", "", "")

    assert game.is_over
    assert game.legal == []
    game.play_out(Random(1).getrandbits)
    assert game.winners == []
