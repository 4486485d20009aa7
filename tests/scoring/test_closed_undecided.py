"""A round of truco that was closed over a meeting without a winner says so at every place."""

from __future__ import annotations

import pytest
from django.urls import reverse
from django.utils import timezone

from tests.reading import text_of
from tests.scoring.truco import game, record, truco_table
from tournaments import actions
from tournaments.models import Event, Table

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(season, scorer) -> Table:
    """Two games, one for each side; the third has not been played."""
    made = truco_table(season)
    Event.objects.update(starts_at=timezone.now())
    record(made, scorer, game(12, 7), game(4, 12))
    return made


def close(table: Table, by) -> None:
    table.round.refresh_from_db()
    actions.close_round(this_round=table.round, by=by, without_missing=True)


def test_a_sheet_that_was_closed_without_a_winner_is_not_going_on(table, director, director_client):
    address = reverse("sheet", args=[table.pk])
    before = text_of(director_client.get(address))
    close(table, director)
    after = text_of(director_client.get(address))

    assert "going on" in before
    assert " deals, " in before
    assert "closed, not decided" in after
    assert "going on" not in after
    assert " deals, " not in after


def test_the_floor_misses_no_deals_where_a_meeting_is_not_decided(table, director, director_client):
    close(table, director)

    floor = text_of(director_client.get(reverse("floor", args=[table.event.pk])))

    assert "Not decided" in floor
    assert "Deals missing" not in floor


def test_a_meeting_that_was_decided_says_who_won(table, scorer, director, director_client):
    record(table, scorer, game(12, 3))
    close(table, director)

    page = text_of(director_client.get(reverse("sheet", args=[table.pk])))

    assert " won" in page
    assert "not decided" not in page
