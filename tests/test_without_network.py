"""The pages of a table open without network once they were seen, for whoever saw them only."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Page, expect

from config import offline
from tests.outbox_runs import FASTER
from tests.scoring.conftest import answers, record_on
from tests.test_outbox_in_browser import (  # noqa: F401 - fixtures
    carrying,
    enter,
    expect_on_the_sheet,
    hand_over,
    network,
    open_form,
    page,
    phone_at,
    points_of,
    table,
)
from tests.waiting import eventually
from tournaments import actions as tournament_actions
from tournaments.models import Phone

KEPT_PAGES = """async () => {
  const names = (await caches.keys()).filter(name => name.startsWith("pages-"));
  const pages = await Promise.all(names.map(async name => (await caches.open(name)).keys()));
  return pages.flat().map(request => new URL(request.url).pathname);
}"""

#: There is another worker, and it is the one that answers from now on.
TAKE_OVER = """async () => {
  const changes = new Promise(done => {
    navigator.serviceWorker.addEventListener("controllerchange", done, {once: true});
  });
  await (await navigator.serviceWorker.getRegistration()).update();
  await changes;
}"""
#: Until the page has done with the answer, whatever it was.
ASK_FOR_THE_SHEET = """() => new Promise(done => {
  document.addEventListener("htmx:afterRequest", () => done(), {once: true});
  htmx.trigger("#sheet", "live");
})"""


def kept(page: Page) -> None:  # noqa: F811
    """Wait until the worker has kept the page that is shown."""
    path = page.evaluate("location.pathname")
    eventually(lambda: page.evaluate("navigator.serviceWorker.controller !== null"), True, page)
    eventually(lambda: path in page.evaluate(KEPT_PAGES), True, page)


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_the_entry_page_opens_without_network_and_what_is_entered_there_arrives(page, table):  # noqa: F811
    open_form(page, table)
    kept(page)
    page.context.set_offline(True)

    page.goto("about:blank")
    open_form(page, table)
    enter(page, table, 44, number=1)
    expect(page.locator("[data-outbox] .chip--wait")).to_have_count(1)
    page.reload()
    expect(page.get_by_role("button", name="Send deal 2")).to_be_visible()

    page.context.set_offline(False)
    expect_on_the_sheet(page, table, 44)
    expect(page.locator("[data-outbox] .chip--wait")).to_have_count(0)


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_a_new_version_takes_over_and_loses_neither_what_waits_nor_the_pages_that_were_kept(
    page,  # noqa: F811
    table,  # noqa: F811
    director,
    monkeypatch,
):
    open_form(page, table)
    kept(page)
    tournament_actions.freeze_round(this_round=table.round, by=director)
    enter(page, table, 44, number=1)
    expect(page.locator("[data-outbox] .chip--wait")).to_have_count(1)

    # Its scripts have other names, of which a page that is kept knows nothing.
    renamed = tuple(name for name in offline.SHELL if not name.startswith("outbox"))
    monkeypatch.setattr(offline, "SHELL", renamed)
    monkeypatch.setattr(offline, "version_of_files", lambda: "another")
    page.evaluate(TAKE_OVER)
    page.context.new_cdp_session(page).send("Network.clearBrowserCache")
    page.context.set_offline(True)
    page.goto("about:blank")
    open_form(page, table)
    expect(page.locator("[data-outbox] .chip--wait")).to_have_count(1)

    tournament_actions.unfreeze_round(this_round=table.round, by=director)
    page.context.set_offline(False)
    expect_on_the_sheet(page, table, 44)


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_a_page_that_stands_for_another_asks_for_it_only_while_somebody_looks(page):  # noqa: F811
    asked = []
    page.on("request", lambda request: asked.append(request.method))
    page.add_init_script("Object.defineProperty(document, 'hidden', {get: () => name !== 'seen'})")
    page.add_init_script(FASTER.replace("TIMES", "20"))
    page.goto(reverse("offline"))
    page.wait_for_timeout(1000)
    assert "HEAD" not in asked

    with page.expect_request(lambda request: request.method == "HEAD"):
        page.evaluate("name = 'seen'")


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_a_kept_page_that_is_older_than_what_was_sent_asks_for_what_comes_next(page, table):  # noqa: F811
    open_form(page, table)
    kept(page)
    enter(page, table, 44, number=1)
    expect(page.get_by_role("button", name="Send deal 2")).to_be_visible()
    expect_on_the_sheet(page, table, 44)
    page.context.set_offline(True)

    page.reload()

    expect(page.get_by_role("button", name="Send deal 2")).to_be_visible()


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_a_kept_page_that_others_have_written_past_is_renewed_when_the_line_is_back(page, table):  # noqa: F811
    open_form(page, table)
    kept(page)
    page.context.set_offline(True)
    record_on(table, phone_at(table, 2))

    page.reload()
    expect(page.get_by_role("button", name="Send deal 1")).to_be_visible()
    page.context.set_offline(False)

    expect(page.get_by_role("button", name="Send deal 2")).to_be_visible()


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_a_page_kept_for_another_makes_room_when_the_line_is_back(page, table, network):  # noqa: F811
    open_form(page, table)
    kept(page)
    page.context.set_offline(True)
    enter(page, table, 44, number=1)
    expect(page.get_by_role("button", name="Send deal 2")).to_be_visible()
    hand_over(page, phone_at(table, 2), network)
    page.reload()
    expect(page.get_by_role("button", name="Send deal 2")).to_be_visible()

    page.context.set_offline(False)

    expect(page.locator("[data-outbox]")).to_contain_text("entered by Player")
    expect(page.get_by_role("button", name="Send deal 1")).to_be_visible()
    enter(page, table, 51, number=1)
    eventually(lambda: points_of(table), [51], page)


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_whoever_stands_for_nobody_has_no_kept_pages(page, table):  # noqa: F811
    open_form(page, table)
    kept(page)

    page.goto(reverse("own-place", args=[table.event.pk]))
    page.get_by_role("button", name=f"I am not {Phone.objects.get()}").tap()
    expect(page.get_by_role("button", name="I am not")).to_have_count(0)

    eventually(lambda: page.evaluate(KEPT_PAGES), [], page)


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_a_page_that_was_never_seen_says_that_there_is_no_connection_and_opens_by_itself(
    page,  # noqa: F811
    table,  # noqa: F811
):
    open_form(page, table)
    kept(page)
    page.context.set_offline(True)

    page.goto(reverse("help"))
    expect(page.get_by_role("heading", name="No connection")).to_be_visible()
    page.context.set_offline(False)

    expect(page.get_by_role("heading", name="No connection")).to_have_count(0)
    expect(page.locator("footer")).to_be_visible()


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_a_call_without_network_stays_on_the_page_with_what_was_typed(page, table):  # noqa: F811
    page.goto(reverse("own-place", args=[table.event.pk]))
    page.get_by_text("Call the referee").first.tap()
    page.get_by_label("What happened?").fill("a card fell")
    page.context.set_offline(True)
    page.get_by_role("button", name="Call the referee").tap()

    expect(page.get_by_text("There is no connection.")).to_be_visible()
    expect(page.get_by_label("What happened?")).to_have_value("a card fell")
    page.context.set_offline(False)
    page.get_by_role("button", name="Call the referee").tap()

    expect(page.locator("#call")).to_be_visible()


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_a_page_of_the_wifi_is_neither_kept_nor_taken_for_a_part_of_a_page(
    page,  # noqa: F811
    table,  # noqa: F811
    network,  # noqa: F811
    monkeypatch,
):
    open_form(page, table)
    kept(page)
    page.goto(reverse("sheet", args=[table.pk]))
    kept(page)
    monkeypatch.setattr("tests.bad_network.FAULTS", ("portal",))
    network.pages_fail, network.failing = True, 1.0
    wifi = network.faults.copy()

    page.evaluate(ASK_FOR_THE_SHEET)
    assert network.faults.total() > wifi.total()
    expect(page.locator("#sheet")).to_be_attached()
    page.goto(reverse("record-deal", args=[table.pk]))

    expect(page.get_by_role("button", name="Send deal 1")).to_be_visible()
    network.failing = 0.0
    page.reload()
    expect(page.get_by_role("button", name="Send deal 1")).to_be_visible()


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_signing_out_drops_the_pages_and_keeps_what_waits(browser, live_server, table, director):  # noqa: F811
    client = Client()
    client.force_login(director)
    context = browser.new_context(base_url=live_server.url)
    session = client.cookies["sessionid"].value
    context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
    page = context.new_page()  # noqa: F811
    page.goto(reverse("sheet", args=[table.pk]))
    kept(page)

    page.goto(reverse("account"))
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("button", name="Sign out")).to_have_count(0)

    eventually(lambda: page.evaluate(KEPT_PAGES), [], page)
    context.close()


def test_every_answer_says_that_it_is_of_this_site(client, db):
    for address in ("/", "/no/such/page/", reverse("offline")):
        assert client.get(address).headers["Tapis-Vert"] == "yes"


def test_the_worker_is_served_at_the_top_of_the_site_and_asked_for_each_time(client):
    script = client.get("/sw.js")

    assert script.headers["Content-Type"] == "text/javascript"
    assert script.headers["Cache-Control"] == "no-cache"
    assert "worker-src 'self'" in script.headers["Content-Security-Policy"]
    again = client.get("/sw.js", headers={"If-None-Match": script.headers["ETag"]})
    assert again.status_code == 304


def test_other_files_are_another_worker(monkeypatch):
    before = offline.worker_script()

    monkeypatch.setattr(offline, "version_of_files", lambda: "another")

    assert offline.worker_script() != before


def test_a_phone_can_put_the_site_on_its_first_screen(client):
    facts = client.get(reverse("manifest")).json()

    assert facts["display"] == "standalone"
    assert {each["sizes"] for each in facts["icons"]} >= {"192x192", "512x512"}


@pytest.mark.django_db
def test_a_page_says_for_whom_it_was_made_and_an_answer_about_which_row(table, scorer_client):  # noqa: F811
    address = reverse("record-deal", args=[table.pk])
    shown, other = scorer_client.get(address), scorer_client.get(reverse("sheet", args=[table.pk]))

    assert shown.headers["Visitor"] == other.headers["Visitor"]
    sent = answers(table)
    assert scorer_client.post(address, sent).headers["Entry-Key"] == str(sent["entry_key"])
    assert "Entry-Key" not in scorer_client.post(address, {**sent, "entry_key": "x\ny"}).headers
    assert "Visitor" not in Client().get(address).headers
