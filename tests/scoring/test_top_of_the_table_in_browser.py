"""The top of a page at the table says which deal it is on one line, however narrow the phone."""

from __future__ import annotations

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Browser, expect

from tests.factories import EventFactory, JoinLinkFactory, PhoneFactory, RoundFactory, TableFactory
from tests.scoring.truco import truco_table
from tests.test_outbox_in_browser import carrying
from tournaments.models import Phone, Table

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

#: Lines of the title, pixels of the whole bar, and by how much the page is wider than the phone.
TOP = """() => {
  const title = document.querySelector("#progress > strong");
  const page = document.documentElement;
  return {
    lines: Math.round(title.offsetHeight / parseFloat(getComputedStyle(title).lineHeight)),
    tall: document.querySelector(".table-bar").offsetHeight,
    over: page.scrollWidth - page.clientWidth,
  };
}"""


def a_table(game: str, season) -> Table:
    if game == "truco":
        return truco_table(season)
    event = EventFactory(season=season, running=True, starts_at=timezone.now())
    return TableFactory(round=RoundFactory(event=event), deals_planned=4)


def a_phone(table: Table) -> Phone:
    link = JoinLinkFactory(event=table.event, table_number=table.number)
    return PhoneFactory(link=link, seat=table.seats.get(place=1))


@pytest.mark.parametrize("game", ["tarot", "truco"])
@pytest.mark.parametrize("page_name", ["record-deal", "sheet"])
def test_the_title_stays_on_one_line(browser: Browser, live_server, season, game, page_name):
    table = a_table(game, season)
    context = carrying(browser, live_server.url, a_phone(table))
    page = context.new_page()

    for language in ("en", "fr", "pt-br"):
        context.set_extra_http_headers({"Accept-Language": language})
        page.goto(reverse(page_name, args=[table.pk]))
        expect(page.locator("html")).to_have_attribute("lang", language)
        for width in (320, 390):
            page.set_viewport_size({"width": width, "height": 664})
            top = page.evaluate(TOP)
            assert (top["lines"], top["over"]) == (1, 0)
            assert top["tall"] <= 130
    context.close()
