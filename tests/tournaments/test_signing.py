"""A position of a tournament closes when every sheet is complete, signed and adds up to zero."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from tournaments import actions
from tournaments.models import Event, Round, Table
from tournaments.rules import Conflict

pytestmark = pytest.mark.django_db


@pytest.fixture
def position(playing) -> Round:
    """Two tables of a tournament, all deals played."""
    Event.objects.filter(pk=playing.event_id).update(kind=Event.Kind.TOURNAMENT)
    playing.tables.update(deals_recorded=5)
    return playing


def tables(position: Round) -> list[Table]:
    return list(position.tables.in_order())


def sign_all(position: Round) -> None:
    for table in tables(position):
        actions.sign_sheet(table=table, by=None)


def test_a_complete_sheet_that_adds_up_to_zero_is_signed_with_who_and_when(position, director):
    signed = actions.sign_sheet(table=tables(position)[0], by=director)

    assert signed.signed_by == director
    assert timezone.now() - signed.signed_at < timedelta(minutes=1)


def test_an_unfinished_sheet_is_not_signed(position):
    position.tables.update(deals_recorded=4)

    with pytest.raises(ValidationError) as refusal:
        actions.sign_sheet(table=tables(position)[0], by=None)

    assert refusal.value.messages == ["Table 1 has written 4 of 5 deals: it can be signed later."]


def test_a_sheet_that_does_not_add_up_to_zero_is_not_signed(position):
    table = tables(position)[0]
    table.seats.filter(place=1).update(points=10)

    with pytest.raises(ValidationError) as refusal:
        actions.sign_sheet(table=table, by=None)

    assert refusal.value.code == "not_zero"


def test_after_the_end_of_time_a_sheet_is_complete_with_what_it_holds(position):
    position.tables.update(deals_recorded=3)
    actions.call_time(this_round=position, by=None)

    signed = actions.sign_sheet(table=tables(position)[0], by=None)

    assert (signed.deals_planned, signed.is_complete) == (3, True)


def test_after_the_end_of_time_a_blank_sheet_is_still_not_signed(position):
    position.tables.update(deals_recorded=0)
    actions.call_time(this_round=position, by=None)

    with pytest.raises(ValidationError):
        actions.sign_sheet(table=tables(position)[0], by=None)


def test_a_position_with_every_sheet_signed_closes(position):
    sign_all(position)

    assert actions.close_round(this_round=position, by=None).state == Round.State.CLOSED


def test_a_position_names_the_tables_that_have_not_signed(position):
    actions.sign_sheet(table=tables(position)[0], by=None)

    with pytest.raises(actions.TablesNotReady) as refusal:
        actions.close_round(this_round=position, by=None)

    assert refusal.value.messages == ["The sheet of table 2 is not signed."]
    assert refusal.value.tables == [2]


def test_missing_deals_are_not_given_up_for_all_tables_at_once(position):
    position.tables.update(deals_recorded=4)

    with pytest.raises(actions.TablesNotReady) as refusal:
        actions.close_round(this_round=position, by=None, without_missing=True)

    assert refusal.value.messages == ["Deals are missing on the sheets of tables 1, 2."]


def test_after_the_end_of_time_a_sheet_with_deals_only_needs_its_signature(position):
    position.tables.update(deals_recorded=2)
    actions.call_time(this_round=position, by=None)

    with pytest.raises(actions.TablesNotReady) as refusal:
        actions.close_round(this_round=position, by=None)

    assert refusal.value.messages == ["The sheets of tables 1, 2 are not signed."]


def test_after_the_end_of_time_a_table_without_a_deal_can_only_be_given_up(position):
    position.tables.filter(number=2).update(deals_recorded=0)
    actions.call_time(this_round=position, by=None)
    actions.sign_sheet(table=tables(position)[0], by=None)

    with pytest.raises(actions.TablesNotReady) as refusal:
        actions.close_round(this_round=position, by=None)

    assert refusal.value.messages == [
        "The time is over and table 2 has written no deal: give the table up."
    ]
    assert actions.close_round(this_round=position, by=None, without=[2]).state == "closed"


def test_a_table_with_minutes_of_its_own_plays_on_after_the_call(position):
    position.tables.update(deals_recorded=2)
    position.tables.filter(number=1).update(extra_minutes=5)
    actions.call_time(this_round=position, by=None)

    with pytest.raises(actions.TablesNotReady) as refusal:
        actions.close_round(this_round=position, by=None)

    assert refusal.value.messages == [
        "Deals are missing on the sheet of table 1.",
        "The sheet of table 2 is not signed.",
    ]


def test_a_table_that_never_reports_is_given_up_by_its_number(position):
    first, second = tables(position)
    actions.sign_sheet(table=first, by=None)
    Table.objects.filter(pk=second.pk).update(deals_recorded=2)

    closed = actions.close_round(this_round=position, by=None, without=[2])

    assert closed.state == Round.State.CLOSED
    assert closed.event.journal.get(kind="round_closed").details["missing"] == [2]


def test_a_wrong_sum_is_never_given_up(position):
    sign_all(position)
    tables(position)[1].seats.filter(place=1).update(points=10)

    with pytest.raises(ValidationError) as refusal:
        actions.close_round(this_round=position, by=None, without=[2])

    assert refusal.value.code == "not_zero"


def test_a_sheet_of_an_earlier_position_that_went_wrong_stops_the_next_one(position):
    sign_all(position)
    actions.close_round(this_round=position, by=None)
    tables(position)[0].seats.filter(place=1).update(points=4)
    second = actions.publish_round(
        proposal=actions.draw_round(event=position.event, by=None), by=None
    )
    second.tables.update(deals_recorded=5)
    sign_all(second)

    with pytest.raises(ValidationError) as refusal:
        actions.close_round(this_round=second, by=None)

    assert refusal.value.messages == [
        "In round 1 the sheet of table 1 adds up to +4: correct it first."
    ]


def test_a_club_night_closes_without_signatures(position):
    Event.objects.filter(pk=position.event_id).update(kind=Event.Kind.CLUB_NIGHT)

    assert actions.close_round(this_round=position, by=None).state == Round.State.CLOSED


def test_another_number_of_deals_wants_another_signature(position):
    table = actions.sign_sheet(table=tables(position)[0], by=None)

    assert actions.change_deals(table=table, deals_planned=6, by=None).signed_at is None


def test_a_signature_can_be_taken_back_while_the_round_is_played(position):
    table = actions.sign_sheet(table=tables(position)[0], by=None)
    assert actions.unsign_sheet(table=table, by=None).signed_at is None

    sign_all(position)
    actions.close_round(this_round=position, by=None)
    with pytest.raises(Conflict):
        actions.unsign_sheet(table=table, by=None)
