"""A table signs its sheet in a tournament."""

from __future__ import annotations

import pytest
from django.urls import reverse

from tournaments import actions as tournament_actions
from tournaments.models import Event

pytestmark = pytest.mark.django_db


@pytest.fixture
def complete(table, record):
    """A table of a tournament that has played its five deals."""
    Event.objects.filter(pk=table.round.event_id).update(kind=Event.Kind.TOURNAMENT)
    for points in (49, 50, 51, 52, 53):
        record(points=points)
    return table


def sheet(client, table) -> str:
    return client.get(reverse("sheet", args=[table.pk])).text


def test_the_players_sign_a_complete_sheet_and_may_take_it_back(client_of, yves, complete):
    client = client_of(yves)
    assert "We agree: sign the sheet" in sheet(client, complete)

    client.post(reverse("sign-sheet", args=[complete.pk]))
    assert "Signed by Yves at" in sheet(client, complete)

    client.post(reverse("unsign-sheet", args=[complete.pk]))
    assert "We agree: sign the sheet" in sheet(client, complete)


def test_an_unfinished_sheet_offers_no_signature_and_refuses_one(client_of, yves, table, record):
    Event.objects.filter(pk=table.round.event_id).update(kind=Event.Kind.TOURNAMENT)
    record()
    client = client_of(yves)

    page = client.post(reverse("sign-sheet", args=[table.pk]), follow=True).text

    assert "sign the sheet" not in page
    assert "it can be signed later" in page


def test_a_club_night_asks_for_no_signature(client_of, yves, table, record):
    for points in (49, 50, 51, 52, 53):
        record(points=points)

    assert "sign the sheet" not in sheet(client_of(yves), table)


def test_an_open_sheet_hears_of_the_end_of_time(client_of, yves, table, record):
    client = client_of(yves)
    address = reverse("sheet", args=[table.pk])
    etag = client.get(address, headers={"HX-Request": "true"})["ETag"]

    tournament_actions.call_time(this_round=table.round, by=None)

    polled = client.get(address, headers={"HX-Request": "true", "If-None-Match": etag})
    assert "The time of this round is over: no new deal starts." in polled.text
