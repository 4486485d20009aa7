"""The bidding, call by call (RO p.5), and the ways of seed 004."""

from __future__ import annotations

import pytest

from rules_engine import tarot
from rules_engine.errors import Illegal
from tests.rules_engine.tarot_tables import cards

FFT = tarot.ruleset("fft")


def bidding(*calls: str, rules: tarot.Ruleset = FFT, dealer: int = 3, barred=()) -> tarot.Auction:
    """A bidding after these calls; the dealer's right-hand neighbour is seat 0."""
    auction = tarot.Auction(rules=rules, dealer=dealer, barred=barred)
    for call in calls:
        auction.call(tarot.Call(call))
    return auction


def legal(auction: tarot.Auction) -> list[str]:
    return [str(call) for call in auction.legal]


def outcome(auction: tarot.Auction) -> tuple[int, str] | None:
    taken = auction.taken
    return None if taken is None else (taken.taker, str(taken.contract))


def test_the_player_at_the_dealers_right_speaks_first_and_the_dealer_last():
    auction = bidding(dealer=1)

    order = []
    while auction.turn is not None:
        order.append(auction.turn)
        auction.call(tarot.Call.PASS)

    assert order == [2, 3, 0, 1]


def test_everybody_calls_once_and_the_highest_bid_takes():
    auction = bidding("petite", "pass", "garde_sans", "pass")

    assert auction.is_over
    assert outcome(auction) == (2, "garde_sans")
    assert auction.calls[2] == (2, tarot.Call.GARDE_SANS)
    assert auction.legal == ()


def test_each_bid_is_higher_than_the_last():
    assert legal(bidding("petite")) == ["pass", "garde", "garde_sans", "garde_contre"]
    assert legal(bidding("garde", "pass")) == ["pass", "garde_sans", "garde_contre"]
    assert legal(bidding("garde_contre")) == ["pass"]
    with pytest.raises(Illegal) as refusal:
        bidding("garde", "petite")
    assert refusal.value.code == "bid_too_low"
    with pytest.raises(Illegal):
        bidding("garde", "garde")


def test_when_all_pass_nobody_takes():
    auction = bidding("pass", "pass", "pass", "pass")

    assert auction.is_over
    assert auction.taken is None
    with pytest.raises(Illegal, match="is over"):
        auction.call(tarot.Call.PASS)


@pytest.mark.parametrize("name", ["petite", "garde", "garde_sans", "garde_contre"])
def test_a_garde_without_or_against_the_dog_calls_the_referee(name):
    taken = bidding(name, "pass", "pass", "pass").taken

    assert taken.calls_the_referee is (name in {"garde_sans", "garde_contre"})


def test_who_spoilt_the_deal_before_may_only_pass():
    """CA p.4."""
    auction = bidding("pass", barred=[1])

    assert legal(auction) == ["pass"]
    with pytest.raises(Illegal) as refusal:
        auction.call(tarot.Call.GARDE)
    assert refusal.value.code == "barred_from_bidding"


def test_the_pousse_stands_between_petite_and_garde_where_it_is_played():
    """Seed 004."""
    assert legal(bidding("petite", rules=tarot.ruleset("pousse"))) == [
        "pass",
        "pousse",
        "garde",
        "garde_sans",
        "garde_contre",
    ]
    with pytest.raises(Illegal) as refusal:
        bidding("pousse")
    assert refusal.value.code == "contract_not_played"


# Parole (seed 004)


def test_parole_is_not_said_in_a_tournament():
    with pytest.raises(Illegal) as refusal:
        bidding("parole")

    assert refusal.value.code == "parole_not_allowed"


def test_who_said_parole_has_a_call_in_a_second_round():
    parole = tarot.ruleset("parole")

    auction = bidding("parole", "pass", "parole", "petite", rules=parole)

    assert auction.turn == 0
    assert legal(auction) == ["pass", "garde", "garde_sans", "garde_contre"]
    auction.call(tarot.Call.GARDE)
    assert auction.turn == 2
    auction.call(tarot.Call.PASS)
    assert auction.is_over
    assert outcome(auction) == (0, "garde")


def test_parole_is_free_to_bid_a_petite_when_nobody_has_bid():
    auction = bidding("parole", "pass", "pass", "pass", rules=tarot.ruleset("parole"))

    assert legal(auction)[:2] == ["pass", "petite"]


def test_where_parole_promises_a_garde_nothing_lower_is_bid():
    auction = bidding("parole", "pass", "pass", "pass", rules=tarot.ruleset("parole-garde"))

    assert legal(auction) == ["pass", "garde", "garde_sans", "garde_contre"]


def test_parole_is_said_before_any_bid_and_only_once():
    parole = tarot.ruleset("parole")

    assert "parole" not in legal(bidding("petite", rules=parole))
    again = bidding("parole", "pass", "pass", "pass", rules=parole)
    assert "parole" not in legal(again)
    again.call(tarot.Call.PASS)
    assert again.is_over
    assert again.taken is None


# Overbidding after being outbid (seed 004)


def test_who_was_outbid_may_bid_higher_or_leave_it():
    auction = bidding("petite", "garde", "pass", "pass", rules=tarot.ruleset("overbid"))

    assert auction.turn == 0
    assert legal(auction) == ["pass", "garde_sans", "garde_contre"]
    auction.call(tarot.Call.GARDE_SANS)
    assert auction.turn == 1
    auction.call(tarot.Call.PASS)
    assert auction.is_over
    assert outcome(auction) == (0, "garde_sans")


def test_who_passed_does_not_come_back():
    auction = bidding("pass", "petite", "garde", "pass", rules=tarot.ruleset("overbid"))

    assert auction.turn == 1
    auction.call(tarot.Call.PASS)
    assert auction.is_over
    assert outcome(auction) == (2, "garde")


# Petit sec


def dealt_with(*hands: str) -> tarot.DealtCards:
    return tarot.DealtCards(dealer=0, hands=tuple(map(cards, hands)), dog=0)


def test_a_petit_sec_voids_the_deal_before_anybody_speaks():
    """RO p.5."""
    with pytest.raises(Illegal) as refusal:
        tarot.open_bidding(dealt_with("T1 S2", "T2"), FFT)

    assert refusal.value.code == "petit_sec"


def test_the_bidding_opens_when_no_petit_is_sec_or_the_table_plays_it():
    plays_it = tarot.Ruleset.from_json({**FFT.to_json(), "name": "house", "petit_sec": "play"})

    assert tarot.open_bidding(dealt_with("T1 EX", "T2"), FFT).turn == 1
    assert tarot.open_bidding(dealt_with("T1 S2", "T2"), plays_it).turn == 1
