"""A form pressed while the wifi is dead keeps what was typed, and is done once in the end."""

from __future__ import annotations

import re
from collections.abc import Iterable
from threading import Event

import pytest
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.bad_network import BadNetwork, bad_network
from tests.factories import EventFactory, RoundFactory, TableFactory
from tests.forms_of_pages import pages_with_forms, seated_phone
from tests.test_outbox_in_browser import carrying, enter, open_form, phone_at
from tests.test_permissions import world  # noqa: F401 - a fixture
from tests.test_phones import client_with
from tests.waiting import PATIENCE, eventually
from tournaments.models import Event as Evening
from tournaments.models import RefereeCall, Round, Stage

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

#: Press each form of a page that is sent as a whole, one after the other, with something typed into
#: what is empty; tell what the page shows of it.
PRESS_ALL = """async () => {
  const ways = "[hx-post], [data-keeps], [data-settles], [data-leaves], [data-preferences]";
  const typed = "input:not([type]), input[type=text], textarea";
  const notice = document.getElementById("notice"), told = [];
  const isWord = ([name, value]) => name !== "csrfmiddlewaretoken" && !(value instanceof File);
  const written = form => JSON.stringify([...new FormData(form)].filter(isWord));
  for (const form of document.querySelectorAll("form[method=post]")) {
    if (form.matches(ways)) continue;
    form.noValidate = true;
    form.querySelectorAll(typed).forEach(field => { field.value ||= "typed"; });
    const button = form.querySelector("button:not([type=button])"), before = written(form);
    notice.hidden = true;
    const failed = new Promise(resolve => {
      document.addEventListener("sending:failed", resolve, {once: true});
    });
    form.requestSubmit(button || undefined);
    await failed;
    const said = [...notice.querySelectorAll("[data-when]")].filter(each => !each.hidden);
    told.push({
      action: form.getAttribute("action"),
      said: said.map(each => each.dataset.when).join(),
      isShown: !notice.hidden && notice.matches("[role=alert]"),
      isFocused: document.activeElement === notice,
      isKept: written(form) === before,
      isReady: !button || !button.disabled && !button.hasAttribute("aria-busy"),
    });
  }
  return told;
}"""
AS_IT_SHOULD = {
    "said": "unheard",
    "isShown": True,
    "isFocused": True,
    "isKept": True,
    "isReady": True,
}
#: All faults of a line by which the answer to a press does not come back.
LOST = ("cut", "unheard", "500", "portal")


@pytest.fixture
def line(live_server) -> BadNetwork:
    with bad_network(live_server.url) as (address, between):
        between.address = address
        yield between


@pytest.fixture
def fails(line, monkeypatch):
    """Let what is sent fail from now on, or no longer."""

    def fail(fault: str = "") -> None:
        monkeypatch.setattr("tests.bad_network.FAULTS", (fault,))
        line.failing = 1.0 if fault else 0.0

    return fail


def signed_in(browser: Browser, address: str, client: Client) -> BrowserContext:
    context = browser.new_context(base_url=address)
    context.set_default_timeout(PATIENCE * 1000)
    session = client.cookies["sessionid"].value
    context.add_cookies([{"name": "sessionid", "value": session, "url": address}])
    return context


@pytest.fixture
def desk(browser, line, director_client) -> Page:
    """The page of a director behind a line that fails."""
    context = signed_in(browser, line.address, director_client)
    yield context.new_page()
    context.close()


@pytest.fixture
def tournament(season) -> Evening:
    return EventFactory(season=season, kind="tournament")


def open_stages(desk: Page, tournament: Evening) -> None:
    desk.goto(reverse("stages", args=[tournament.pk]))


def fill_stage(desk: Page, name: str) -> None:
    opened = "field => { (field.closest('details') ?? {}).open = true; }"
    desk.locator("[name=new-name]").evaluate(opened)
    desk.locator("[name=new-name]").fill(name)
    desk.locator("[name=new-rounds_planned]").fill("2")
    desk.locator("[name=new-deals_per_round]").fill("4")


def press_stage(desk: Page) -> None:
    desk.locator("form[action$='stages/new/'] button").last.click()


def notice(desk: Page, what: str):
    return desk.locator(f"#notice [data-when={what}]")


def names(tournament: Evening) -> list[str]:
    return list(
        Stage.objects.filter(event=tournament).order_by("number").values_list("name", flat=True)
    )


def press_everywhere(page: Page, addresses: Iterable[str], fails) -> set[str]:
    """Press each form of each page while nothing arrives; give where they would have gone."""
    pressed = set()
    for address in addresses:
        fails()
        page.goto(address)
        fails("cut")
        told = page.evaluate(PRESS_ALL)
        wrong = {each["action"]: dict(each.items() - AS_IT_SHOULD.items()) for each in told}
        assert [said for said in wrong.values() if len(said) > 1] == [], address
        pressed |= {each["action"] for each in told}
    return pressed


def test_every_form_of_a_director_stays_as_it_is_while_nothing_arrives(
    browser,
    line,
    fails,
    owner_client,
    world,  # noqa: F811
):
    page = signed_in(browser, line.address, owner_client).new_page()

    pressed = press_everywhere(page, pages_with_forms(owner_client, world), fails)

    assert len(pressed) > 40


def test_every_form_of_a_phone_stays_as_it_is_while_nothing_arrives(
    browser,
    line,
    fails,
    world,  # noqa: F811
):
    phone = seated_phone(world)
    page = carrying(browser, line.address, phone).new_page()
    pages = pages_with_forms(client_with(phone), world)

    pressed = press_everywhere(page, pages, fails)

    assert reverse("call-referee", args=[world.table.pk]) in pressed


def test_what_is_pressed_again_after_a_lost_answer_is_done_once(desk, tournament, fails):
    for number, fault in enumerate(LOST, start=1):
        fails()
        open_stages(desk, tournament)
        fill_stage(desk, f"with {fault}")
        fails(fault)
        press_stage(desk)

        expect(notice(desk, "unheard")).to_be_visible()
        expect(desk.locator("#notice")).to_be_focused()
        expect(desk.locator("[name=new-name]")).to_have_value(f"with {fault}")
        fails()
        press_stage(desk)

        expect(desk.get_by_text("The stage is added.")).to_be_visible()
        assert names(tournament) == [f"with {each}" for each in LOST[:number]]
        expect(desk).to_have_url(re.compile(reverse("stages", args=[tournament.pk])))


def test_a_button_pressed_twice_sends_once_and_says_that_it_is_under_way(
    desk, line, tournament, fails
):
    open_stages(desk, tournament)
    fill_stage(desk, "Finale")
    sent = []
    desk.on("request", lambda request: sent.append(request.url) if request.method == "POST" else 0)
    fails("slow")
    late = Event()
    line.delay = lambda: 0.0 * late.wait(PATIENCE)
    desk.locator("form[action$='stages/new/'] button").last.dblclick()

    expect(desk.locator("form[action$='stages/new/'] button[aria-busy=true]")).to_be_disabled()
    late.set()
    expect(desk.get_by_text("The stage is added.")).to_be_visible()
    assert (len(sent), names(tournament)) == (1, ["Finale"])


def test_whoever_goes_back_after_sending_finds_the_form_ready(desk, club):
    desk.goto(reverse("players", args=[club.slug]))
    desk.goto(reverse("add-player", args=[club.slug]))
    desk.get_by_label("Name", exact=True).fill("Anna")
    desk.get_by_role("button", name="Add the player").click()
    expect(desk.get_by_text("Anna is on the list.")).to_be_visible()

    desk.go_back()

    button = desk.get_by_role("button", name="Add the player")
    expect(button).to_be_enabled()
    expect(button).not_to_have_attribute("aria-busy", "true")


def test_what_a_form_lacks_is_said_on_its_page_which_stays_where_it_was(desk, tournament):
    open_stages(desk, tournament)
    fill_stage(desk, "Finale")
    desk.locator("[name=new-rounds_planned]").fill("none")
    press_stage(desk)

    field = desk.locator("[name=new-rounds_planned][aria-invalid=true]")
    expect(field).to_be_focused()
    expect(field).to_have_value("none")
    expect(desk.locator("[name=new-name]")).to_have_value("Finale")
    expect(desk).to_have_url(re.compile(reverse("stages", args=[tournament.pk])))
    field.fill("2")
    press_stage(desk)

    expect(desk.get_by_text("The stage is added.")).to_be_visible()


def test_what_was_given_up_and_sent_again_is_done_once_though_it_arrives_late(
    desk, line, tournament, fails
):
    desk.add_init_script("""(() => {
      const wait = setTimeout;
      window.setTimeout = (work, time, ...more) => {
        if (time !== 30000) return wait(work, time, ...more);
        window.giveUp = work;
        return 0;
      };
    })()""")
    under_way, late, arrived, ask = Event(), Event(), [], line.ask
    line.delay = lambda: under_way.set() or 0.0 * late.wait(PATIENCE)
    line.ask = lambda *what: (ask(*what), arrived.append(what[1]))[0]
    open_stages(desk, tournament)
    fill_stage(desk, "Finale")
    fails("slow")
    press_stage(desk)
    eventually(under_way.is_set, True, desk)
    desk.evaluate("giveUp()")
    expect(notice(desk, "unheard")).to_be_visible()
    expect(desk.locator("[name=new-name]")).to_have_value("Finale")
    fails()
    press_stage(desk)
    expect(desk.get_by_text("The stage is added.")).to_be_visible()

    late.set()

    eventually(lambda: arrived.count(reverse("add-stage", args=[tournament.pk])), 2, desk)
    assert names(tournament) == ["Finale"]


def test_the_notice_is_closed_by_keyboard_and_leads_back_to_what_was_pressed(
    desk, tournament, fails
):
    open_stages(desk, tournament)
    fill_stage(desk, "Finale")
    fails("cut")
    button = desk.locator("form[action$='stages/new/'] button").last
    button.focus()
    desk.keyboard.press("Enter")
    expect(desk.locator("#notice")).to_be_focused()

    desk.keyboard.press("Shift+Tab")
    desk.get_by_role("button", name="Close this notice").focus()
    desk.keyboard.press("Enter")

    expect(button).to_be_focused()
    expect(desk.locator("#notice")).to_be_hidden()


def test_a_file_stays_chosen_and_is_sent_again(desk, tournament, fails):
    desk.goto(reverse("imports", args=[tournament.club.slug]))
    desk.get_by_label("Day of the evening").fill("2026-10-01")
    desk.locator("input[type=file]").set_input_files({
        "name": "list.csv", "mimeType": "text/csv", "buffer": b"Player;Total\nAnna;12\nBob;-12\n",
    })  # fmt: skip
    fails("cut")
    desk.locator("#send-list button:not([type=button])").last.click()

    expect(notice(desk, "unheard")).to_be_visible()
    fails()
    desk.locator("#send-list button:not([type=button])").last.click()

    expect(desk).to_have_url(re.compile(r"/imports/\d+/"))


def test_a_call_of_which_no_answer_came_is_one_call(browser, line, fails, world):  # noqa: F811
    page = carrying(browser, line.address, seated_phone(world)).new_page()
    page.goto(reverse("own-place", args=[world.event.pk]))
    page.get_by_text("Call the referee").first.tap()
    page.get_by_label("What happened?").fill("a card fell")
    fails("unheard")
    page.get_by_role("button", name="Call the referee").tap()
    expect(notice(page, "unheard")).to_be_visible()
    expect(page.get_by_label("What happened?")).to_have_value("a card fell")
    eventually(RefereeCall.objects.count, 1, page)
    fails()

    page.get_by_role("button", name="Call the referee").tap()

    expect(page.locator("#call")).to_be_visible()
    assert RefereeCall.objects.count() == 1


def test_a_row_kept_from_a_round_that_is_closed_names_its_round_and_table_at_the_next_one(
    browser, line, season
):
    event = EventFactory(season=season, running=True)
    first = TableFactory(round=RoundFactory(event=event))
    page = carrying(browser, line.address, phone_at(first)).new_page()
    open_form(page, first)
    page.context.set_offline(True)
    enter(page, first, 44, number=1)
    expect(page.locator("[data-outbox] .chip--wait")).to_have_count(1)
    Round.objects.filter(pk=first.round_id).update(state=Round.State.CLOSED)
    players = [seat.player for seat in first.seats.order_by("place")]
    second = TableFactory(round=RoundFactory(event=event, number=2), players=players)
    page.context.set_offline(False)

    open_form(page, second)

    expect(page.locator("[data-outbox] li")).to_contain_text("Round 1, table 1, Deal 1")
    expect(page.locator("[data-outbox] li")).to_contain_text("needs you")
