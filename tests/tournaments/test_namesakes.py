"""Who may be meant by a name is found among thousands as among a few."""

from __future__ import annotations

from difflib import get_close_matches

from hypothesis import given
from hypothesis import strategies as st

from clubs.models import Player
from clubs.names import fold_name
from tournaments.namesakes import ALIKE, Namesakes

NAMES = st.text(alphabet="anoelij ", min_size=1, max_size=14).map(fold_name).filter(bool)


def players(*names: str) -> list[Player]:
    return [Player(name=name, sort_name=fold_name(name)) for name in names]


@given(typed=NAMES, known=st.lists(NAMES, max_size=12, unique=True))
def test_no_name_that_is_almost_the_same_is_passed_over(typed: str, known: list[str]):
    almost = get_close_matches(typed, known, n=len(known) or 1, cutoff=ALIKE)

    near = Namesakes(players(*known))._near(typed)

    assert {name for name in almost if len(name) > 1} <= set(near)


def test_those_who_may_be_meant_come_in_the_order_of_the_club():
    club = Namesakes(players("Zoé Martin", "Anne Marie Duval", "Zoe Martine", "Luc Duval"))

    assert [player.name for player in club.of("Zoé Martim")] == ["Zoé Martin", "Zoe Martine"]
    assert [player.name for player in club.of("Duval")] == ["Anne Marie Duval", "Luc Duval"]
    assert club.of("Odile") == []
