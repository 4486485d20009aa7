"""Four phones at a table and the director's tablet, in a hall whose wifi fails half of the time."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from playwright.sync_api import expect

from scoring.models import SheetEvent, TarotDeal
from scoring.tasks import refresh_standings
from tests.bad_network import bad_network
from tests.test_outbox_in_browser import carrying, enter, phone_at, points_of
from tests.test_outbox_in_browser import table as table  # noqa: PLC0414 - a fixture
from tournaments.models import Entry

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

#: Who enters which deal, at which place, and with how many points.
ENTERED = ((1, 44), (2, 51), (3, 60), (4, 39))


def wait_for_deals(number, page):
    """Wait until the phone has brought its deal onto the sheet, however often it tries."""
    for _ in range(450):
        if TarotDeal.objects.count() == number:
            return
        page.wait_for_timeout(200)
    raise AssertionError(f"deal {number} has not arrived")


def test_a_whole_position_is_exactly_what_was_entered_once(browser, live_server, table, director):
    with bad_network(live_server.url, seed=11) as (address, network):
        phones = {
            place: carrying(browser, address, phone_at(table, place)) for place in range(1, 5)
        }
        pages = {place: context.new_page() for place, context in phones.items()}
        for page in pages.values():
            page.goto(reverse("record-deal", args=[table.pk]))
        client = Client()
        client.force_login(director)
        tablet = browser.new_context(base_url=address, viewport={"width": 820, "height": 1180})
        session = client.cookies["sessionid"].value
        tablet.add_cookies([{"name": "sessionid", "value": session, "url": address}])
        floor = tablet.new_page()
        floor.goto(reverse("sheet", args=[table.pk]))

        network.failing = 0.5
        for number, (place, points) in enumerate(ENTERED, start=1):
            page = pages[place]
            # The phones pass from hand to hand: each opens the form when it is its turn.
            page.goto(reverse("record-deal", args=[table.pk]))
            enter(page, table, points, number=number, taker=place)
            wait_for_deals(number, page)
        network.failing = 0.0

        refresh_standings(table.event.pk)
        floor.goto(reverse("sheet", args=[table.pk]))
        for _place, points in ENTERED:
            expect(floor.get_by_text(f"{points} points").first).to_be_visible()
        floor.goto(reverse("standings", args=[table.event.pk]))

        assert points_of(table) == [points for _place, points in ENTERED]
        assert TarotDeal.objects.count() == len(ENTERED)
        told = SheetEvent.objects.filter(table=table).order_by("pk")
        names = [seat.player.name for seat in table.seats.order_by("place")]
        assert [(line.kind, line.phone.name) for line in told] == [
            ("recorded", name) for name in names
        ]
        standings = dict(Entry.objects.filter(event=table.event).values_list("pk", "points"))
        assert sum(standings.values()) == 0
        assert {seat.entry_id: seat.points for seat in table.seats.all()} == standings
        for entry in Entry.objects.filter(event=table.event):
            expect(floor.locator("main")).to_contain_text(str(entry))
        for context in (*phones.values(), tablet):
            context.close()
