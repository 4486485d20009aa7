"""What the referee rules holds on the sheet: who may not bid, what was granted, what is removed."""

from __future__ import annotations

import uuid
from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils import timezone

from rules_engine import tarot
from scoring import actions
from tests.scoring.conftest import answers, garde
from tournaments import actions as tournament_actions
from tournaments.models import Event, Ruling

pytestmark = pytest.mark.django_db

BARRED = "Bernard may not bid on deal 1: so the referee has ruled."
NOT_GRANTED = "A garde sans is granted by the referee: call him before it is written."


@pytest.fixture
def seats(table):
    return list(table.seats.order_by("place"))


@pytest.fixture
def rule(table, seats, director):
    def make(fault: str, **given) -> Ruling:
        said = {"entry": seats[0].entry, "table": table, "deal_number": 1, "outcome": None}
        event = table.round.event
        return actions.record_ruling(event=event, fault=fault, by=director, **said | given)

    return make


@pytest.fixture
def tournament(table) -> Event:
    Event.objects.filter(pk=table.round.event_id).update(kind=Event.Kind.TOURNAMENT)
    return table.round.event


# Who may not bid


def test_who_hid_a_misdeal_may_not_bid_on_the_deal_that_is_dealt_again(rule, record):
    rule("hidden_misdeal")

    with pytest.raises(ValidationError) as refusal:
        record()

    assert (refusal.value.code, refusal.value.messages) == ("barred", [BARRED])


def test_the_others_may_bid_and_on_the_deal_after_it_everybody(rule, record):
    rule("hidden_misdeal")

    assert record(taker=1).number == 1
    assert record(points=50).number == 2


def test_where_the_deal_counts_the_next_one_is_barred(rule, record):
    assert record().number == 1
    rule("wrong_count", outcome=Ruling.Outcome.COUNTS)

    with pytest.raises(ValidationError) as refusal:
        record(points=50)

    assert refusal.value.params["number"] == 2


def test_a_barred_player_cannot_be_corrected_into_the_taker(rule, record, table, seats, bernard):
    rule("wrong_count")
    deal = record(taker=1)

    with pytest.raises(ValidationError) as refusal:
        actions.correct_tarot_deal(
            deal=deal,
            corrected=garde(table),
            entry_key=uuid.uuid4(),
            taker=seats[0],
            by=bernard,
        )

    assert refusal.value.code == "barred"


def test_a_withdrawn_ruling_bars_nobody(rule, record, director):
    actions.withdraw_ruling(ruling=rule("wrong_count"), why="miscounted", by=director)

    assert record().number == 1


def test_once_the_next_deal_was_played_and_is_void_the_player_bids_again(rule, record, director):
    rule("wrong_count")
    played = record(taker=1, at=timezone.now() + timedelta(seconds=1))
    actions.void_deal(deal=played, reason="Misdeal", by=director)

    assert record().number == 1


def test_the_deal_form_says_in_a_sentence_who_may_not_bid(rule, table, bernard, client):
    rule("wrong_count")
    table.refresh_from_db()
    client.force_login(bernard)

    refused = client.post(
        reverse("record-deal", args=[table.pk]), answers(table, version=table.version)
    )

    assert refused.status_code == 422
    assert refused.context["form"].non_field_errors() == [BARRED]
    assert "49" in refused.text


# What is granted


@pytest.mark.parametrize(
    ("grant", "deal"),
    [
        ("garde_sans", {"contract": tarot.Contract.GARDE_SANS}),
        ("garde_contre", {"contract": tarot.Contract.GARDE_CONTRE}),
        ("announced_chelem", {"chelem": tarot.Chelem(announced=True)}),
    ],
)
@pytest.mark.usefixtures("tournament")
def test_in_a_tournament_it_is_written_once_the_referee_has_granted_it(
    table, rule, record, grant, deal
):
    given = garde(table, **deal)
    with pytest.raises(ValidationError) as refusal:
        record(deal=given)
    assert refusal.value.code == "not_granted"

    rule(grant)

    assert record(deal=given).number == 1


def test_a_grant_is_for_one_taker_and_one_deal(tournament, table, rule, record):
    rule("garde_sans")
    sans = garde(table, contract=tarot.Contract.GARDE_SANS)

    with pytest.raises(ValidationError) as another_taker:
        record(deal=sans, taker=1)
    record(points=50)
    with pytest.raises(ValidationError) as another_deal:
        record(deal=sans)

    assert another_taker.value.messages == another_deal.value.messages == [NOT_GRANTED]


def test_a_director_who_writes_it_grants_it(tournament, table, record, director):
    assert record(deal=garde(table, contract=tarot.Contract.GARDE_SANS), by=director).number == 1


@pytest.mark.usefixtures("tournament")
def test_what_stands_may_be_corrected_without_a_second_grant(
    table, seats, record, bernard, director
):
    sans = garde(table, contract=tarot.Contract.GARDE_SANS)
    deal = record(deal=sans, by=director)

    corrected = actions.correct_tarot_deal(
        deal=deal,
        corrected=garde(table, contract=tarot.Contract.GARDE_SANS, points=60),
        entry_key=uuid.uuid4(),
        taker=seats[0],
        by=bernard,
    )

    assert corrected.half_points == 120


def test_at_a_club_night_nobody_has_to_grant_a_garde_sans(table, record):
    assert record(deal=garde(table, contract=tarot.Contract.GARDE_SANS)).number == 1


# What is removed


def test_slow_play_removes_the_deal_by_the_list(rule, table):
    ruling = rule("slow_play", deal_number=2)

    table.refresh_from_db()
    assert (ruling.points, ruling.outcome) == (100, Ruling.Outcome.REMOVED)
    assert table.deals_planned == 4


def test_without_a_number_slow_play_removes_the_last_deal(rule, table):
    ruling = rule("slow_play", deal_number=None)

    table.refresh_from_db()
    assert (ruling.deal_number, table.deals_planned) == (5, 4)


def test_a_last_deal_that_is_written_is_not_removed_unnamed(rule, record):
    for points in (49, 50, 51, 52, 53):
        record(points=points)

    with pytest.raises(ValidationError) as refusal:
        rule("slow_play", deal_number=None)

    assert refusal.value.code == "which_deal"


def test_a_late_deal_that_is_removed_lets_no_other_start(rule, record, table):
    called = timezone.now() - timedelta(minutes=1)
    tournament_actions.call_time(this_round=table.round, by=None, at=called)
    record()
    rule("slow_play")

    with pytest.raises(ValidationError) as refusal:
        record(points=50)

    assert refusal.value.code == "time_over"


def test_a_late_deal_that_is_dealt_again_lets_one_start(rule, record, table):
    called = timezone.now() - timedelta(minutes=1)
    tournament_actions.call_time(this_round=table.round, by=None, at=called)
    record(taker=1)
    rule("wrong_count")

    assert record(taker=2).number == 1


def test_once_that_removal_is_withdrawn_the_deal_stands_as_the_last(rule, record, table, director):
    called = timezone.now() - timedelta(minutes=1)
    tournament_actions.call_time(this_round=table.round, by=None, at=called)
    deal = record()
    actions.withdraw_ruling(ruling=rule("slow_play"), why="the clock was wrong", by=director)

    deal.refresh_from_db()
    assert deal.is_standing
    with pytest.raises(ValidationError):
        record(points=50)
