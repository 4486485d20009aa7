"""The clock of a round: it starts, stands, goes on, and its end is called."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.core.exceptions import ValidationError

from tournaments import actions, clock
from tournaments.rules import Conflict

pytestmark = pytest.mark.django_db

NINE = datetime(2026, 12, 3, 21, 0, tzinfo=UTC)


def after(minutes: int) -> datetime:
    return NINE + timedelta(minutes=minutes)


def test_a_clock_of_sixty_minutes_ends_an_hour_after_its_start(playing):
    this_round = actions.start_clock(this_round=playing, minutes=60, by=None, at=NINE)

    assert clock.ends_at(this_round, at=after(10)) == after(60)
    assert clock.time_left(this_round, at=after(45)) == timedelta(minutes=15)
    assert clock.time_left(this_round, at=after(70)) == timedelta(0)


def test_the_minutes_for_which_a_clock_stood_still_are_played_afterwards(playing):
    actions.start_clock(this_round=playing, minutes=60, by=None, at=NINE)
    standing = actions.pause_clock(this_round=playing, by=None, at=after(20))
    assert clock.time_left(standing, at=after(25)) == timedelta(minutes=40)

    running = actions.resume_clock(this_round=playing, by=None, at=after(30))

    assert clock.ends_at(running, at=after(31)) == after(70)
    assert clock.is_running(running)


def test_two_pauses_add_up(playing):
    actions.start_clock(this_round=playing, minutes=60, by=None, at=NINE)
    for stop, go in ((10, 15), (20, 22)):
        actions.pause_clock(this_round=playing, by=None, at=after(stop))
        running = actions.resume_clock(this_round=playing, by=None, at=after(go))

    assert clock.ends_at(running, at=after(30)) == after(67)


def test_pressing_twice_changes_nothing(playing):
    actions.start_clock(this_round=playing, minutes=60, by=None, at=NINE)
    again = actions.start_clock(this_round=playing, minutes=10, by=None, at=after(5))
    assert (again.minutes, again.clock_started_at) == (60, NINE)

    for at in (after(10), after(12)):
        standing = actions.pause_clock(this_round=playing, by=None, at=at)
    assert standing.clock_paused_at == after(10)

    for at in (after(20), after(25)):
        running = actions.resume_clock(this_round=playing, by=None, at=at)
    assert running.seconds_paused == 600

    for at in (after(70), after(80)):
        over = actions.call_time(this_round=playing, by=None, at=at)
    assert over.time_called_at == after(70)


def test_a_clock_that_was_never_started_cannot_stop(playing):
    with pytest.raises(ValidationError) as refusal:
        actions.pause_clock(this_round=playing, by=None)

    assert refusal.value.code == "no_clock"


@pytest.mark.parametrize("minutes", [0, -5, 601])
def test_a_round_lasts_from_1_to_600_minutes(playing, minutes):
    with pytest.raises(ValidationError):
        actions.start_clock(this_round=playing, minutes=minutes, by=None)


def test_the_end_of_time_holds_for_every_table_but_those_with_time_of_their_own(playing):
    first, second = playing.tables.in_order()
    actions.extend_table(table=second, minutes=10, by=None)

    over = actions.call_time(this_round=playing, by=None, at=NINE)

    first, second = over.tables.in_order().select_related("round")
    assert clock.is_over(first, at=after(5))
    assert not clock.is_over(second, at=after(5))
    assert clock.is_over(second, at=after(10))


def test_the_end_of_time_can_be_taken_back(playing):
    actions.call_time(this_round=playing, by=None, at=NINE)

    again = actions.take_time_back(this_round=playing, by=None)

    assert clock.over_at(again.tables.first()) is None


def test_a_proposal_and_a_closed_round_have_no_clock(playing, proposal):
    actions.close_round(this_round=playing, by=None, without_missing=True)

    with pytest.raises(Conflict):
        actions.start_clock(this_round=playing, minutes=60, by=None)


def test_the_journal_says_who_moved_the_clock(playing, director, director_client):
    actions.start_clock(this_round=playing, minutes=60, by=director, at=NINE)
    actions.pause_clock(this_round=playing, by=director)
    actions.resume_clock(this_round=playing, by=director)
    actions.extend_table(table=playing.tables.first(), minutes=5, by=director)
    actions.call_time(this_round=playing, by=director)
    actions.take_time_back(this_round=playing, by=director)

    page = director_client.get(f"/evenings/{playing.event_id}/journal/").text

    for said in (
        "Started the clock of round 1: 60 minutes.",
        "Stopped the clock of round 1.",
        "Let the clock of round 1 run on.",
        "5 minutes more.",
        "Called the end of time of round 1.",
        "Took the end of time of round 1 back.",
    ):
        assert said in page


def test_the_journal_says_one_minute_in_the_singular(playing, director, director_client):
    actions.start_clock(this_round=playing, minutes=1, by=director, at=NINE)
    actions.extend_table(table=playing.tables.first(), minutes=1, by=director)

    page = director_client.get(f"/evenings/{playing.event_id}/journal/").text

    assert "Started the clock of round 1: 1 minute." in page
    assert "1 minute more." in page


def test_a_round_that_is_taken_back_starts_with_a_new_clock(playing):
    actions.start_clock(this_round=playing, minutes=60, by=None, at=NINE)
    actions.call_time(this_round=playing, by=None, at=after(60))

    proposal = actions.withdraw_round(this_round=playing, by=None)
    again = actions.publish_round(proposal=proposal, by=None)

    again.refresh_from_db()
    assert (again.clock_started_at, again.time_called_at) == (None, None)
