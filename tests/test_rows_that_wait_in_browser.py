"""Rows that wait on a phone: none is held back for good, and each says why it waits."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from scoring.models import TarotDeal
from tests.factories import RoundFactory, TableFactory
from tests.scoring.conftest import record_on
from tests.scoring.truco import game, record, told, truco_table
from tests.scoring.truco import hand as won
from tests.test_outbox_in_browser import (  # noqa: F401 - fixtures
    KEPT,
    carrying,
    enter,
    expect_on_the_sheet,
    network,
    open_form,
    page,
    phone_at,
    points_of,
    table,
)
from tests.test_without_network import kept
from tests.waiting import eventually
from tournaments.models import Phone, Round, Table

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

AS_OF = re.compile(r"^As it was at \d\d:\d\d, without network$")


def rows_of(page: Page):  # noqa: F811 - the fixture
    return page.locator("[data-outbox] li")


def send_only_the_points(page: Page, points: int = 44) -> None:  # noqa: F811
    page.locator("[name=points]").fill(str(points))
    page.get_by_role("button", name="Send deal 1").tap()
    expect(rows_of(page)).to_contain_text("needs you")


def test_a_refused_deal_is_replaced_by_the_next_one_of_its_number(page, table):  # noqa: F811
    open_form(page, table)
    send_only_the_points(page)
    open_form(page, table)

    enter(page, table, 44, number=1)

    expect_on_the_sheet(page, table, 44)
    expect(rows_of(page).filter(has_text="needs you")).to_have_count(0)


def test_a_refused_deal_that_another_has_entered_holds_nothing_back(page, table):  # noqa: F811
    open_form(page, table)
    send_only_the_points(page)
    record_on(table, phone_at(table, 2))
    open_form(page, table)

    enter(page, table, 51, number=2)

    eventually(lambda: points_of(table)[1:], [51], page)
    expect(rows_of(page).filter(has_text="needs you")).to_have_count(1)
    expect(rows_of(page).filter(has_text="needs you")).to_contain_text("Deal 1")


def test_deals_after_a_refused_one_wait_for_it_and_say_so(page, table):  # noqa: F811
    open_form(page, table)
    page.context.set_offline(True)
    enter(page, table, 96, number=1)
    enter(page, table, 51, number=2)
    page.context.set_offline(False)
    expect(rows_of(page).first).to_contain_text("needs you")
    expect(rows_of(page).last).to_contain_text("waits for Deal 1: look at it first")

    rows_of(page).last.get_by_role("button", name="Look").tap()
    expect(page.get_by_text("You typed 96.")).to_be_visible()
    page.locator("[name=points]").fill("56")
    page.get_by_role("button", name="Send deal 1").tap()

    expect_on_the_sheet(page, table, 56, 51)


def test_a_deal_behind_one_that_another_phone_contradicts_leads_to_it(page, table):  # noqa: F811
    open_form(page, table)
    page.context.set_offline(True)
    enter(page, table, 44, number=1)
    theirs = record_on(table, phone_at(table, 2))
    page.context.set_offline(False)
    expect(rows_of(page)).to_contain_text("needs you")
    page.goto(reverse("sheet", args=[table.pk]))
    open_form(page, table)

    enter(page, table, 51, number=2)

    held = rows_of(page).last
    expect(held).to_contain_text("waits for Deal 1: look at it first")
    held.get_by_role("button", name="Look").tap()
    page.get_by_role("link", name="It is the same deal: drop mine").tap()
    expect_on_the_sheet(page, table, theirs.half_points / 2, 51)


#: The rows on the phone: their keys by number.
KEYS = KEPT.replace(
    "rows.length", "rows.map(row => [row.number, row.key]).sort((a, b) => a[0] - b[0])"
)


def keys_on(page: Page) -> list[list[Any]]:  # noqa: F811
    """Give number and key of each row that waits on the phone."""
    return page.evaluate(KEYS)


def contradicted(page: Page, table: Table, *points: int) -> Phone:  # noqa: F811
    """Enter these deals without network, while another phone writes the first one otherwise."""
    open_form(page, table)
    page.context.set_offline(True)
    for number, each in enumerate(points, start=1):
        enter(page, table, each, number=number)
    other = phone_at(table, 2)
    record_on(table, other, points=70)
    page.context.set_offline(False)
    expect(rows_of(page).first).to_contain_text("needs you")
    rows_of(page).first.get_by_role("button", name="Look").tap()
    expect(page.get_by_role("heading", name="Yours, not sent")).to_be_visible()
    return other


def test_deals_behind_one_that_is_another_deal_move_on_with_it(page, table):  # noqa: F811
    contradicted(page, table, 44, 51, 60)
    (_first, *behind) = keys_on(page)

    page.get_by_role("button", name="Mine is another deal: send it as deal 2").tap()

    expect_on_the_sheet(page, table, 70, 44, 51, 60)
    entered = TarotDeal.objects.order_by("number").filter(number__gt=2)
    assert [[deal.number - 1, str(deal.entry_key)] for deal in entered] == behind
    assert TarotDeal.objects.count() == 4
    expect(page.get_by_text("All 4 deals")).to_be_visible()


def test_deals_move_once_however_often_it_is_said_and_though_the_page_is_left(page, table):  # noqa: F811
    contradicted(page, table, 44, 51, 60)
    page.context.set_offline(True)
    another = page.get_by_role("button", name="Mine is another deal: send it as deal 2")
    for _press in range(2):
        another.tap()
        expect(rows_of(page).locator("[data-name]")).to_have_text(["Deal 2", "Deal 3", "Deal 4"])
    page.close()

    again = page.context.new_page()
    page.context.set_offline(False)
    open_form(again, table)

    expect_on_the_sheet(again, table, 70, 44, 51, 60)
    assert TarotDeal.objects.count() == 4


def test_what_is_compared_leaves_the_page_when_the_choice_has_arrived(page, table):  # noqa: F811
    contradicted(page, table, 44)
    page.context.set_offline(True)
    page.get_by_role("button", name="Mine is another deal: send it as deal 2").tap()
    expect(rows_of(page)).to_contain_text("on this phone")

    page.context.set_offline(False)

    expect(page.get_by_role("button", name="Send deal 3")).to_be_visible()
    expect_on_the_sheet(page, table, 70, 44)


def test_deals_that_moved_meet_another_contradiction_one_at_a_time(page, table):  # noqa: F811
    other = contradicted(page, table, 44, 51)
    page.context.set_offline(True)
    page.get_by_role("button", name="Mine is another deal: send it as deal 2").tap()
    expect(rows_of(page).locator("[data-name]")).to_have_text(["Deal 2", "Deal 3"])
    record_on(table, other, points=71)
    page.context.set_offline(False)
    expect(page.get_by_role("heading", name="Yours, not sent")).to_be_visible()
    expect(rows_of(page).last).to_contain_text("waits for Deal 2: look at it first")

    page.get_by_role("button", name="Mine is another deal: send it as deal 3").tap()

    expect_on_the_sheet(page, table, 70, 71, 44, 51)


def test_after_a_refused_deal_the_next_one_is_blank_without_network_too(page, table):  # noqa: F811
    open_form(page, table)
    enter(page, table, 96, number=1)
    expect(page.get_by_text("You typed 96.")).to_be_visible()
    page.context.set_offline(True)
    page.locator("[name=points]").fill("56")
    page.get_by_role("button", name="Send deal 1").tap()

    expect(page.get_by_role("button", name="Send deal 2")).to_be_visible()
    expect(page.locator("[name=points]")).to_have_value("")
    expect(page.locator("[name=contract]:checked, [name=bouts]:checked")).to_have_count(0)
    expect(page.locator("#deal .has-error, #deal [aria-invalid=true]")).to_have_count(0)
    expect(page.get_by_text("You typed 96.")).to_have_count(0)
    enter(page, table, 51, number=2)
    page.context.set_offline(False)
    expect_on_the_sheet(page, table, 56, 51)


def test_rows_of_the_table_that_is_shown_are_named_shortly_when_its_form_is_closed(page, table):  # noqa: F811
    open_form(page, table)
    page.context.set_offline(True)
    enter(page, table, 44, number=1)
    other = phone_at(table, 2)
    for number in range(1, table.deals_planned + 1):
        record_on(table, other, points=50 + number)
    page.context.set_offline(False)
    expect(rows_of(page)).to_contain_text("needs you")

    page.goto(reverse("record-deal", args=[table.pk]))

    expect(page.get_by_text(f"All {table.deals_planned} deals")).to_be_visible()
    expect(rows_of(page).locator("[data-name]")).to_have_text("Deal 1")


def test_rows_of_a_round_that_is_closed_are_told_to_the_director_looked_at_and_dropped(page, table):  # noqa: F811
    open_form(page, table)
    page.context.set_offline(True)
    enter(page, table, 44, number=1)
    enter(page, table, 51, number=2)
    Round.objects.filter(pk=table.round_id).update(state=Round.State.CLOSED)
    players = [seat.player for seat in table.seats.order_by("place")]
    later = TableFactory(round=RoundFactory(event=table.event, number=2), players=players)
    page.context.set_offline(False)
    expect(rows_of(page).filter(has_text="needs you")).to_have_count(2)

    open_form(page, later)

    said = "Tell this to the director: he can still write it."
    expect(rows_of(page)).to_contain_text([said, said])
    expect(rows_of(page).first).to_contain_text(
        "Bouts of the attack 2 · Card points 44 · Attack · Garde made by 3"
    )
    rows_of(page).last.get_by_role("button", name="Look").tap()
    expect(page.get_by_text("The round is closed: no deal can be entered")).to_be_visible()
    expect(page.locator("[name=points]")).to_have_value("51")
    for left in (1, 0):
        rows_of(page).last.get_by_role("button", name="Drop it").tap()
        rows_of(page).last.get_by_role("button", name="Drop it for good").tap()
        expect(rows_of(page)).to_have_count(left)
    eventually(lambda: page.evaluate(KEPT), 0, page)


@pytest.fixture
def truco(season) -> Table:
    return truco_table(season)


@pytest.fixture
def pair(browser, network, truco) -> Page:  # noqa: F811
    """The phone of seat 1 at a table of truco."""
    context = carrying(browser, network.address, phone_at(truco))
    yield context.new_page()
    context.close()


def test_a_kept_page_says_how_old_it_is_and_stands_at_the_last_deal_entered(page, table):  # noqa: F811
    Table.objects.update(deals_planned=2)
    open_form(page, table)
    kept(page)
    expect(page.locator("[data-as-of]")).to_be_hidden()
    page.context.set_offline(True)
    enter(page, table, 44, number=1)
    enter(page, table, 51, number=2)
    expect(rows_of(page)).to_have_count(2)

    page.reload()

    expect(page.locator("[data-as-of]")).to_have_text(AS_OF)
    expect(page.locator("#progress > strong")).to_have_text("Deal 2 of 2")
    expect(page.locator("#deal-form")).to_have_attribute("inert", "")
    expect(page.get_by_text("What comes next opens when this has arrived.")).to_be_visible()
    page.goto(reverse("sheet", args=[table.pk]))
    page.context.set_offline(False)
    expect_on_the_sheet(page, table, 44, 51)
    open_form(page, table)
    expect(page.get_by_text("All 2 deals")).to_be_visible()
    expect(page.locator("[data-as-of]")).to_be_hidden()


def test_a_kept_page_of_truco_shows_the_score_that_was_sent_since(pair, truco):
    open_form(pair, truco)
    kept(pair)
    record(truco, Phone.objects.get(), game(12, 4))
    open_form(pair, truco)
    for score in (["1", "0"], ["2", "0"]):
        pair.locator("[data-won=a]").tap()
        expect(pair.locator("#tally b")).to_have_text(score)
    expect(pair.locator("[data-outbox] .chip--wait")).to_have_count(0)
    pair.context.set_offline(True)

    pair.reload()

    expect(pair.locator("[data-as-of]")).to_have_text(AS_OF)
    expect(pair.locator("#progress")).to_contain_text("Game 2 of 3")
    expect(pair.locator("#tally b")).to_have_text(["2", "0"])


def test_a_refused_final_score_is_replaced_by_the_next_one(pair, truco):
    record(truco, Phone.objects.get(), won("a", 6))
    for points_a, points_b in ((3, 12), (12, 4)):
        open_form(pair, truco)
        pair.get_by_text("Only the final score of the game").tap()
        pair.locator("[name=points_a]").fill(str(points_a))
        pair.locator("[name=points_b]").fill(str(points_b))
        pair.get_by_role("button", name="Enter the final score").tap()
        if points_a == 3:
            expect(rows_of(pair)).to_contain_text("needs you")

    eventually(lambda: [kind for _n, kind, *_rest in told(truco)], ["hand", "game"], pair)
    eventually(lambda: pair.evaluate(KEPT), 0, pair)
