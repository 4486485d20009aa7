"""How tables of truco differ: presets, house rules, votes of one and three, lost connections."""

from __future__ import annotations

from contextlib import suppress
from copy import deepcopy
from random import Random

import pytest

from rules_engine import truco
from rules_engine.chance import chance
from rules_engine.errors import Illegal, RulesError, Unreadable
from rules_engine.truco import Ending, HandKind, Pair, Phase
from tests.rules_engine.truco_table import (
    PAULISTA,
    SEATS,
    a_hand,
    card,
    cards,
    play,
    play_rounds,
    refusal,
    result,
)

MINEIRO = truco.ruleset("mineiro")
FOUR_HANDS = ["QP KP 7P", "KE 4O 4E", "7E 5O 5E", "7C 6O 6E"]


# Presets


def test_every_preset_is_there_for_two_four_and_six():
    bases = {"paulista", "mineiro", "paulista-manilha-velha", "paulista-aberto"}

    assert set(truco.PRESETS) == {base + size for base in bases for size in ("", "-1v1", "-3v3")}
    for name, rules in truco.PRESETS.items():
        assert rules.name == name
        assert rules.players == (2 if "-1v1" in name else 6 if "-3v3" in name else 4)
    assert truco.ruleset("paulista-barajamos") is PAULISTA


@pytest.mark.parametrize("rules", truco.PRESETS.values(), ids=lambda rules: rules.name)
def test_a_ruleset_survives_json_and_a_change_of_size(rules):
    assert truco.Ruleset.from_json(rules.to_json()) == rules
    assert rules.for_players(2).for_players(6).for_players(rules.players) == rules


def test_the_default_ruleset_is_the_one_of_the_seed():
    assert PAULISTA.ladder == (1, 3, 6, 9, 12)
    assert (PAULISTA.target, PAULISTA.special_at) == (12, 11)
    assert (PAULISTA.special_play, PAULISTA.special_decline) == (3, 1)
    assert (PAULISTA.reply_seconds, PAULISTA.disconnect_seconds) == (10, 60)
    assert (PAULISTA.hand_win, PAULISTA.tie_lead) == ("paulista_standard", "opener")


def test_a_longer_match_has_its_special_hand_one_point_before_the_end():
    longer = PAULISTA.to(15)

    assert (longer.target, longer.special_at) == (15, 14)
    assert truco.kind_at(longer, (14, 11)) is HandKind.SPECIAL
    assert (PAULISTA.to(24).special_at, MINEIRO.to(24).special_at) == (23, 22)


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"players": 3}, "players"),
        ({"name": ""}, "name"),
        ({"version": 0}, "version"),
        ({"manilha": "none"}, "manilha"),
        ({"ladder": [1, 3, 3, 9, 12]}, "ladder"),
        ({"ladder": []}, "ladder"),
        ({"call_names": ["truco"]}, "call_names"),
        ({"call_names": ["truco", "seis", "nove", ""]}, "call_names"),
        ({"target": 0}, "target"),
        ({"special_at": 12}, "special_at"),
        ({"reply_seconds": 0}, "reply_seconds"),
        ({"cover_from_round": 4}, "cover_from_round"),
        ({"cover_limit_per_pair": 4}, "cover_limit_per_pair"),
    ],
)
def test_rules_that_no_table_can_play_are_refused(changes, field):
    with pytest.raises(Illegal) as refused:
        truco.Ruleset.from_json(PAULISTA.to_json() | changes)
    assert refused.value.field == field


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"ladder": [1, "3"]}, "mixed_list"),
        ({"ladder": [True, 3]}, "mixed_list"),
        ({"ladder": 3}, "not_a_list"),
        ({"target": "12"}, "not_a_whole_number"),
        ({"cap_score": 1}, "not_true_or_false"),
        ({"iron": 1}, "not_a_text"),
        ({"jokers": 2}, "unknown_field"),
    ],
)
def test_a_ruleset_of_another_type_is_refused(changes, code):
    with pytest.raises(Unreadable) as refused:
        truco.Ruleset.from_json(PAULISTA.to_json() | changes)
    assert refused.value.code == code


def test_other_rulesets_and_sizes_are_refused():
    with pytest.raises(Unreadable, match="no ruleset"):
        truco.ruleset("gaúcho")
    with pytest.raises(Illegal, match="2, 4 or 6"):
        PAULISTA.for_players(5)


# Cards


def test_with_fixed_manilhas_the_four_are_named_and_there_is_no_vira():
    strength = truco.strengths(None)
    names = [truco.nickname_of(each, None) for each in cards("4P 7C AE 7O 3P")]

    assert sorted(truco.PACK, key=lambda each: -strength[each])[:4] == list(cards("4P 7C AE 7O"))
    assert names == ["zap", "copas", "espadilha", "pica-fumo", None]
    assert strength[card("4C")] < strength[card("5C")] < strength[card("3C")]
    with pytest.raises(Illegal) as refused:
        a_hand(rules=MINEIRO)
    assert refused.value.code == "vira_not_played"
    with pytest.raises(Illegal) as refused:
        a_hand(vira=None)
    assert refused.value.code == "vira_missing"


@pytest.mark.parametrize(
    ("pack", "language", "names"),
    [
        ("spanish", "en", ["sota of clubs", "horse of coins", "king of cups", "ace of swords"]),
        ("spanish", "fr", ["sota de bâtons", "cavalier de deniers", "roi de coupes", "as d'épées"]),
        ("spanish", "pt", ["sota de paus", "cavalo de ouros", "rei de copas", "ás de espadas"]),
        ("french", "en", ["queen of clubs", "jack of diamonds", "king of hearts", "ace of spades"]),
        ("french", "fr", ["dame de trèfle", "valet de carreau", "roi de cœur", "as de pique"]),
        ("french", "pt", ["dama de paus", "valete de ouros", "rei de copas", "ás de espadas"]),
    ],
)
def test_cards_have_the_names_of_their_pack(pack, language, names):
    said = [truco.name_of(each, language, pack=truco.Pack(pack)) for each in cards("QP JO KC AE")]

    assert said == names


def test_every_name_of_a_rank_is_read_back():
    for pack in truco.Pack:
        for language in ("en", "fr", "pt"):
            for each in truco.PACK:
                word = truco.name_of(each, language, pack=pack).split()[0]
                assert truco.rank_named(word, language, pack=pack) == truco.rank_of(each)
    with pytest.raises(Unreadable, match="en, fr and pt"):
        truco.name_of(0, "de")


def test_a_card_has_a_suit():
    assert [truco.suit_of(each) for each in cards("QO JE KC AP")] == ["O", "E", "C", "P"]


@pytest.mark.parametrize("typed", ["qp", "QP", "10P", "q♣", "10♣"])
def test_a_card_is_read_as_people_type_it(typed):
    assert truco.card_typed(typed) == card("QP")


@pytest.mark.parametrize("typed", ["", "P", "8P", "0P", "10", "QX", "QPP", "1", "13C", "valete"])
def test_what_names_no_card_is_refused(typed):
    with pytest.raises(Unreadable) as refused:
        truco.card_typed(typed)
    assert refused.value.code == "unknown_card"
    with pytest.raises(Unreadable):
        truco.card_from(typed)


@pytest.mark.parametrize("rules", truco.PRESETS.values(), ids=lambda rules: rules.name)
def test_three_cards_each_are_dealt_one_by_one_from_the_right_of_the_dealer(rules):
    pack = truco.shuffled_pack(chance(3))

    dealt = truco.deal_cards(rules, dealer=1, pack=pack)

    n = rules.players
    assert dealt.hands[2 % n] == (pack[0], pack[n], pack[2 * n])
    assert dealt.hands[1] == (pack[n - 1], pack[2 * n - 1], pack[3 * n - 1])
    assert len({each for hand in dealt.hands for each in hand}) == 3 * n
    assert dealt.vira == (pack[3 * n] if rules.has_vira else None)
    assert sorted(pack) == list(truco.PACK)
    assert truco.shuffled_pack(chance(3)) == pack != truco.shuffled_pack(chance(4))


# House rules


def test_in_truco_mineiro_the_ladder_is_2_4_6_10_12_and_ten_is_special():
    hand = a_hand(rules=MINEIRO, vira=None)
    play(hand, "A1 calls 4, B raises 6, A runs")
    assert result(hand) == ("B", 4)

    hand = a_hand(rules=MINEIRO, vira=None, score=(10, 6))
    assert hand.kind is HandKind.SPECIAL
    play(hand, "A declines")
    assert result(hand) == ("B", 2)

    hand = a_hand(rules=MINEIRO, vira=None, score=(10, 10))
    play_rounds(hand, "AA")
    assert result(hand) == ("A", 2)
    assert [MINEIRO.call_name(level) for level in (1, 2, 3, 4)] == ["truco", "seis", "dez", "doze"]


@pytest.mark.parametrize(
    ("all_tied", "calls", "winner", "points"),
    [
        ("none", "A1 calls, B accepts", None, 0),
        ("opener", "A1 calls, B accepts", "A", 3),
        ("opener", "", "A", 1),
        ("caller_loses", "A1 calls, B accepts", "B", 3),
        ("caller_loses", "A1 calls, B raises, A accepts", "A", 6),
        ("caller_loses", "", None, 0),
    ],
)
def test_three_ties_may_go_to_the_opener_or_against_the_caller(all_tied, calls, winner, points):
    hand = a_hand(all_tied=all_tied)

    if calls:
        play(hand, calls)
    play_rounds(hand, "===")

    assert result(hand) == (winner, points)
    assert hand.outcome.ending is Ending.ALL_TIED


def test_ferro_is_replayed_whatever_three_ties_are_worth_elsewhere():
    for iron_all_tied, winner in (("replay", None), ("as_normal", "A")):
        hand = a_hand(score=(11, 11), all_tied="opener", iron_all_tied=iron_all_tied)
        play_rounds(hand, "===")
        assert result(hand)[0] == winner


def test_ferro_may_be_open_or_an_ordinary_hand():
    hand = a_hand(score=(11, 11), iron="open", hands=FOUR_HANDS)
    assert truco.view(hand, 0).hand == cards(FOUR_HANDS[0])
    assert refusal(hand, "A1 calls") == "no_truco_in_iron"

    hand = a_hand(score=(11, 11), iron="off")
    play(hand, "A1 calls, B accepts")
    assert (hand.kind, hand.value) == (HandKind.NORMAL, 3)


def test_who_put_the_first_tied_card_may_lead():
    hand = a_hand(tie_lead="first_tied")

    play(hand, "A1 4P, B1 3C, A2 3O, B2 5E")

    assert hand.turn == SEATS["B1"]


def test_after_a_tied_first_round_a_house_makes_everybody_show_the_highest():
    hand = a_hand(show_highest_after_first_tie=True, hands=["3P 2P AP", *FOUR_HANDS[1:]])
    play(hand, "A1 2P, B1 KE, A2 7E, B2 7C")
    assert hand.round_winners == (Pair.A,)

    hands = ["3P 2P AP", "3E 4O 4E", "7E 5O 5E", "7C 6O 6E"]
    hand = a_hand(show_highest_after_first_tie=True, hands=hands)
    play(hand, "A1 3P, B1 3E, A2 5E, B2 6E")
    assert refusal(hand, "A1 AP") == "show_your_highest"
    assert refusal(hand, "A1 #2P") == "show_your_highest"
    play(hand, "A1 2P, B1 4E, A2 7E")


def test_a_house_limits_covered_cards():
    hand = a_hand(cover_limit_per_pair=1)
    play_rounds(hand, "=")
    assert refusal(hand, "A1 ##, B1 ##, A2 ##") == "cover_limit"

    hand = a_hand(cover_from_round=0)
    play_rounds(hand, "=")
    assert refusal(hand, "A1 ##") == "cover_not_played"
    assert not hand.may_cover(0)


def test_a_house_lets_everybody_call_at_any_time():
    hand = a_hand(call_when="any_time")

    play(hand, "B1 calls, A accepts, A1 3P, A2 calls, B accepts")

    assert hand.value == 6
    assert hand.turn == SEATS["B1"]
    assert refusal(hand, "A1 calls") == "raise_not_yours"


def test_a_house_forbids_to_raise_in_reply():
    hand = a_hand(raise_in_reply=False)

    assert refusal(hand, "A1 calls, B raises") == "no_raise_in_reply"
    assert refusal(hand, "B1 up") == "no_raise_in_reply"
    assert not hand.may_raise(Pair.B)


def test_a_call_in_the_special_hand_may_lose_the_match():
    hand = a_hand(score=(11, 4), special_call="forfeit")

    play(hand, "A plays, B1 calls")

    assert (result(hand), hand.outcome.ending) == (("A", 1), Ending.FORFEIT)


def test_a_house_shows_the_partners_cards_to_whoever_answers():
    hand = a_hand(rules=truco.ruleset("paulista-aberto"), hands=FOUR_HANDS)

    play(hand, "A1 calls")

    shown = [truco.view(hand, seat).partners for seat in range(4)]
    assert shown == [{}, {3: cards(FOUR_HANDS[3])}, {}, {1: cards(FOUR_HANDS[1])}]


def test_a_house_leaves_the_cards_of_the_hand_of_eleven_in_sight():
    hand = a_hand(score=(11, 4), special_partner_cards="all_hand", hands=FOUR_HANDS)

    play(hand, "A plays, A1 KP")

    assert truco.view(hand, 2).partners == {0: cards("QP 7P")}
    assert truco.view(hand, 1).partners == {}


# Votes of one, of three, and where one acceptance is enough


def test_alone_the_vote_is_the_answer():
    hand = a_hand(rules=truco.ruleset("paulista-1v1"), dealer="B1")

    play(hand, "A1 calls @0, B1 yes @1")

    assert hand.value == 3


@pytest.mark.parametrize(
    ("votes", "value", "winner"),
    [
        ("B1 yes, B2 yes", 3, None),
        ("B1 no, B2 yes, B3 no", 1, "A"),
        ("B1 yes, B2 up, B3 no", 1, "A"),
    ],
)
def test_a_trio_answers_by_majority(votes, value, winner):
    hand = a_hand(rules=truco.ruleset("paulista-3v3"), dealer="B3")
    play(hand, "A1 calls @0")

    play(hand, votes)
    hand.tick(10)

    assert hand.value == value
    assert hand.is_over is (winner is not None)


def test_where_one_yes_is_enough_only_both_together_run():
    hand = a_hand(reply="any_yes")
    play(hand, "A1 calls, B1 no")
    assert hand.phase is Phase.ASKED
    play(hand, "B2 yes")
    assert hand.value == 3

    hand = a_hand(reply="any_yes")
    play(hand, "A1 calls, B1 no, B2 no")
    assert result(hand) == ("A", 1)


# Connections


def test_a_seat_that_is_away_votes_no_on_what_is_put_meanwhile():
    hand = a_hand()
    play(hand, "B1 drops @0, A1 calls @1, B2 no @2")
    assert result(hand) == ("A", 1)

    hand = a_hand(rules=truco.ruleset("paulista-1v1"), dealer="B1")
    play(hand, "B1 drops @0, A1 calls @1")
    assert result(hand) == ("A", 1)


def test_whoever_is_back_in_time_votes_again():
    hand = a_hand()

    play(hand, "A1 calls @0, B1 drops @1, B1 returns @3, B1 yes @4, B2 yes @5")

    assert hand.value == 3


def test_a_seat_without_connection_can_do_nothing():
    assert refusal(a_hand(), "A1 drops @1, A1 3P @2") == "seat_away"
    assert refusal(a_hand(), "A1 drops @1, A1 calls @2") == "seat_away"
    assert refusal(a_hand(), "A1 calls @0, B1 drops @1, B1 yes @2") == "seat_away"


def test_the_first_of_two_deadlines_counts():
    hand = a_hand()
    play(hand, "A2 drops @0, A1 calls @45")
    hand.tick(100)
    assert result(hand) == ("A", 1)

    hand = a_hand()
    play(hand, "A2 drops @0, A1 calls @55")
    hand.tick(100)
    assert hand.outcome.ending is Ending.CANCELLED
    assert result(hand) == (None, 0)


def test_the_clock_goes_forward_only():
    hand = a_hand(at=5)

    with pytest.raises(Illegal) as refused:
        hand.tick(4)

    assert refused.value.code == "clock_goes_back"
    assert hand.now == 5


def test_a_vote_after_the_deadline_comes_too_late():
    hand = a_hand()

    assert refusal(hand, "A1 calls @0, B1 yes @1, B2 yes @10") == "hand_over"
    assert result(hand) == ("A", 1)


# What a seat sees and may do


def test_a_view_tells_who_is_asked_for_what_and_until_when():
    hand = a_hand(hands=FOUR_HANDS)
    play(hand, "A1 calls @2, B1 yes @3")

    asked, asking = truco.view(hand, SEATS["B2"]), truco.view(hand, SEATS["A1"])

    assert (asked.question_pair, asked.asked_value, asked.deadline) == (Pair.B, 3, 12)
    assert (asked.votes, asking.votes) == ({SEATS["B1"]: truco.Answer.ACCEPT}, {})
    assert (asked.may_raise, asking.may_raise) == (True, False)
    assert not asking.may_play
    assert asked.cards_left == (3, 3, 3, 3)


def test_a_view_says_what_the_seat_on_turn_may_do():
    hand = a_hand(hands=FOUR_HANDS)

    mine, other, nobodys = (truco.view(hand, seat) for seat in (0, 1, None))

    assert (mine.may_play, mine.may_call, mine.may_cover) == (True, True, False)
    assert (other.may_play, other.may_call) == (False, False)
    assert (nobodys.hand, nobodys.partners, nobodys.may_play) == (None, {}, False)
    play(hand, "A1 KP, B1 KE, A2 7E, B2 7C")
    assert truco.view(hand, 0).may_cover


def test_of_a_recorded_hand_without_cards_nobody_sees_any():
    hand = a_hand(score=(11, 4))

    assert truco.view(hand, 0).hand is None
    assert truco.view(hand, 0).partners == {}


def test_no_view_holds_a_card_that_its_seat_may_not_know():
    random = Random(5)
    for number in range(60):
        pack = list(truco.shuffled_pack(chance(number)))
        dealt = truco.deal_cards(PAULISTA, dealer=3, pack=pack)
        score = random.choice([(0, 0), (11, 3), (11, 11)])
        hand = truco.Hand(
            ruleset=PAULISTA, dealer=3, vira=dealt.vira, hands=dealt.hands, score=score
        )
        if hand.phase is Phase.DECIDING:
            play(hand, "A plays")
        while not hand.is_over:
            seat = hand.turn
            played = random.choice(hand.held_by(seat))
            covered = hand.may_cover(seat) and random.random() < 0.4
            hand.take(truco.PlayCard(seat=seat, card=played, covered=covered))
            open_cards = {each.card for each in hand.played() if not each.covered}
            for viewer in (0, 1, 2, 3, None):
                seen = truco.view(hand, viewer)
                known = {each.card for each in seen.plays} - {None}
                own = set() if viewer is None else set(dealt.hands[viewer])
                assert known <= open_cards | own
                assert set(seen.hand or ()) <= own
                assert seen.partners == {}


# Refusals change nothing


def test_a_refused_event_changes_nothing():
    random = Random(8)
    refused = 0
    for number in range(50):
        dealt = truco.deal_cards(
            PAULISTA, dealer=number % 4, pack=truco.shuffled_pack(chance(number))
        )
        hand = truco.Hand(
            ruleset=PAULISTA,
            dealer=dealt.dealer,
            vira=dealt.vira,
            hands=dealt.hands,
            score=random.choice([(0, 0), (11, 3), (11, 11)]),
        )
        for _ in range(30):
            before = deepcopy(vars(hand))
            was_refused = False
            with suppress(RulesError):
                was_refused = True
                hand.take(_anything(random, dealt))
                was_refused = False
            refused += was_refused
            assert not was_refused or vars(hand) == before
        assert len(hand.rounds) <= 3
    assert refused > 400


def _anything(random: Random, dealt: truco.DealtCards) -> truco.Event:
    seat = random.randrange(-1, 5)
    held = random.choice(dealt.hands)
    answer = random.choice(list(truco.Answer))
    return random.choice(
        (
            truco.PlayCard(seat=seat, card=random.choice(held), covered=random.random() < 0.3),
            truco.PlayCard(seat=seat, card=random.choice(held)),
            truco.PlayBlind(seat=seat, place=random.randrange(-1, 4)),
            truco.Call(seat=seat, value=random.choice((None, 3, 6))),
            truco.Reply(pair=random.choice(list(Pair)), answer=answer),
            truco.Vote(seat=seat, answer=answer),
            truco.Noted(won_by=random.choice((None, 0, 1))),
        )
    )


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"hands": FOUR_HANDS[:3]}, "hands_do_not_fit"),
        ({"hands": [*FOUR_HANDS[:3], "7C 6O"]}, "hand_size"),
        ({"score": (-1, 0)}, "score_below_nothing"),
        ({"score": (0, 12)}, "match_over"),
        ({"dealer": "A3"}, "seat_not_there"),
    ],
)
def test_a_hand_that_cannot_begin_is_refused(changes, code):
    with pytest.raises(Illegal) as refused:
        a_hand(**changes)
    assert refused.value.code == code


def test_a_card_in_another_hand_is_not_played():
    assert refusal(a_hand(hands=FOUR_HANDS), "A1 KE") == "card_not_in_hand"
    assert refusal(a_hand(hands=FOUR_HANDS), "A1 2P") == "card_not_in_hand"
    assert refusal(a_hand(), "A3 2P") == "seat_not_there"
    assert refusal(a_hand(), "B accepts") == "nothing_to_answer"


# Rounds of which not every card was noted


@pytest.mark.parametrize(
    ("plays", "won_by", "code"),
    [
        ("A1 ??, B1 3C, A2 4O, B2 5E", 0, None),
        ("A1 ??, B1 3C, A2 4O, B2 5E", 1, None),
        ("A1 ??, B1 3C, A2 4O, B2 5E", None, None),
        ("A1 ??, B1 3C, A2 4O, B2 5E", 2, "wrong_round_winner"),
        ("A1 ??, B1 QP, A2 4O, B2 5E", 0, "wrong_round_winner"),  # nothing beats the zap
        ("A1 ??, B1 QO, A2 4O, B2 5E", None, "wrong_round_winner"),  # a manilha never ties
        ("A1 3P, B1 3C, A2 4O, B2 5E", 0, "nothing_to_note"),
    ],
)
def test_a_round_with_a_card_not_noted_ends_as_it_is_told(plays, won_by, code):
    hand = a_hand()
    play(hand, plays)

    if code is None:
        hand.take(truco.Noted(won_by=won_by))
        assert hand.rounds[0].won_by == won_by
        assert hand.leader == (won_by or 0)
    else:
        with pytest.raises(Illegal) as refused:
            hand.take(truco.Noted(won_by=won_by))
        assert refused.value.code == code


def test_play_waits_until_the_round_is_noted():
    hand = a_hand()
    play(hand, "A1 ??, B1 3C, A2 4O, B2 5E")

    assert hand.phase is Phase.NOTING
    assert refusal(hand, "A1 2P") == "round_not_noted"
    assert refusal(hand, "A1 calls") == "round_not_noted"
