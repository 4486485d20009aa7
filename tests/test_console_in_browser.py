"""While cards are played a page complains of nothing: its console stays empty."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect

from tests.factories import EventFactory, RoundFactory, TableFactory
from tests.scoring.truco import truco_table
from tests.test_outbox_in_browser import SIZE, enter, open_form
from tests.waiting import PATIENCE, WAITS_FOR_ANSWERS
from tournaments.models import Table

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

#: What the site's policy forbids is told by the page itself, too, whatever set it.
FORBIDDEN = """document.addEventListener("securitypolicyviolation", ({violatedDirective, sample}) =>
  console.error(`forbidden: ${violatedDirective} ${sample}`))"""


@pytest.fixture
def complaints() -> list[str]:
    return []


@pytest.fixture
def page(browser: Browser, live_server, director, complaints) -> Page:
    """A director's phone; whatever its console says is kept."""
    client = Client()
    client.force_login(director)
    context = browser.new_context(base_url=live_server.url, viewport=SIZE, has_touch=True)
    context.set_default_timeout(PATIENCE * 1000)
    context.add_init_script(WAITS_FOR_ANSWERS)
    context.add_init_script(FORBIDDEN)
    session = client.cookies["sessionid"].value
    context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
    page = context.new_page()
    page.on("console", lambda line: complaints.append(f"{line.type}: {line.text}"))
    page.on("pageerror", lambda fault: complaints.append(str(fault)))
    yield page
    context.close()


@pytest.fixture
def table(season) -> Table:
    event = EventFactory(season=season, running=True, starts_at=timezone.now())
    return TableFactory(round=RoundFactory(event=event), deals_planned=4)


def play_tarot(page: Page, table: Table) -> None:
    open_form(page, table)
    for number, points in enumerate((44, 51), start=1):
        enter(page, table, points, number=number)
    expect(page.get_by_role("button", name="Send deal 3")).to_be_visible()
    page.get_by_role("button", name="Undo").tap()
    expect(page.get_by_text("Deal 2 is taken back.")).to_be_visible()


def play_truco(page: Page, table: Table) -> None:
    open_form(page, table)
    for value, pair in ((9, "a"), (3, "b"), (1, "a"), (1, "a")):
        before = page.locator("#id_number").input_value()
        page.locator(f'label.choice:has([name=value][value="{value}"])').tap()
        page.locator(f"[data-won={pair}]").tap()
        expect(page.locator("#id_number")).not_to_have_value(before)
    page.locator("label.choice:has([value=run])").tap()
    page.get_by_role("button", name="Run: +1").tap()
    expect(page.locator("#tally b")).to_have_text(["11", "4"])
    page.get_by_role("button", name="Undo").tap()
    expect(page.locator("#tally b")).to_have_text(["11", "3"])


@pytest.mark.parametrize("play", [play_tarot, play_truco])
def test_entering_and_the_pages_around_it_leave_the_console_empty(
    page, table, season, complaints, play: Callable[[Page, Table], None]
):
    if play is play_truco:
        table = truco_table(season)

    play(page, table)
    for name in ("sheet", "projector", "standings", "event"):
        about = table.pk if name == "sheet" else table.event.pk
        page.goto(reverse(name, args=[about]))
        page.reload()
        page.wait_for_load_state("networkidle")

    assert complaints == []
