"""What was entered at a table reaches the sheet once, whatever the network does."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from functools import partial

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import (
    Browser,
    BrowserContext,
    Error,
    Page,
    Route,
    expect,
    sync_playwright,
)

from scoring.models import SheetEvent, TarotDeal, TrucoLine
from tests.bad_network import bad_network
from tests.factories import EventFactory, JoinLinkFactory, PhoneFactory, RoundFactory, TableFactory
from tests.machine import chromium
from tests.outbox_runs import FASTER, make_runs, make_tables, play_all, told_of
from tests.scoring.conftest import record_on
from tests.waiting import PATIENCE, STATIC, WAITS_FOR_ANSWERS, eventually
from tournaments import actions as tournament_actions
from tournaments import phones
from tournaments.models import Phone, Table

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SIZE = {"width": 390, "height": 664}
#: How many rows lie in the phone's own store.
KEPT = """async () => {
  const database = await new Promise((resolve, reject) => {
    const asked = indexedDB.open("tapis-vert");
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });
  const rows = await new Promise(resolve => {
    const asked = database.transaction("rows").objectStore("rows").getAll();
    asked.onsuccess = () => resolve(asked.result);
  });
  database.close();
  return rows.length;
}"""
#: How often each of them was tried and put off.
TRIES = KEPT.replace("rows.length", "rows.map(row => row.tries)")
#: The page came out of the phone's own store, and is asked for as it is now.
RENEW = """async () => {
  document.documentElement.dataset.kept = "";
  await (await import("/static/outbox/asking.js")).renew();
}"""
#: The phone finds the network again, and is through with all that it then tries to send.
TRIES_AGAIN = """() => {
  dispatchEvent(new Event("online"));
  return navigator.locks.request("outbox", () => true);
}"""


@pytest.fixture
def table(season) -> Table:
    event = EventFactory(season=season, running=True, starts_at=timezone.now())
    return TableFactory(round=RoundFactory(event=event), deals_planned=4)


@pytest.fixture
def network(live_server):
    with bad_network(live_server.url) as (address, between):
        between.address = address
        yield between


def phone_at(table: Table, place: int = 1) -> Phone:
    seat = table.seats.get(place=place)
    link = table.event.join_links.first()
    link = link or JoinLinkFactory(event=table.event, table_number=table.number)
    return PhoneFactory(link=link, seat=seat)


def carrying(browser: Browser, address: str, phone: Phone, **more: str) -> BrowserContext:
    """A browser that has joined as this phone."""
    client = Client()
    answer = client.get(reverse("join"))
    phones.remember(answer, phone)
    context = browser.new_context(base_url=address, viewport=SIZE, has_touch=True, **more)
    context.set_default_timeout(PATIENCE * 1000)
    context.add_init_script(WAITS_FOR_ANSWERS)
    context.add_cookies([
        {"name": name, "value": morsel.value, "url": address}
        for name, morsel in answer.cookies.items()
    ])  # fmt: skip
    return context


@pytest.fixture
def page(browser, network, table) -> Page:
    context = carrying(browser, network.address, phone_at(table))
    yield context.new_page()
    context.close()


def open_form(page: Page, table: Table) -> None:
    page.goto(reverse("record-deal", args=[table.pk]))
    expect(page.locator("[data-ready]")).to_be_attached()


def enter(page: Page, table: Table, points: int, *, number: int, taker: int = 1) -> None:
    """Tap a garde with two bouts and send it."""
    expect(page.get_by_role("button", name=f"Send deal {number}")).to_be_visible()
    seat = table.seats.get(place=taker).pk
    page.locator(f"[name=taker][value='{seat}']").check()
    page.locator("[name=contract][value=garde]").check()
    page.locator("[name=bouts][value='2']").check()
    page.locator("[name=points]").fill(str(points))
    page.get_by_role("button", name=f"Send deal {number}").tap()


def points_of(table: Table) -> list[float]:
    standing = TarotDeal.objects.filter(table=table).standing().order_by("number")
    return [deal.half_points / 2 for deal in standing]


def kept_by(page: Page) -> int | None:
    """How many rows the phone keeps; nothing while it goes from one page to the next."""
    try:
        return page.evaluate(KEPT)
    except Error as left:
        if "Execution context was destroyed" not in str(left):
            raise
        return None


def expect_on_the_sheet(page: Page, table: Table, *points: float) -> None:
    """Wait until these deals stand on the sheet, and the phone keeps none of them."""
    eventually(lambda: points_of(table), list(points), page)
    eventually(lambda: kept_by(page), 0, page)


def cut_the_line(network, monkeypatch) -> None:
    """From now on nothing arrives."""
    monkeypatch.setattr("tests.bad_network.FAULTS", ("cut",))
    network.failing = 1.0


def test_deals_entered_without_network_wait_on_the_phone_and_arrive_in_order(page, table):
    open_form(page, table)
    page.context.set_offline(True)

    for number, points in enumerate((44, 51, 60), start=1):
        enter(page, table, points, number=number)

    expect(page.locator("[data-outbox] li")).to_have_count(3)
    expect(page.locator("[data-outbox]")).to_contain_text("on this phone")
    assert points_of(table) == []

    page.context.set_offline(False)

    expect(page.locator("[data-outbox] .chip--wait")).to_have_count(0)
    expect(page.get_by_role("button", name="Send deal 4")).to_be_visible()
    expect_on_the_sheet(page, table, 44, 51, 60)


def test_what_waits_survives_a_closed_tab(page, table, network, monkeypatch):
    open_form(page, table)
    cut_the_line(network, monkeypatch)
    enter(page, table, 44, number=1)
    expect(page.locator("[data-outbox] .chip--wait")).to_have_count(1)
    page.close()
    network.failing = 0.0

    again = page.context.new_page()
    again.goto(reverse("sheet", args=[table.pk]))

    expect_on_the_sheet(again, table, 44)
    expect(again.locator("[data-outbox] .chip--wait")).to_have_count(0)


def test_a_row_that_another_phone_contradicts_needs_somebody(page, table, browser, network):
    open_form(page, table)
    other = carrying(browser, network.address, phone_at(table, 2)).new_page()
    open_form(other, table)
    page.context.set_offline(True)
    enter(page, table, 44, number=1)
    enter(other, table, 51, number=1)
    expect_on_the_sheet(other, table, 51)

    page.context.set_offline(False)
    expect(page.locator("[data-outbox]")).to_contain_text("needs you")
    page.get_by_role("button", name="Look").tap()

    expect(page.get_by_role("heading", name="Yours, not sent")).to_be_visible()
    assert points_of(table) == [51]

    page.get_by_role("button", name="Mine is right").tap()
    expect(page.locator("[data-outbox]")).to_be_hidden()
    expect_on_the_sheet(page, table, 44)
    other.context.close()


def test_a_refused_row_is_put_right_and_leaves_nothing_behind(page, table):
    open_form(page, table)

    enter(page, table, 96, number=1)
    expect(page.get_by_text("You typed 96.")).to_be_visible()
    page.locator("[name=points]").fill("56")
    page.get_by_role("button", name="Send deal 1").tap()

    expect(page.get_by_role("button", name="Send deal 2")).to_be_visible()
    expect_on_the_sheet(page, table, 56)


def test_two_tabs_of_one_phone_send_a_row_once(page, table, network, monkeypatch):
    open_form(page, table)
    cut_the_line(network, monkeypatch)
    enter(page, table, 44, number=1)
    expect(page.locator("[data-outbox] .chip--wait")).to_have_count(1)
    second = page.context.new_page()
    second.goto(reverse("record-deal", args=[table.pk]))
    network.failing = 0.0

    for tab in (page, second):
        tab.evaluate("dispatchEvent(new Event('online'))")

    expect(second.get_by_role("button", name="Send deal 2")).to_be_visible()
    expect(page.get_by_role("button", name="Send deal 2")).to_be_visible()
    expect_on_the_sheet(page, table, 44)
    assert TarotDeal.objects.count() == 1


def test_a_page_of_the_wifi_is_not_taken_for_an_answer(page, table, network, monkeypatch):
    monkeypatch.setattr("tests.bad_network.FAULTS", ("portal",))
    open_form(page, table)
    network.failing = 1.0
    enter(page, table, 44, number=1)

    expect(page.locator("[data-outbox] .chip--wait")).to_have_count(1)
    assert page.evaluate(KEPT) == 1

    network.failing = 0.0
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(page.locator("[data-outbox] .chip--wait")).to_have_count(0)
    expect_on_the_sheet(page, table, 44)


def test_a_half_answered_form_outlasts_a_page_that_is_left(page, table):
    open_form(page, table)
    page.locator("[name=contract][value=garde]").check()
    page.locator("[name=points]").fill("47")

    page.goto(reverse("sheet", args=[table.pk]))
    open_form(page, table)

    expect(page.locator("[name=contract][value=garde]")).to_be_checked()
    expect(page.locator("[name=points]")).to_have_value("47")
    enter(page, table, 44, number=1)
    expect_on_the_sheet(page, table, 44)
    page.reload()
    expect(page.get_by_role("button", name="Send deal 2")).to_be_visible()
    expect(page.locator("[name=points]")).to_have_value("")


def test_without_network_the_next_deal_is_dealt_by_the_next_player(page, table):
    open_form(page, table)
    deals = page.locator(".choice:has([data-dealer]) [name=taker]")
    expect(deals).to_have_value(str(table.seats.get(place=1).pk))
    page.context.set_offline(True)

    enter(page, table, 44, number=1)

    expect(page.get_by_role("heading", level=1)).to_contain_text("Deal 2")
    expect(deals).to_have_value(str(table.seats.get(place=2).pk))


def test_a_row_that_waits_can_be_read_out_and_is_dropped_at_the_second_tap_only(page, table):
    open_form(page, table)
    page.context.set_offline(True)
    enter(page, table, 44, number=1, taker=2)
    row = page.locator("[data-outbox] li")
    taker = table.seats.get(place=2).player.name
    expect(row).to_contain_text(f"{taker} · Garde · 2 · 44 · Garde made by 3")

    record_on(table, phone_at(table, 2))
    page.context.set_offline(False)
    row.get_by_role("button", name="Drop it").tap()
    expect(row).to_have_count(1)
    # The list is written anew whenever the phone has tried to send.
    row.evaluate("row => { row.id = 'before'; }")
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(page.locator("#before")).to_have_count(0)
    row.get_by_role("button", name="Drop it for good").tap()

    expect(row).to_have_count(0)
    eventually(lambda: page.evaluate(KEPT), 0, page)


def test_a_row_sent_while_the_director_looks_at_the_sheets_arrives_when_it_goes_on(
    page, table, director
):
    open_form(page, table)
    tournament_actions.freeze_round(this_round=table.round, by=director)
    enter(page, table, 44, number=1)
    expect(page.get_by_text("The director is looking at the sheets").first).to_be_visible()
    expect(page.locator("[data-outbox] .chip--wait")).to_have_count(1)

    tournament_actions.unfreeze_round(this_round=table.round, by=director)

    expect_on_the_sheet(page, table, 44)


def hand_over(page: Page, phone: Phone, network) -> None:
    """From now on this browser is another phone, whatever its pages have been told."""
    answer = HttpResponse()
    phones.remember(answer, phone)
    (name, morsel) = next(iter(answer.cookies.items()))
    page.context.add_cookies([{"name": name, "value": morsel.value, "url": network.address}])


def test_what_somebody_else_left_on_the_phone_does_not_count_as_entered(page, table, network):
    open_form(page, table)
    page.context.set_offline(True)
    enter(page, table, 44, number=1)
    expect(page.get_by_role("button", name="Send deal 2")).to_be_visible()
    hand_over(page, phone_at(table, 2), network)

    # Else the page of the first one sends it in this moment.
    page.close()
    page.context.set_offline(False)
    other = page.context.new_page()
    open_form(other, table)

    expect(other.locator("[data-outbox]")).to_contain_text("entered by Player")
    expect(other.get_by_role("button", name="Send deal 1")).to_be_visible()
    assert points_of(table) == []


def test_a_page_that_stays_open_sends_nothing_as_of_who_has_the_phone_now(page, table, network):
    open_form(page, table)
    page.context.set_offline(True)
    enter(page, table, 44, number=1)
    expect(page.get_by_role("button", name="Send deal 2")).to_be_visible()
    hand_over(page, phone_at(table, 2), network)

    page.context.set_offline(False)

    expect(page.locator("[data-outbox]")).to_contain_text("entered by Player")
    enter(page, table, 51, number=2)
    expect(page.get_by_text("This phone stands for somebody else")).to_be_visible()
    assert (points_of(table), page.evaluate(KEPT)) == ([], 2)


def test_what_somebody_else_left_is_read_before_it_is_sent_as_ones_own(page, table, network):
    open_form(page, table)
    page.context.set_offline(True)
    enter(page, table, 44, number=1)
    expect(page.get_by_role("button", name="Send deal 2")).to_be_visible()
    heir = phone_at(table, 2)
    hand_over(page, heir, network)
    page.context.set_offline(False)
    expect(page.locator("[data-outbox]")).to_contain_text("entered by Player")

    open_form(page, table)
    page.get_by_role("button", name=re.compile("Show what Player .+ entered")).tap()
    expect(page.locator("[name=points]")).to_have_value("44")
    page.evaluate(RENEW)
    expect(page.locator("[name=points]")).to_have_value("44")
    assert points_of(table) == []
    page.get_by_role("button", name="Send deal 1").tap()

    expect_on_the_sheet(page, table, 44)
    assert TarotDeal.objects.get().phone == heir


def test_what_somebody_left_who_never_comes_back_is_thrown_away_and_the_journal_tells(
    page, table, network
):
    open_form(page, table)
    page.context.set_offline(True)
    enter(page, table, 44, number=1)
    expect(page.get_by_role("button", name="Send deal 2")).to_be_visible()
    gone, heir = Phone.objects.get(), phone_at(table, 2)
    hand_over(page, heir, network)
    page.close()
    page.context.set_offline(False)
    other = page.context.new_page()
    open_form(other, table)
    row = other.locator("[data-outbox] li")
    expect(row).to_contain_text(f"entered by {gone.player.name}")
    expect(row.get_by_role("button", name=f"Show what {gone.player.name} entered")).to_be_visible()

    row.get_by_role("button", name="Drop it").tap()
    expect(row).to_have_count(1)
    row.get_by_role("button", name="Drop it for good").tap()

    expect(row).to_have_count(0)
    eventually(lambda: other.evaluate(KEPT), 0, other)
    dropped = SheetEvent.objects.filter(kind=SheetEvent.Kind.DROPPED)
    eventually(dropped.count, 1, other)
    line = dropped.get()
    assert (line.table, line.phone) == (table, heir)
    assert line.details["entered_by"] == gone.player.name
    assert "44" in line.details["words"]


def test_who_has_joined_again_as_himself_sends_what_waited(page, table, network):
    open_form(page, table)
    page.context.set_offline(True)
    enter(page, table, 44, number=1)
    expect(page.get_by_role("button", name="Send deal 2")).to_be_visible()
    before = Phone.objects.get()
    again = tournament_actions.join_as_player(
        link=before.link, player=before.player, phone=before, claims=True
    )
    hand_over(page, again, network)
    page.close()
    page.context.set_offline(False)

    other = page.context.new_page()
    open_form(other, table)

    expect_on_the_sheet(other, table, 44)
    assert TarotDeal.objects.get().phone == again


def test_who_gives_his_seat_up_is_told_of_what_waits(page, table, network, monkeypatch):
    open_form(page, table)
    cut_the_line(network, monkeypatch)
    enter(page, table, 44, number=1)
    expect(page.locator("[data-outbox] .chip--wait")).to_have_count(1)
    page.goto(reverse("own-place", args=[table.event.pk]))
    row = page.locator("[data-outbox] li")
    expect(row).to_contain_text(f"Round 1, table {table.number}, Deal 1")
    phone = Phone.objects.get()
    leaves = page.get_by_role("button", name=f"I am not {phone}")

    leaves.tap()

    expect(page.get_by_text("What is entered here has not arrived yet")).to_be_visible()
    network.failing = 0.0
    leaves.tap()
    expect(leaves).to_have_count(0)
    phone.refresh_from_db()
    assert phone.removed_at is not None


def test_a_browser_that_has_lost_its_cookie_still_shows_what_waits(page, table, network):
    open_form(page, table)
    page.context.set_offline(True)
    enter(page, table, 44, number=1)
    expect(page.get_by_role("button", name="Send deal 2")).to_be_visible()
    page.context.clear_cookies()
    page.close()
    page.context.set_offline(False)

    other = page.context.new_page()
    other.goto(reverse("join"))

    expect(other.locator("[data-outbox] li")).to_contain_text("scan the card again to send it")
    assert points_of(table) == []


@pytest.mark.parametrize(("pause", "too_early", "late_enough"), [
    ("60", 20, 50),
    ("86400", 80, 50),  # nobody waits for a day: two minutes at most
])  # fmt: skip
def test_a_site_that_asks_for_a_pause_is_left_alone_for_so_long(  # noqa: PLR0917 - fixtures
    page, table, network, monkeypatch, pause, too_early, late_enough
):
    monkeypatch.setattr("tests.bad_network.FAULTS", ("busy",))
    page.clock.install()
    open_form(page, table)
    network.pause, network.failing = pause, 1.0
    sent = []
    page.on("request", lambda each: each.url.endswith("/deals/") and sent.append(each.method))
    enter(page, table, 44, number=1)
    # Answered, and not only sent: a phone gives a request up after a while.
    eventually(lambda: page.evaluate(TRIES), [1], page)
    assert sent == ["POST"]

    page.clock.fast_forward(too_early * 1000)
    page.evaluate(TRIES_AGAIN)
    assert sent == ["POST"]
    network.failing = 0.0
    page.clock.fast_forward(late_enough * 1000)

    expect(page.locator("[data-outbox] .chip--wait")).to_have_count(0)
    eventually(lambda: points_of(table), [44], page)


def test_on_plain_http_what_is_entered_without_network_arrives_as_well(
    monkeypatch, live_server, table, settings
):
    """A hall's own server has an address without a certificate: no worker, no locks, no UUIDs."""
    monkeypatch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
    settings.ALLOWED_HOSTS = [*settings.ALLOWED_HOSTS, "club.test"]
    port = live_server.url.rpartition(":")[2]
    rules = ("--no-sandbox", "--host-resolver-rules=MAP club.test 127.0.0.1")
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium(), args=[*rules])
        context = carrying(browser, f"http://club.test:{port}", phone_at(table))
        page = context.new_page()
        open_form(page, table)
        missing = (
            "[isSecureContext, !!navigator.serviceWorker, !!navigator.locks, !!crypto.randomUUID]"
        )
        assert page.evaluate(missing) == [False] * 4

        context.set_offline(True)
        for number, points in enumerate((44, 51), start=1):
            enter(page, table, points, number=number)
        expect(page.locator("[data-outbox] .chip--wait")).to_have_count(2)
        context.set_offline(False)
        expect(page.locator("[data-outbox] .chip--wait")).to_have_count(0)
        enter(page, table, 60, number=3)

        eventually(lambda: points_of(table), [44, 51, 60], page)
        browser.close()


def test_a_hand_in_notation_without_its_end_is_waited_for_and_the_page_says_why(
    browser, network, season
):
    """No phone plays its cards; what is asked next, it learns when the hand has arrived."""
    event = EventFactory(
        season=season, running=True, game="truco", starts_at=timezone.now(), ruleset={}
    )
    table = TableFactory(round=RoundFactory(event=event), best_of=3, target=12, deals_planned=1)
    page = carrying(browser, network.address, phone_at(table)).new_page()
    open_form(page, table)
    page.context.set_offline(True)

    page.locator("[data-won=a]").tap()
    expect(page.locator("[data-outbox] li")).to_contain_text(re.compile(r"Line 1 .+ · \+1 · 0 → 1"))
    page.get_by_text("The whole hand, card by card").tap()
    page.locator("[name=notation]").fill("B1 v6E A2: 4C KC 3P JO / A1: QC 2P 3E 2E")
    page.get_by_role("button", name="Enter the hand", exact=True).tap()
    expect(page.get_by_text("What comes next opens when this has arrived.")).to_be_visible()
    expect(page.locator("[data-closed]")).to_contain_text(
        "Only the site can count a hand that is written without its end (=> A+3)."
    )
    expect(page.locator("#deal-form")).to_have_attribute("inert", "")
    expect(page.locator("[data-outbox] .chip--wait")).to_have_count(2)

    page.context.set_offline(False)
    expect(page.locator("[data-outbox] .chip--wait")).to_have_count(0)
    expect(page.locator("#tally b")).to_have_text(["2", "0"])
    expect(page.locator("[data-closed]")).to_be_hidden()
    assert [line.points for line in TrucoLine.objects.order_by("number")] == [1, 1]
    page.context.close()


def test_a_page_made_before_its_line_was_written_asks_for_the_next_one(
    browser, live_server, season
):
    event = EventFactory(
        season=season, running=True, game="truco", starts_at=timezone.now(), ruleset={}
    )
    table = TableFactory(round=RoundFactory(event=event), best_of=3, target=12, deals_planned=1)
    address = reverse("record-deal", args=[table.pk])
    carries = carrying(browser, live_server.url, phone_at(table), service_workers="block")
    page = carries.new_page()
    old = page.goto(address)
    body, headers = old.body(), old.headers
    page.locator("[data-won=a]").tap()
    expect(page.locator("#tally b")).to_have_text(["1", "0"])

    def answer(route: Route) -> None:
        if "hx-request" in route.request.headers:
            route.continue_()
        else:
            route.fulfill(status=200, headers=headers, body=body)

    page.route(f"**{address}", answer)
    page.goto(address)

    expect(page.locator("#tally b")).to_have_text(["1", "0"])
    carries.close()


#: A page that the site made for the first hand comes late, while it is found out what to ask next.
#: Gives what the form says at once, as number and question, and what it says when all is known.
LATE_PAGE = """async page => {
  const {goOn, put, begin} = await import("/static/outbox/asking.js");
  const said = name => document.querySelector(`#deal-form [name=${name}]`).value;
  const says = () => ["number", "asked"].map(said);
  const going = goOn();
  put(page);
  await going;
  const early = says();
  await begin();
  return [early, says()];
}"""


@pytest.fixture
def truco(browser, network, season) -> Page:
    """A phone at a table of truco where nothing has been entered."""
    event = EventFactory(
        season=season, running=True, game="truco", starts_at=timezone.now(), ruleset={}
    )
    table = TableFactory(round=RoundFactory(event=event), best_of=3, target=12, deals_planned=1)
    page = carrying(browser, network.address, phone_at(table)).new_page()
    open_form(page, table)
    yield page
    page.context.close()


def win_six(page: Page, *, number: int) -> None:
    """Tap a hand of six for us, and wait until the next one is asked for."""
    page.locator("#deal-form .choice:has([name=value][value='6'])").tap()
    page.locator("[data-won=a]").tap()
    expect(page.locator("#deal-form [name=number]")).to_have_value(str(number + 1))


@pytest.fixture
def late_page(truco) -> str:
    """The page of the first hand; two hands wait on the phone meanwhile, and end the game."""
    made: str = truco.evaluate(
        "() => fetch(location.pathname, {headers: {'HX-Request': 'true'}}).then(it => it.text())"
    )
    truco.context.set_offline(True)
    win_six(truco, number=1)
    win_six(truco, number=2)
    return made


def test_a_page_that_comes_late_never_asks_one_hand_by_the_number_of_another(truco, late_page):
    early, at_last = truco.evaluate(LATE_PAGE, late_page)

    assert early in (["1", "1 normal"], ["3", "2 normal"])
    assert at_last == ["3", "2 normal"]


def test_a_hand_taken_back_across_the_end_of_a_game_is_asked_for_in_its_own_game(truco):
    win_six(truco, number=1)
    truco.reload()
    expect(truco.locator("[data-ready]")).to_be_attached()
    truco.context.set_offline(True)
    win_six(truco, number=2)
    expect(truco.locator("#deal-form [name=asked]")).to_have_value("2 normal")

    truco.locator("[data-outbox] [data-undo]:visible").tap()
    expect(truco.locator("#deal-form [name=number]")).to_have_value("2")
    expect(truco.locator("#deal-form [name=asked]")).to_have_value("1 normal")


@pytest.mark.parametrize("what", ["nothing", "a page of the wifi's"])
def test_files_of_the_outbox_that_were_lost_on_the_way_are_asked_for_again(
    browser, live_server, table, what
):
    carries = carrying(browser, live_server.url, phone_at(table), service_workers="block")
    page, asked = carries.new_page(), Counter()

    def lose_twice(route: Route) -> None:
        asked[route.request.url] += 1
        if asked[route.request.url] > 2:
            route.continue_()
        elif what == "nothing":
            route.abort()
        else:
            route.fulfill(status=200, content_type="text/html", body="<h1>Agree to our terms</h1>")

    page.route("**/static/outbox**.js", lose_twice)
    open_form(page, table)
    enter(page, table, 46, number=1)

    expect_on_the_sheet(page, table, 46)
    assert len(asked) == len([*STATIC.glob("outbox/*.js"), "outbox.js"])
    carries.close()


def test_a_page_whose_htmx_comes_late_follows_what_happens_all_the_same(
    browser, live_server, table, scorer
):
    carries = carrying(browser, live_server.url, phone_at(table), service_workers="block")
    page = carries.new_page()
    page.route("**/htmx*.js", lambda route: route.abort(), times=1)
    # A font never comes: htmx does, before the page is whole.
    page.route("**/*.woff2", lambda _route: None)
    page.add_init_script(FASTER.replace("TIMES", "20"))
    page.goto(reverse("sheet", args=[table.pk]), wait_until="commit")
    eventually(partial(page.evaluate, "typeof window.htmx"), "object", page)
    assert page.evaluate("document.readyState") == "interactive"
    record_on(table, scorer)
    expect(page.get_by_role("heading", name="No deal yet")).to_have_count(0)
    carries.close()


# A network that fails at random: the benchmark plays two thousand of these runs


def test_twenty_runs_on_a_network_that_fails_lose_nothing_and_double_nothing(
    season, live_server, monkeypatch
):
    # The browser's driver runs a loop of its own in this thread; our queries stay plain.
    monkeypatch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
    cookies, tables = make_tables(season, 20)

    runs = make_runs(tables, seed=6)
    faults = asyncio.run(play_all(runs, server=live_server.url, cookies=cookies, at_once=2))

    assert [run for run in runs if run.trouble] == []
    assert faults.total() > 10
    assert {run.table: told_of(run) for run in runs} == {run.table: run.entered for run in runs}
