"""Names as a list sorts and a search finds them."""

from __future__ import annotations

import pytest

from clubs.models import Player
from clubs.names import fold_name
from tests.factories import PlayerFactory


@pytest.mark.parametrize(
    ("name", "folded"),
    [
        ("Émile Guivarc’h", "emile guivarc'h"),
        ("  Ana   Paula ", "ana paula"),
        ("João", "joao"),
        ("Œdipe", "oedipe"),
        ("´", ""),
    ],
)
def test_a_name_is_folded_to_letters_without_accents_and_case(name, folded):
    assert fold_name(name) == folded


def test_accents_do_not_send_a_name_to_the_end_of_the_list(club):
    for name in ("Zoé", "Émile", "Denis"):
        PlayerFactory(club=club, name=name)

    names = list(club.players.by_name().values_list("name", flat=True))

    assert names == ["Denis", "Émile", "Zoé"]


@pytest.mark.parametrize("words", ["emile", "ÉMILE", "guiv émi", "Mimile"])
def test_a_search_finds_a_player_without_the_accents_and_by_the_name_at_the_table(club, words):
    emile = PlayerFactory(club=club, name="Émile Guivarc’h", table_name="Mimile")
    PlayerFactory(club=club, name="Denis Cariou")

    assert list(Player.objects.called(words)) == [emile]


def test_a_search_for_two_words_wants_both(club):
    PlayerFactory(club=club, name="Émile Guivarc’h")

    assert not Player.objects.called("émile cariou").exists()


def test_lists_of_players_have_a_total_order(club):
    assert club.players.by_name().totally_ordered
