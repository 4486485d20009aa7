"""After the last round that was planned the director is led to the end, not to another draw."""

from __future__ import annotations

import pytest
from django.urls import reverse

from tests.factories import EventFactory
from tests.tournaments.desk import enter
from tournaments import actions
from tournaments.models import Event, Placement, Round, Stage

pytestmark = pytest.mark.django_db


@pytest.fixture
def tournament(season) -> Event:
    """Twenty players and a plan of two rounds."""
    event = EventFactory(season=season, kind=Event.Kind.TOURNAMENT)
    Stage.objects.create(
        event=event, number=1, rounds_planned=2, deals_per_round=4, placement=Placement.FFT
    )
    enter(event, 20)
    return event


def play(event: Event) -> Round:
    drawn = actions.place_round(event=event, by=None)
    started = actions.publish_round(proposal=drawn, by=None)
    numbers = list(started.tables.values_list("number", flat=True))
    return actions.close_round(this_round=started, by=None, without=numbers)


def board(client, event: Event) -> str:
    return client.get(reverse("tables", args=[event.pk])).text


def test_between_two_rounds_the_board_offers_the_next_draw(director_client, tournament):
    play(tournament)

    page = board(director_client, tournament)

    assert "Draw the next round" in page
    assert "Go on to closing the tournament" not in page


def test_after_the_last_round_the_board_offers_the_end_and_explains_another(
    director_client, tournament
):
    play(tournament)
    play(tournament)

    page = board(director_client, tournament)

    assert "Draw the next round" not in page
    assert "Go on to closing the tournament" in page
    assert "give the last stage one more, or add a stage" in page


def test_an_evening_of_one_round_ends_with_it_and_may_go_on(director_client, playing):
    Event.objects.filter(pk=playing.event_id).update(rounds_planned=1)
    actions.close_round(this_round=playing, by=None, without_missing=True)

    page = board(director_client, playing.event)

    assert "Go on to closing the evening" in page
    assert "Draw another round" in page


def test_a_second_press_of_start_says_that_the_round_had_started(director_client, tournament):
    drawn = actions.place_round(event=tournament, by=None)
    address = reverse("publish-round", args=[tournament.pk])

    first = director_client.post(address, {"round": drawn.pk}, follow=True).text
    second = director_client.post(address, {"round": drawn.pk}, follow=True).text

    assert "Round 1 has started." in first
    assert "Round 1 had already started" in second
    assert "Round 1 has started." not in second


def test_a_tournament_is_called_a_tournament_when_it_is_closed_and_opened_again(
    director_client, tournament
):
    play(tournament)
    address = reverse("event", args=[tournament.pk])

    open_page = director_client.get(address).text
    closed = director_client.post(reverse("close-event", args=[tournament.pk]), follow=True).text
    again = director_client.post(reverse("reopen-event", args=[tournament.pk]), follow=True).text

    assert "Close the tournament" in open_page
    assert "Reopen the tournament" in closed
    assert "The tournament is open again." in again
    for page in (open_page, closed, again):
        assert "the evening" not in page.lower()


def test_a_closed_tournament_refuses_a_draw_by_its_own_name(director_client, tournament):
    play(tournament)
    director_client.post(reverse("close-event", args=[tournament.pk]))

    refused = director_client.post(reverse("draw-round", args=[tournament.pk]))

    assert refused.status_code == 409
    assert "This tournament is closed. Reopen it before you change it." in refused.text
