"""The wall and the entry page as everybody sees them: axe, narrow, enlarged, across a hall."""

from __future__ import annotations

from collections.abc import Iterator

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
from tests.waiting import eventually, follow
from tournaments import phones
from tournaments.models import Event, Table

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

#: Some names take two lines.
NAMES = ("Yves Le Goff", "Ana Paula", "Odile Kervadec", "Marie-Thérèse Le Goff-Vasconcelos")
#: What of the screen that is shown lies outside it.
OUTSIDE = """() => {
  const root = document.documentElement, shown = document.querySelector('[data-board] section');
  const cut = [...shown.querySelectorAll('li:not([hidden]) > span, h2')].filter(
    each => each.scrollWidth > each.clientWidth + 1);
  const wall = document.querySelector('.projector-live').getBoundingClientRect();
  return [root.scrollWidth - root.clientWidth, Math.round(wall.bottom - innerHeight), cut.length];
}"""
#: The page keeps what it has shown: on a busy machine it turns between two looks at it.
KEEPS_SEEN = """() => {
  const shown = () => document.querySelector("#wall section").getAttribute("aria-label")
    + document.querySelector("[data-shown]").textContent;
  window.seen = [shown()];
  document.addEventListener("htmx:afterSwap", () => {
    if (shown() !== seen.at(-1)) seen.push(shown());
  });
}"""
#: Longer than a screen stands, and than a region waits.
A_TURN = 12_500
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
    stop(page)
    with translation.override(language):
        expect(page.locator("html")).to_have_attribute("lang", translation.get_language())

    shots = request.config.getoption("--basetemp")
    outside, seen = [], []
    while (screen := page.locator("#wall").get_attribute("hx-get")) not in seen:
        seen.append(screen)
        outside.append(page.evaluate(OUTSIDE))
        if shots:
            page.screenshot(path=f"{shots}/wall-{language}-{len(seen)}.png")
        turn(page)
    found = faults_of(page)
    context.close()

    assert len(seen) >= 5
    assert [each for each in outside if each[0] > 0 or each[1] > 0 or each[2]] == []
    assert found == []


def stop(page: Page) -> None:
    """Let the wall turn when it is told to only, and be measured in its own letters."""
    page.locator("[data-pause]").click()
    page.evaluate("document.fonts.ready.then(() => true)")


def resize(page: Page, width: int, height: int) -> None:
    """Show the page on another screen; it fits itself to it before its next picture."""
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate("new Promise(done => { requestAnimationFrame(() => done()); })")


def turn(page: Page, way: str = "next") -> None:
    """Go to the screen after this one, or before it."""
    link = page.locator(f"[data-turns] [rel={way}]")
    there = link.get_attribute("href")
    link.click()
    expect(page.locator(f'#wall[hx-get="{there}"]')).to_be_attached()


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
    stop(page)

    for width, height in ((1920, 1080), (1280, 720)):
        resize(page, width, height)
        names: list[str] = []
        seen: list[str] = []
        while (here := page.locator("#wall").get_attribute("hx-get")) not in seen:
            seen.append(here)
            assert [each for each in page.evaluate(OUTSIDE) if each > 0] == []
            names += page.locator(".seats li:not([hidden]) > span").all_text_contents()
            turn(page)
        assert sorted(names) == sorted(player.name for player in people)


@pytest.fixture
def screen(browser, live_server, event) -> Iterator[Page]:
    """The wall on a screen whose time can be let go by; what went wrong on it is kept."""
    page = browser.new_context(
        base_url=live_server.url, viewport={"width": 1920, "height": 1080}
    ).new_page()
    page.wrong = []
    page.on("pageerror", lambda error: page.wrong.append(str(error)))
    page.on("console", lambda said: said.type == "error" and page.wrong.append(said.text))
    page.clock.install()
    page.goto(phones.path_of(JoinLinkFactory(event=event, role="wall")))
    yield page
    assert page.wrong == []
    page.context.close()


def screens_after(page: Page, before: int) -> list[str]:
    """Wait until the wall has shown more screens than these; gives them all."""
    eventually(lambda: page.evaluate("seen.length") > before, True, page)
    return page.evaluate("seen")


def test_the_screens_turn_by_themselves_all_the_way_round(screen):
    screen.evaluate(KEEPS_SEEN)
    seen = screens_after(screen, 0)
    while len(seen) <= 20 and seen[0] not in seen[1:]:
        screen.clock.run_for(A_TURN)
        seen = screens_after(screen, len(seen))

    once_round = seen[: seen.index(seen[0], 1)]
    assert len(set(once_round)) == len(once_round) >= 4


def test_a_wall_that_is_paused_stays_and_still_hears_what_is_new(screen, event):
    screen.get_by_role("button", name="Pause").click()
    here = screen.locator("#wall").get_attribute("hx-get")

    Event.objects.filter(pk=event.pk).update(wall_note="Soup is ready")
    screen.clock.run_for(4 * A_TURN)

    expect(screen.get_by_text("Soup is ready")).to_be_visible()
    assert screen.locator("#wall").get_attribute("hx-get") == here
    turn(screen, "prev")
    turn(screen)
    assert screen.locator("#wall").get_attribute("hx-get") == here


def test_a_wall_of_one_screen_stays_where_it_is(browser, live_server, season):
    event = EventFactory(season=season, running=True)
    page = browser.new_context(base_url=live_server.url).new_page()
    page.clock.install()
    JoinLinkFactory(event=event)
    page.goto(phones.path_of(JoinLinkFactory(event=event, role="wall")))
    here = page.locator("#wall").get_attribute("hx-get")

    expect(page.get_by_role("button", name="Pause")).to_be_hidden()
    expect(page.locator("[data-turns]")).to_be_hidden()
    page.clock.run_for(2 * A_TURN)

    assert page.locator("#wall").get_attribute("hx-get") == here
    page.context.close()


def test_without_script_links_lead_from_screen_to_screen(browser, live_server, event):
    page = browser.new_context(base_url=live_server.url, java_script_enabled=False).new_page()
    page.goto(phones.path_of(JoinLinkFactory(event=event, role="wall")))
    first = page.locator(".seats li").all_text_contents()

    follow(page.get_by_role("link", name="Next page"))
    second = page.locator(".seats li").all_text_contents()
    follow(page.get_by_role("link", name="Previous page"))

    assert (len(first), len(second)) == (30, 10)
    assert page.locator(".seats li").all_text_contents() == first
    page.context.close()


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
