"""The rows of the truco rule book, each by its number."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest

from rules_engine import truco
from rules_engine.chance import chance
from rules_engine.errors import Illegal
from rules_engine.truco import HandKind, MatchState, Pack, Pair, Phase
from tests.rules_engine.truco_table import (
    PAULISTA,
    SEATS,
    a_hand,
    after,
    card,
    cards,
    play,
    play_rounds,
    refusal,
    result,
)

ROWS = json.loads((Path(__file__).parent / "cases" / "truco-rows.json").read_text())["rows"]
TESTED: set[str] = set()


def rows(*numbers: str):
    """Mark a test with the rows that it holds."""
    TESTED.update(numbers)
    return lambda test: test


def test_every_row_has_a_test():
    assert len(ROWS) == 92
    assert {row["id"] for row in ROWS} == TESTED


# The pack and its order


@rows("T001")
def test_the_pack_has_40_cards():
    assert set(truco.CODES) == {rank + suit for rank in "A234567QJK" for suit in "PCEO"}
    assert len(truco.CODES) == len(truco.PACK) == 40


@rows("T003")
def test_valete_is_the_q_of_a_spanish_pack_and_the_j_of_a_french_one():
    assert [truco.code_of(truco.card_typed(code)) for code in ("12E", "11E", "10E")] == [
        "KE",
        "JE",
        "QE",
    ]

    spanish = [
        truco.rank_named(word, "pt", pack=Pack.SPANISH)
        for word in ("rei", "cavalo", "valete", "sota")
    ]
    french = [truco.rank_named(word, "pt", pack=Pack.FRENCH) for word in ("rei", "valete", "dama")]

    assert spanish == ["K", "J", "Q", "Q"]
    assert french == ["K", "J", "Q"]
    for word, pack in (("dama", Pack.SPANISH), ("cavalo", Pack.FRENCH)):
        with pytest.raises(ValueError, match="not the name of a rank"):
            truco.rank_named(word, "pt", pack=pack)


@rows("T004", "T005")
def test_the_manilhas_are_the_rank_after_the_vira_and_after_3_comes_4():
    following = dict(zip("4567QJKA23", "567QJKA234", strict=True))

    for rank, manilha in following.items():
        for suit in "PCEO":
            codes = [truco.code_of(each) for each in truco.manilhas(card(rank + suit))]
            assert codes == [f"{manilha}O", f"{manilha}E", f"{manilha}C", f"{manilha}P"]


@rows("T006", "T009")
def test_with_a_7_as_vira_the_cards_lie_in_the_order_of_the_example():
    strength = truco.strengths(card("7O"))
    ordered = cards("QP QC QE QO 3P 2P AP KP JP 7P 6P 5P 4P")
    assert all(strength[high] > strength[low] for high, low in pairwise(ordered))

    strength = truco.strengths(card("4O"))
    for suit in "PCEO":
        ordered = cards(" ".join(rank + suit for rank in "532AKJQ764"))
        assert all(strength[high] > strength[low] for high, low in pairwise(ordered))


@rows("T007", "T008", "T010")
@pytest.mark.parametrize(
    ("vira", "first", "second", "winner"),
    [("7O", "QO", "3P", "A"), ("3C", "4O", "3P", "A"), ("7O", "3P", "3O", None)],
)
def test_the_weakest_manilha_beats_a_3_and_equal_ranks_tie(vira, first, second, winner):
    hand = a_hand(vira=vira, dealer="B1", rules=truco.ruleset("paulista-1v1"))

    play(hand, f"A1 {first}, B1 {second}")

    assert hand.round_winners == (None if winner is None else Pair[winner],)


@rows("T011", "T012")
def test_the_vira_belongs_to_nobody_and_each_card_is_there_once():
    assert refusal(a_hand(), "A1 7O") == "card_is_vira"
    assert refusal(a_hand(), "A1 3P, B1 3P") == "duplicate_card"

    with pytest.raises(Illegal) as refused:
        a_hand(hands=["7O 3P 2P", "4P 4E 4C", "5P 5E 5C", "6P 6E 6C"])
    assert refused.value.code == "card_is_vira"
    with pytest.raises(Illegal) as refused:
        a_hand(hands=["3P 3C 2P", "4P 4E 3P", "5P 5E 5C", "6P 6E 6C"])
    assert refused.value.code == "duplicate_card"


# Rounds


@rows("T013", "T014", "T015", "T017", "T018", "T019")
@pytest.mark.parametrize(
    ("plays", "winner", "leader"),
    [
        ("A1 3P, B1 KC, A2 QP, B2 7E", "A", "A2"),
        ("A1 3P, B1 3C, A2 4O, B2 5E", None, "A1"),
        ("A1 4P, B1 3C, A2 3O, B2 5E", None, "A1"),
        ("A1 3P, B1 KC, A2 3O, B2 7E", "A", "A1"),  # two partners equal: the first of them
        ("A1 3P, B1 3C, A2 3O, B2 5E", None, "A1"),
        ("A1 3P, B1 3C, A2 3O, B2 3E", None, "A1"),
    ],
)
def test_the_highest_card_wins_equal_ones_of_both_pairs_tie(plays, winner, leader):
    hand = a_hand()

    play(hand, plays)

    assert hand.round_winners == (None if winner is None else Pair[winner],)
    assert hand.turn == SEATS[leader]


@rows("T020")
def test_nobody_has_to_follow_suit():
    hand = a_hand(hands=["3P 3C 2P", "KO 4E 4P", "5P 5E 5C", "6P 6E 6C"])

    play(hand, "A1 3P, B1 KO")

    assert len(hand.table) == 2


@rows("T021", "T022", "T023")
def test_the_winner_leads_and_after_a_tie_the_opener_again():
    hand = a_hand()
    play(hand, "A1 4P, B1 5C, A2 4O, B2 3E")
    assert hand.turn == SEATS["B2"]
    assert refusal(hand, "B1 2P") == "not_your_turn"

    hand = a_hand()
    play_rounds(hand, "==")
    assert hand.turn == SEATS["A1"]

    hand, order = a_hand(), []
    for code in ("3P", "4O", "5E", "6C"):
        order.append(truco.seat_name(hand.turn))
        assert refusal(hand, f"{'B1' if order[-1] != 'B1' else 'A1'} 2P") == "not_your_turn"
        play(hand, f"{order[-1]} {code}")
    assert order == ["A1", "B1", "A2", "B2"]


# Covered cards


@rows("T024", "T030", "T032")
def test_a_card_is_covered_from_the_second_round_on_and_never_in_ferro():
    assert refusal(a_hand(), "A1 ##") == "cover_in_first_round"

    hand = a_hand()
    play_rounds(hand, "=")
    play(hand, "A1 ##, B1 3C, A2 ##")  # both partners
    assert len(hand.table) == 3

    iron = a_hand(score=(11, 11))
    play_rounds(iron, "=")
    assert refusal(iron, "A1 ##") == "cover_in_iron"


@rows("T025", "T027", "T028", "T029")
@pytest.mark.parametrize(
    ("plays", "winner", "leader"),
    [
        ("A1 #QP, B1 4O, A2 ##, B2 ##", "B", "B1"),  # the zap itself
        ("A1 3P, B1 #3C, A2 4O, B2 5E", "A", "A1"),
        ("A1 ##, B1 ##, A2 4O, B2 ##", "A", "A2"),
        ("A1 ##, B1 ##, A2 ##, B2 ##", None, "A1"),
    ],
)
def test_a_covered_card_neither_wins_nor_ties(plays, winner, leader):
    hand = a_hand()
    play(hand, "A1 KP, B1 KE, A2 7E, B2 7C")

    play(hand, plays)

    assert hand.rounds[-1].winner == (None if winner is None else Pair[winner])
    assert hand.leader == SEATS[leader]


@rows("T031")
def test_a_covered_card_is_seen_by_its_owner_alone():
    hands = ["QP KP 7P", "KE 4O 4E", "7E 5O 5E", "7C 6O 6E"]
    hand = a_hand(hands=hands)
    play(hand, "A1 KP, B1 KE, A2 7E, B2 7C, A1 #QP")

    seen = {seat: truco.view(hand, seat).plays[-1].card for seat in (0, 1, 2, 3, None)}
    record = truco.MatchRecord(ruleset=PAULISTA, lines=(_line(hand),))

    assert seen == {0: card("QP"), 1: None, 2: None, 3: None, None: None}
    assert "#QP" in truco.write(record)
    shown = truco.write(truco.masked(record))
    assert " ##" in shown
    assert "QP" not in shown


def _line(hand: truco.Hand) -> truco.PlayedHand:
    start = truco.Start(
        ruleset=hand.ruleset,
        vira=hand.vira,
        first=hand.first,
        score=hand.score,
        hands=hand.dealt,
    )
    return truco.PlayedHand(number=1, start=start, events=tuple(hand.recorded))


# The hand


@rows("T034", "T035", "T036", "T038", "T039", "T040", "T041", "T042", "T044", "T045", "T047")
@rows("T048", "T105")
@pytest.mark.parametrize("score", [(0, 0), (11, 11)], ids=["normal", "ferro"])
@pytest.mark.parametrize(
    ("rounds", "winner"),
    [
        ("AA", "A"),
        ("A=", "A"),
        ("BB", "B"),
        ("B=", "B"),
        ("=A", "A"),
        ("=B", "B"),
        ("ABA", "A"),
        ("ABB", "B"),
        ("AB=", "A"),
        ("BAA", "A"),
        ("BAB", "B"),
        ("BA=", "B"),
        ("==A", "A"),
        ("==B", "B"),
        ("===", None),
    ],
)
def test_two_rounds_win_and_a_tie_counts_for_the_first_round_won(score, rounds, winner):
    hand = a_hand(score=score)

    for number, each in enumerate(rounds):
        assert not hand.is_over, number
        play_rounds(hand, each)

    assert result(hand) == (winner, 1 if winner else 0)


@rows("T050")
def test_nothing_is_played_after_the_end():
    hand = a_hand()
    play_rounds(hand, "AA")

    assert refusal(hand, "A1 7P") == "hand_over"
    assert refusal(hand, "A1 calls") == "hand_over"
    assert refusal(hand, "B accepts") == "hand_over"


# Raises


@rows("T051", "T052", "T053", "T059", "T060", "T061", "T062", "T069")
@pytest.mark.parametrize(
    ("calls", "rounds", "winner", "points"),
    [
        ("", "AA", "A", 1),
        ("A1 calls, B accepts", "AA", "A", 3),
        ("A1 calls, B runs", "", "A", 1),
        ("A1 calls, B raises, A runs", "", "B", 3),
        ("A1 calls, B raises, A raises, B runs", "", "A", 6),
        ("A1 calls, B raises, A raises, B raises, A runs", "", "B", 9),
        ("A1 calls, B raises, A raises, B raises, A accepts", "AA", "A", 12),
        ("A1 calls, B accepts", "AB=", "A", 3),
    ],
)
def test_a_hand_is_worth_what_was_accepted_last(calls, rounds, winner, points):
    hand = a_hand()

    if calls:
        play(hand, calls)
    play_rounds(hand, rounds)

    assert result(hand) == (winner, points)


@rows("T054", "T058", "T066", "T067")
def test_who_may_call_raise_and_answer():
    assert refusal(a_hand(), "B1 calls") == "not_your_turn"
    assert refusal(a_hand(), "A1 calls, A1 3P") == "call_pending"
    assert refusal(a_hand(), "A1 calls, A2 yes") == "not_your_reply"
    assert refusal(a_hand(), "A1 calls, A accepts") == "not_your_reply"
    assert refusal(a_hand(), "A1 calls, B accepts, A1 calls") == "raise_not_yours"

    hand = a_hand()
    play(hand, "A1 calls, B accepts, A1 3P, B1 calls, A accepts")
    assert hand.value == 6
    assert hand.turn == SEATS["B1"]


@rows("T063", "T064", "T065")
def test_the_ladder_is_climbed_step_by_step_and_ends_at_12():
    twelve = "A1 calls, B raises, A raises, B raises"
    assert refusal(a_hand(), f"{twelve}, A accepts, A1 calls") == "max_reached"
    assert refusal(a_hand(), f"{twelve}, A accepts, B1 calls") == "max_reached"
    assert refusal(a_hand(), f"{twelve}, A raises") == "max_reached"
    assert refusal(a_hand(), "A1 calls 6") == "wrong_step"
    assert refusal(a_hand(), "A1 calls 3, B raises 9") == "wrong_step"


@rows("T070", "T071", "T073")
def test_a_match_ends_at_12_without_a_cap():
    match = truco.Match(ruleset=PAULISTA, first_dealer=0)
    for _ in range(3):
        match.record(Pair.A, 3)
    match.record(Pair.A, 3)
    assert (match.score, match.state) == ((12, 0), MatchState.FINISHED)
    with pytest.raises(Illegal) as refused:
        match.record(Pair.B, 1)
    assert refused.value.code == "match_over"

    match = truco.Match(ruleset=PAULISTA, first_dealer=0, start=(10, 10))
    match.record(Pair.A, 12)
    assert match.score == (22, 10)

    with pytest.raises(Illegal) as refused:
        a_hand(score=(12, 4))
    assert refused.value.code == "match_over"


@rows("T072")
def test_a_raise_is_allowed_though_fewer_points_are_enough():
    hand = a_hand(score=(9, 0))

    play(hand, "A1 calls, B accepts, A1 3P, B1 calls, A raises")

    assert hand.question is not None


# Votes


@rows("T075", "T076", "T078", "T081", "T083", "T084")
@pytest.mark.parametrize(
    ("votes", "at", "outcome"),
    [
        ("B1 yes @2, B2 yes @3", 3, "accepted"),
        ("B1 no @1, B2 no @4", 4, "run"),
        ("B1 yes @1, B2 no @2", 10, "run by the clock"),
        ("B1 yes @1", 10, "run by the clock"),
        ("B1 yes @1, B1 drops @3", 10, "run by the clock"),
        ("B1 yes @1, B2 drops @3", 10, "run by the clock"),
        ("B1 no @1, B2 drops @3", 3, "run"),
        ("B1 yes @1, B2 up @2", 10, "run by the clock"),
        ("B1 up @1, B2 up @2", 2, "raised"),
        ("B1 no @1, B2 yes @2, B1 yes @9.9", 9.9, "accepted"),
    ],
)
def test_both_partners_answer_alike_within_ten_seconds_or_run(votes, at, outcome):
    hand = a_hand()
    play(hand, "A1 calls @0")

    play(hand, votes)

    if at == 10:
        hand.tick(9.999)
        assert hand.phase is Phase.ASKED
    hand.tick(at)
    if outcome.startswith("run"):
        assert result(hand) == ("A", 1)
        assert hand.outcome.by_clock is (outcome == "run by the clock")
    else:
        assert hand.phase is (Phase.PLAYING if outcome == "accepted" else Phase.ASKED)
        assert hand.value == 3


@rows("T085")
def test_the_clock_starts_when_the_question_is_put():
    hand = a_hand()

    play(hand, "A1 calls @100, B1 yes @109")

    assert hand.question.deadline == 110


# Mão de onze


@rows("T086", "T087")
def test_the_pair_with_11_sees_its_cards_and_decides():
    hands = ["QP KP 7P", "KE 4O 4E", "7E 5O 5E", "7C 6O 6E"]
    hand = a_hand(score=(11, 4), hands=hands)
    dealt = [cards(each) for each in hands]

    views = [truco.view(hand, seat) for seat in range(4)]

    assert (hand.kind, hand.phase) == (HandKind.SPECIAL, Phase.DECIDING)
    assert hand.question.pair is Pair.A
    assert [view.hand for view in views] == dealt
    assert [view.partners for view in views] == [{2: dealt[2]}, {}, {0: dealt[0]}, {}]
    assert truco.view(hand, None).partners == {}

    play(hand, "A plays")
    assert [truco.view(hand, seat).partners for seat in range(4)] == [{}, {}, {}, {}]


@rows("T088", "T089", "T090", "T091", "T095", "T096", "T097", "T098", "T099")
@pytest.mark.parametrize(
    ("score", "decision", "rounds", "score_after", "next_kind"),
    [
        ((11, 4), "A plays", "AA", (14, 4), None),
        ((11, 4), "A plays", "BB", (11, 7), HandKind.SPECIAL),
        ((11, 4), "A declines", "", (11, 5), HandKind.SPECIAL),
        ((11, 4), "A1 yes, A2 no", "", (11, 5), HandKind.SPECIAL),
        ((11, 10), "A declines", "", (11, 11), HandKind.IRON),
        ((11, 9), "A plays", "BB", (11, 12), None),
        ((11, 8), "A plays", "BB", (11, 11), HandKind.IRON),
        ((11, 5), "A plays", "===", (11, 5), HandKind.SPECIAL),
        ((4, 11), "B plays", "BB", (4, 14), None),
        ((4, 11), "B declines", "", (5, 11), HandKind.SPECIAL),
    ],
)
def test_the_hand_of_eleven_is_worth_3_and_1_when_declined(
    score, decision, rounds, score_after, next_kind
):
    hand = a_hand(score=score)

    play(hand, decision)
    hand.tick(10)
    play_rounds(hand, rounds)

    assert after(hand) == score_after
    if next_kind is None:
        assert truco.leader_at(PAULISTA, score_after) is not None
    else:
        assert truco.kind_at(PAULISTA, score_after) is next_kind


@rows("T092", "T093")
def test_in_the_hand_of_eleven_nobody_calls_and_first_it_is_decided():
    assert refusal(a_hand(score=(11, 4)), "A plays, A1 calls") == "no_truco_in_eleven"
    assert refusal(a_hand(score=(11, 4)), "A plays, B1 calls") == "no_truco_in_eleven"
    assert refusal(a_hand(score=(11, 4)), "A1 3P") == "decision_pending"
    assert refusal(a_hand(score=(11, 4)), "B declines") == "not_your_decision"
    assert refusal(a_hand(score=(11, 4)), "A raises") == "no_truco_in_eleven"


# Mão de ferro


@rows("T100", "T103")
def test_in_ferro_there_is_a_vira_and_no_truco_and_nobody_sees_cards():
    hand = a_hand(score=(11, 11), hands=["QP KP 7P", "KE 4O 4E", "7E 5O 5E", "7C 6O 6E"])

    assert (hand.kind, hand.phase) == (HandKind.IRON, Phase.PLAYING)
    assert hand.vira == card("7O")
    assert [truco.view(hand, seat).hand for seat in range(4)] == [None] * 4
    assert refusal(hand, "A1 calls") == "no_truco_in_iron"
    assert refusal(hand, "B1 calls") == "no_truco_in_iron"

    hand.take(truco.PlayBlind(seat=0, place=1))
    assert hand.table[-1].card == card("KP")


@rows("T104")
def test_after_three_ties_in_ferro_another_ferro_is_dealt_by_the_next():
    match = truco.Match(ruleset=PAULISTA, first_dealer=1, start=(11, 11))

    match.record(None, 0)

    assert (match.score, match.kind, match.dealer) == ((11, 11), HandKind.IRON, 2)


# Dealers and the match


@rows("T106")
def test_the_first_dealer_is_drawn_among_all_seats():
    drawn = {truco.draw_first_dealer(PAULISTA, chance(seed)) for seed in range(60)}

    assert drawn == {0, 1, 2, 3}


@rows("T108", "T109")
def test_the_deal_passes_to_the_right_also_after_a_hand_without_points():
    match = truco.Match(ruleset=PAULISTA, first_dealer=SEATS["B2"])
    dealers = []
    for winner in (Pair.A, None, Pair.B, Pair.B, Pair.A):
        dealers.append(truco.seat_name(match.dealer))
        match.record(winner, 0 if winner is None else 1)
    assert dealers == ["B2", "A1", "B1", "A2", "B2"]

    pack = truco.shuffled_pack(chance(1))
    with pytest.raises(Illegal) as refused:
        match.begin_hand(truco.deal_cards(PAULISTA, dealer=3, pack=pack))
    assert refused.value.code == "wrong_dealer"
    with pytest.raises(Illegal) as refused:
        truco.read("1. B2 => A+1 1-0\n2. B1 => A+1 2-0")
    assert (refused.value.code, refused.value.field) == ("wrong_dealer", "line 2")


@rows("T112")
@pytest.mark.parametrize("score", [(14, 11), (23, 4), (12, 12), (11, 9), (11, 14)])
def test_a_final_score_that_no_match_has_is_refused(score):
    with pytest.raises(Illegal) as refused:
        truco.check_final_score(PAULISTA, score)
    assert refused.value.code == "impossible_score"


@rows("T113", "T114")
def test_a_seat_is_kept_for_60_seconds_and_then_the_match_is_cancelled():
    def begun() -> truco.Match:
        match = truco.Match(ruleset=PAULISTA, first_dealer=3)
        pack = truco.shuffled_pack(chance(7))
        match.begin_hand(truco.deal_cards(PAULISTA, dealer=3, pack=pack), at=0)
        return match

    match = begun()
    held = match.hand.held_by(0)
    play(match, "A1 drops @5, A1 returns @64")
    assert match.state is MatchState.PLAYING
    assert match.hand.held_by(0) == held
    match.take(truco.PlayCard(seat=0, card=held[0]), at=70)

    match = begun()
    play(match, "A1 drops @5")
    match.tick(64.9)
    assert match.state is MatchState.PLAYING
    match.tick(65)
    assert (match.state, match.score, match.winner) == (MatchState.CANCELLED, (0, 0), None)


@rows("T115")
def test_whoever_answers_a_truco_does_not_see_the_partners_cards():
    hand = a_hand(hands=["QP KP 7P", "KE 4O 4E", "7E 5O 5E", "7C 6O 6E"])

    play(hand, "A1 calls")

    assert [truco.view(hand, seat).partners for seat in range(4)] == [{}, {}, {}, {}]
