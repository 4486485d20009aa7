"""Pages count pairs and trios where those enter, and say it in words when nobody has come."""

from __future__ import annotations

import pytest

from tests.factories import EventFactory
from tests.tournaments.championships import planned, with_sides


@pytest.mark.parametrize("page", ["", "evenings/"])
def test_a_tournament_of_pairs_counts_pairs(page, club, member_client):
    with_sides(planned(club, "groups_knockout"), 4)

    assert "4 pairs" in member_client.get(f"/clubs/{club.slug}/{page}").text


def test_before_anybody_came_the_draw_says_so_in_words(season, director_client):
    event = EventFactory(season=season)

    page = director_client.get(f"/evenings/{event.pk}/draw/").text

    assert "Nobody is marked as present yet" in page
    assert "0 players" not in page
