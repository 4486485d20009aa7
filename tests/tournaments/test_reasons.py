from __future__ import annotations

import pytest

from clubs import onlookers
from clubs.models import Player
from tests.factories import PlayerFactory
from tournaments.reasons import explained, listed, names_of, sentences, split_in_words
from tournaments.seating import Reason, Split, possible_splits

pytestmark = pytest.mark.django_db


def test_keys_become_names(club):
    odile, yves = (PlayerFactory(club=club, name=name) for name in ("Odile", "Yves"))

    said = sentences(
        [
            {"code": "sits_out", "gaps": {"count": 1, "players": [odile.pk]}},
            {
                "code": "remeeting",
                "gaps": {"count": 1, "times": 2, "pairs": [[odile.pk, yves.pk]]},
            },
        ]
    )

    assert said[0].endswith("Odile.")
    assert "Odile – Yves" in said[1]


def test_a_player_who_is_gone_is_somebody():
    (said,) = sentences([{"code": "sits_out", "gaps": {"count": 1, "players": [0]}}])

    assert said.endswith("somebody.")


def test_all_names_cost_one_query(club, django_assert_num_queries):
    stored = [
        {"code": "sits_out", "gaps": {"count": 1, "players": [PlayerFactory(club=club).pk]}}
        for _ in range(3)
    ]

    with django_assert_num_queries(1):
        sentences(stored)


def test_of_many_names_the_first_eight_are_said():
    assert listed([str(n) for n in range(1, 12)]) == "1, 2, 3, 4, 5, 6, 7, 8 and 3 more"


@pytest.mark.parametrize(
    ("split", "words"),
    [
        (Split(fours=2, threes=1), "2 tables of 4 + 1 table of 3"),
        (Split(fours=1, fives=2), "1 table of 4 + 2 tables of 5"),
        (Split(resting_fives=1), "1 table of 5, one sits out each deal"),
        (Split(fours=3, sit_out=2), "3 tables of 4 + 2 sit out"),
    ],
)
def test_a_split_is_told_by_its_tables(split, words):
    assert split_in_words(split) == words


@pytest.mark.parametrize(
    ("reason", "said"),
    [
        (
            Reason(code="seats_balanced"),
            "Everybody has had each seat at the table equally often, give or take once.",
        ),
        (
            Reason(code="odd_tables_uneven", gaps={"fewest": 1, "most": 3}),
            (
                "Not everybody has been equally often at a table that is not of 4: "
                "from 1 to 3 times."
            ),
        ),
    ],
)
def test_what_is_uneven_is_said_in_words_that_players_use(reason, said):
    assert explained([reason]) == [said]


@pytest.mark.parametrize("players", range(3, 41))
def test_every_split_has_a_reason_in_words(players):
    for choice in possible_splits(players):
        assert all(said and "%(" not in said for said in explained(choice.reasons))


def test_reasons_name_players_as_whoever_looks_may_read_them(club):
    player = PlayerFactory(club=club, name="Ana Lima", shown_as=Player.ShownAs.HIDDEN)

    with onlookers.before_members(club.pk):
        told = names_of([player.pk])[player.pk]
    with onlookers.before_the_world():
        withheld = names_of([player.pk])[player.pk]

    assert (told, withheld) == ("Ana Lima", "Name withheld")
