"""An evening ends: its points count for the season, until it is opened again."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse

from scoring import actions, tasks
from scoring.models import RankingRow, StaleRanking, StaleStandings
from tests.factories import PlayerFactory, RoundFactory
from tests.reading import text_of
from tests.scoring import paper
from tournaments.models import Event, JournalLine, Round, Table


@pytest.fixture
def four(club):
    return PlayerFactory.create_batch(4, club=club)


@pytest.fixture
def event(season, four):
    return paper.evening(season, four, state=Event.State.RUNNING)


@pytest.fixture
def playing(event, four) -> Table:
    """A table whose round goes on, with one deal of five."""
    table = paper.sit(event, four)[0]
    paper.write(table, 30, -10, -10, -10)
    StaleStandings.objects.all().delete()
    return table


@pytest.fixture
def over(event, playing) -> Event:
    event.rounds.update(state=Round.State.CLOSED)
    return event


def refresh(event: Event) -> None:
    tasks.refresh_standings(event.pk)
    tasks.refresh_ranking(event.season_id)


def test_a_closed_evening_counts_for_the_season(over, four, director):
    closed = actions.close_event(event=over, by=director)
    refresh(over)

    assert (closed.state, closed.closed_at is None) == (Event.State.CLOSED, False)
    assert [row.points for row in RankingRow.objects.by_place()] == [30, -10, -10, -10]
    line = JournalLine.objects.get(kind=JournalLine.Kind.CLOSED)
    assert (line.event, line.actor) == (over, director)


def test_closing_leaves_marks_and_sends_messages_once_it_is_stored(
    over, director, django_capture_on_commit_callbacks
):
    with django_capture_on_commit_callbacks() as sent:
        actions.close_event(event=over, by=director)

    assert StaleStandings.objects.filter(event=over).count() == 1
    assert StaleRanking.objects.filter(season=over.season).count() == 1
    assert len(sent) == 2


def test_a_second_press_finds_the_evening_closed(over, director):
    first = actions.close_event(event=over, by=director)
    second = actions.close_event(event=over, by=director)

    assert second.closed_at == first.closed_at
    assert JournalLine.objects.filter(kind=JournalLine.Kind.CLOSED).count() == 1
    assert StaleRanking.objects.count() == 1


def test_an_evening_with_a_round_under_way_is_not_closed_by_accident(event, playing, director):
    with pytest.raises(ValidationError) as refusal:
        actions.close_event(event=event, by=director)

    assert refusal.value.code == "round_playing"
    event.refresh_from_db()
    assert event.state == Event.State.RUNNING
    assert not StaleRanking.objects.exists()


def test_the_director_may_end_the_round_as_it_stands(event, playing, director):
    actions.close_event(event=event, by=director, without_missing=True)
    refresh(event)

    playing.refresh_from_db()
    assert (playing.state, playing.round.state) == (Table.State.CLOSED, Round.State.CLOSED)
    line = JournalLine.objects.get(kind=JournalLine.Kind.ROUND_CLOSED)
    assert line.details["missing"] == [1]
    assert RankingRow.objects.by_place().first().points == 30


def test_a_sheet_that_does_not_add_up_to_zero_keeps_the_evening_open(event, playing, director):
    playing.seats.filter(place=1).update(points=31)

    with pytest.raises(ValidationError) as refusal:
        actions.close_event(event=event, by=director, without_missing=True)

    assert refusal.value.code == "not_zero"
    event.refresh_from_db()
    assert event.state == Event.State.RUNNING


def test_a_draw_that_was_never_published_is_dropped(over, director):
    RoundFactory(event=over, drawn=True)

    actions.close_event(event=over, by=director)

    assert [r.state for r in over.rounds.all()] == [Round.State.CLOSED]
    assert JournalLine.objects.filter(kind=JournalLine.Kind.DISCARDED).count() == 1


def test_who_closes_an_evening_reads_that_it_can_be_reopened(over, director_client):
    """It is one tap: nothing is lost by it, and the page says so before."""
    page = text_of(director_client.get(reverse("event", args=[over.pk])))

    assert "Close the evening" in page
    assert "It can be reopened afterwards." in page


def test_a_reopened_evening_no_longer_counts_until_it_is_closed_again(over, director):
    actions.close_event(event=over, by=director)
    refresh(over)

    reopened = actions.reopen_event(event=over, by=director)
    refresh(over)
    assert (reopened.state, reopened.closed_at) == (Event.State.RUNNING, None)
    assert not RankingRow.objects.exists()

    actions.close_event(event=over, by=director)
    refresh(over)
    assert RankingRow.objects.count() == 4


def test_an_evening_without_a_round_reopens_for_check_in(season, director):
    """None is closed any more; the old ones remain."""
    event = paper.evening(season, [], state=Event.State.CLOSED)

    assert actions.reopen_event(event=event, by=director).state == Event.State.CHECK_IN
    assert actions.reopen_event(event=event, by=director).state == Event.State.CHECK_IN
    assert JournalLine.objects.filter(kind=JournalLine.Kind.REOPENED).count() == 1


def test_a_correction_after_the_end_reaches_the_season(over, director):
    actions.close_event(event=over, by=director)
    refresh(over)
    playing = over.rounds.get().tables.get()

    paper.void(playing.tarot_deals.get())
    refresh(over)

    assert not RankingRow.objects.exists()
