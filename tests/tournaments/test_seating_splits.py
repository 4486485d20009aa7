from __future__ import annotations

import pytest

from tournaments.seating import Leftovers, SeatingError, Split, possible_splits, split_for
from tournaments.seating.verifier import allowed_sizes


@pytest.mark.parametrize("policy", list(Leftovers))
@pytest.mark.parametrize("players", range(3, 61))
def test_every_player_is_at_a_table_or_sits_out(players, policy):
    split = split_for(players, policy).split

    assert split.players == players
    assert sum(split.sizes) + split.sit_out == players
    assert len(split.sizes) == len(split.players_per_deal) == split.tables
    assert split.sit_out <= 2


@pytest.mark.parametrize("policy", list(Leftovers))
@pytest.mark.parametrize("players", range(3, 61))
def test_the_verifier_counts_the_same_tables(players, policy):
    split = split_for(players, policy).split

    sizes = {size: split.sizes.count(size) for size in set(split.sizes)}
    if split.sit_out:
        sizes[0] = split.sit_out

    assert sizes == dict(allowed_sizes(players, policy))


@pytest.mark.parametrize("policy", list(Leftovers))
@pytest.mark.parametrize("players", [0, 1, 2])
def test_nobody_plays_below_three_players(players, policy):
    with pytest.raises(SeatingError) as refused:
        split_for(players, policy)

    assert refused.value.code == "too_few_players"
    assert refused.value.message == f"A table needs at least 3 players; there are {players}."
    assert possible_splits(players) == ()


@pytest.mark.parametrize(
    ("players", "split"),
    [
        (3, Split(threes=1)),
        (4, Split(fours=1)),
        (6, Split(threes=2)),
        (7, Split(fours=1, threes=1)),
        (9, Split(threes=3)),
        (10, Split(fours=1, threes=2)),
        (11, Split(fours=2, threes=1)),
        (14, Split(fours=2, threes=2)),
    ],
)
def test_fours_come_first_then_threes(players, split):
    assert split_for(players, Leftovers.THREES).split == split


@pytest.mark.parametrize(
    ("players", "split"),
    [(5, Split(fives=1)), (9, Split(fours=1, fives=1)), (10, Split(fives=2)), (15, Split(fives=3))],
)
def test_fours_come_first_then_fives(players, split):
    assert split_for(players, Leftovers.FIVES).split == split


@pytest.mark.parametrize("policy", [Leftovers.FIVES, Leftovers.FIVE_OF_FOUR])
@pytest.mark.parametrize("players", [3, 6, 7, 11])
def test_fives_cannot_be_made_of_these_numbers_and_it_says_so(players, policy):
    choice = split_for(players, policy)

    assert choice.fell_back
    assert choice.policy is Leftovers.THREES
    assert choice.reasons[0].code == "no_fives"


def test_five_players_are_one_table_of_five_even_when_threes_were_asked_for():
    choice = split_for(5, Leftovers.THREES)

    assert choice.split == Split(fives=1)
    assert choice.fell_back
    assert choice.reasons[0].in_english() == "5 players cannot be split into tables of 4 and 3."


def test_a_table_of_five_with_one_sitting_out_each_deal_plays_by_four():
    split = split_for(9, Leftovers.FIVE_OF_FOUR).split

    assert split.sizes == (4, 5)
    assert split.players_per_deal == (4, 4)


@pytest.mark.parametrize(("players", "out"), [(5, 1), (6, 2), (9, 1), (14, 2), (16, 0)])
def test_one_or_two_players_sit_out_the_round(players, out):
    assert split_for(players, Leftovers.SIT_OUT).split.sit_out == out


@pytest.mark.parametrize("players", [7, 11, 15, 59])
def test_three_never_sit_out_they_get_a_table(players):
    choice = split_for(players, Leftovers.SIT_OUT)

    assert choice.split.sit_out == 0
    assert choice.split.threes == 1
    assert choice.reasons[0].code == "too_many_would_sit_out"


def test_the_plan_chooser_shows_each_split_once_with_its_reason():
    choices = possible_splits(14)

    assert [choice.split for choice in choices] == [
        Split(fours=2, threes=2),
        Split(fours=1, fives=2),
        Split(fours=3, sit_out=2),
        Split(fours=1, resting_fives=2),
    ]
    assert [choice.reasons[0].code for choice in choices] == [
        "fours_then_threes",
        "fours_then_fives",
        "fours_and_sitting_out",
        "fours_then_resting_fives",
    ]
    assert choices[2].reasons[0].in_english() == "Only tables of 4; 2 players sit out the round."


def test_a_multiple_of_four_leaves_nothing_to_choose():
    assert [choice.split for choice in possible_splits(16)] == [Split(fours=4)]
