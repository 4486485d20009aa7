"""Four phones at a table and the director's tablet, in a hall whose wifi fails half of the time."""

from __future__ import annotations

import time
from contextlib import suppress
from functools import partial

import pytest
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Browser, BrowserContext, Error, Page, expect

from scoring.models import SheetEvent, TarotDeal
from scoring.tasks import refresh_standings
from tests.bad_network import FAULTS, bad_network
from tests.outbox_runs import FASTER
from tests.test_outbox_in_browser import KEPT, carrying, enter, phone_at, points_of
from tests.test_outbox_in_browser import table as table  # noqa: PLC0414 - a fixture
from tests.waiting import eventually
from tournaments.models import Entry

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

#: Who enters which deal, at which place, and with how many points.
ENTERED = ((1, 44), (2, 51), (3, 60), (4, 39))
#: Whatever takes longer will never come.
PATIENCE = 120.0
#: The phone keeps the page that is open, and answers with it from now on.
KEEPS_PAGE = """async () => {
  const isReady = document.querySelector("[data-ready]") && window.htmx;
  if (!isReady || !navigator.serviceWorker?.controller) return false;
  return Boolean(await caches.match(location.pathname, {ignoreVary: true}));
}"""


def comes_true(page: Page, expression: str, *, seconds: float) -> bool:
    """Wait until something holds on the page; also for a promise, unlike wait_for_function."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if page.evaluate(expression):
            return True
        page.wait_for_timeout(200)
    return False


def open_at_last(page: Page, address: str, ready: str) -> None:
    """Open a page for the first time as people do in such a hall: again and again."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        with suppress(Error):
            page.goto(address, wait_until="commit")
            if comes_true(page, ready, seconds=6):
                return
    raise AssertionError(f"{address} has never opened")


def tablet_of(browser: Browser, address: str, director) -> BrowserContext:
    """The director's tablet, signed in."""
    client = Client()
    client.force_login(director)
    tablet = browser.new_context(base_url=address, viewport={"width": 820, "height": 1180})
    session = client.cookies["sessionid"].value
    tablet.add_cookies([{"name": "sessionid", "value": session, "url": address}])
    return tablet


def test_a_whole_position_is_exactly_what_was_entered_once(browser, live_server, table, director):
    form, sheet = (reverse(name, args=[table.pk]) for name in ("record-deal", "sheet"))
    with bad_network(live_server.url, seed=11, failing=0.5) as (address, network):
        network.pages_fail = True
        contexts = [carrying(browser, address, phone_at(table, place)) for place in range(1, 5)]
        contexts.append(tablet_of(browser, address, director))
        for context in contexts:
            context.add_init_script(FASTER.replace("TIMES", "5"))
        *pages, tablet = [context.new_page() for context in contexts]
        for page in pages:
            open_at_last(page, form, KEEPS_PAGE)
        open_at_last(tablet, sheet, KEEPS_PAGE)

        for number, (place, points) in enumerate(ENTERED, start=1):
            page = pages[place - 1]
            # The phones pass from hand to hand: each opens the form when it is its turn. From here
            # on nobody helps: what is lost on the way is asked for again by the pages themselves.
            page.goto(form)
            button = page.get_by_role("button", name=f"Send deal {number}")
            expect(button).to_be_visible(timeout=PATIENCE * 1000)
            enter(page, table, points, number=number, taker=place)
            # However often the phone tries.
            eventually(TarotDeal.objects.count, number, page, patience=PATIENCE)
            said = tablet.locator("#sheet").get_by_text(f"{points} points").first
            expect(said).to_be_visible(timeout=PATIENCE * 1000)

        for page in pages:
            eventually(partial(page.evaluate, KEPT), 0, page, patience=PATIENCE)
        refresh_standings(table.event.pk)
        open_at_last(tablet, reverse("standings", args=[table.event.pk]), "Boolean(window.htmx)")
        for entry in Entry.objects.filter(event=table.event):
            expect(tablet.locator("main")).to_contain_text(str(entry))
        for context in contexts:
            context.close()

    assert set(network.faults) == set(FAULTS)
    assert points_of(table) == [points for _place, points in ENTERED]
    assert TarotDeal.objects.count() == len(ENTERED)
    told = SheetEvent.objects.filter(table=table).order_by("pk")
    names = [seat.player.name for seat in table.seats.order_by("place")]
    assert [(line.kind, line.phone.name) for line in told] == [("recorded", each) for each in names]
    standings = dict(Entry.objects.filter(event=table.event).values_list("pk", "points"))
    assert sum(standings.values()) == 0
    assert {seat.entry_id: seat.points for seat in table.seats.all()} == standings
