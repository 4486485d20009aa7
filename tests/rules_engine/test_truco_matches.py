"""Matches of truco: points that can be, final scores, tentos, undo, and the best of several."""

from __future__ import annotations

from random import Random

import pytest

from rules_engine import truco
from rules_engine.chance import chance
from rules_engine.errors import Illegal
from rules_engine.truco import BestOf, HandKind, Match, MatchState, Pair, Phase
from tests.rules_engine.truco_table import PAULISTA, play, refusal

MINEIRO = truco.ruleset("mineiro")


def test_every_final_score_of_a_match_to_12_is_enumerated():
    possible = {
        (winner, loser)
        for winner in range(12, 23)
        for loser in range(12)
        if loser < 11 or winner in (12, 13)
    }

    finals = truco.final_scores(PAULISTA)

    assert finals == possible | {(b, a) for a, b in possible}
    assert len(finals) == 2 * (11 * 11 + 2)


def test_every_final_score_of_truco_mineiro_is_even():
    possible = {(winner, loser) for winner in range(12, 21, 2) for loser in range(0, 9, 2)}
    possible |= {(12, 10)}

    assert truco.final_scores(MINEIRO) == possible | {(b, a) for a, b in possible}


def test_a_match_to_15_or_24_and_from_11_to_11_has_its_own_final_scores():
    to_15 = truco.final_scores(PAULISTA.to(15))
    assert {max(score) for score in to_15} == set(range(15, 26))
    assert (16, 14) in to_15
    assert (17, 14) not in to_15
    assert (34, 0) in truco.final_scores(PAULISTA.to(24))
    assert truco.final_scores(PAULISTA, (11, 11)) == {(12, 11), (11, 12)}


def test_a_capped_match_ends_on_its_target():
    capped = truco.Ruleset.from_json(PAULISTA.to_json() | {"cap_score": True})

    assert {max(score) for score in truco.final_scores(capped)} == {12}


@pytest.mark.parametrize(
    ("score", "a", "b"),
    [
        ((0, 0), (1, 3, 6, 9, 12), (1, 3, 6, 9, 12)),
        ((11, 4), (3,), (1, 3)),
        ((4, 11), (1, 3), (3,)),
        ((11, 11), (1,), (1,)),
    ],
)
def test_the_score_says_what_the_next_hand_can_give(score, a, b):
    assert truco.possible_points(PAULISTA, score, Pair.A) == a
    assert truco.possible_points(PAULISTA, score, Pair.B) == b
    assert truco.possible_points(PAULISTA, score, None) == (0,)


@pytest.mark.parametrize(
    ("start", "winner", "points"),
    [
        ((0, 0), Pair.A, 2),
        ((0, 0), Pair.A, 0),
        ((0, 0), None, 1),
        ((11, 4), Pair.A, 1),
        ((11, 4), Pair.B, 6),
        ((11, 11), Pair.B, 3),
    ],
)
def test_points_that_no_hand_gives_are_refused(start, winner, points):
    match = Match(ruleset=PAULISTA, first_dealer=0, start=start)

    with pytest.raises(Illegal) as refused:
        match.record(winner, points)

    assert refused.value.code == "impossible_points"
    assert match.lines == []


def test_random_matches_end_only_on_scores_that_are_possible():
    for rules in truco.PRESETS.values():
        random = Random(rules.name)
        for _ in range(20):
            match = Match(ruleset=rules, first_dealer=0)
            while match.state in (MatchState.WAITING, MatchState.PLAYING):
                winner = random.choice((Pair.A, Pair.B, Pair.A, Pair.B, None))
                match.record(winner, random.choice(match.possible_points(winner)))
            truco.check_final_score(rules, match.score)
            assert match.winner is not None


@pytest.mark.parametrize("name", truco.PRESETS)
def test_a_whole_match_is_played_card_by_card(name):
    rules, random, draw = truco.ruleset(name), Random(name), chance(name)
    match = Match(ruleset=rules, first_dealer=truco.draw_first_dealer(rules, draw))
    clock = 0.0
    while match.winner is None:
        cards = truco.deal_cards(rules, dealer=match.dealer, pack=truco.shuffled_pack(draw))
        number, hand = len(match.lines), match.begin_hand(cards)
        while match.hand is hand:
            clock += random.random()
            match.take(_some_event(random, hand), at=clock)
        assert len(match.lines) == number + 1
    assert match.score in truco.final_scores(rules)
    assert refusal(match, "A1 3P") == "match_over"


def _some_event(random: Random, hand: truco.Hand) -> truco.Event:
    if hand.question is not None:
        seat = random.choice(truco.seats_of(hand.question.pair, hand.ruleset.players))
        raises = [truco.Answer.RAISE] if hand.may_raise(hand.question.pair) else []
        willing = [truco.Answer.ACCEPT, truco.Answer.RUN, *raises]
        return truco.Vote(seat=seat, answer=random.choice(willing))
    if hand.may_call(hand.turn) and random.random() < 0.1:
        return truco.Call(seat=hand.turn)
    held = hand.held_by(hand.turn)
    return truco.PlayBlind(seat=hand.turn, place=random.randrange(len(held)))


# Around the hands


def test_the_last_line_is_taken_back_and_the_score_follows():
    match = Match(ruleset=PAULISTA, first_dealer=3)
    match.record(Pair.A, 9)
    match.record(Pair.B, 3)
    match.record(Pair.A, 6)
    assert (match.score, match.state) == ((15, 3), MatchState.FINISHED)

    match.take_back()

    assert (match.score, match.state, match.dealer) == ((9, 3), MatchState.PLAYING, 1)
    match.take_back()
    match.take_back()
    assert (match.score, match.state) == ((0, 0), MatchState.WAITING)
    with pytest.raises(Illegal) as refused:
        match.take_back()
    assert refused.value.code == "nothing_to_undo"


def test_a_tento_is_a_line_of_its_own_and_passes_the_deal():
    match = Match(ruleset=PAULISTA, first_dealer=3, start=(11, 10))

    match.give_tento(Pair.A)

    assert (match.score, match.dealer, match.kind) == ((11, 11), 0, HandKind.IRON)
    assert match.lines[0].tento is Pair.A
    match.give_tento(Pair.B)
    assert match.winner is Pair.A
    with pytest.raises(Illegal):
        match.give_tento(Pair.B)


def test_a_tento_has_points():
    match = Match(ruleset=PAULISTA, first_dealer=3)
    for points in (0, -1, 13):
        with pytest.raises(Illegal) as refused:
            match.give_tento(Pair.A, points=points)
        assert refused.value.code == "impossible_tento"


def test_a_match_is_walked_over_only_once_and_keeps_its_score():
    match = Match(ruleset=PAULISTA, first_dealer=0)
    match.record(Pair.A, 6)

    match.walk_over(Pair.B)

    assert (match.state, match.winner, match.score) == (MatchState.WALKOVER, Pair.B, (6, 0))
    with pytest.raises(Illegal):
        match.walk_over(Pair.A)


def test_while_a_hand_is_played_no_other_begins_and_none_is_recorded():
    match = Match(ruleset=PAULISTA, first_dealer=0)
    cards = truco.deal_cards(PAULISTA, dealer=0, pack=truco.shuffled_pack(chance(1)))
    match.begin_hand(cards)

    for attempt in (
        lambda: match.begin_hand(cards),
        lambda: match.record(Pair.A, 1),
        match.take_back,
    ):
        with pytest.raises(Illegal) as refused:
            attempt()
        assert refused.value.code in {"hand_in_play", "nothing_to_undo"}


def test_a_connection_lost_between_two_hands_cancels_as_well():
    match = Match(ruleset=PAULISTA, first_dealer=0)
    match.record(Pair.A, 6)
    assert refusal(match, "A1 3P") == "no_hand"

    play(match, "B1 drops @10")
    match.tick(69)
    assert match.state is MatchState.PLAYING
    match.tick(70)

    assert (match.state, match.winner) == (MatchState.CANCELLED, None)
    assert refusal(match, "B1 returns @71") == "match_cancelled"


def test_whoever_is_back_between_two_hands_keeps_the_match_alive():
    match = Match(ruleset=PAULISTA, first_dealer=0)

    play(match, "B1 drops @10, B1 returns @60")
    match.tick(200)

    assert match.state is MatchState.WAITING
    with pytest.raises(Illegal) as refused:
        match.tick(199)
    assert refused.value.code == "clock_goes_back"


def test_the_sheet_says_who_is_mao():
    match = Match(ruleset=PAULISTA, first_dealer=3)
    assert match.first == 0

    match.record(None, 0)

    assert match.first == 1


def test_where_a_call_in_the_special_hand_is_punished_it_gives_what_is_missing():
    house = truco.Ruleset(name="house", special_call="forfeit")

    assert truco.possible_points(house, (11, 4), Pair.B) == (1, 3, 8)
    assert (11, 12) in truco.final_scores(house)


def test_a_connection_lost_in_one_hand_is_still_lost_in_the_next():
    match = Match(ruleset=PAULISTA, first_dealer=3)
    pack = truco.shuffled_pack(chance(2))
    match.begin_hand(truco.deal_cards(PAULISTA, dealer=3, pack=pack), at=0)
    play(match, "B2 drops @1, A1 calls @2, B1 no @3")
    assert match.score == (1, 0)

    hand = match.begin_hand(truco.deal_cards(PAULISTA, dealer=0, pack=pack), at=20)

    assert hand.phase is Phase.PLAYING
    play(match, "B1 calls @21")
    match.tick(61)
    assert match.state is MatchState.CANCELLED


def test_a_finished_match_is_not_cancelled_any_more():
    match = Match(ruleset=PAULISTA, first_dealer=3)
    play(match, "B2 drops @1")
    match.record(Pair.A, 12)

    match.tick(100)

    assert match.state is MatchState.FINISHED


# Best of several


def test_two_games_of_three_decide_a_meeting():
    meeting = BestOf(ruleset=PAULISTA, games=3, scores=((12, 10), (7, 14)))
    assert (meeting.won, meeting.winner, meeting.needed) == ((1, 1), None, 2)

    meeting = BestOf(ruleset=PAULISTA, games=3, scores=((12, 10), (7, 14), (12, 11)))
    assert (meeting.won, meeting.winner) == ((2, 1), Pair.A)


@pytest.mark.parametrize(
    ("games", "scores", "code"),
    [
        (2, (), "impossible_best_of"),
        (9, (), "impossible_best_of"),
        (3, ((12, 0), (12, 0), (12, 0)), "meeting_decided"),
        (1, ((12, 0), (0, 12)), "meeting_decided"),
        (3, ((11, 9),), "impossible_score"),
    ],
)
def test_a_meeting_that_cannot_be_is_refused(games, scores, code):
    with pytest.raises(Illegal) as refused:
        BestOf(ruleset=PAULISTA, games=games, scores=scores)
    assert refused.value.code == code


@pytest.mark.parametrize("games", [1, 3, 5, 7])
def test_more_than_half_of_the_games_win(games):
    meeting = BestOf(ruleset=PAULISTA, games=games, scores=((0, 12),) * (games // 2 + 1))

    assert meeting.winner is Pair.B
