"""Faults in free deals and what a referee rules (CA p.4-8)."""

from __future__ import annotations

from random import Random

import pytest

from rules_engine import tarot
from rules_engine.errors import Illegal
from rules_engine.tarot import irregularities as faults
from tests.rules_engine.tarot_tables import CASES, cards, play_of, random_deal

FFT = tarot.ruleset("fft")
Side, Standing, Fault = tarot.Side, faults.Standing, faults.PoigneeFault
ATTACK, DEFENCE = Side.ATTACK, Side.DEFENCE


@pytest.mark.parametrize(
    ("standing", "if_made", "if_lost"),
    [
        (Standing.COUNTS, True, True),
        (Standing.VOID, False, False),
        (Standing.VOID_IF_MADE, False, True),
        (Standing.VOID_IF_LOST, True, False),
    ],
)
def test_whether_a_deal_counts_may_hang_on_its_result(standing, if_made, if_lost):
    assert standing.counts(made=True) is if_made
    assert standing.counts(made=False) is if_lost


@pytest.mark.parametrize(
    ("standing", "if_made", "if_lost"),
    [
        (faults.PoigneeStanding.COUNTS, True, True),
        (faults.PoigneeStanding.NOT_COUNTED, False, False),
        (faults.PoigneeStanding.COUNTS_IF_LOST, False, True),
        (faults.PoigneeStanding.COUNTS_IF_MADE, True, False),
    ],
)
def test_whether_a_poignee_is_paid_may_hang_on_it_too(standing, if_made, if_lost):
    assert standing.counts(made=True) is if_made
    assert standing.counts(made=False) is if_lost


# Revokes and exposed cards


@pytest.mark.parametrize(
    ("side", "standing"), [(ATTACK, Standing.VOID_IF_MADE), (DEFENCE, Standing.VOID_IF_LOST)]
)
def test_after_a_consumed_revoke_the_deal_is_void_if_the_faulty_side_wins(side, standing):
    ruling = faults.revoke(side, consumed=True)

    assert ruling.standing is standing
    assert ruling.return_points
    assert (ruling.penalty, ruling.may_be_waived) == (100, True)


def test_a_revoke_put_right_in_time_is_an_exposed_card():
    assert faults.revoke(DEFENCE, consumed=False) == faults.exposed_card(DEFENCE)


def test_an_exposed_card_of_the_defence_is_warned_then_costs_100_and_the_takers_nothing():
    defender, taker = faults.exposed_card(DEFENCE), faults.exposed_card(ATTACK)

    assert (defender.penalty, defender.warning_first) == (100, True)
    assert taker == faults.Ruling()
    assert faults.exposed_card(ATTACK, important=True) == faults.not_rectifiable(ATTACK)


def test_a_lead_out_of_turn_leaves_the_choice_to_the_taker():
    ruling = faults.lead_out_of_turn()

    assert ruling.options[0] == "accept"
    assert len(ruling.options) == 3
    assert ruling.warning_first


def find(case: dict, plays: list[str], **more) -> list[faults.Revoke]:
    play = play_of(case)
    return faults.find_revokes(
        hands=play.hands,
        leader=play.leader,
        plays=[tarot.card_from(code) for code in plays],
        ruleset=play.ruleset,
        called=play.called,
        **more,
    )


@pytest.mark.parametrize("case", CASES[::10])
def test_a_deal_played_by_the_rules_has_no_revoke(case):
    assert find(case, [row[1] for row in case["plays"]]) == []


def hands(*each: str) -> list[tarot.CardSet]:
    return [cards(hand) for hand in each]


def test_a_revoke_is_found_with_its_duty_and_whether_it_is_consumed():
    held = hands("S4 S5", "S2 H3", "T5 C2", "C3 C4")
    plays = [tarot.card_from(code) for code in ["S4", "H3", "C2", "C3", "S5"]]

    found = faults.find_revokes(hands=held, leader=0, plays=plays, ruleset=FFT)

    assert [(r.play, r.seat, str(r.duty), r.consumed) for r in found] == [
        (1, 1, "follow", True),
        (2, 2, "trump", True),
    ]
    assert tarot.code_of(found[0].card) == "H3"
    open_trick = faults.find_revokes(hands=held, leader=0, plays=plays[:4], ruleset=FFT)
    assert [r.consumed for r in open_trick] == [False, False]


def test_after_a_revoke_the_others_play_on_what_really_lay_there():
    held = hands("S4 S5", "S2 T9", "H2 T5", "H3 T10")
    plays = [tarot.card_from(code) for code in ["S4", "T9", "T5", "T10"]]

    found = faults.find_revokes(hands=held, leader=0, plays=plays, ruleset=FFT)

    assert [r.seat for r in found] == [1]  # seat 2 had to undertrump, seat 3 went over


def test_a_card_that_a_seat_never_had_is_refused():
    with pytest.raises(Illegal) as refusal:
        faults.find_revokes(
            hands=hands("S4", "S5", "S6", "S7"),
            leader=0,
            plays=[tarot.card_from("HR")],
            ruleset=FFT,
        )

    assert refusal.value.code == "card_not_held"


def test_every_revoke_that_is_made_is_found():
    chance = Random(5)
    for _ in range(40):
        deal = random_deal(chance, FFT)
        play, left = deal.play(), list(deal.hands)
        made = play_with_one_revoke(play, left, chance)

        found = faults.find_revokes(
            hands=deal.hands, leader=play.leader, plays=made.plays, ruleset=FFT
        )

        assert [(r.play, r.seat) for r in found] == made.revokes


class Made:
    """Cards as played, and where a duty was broken."""

    def __init__(self) -> None:
        self.plays: list[int] = []
        self.revokes: list[tuple[int, int]] = []


def play_with_one_revoke(play: tarot.Play, left: list[int], chance: Random) -> Made:
    """Play on until somebody can break a duty; let him, and stop there."""
    made = Made()
    while not play.is_over:
        seat = play.turn
        illegal = [c for c in tarot.cards_in(left[seat]) if c not in play.legal]
        if illegal and len(made.plays) > 12:
            made.revokes.append((len(made.plays), seat))
            made.plays.append(chance.choice(illegal))
            break
        card = chance.choice(play.legal)
        play.play(card)
        made.plays.append(card)
        left[seat] ^= 1 << card
    return made


# Counts, discard, dog


def test_a_wrong_count_before_play_voids_the_deal():
    ruling = faults.wrong_count(faults.Found.BEFORE_PLAY)

    assert ruling.standing is Standing.VOID
    assert ruling.barred
    assert ruling.penalty == 0
    assert faults.wrong_count(faults.Found.BEFORE_PLAY, hidden_by_dealer=True).penalty == 500


def test_a_misdeal_found_in_play_counts_if_the_taker_wins():
    ruling = faults.wrong_count(faults.Found.IN_PLAY)

    assert ruling.standing.counts(made=True)
    assert not ruling.standing.counts(made=False)


def test_seven_cards_discarded_cost_the_last_trick_and_the_dearest_of_them():
    discard = cards("S1 S2 S3 S4 S5 SD SV")
    last = [tarot.card_from(code) for code in ("H1", "H2", "H3")]

    ruling = faults.false_discard(discard, last, FFT)

    assert ruling.cards == cards("H1 H2 H3 SD")
    assert ruling.cards_to is DEFENCE
    assert ruling.half_points_moved == 3 + 7
    assert ruling.standing is Standing.VOID_IF_MADE


def test_five_cards_discarded_give_the_taker_the_last_trick_without_petit_au_bout():
    last = [tarot.card_from(code) for code in ("H1", "T1", "H3", "H4")]

    ruling = faults.false_discard(cards("S1 S2 S3 S4 S5"), last, FFT)

    assert ruling.cards == cards("H1 T1 H3 H4")
    assert ruling.cards_to is ATTACK
    assert ruling.petit_au_bout_lost


def test_a_discard_of_the_right_size_moves_nothing():
    ruling = faults.false_discard(cards("S1 S2 S3 S4 S5 S6"), [], FFT)

    assert (ruling.cards, ruling.cards_to, ruling.half_points_moved) == (0, None, 0)


def test_a_dog_seen_by_the_defence_voids_a_lost_deal_unless_the_taker_saw_it_too():
    assert faults.dog_seen().standing is Standing.VOID_IF_LOST
    assert faults.dog_seen(by_taker_too=True).standing is Standing.COUNTS


def test_a_hand_thrown_in_counts_only_if_the_taker_wins():
    assert faults.hand_thrown_in().standing is Standing.VOID_IF_LOST


# Poignées (CA p.8)

P = faults.PoigneeStanding


@pytest.mark.parametrize(
    ("fault", "side", "standing", "poignee"),
    [
        (Fault.PUT_RIGHT_IN_TIME, ATTACK, Standing.COUNTS, P.COUNTS),
        (Fault.PUT_RIGHT_IN_TIME, DEFENCE, Standing.COUNTS, P.COUNTS),
        (Fault.INCOMPLETE, ATTACK, Standing.COUNTS, P.NOT_COUNTED),
        (Fault.INCOMPLETE, DEFENCE, Standing.VOID_IF_LOST, P.NOT_COUNTED),
        (Fault.TOO_MANY, ATTACK, Standing.COUNTS, P.COUNTS),
        (Fault.TOO_MANY, DEFENCE, Standing.VOID_IF_LOST, P.COUNTS_IF_MADE),
        (Fault.TOO_LATE, ATTACK, Standing.COUNTS, P.COUNTS_IF_LOST),
        (Fault.TOO_LATE, DEFENCE, Standing.VOID_IF_LOST, P.COUNTS_IF_MADE),
        (Fault.EXCUSE_HIDES_A_TRUMP, ATTACK, Standing.VOID_IF_MADE, P.COUNTS),
        (Fault.EXCUSE_HIDES_A_TRUMP, DEFENCE, Standing.VOID_IF_LOST, P.COUNTS),
    ],
)
def test_a_faulty_poignee_is_judged_by_fault_and_side(fault, side, standing, poignee):
    ruling = faults.poignee_fault(fault, side)

    assert (ruling.standing, ruling.poignee) == (standing, poignee)
    assert ruling.warning_first is (fault is Fault.PUT_RIGHT_IN_TIME)


# The sheet and manners


@pytest.mark.parametrize(
    ("fault", "penalty"),
    [
        ("sheet_not_zero", 100),
        ("sheet_without_names", 100),
        ("sheet_not_returned", 400),
        ("slowness", 100),
        ("slowness_again", 200),
        ("hesitation", 100),
        ("smoking", 100),
    ],
)
def test_faults_that_touch_no_card_have_their_price(fault, penalty):
    assert faults.TABLE_FAULTS[faults.TableFault(fault)].penalty == penalty
    assert set(faults.TABLE_FAULTS) == set(faults.TableFault)
