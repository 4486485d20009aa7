"""The pages of stages and draws ask the database as often for many as for few."""

from __future__ import annotations

import pytest
from django.urls import reverse

from tests.factories import EventFactory
from tests.tournaments.desk import enter
from tournaments import actions
from tournaments.models import Event, Placement, Stage

pytestmark = pytest.mark.django_db


def tournament_of(season, players: int) -> Event:
    """A round by lot, then a final for which four are equal at the last place."""
    event = EventFactory(season=season, kind=Event.Kind.TOURNAMENT)
    for number, plan in enumerate(
        ({}, {"placement": Placement.FINAL, "qualifiers": 4, "name": "the final"}), start=1
    ):
        Stage.objects.create(
            event=event, number=number, rounds_planned=1, deals_per_round=4, **plan
        )
    enter(event, players)
    return event


def play(event: Event) -> None:
    started = actions.publish_round(proposal=actions.place_round(event=event, by=None), by=None)
    numbers = list(started.tables.values_list("number", flat=True))
    actions.close_round(this_round=started, by=None, without=numbers)


@pytest.mark.parametrize("players", [10, 22])
def test_a_proposal_with_other_ways_beside_it(
    director_client, season, players, django_assert_num_queries
):
    event = tournament_of(season, players)
    actions.place_round(event=event, by=None)
    address = reverse("draw", args=[event.pk])
    director_client.get(address)

    with django_assert_num_queries(30):
        director_client.get(address)


@pytest.mark.parametrize("players", [8, 20])
def test_equals_at_the_last_place(director_client, season, players, django_assert_num_queries):
    event = tournament_of(season, players)
    play(event)
    event.entries.update(place=3)
    address = reverse("draw", args=[event.pk])
    director_client.get(address)

    with django_assert_num_queries(28):
        director_client.get(address)


@pytest.mark.parametrize("players", [8, 20])
def test_the_stages(director_client, season, players, django_assert_num_queries):
    event = tournament_of(season, players)
    address = reverse("stages", args=[event.pk])
    director_client.get(address)

    with django_assert_num_queries(10):
        director_client.get(address)
