"""A round over the API: what waits at its tables, and its end."""

from __future__ import annotations

import pytest

from scoring.models import Confirmation
from tests.api.fixtures import championship
from tests.scoring.conftest import record_on
from tournaments.models import Event, Fixture, JournalLine

pytestmark = pytest.mark.django_db


@pytest.fixture
def director_api(caller, director):
    return caller(director)


@pytest.fixture
def waiting(world, director):
    """A round of one table whose only row nobody has confirmed yet."""
    Event.objects.update(confirmation=Event.Confirmation.OTHER_SEAT)
    world.table.deals_planned = 1
    world.table.save()
    record_on(world.table, world.seated[0].account)
    return world


def close(api, world, **given):
    return api.post(f"/api/v1/rounds/{world.round.pk}/close/", given, format="json")


def test_a_table_tells_how_many_rows_wait_and_how_many_object(api, waiting):
    answer = api.get(f"/api/v1/rounds/{waiting.round.pk}/")
    standings = api.get(f"/api/v1/events/{waiting.event.pk}/standings/")

    table = answer.data["tables"][0]
    assert (table["unconfirmed"], table["objections"]) == (1, 0)
    assert standings.data["unconfirmed"] == 1


def test_a_round_is_closed_over_unconfirmed_rows_only_by_the_number_of_the_table(
    director_api, waiting
):
    refused = close(director_api, waiting)
    closed = close(director_api, waiting, without=[1])

    assert refused.status_code == 400
    assert [each["code"] for each in refused.data["fields"][""]] == ["not_confirmed"]
    assert (closed.status_code, closed.data["state"]) == (200, "closed")
    line = JournalLine.objects.get(kind="round_closed")
    assert (line.details["without"], line.details["unconfirmed"]) == ([1], [1])


def test_only_tables_of_the_round_are_let_pass(director_api, waiting):
    answer = close(director_api, waiting, without=[1, 7])

    assert answer.status_code == 400
    assert answer.data["fields"]["without"][0]["code"] == "no_such_table"


def test_a_closed_round_stays_closed(director_api, waiting):
    close(director_api, waiting, without=[1])

    assert close(director_api, waiting).status_code == 200


def test_a_scorer_who_plays_at_the_table_signs_for_all_only_by_saying_so(caller, world, scorer):
    _event, (_first, second) = championship(world.season, scorer)
    seat = second.table.seats.order_by("place").first()
    seat.player = scorer.players.get()
    seat.save()
    address, own = f"/api/v1/fixtures/{second.pk}/confirm/", caller(scorer)

    alone = own.post(address, {}, format="json")
    signed = Confirmation.objects.of_the_sheet().count()
    for_all = own.post(address, {"for_all": True}, format="json")

    assert (alone.data["state"], signed) == ("played", 1)
    assert for_all.data["state"] == Fixture.State.DONE
