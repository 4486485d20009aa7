from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError

from tests.factories import RoundFactory, TableFactory
from tournaments import actions
from tournaments.models import Event, Round, Table
from tournaments.rules import Conflict

pytestmark = pytest.mark.django_db


@pytest.fixture
def written(playing) -> Round:
    """Both tables have written all of their deals."""
    playing.tables.update(deals_recorded=5, version=5)
    return playing


def test_a_round_with_complete_sheets_is_closed(written):
    closed = actions.close_round(this_round=written, by=None)

    assert closed.state == Round.State.CLOSED
    assert closed.closed_at is not None
    assert {table.state for table in closed.tables.all()} == {Table.State.CLOSED}


def test_a_second_press_finds_the_round_closed(written):
    first = actions.close_round(this_round=written, by=None)
    second = actions.close_round(this_round=written, by=None)

    assert first.closed_at == second.closed_at
    assert written.event.journal.filter(kind="round_closed").count() == 1


def test_missing_deals_are_named_by_their_tables(written):
    written.tables.filter(number=2).update(deals_recorded=3)

    with pytest.raises(ValidationError) as refusal:
        actions.close_round(this_round=written, by=None)

    assert refusal.value.code == "deals_missing"
    assert refusal.value.messages == ["Deals are missing on the sheet of table 2."]
    written.refresh_from_db()
    assert written.state == Round.State.PLAYING


def test_missing_deals_can_be_given_up(written):
    written.tables.update(deals_recorded=3)

    closed = actions.close_round(this_round=written, by=None, without_missing=True)

    assert closed.state == Round.State.CLOSED
    assert written.event.journal.first().details["missing"] == [1, 2]


def test_a_sheet_that_does_not_add_up_to_zero_keeps_the_round_open(written):
    seat = written.seats.filter(table__number=1).first()
    seat.points = 10
    seat.save()

    with pytest.raises(ValidationError) as refusal:
        actions.close_round(this_round=written, by=None, without_missing=True)

    assert refusal.value.messages == ["The sheet of table 1 adds up to +10: correct it first."]


def test_a_proposal_is_not_closed(proposal):
    with pytest.raises(Conflict):
        actions.close_round(this_round=proposal, by=None)


def test_the_last_round_is_opened_again_with_its_sheets(written):
    actions.close_round(this_round=written, by=None)

    opened = actions.reopen_round(this_round=written, by=None)

    assert opened.state == Round.State.PLAYING
    assert opened.closed_at is None
    assert {table.state for table in opened.tables.all()} == {Table.State.OPEN}


def test_an_open_round_stays_open(playing):
    assert actions.reopen_round(this_round=playing, by=None) == playing
    assert not playing.event.journal.filter(kind="round_reopened").exists()


def test_a_proposal_is_not_reopened(proposal):
    with pytest.raises(Conflict):
        actions.reopen_round(this_round=proposal, by=None)


def test_the_same_number_of_deals_leaves_no_trace(playing):
    actions.change_deals(table=playing.tables.get(number=1), deals_planned=5, by=None)

    assert not playing.event.journal.filter(kind="deals_changed").exists()


def test_a_round_before_the_last_stays_closed(written):
    actions.close_round(this_round=written, by=None)
    actions.draw_round(event=written.event, by=None)

    with pytest.raises(Conflict) as refusal:
        actions.reopen_round(this_round=written, by=None)

    assert refusal.value.code == "not_the_last_round"


def test_rounds_of_a_closed_evening_stay_closed(written):
    actions.close_round(this_round=written, by=None)
    Event.objects.update(state=Event.State.CLOSED)

    with pytest.raises(Conflict):
        actions.reopen_round(this_round=written, by=None)


def test_a_table_may_play_more_deals(playing):
    table = playing.tables.get(number=1)
    before = table.version

    actions.change_deals(table=table, deals_planned=7, by=None)

    table.refresh_from_db()
    assert (table.deals_planned, table.version) == (7, before)
    assert playing.event.journal.first().details == {"round": 1, "table": 1, "deals": 7}


@pytest.mark.parametrize("deals", [2, 51])
def test_a_table_plays_no_fewer_deals_than_it_has_written(playing, deals):
    playing.tables.update(deals_recorded=3)

    with pytest.raises(ValidationError) as refusal:
        actions.change_deals(table=playing.tables.get(number=1), deals_planned=deals, by=None)

    assert refusal.value.messages == ["Table 1 can play from 3 to 50 deals."]


def test_a_closed_round_gets_no_more_deals(evening):
    table = TableFactory(round=RoundFactory(event=evening, closed=True))

    with pytest.raises(Conflict):
        actions.change_deals(table=table, deals_planned=7, by=None)
