from __future__ import annotations

import pytest

from rules_engine import tarot
from rules_engine.tarot import irregularities
from tournaments.faults import FAULTS, Deal, Poignee, consequences

# The table of the referee's code (CA p.4-8), line by line: points of each time, warning first.
TABLE = {
    "hidden_misdeal": ((500,), False, Deal.VOID),
    "wrong_count": ((), False, Deal.VOID),
    "misdeal_in_play": ((), False, Deal.VOID_IF_LOST),
    "consumed_revoke": ((100,), False, Deal.VOID_IF_OFFENDER_WINS),
    "exposed_card": ((100,), True, Deal.COUNTS),
    "lead_out_of_turn": ((100,), True, Deal.COUNTS),
    "false_discard": ((), False, Deal.VOID_IF_MADE),
    "sheet_not_zero": ((100,), False, Deal.COUNTS),
    "sheet_unnamed": ((100,), False, Deal.COUNTS),
    "sheet_not_returned": ((400,), False, Deal.COUNTS),
    "slow_play": ((100, 200), False, Deal.REMOVED),
    "hesitation": ((100,), True, Deal.COUNTS),
    "touched_cards": ((100,), True, Deal.COUNTS),
    "smoking": ((100,), False, Deal.COUNTS),
    "dog_seen": ((100,), False, Deal.VOID_IF_LOST),
    "defender_count": ((), False, Deal.VOID_IF_LOST),
    "hand_thrown_in": ((), False, Deal.VOID_IF_LOST),
    "laid_down": ((), False, Deal.COUNTS),
    "poignee_shown_wrongly": ((100,), True, Deal.COUNTS),
    "poignee_incomplete_taker": ((), False, Deal.COUNTS),
    "poignee_incomplete_defender": ((), False, Deal.VOID_IF_LOST),
    "poignee_too_many_taker": ((), False, Deal.COUNTS),
    "poignee_too_many_defender": ((), False, Deal.VOID_IF_LOST),
    "poignee_late_taker": ((), False, Deal.COUNTS),
    "poignee_late_defender": ((), False, Deal.VOID_IF_LOST),
    "poignee_excuse": ((), False, Deal.VOID_IF_OFFENDER_WINS),
    "dog_seen_by_all": ((100,), False, Deal.COUNTS),
    "important_card": ((100,), False, Deal.VOID_IF_OFFENDER_WINS),
}


@pytest.mark.parametrize("code", TABLE)
def test_a_fault_costs_what_the_code_says_and_does_to_the_deal_what_it_says(code):
    fault = FAULTS[code]

    assert (fault.amounts, fault.warning_first, fault.deal) == TABLE[code]


@pytest.mark.parametrize("code", ["hidden_misdeal", "wrong_count"])
def test_who_counted_wrongly_may_not_bid_on_the_next_deal(code):
    assert FAULTS[code].barred


@pytest.mark.parametrize("fault", FAULTS.values(), ids=str)
def test_a_warning_comes_before_points_only(fault):
    assert fault.amounts or not fault.warning_first
    assert all(points > 0 and points % 100 == 0 for points in fault.amounts)


def test_what_the_referee_grants_is_no_fault_and_costs_nothing():
    granted = {code for code, fault in FAULTS.items() if fault.granted}

    assert granted == {"garde_sans", "garde_contre", "announced_chelem"}
    assert not any(FAULTS[code].amounts for code in granted)


ATTACK, DEFENCE = tarot.Side.ATTACK, tarot.Side.DEFENCE
P, T = irregularities.PoigneeFault, irregularities.TableFault
# What the engine says of the same fault, of each side that can commit it.
ENGINE = {
    "hidden_misdeal": [
        irregularities.wrong_count(irregularities.Found.BEFORE_PLAY, hidden_by_dealer=True)
    ],
    "wrong_count": [irregularities.wrong_count(irregularities.Found.BEFORE_PLAY)],
    "misdeal_in_play": [irregularities.wrong_count(irregularities.Found.IN_PLAY)],
    "consumed_revoke": [irregularities.revoke(side, consumed=True) for side in tarot.Side],
    "exposed_card": [
        irregularities.exposed_card(DEFENCE),
        irregularities.revoke(DEFENCE, consumed=False),
    ],
    "important_card": [irregularities.exposed_card(side, important=True) for side in tarot.Side],
    "lead_out_of_turn": [irregularities.lead_out_of_turn()],
    "sheet_not_zero": [irregularities.TABLE_FAULTS[T.SHEET_NOT_ZERO]],
    "sheet_unnamed": [irregularities.TABLE_FAULTS[T.SHEET_WITHOUT_NAMES]],
    "sheet_not_returned": [irregularities.TABLE_FAULTS[T.SHEET_NOT_RETURNED]],
    "hesitation": [irregularities.TABLE_FAULTS[T.HESITATION]],
    "smoking": [irregularities.TABLE_FAULTS[T.SMOKING]],
    "dog_seen": [irregularities.dog_seen()],
    "dog_seen_by_all": [irregularities.dog_seen(by_taker_too=True)],
    "hand_thrown_in": [irregularities.hand_thrown_in()],
    "poignee_shown_wrongly": [
        irregularities.poignee_fault(P.PUT_RIGHT_IN_TIME, s) for s in tarot.Side
    ],
    "poignee_incomplete_taker": [irregularities.poignee_fault(P.INCOMPLETE, ATTACK)],
    "poignee_incomplete_defender": [irregularities.poignee_fault(P.INCOMPLETE, DEFENCE)],
    "poignee_too_many_taker": [irregularities.poignee_fault(P.TOO_MANY, ATTACK)],
    "poignee_too_many_defender": [irregularities.poignee_fault(P.TOO_MANY, DEFENCE)],
    "poignee_late_taker": [irregularities.poignee_fault(P.TOO_LATE, ATTACK)],
    "poignee_late_defender": [irregularities.poignee_fault(P.TOO_LATE, DEFENCE)],
    "poignee_excuse": [irregularities.poignee_fault(P.EXCUSE_HIDES_A_TRUMP, s) for s in tarot.Side],
}


@pytest.mark.parametrize("code", ENGINE)
def test_the_list_and_the_engine_rule_alike(code):
    fault = FAULTS[code]

    for ruling in ENGINE[code]:
        assert (fault.amounts or (0,))[0] == ruling.penalty
        assert fault.warning_first == ruling.warning_first
        assert fault.may_be_waived == ruling.may_be_waived
        assert fault.barred == ruling.barred
        assert fault.poignee == Poignee(str(ruling.poignee))
        if fault.deal != Deal.VOID_IF_OFFENDER_WINS:
            assert fault.deal == Deal(str(ruling.standing))
    if fault.deal == Deal.VOID_IF_OFFENDER_WINS:
        standings = [ruling.standing for ruling in ENGINE[code]]
        assert standings == [
            irregularities.Standing.VOID_IF_MADE,
            irregularities.Standing.VOID_IF_LOST,
        ]


def test_slow_play_costs_what_the_engine_says_the_first_time_and_again():
    said = (irregularities.TABLE_FAULTS[T.SLOWNESS], irregularities.TABLE_FAULTS[T.SLOWNESS_AGAIN])

    assert FAULTS["slow_play"].amounts == tuple(ruling.penalty for ruling in said)
    assert {ruling.standing for ruling in said} == {irregularities.Standing.VOID}


def test_every_poignee_fault_of_every_side_is_on_the_list():
    said = {(r.standing, r.poignee) for codes in ENGINE.values() for r in codes}

    for fault in P:
        for side in tarot.Side:
            ruling = irregularities.poignee_fault(fault, side)
            assert (ruling.standing, ruling.poignee) in said


def test_the_list_says_what_becomes_of_the_poignee():
    assert consequences(FAULTS["poignee_late_defender"]) == [
        "void if the taker loses",
        "the poignée counts only if the taker makes the contract",
    ]
