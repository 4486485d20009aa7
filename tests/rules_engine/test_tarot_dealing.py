"""Drawing for the deal, cutting, dealing, the dog, and what is dealt again (RO p.4-5, CA p.4)."""

from __future__ import annotations

import pytest

from rules_engine import tarot
from rules_engine.errors import Illegal
from rules_engine.tarot.dealing import PACKET_SIZES, check_dog, packets_of, usual_dog
from tests.rules_engine.tarot_tables import cards

NEW_PACK = tuple(range(78))
FFT = tarot.ruleset("fft")


def drawn(*codes: str) -> list[int]:
    return [tarot.card_from(code) for code in codes]


# Who deals first (RO p.4)


@pytest.mark.parametrize(
    ("draws", "dealer"),
    [
        (("H9", "S4", "DR", "T3"), 1),  # the lowest rank deals
        (("T1", "SR", "T2", "T3"), 1),  # trumps rank above the suits
        (("S4", "H4", "D4", "C4"), 3),  # of equals clubs are the lowest
        (("S4", "H4", "D4", "C5"), 2),
        (("S4", "H4", "D5", "C5"), 1),
        (("S1", "C1", "H1", "D1"), 1),  # the ace of clubs is the lowest card of all
        (("T5", "T3", "T20", "T4"), 1),
    ],
)
def test_the_lowest_card_drawn_deals_first(draws, dealer):
    assert tarot.first_dealer(drawn(*draws)) == dealer


def test_who_draws_the_excuse_draws_again():
    with pytest.raises(Illegal) as refusal:
        tarot.first_dealer(drawn("S4", "EX", "H2", "D3"))

    assert refusal.value.code == "excuse_drawn"
    assert refusal.value.gaps == {"seat": 1}


def test_one_card_cannot_be_drawn_twice():
    with pytest.raises(Illegal, match="drawn twice"):
        tarot.first_dealer(drawn("S4", "S4", "H2"))


def test_the_first_dealer_is_drawn_by_lot_and_never_with_the_excuse():
    for seed in range(60):
        dealer, draws = tarot.draw_first_dealer(5, tarot.chance(seed))
        assert len(set(draws)) == 5
        assert tarot.EXCUSE not in draws
        assert dealer == tarot.first_dealer(draws)


def test_the_deal_passes_to_the_right():
    assert [tarot.next_dealer(dealer, 4) for dealer in range(4)] == [1, 2, 3, 0]


def test_at_a_table_of_five_with_one_sitting_out_the_dealer_deals_to_the_others():
    """RO p.12, the table of five with a dead player."""
    assert tarot.seats_in_play(3, tarot.ruleset("one-sits-out")) == (4, 0, 1, 2)
    assert tarot.seats_in_play(3, FFT) == (0, 1, 2, 3)


# The cut (RO p.4)


@pytest.mark.parametrize("taken", [3, 75, 0, 78, -5])
def test_a_cut_takes_and_leaves_more_than_three_cards(taken):
    with pytest.raises(Illegal, match="at least 4"):
        tarot.cut_pack(NEW_PACK, taken)


def test_the_upper_part_goes_below():
    assert tarot.cut_pack(NEW_PACK, 4)[:2] == (4, 5)
    assert tarot.cut_pack(NEW_PACK, 74)[-1] == 73
    assert tarot.cut_pack(NEW_PACK, 3, at_least=3)[0] == 3  # seed 000


# Shuffling and dealing


def test_a_seed_gives_the_same_pack_under_every_version():
    """The order is fixed here for good: a stored seed must deal the same board again."""
    pack = tarot.shuffled_pack(tarot.chance("board 1"))

    assert [tarot.code_of(card) for card in pack[:8]] == FIRST_OF_BOARD_1
    assert sorted(pack) == list(NEW_PACK)


FIRST_OF_BOARD_1 = ["T21", "C3", "C7", "S1", "HR", "T11", "DC", "SC"]


def test_without_a_seed_no_two_packs_are_alike():
    assert tarot.shuffled_pack(tarot.chance()) != tarot.shuffled_pack(tarot.chance())


def test_each_card_is_drawn_from_those_that_are_left():
    """Numbers near 0 always take the first of them, numbers near 1 the last."""
    assert tarot.shuffled_pack(lambda: 0.0) == NEW_PACK
    assert tarot.shuffled_pack(lambda: 1 - 2**-53) == NEW_PACK[::-1]


@pytest.mark.parametrize("place", [0, 1, 39, 76, 77])
def test_every_card_is_as_likely_at_every_place(place):
    draw = tarot.chance("fair")
    there = [tarot.shuffled_pack(draw)[place] for _ in range(7800)]

    counts = [there.count(card) for card in range(78)]

    assert min(counts) > 60
    assert max(counts) < 145


@pytest.mark.parametrize(("players", "size", "dog"), [(3, 24, 6), (4, 18, 6), (5, 15, 3)])
def test_hands_and_dog_have_the_federations_sizes(players, size, dog):
    dealt = tarot.deal_cards(FFT.for_players(players), dealer=0, pack=NEW_PACK)

    assert [hand.bit_count() for hand in dealt.hands] == [size] * players
    assert dealt.dog.bit_count() == dog


@pytest.mark.parametrize(("players", "packet"), [(3, 4), (4, 3), (5, 3)])
def test_the_first_packet_goes_to_the_dealers_right(players, packet):
    dealt = tarot.deal_cards(FFT.for_players(players), dealer=1, pack=NEW_PACK)

    assert PACKET_SIZES[players] == packet
    assert dealt.hands[2 % players] & 0b1111 >> 4 - packet == (1 << packet) - 1
    assert dealt.dealer == 1


def test_the_dog_gets_the_cards_that_the_dealer_wishes():
    dealt = tarot.deal_cards(FFT, dealer=3, pack=NEW_PACK, dog_after=(1, 2, 3, 4, 5, 23))

    assert [*tarot.cards_in(dealt.dog)] == [3, 7, 11, 15, 19, 74]


def test_seed_000_gives_the_dog_a_card_after_each_round_and_the_last_of_the_pack():
    dealt = tarot.deal_cards(tarot.ruleset("seed-000"), dealer=3, pack=NEW_PACK)

    assert [*tarot.cards_in(dealt.dog)] == [12, 25, 38, 51, 64, 77]
    three = tarot.deal_cards(tarot.ruleset("seed-000-3"), dealer=0, pack=NEW_PACK)
    assert [*tarot.cards_in(three.dog)] == [12, 25, 38, 51, 64, 77]
    five = tarot.deal_cards(tarot.ruleset("seed-000-5"), dealer=0, pack=NEW_PACK)
    assert [*tarot.cards_in(five.dog)] == [45, 61, 77]


@pytest.mark.parametrize("name", [n for n in tarot.PRESETS if not n.startswith("seed-000")])
def test_the_dog_never_gets_the_first_or_last_three_cards(name):
    rules = tarot.PRESETS[name]
    packets = packets_of(rules.players)

    check_dog(rules, usual_dog(rules))
    dog = tarot.deal_cards(rules, dealer=0, pack=NEW_PACK).dog
    assert all(2 < card < 75 for card in tarot.cards_in(dog))
    for wish in (0, packets):
        with pytest.raises(Illegal, match="dog"):
            check_dog(rules, (*usual_dog(rules)[1:], wish))


@pytest.mark.parametrize(
    ("name", "dog_after", "allowed"),
    [
        ("fft", (1, 2, 3, 4, 5, 6), True),
        ("fft", (1, 1, 3, 4, 5, 6), False),  # one by one (RO p.4)
        ("seed-003", (1, 1, 3, 4, 5, 6), False),
        ("seed-004", (1, 1, 1, 4, 4, 4), True),  # at most three at once
        ("seed-004", (1, 1, 1, 1, 4, 4), False),
        ("fft", (1, 2, 3, 4, 5), False),  # six cards, no fewer
        ("seed-000", (4, 8, 12, 16, 20, 24), True),
        ("seed-000", (3, 8, 12, 16, 20, 24), False),
    ],
)
def test_each_source_says_how_the_dog_may_be_built(name, dog_after, allowed):
    rules = tarot.ruleset(name)

    if allowed:
        check_dog(rules, dog_after)
        assert tarot.deal_cards(rules, dealer=0, pack=NEW_PACK, dog_after=dog_after).dog
    else:
        with pytest.raises(Illegal) as refusal:
            tarot.deal_cards(rules, dealer=0, pack=NEW_PACK, dog_after=dog_after)
        assert refusal.value.code == "dog_built_wrongly"


# Petit sec (RO p.5)


@pytest.mark.parametrize(
    ("hand", "petit_sec"),
    [
        ("T1 S2 H5", True),
        ("T1 EX S2", False),  # with the Excuse beside it
        ("T1 T2 S2", False),
        ("T2 S2 H5", False),
        ("EX S2 H5", False),
        ("S2 H5 D1", False),
    ],
)
def test_the_petit_is_sec_as_the_only_trump_without_the_excuse(hand, petit_sec):
    assert tarot.is_petit_sec(cards(hand)) is petit_sec


def test_dealt_cards_name_the_seat_with_a_petit_sec():
    clean = tarot.DealtCards(dealer=0, hands=(cards("T1 T2"), cards("S2")), dog=0)
    void = tarot.DealtCards(dealer=0, hands=(cards("S2"), cards("T1 S3")), dog=0)

    assert clean.petit_sec is None
    assert void.petit_sec == 1


# What is dealt again (RO p.5, CA p.4, 7)


@pytest.mark.parametrize(
    ("void", "by", "dealer", "barred"),
    [
        (tarot.Void.ALL_PASS, None, 2, ()),
        (tarot.Void.PETIT_SEC, None, 2, ()),
        (tarot.Void.MISDEAL, None, 1, (1,)),
        (tarot.Void.CARD_TURNED, 3, 1, (3,)),
        (tarot.Void.CARD_TURNED, None, 1, ()),
        (tarot.Void.CARD_TURNED_IN_CUTTING, 0, 1, ()),
        (tarot.Void.WRONG_DEALER, 0, 0, ()),
    ],
)
def test_a_void_deal_is_dealt_again_by_the_right_player(void, by, dealer, barred):
    assert tarot.redeal(void, dealer=1, rules=FFT, by=by) == tarot.Redeal(
        dealer=dealer, barred=frozenset(barred)
    )


def test_who_sits_out_deals_on_until_somebody_takes():
    rules = tarot.ruleset("one-sits-out")

    assert tarot.redeal(tarot.Void.ALL_PASS, dealer=4, rules=rules).dealer == 4
    assert tarot.redeal(tarot.Void.PETIT_SEC, dealer=4, rules=rules).dealer == 0


@pytest.mark.parametrize(
    ("turned", "misdeal"),
    [("H10", False), ("S1", False), ("HV", True), ("DR", True), ("T2", True), ("EX", True)],
)
def test_only_a_court_card_a_trump_or_the_excuse_turned_up_is_a_misdeal(turned, misdeal):
    assert tarot.is_misdeal(tarot.card_from(turned)) is misdeal
