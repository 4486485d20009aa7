"""A best of three at a truco table, played on a phone: undo, mão de onze and ferro on the way."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Page, expect

from clubs.models import Role
from tests.conftest import account_with
from tests.factories import SeasonFactory
from tests.scoring.truco import game, hand, record, told, truco_table
from tests.waiting import PATIENCE, WAITS_FOR_ANSWERS, eventually
from tournaments.models import Table

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PHONE = {"width": 390, "height": 664}


@pytest.fixture
def players(club):
    return [account_with(club, Role.MEMBER, name) for name in ("Ana", "Paulo", "Bia", "Tião")]


@pytest.fixture
def table(club, players) -> Table:
    return truco_table(
        SeasonFactory(club=club), players=[account.players.get() for account in players]
    )


@pytest.fixture
def phone(browser, live_server, players):
    """Ana's phone, signed in; whatever its console complains of fails the test."""
    client = Client()
    client.force_login(players[0])
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
        r"status of (409|422)|ERR_INTERNET_DISCONNECTED|htmx:(sendError|afterRequest)"
        r"|error occurred when fetching the script"
    )
    # A picture is taken with a style of the driver's own, which the page forbids.
    pictured = "Applying inline style" if os.environ.get("PICTURES") else "never"
    unmeant = [line for line in complaints if not meant.search(line) and pictured not in line]
    assert unmeant == []


def open_form(phone: Page, table: Table) -> None:
    """Open the form, and wait for the outbox that sends it."""
    phone.goto(reverse("record-deal", args=[table.pk]))
    expect(phone.locator("[data-ready]")).to_be_attached()


class Thumb:
    """Plays the table's hands and counts the taps."""

    def __init__(self, phone: Page) -> None:
        self.phone = phone
        self.taps = 0

    def tap(self, *chosen: str) -> None:
        """Tap things in turn: a value, a button by its beginning."""
        for each in chosen:
            target = self.phone.locator(each).first
            target.tap()
            self.taps += 1

    def us(self, worth: int | None = None) -> None:
        self.hand("a", worth)

    def them(self, worth: int | None = None) -> None:
        self.hand("b", worth)

    def hand(self, winner: str, worth: int | None) -> None:
        before = self.phone.locator("#id_number").input_value()
        values = [f'label.choice:has([name=value][value="{worth}"])'] if worth else []
        self.tap(*values, f'[name=winner][value="{winner}"]')
        self.wait_for_the_next(before)

    def wait_for_the_next(self, before: str) -> None:
        expect(self.phone.locator("#id_number")).not_to_have_value(before)

    def expect_score(self, us: str, them: str) -> None:
        expect(self.phone.locator("#tally b")).to_have_text([us, them])


def keep_picture(phone: Page, name: str) -> None:
    """Keep what the phone shows, where a folder for pictures is named."""
    folder = os.environ.get("PICTURES")
    if folder:
        phone.screenshot(path=Path(folder) / f"{name}.png", full_page=True)


def test_a_best_of_three_on_a_phone(phone, table):
    open_form(phone, table)
    thumb = Thumb(phone)
    keep_picture(phone, "truco-blank")

    begin_with_plain_hands_and_an_undo(phone, thumb)
    win_the_first_game_at_eleven(phone, thumb)
    lose_the_second_game_in_ferro(phone, thumb)
    tell_the_third_game_by_its_score(phone)

    table.refresh_from_db()
    assert table.decided_at is not None
    assert table.seats.get(place=1).games_won == 2
    phone.goto(table.get_absolute_url())
    keep_picture(phone, "truco-sheet")
    expect(phone.get_by_text("Ana & Bia won")).to_be_visible()


def begin_with_plain_hands_and_an_undo(phone: Page, thumb: Thumb) -> None:
    # The first hand is worth one: one tap.
    thumb.us()
    assert thumb.taps == 1
    thumb.expect_score("1", "0")

    # A value and who won: two taps, and the buttons say what they give.
    phone.locator('label.choice:has([name=value][value="6"])').tap()
    expect(phone.locator("[data-won=b] [data-gain]")).to_have_text("+6")
    expect(phone.locator("[data-won=b] [data-after]")).to_have_text("0 → 6")
    expect(phone.locator("[data-ran=b] [data-gain]")).to_have_text("+3")
    phone.locator("[data-won=b]").tap()
    expect(phone.locator("#tally b").nth(1)).to_have_text("6")

    # That was a mistake: one tap takes it back.
    phone.get_by_role("button", name="Undo").tap()
    expect(phone.locator("#tally b").nth(1)).to_have_text("0")

    # They ran from a seis: three.
    phone.locator('label.choice:has([name=value][value="6"])').tap()
    phone.locator("[data-ran=b]").tap()
    expect(phone.locator("#tally b").first).to_have_text("4")


def win_the_first_game_at_eleven(phone: Page, thumb: Thumb) -> None:
    # To eleven: the special hand asks to play or to run, and offers no truco.
    thumb.us(6)
    thumb.us()
    thumb.expect_score("11", "0")
    expect(phone.get_by_text("Mão de onze.")).to_be_visible()
    expect(phone.locator("[name=value]")).to_have_count(0)
    keep_picture(phone, "truco-onze")
    phone.locator("label.choice:has([value=run])").tap()
    expect(phone.locator("[data-won=a]")).to_be_hidden()
    phone.get_by_role("button", name="Run: +1").tap()
    expect(phone.locator("#tally b").nth(1)).to_have_text("1")
    before = phone.locator("#id_number").input_value()
    thumb.tap("[data-won=a]")
    thumb.wait_for_the_next(before)
    expect(phone.locator("#progress")).to_contain_text("games 1–0")
    expect(phone.locator("#progress")).to_contain_text("Game 2 of 3")


def lose_the_second_game_in_ferro(phone: Page, thumb: Thumb) -> None:
    # The second game goes to ferro: eleven all, nothing to call, one point decides.
    for step in (("a", 9), ("b", 9), ("a", 1), ("b", 1), ("a", 1)):
        thumb.hand(*step)
    phone.locator("label.choice:has([value=run])").tap()
    before = phone.locator("#id_number").input_value()
    phone.get_by_role("button", name="Run: +1").tap()
    thumb.wait_for_the_next(before)
    thumb.expect_score("11", "11")
    expect(phone.get_by_text("Mão de ferro.")).to_be_visible()
    keep_picture(phone, "truco-ferro")
    before = phone.locator("#id_number").input_value()
    thumb.tap("[data-won=b]")
    thumb.wait_for_the_next(before)
    expect(phone.locator("#progress")).to_contain_text("games 1–1")


def tell_the_third_game_by_its_score(phone: Page) -> None:
    # The third game by its final score alone.
    phone.get_by_text("Only the final score of the game").tap()
    phone.get_by_label("Ana & Bia").fill("12")
    phone.get_by_label("Paulo & Tião").fill("13")
    phone.get_by_role("button", name="Enter the final score").tap()
    expect(phone.get_by_text("No match to 12 ends 12 to 13").first).to_be_visible()
    expect(phone.get_by_label("Paulo & Tião")).to_have_value("13")
    phone.get_by_label("Paulo & Tião").fill("8")
    phone.get_by_role("button", name="Enter the final score").tap()
    expect(phone.get_by_text("The meeting is decided.")).to_be_visible()
    keep_picture(phone, "truco-decided")


def test_no_hand_needs_more_than_six_taps(phone, table, players):
    record(table, players[0], hand("a", 9), hand("a", 1), hand("a", 1))
    open_form(phone, table)
    thumb = Thumb(phone)

    thumb.tap("label.choice:has([value=run])", "[name=declined]")

    expect(phone.locator("#tally b").nth(1)).to_have_text("1")
    assert thumb.taps <= 6


def test_a_hand_pressed_without_a_network_is_sent_when_it_is_back(phone, table):
    open_form(phone, table)
    phone.context.set_offline(True)
    phone.locator("[data-won=b]").tap()
    expect(phone.locator("[data-outbox] li")).to_contain_text("on this phone")
    assert told(table) == []

    phone.context.set_offline(False)

    eventually(lambda: told(table), [(1, "hand", "b", 1)], phone)


def test_the_enter_key_in_the_form_gives_nobody_a_hand(phone, table):
    open_form(phone, table)

    phone.locator("[name=value]").first.focus()
    phone.keyboard.press("Enter")

    expect(phone.get_by_role("alert").get_by_text("Who won the hand?")).to_be_visible()
    assert told(table) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_wider_than_the_screen(phone, table, players, scheme):
    phone.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    for seat in table.seats.select_related("player"):
        seat.player.name = f"{'Wolfeschlegelsteinhausen' * 2} {seat.place}"
        seat.player.save()
    row = record(table, players[0], hand("a", 3), game(12, 5), hand("b", 9))

    for page in ("record-deal", "sheet", "print-sheet", "correct-deal", "void-deal"):
        about = [table.pk, row.pk] if page in {"correct-deal", "void-deal"} else [table.pk]
        phone.goto(reverse(page, args=about))
        for width in (320, 390, 820, 1440):
            phone.set_viewport_size({"width": width, "height": 700})
            keep_picture(phone, f"truco-{page}-{scheme}-{width}")
            seen = phone.evaluate("document.documentElement.scrollWidth")
            assert seen <= width, (page, width)
