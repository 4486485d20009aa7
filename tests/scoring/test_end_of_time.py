"""After the end of time no new deal starts; one deal replaces a misdeal (CA p.4)."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils import timezone

from scoring import actions
from tests.scoring.conftest import answers, garde
from tournaments import actions as tournament_actions

pytestmark = pytest.mark.django_db


@pytest.fixture
def called(table) -> datetime:
    """The end of time was called a minute ago."""
    moment = timezone.now() - timedelta(minutes=1)
    tournament_actions.call_time(this_round=table.round, by=None, at=moment)
    return moment


def misdealt(deal, director, **given):
    return actions.void_deal(deal=deal, reason="Misdeal", by=director, **given)


def test_the_deal_in_hand_is_still_written_and_no_other(record, called):
    record()

    with pytest.raises(ValidationError) as refusal:
        record(points=60)

    assert refusal.value.messages == ["The time of this round is over: no new deal starts."]


def test_deals_from_before_the_call_do_not_count_as_the_last_one(record, table, called):
    for points in (49, 50):
        record(points=points, at=called - timedelta(minutes=5))

    assert record(points=60).number == 3


def test_one_deal_replaces_a_misdeal_and_a_second_misdeal_is_the_end(record, director, called):
    misdealt(record(), director)
    misdealt(record(points=60), director)

    with pytest.raises(ValidationError) as refusal:
        record(points=55)

    assert refusal.value.code == "time_over"


def test_a_deal_taken_back_and_typed_again_is_no_second_deal(record, table, bernard, called):
    for _ in range(3):
        record()
        actions.undo_last_deal(table=table, by=bernard)

    assert record().number == 1


def test_the_last_deal_may_be_corrected_and_stays_the_last(record, table, bernard, called):
    deal = record()
    corrected = actions.correct_tarot_deal(
        deal=deal,
        corrected=garde(table, points=60),
        entry_key=deal.entry_key.__class__(int=7),
        taker=deal.taker,
        by=bernard,
    )

    assert corrected.is_standing
    with pytest.raises(ValidationError):
        record(points=55)


def test_an_early_deal_may_be_corrected_late(record, table, bernard, called):
    deal = record(at=called - timedelta(minutes=5))
    actions.correct_tarot_deal(
        deal=deal,
        corrected=garde(table, points=60),
        entry_key=deal.entry_key.__class__(int=7),
        taker=deal.taker,
        by=bernard,
    )

    assert record(points=55).number == 2


def test_a_table_with_time_of_its_own_plays_on(record, table, called):
    tournament_actions.extend_table(table=table, minutes=10, by=None)

    assert [record(points=points).number for points in (49, 50, 51)] == [1, 2, 3]


def test_sent_twice_the_last_deal_is_still_one_deal(record, bernard, called):
    deal = record()

    assert record(entry_key=deal.entry_key).pk == deal.pk


def test_a_change_of_the_sheet_wants_a_new_signature(record, table, bernard):
    for points in (49, 50, 51, 52, 53):
        record(points=points)
    tournament_actions.sign_sheet(table=table, by=bernard)

    actions.undo_last_deal(table=table, by=bernard)

    table.refresh_from_db()
    assert table.signed_at is None


def test_the_form_says_that_the_time_is_over_and_refuses_in_the_same_words(
    table, record, called, bernard, client
):
    record()
    client.force_login(bernard)
    address = reverse("record-deal", args=[table.pk])
    sentence = "The time of this round is over: no new deal starts."

    shown = client.get(address)
    refused = client.post(address, answers(table, number=2, version=1, points="60"))

    assert sentence in shown.text
    assert refused.status_code == 422
    assert refused.context["form"].non_field_errors() == [sentence]
