"""What a taker may discard and call (RO p.6, 8, 12), and poignées against the hand (RO p.7)."""

from __future__ import annotations

import pytest

from rules_engine import tarot
from rules_engine.errors import Illegal
from tests.rules_engine.tarot_tables import cards

FFT, FIVE = tarot.ruleset("fft"), tarot.ruleset("fft-5")
Size = tarot.PoigneeSize

#: A hand of 24 with the dog in it: plenty of small cards.
PLAIN_HAND = cards("S1 S2 S3 S4 SR SD H1 H2 H3 HR D1 D2 D3 C1 C2 CR EX T1 T2 T3 T4 T5 T6 T21")
#: Four kings, fifteen trumps and the Excuse: only four other cards.
TRUMP_HAND = cards("SR HR DR CR EX T1 T2 T3 T4 T5 T6 T7 T8 T9 T10 T11 T12 T13 T14 T15 S1 S2 H1 H2")


def code_of_refusal(hand, discard, rules=FFT):
    with pytest.raises(Illegal) as refusal:
        tarot.check_discard(hand, cards(discard), rules)
    assert refusal.value.field == "discard"
    return refusal.value.code


def test_small_cards_and_court_cards_below_the_king_may_be_discarded():
    assert tarot.check_discard(PLAIN_HAND, cards("S1 S2 S3 SD H1 C1"), FFT) == 0


@pytest.mark.parametrize(
    ("discard", "code"),
    [
        ("S1 S2 S3 SR H1 C1", "king_discarded"),
        ("S1 S2 S3 EX H1 C1", "bout_discarded"),
        ("S1 S2 S3 T21 H1 C1", "bout_discarded"),
        ("S1 S2 S3 T1 H1 C1", "bout_discarded"),
        ("S1 S2 S3 T5 H1 C1", "trump_discarded"),
        ("S1 S2 S3 H1 C1", "discard_wrong_count"),
        ("S1 S2 S3 H1 C1 C2 D1", "discard_wrong_count"),
        ("S1 S2 S3 H1 C1 C9", "discard_not_held"),
    ],
)
def test_kings_bouts_and_avoidable_trumps_are_never_discarded(discard, code):
    assert code_of_refusal(PLAIN_HAND, discard) == code


def test_trumps_go_only_when_nothing_else_is_left_and_are_shown():
    shown = tarot.check_discard(TRUMP_HAND, cards("S1 S2 H1 H2 T5 T6"), FFT)

    assert shown == cards("T5 T6")
    assert code_of_refusal(TRUMP_HAND, "S1 S2 H1 T4 T5 T6") == "trump_discarded"
    assert code_of_refusal(TRUMP_HAND, "S1 S2 H1 H2 T5 T1") == "bout_discarded"


def test_what_may_be_discarded_is_told_beforehand():
    may = tarot.discardable(TRUMP_HAND, FFT)

    assert (may.size, may.trumps_owed) == (6, 2)
    assert may.plain == cards("S1 S2 H1 H2")
    assert may.trumps & cards("T1 T21 EX") == 0
    assert tarot.discardable(PLAIN_HAND, FFT).trumps == 0


def test_at_five_the_discard_is_three_cards():
    assert tarot.check_discard(PLAIN_HAND, cards("S1 S2 S3"), FIVE) == 0
    assert code_of_refusal(PLAIN_HAND, "S1 S2 S3 H1 C1 C2", FIVE) == "discard_wrong_count"


@pytest.mark.parametrize("seed", ["seed-000", "seed-003"])
def test_where_no_trump_may_ever_go_a_hand_without_six_other_cards_cannot_discard(seed):
    rules = tarot.ruleset(seed)

    assert tarot.check_discard(PLAIN_HAND, cards("S1 S2 S3 SD H1 C1"), rules) == 0
    assert code_of_refusal(TRUMP_HAND, "S1 S2 H1 H2 T5 T6", rules) == "no_discard_left"


@pytest.mark.parametrize(
    ("contract", "aside"),
    [
        (tarot.Contract.PETITE, "S1"),
        (tarot.Contract.GARDE, "S1"),
        (tarot.Contract.GARDE_SANS, "HR"),
        (tarot.Contract.GARDE_CONTRE, ""),
    ],
)
def test_discard_or_dog_count_for_the_attack_as_the_contract_says(contract, aside):
    """RO p.6, 8."""
    assert tarot.cards_aside(contract, dog=cards("HR"), discard=cards("S1")) == cards(aside)


# The call (RO p.12)

KINGS, QUEENS, KNIGHTS = "SR HR DR CR", "SD HD DD CD", "SC HC DC CC"


@pytest.mark.parametrize(
    ("hand", "callable_cards"),
    [
        ("S1", KINGS),
        ("SR HR DR", KINGS),
        (KINGS, f"{KINGS} {QUEENS}"),
        (f"{KINGS} SD HD DD", f"{KINGS} {QUEENS}"),
        (f"{KINGS} {QUEENS}", f"{KINGS} {QUEENS} {KNIGHTS}"),
        (f"{KINGS} {QUEENS} {KNIGHTS}", f"{KINGS} {QUEENS} {KNIGHTS} SV HV DV CV"),
        (f"{KINGS} SC HC DC CC", f"{KINGS} {QUEENS}"),
    ],
)
def test_a_lower_card_is_called_only_with_all_the_higher_ones(hand, callable_cards):
    assert tarot.callable_cards(cards(hand), FIVE) == cards(callable_cards)


def test_seed_000_calls_a_queen_at_the_lowest():
    rules = tarot.ruleset("seed-000-5")

    called = tarot.callable_cards(cards(f"{KINGS} {QUEENS}"), rules)

    assert called == cards(f"{KINGS} {QUEENS}")


def test_a_card_that_may_not_be_called_is_refused():
    tarot.check_call(cards("SR"), tarot.card_from("HR"), FIVE)
    with pytest.raises(Illegal) as refusal:
        tarot.check_call(cards("SR"), tarot.card_from("HD"), FIVE)

    assert refusal.value.code == "card_not_callable"
    assert "HD" in refusal.value.message


def test_the_partner_holds_the_called_card():
    hands = [cards("SR"), cards("HR"), cards("DR"), cards("S1"), cards("S2")]

    assert tarot.partner_of(hands, taker=0, called=tarot.card_from("HR")) == 1
    assert tarot.partner_of(hands, taker=0, called=tarot.card_from("SR")) is None  # himself
    assert tarot.partner_of(hands, taker=0, called=tarot.card_from("CR")) is None  # in the dog


# Poignées (RO p.7, 11, 12)

TEN = "T3 T4 T5 T6 T7 T8 T9 T10 T11 T12"


@pytest.mark.parametrize(
    ("players", "trumps", "size"),
    [
        (4, 9, None),
        (4, 10, Size.SIMPLE),
        (4, 12, Size.SIMPLE),
        (4, 13, Size.DOUBLE),
        (4, 15, Size.TRIPLE),
        (3, 12, None),
        (3, 13, Size.SIMPLE),
        (3, 15, Size.DOUBLE),
        (3, 18, Size.TRIPLE),
        (5, 7, None),
        (5, 8, Size.SIMPLE),
        (5, 10, Size.DOUBLE),
        (5, 13, Size.TRIPLE),
    ],
)
def test_the_number_of_trumps_makes_the_poignee(players, trumps, size):
    hand = tarot.card_set(range(1, trumps + 1)) | cards("S1 S2")

    assert tarot.largest_poignee(hand, FFT.for_players(players)) == size


def test_the_excuse_replaces_a_missing_trump():
    hand = cards("EX T3 T4 T5 T6 T7 T8 T9 T10 T11")

    assert tarot.largest_poignee(hand, FFT) is Size.SIMPLE
    tarot.check_poignee(shown(Size.SIMPLE, hand), hand=hand, rules=FFT)


def shown(size, shown_cards=0) -> tarot.ShownPoignee:
    return tarot.ShownPoignee(seat=0, size=size, cards=shown_cards)


@pytest.mark.parametrize(
    ("hand", "showing", "code"),
    [
        (f"{TEN} S1", TEN, None),
        (f"{TEN} T13 T14", TEN, None),  # extra trumps are hidden at choice
        (f"{TEN} T13 T14", f"{TEN} T13", "poignee_wrong_count"),
        ("T3 T4 T5 S1", "T3 T4 T5", "poignee_too_few_trumps"),
        (f"{TEN} S1", "T3 T4 T5 T6 T7 T8 T9 T10 T11 T21", "poignee_cards_not_held"),
        (f"{TEN} S1", "T3 T4 T5 T6 T7 T8 T9 T10 T11 S1", "poignee_cards_not_held"),
        (f"{TEN} EX", "EX T3 T4 T5 T6 T7 T8 T9 T10 T11", "poignee_hides_a_trump"),
    ],
)
def test_a_poignee_shows_exactly_the_trumps_that_the_hand_holds(hand, showing, code):
    showing = shown(Size.SIMPLE, cards(showing))
    if code is None:
        tarot.check_poignee(showing, hand=cards(hand), rules=FFT)
        return
    with pytest.raises(Illegal) as refusal:
        tarot.check_poignee(showing, hand=cards(hand), rules=FFT)

    assert refusal.value.code == code


def test_with_four_kings_a_discarded_trump_is_shown_again_in_a_triple_poignee():
    """RO p.7, the special case."""
    fourteen = cards(KINGS) | tarot.card_set(range(1, 15))
    discarded = cards("T15")

    triple = shown(Size.TRIPLE, tarot.card_set(range(1, 16)))

    tarot.check_poignee(triple, hand=fourteen, rules=FFT, discarded_trumps=discarded)
    with pytest.raises(Illegal):
        tarot.check_poignee(triple, hand=fourteen, rules=FFT)
    without_a_king = fourteen ^ cards("SR")
    with pytest.raises(Illegal):
        tarot.check_poignee(triple, hand=without_a_king, rules=FFT, discarded_trumps=discarded)
