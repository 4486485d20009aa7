"""The deal form in a real browser at the width of a phone: taps, previews, a network that fails."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Page, expect, sync_playwright

from rules_engine import tarot
from scoring.rules.tarot import points_by_seat, ruleset_of
from tests.machine import chromium
from tests.scoring.conftest import garde, record_on
from tests.waiting import PATIENCE, WAITS_FOR_ANSWERS, eventually

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

#: Deals with the scores that the federation's formula gives: taker, partner, defenders.
DEALS = json.loads((Path(__file__).parent.parent / "data" / "deal-previews.json").read_text())
PHONE = {"width": 390, "height": 664}
CHELEM_ANSWERS = {
    (False, None): "",
    (True, "attack"): "announced_made",
    (False, "attack"): "made",
    (True, None): "announced_failed",
    (False, "defence"): "defence",
    (True, "defence"): "announced_defence",
}
# Answers every question as a finger would, then reads what the page shows under it.
ANSWER = """answers => {
  const form = document.querySelector("#deal-form");
  form.reset();
  for (const [name, value] of Object.entries(answers)) {
    const fields = [...form.querySelectorAll(`[name="${name}"]`)];
    const radio = fields.find(f => f.type === "radio" && f.value === String(value));
    if (radio) radio.checked = true; else fields[0].value = value;
  }
  form.querySelector("[name=points]").dispatchEvent(new Event("input", {bubbles: true}));
  const live = form.querySelector("[data-live]");
  return {
    verdict: live.querySelector("[data-verdict]").textContent,
    sum: !live.querySelector("[data-sum]").hidden,
    scores: [...live.querySelectorAll("dd")].map(dd => dd.textContent),
  };
}"""


@pytest.fixture(scope="module")
def browser():
    with pytest.MonkeyPatch.context() as patch, sync_playwright() as driver:
        # The browser's driver runs a loop of its own in this thread; our queries stay plain.
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
        browser = driver.chromium.launch(
            executable_path=chromium(), args=["--no-sandbox", "--disable-gpu", "--disable-quic"]
        )
        yield browser
        browser.close()


@pytest.fixture
def phone(browser, live_server, bernard):
    """Bernard's phone, signed in; whatever its console complains of fails the test."""
    client = Client()
    client.force_login(bernard)
    context = browser.new_context(base_url=live_server.url, viewport=PHONE, has_touch=True)
    context.set_default_timeout(PATIENCE * 1000)
    context.add_init_script(WAITS_FOR_ANSWERS)
    session = client.cookies["sessionid"].value
    context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
    page = context.new_page()
    complaints: list[str] = []
    page.on("console", lambda line: complaints.append(line.text) if line.type == "error" else None)
    page.on("pageerror", lambda fault: complaints.append(str(fault)))
    yield page
    context.close()
    meant = re.compile(
        r"status of (4(01|03|09|22)|503)|ERR_INTERNET_DISCONNECTED"
        r"|Response Status Error Code (401|403|503)|htmx:(sendError|afterRequest)"
        r"|error occurred when fetching the script"
    )
    assert [line for line in complaints if not meant.search(line)] == []


def open_form(phone: Page, table) -> None:
    """Open the form, and wait for what moves or sends it: the letters and the outbox."""
    phone.goto(reverse("record-deal", args=[table.pk]))
    expect(phone.locator("[data-ready]")).to_be_attached()
    phone.evaluate("document.fonts.ready.then(() => true)")


def as_answers(deal: tarot.Deal, seats, *, taker, partner=None, **more) -> dict[str, object]:
    answers = {
        "taker": taker.pk,
        "contract": str(deal.contract),
        "bouts": deal.bouts,
        "points": str(deal.half_points / 2),
        "side": "attack",
        "petit_au_bout": str(deal.petit_au_bout or ""),
        "chelem": CHELEM_ANSWERS[deal.chelem.announced, deal.chelem.achieved],
        **more,
    }
    if deal.called:
        answers["partner"] = partner.pk if partner else "alone"
    for name, poignee in zip(("poignee", "poignee_2"), deal.poignees, strict=False):
        answers |= {name: str(poignee.size), f"{name}_side": str(poignee.side)}
    return answers


def shown(points: int | None) -> str:
    """A score as the page writes it."""
    if points is None:
        return "–"
    return f"{'+' if points > 0 else '−' if points < 0 else ''}{abs(points)}"


@pytest.mark.parametrize("players", [3, 4, 5])
def test_the_phone_shows_before_sending_what_the_engine_will_write(phone, make_table, players):
    table = make_table(players)
    seats = list(table.seats.order_by("place"))
    open_form(phone, table)
    known = [each for each in DEALS if each["players"] == players]
    assert len(known) > 15

    for turn, each in enumerate(known):
        deal = tarot.Deal.from_json({k: v for k, v in each.items() if k != "scores"})
        taker, partner = seats[turn % players], seats[(turn + 1) % players]
        if each["called"] != "partner":
            partner = None
        expected = points_by_seat(deal, seats, taker=taker, partner=partner)

        preview = phone.evaluate(ANSWER, as_answers(deal, seats, taker=taker, partner=partner))

        assert sorted(expected.values()) == sorted(each["scores"])
        assert preview["scores"] == [shown(expected[seat.pk]) for seat in seats], each
        assert preview["sum"]


def test_house_rules_are_in_the_preview_too(phone, round_, make_table):
    event = round_.event
    event.ruleset = tarot.ruleset("seed-004-regional").to_json() | {"petit_chelem": True}
    event.save()
    table = make_table(4)
    seats = list(table.seats.order_by("place"))
    deal = tarot.Deal(
        ruleset=ruleset_of(table),
        contract=tarot.Contract.POUSSE,
        bouts=1,
        half_points=90,
        petit_chelem=tarot.Chelem(announced=True),
        miseres=(tarot.Misere(kind=tarot.MisereKind.TRUMPS, declarer=1),),
    )
    open_form(phone, table)

    preview = phone.evaluate(
        ANSWER,
        as_answers(
            deal,
            seats,
            taker=seats[2],
            petit_chelem="announced_failed",
            misere_trumps=seats[0].pk,
        ),
    )

    expected = points_by_seat(deal, seats, taker=seats[2])
    assert preview["scores"] == [shown(expected[seat.pk]) for seat in seats]


def test_who_sits_out_has_a_dash_and_is_not_asked_about(phone, make_table):
    table = make_table(5, players_per_deal=4)
    seats = list(table.seats.order_by("place"))
    deal = tarot.Deal(
        ruleset=ruleset_of(table), contract=tarot.Contract.GARDE, bouts=2, half_points=98
    )
    open_form(phone, table)
    expect(phone.locator(f"[name=taker][value='{seats[0].pk}']")).to_be_hidden()

    preview = phone.evaluate(ANSWER, as_answers(deal, seats, taker=seats[1]))

    assert preview["scores"] == ["–", "+198", "−66", "−66", "−66"]


@pytest.mark.parametrize(
    ("answers", "question"),
    [
        ({"points": ""}, "Who took?"),
        ({"taker": 0, "points": ""}, "Which contract?"),
        ({"taker": 0, "contract": "garde", "points": ""}, "How many bouts?"),
        ({"taker": 0, "contract": "garde", "bouts": "2", "points": ""}, "How many points?"),
        (
            {"taker": 0, "contract": "garde", "bouts": "2", "points": "96"},
            "Points go from 9 to 87.",
        ),
        (
            {"taker": 0, "contract": "garde", "bouts": "2", "points": "46,5"},
            "At this table points are whole.",
        ),
    ],
)
def test_the_phone_asks_for_what_is_missing(phone, table, answers, question):
    open_form(phone, table)
    if "taker" in answers:
        answers = {**answers, "taker": table.seats.get(place=1).pk}

    preview = phone.evaluate(ANSWER, answers)

    assert preview["verdict"] == question
    assert set(preview["scores"]) == {"–"}


def tap_plain_deal(phone: Page, table, *, send: bool = True) -> int:
    """Enter a garde of 52 points with the fingers; gives the number of taps."""
    bernard = table.seats.get(place=1).pk
    taps = [
        f"[name=taker][value='{bernard}']",
        "[name=contract][value=garde]",
        "[name=bouts][value='2']",
        "[data-keypad] [value='5']",
        "[data-keypad] [value='2']",
        *(["text=Send deal 1"] if send else []),
    ]
    for target in taps:
        tap(phone, target)
        assert phone.evaluate("scrollY") == 0
    return len(taps)


def tap(phone: Page, target: str) -> None:
    """Tap where the target lies on the screen, as a finger does: nothing is scrolled to it."""
    box = phone.locator(target).bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    assert 0 < x < PHONE["width"]
    assert 0 < y < PHONE["height"]
    phone.touchscreen.tap(x, y)


def the_deal_on(table, phone):
    """Give the one deal of the sheet; the form may go on before it has arrived there."""
    eventually(table.tarot_deals.count, 1, phone)
    return table.tarot_deals.get()


def test_a_plain_deal_is_six_taps_without_scrolling(phone, table):
    open_form(phone, table)

    taps = tap_plain_deal(phone, table)

    expect(phone.get_by_text("Send deal 2")).to_be_visible()
    assert taps == 6
    assert the_deal_on(table, phone).half_points == 104
    expect(phone.locator("[data-last]")).to_contain_text("Garde made by 11")
    expect(phone.locator("#progress")).to_contain_text("Deal 2 of 5")


def test_undo_is_one_tap(phone, table):
    open_form(phone, table)
    tap_plain_deal(phone, table)

    phone.get_by_role("button", name="Undo").click()

    expect(phone.get_by_text("Deal 1 is taken back.")).to_be_visible()
    expect(phone.get_by_text("Send deal 1")).to_be_visible()
    eventually(table.tarot_deals.standing().count, 0, phone)


def test_an_error_gets_the_focus(phone, table):
    open_form(phone, table)
    tap_plain_deal(phone, table, send=False)
    phone.locator("[name=points]").fill("96")

    phone.get_by_text("Send deal 1").click()

    expect(phone.get_by_text("You typed 96.")).to_be_in_viewport()
    expect(phone.locator("[name=points]")).to_be_focused()
    expect(phone.locator("[name=points]")).to_have_value("96")


def test_a_deal_typed_without_network_waits_on_the_phone_and_is_sent_once(phone, table):
    open_form(phone, table)
    tap_plain_deal(phone, table, send=False)
    phone.context.set_offline(True)

    phone.get_by_text("Send deal 1").click()

    expect(phone.locator("[data-outbox] li")).to_contain_text("on this phone")
    expect(phone.get_by_text("Send deal 2")).to_be_visible()
    assert not table.tarot_deals.exists()

    phone.context.set_offline(False)

    expect(phone.locator("[data-outbox] .chip--wait")).to_have_count(0)
    assert the_deal_on(table, phone).half_points == 104


#: What a phone notices when it is taken out of the pocket, or finds the network again.
LOOKED_AT_AGAIN = "dispatchEvent(new Event('online'))"


def sign_in_elsewhere(phone: Page, account) -> None:
    """What another tab does to this one: a new session, and with it a new token."""
    client = Client()
    client.force_login(account)
    url = phone.evaluate("location.origin")
    fresh = {"sessionid": client.cookies["sessionid"].value, "csrftoken": "a" * 32}
    phone.context.add_cookies([{"name": n, "value": v, "url": url} for n, v in fresh.items()])


def test_a_deal_sent_by_who_was_signed_out_stays_and_goes_after_signing_in(phone, table, bernard):
    open_form(phone, table)
    tap_plain_deal(phone, table, send=False)
    phone.context.clear_cookies(name="sessionid")

    phone.get_by_text("Send deal 1").click()

    expect(phone.get_by_role("alert")).to_contain_text("You are signed out")
    expect(phone.locator("[data-outbox] li")).to_contain_text("sign in or scan the card to send it")
    way_in = phone.get_by_role("link", name="Sign in").get_attribute("href")
    assert way_in.endswith(f"/sign-in/?next=%2Ftables%2F{table.pk}%2Fdeals%2F")

    sign_in_elsewhere(phone, bernard)
    phone.evaluate(LOOKED_AT_AGAIN)

    expect(phone.locator("[data-outbox] .chip--bad")).to_have_count(0)
    expect(phone.locator("#notice")).to_be_hidden()
    assert the_deal_on(table, phone).half_points == 104


def test_a_page_whose_token_is_gone_fetches_a_new_one_and_sends(phone, table):
    open_form(phone, table)
    tap_plain_deal(phone, table, send=False)
    phone.context.clear_cookies(name="csrftoken")

    phone.get_by_text("Send deal 1").click()

    expect(phone.get_by_text("Send deal 2")).to_be_visible()
    expect(phone.locator("#notice")).to_be_hidden()
    assert the_deal_on(table, phone).half_points == 104


def test_undo_without_network_says_that_it_has_not_arrived(phone, table):
    open_form(phone, table)
    tap_plain_deal(phone, table)
    # Only what has arrived can be undone.
    expect(phone.get_by_role("button", name="Undo")).to_be_visible()
    phone.context.set_offline(True)

    phone.get_by_role("button", name="Undo").click()

    expect(phone.get_by_role("alert")).to_contain_text("There is no connection.")

    phone.context.set_offline(False)
    phone.get_by_role("button", name="Undo").click()

    expect(phone.get_by_text("Send deal 1")).to_be_visible()
    expect(phone.locator("#notice")).to_be_hidden()


def test_a_deal_outlasts_a_fault_of_the_server(phone, table):
    open_form(phone, table)
    tap_plain_deal(phone, table, send=False)
    phone.route("**/deals/", lambda route: route.fulfill(status=503))

    phone.get_by_text("Send deal 1").click()
    expect(phone.locator("[data-outbox] li")).to_contain_text("on this phone")

    phone.unroute("**/deals/")
    phone.evaluate(LOOKED_AT_AGAIN)
    expect(phone.locator("[data-outbox] .chip--wait")).to_have_count(0)
    assert the_deal_on(table, phone).half_points == 104


# The words that a line end cuts in two, of the elements that carry names.
CUT = """selector => [...document.querySelectorAll(selector)].flatMap(element => {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT), cut = [];
  for (let text; text = walker.nextNode();) for (const word of text.data.matchAll(/[^\\s-]+/g)) {
    const range = document.createRange();
    range.setStart(text, word.index);
    range.setEnd(text, word.index + word[0].length);
    const lines = new Set([...range.getClientRects()].map(box => Math.round(box.top)));
    if (lines.size > 1) cut.push(word[0]);
  }
  return cut;
})"""


@pytest.mark.parametrize(("seats", "players_per_deal"), [(4, 4), (5, 5), (5, 4)])
def test_no_first_name_is_cut_in_two_on_a_phone(
    phone, make_table, bernard, seats, players_per_deal
):
    table = make_table(seats, players_per_deal=players_per_deal)
    names = ("Bernard", "Jean-Christophe", "Gaëlle", "Marie-Thérèse", "Guillaume")
    for seat, name in zip(table.seats.order_by("place"), names, strict=False):
        type(seat.player).objects.filter(pk=seat.player_id).update(name=f"{name} Le Goff")
    called = {"called": tarot.Called.SELF} if players_per_deal == 5 else {}
    out = table.seats.get(place=5) if seats > players_per_deal else None
    record_on(table, bernard, deal=garde(table, **called), sits_out=out)

    open_form(phone, table)
    assert phone.evaluate(CUT, ".names .choice > span, .preview dt") == []
    assert "Jean-Christophe" in phone.locator(".names").first.inner_text()

    phone.goto(reverse("sheet", args=[table.pk]))
    assert phone.evaluate(CUT, ".data thead th, .preview dt") == []
    assert phone.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_the_keyboard_alone_is_enough(phone, table):
    open_form(phone, table)
    phone.locator("[name=taker]").first.focus()

    for key in ("Space", "Tab", "ArrowRight", "Tab", "ArrowRight", "Tab"):
        phone.keyboard.press(key)
    phone.keyboard.type("56")
    phone.keyboard.press("Enter")

    expect(phone.get_by_text("Send deal 2")).to_be_visible()
    deal = the_deal_on(table, phone)
    assert (deal.taker.place, deal.contract, deal.bouts, deal.half_points) == (1, "garde", 1, 112)


def test_an_open_sheet_follows_the_table_without_being_asked(phone, table, record):
    record(points=49)
    phone.clock.install()
    phone.goto(table.get_absolute_url())
    phone.get_by_text("How is this counted?").click()
    counted = phone.locator("details", has_text="How is this counted?").first

    with phone.expect_response(lambda answer: answer.request.headers.get("hx-request")) as asked:
        phone.clock.run_for(16_000)
    # Nothing changed: what was opened stays open.
    assert asked.value.status == 304
    expect(counted).to_have_attribute("open", "")

    record(points=52)
    phone.clock.run_for(16_000)
    expect(phone.get_by_text("52 points")).to_be_visible()


def test_nothing_is_wider_than_the_screen(phone, make_table, bernard):
    table = make_table(3)
    for seat in table.seats.select_related("player"):
        seat.player.name = f"{'Wolfeschlegelsteinhausen' * 2} {seat.place}"
        seat.player.save()
    deal = record_on(table, bernard)

    for page in ("record-deal", "sheet", "print-sheet", "correct-deal", "void-deal"):
        about = [table.pk, deal.pk] if page in {"correct-deal", "void-deal"} else [table.pk]
        phone.goto(reverse(page, args=about))
        for width in (320, 390, 820):
            phone.set_viewport_size({"width": width, "height": 700})
            seen = phone.evaluate("document.documentElement.scrollWidth")
            assert seen <= width, (page, width)
