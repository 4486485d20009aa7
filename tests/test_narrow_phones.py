"""On the narrowest phone each language keeps its words whole, and nothing leaves the page."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import Browser, Page

from clubs.models import Club, User
from scoring import actions
from tests.factories import EventFactory, RoundFactory, SeasonFactory, TableFactory
from tests.scoring.test_imports import send
from tests.test_phones_in_browser import WIDER
from tests.tournaments.championships import planned, with_sides
from tests.waiting import PATIENCE
from tournaments.meetings import stages_with_fixtures

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

NARROW, USUAL = {"width": 320, "height": 640}, {"width": 390, "height": 844}
LANGUAGES = [code for code, _name in settings.LANGUAGES]
#: The words, names of people aside, that stand on two lines without a hyphen of their own.
BROKEN = r"""() => {
  const broken = [];
  const texts = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    for (const word of texts.currentNode.data.matchAll(/[\p{L}\p{N}]+/gu)) {
      const range = document.createRange();
      range.setStart(texts.currentNode, word.index);
      range.setEnd(texts.currentNode, word.index + word[0].length);
      const lines = new Set([...range.getClientRects()].map((each) => Math.round(each.top)));
      if (lines.size > 1) broken.push(word[0]);
    }
  }
  return broken;
}"""


#: Ranges of numbers, as a season of two years or a score, that stand on two lines.
TORN = BROKEN.replace(r"/[\p{L}\p{N}]+/gu", r"/\d+–\d+/gu")
#: What a box lets choose and cannot show whole: each choice is tried in a box as wide as it needs.
#: Only the rows of a list (head) are as long as whoever sent it made them.
CUT = r"""() => {
  for (const folded of document.querySelectorAll("details")) folded.open = true;
  const cut = [];
  for (const box of document.querySelectorAll("main select:not([name=head])")) {
    for (const choice of box.options) {
      const alone = box.cloneNode();
      alone.append(choice.cloneNode(true));
      alone.style = "position: absolute; inline-size: max-content; min-inline-size: 0";
      box.after(alone);
      if (alone.offsetWidth > box.offsetWidth) cut.push(choice.text);
      alone.remove();
    }
  }
  return cut;
}"""


@pytest.fixture
def page_of(browser: Browser, live_server, client_of: Callable[[User | None], Client]):
    """Open pages on a narrow phone, in a language, as somebody."""

    def make(language: str, user: User | None = None, **more: str) -> Page:
        context = browser.new_context(
            base_url=live_server.url, viewport=NARROW, locale=language, **more
        )
        context.set_default_timeout(PATIENCE * 1000)
        if user:
            session = client_of(user).cookies["sessionid"].value
            context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
        return context.new_page()

    return make


def assert_fits(page: Page, address: str) -> None:
    assert page.goto(address).status == 200
    assert page.evaluate(WIDER) == 0
    assert page.evaluate(BROKEN) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_roles_of_the_help_stay_whole(language: str, page_of):
    page = page_of(language)

    for size in (NARROW, USUAL):
        page.set_viewport_size(size)
        assert_fits(page, "/help/")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_decided_fixture_fits(language: str, page_of, club: Club, director: User):
    event = with_sides(planned(club, "groups_knockout"), 4)
    stage = stages_with_fixtures(event)[0]
    actions.draw_fixtures(stage=stage, by=None, seed=4821)
    fixture = stage.fixtures.get(code="A1-1")
    scores = [(12, 3), (9, 12), (12, 11)]
    actions.decide_fixture(fixture=fixture, by=None, ending="played", winner="home", scores=scores)

    assert_fits(page_of(language, director), f"/fixtures/{fixture.pk}/")


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_change_of_seats_may_be_is_read_whole(
    language: str, page_of, season, director: User
):
    event = EventFactory(season=season, running=True)
    TableFactory(round=RoundFactory(event=event))

    assert_fits(page_of(language, director), f"/evenings/{event.pk}/seats/")


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_the_forms_of_a_director_let_choose_is_read_whole_on_a_usual_phone(
    language: str, page_of, club: Club, season, owner: User
):
    event = planned(club, "swiss_knockout")
    stage = stages_with_fixtures(event)[0]
    page = page_of(language, owner)
    page.set_viewport_size(USUAL)

    cut = {}
    for address in (
        f"/stages/{stage.pk}/settings/", f"/imports/{send(club, owner).pk}/",
        f"/seasons/{season.pk}/rankings/", f"/evenings/{event.pk}/paper/",
        f"/clubs/{club.slug}/evenings/new/",
    ):  # fmt: skip
        assert page.goto(address).status == 200
        cut[address] = page.evaluate(CUT)

    assert not any(cut.values()), cut


@pytest.mark.parametrize(
    "address",
    [
        "/clubs/{club}/ranking/", "/clubs/{club}/seasons/", "/clubs/{club}/records/",
        "/clubs/{club}/", "/clubs/{club}/evenings/", "/evenings/{event}/",
        "/evenings/{event}/tables/", "/evenings/{event}/standings/", "/evenings/{event}/journal/",
    ],
)  # fmt: skip
def test_the_two_years_of_a_season_stand_on_one_line(page_of, club: Club, owner: User, address):
    name = "Saison anniversaire 2026–27 2026–27 2026–27 2026–27"
    event = EventFactory(season=SeasonFactory(club=club, name=name), title=name, running=True)
    TableFactory(round=RoundFactory(event=event))
    page = page_of("fr", owner)

    page.goto(address.format(club=club.slug, event=event.pk))

    for width in (*range(280, 400, 6), 800):
        page.set_viewport_size({"width": width, "height": 640})
        assert page.evaluate(TORN) == []
    assert "2026–27" in page.locator("main").inner_text()


def test_the_suits_of_a_table_card_are_printed_red_in_the_dark_too(page_of, season, director: User):
    event = EventFactory(season=season, running=True)
    TableFactory(round=RoundFactory(event=event), number=2)
    day, dark = (page_of("en", director, color_scheme=scheme) for scheme in ("light", "dark"))

    colours = set()
    for page in (day, dark):
        page.goto(f"/evenings/{event.pk}/table-cards/")
        suit = page.locator(".table-card .suit--red").first
        colours.add(suit.evaluate("each => getComputedStyle(each).color"))

    assert len(colours) == 1
