"""A page that waits because the director holds the sheet goes on by itself when he lets it go."""

from __future__ import annotations

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from tests.test_outbox_in_browser import (
    enter,
    expect_on_the_sheet,
    network,  # noqa: F401 - a fixture
    page,  # noqa: F401 - a fixture
    table,  # noqa: F401 - a fixture
)
from tournaments import actions

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

ASK = "htmx.trigger(document.getElementById('held-here'), 'live')"


def test_the_form_comes_back_when_the_director_lets_the_table_write(
    page,  # noqa: F811
    table,  # noqa: F811
    director,
):
    actions.take_over_table(table=table, by=director)
    page.goto(reverse("record-deal", args=[table.pk]))
    expect(page.get_by_text("Denis writes on this sheet").first).to_be_visible()
    expect(page.locator("#deal-form")).to_have_count(0)

    page.evaluate(ASK)
    expect(page.get_by_text("Denis writes on this sheet").first).to_be_visible()

    actions.hand_back_table(table=table, by=director)
    page.evaluate(ASK)
    expect(page.locator("[data-ready]")).to_be_attached()
    enter(page, table, 44, number=1)

    expect_on_the_sheet(page, table, 44)
