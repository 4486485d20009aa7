"""The desk of a tournament in a browser: one press after another, then everybody, then the draw."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.factories import PASSWORD, EventFactory
from tests.tournaments.desk import enter
from tests.waiting import PATIENCE, send
from tournaments.models import Event, Placement, Stage

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def tournament(season) -> Event:
    event = EventFactory(season=season, kind=Event.Kind.TOURNAMENT, title="Open")
    Stage.objects.create(
        event=event, number=1, rounds_planned=5, deals_per_round=4, placement=Placement.FFT
    )
    enter(event, 19, is_present=False)
    return event


def test_the_desk_enters_marks_and_goes_to_the_draw(
    browser: Browser, live_server, tournament, director
):
    context = browser.new_context(base_url=live_server.url)
    context.set_default_timeout(PATIENCE * 1000)
    page = context.new_page()
    page.goto(f"/sign-in/?next=/evenings/{tournament.pk}/entries/")
    page.get_by_label("E-mail address").fill(director.email)
    page.get_by_label("Password").fill(PASSWORD)
    page.locator("main form button").first.click()

    # The name is where the keyboard is: type it, press Enter.
    expect(page.locator("#id_name")).to_be_focused()
    page.keyboard.type("Maëlle Raoult")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Maëlle Raoult is entered as number 20.")).to_be_visible()
    page.locator("tbody button").first.click()
    expect(page.locator("#count-present")).to_have_text("1")
    # The form for all stands in the part that the press before has replaced.
    page.get_by_role("button", name="Mark 19 more as present").click()
    expect(page.locator("#count-present")).to_have_text("20")
    page.get_by_role("link", name="Go to the draw").click()
    page.get_by_role("button", name="Draw tables").click()
    expect(page.locator("#proposal > li")).to_have_count(5)
    send(page.get_by_role("button", name="Accept and start round 1"))

    expect(page.get_by_role("heading", name="Table 5", exact=True)).to_be_visible()
    assert tournament.rounds.get().state == "playing"
    context.close()
