"""The referee where games are won: a fault costs a tento, the hand, the game, the tournament."""

from __future__ import annotations

import uuid

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse
from rest_framework.test import APIClient

from scoring import actions
from tests.api.fixtures import championship
from tournaments import actions as plain
from tournaments.models import Entry, Ruling

pytestmark = pytest.mark.django_db


@pytest.fixture
def cup(club, season, scorer):
    """A knockout in which the sheet of the second semi-final is complete and the first is open."""
    event, (first, _second) = championship(season, scorer)
    plain.call_fixtures(event=event, chosen=[first.pk], by=None)
    first.refresh_from_db()
    return event, first


def sent(fixture, **changes):
    return {
        "entry_key": uuid.uuid4(),
        "table": fixture.table_id,
        "entry": fixture.home_id,
        "effect": "",
        "points": "",
        "note": "signs with the cards",
        **changes,
    }


def test_the_page_asks_for_what_truco_knows_and_takes_no_points(cup, client, director):
    event, fixture = cup
    client.force_login(director)

    page = client.get(reverse("referee", args=[event.pk]) + f"?table={fixture.table_id}").text

    for words in ("tento to the other side", "loses the hand", "loses the game", "excluded"):
        assert words in page
    assert "adds up to" not in page
    assert "Points taken" not in page
    assert "exposed" not in page


@pytest.mark.parametrize(("effect", "points"), [("tento", 1), ("lose_hand", 1), ("lose_game", 12)])
def test_what_a_fault_costs_is_given_to_the_other_side_on_the_sheet(
    cup, client, director, effect, points
):
    event, fixture = cup
    client.force_login(director)

    answer = client.post(reverse("record-ruling", args=[event.pk]), sent(fixture, effect=effect))

    assert answer.status_code == 302
    line = fixture.table.truco_lines.get()
    assert (line.winner, line.points) == ("b", points)
    assert (line.ruling.effect, line.ruling.entry_id) == (effect, fixture.home_id)


def test_a_warning_costs_nothing_and_an_exclusion_the_tournament(cup, client, director):
    event, fixture = cup
    client.force_login(director)
    address = reverse("record-ruling", args=[event.pk])

    client.post(address, sent(fixture))
    client.post(address, sent(fixture, effect="exclusion"))

    assert list(Ruling.objects.order_by("pk").values_list("kind", "effect")) == [
        ("warning", ""),
        ("decision", "exclusion"),
    ]
    assert Entry.objects.get(pk=fixture.home_id).state == Entry.State.EXPELLED


def test_a_tento_without_a_table_is_refused(cup, client, director):
    event, fixture = cup
    client.force_login(director)

    answer = client.post(
        reverse("record-ruling", args=[event.pk]), sent(fixture, effect="tento", table="")
    )

    assert answer.status_code == 422
    assert "Choose the table" in answer.text


@pytest.mark.parametrize(
    "said",
    [
        {"fault": "other", "kind": Ruling.Kind.PENALTY, "points": 100},
        {"fault": "exposed_card"},
    ],
)
def test_points_and_the_faults_of_tarot_are_refused(cup, director, said):
    event, fixture = cup

    with pytest.raises(ValidationError, match="Games are won here"):
        actions.record_ruling(event=event, by=director, entry=fixture.home, **said)
    assert not Ruling.objects.exists()


def test_over_the_api_too(cup, director):
    event, fixture = cup
    api = APIClient()
    api.force_authenticate(director)
    address = f"/api/v1/events/{event.pk}/rulings/"
    said = {"entry_key": str(uuid.uuid4()), "entry": fixture.home_id, "table": fixture.table_id}

    points = api.post(
        address, said | {"fault": "other", "kind": "penalty", "points": 100}, format="json"
    )
    tento = api.post(address, said | {"effect": "tento"}, format="json")

    assert points.status_code == 400
    assert (tento.status_code, tento.data["effect"]) == (201, "tento")
    assert fixture.table.truco_lines.get().winner == "b"
