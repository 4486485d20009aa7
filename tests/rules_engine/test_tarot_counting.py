"""The end of a deal: the Excuse in every case, bouts, petit au bout, slams (RO p.4-9)."""

from __future__ import annotations

import dataclasses

import pytest

from rules_engine import tarot
from rules_engine.errors import Illegal
from tests.rules_engine.tarot_tables import cards

FFT, FIVE = tarot.ruleset("fft"), tarot.ruleset("fft-5")
Fate, Side = tarot.ExcuseFate, tarot.Side


def played(*tricks: str, attack=(0,), rules: tarot.Ruleset = FFT, leader: int = 0) -> tarot.Play:
    """The last tricks of a deal; each trick names its cards seat by seat, from seat 0."""
    rows = [trick.split() for trick in tricks]
    hands = [cards(*(row[seat] for row in rows)) for seat in range(len(rows[0]))]
    play = tarot.Play(hands=hands, leader=leader, ruleset=rules, attack=attack)
    for row in rows:
        for _ in row:
            play.play(tarot.card_from(row[play.turn]))
    return play


def count(*tricks: str, aside: str = "", announced: bool = False, **more) -> tarot.Count:
    return tarot.count_cards(played(*tricks, **more), aside=cards(aside), slam_announced=announced)


# The Excuse (RO p.4, 8)


def test_in_a_trick_of_its_own_side_the_excuse_is_simply_kept():
    counted = count("EX S2 S3 S4", "HR H2 H3 H4", attack=(0, 3))

    assert counted.excuse is Fate.KEPT
    assert counted.bouts == 1
    assert counted.half_points == 12 + 12


def test_the_attack_keeps_its_excuse_and_pays_a_low_card():
    # Seat 1 wins the trick with the Excuse, seat 0 the other.
    counted = count("EX SR S3 S4", "HR H2 H3 H4")

    assert counted.excuse is Fate.PAID
    assert counted.bouts == 1
    assert counted.half_points == 12 + 8  # its own trick, and the Excuse less a low card


def test_the_defence_keeps_its_excuse_and_pays_a_low_card():
    counted = count("SR EX S3 S4", "H2 HR H3 H4")

    assert counted.excuse is Fate.PAID
    assert counted.bouts == 0
    assert counted.half_points == 9 + 9 + 1 + 1 - 8


def test_a_side_without_a_card_to_give_has_four_points_for_its_excuse():
    """RO p.9: the defence's Excuse in a slam of the taker."""
    counted = count("SR EX S3 S4", "HR H2 H3 H4")

    assert counted.excuse is Fate.OWED
    assert counted.chelem is Side.ATTACK
    assert counted.half_points == 9 + 9 + 1 + 1 - 8 + 12


def test_a_taker_without_a_trick_pays_from_his_discard():
    assert count("EX SR S3 S4", "H2 HR H3 H4", aside="C1").excuse is Fate.PAID
    assert count("EX SR S3 S4", "H2 HR H3 H4", aside="CD").excuse is Fate.OWED
    assert count("EX SR S3 S4", "H2 HR H3 H4").half_points == 8


def test_an_excuse_in_the_dog_goes_with_the_dog():
    counted = count("SR S2 S3 S4", aside="EX")

    assert counted.excuse is Fate.NOT_PLAYED
    assert counted.bouts == 1


def test_played_to_the_last_trick_it_changes_side():
    lost = count("S2 SR S3 S4", "EX HR H3 H4")

    assert lost.excuse is Fate.CHANGED_SIDE
    assert lost.bouts == 0


def test_it_changes_side_even_when_its_own_side_wins_the_last_trick():
    tricks = ("S2 SR S3 S4", "EX H2 H3 HR")

    counted = count(*tricks, attack=(0, 3))
    nothing_back = dataclasses.replace(FFT, excuse_last_own_side="nothing_back")

    assert counted.excuse is Fate.CHANGED_SIDE
    assert counted.bouts == 0
    assert counted.half_points == 9 + 9 + 1 + 1 - 8  # a low card comes back
    assert count(*tricks, attack=(0, 3), rules=nothing_back).half_points == 11
    defence = count(*tricks, attack=(1,))
    assert defence.excuse is Fate.CHANGED_SIDE
    assert (defence.bouts, defence.half_points) == (1, 12 + 8)


def test_a_slamming_takers_last_excuse_wins_the_trick_and_stays():
    counted = count("SR S2 S3 S4", "EX HR H3 H4")

    assert counted.excuse is Fate.IN_A_SLAM
    assert counted.chelem is Side.ATTACK
    assert counted.bouts == 1


def test_a_slamming_defence_keeps_its_excuse_too():
    counted = count("S2 SR S3 S4", "H2 EX H3 HR", attack=(0,))

    assert counted.excuse is Fate.IN_A_SLAM
    assert counted.chelem is Side.DEFENCE
    assert counted.half_points == 0


# Petit au bout (RO p.6, 7)


@pytest.mark.parametrize(
    ("last", "side"),
    [
        ("T1 H2 H3 H4", Side.ATTACK),
        ("T1 T5 H3 H4", Side.DEFENCE),  # not who played it: who won it
        ("T6 T1 H3 H4", Side.ATTACK),
        ("H1 T1 H3 H4", Side.DEFENCE),
        ("T6 H2 H3 H4", None),
    ],
)
def test_the_petit_counts_for_the_side_that_wins_the_last_trick(last, side):
    assert count("SR S2 S3 S4", last).petit_au_bout == side


def test_where_it_is_not_played_nobody_has_it():
    rules = tarot.ruleset("no-petit-au-bout")

    assert count("SR S2 S3 S4", "T1 H2 H3 H4", rules=rules).petit_au_bout is None


SLAM_WITH_THE_EXCUSE = ("SR S2 S3 S4", "T1 D2 D3 D4", "EX H2 H3 H4")


def test_before_the_last_excuse_of_an_announced_slam_the_petit_counts_as_last():
    assert count(*SLAM_WITH_THE_EXCUSE, announced=True).petit_au_bout is Side.ATTACK


def test_of_a_slam_that_nobody_announced_it_counts_only_where_the_table_says_so():
    rules = dataclasses.replace(FFT, unannounced_slam_petit="next_to_last_trick")

    assert count(*SLAM_WITH_THE_EXCUSE).petit_au_bout is None
    assert count(*SLAM_WITH_THE_EXCUSE, rules=rules).petit_au_bout is Side.ATTACK
    elsewhere = ("T1 D2 D3 D4", "SR S2 S3 S4", "EX H2 H3 H4")
    assert count(*elsewhere, announced=True).petit_au_bout is None


# Slams


def test_all_tricks_are_a_slam_and_all_but_one_a_petit_chelem():
    assert count("SR S2 S3 S4", "HR H2 H3 H4").chelem is Side.ATTACK
    assert count("S1 SR S3 S4", "H1 HR H3 H4").chelem is Side.DEFENCE
    one_lost = count("S1 SR S3 S4", "HR H2 H3 H4", "DR D2 D3 D4", leader=0)
    assert one_lost.chelem is None
    assert one_lost.petit_chelem is Side.ATTACK
    one_won = count("SR S2 S3 S4", "H1 HR H3 H4", "D1 DR D3 D4")
    assert one_won.petit_chelem is Side.DEFENCE
    assert count("SR S2 S3 S4", "HR H2 H3 H4").petit_chelem is None


# The deal that is scored


def a_count(**more) -> tarot.Count:
    values = {
        "half_points": 90,
        "bouts": 2,
        "petit_au_bout": None,
        "tricks": 9,
        "of_tricks": 18,
        "excuse": Fate.KEPT,
    }
    return tarot.Count(**{**values, **more})


def test_the_count_becomes_the_deal_of_the_score_sheet():
    shown = tarot.ShownPoignee(seat=2, size=tarot.PoigneeSize.SIMPLE)

    deal = tarot.deal_of(
        a_count(petit_au_bout=Side.ATTACK),
        ruleset=FFT,
        contract=tarot.Contract.GARDE,
        attack=[0],
        poignees=[shown],
    )

    assert (deal.half_points, deal.bouts, deal.petit_au_bout) == (90, 2, Side.ATTACK)
    assert deal.poignees == (tarot.Poignee(size=shown.size, side=Side.DEFENCE),)
    assert deal.chelem == tarot.NO_CHELEM
    assert deal.called is None


@pytest.mark.parametrize(
    ("attack", "called"), [([0], tarot.Called.SELF), ([0, 3], tarot.Called.PARTNER)]
)
def test_at_five_the_attack_is_alone_or_two(attack, called):
    deal = tarot.deal_of(
        a_count(of_tricks=15), ruleset=FIVE, contract=tarot.Contract.PETITE, attack=attack
    )

    assert deal.called is called


def test_an_announced_slam_that_fails_is_told_and_a_petit_chelem_where_it_is_played():
    failed = tarot.deal_of(
        a_count(), ruleset=FFT, contract=tarot.Contract.GARDE, attack=[0], slam_announced=True
    )
    house = tarot.deal_of(
        a_count(tricks=17, half_points=170),
        ruleset=tarot.ruleset("petit-chelem"),
        contract=tarot.Contract.GARDE,
        attack=[0],
    )

    assert failed.chelem == tarot.Chelem(announced=True)
    assert house.petit_chelem == tarot.Chelem(achieved=Side.ATTACK)


def test_a_count_that_no_deal_can_have_is_refused():
    with pytest.raises(Illegal):
        tarot.deal_of(
            a_count(half_points=1), ruleset=FFT, contract=tarot.Contract.GARDE, attack=[0]
        )
