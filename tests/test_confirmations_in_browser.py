"""Two phones confirm and dispute a row while a director looks on; no page is loaded again."""

from __future__ import annotations

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from tests.test_phones_in_browser import (  # noqa: F401 - fixtures
    director_page,
    link,
    open_context,
    open_form,
    scan,
    table,
    tap_a_garde,
)
from tests.waiting import eventually
from tournaments.models import Event, JournalLine, Round, Table

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def keep(page: Page) -> None:
    """Mark the page as it is: the mark is gone if it is loaded again."""
    page.evaluate("window.kept = true")


def is_kept(page: Page) -> bool:
    return bool(page.evaluate("window.kept === true"))


def test_what_one_phone_says_is_seen_on_the_other_and_on_the_floor(
    scan,  # noqa: F811
    table,  # noqa: F811
    director_page,  # noqa: F811
):
    Event.objects.update(confirmation=Event.Confirmation.OTHER_SEAT)
    Table.objects.update(deals_planned=2)
    ana, yves = scan("Ana Paula"), scan("Yves")
    director_page.goto(reverse("floor", args=[table.event.pk]))
    open_form(ana)
    tap_a_garde(ana, taker="Bernard")
    expect(ana.locator("#agreed")).to_contain_text("Not confirmed")
    expect(director_page.get_by_text("1 row is not confirmed yet")).to_be_visible()
    keep(ana)
    keep(director_page)

    yves.get_by_role("link", name="Look at the sheet").tap()
    yves.get_by_role("button", name="Yes, it is right").tap()
    expect(yves.get_by_text("You agree: thank you.")).to_be_visible()

    expect(ana.locator("#agreed")).to_have_text("Confirmed")
    expect(director_page.get_by_text("1 row is not confirmed yet")).to_be_hidden()

    yves.goto(reverse("sheet", args=[table.pk]))
    yves.goto(reverse("object-to-deal", args=[table.pk, table.tarot_deals.get().pk]))
    yves.locator("[name=note]").fill("It was 51 points")
    yves.get_by_role("button", name="Tell the director").tap()
    expect(yves.get_by_text("The director is told, with both versions.")).to_be_visible()

    expect(ana.locator("#agreed")).to_have_text("Disputed")
    expect(director_page.locator("#table-1").get_by_text("Objection")).to_be_visible()
    assert is_kept(ana)
    assert is_kept(director_page)


def test_a_row_is_confirmed_beside_a_form_that_keeps_what_is_half_entered(
    scan,  # noqa: F811
    table,  # noqa: F811
):
    Event.objects.update(confirmation=Event.Confirmation.ALL_SEATS)
    Table.objects.update(deals_planned=3)
    ana, yves = scan("Ana Paula"), scan("Yves")
    open_form(ana)
    tap_a_garde(ana, taker="Bernard")
    expect(ana.locator("#agreed")).to_contain_text("Not confirmed")
    yves.goto(reverse("record-deal", args=[table.pk]))
    yves.locator('[name="contract"][value="petite"]').check()
    yves.locator("[name=points]").fill("60")
    keep(yves)

    yves.locator("#to-confirm").get_by_role("link", name="No").tap()
    expect(yves.get_by_role("link", name="No: we all agree how to correct it")).to_be_visible()
    yves.get_by_role("button", name="Yes, it is right").tap()
    expect(yves.get_by_text("You agree: thank you.")).to_be_visible()

    assert table.confirmations.agreeing().get().seat.player.name == "Yves"
    expect(yves.locator("[name=points]")).to_have_value("60")
    expect(yves.locator('[name="contract"][value="petite"]')).to_be_checked()
    assert is_kept(yves)


def hand_over(page: Page, name: str, table: Table) -> None:  # noqa: F811
    """The phone changes hands while its page stands open: it is that of another seat now."""
    address = page.url
    now = page.context.new_page()
    now.goto(reverse("own-place", args=[table.event.pk]))
    now.get_by_role("button", name="I am not").tap()
    now.get_by_role("button", name=name).tap()
    expect(now.locator("#place")).to_contain_text(name)
    now.close()
    assert page.url == address


def test_a_yes_on_a_page_of_whoever_had_the_phone_before_is_refused_and_the_page_made_anew(
    scan,  # noqa: F811
    table,  # noqa: F811
):
    Event.objects.update(confirmation=Event.Confirmation.ALL_SEATS)
    Table.objects.update(deals_planned=3)
    ana, yves = scan("Ana Paula"), scan("Yves")
    open_form(ana)
    tap_a_garde(ana, taker="Bernard")
    expect(ana.locator("#agreed")).to_contain_text("Not confirmed")
    yves.goto(reverse("record-deal", args=[table.pk]))
    yes = yves.locator("#to-confirm").get_by_role("button", name="Yes")
    expect(yes).to_be_visible()
    hand_over(yves, "Odile", table)

    yes.tap()

    expect(yves.locator(".messages")).to_contain_text("stands for somebody else")
    assert not table.confirmations.exists()
    yes.tap()
    expect(yves.get_by_text("You agree: thank you.")).to_be_visible()
    assert table.confirmations.get().seat.player.name == "Odile"


def test_so_is_an_undo_and_a_signature(
    scan,  # noqa: F811
    table,  # noqa: F811
):
    Event.objects.update(confirmation=Event.Confirmation.OTHER_SEAT)
    ana = scan("Ana Paula")
    open_form(ana)
    tap_a_garde(ana, taker="Bernard")
    undo = ana.get_by_role("button", name="Undo")
    expect(undo).to_be_visible()
    hand_over(ana, "Odile", table)

    undo.tap()

    expect(ana.locator(".messages")).to_contain_text("stands for somebody else")
    expect(undo).to_be_hidden()
    ana.goto(reverse("sheet", args=[table.pk]))
    sign = ana.get_by_role("button", name="I sign as")
    expect(sign).to_have_text("I sign as Odile")
    hand_over(ana, "Yves", table)

    sign.tap()

    expect(ana.locator(".messages")).to_contain_text("stands for somebody else")
    expect(sign).to_have_text("I sign as Yves")
    assert table.tarot_deals.standing().count() == 1
    assert not table.confirmations.exists()


def test_a_director_closes_over_a_table_that_does_not_agree_by_ticking_it(
    scan,  # noqa: F811
    table,  # noqa: F811
    director_page,  # noqa: F811
):
    Event.objects.update(confirmation=Event.Confirmation.ALL_SEATS)
    ana = scan("Ana Paula")
    open_form(ana)
    tap_a_garde(ana, taker="Bernard")
    expect(ana.get_by_role("link", name="Open the sheet")).to_be_visible()
    director_page.goto(reverse("tables", args=[table.event.pk]))

    director_page.get_by_role("button", name="Close round 1", exact=True).click()
    expect(director_page.get_by_role("alert")).to_contain_text("table 1 is not confirmed")
    director_page.get_by_role("checkbox", name="Close table 1 as it stands").check()
    director_page.get_by_role("button", name="without the chosen tables").click()

    expect(director_page.get_by_text("Round 1 is closed.")).to_be_visible()
    eventually(lambda: Round.objects.get().state, "closed", director_page)
    assert JournalLine.objects.get(kind="round_closed").details["unconfirmed"] == [1]
