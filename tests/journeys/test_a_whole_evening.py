"""The rule book's evening on a phone, from an empty site to the leaderboard."""

from __future__ import annotations

import re

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Locator, Page, expect

from clubs.models import Club
from scoring import tasks
from tests.waiting import PATIENCE, WAITS_FOR_ANSWERS, send
from tournaments.models import Event

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PHONE = {"width": 390, "height": 844}

#: Taker, contract, bouts, points, and what was shown or won besides; then the running totals.
DEALS = [
    ("Ana", "Garde", "2", "58", {}),
    ("Colette", "Petite", "3", "59", {"petit_au_bout": "attack"}),
    ("Denise", "Garde sans", "1", "61", {"poignee": "double"}),
    ("Bernard", "Garde", "2", "44", {"petit_au_bout": "defence"}),
    ("Denise", "Garde sans", "1", "49", {"petit_au_bout": "attack", "poignee": "simple"}),
]
TOTALS = {"Ana": "+76", "Bernard": "−116", "Colette": "−28", "Denise": "+68"}


@pytest.fixture(params=[True, False], ids=["with script", "without script"])
def phone(request, browser: Browser, live_server):
    context = browser.new_context(
        base_url=live_server.url, viewport=PHONE, java_script_enabled=request.param
    )
    context.set_default_timeout(PATIENCE * 1000)
    context.add_init_script(WAITS_FOR_ANSWERS)
    page = context.new_page()
    yield page
    context.close()


def button(page: Page, name: str | re.Pattern[str]) -> Locator:
    return page.get_by_role("button", name=name).first


def press(page: Page, name: str | re.Pattern[str]) -> None:
    button(page, name).click()


def start_a_club(page: Page) -> None:
    page.goto("/sign-up/")
    page.get_by_label("Name of the club").fill("Les Remparts")
    page.get_by_label("Your name").fill("Ana")
    page.get_by_label("E-mail address").fill("ana@example.org")
    page.get_by_label("Password").fill("vingt-et-un d'atout")
    press(page, "Start the club")
    expect(page).to_have_url(re.compile(r"/clubs/les-remparts/"))


def plan_an_evening(page: Page) -> None:
    page.goto("/clubs/les-remparts/evenings/new/")
    # The season that the club began with holds today.
    page.get_by_label("When", exact=True).fill(f"{timezone.localdate()}T20:15")
    page.get_by_label("Deals in a round").fill("5")
    press(page, "Plan the evening")
    expect(page).to_have_url(re.compile(r"/check-in/"))


def check_in(page: Page) -> None:
    page.locator("button.person", has_text="Ana").click()
    expect(page.locator("button.person", has_text="Ana")).to_have_attribute("aria-pressed", "true")
    for name in ("Bernard", "Colette", "Denise"):
        find = page.get_by_label("Find a member, or type a new name")
        # Typed letter by letter it is asked for a second time: while the answer is being pressed.
        find.evaluate("(field, name) => { field.value = name; }", name)
        find.press("Enter")
        press(page, re.compile("Add “" + name))
        expect(page.locator("button.person", has_text=name)).to_have_attribute(
            "aria-pressed", "true"
        )


def draw_and_start(page: Page) -> None:
    press(page, "Draw tables")
    press(page, "Accept and start round 1")
    expect(page).to_have_url(re.compile(r"/tables/"))


def choose(answer: Locator) -> None:
    """Tap an answer where the thumb finds it: not under the bar at the foot of the page."""
    answer.evaluate("element => element.scrollIntoView({block: 'center'})")
    answer.check(force=True)


def enter(page: Page, deal: tuple) -> None:
    taker, contract, bouts, points, bonuses = deal
    form = page.locator("#deal-form")
    choose(form.locator("[name=taker]").and_(page.get_by_label(re.compile("^" + taker))))
    choose(form.locator("[name=contract]").and_(page.get_by_label(contract, exact=True)))
    choose(form.locator(f"[name=bouts][value='{bouts}']"))
    form.locator("#points, [name=points]").first.fill(points)
    if bonuses:
        form.locator("details > summary").first.click()
    for name, answer in bonuses.items():
        choose(form.locator(f"[name={name}][value={answer}]"))
    press(page, re.compile("^Send deal"))


def test_an_evening_from_an_empty_site_to_the_leaderboard(phone: Page):
    start_a_club(phone)
    plan_an_evening(phone)
    check_in(phone)
    draw_and_start(phone)
    phone.get_by_role("link", name="Table 1").first.click()
    expect(phone).to_have_url(re.compile(r"/tables/\d+/$"))
    phone.goto(phone.url.rstrip("/") + "/deals/")

    for number, deal in enumerate(DEALS, start=1):
        expect(phone.get_by_role("button", name=f"Send deal {number}")).to_be_visible()
        enter(phone, deal)
    expect(phone.get_by_text("All 5 deals of this round are on the sheet.")).to_be_visible()

    phone.get_by_role("link", name="Open the sheet").click()
    total = phone.locator("tfoot")
    for points in TOTALS.values():
        expect(total).to_contain_text(points)

    event = Event.objects.get()
    phone.goto(f"/evenings/{event.pk}/tables/")
    send(button(phone, "Close round 1"))
    phone.goto(f"/evenings/{event.pk}/")
    send(button(phone, "Close the evening"))
    tasks.refresh_standings(event.pk)  # what the worker does meanwhile
    tasks.refresh_ranking(event.season_id)

    phone.goto(f"/clubs/{Club.objects.get().slug}/ranking/")
    rows = phone.locator("table.data tbody tr")
    expect(rows).to_have_count(4)
    for row, name in enumerate(("Ana", "Denise", "Colette", "Bernard")):
        expect(rows.nth(row)).to_contain_text(name)
        expect(rows.nth(row)).to_contain_text(TOTALS[name])
