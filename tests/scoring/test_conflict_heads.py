"""Head and text of a page that shows two versions speak of the same row."""

from __future__ import annotations

import uuid

import pytest
from django.urls import reverse

from scoring import actions
from tests.reading import text_of
from tests.scoring.conftest import answers, record_on

pytestmark = pytest.mark.django_db


def head_of(page) -> str:
    """What stands at the top of the page, also where a part of it is swapped in there."""
    return page.text.partition('id="progress"')[2].partition("</strong>")[0]


@pytest.fixture(params=[False, True], ids=["page", "part of a page"])
def send(request, client_of, yves, table):
    headers = {"HX-Request": "true"} if request.param else {}

    def sent(**changes):
        address = reverse("record-deal", args=[table.pk])
        given = answers(table, entry_key=uuid.uuid4(), **changes)
        return client_of(yves).post(address, given, headers=headers)

    return sent


def test_where_a_number_became_free_the_head_names_the_row_that_is_next(table, bernard, send):
    first = record_on(table, bernard)
    record_on(table, bernard)
    actions.void_deal(deal=first, reason="misdeal", by=bernard)

    page = send(number=3, version=2)

    assert page.status_code == 409
    assert "Deal 1 is the next one now" in text_of(page)
    assert "Deal 1" in head_of(page)


def test_where_two_versions_are_compared_the_head_names_their_row(table, bernard, send):
    record_on(table, bernard)
    record_on(table, bernard)

    page = send(number=1, version=0, points="44")

    assert page.status_code == 409
    assert "Deal 1" in head_of(page)
