"""After a deal has arrived the phone asks for the next one by itself, as the site would."""

from __future__ import annotations

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from scoring.models import TarotDeal
from tests.test_outbox_in_browser import (  # noqa: F401 - fixtures
    enter,
    network,
    open_form,
    page,
    points_of,
    table,
)
from tests.waiting import eventually
from tournaments.models import Event, Table

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

#: What somebody sees and what would be sent, but for keys, tokens and what comes a moment later.
SHOWN = """() => {
  const form = document.querySelector("#deal-form");
  const said = id => document.getElementById(id)?.innerText.replace(/\\s+/g, " ").trim();
  const sent = [...new FormData(form)].filter(([name]) => !/token|key/.test(name));
  return {
    progress: said("progress"), beside: said("beside"), form: form.innerText.replace(/\\s+/g, " "),
    sent, entering: JSON.parse(document.getElementById("entering").getAttribute("hx-vals")).number,
    title: document.querySelector("#deal h1").textContent,
    open: form.querySelectorAll("details[open]").length,
    dealer: form.querySelector("[data-dealer]").closest("label").innerText,
  };
}"""


@pytest.fixture
def parts(page: Page) -> list[str]:  # noqa: F811 - the fixture
    """What each deal that was sent was answered with."""
    bodies: list[str] = []
    page.on(
        "response",
        lambda answer: bodies.append(answer.text()) if answer.request.method == "POST"
        and answer.url.endswith("/deals/") else None,
    )  # fmt: skip
    return bodies


def as_the_site_asks(page: Page) -> dict[str, object]:  # noqa: F811
    page.reload()
    expect(page.locator("[data-ready]")).to_be_attached()
    return page.evaluate(SHOWN)


def whole(shown: dict[str, object]) -> dict[str, object]:
    """With the number as text: a page that was made anew says it so."""
    return shown | {"entering": str(shown["entering"])}


def test_the_next_deal_is_asked_for_as_on_a_page_that_is_loaded_anew(page, table, parts):  # noqa: F811
    open_form(page, table)
    for number, points in ((1, 49), (2, 56)):
        page.locator("#deal-form summary").first.tap()
        enter(page, table, points, number=number)
        expect(page.locator("#last-row")).to_contain_text(f"Deal {number}")

    gone_on = page.evaluate(SHOWN)

    # What was answered is read beside the page, which may be quicker.
    eventually(lambda: len(parts), 2, page)
    assert all('id="told"' in body and 'id="deal-form"' not in body for body in parts)
    assert whole(gone_on) == whole(as_the_site_asks(page))


def test_the_deal_that_has_arrived_can_be_taken_back_at_once(page, table):  # noqa: F811
    open_form(page, table)
    enter(page, table, 49, number=1)

    page.get_by_role("button", name="Undo").tap()

    expect(page.get_by_role("button", name="Send deal 1")).to_be_visible()
    eventually(lambda: points_of(table), [], page)
    enter(page, table, 50, number=1)
    eventually(lambda: points_of(table), [50.0], page)


def test_after_a_refused_deal_the_next_form_is_blank(page, table):  # noqa: F811
    open_form(page, table)
    enter(page, table, 99, number=1)
    expect(page.locator("#deal-form")).to_contain_text("Points go from 0 to 91")
    page.locator("[name=points]").fill("49")
    page.get_by_role("button", name="Send deal 1").tap()

    expect(page.get_by_role("button", name="Send deal 2")).to_be_visible()
    expect(page.locator("[name=points]")).to_have_value("")
    expect(page.locator("#last-row")).to_contain_text("Deal 1")
    assert whole(page.evaluate(SHOWN)) == whole(as_the_site_asks(page))


def test_where_others_confirm_the_word_beside_the_row_follows(page, table):  # noqa: F811
    Event.objects.update(confirmation=Event.Confirmation.OTHER_SEAT)
    open_form(page, table)

    enter(page, table, 49, number=1)

    row = TarotDeal.objects
    eventually(row.count, 1, page)
    address = reverse("agreement", args=[table.pk, row.get().pk])
    expect(page.locator(f"#agreement[hx-get='{address}']")).to_be_attached()
    assert Table.objects.get(pk=table.pk).unconfirmed == 1


def test_the_last_deal_closes_the_form(page, table):  # noqa: F811
    Table.objects.update(deals_planned=2)
    open_form(page, table)
    enter(page, table, 49, number=1)
    enter(page, table, 50, number=2)

    expect(page.locator("#deal")).to_contain_text("All 2 deals of this round are on the sheet.")
