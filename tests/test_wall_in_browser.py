"""The wall and the entry page as everybody sees them: axe, narrow, enlarged, across a hall."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.conf import settings
from django.urls import reverse
from django.utils import timezone, translation
from playwright.sync_api import Browser, Page, expect

from clubs.models import Player
from scoring.tasks import refresh_standings
from tests.factories import EventFactory, JoinLinkFactory, RoundFactory, TableFactory
from tests.scoring.conftest import record_on
from tests.test_outbox_in_browser import carrying, enter, open_form, phone_at, points_of
from tests.test_phones_in_browser import SMALL, TARGETS, WIDER, cookie_of
from tests.waiting import eventually
from tournaments import phones
from tournaments.models import Event, Table

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

#: Some names take two lines.
NAMES = ("Yves Le Goff", "Ana Paula", "Odile Kervadec", "Marie-Thérèse Le Goff-Vasconcelos")
#: What lies outside a page of the wall; each of its pages is shown in turn.
PAGES = "[...document.querySelectorAll('[data-board] [data-page]')]"
OUTSIDE = f"""() => {PAGES}.map(shown => {{
  {PAGES}.forEach(page => {{ page.hidden = page !== shown; }});
  const root = document.documentElement;
  const cut = [...shown.querySelectorAll('li > span, h2')].filter(
    each => each.scrollWidth > each.clientWidth + 1);
  const wall = document.querySelector('.projector-live').getBoundingClientRect();
  return [shown.getAttribute('aria-label'), root.scrollWidth - root.clientWidth,
    Math.round(wall.bottom - innerHeight), cut.length];
}}).filter(([, wider, lower, cut]) => wider > 0 || lower > 0 || cut)"""
#: Rows of the outbox of more than four lines.
TALLER = "[...document.querySelectorAll('[data-outbox] li')].some(row => row.clientHeight > 200)"


@pytest.fixture
def event(season, scorer) -> Event:
    event = EventFactory(
        season=season, running=True, starts_at=timezone.now(), title="Jeudi", rounds_planned=4
    )
    this_round = RoundFactory(event=event, minutes=45, clock_started_at=timezone.now())
    for number in range(1, 11):
        table = TableFactory(round=this_round, number=number, deals_planned=4)
        for seat in table.seats.select_related("player"):
            seat.player.name = f"{NAMES[(number + seat.place) % len(NAMES)]} {number}{seat.letter}"
            seat.player.save()
        record_on(table, scorer)
    refresh_standings(event.pk)
    event.refresh_from_db()
    JoinLinkFactory(event=event)
    return event


@pytest.fixture
def table(event) -> Table:
    return event.rounds.get().tables.first()


def faults_of(page: Page) -> list[str]:
    found = Axe().run(page).response["violations"]
    faults = [
        f"{each['id']} {[node['html'][:120] for node in each['nodes'][:3]]}" for each in found
    ]
    if page.evaluate(TALLER):
        faults.append("a row of the outbox is as narrow as a letter")
    if page.evaluate(WIDER) > 0:
        faults.append(f"{page.evaluate(WIDER)} pixels wider than the page")
    return faults + [f"small {each}" for each in page.evaluate(SMALL, TARGETS)]


@pytest.mark.parametrize("language", ["fr", "pt-br"])
def test_each_page_of_the_wall_fits_a_screen_across_the_hall(
    browser: Browser, live_server, event, language, request
):
    link = JoinLinkFactory(event=event, role="wall")
    context = browser.new_context(
        base_url=live_server.url,
        viewport={"width": 1920, "height": 1080},
        color_scheme="dark",
        reduced_motion="reduce",
    )
    cookie = {"name": settings.LANGUAGE_COOKIE_NAME, "value": language, "url": live_server.url}
    context.add_cookies([cookie])
    page = context.new_page()
    page.goto(phones.path_of(link))
    with translation.override(language):
        expect(page.locator("html")).to_have_attribute("lang", translation.get_language())

    shots = request.config.getoption("--basetemp")
    outside = page.evaluate(OUTSIDE)
    for number in range(page.locator("[data-page]").count() if shots else 0):
        page.evaluate(f"{PAGES}.forEach((page, at) => {{ page.hidden = at !== {number}; }})")
        page.screenshot(path=f"{shots}/wall-{language}-{number}.png")
    found = faults_of(page)
    context.close()

    assert (outside, found) == ([], [])


@pytest.mark.parametrize("width", [390, 820, 1280])
def test_the_director_has_room_to_say_something_on_the_wall(
    browser, live_server, event, director, width
):
    JoinLinkFactory(event=event, role="wall")
    context = browser.new_context(
        base_url=live_server.url, viewport={"width": width, "height": 800}
    )
    context.add_cookies([cookie_of(director, live_server.url)])
    page = context.new_page()
    page.goto(reverse("projector", args=[event.pk]))

    said, tools = page.get_by_label("Say on the wall"), page.locator(".wall-tools .btn")
    expect(said).to_be_visible()
    box = said.bounding_box()
    assert box["width"] > 200
    for each in tools.all():
        other = each.bounding_box()
        beside = other["x"] >= box["x"] + box["width"] or other["y"] >= box["y"] + box["height"]
        assert beside, each.inner_text()


LONG = "Marie-Thérèse Anne-Sophie de la Tour d’Auvergne-Vasconcelos e Albuquerque"


def test_eight_hundred_long_names_are_all_on_the_wall_and_none_is_cut(browser, live_server, season):
    event = EventFactory(season=season, running=True, starts_at=timezone.now(), rounds_planned=4)
    this_round = RoundFactory(event=event)
    for number in range(1, 201):
        TableFactory(round=this_round, number=number)
    people = list(Player.objects.filter(seats__round=this_round))
    for number, player in enumerate(people):
        player.name = f"{LONG[: 12 + number % 62]} {number}"
    people[0].name = "W" * 120
    Player.objects.bulk_update(people, ["name"])
    page = browser.new_context(base_url=live_server.url).new_page()
    page.goto(phones.path_of(JoinLinkFactory(event=event, role="wall")))

    for width, height in ((1920, 1080), (1280, 720), (1920, 1080)):
        page.set_viewport_size({"width": width, "height": height})
        # The pages are made anew for the new size.
        eventually(lambda: page.evaluate(OUTSIDE), [], page)
        shown = page.locator("[data-page] .seats li > span").all_text_contents()
        assert sorted(shown) == sorted(player.name for player in people)


@pytest.mark.parametrize("width", [320, 960])
def test_the_wall_can_be_read_on_a_phone_and_enlarged(browser, live_server, event, width):
    """960 pixels are a screen of 1920 enlarged to twice the size."""
    link = JoinLinkFactory(event=event, role="wall")
    page = browser.new_context(
        base_url=live_server.url,
        viewport={"width": width, "height": 540},
        reduced_motion="reduce",
    ).new_page()
    page.goto(phones.path_of(link))

    assert faults_of(page) == []


@pytest.mark.parametrize(("width", "scheme"), [(320, "dark"), (640, "light")])
def test_the_entry_page_with_what_waits_is_open_to_everybody(  # noqa: PLR0917 - fixtures
    browser, live_server, table, width, scheme, request
):
    page = carrying(browser, live_server.url, phone_at(table)).new_page()
    page.set_viewport_size({"width": width, "height": 640})
    other = carrying(browser, live_server.url, phone_at(table, 2)).new_page()
    for each in (page, other):
        each.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    open_form(page, table)
    open_form(other, table)
    page.context.set_offline(True)
    enter(page, table, 44, number=2)
    expect(page.locator("[data-outbox] .chip--wait")).to_have_count(1)
    waiting = faults_of(page)
    enter(other, table, 51, number=2)
    expect(other.get_by_role("button", name="Send deal 3")).to_be_visible()
    sent = faults_of(other)
    eventually(lambda: points_of(table), [49, 51], other)
    page.context.set_offline(False)
    expect(page.locator("[data-outbox] .chip--bad")).to_have_count(1)
    refused = faults_of(page)

    shots = request.config.getoption("--basetemp")
    if shots:
        page.screenshot(path=f"{shots}/outbox-{width}.png", full_page=True)
    for each in (page, other):
        each.context.close()
    assert (waiting, sent, refused) == ([], [], [])
