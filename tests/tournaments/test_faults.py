from __future__ import annotations

import pytest

from tournaments.faults import FAULTS, Deal

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
    "slow_play": ((100, 200), False, Deal.COUNTS),
    "hesitation": ((100,), True, Deal.COUNTS),
    "touched_cards": ((100,), True, Deal.COUNTS),
    "smoking": ((100,), False, Deal.COUNTS),
    "dog_seen": ((100,), False, Deal.VOID_IF_LOST),
    "defender_count": ((), False, Deal.VOID_IF_LOST),
    "hand_thrown_in": ((), False, Deal.VOID_IF_LOST),
    "laid_down": ((), False, Deal.COUNTS),
    "poignee_shown_wrongly": ((100,), True, Deal.COUNTS),
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
