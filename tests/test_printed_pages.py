"""What a browser prints begins where its title is, and leaves out what paper cannot do."""

from __future__ import annotations

from io import BytesIO

import pytest
from playwright.sync_api import Browser
from pypdf import PdfReader

from clubs.models import Club
from tests.factories import MembershipFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_a_long_list_begins_on_the_page_of_its_title(
    browser: Browser, live_server, club: Club, member, client_of
):
    MembershipFactory.create_batch(24, player__club=club)
    session = client_of(member).cookies["sessionid"].value
    context = browser.new_context(base_url=live_server.url, locale="en")
    context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
    page = context.new_page()
    page.goto(f"/clubs/{club.slug}/players/")

    first = PdfReader(BytesIO(page.pdf(prefer_css_page_size=True))).pages[0].extract_text()

    assert "Players" in first
    assert "Michel" in first
    assert "Skip to content" not in first
    assert "Guests" not in first  # the choice of lists is pressed, and no paper is
