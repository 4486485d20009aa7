"""A truco sheet: hands, games, tentos and the end of the time, and what they make of a meeting."""

from __future__ import annotations

import uuid

import pytest
from django.core.exceptions import PermissionDenied, ValidationError

from clubs.models import Role
from rules_engine import truco
from rules_engine.errors import RulesError
from scoring import actions
from scoring.models import SheetEvent, StaleStandings, TrucoLine
from scoring.rules import StaleSheet
from scoring.rules.truco import KIND, Entered, hand_in_notation, meeting_of
from scoring.sumulas import sumula_of
from tests.conftest import account_with
from tests.factories import SeasonFactory
from tests.scoring.truco import game, hand, ran, record, tento, told, truco_table
from tournaments.fixtures import CapRule
from tournaments.models import Round, Table

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(club) -> Table:
    return truco_table(SeasonFactory(club=club))


def meeting(table: Table):
    return meeting_of(Table.objects.get(pk=table.pk), table.truco_lines.all())


def seat(table: Table, place: int):
    return table.seats.get(place=place)


# Hands add up to games, games to a meeting


def test_a_hand_gives_its_points_to_both_seats_of_a_pair(table, scorer):
    record(table, scorer, hand("a", 3))

    points = [(s.points, s.points_against, s.deals_played) for s in table.seats.order_by("place")]
    assert points == [(3, 0, 1), (0, 3, 1), (3, 0, 1), (0, 3, 1)]
    assert Table.objects.get(pk=table.pk).version == 1
    assert StaleStandings.objects.filter(event=table.event).exists()


def test_a_game_ends_at_twelve_and_the_next_one_begins_at_nothing(table, scorer):
    record(table, scorer, hand("a", 12), hand("b", 1))

    now = meeting(table)
    assert (now.scores, now.score, now.game) == (((12, 0),), (0, 1), 2)
    assert seat(table, 1).games_won == 1


def test_two_games_of_three_decide_the_meeting(table, scorer):
    record(table, scorer, game(12, 9), game(7, 14), game(15, 11 - 1))

    table.refresh_from_db()
    assert table.decided_at is not None
    assert table.is_complete
    winner, loser = seat(table, 3), seat(table, 2)
    assert (winner.outcome, winner.games_won, winner.games_lost) == ("won", 2, 1)
    assert (loser.outcome, loser.games_won, loser.games_lost) == ("lost", 1, 2)


def test_points_beyond_the_target_count_up_to_it_and_stay_on_the_lines(table, scorer):
    record(table, scorer, game(22, 10))

    assert (seat(table, 1).points, seat(table, 1).points_against) == (12, 10)
    assert table.truco_lines.get().points_a == 22


def test_a_decided_meeting_takes_no_more_hands(table, scorer):
    record(table, scorer, game(12, 0), game(12, 0))

    with pytest.raises(ValidationError, match="The meeting is decided"):
        record(table, scorer, hand("a", 1))


def test_taking_the_last_game_back_reopens_the_meeting(table, scorer):
    record(table, scorer, game(12, 0), game(12, 0))

    actions.undo_last_truco_line(table=table, by=scorer)

    table.refresh_from_db()
    assert table.decided_at is None
    assert seat(table, 1).outcome == ""
    assert seat(table, 1).games_won == 1


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_the_deal_passes_on_from_the_first_dealer_whoever_wins(club, scorer, seats):
    table = truco_table(SeasonFactory(club=club), seats=seats)

    actions.choose_first_dealer(table=table, place=2, by=scorer)

    dealers = []
    for _ in range(seats + 1):
        dealers.append(meeting(table).dealer)
        record(table, scorer, hand("a", 1))

    assert dealers == [(1 + n) % seats for n in range(seats + 1)]


def test_the_first_dealer_is_drawn_among_those_at_the_table(table, scorer):
    chosen = actions.choose_first_dealer(table=table, place=None, by=scorer)

    assert chosen.first_dealer in {1, 2, 3, 4}


def test_a_referees_tento_is_its_own_line_and_passes_the_deal(table, scorer):
    before = meeting(table).dealer

    record(table, scorer, tento("b"))

    assert told(table) == [(1, "tento", "b", 1)]
    assert meeting(table).score == (0, 1)
    assert meeting(table).dealer == (before + 1) % 4


def test_a_tento_may_end_the_meeting(club, scorer):
    table = truco_table(SeasonFactory(club=club), best_of=1)
    record(table, scorer, hand("a", 9), hand("a", 1), hand("a", 1), tento("a"))

    assert meeting(table).winner is truco.Pair.A


def test_players_give_no_tento(table):
    player = account_with(table.event.club, Role.MEMBER, "player")

    with pytest.raises(PermissionDenied):
        record(table, player, tento("a"))


# What the score does not allow


def test_a_hand_of_eleven_is_worth_three_or_one_when_declined(table, scorer):
    record(table, scorer, hand("a", 9), hand("a", 1), hand("a", 1))

    with pytest.raises(ValidationError, match=r"Line 4 does not fit.*11 to 0.*worth 6"):
        record(table, scorer, hand("b", 6))
    with pytest.raises(ValidationError):
        record(table, scorer, hand("a", 1))  # the pair on eleven never scores one
    record(table, scorer, hand("b", 1, "declined"), hand("b", 3))

    assert meeting(table).score == (11, 4)


def test_the_hand_at_eleven_all_is_worth_one(table, scorer):
    record(table, scorer, hand("a", 9), hand("b", 9), hand("a", 1), hand("b", 1))
    record(table, scorer, hand("a", 1), hand("b", 1, "declined"))
    assert meeting(table).kind is truco.HandKind.IRON

    with pytest.raises(ValidationError):
        record(table, scorer, hand("a", 3))
    record(table, scorer, hand("b", 1))

    assert meeting(table).scores == ((11, 12),)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (hand("a", 5), "cannot be worth 5"),
        (ran("a", 12), "cannot be worth 12"),
        (game(12, 12), "No match to 12 ends 12 to 12"),
        (game(14, 11), "No match to 12 ends 14 to 11"),
        (game(11, 3), "No match to 12 ends 11 to 3"),
    ],
)
def test_what_no_hand_and_no_game_can_give_is_refused(table, scorer, line, why):
    with pytest.raises(ValidationError, match=why):
        record(table, scorer, line)

    assert not table.truco_lines.exists()


def test_a_final_score_goes_on_from_the_hands_that_were_written(table, scorer):
    record(table, scorer, hand("b", 3))

    with pytest.raises(ValidationError):
        record(table, scorer, game(12, 2))
    record(table, scorer, game(12, 3))


# Corrections


def test_a_correction_plays_the_whole_sheet_again(table, scorer):
    first = record(table, scorer, hand("a", 3))
    record(table, scorer, hand("b", 1))

    actions.correct_truco_line(
        line=first, corrected=hand("b", 6), entry_key=uuid.uuid4(), by=scorer
    )

    assert meeting(table).score == (0, 7)
    assert seat(table, 2).points == 7
    first.refresh_from_db()
    assert first.state == "corrected"


def test_what_a_correction_makes_impossible_is_named_and_nothing_changes(table, scorer):
    first = record(table, scorer, hand("a", 9))
    record(table, scorer, hand("a", 1), hand("a", 1), hand("b", 1, "declined"))

    with pytest.raises(ValidationError, match=r"Line 4 does not fit"):
        actions.correct_truco_line(
            line=first, corrected=hand("b", 6), entry_key=uuid.uuid4(), by=scorer
        )

    assert meeting(table).score == (11, 1)


def test_voiding_a_line_moves_the_others_up_and_leaves_no_hole(table, scorer):
    first = record(table, scorer, hand("a", 3))
    record(table, scorer, hand("b", 1))

    actions.void_truco_line(line=first, reason="Misdeal", by=scorer)
    record(table, scorer, hand("a", 6))

    assert told(table) == [(2, "hand", "b", 1), (3, "hand", "a", 6)]
    assert meeting(table).score == (6, 1)


def test_a_line_that_others_rest_on_cannot_be_voided(table, scorer):
    record(table, scorer, hand("a", 9), hand("a", 1))
    third = record(table, scorer, hand("a", 1))
    record(table, scorer, hand("b", 1, "declined"))

    with pytest.raises(ValidationError, match="Line 4 does not fit"):
        actions.void_truco_line(line=third, reason="Misdeal", by=scorer)

    assert meeting(table).score == (11, 1)


# Sent twice, sent late


def test_the_same_entry_twice_is_one_line(table, scorer):
    key = uuid.uuid4()

    one = record(table, scorer, hand("a", 3), entry_key=key, number=1)
    two = record(table, scorer, hand("a", 3), entry_key=key, number=1)

    assert one == two
    assert meeting(table).score == (3, 0)


def test_the_last_hand_of_a_meeting_sent_twice_is_one_line(club, scorer):
    table = truco_table(SeasonFactory(club=club), best_of=1)
    key = uuid.uuid4()

    for _ in range(2):
        record(table, scorer, game(12, 4), entry_key=key, number=1)

    assert told(table) == [(1, "game", "", 0)]


def test_a_page_that_is_too_old_is_told_what_stands_there(table, scorer, director):
    record(table, scorer, hand("a", 3), number=1)

    with pytest.raises(StaleSheet) as stale:
        record(table, director, hand("b", 1), number=1)

    assert (stale.value.standing.points, stale.value.number) == (3, 2)


def test_a_closed_round_takes_no_hand(table, scorer):
    Round.objects.filter(pk=table.round_id).update(state=Round.State.CLOSED)

    with pytest.raises(ValidationError, match="closed"):
        record(table, scorer, hand("a", 1))


def test_every_step_is_in_the_history(table, scorer):
    first = record(table, scorer, hand("a", 3))
    actions.correct_truco_line(
        line=first, corrected=hand("b", 3), entry_key=uuid.uuid4(), by=scorer
    )
    actions.void_truco_line(line=TrucoLine.objects.standing().get(), reason="Misdeal", by=scorer)

    kinds = list(SheetEvent.objects.filter(table=table).values_list("kind", flat=True))
    assert kinds == ["recorded", "corrected", "voided"]


# The end of the time


def cap(rule: CapRule) -> Entered:
    return Entered(kind=KIND.CAP, cap=rule)


def test_at_the_end_of_the_time_whoever_is_ahead_wins(table, scorer):
    record(table, scorer, game(12, 3), hand("b", 9), cap(CapRule.LEADER_WINS))

    assert meeting(table).winner is truco.Pair.A  # a game ahead
    table.refresh_from_db()
    assert table.decided_at is not None


def test_with_equal_games_the_running_one_decides(table, scorer):
    record(table, scorer, hand("b", 3), cap(CapRule.LEADER_WINS))

    assert meeting(table).winner is truco.Pair.B
    assert seat(table, 2).outcome == "won"
    assert seat(table, 2).games_won == 0  # the game was broken off
    assert sumula_of(table, table.truco_lines.all(), blank=False).won_on_time == "B"


def test_two_that_are_level_play_one_more_hand(table, scorer):
    with pytest.raises(ValidationError, match="level"):
        record(table, scorer, cap(CapRule.LEADER_WINS))

    record(table, scorer, cap(CapRule.SUDDEN_HAND), hand("b", 1))

    assert meeting(table).winner is truco.Pair.B


def test_the_games_that_remain_begin_at_eleven_all(table, scorer):
    record(table, scorer, hand("a", 3), cap(CapRule.FROM_11_11), game(12, 0))

    assert meeting(table).score == (11, 11)
    assert meeting(table).kind is truco.HandKind.IRON


def test_the_time_ends_once(table, scorer):
    record(table, scorer, cap(CapRule.FROM_11_11))

    with pytest.raises(ValidationError, match="already"):
        record(table, scorer, cap(CapRule.FROM_11_11))


# A hand card by card


def test_a_hand_in_notation_is_judged_by_its_cards(table, scorer):
    line = hand_in_notation(meeting(table), "A1 v6E B1: 4C KC 3P JO / B2: QC 2P 3E 2E")

    written = record(table, scorer, line)

    assert (written.winner, written.points, written.ending) == ("b", 1, "rounds")
    assert written.notation.startswith("1. A1 v6E B1: 4C KC 3P JO >B2")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("A1 v6E B1: 4C KC 3P JO", "one hand"),
        ("B2 v6E A1: 4C KC 3P JO / A2: QC 2P 3E 2E", "another one deals"),
        ("", "who scored"),
        ("A1 v6E B1: 6E KC 3P JO", "vira"),
        ("A1 => A+1\nB1 => A+1", ""),
        ("nonsense", ""),
    ],
)
def test_what_is_no_hand_of_this_sheet_is_refused_in_words(table, text, why):
    with pytest.raises(RulesError) as refused:
        hand_in_notation(meeting(table), text)

    assert why in str(refused.value)
