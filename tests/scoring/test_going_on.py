"""A phone that asks for the next deal by itself is answered with what stands around its form."""

from __future__ import annotations

import json
import re

import pytest
from django.test import Client
from django.urls import reverse

from tests.scoring.conftest import answers
from tournaments.models import Event, Table

pytestmark = pytest.mark.django_db

GOES_ON = {"HX-Request": "true", "Goes-On": "yes"}


@pytest.fixture
def phone(client_of, bernard) -> Client:
    return client_of(bernard)


def send(phone: Client, table: Table, **changes) -> str:
    """Send a deal as the phone does, and give what is answered."""
    address = reverse("record-deal", args=[table.pk])
    response = phone.post(address, answers(table, **changes), headers=GOES_ON)
    assert response.status_code == 200
    return response.content.decode()


def told(answer: str) -> dict[str, int]:
    found = re.search(r'<script id="told"[^>]*>(.*?)</script>', answer)
    return json.loads(found[1])


def test_the_answer_names_the_next_deal_and_the_state_of_the_sheet_and_holds_no_form(phone, table):
    answer = send(phone, table)

    assert told(answer) == {"number": 2, "version": 1}
    assert 'id="deal-form"' not in answer
    assert "Deal 2 of" in answer


def test_it_shows_the_deal_that_was_sent_and_the_way_to_take_it_back(phone, table):
    answer = send(phone, table)

    assert "Garde made by 8" in answer
    assert f'action="{reverse("undo-deal", args=[table.pk])}"' in answer


def test_the_page_that_stays_has_its_token_already(phone, table):
    assert "csrfmiddlewaretoken" not in send(phone, table)


def test_where_players_confirm_the_deal_before_is_still_asked_about(phone, table, record, yves):
    Event.objects.update(confirmation=Event.Confirmation.OTHER_SEAT)
    first = record(by=yves)

    answer = send(phone, table, number=2, version=1)

    assert f'action="{reverse("confirm-deal", args=[table.pk, first.pk])}"' in answer


def test_what_is_not_the_next_deal_is_answered_with_the_whole_form(phone, table, record):
    deals = [record(), record(), record()]
    phone.post(
        reverse("void-deal", args=[table.pk, deals[1].pk]),
        {"reason": "misdeal"},
    )

    # The replayed second deal is followed by the fourth.
    answer = send(phone, table, number=2, version=4)

    assert 'id="told"' not in answer
    assert 'id="deal-form"' in answer


def test_after_the_last_deal_the_whole_page_says_that_all_is_written(phone, table, record):
    Table.objects.update(deals_planned=2)
    record()

    answer = send(phone, table, number=2, version=1)

    assert 'id="told"' not in answer
    assert "All 2 deals of this round are on the sheet." in answer


def test_the_same_deal_from_another_phone_is_told_with_the_whole_form(phone, table, record, yves):
    record(by=yves)

    answer = send(phone, table, points="49")

    assert "somebody else entered exactly the same" in answer
    assert 'id="deal-form"' in answer


def test_a_refused_deal_is_answered_with_its_form(phone, table):
    address = reverse("record-deal", args=[table.pk])

    response = phone.post(address, answers(table, points="99"), headers=GOES_ON)

    assert response.status_code == 422
    assert 'id="deal-form"' in response.content.decode()


def test_a_page_that_cannot_go_on_by_itself_gets_the_next_form(phone, table):
    address = reverse("record-deal", args=[table.pk])

    response = phone.post(address, answers(table), headers={"HX-Request": "true"})

    assert 'id="deal-form"' in response.content.decode()


def test_the_answer_asks_the_same_however_many_deals_stand(
    phone, table, record, django_assert_max_num_queries
):
    Table.objects.update(deals_planned=20)
    send(phone, table)
    with django_assert_max_num_queries(19):
        send(phone, table, number=2, version=1)
    for _deal in range(5):
        record()
    with django_assert_max_num_queries(19):
        send(phone, table, number=8, version=7)
