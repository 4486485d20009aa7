"""The page on which the director changes seats by hand."""

from __future__ import annotations

import pytest
from django.urls import reverse

from scoring import tasks
from tests.factories import TableFactory
from tournaments import actions as tournament_actions

pytestmark = pytest.mark.django_db


@pytest.fixture
def other_table(table):
    return TableFactory(round=table.round)


def players(table) -> list[int]:
    return list(table.seats.order_by("place").values_list("player_id", flat=True))


def asked(table, other_table) -> dict[str, object]:
    return {"kind": "swap", "one": players(table)[0], "other": players(other_table)[0]}


def address(table) -> str:
    return reverse("change-seats", args=[table.round.event_id])


def test_a_preview_changes_nothing(director_client, table, other_table):
    before = players(table)

    page = director_client.get(address(table), asked(table, other_table)).text

    assert "Bernard goes from table 1 to table 2, seat N." in page
    assert "this change is safe" in page
    assert players(table) == before


def test_the_change_is_made_as_previewed_and_undone(director_client, table, other_table):
    before = players(table)
    preview = director_client.get(address(table), asked(table, other_table))
    seen = preview.context["outlook"].seen

    director_client.post(address(table), {**asked(table, other_table), "seen": seen})
    assert players(table) != before

    director_client.post(
        reverse("undo-change", args=[table.round.event_id]), {"round": table.round.pk}
    )
    assert players(table) == before


def test_points_go_over_with_the_name_typed_and_the_standings_follow(
    director_client, table, other_table, record
):
    record()
    event = table.round.event
    gets = other_table.seats.get(place=1).entry
    wish = asked(table, other_table)
    seen = director_client.get(address(table), wish).context["outlook"].seen

    refused = director_client.post(address(table), {**wish, "seen": seen})
    director_client.post(address(table), {**wish, "seen": seen, "typed": "bernard"})
    tasks.refresh_standings(event.pk)

    assert refused.status_code == 422
    assert "Type “Bernard” to confirm the change." in refused.text
    gets.refresh_from_db()
    assert gets.points == 198  # (25 + 8) × 2 from each of three


def test_without_a_preview_nothing_is_changed(director_client, table, other_table):
    before = players(table)

    response = director_client.post(address(table), asked(table, other_table))

    assert response.status_code == 409
    assert players(table) == before


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({"kind": "swap", "one": "", "other": ""}, "Choose a player who is present."),
        ({"kind": "move", "table": ""}, "Choose a table."),
        ({"kind": "swap", "other": ""}, "Choose the other player."),
        ({"kind": "x"}, "is not one of the available choices"),
    ],
)
def test_what_is_missing_is_asked_for(director_client, table, other_table, sent, said):
    response = director_client.get(address(table), {**asked(table, other_table), **sent})

    assert response.status_code == 422
    assert said in response.text


def test_a_change_that_cannot_be_made_says_why(director_client, table, other_table):
    wish = {"kind": "move", "one": players(table)[0], "table": other_table.pk}
    type(other_table).objects.filter(pk=other_table.pk).update(version=1, deals_recorded=1)

    response = director_client.get(address(table), wish)

    assert response.status_code == 422
    assert "Table 2 has begun" in response.text


def test_between_two_rounds_there_is_nothing_to_change(director_client, table):
    tournament_actions.close_round(this_round=table.round, by=None, without_missing=True)

    page = director_client.get(address(table)).text

    assert "No round is being played" in page
