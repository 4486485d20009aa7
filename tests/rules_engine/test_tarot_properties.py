"""What holds for every deal: thousands of random ones, and a second, naive engine beside ours."""

from __future__ import annotations

import json
import os
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules_engine import tarot
from tests.rules_engine import naive_tarot
from tests.rules_engine.tarot_tables import RandomDeal, random_deal

#: How many random deals the two engines play against each other; TAROT_DEALS=20000 plays all.
DEALS = int(os.environ.get("TAROT_DEALS", "1500"))

RULES = {size: tarot.ruleset("fft").for_players(size) for size in (3, 4, 5)}
each_size = pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
seeds = st.integers(min_value=0, max_value=2**32)
a_deal = st.builds(
    lambda seed, size: random_deal(Random(seed), RULES[size]), seeds, st.sampled_from([3, 4, 5])
)
many = settings(max_examples=120, deadline=None)


def played_out(deal: RandomDeal, seed: int) -> tarot.Play:
    play = deal.play()
    play.play_out(Random(seed).getrandbits)
    return play


def record_of(deal: RandomDeal, play: tarot.Play) -> tarot.DealRecord:
    return tarot.DealRecord(
        ruleset=deal.rules,
        dealer=deal.dealt.dealer,
        hands=deal.dealt.hands,
        dog=deal.dealt.dog,
        taker=deal.taker,
        contract=deal.contract,
        called_card=deal.called,
        partner=deal.attack[1] if len(deal.attack) > 1 else None,
        discard=deal.discard or None,
        plays=tuple(play.cards),
    )


def without_petit_sec(deal: RandomDeal) -> bool:
    return deal.dealt.petit_sec is None


a_playable_deal = a_deal.filter(without_petit_sec)


@many
@given(a_deal)
def test_dealing_conserves_the_pack(deal):
    hands, dog = deal.dealt.hands, deal.dealt.dog

    assert sum(hands) + dog == (1 << 78) - 1
    assert sum(hand.bit_count() for hand in hands) + dog.bit_count() == 78


@many
@given(a_deal, seeds)
def test_there_is_always_a_legal_card_until_all_are_played(deal, seed):
    play, chance = deal.play(), Random(seed)

    for _ in range(sum(hand.bit_count() for hand in deal.hands)):
        held = play.hands[play.turn]
        assert play.legal
        assert all(held >> card & 1 for card in play.legal)
        play.play(chance.choice(play.legal))

    assert play.is_over
    assert sorted(play.cards) == sorted(tarot.cards_in(sum(deal.hands)))


@many
@given(a_deal, seeds)
def test_the_points_of_both_sides_make_91(deal, seed):
    play = played_out(deal, seed)
    defence = tuple(seat for seat in range(deal.rules.players) if seat not in deal.attack)
    other = played_out(deal, seed)
    other.attack = defence
    rest = (1 << 78) - 1 - sum(deal.hands) - deal.aside

    ours = tarot.count_cards(play, aside=deal.aside)
    theirs = tarot.count_cards(other, aside=rest)

    assert ours.half_points + theirs.half_points == tarot.PACK_HALF_POINTS
    assert ours.bouts + theirs.bouts == 3
    assert ours.tricks + theirs.tricks == ours.of_tricks


@many
@given(a_playable_deal, seeds)
def test_the_scores_of_a_played_deal_sum_to_zero(deal, seed):
    record = record_of(deal, played_out(deal, seed))

    assert sum(record.scores) == 0


@many
@given(a_playable_deal, seeds)
def test_replaying_the_record_gives_the_same_result(deal, seed):
    record = record_of(deal, played_out(deal, seed))

    again = tarot.record_from_json(json.loads(json.dumps(tarot.record_to_json(record))))

    assert again == record
    assert (again.count, again.scores) == (record.count, record.scores)


@many
@given(a_playable_deal, seeds)
def test_the_text_of_a_record_gives_the_same_record(deal, seed):
    record = record_of(deal, played_out(deal, seed))
    document = tarot.Notation(ruleset=deal.rules, deals=(record,))

    text = tarot.write_tdn(document)

    assert tarot.read_tdn(text) == document
    assert tarot.write_tdn(tarot.read_tdn(text)) == text


@many
@given(a_playable_deal, seeds, st.data())
def test_hidden_cards_never_appear_in_a_masked_record(deal, seed, data):
    record = record_of(deal, played_out(deal, seed))
    seat = data.draw(st.sampled_from([None, *range(deal.rules.players)]))
    plays = data.draw(st.integers(min_value=0, max_value=len(record.plays) - 1))

    masked = record.masked(seat, plays=plays)

    takes_dog = deal.contract.takes_dog
    seen = tarot.card_set(record.plays[:plays])
    seen |= 0 if seat is None else deal.dealt.hands[seat]
    seen |= deal.dealt.dog if takes_dog else 0
    seen |= sum(1 << card for card in tarot.cards_in(deal.discard) if card <= 21)
    seen |= deal.discard if seat == deal.taker else 0
    text = json.dumps(tarot.record_to_json(masked))
    for card in tarot.cards_in(~seen & (1 << 78) - 1):
        if card != deal.called:
            assert f'"{tarot.code_of(card)}"' not in text
    assert masked.play is None or seat is not None
    document = tarot.Notation(ruleset=deal.rules, deals=(masked,))
    assert tarot.read_tdn(tarot.write_tdn(document)) == document


@many
@given(a_deal, seeds)
def test_no_seat_sees_the_cards_of_another_while_playing(deal, seed):
    play, chance = deal.play(), Random(seed)
    for _ in range(chance.randrange(len(deal.hands) * 3)):
        play.play(chance.choice(play.legal))

    views = [play.view(seat) for seat in range(deal.rules.players)]

    for view in views:
        assert view.hand == play.hands[view.seat]
        assert bool(view.legal) is (view.seat == play.turn)
        assert set(view.table) | set(view.previous) <= set(play.cards)


@each_size
def test_the_naive_engine_agrees_on_random_deals(rules):
    chance = Random(f"naive {rules.players}")

    for _ in range(DEALS // 3):
        deal = random_deal(chance, rules)
        compare(deal, chance)


def compare(deal: RandomDeal, chance: Random) -> None:
    """Play one deal in both engines, comparing every legal set and then the whole outcome."""
    play, players = deal.play(), deal.rules.players
    hands = [tarot.codes_of(hand) for hand in deal.hands]
    called = None if deal.called is None else tarot.code_of(deal.called)
    leader = play.leader
    tricks: list[list[str]] = [[]]
    while not play.is_over:
        seat, first = play.turn, len(tricks) == 1
        expected = naive_tarot.legal(hands[seat], tricks[-1], called=called, first_trick=first)
        assert {tarot.code_of(card) for card in play.legal} == expected
        card = chance.choice(play.legal)
        play.play(card)
        hands[seat].remove(tarot.code_of(card))
        tricks[-1].append(tarot.code_of(card))
        if len(tricks[-1]) == players:
            tricks.append([])
    naive = naive_tarot.count_and_score(
        players=players,
        leader=leader,
        tricks=tricks[:-1],
        attack=deal.attack,
        contract=deal.contract,
        aside=tarot.codes_of(deal.aside),
        dog=tarot.codes_of(deal.dealt.dog),
    )
    count = tarot.count_cards(play, aside=deal.aside)
    score = tarot.score_deal(
        tarot.deal_of(count, ruleset=deal.rules, contract=deal.contract, attack=deal.attack)
    )
    assert play.winners == naive["winners"]
    assert count.half_points == 2 * naive["points"]
    assert (count.bouts, count.tricks) == (naive["bouts"], naive["tricks"])
    assert count.petit_au_bout == naive["petit"]
    assert score.made == naive["made"]
    assert list(score.by_seat(players, *deal.attack)) == naive["scores"]


@each_size
def test_playing_out_by_lot_is_playing_the_same_cards_one_by_one(rules):
    chance = Random(f"lots {rules.players}")

    for seed in range(60):
        deal = random_deal(chance, rules)
        at_once, one_by_one, half_way = deal.play(), deal.play(), deal.play()
        at_once.play_out(Random(seed).getrandbits)
        draw = Random(seed).getrandbits
        while not one_by_one.is_over:
            one_by_one.play(one_by_one.legal[draw(30) % len(one_by_one.legal)])
        draw = Random(seed).getrandbits
        for _ in range(seed % 20):
            half_way.play(half_way.legal[draw(30) % len(half_way.legal)])
        half_way.play_out(draw)

        assert at_once.cards == one_by_one.cards == half_way.cards
        assert at_once.winners == one_by_one.winners == half_way.winners
        assert at_once.is_over
