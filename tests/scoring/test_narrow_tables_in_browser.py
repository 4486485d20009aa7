"""On the narrowest phone the tables of results stay within the page, in each language."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from django.conf import settings
from playwright.sync_api import Browser, expect

from clubs.models import Publication
from scoring import actions, tasks
from scoring.models import PlayerResult, Ranking
from scoring.rankings.methods import Method, Settings
from tests.factories import EventFactory, PlayerFactory
from tests.scoring import paper
from tests.test_phones_in_browser import WIDER
from tests.waiting import PATIENCE
from tournaments.models import Event

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

NARROW = {"width": 320, "height": 640}
NAMES = ("Jean-Christophe Kervadec", "Denise Cariou", "Odile Le Goff", "Yves Quéméner")
SHOWN = {"publication": Publication.PUBLIC}


@pytest.fixture
def world(club, season) -> SimpleNamespace:
    """An evening of tarot and one of truco, which everybody may see, and a ranking of places."""
    for row in (club, season):
        row.publication = Publication.PUBLIC
        row.save()
    players = [PlayerFactory(club=club, name=name) for name in NAMES]
    evening = paper.evening(season, players, **SHOWN)
    paper.write(paper.sit(evening, players)[0], 1530, -510, -510, -510)
    paper.close(evening)
    truco = _truco(season, players)
    tasks.refresh_standings(evening.pk)
    tasks.refresh_ranking(season.pk)
    ranking = Ranking.objects.get(game=Event.Game.TAROT)
    actions.change_ranking(
        ranking=ranking, seen_version=1, name="", order=0,
        method=Method.PLACES, settings=Settings(scale=(25, 18), attendance=30),
        state=Ranking.State.PROVISIONAL,
    )  # fmt: skip
    tasks.refresh_ranking(season.pk)
    return SimpleNamespace(players=players, truco=truco, ranking=ranking)


def _truco(season, players) -> Event:
    event = EventFactory(season=season, closed=True, game=Event.Game.TRUCO, best_of=3, **SHOWN)
    for place, player in enumerate(players, start=1):
        entry = paper.join(event, player)
        entry.place, entry.points, entry.deals_played = place, 12, 40
        entry.tally = {"wins": 12, "losses": 10, "games": [24, 20], "points": [248, 215]}
        entry.save()
        PlayerResult.objects.create(
            event=event, player=player, entry=entry, points=12, ruled_points=0, deals=40,
            place=place, entries=4, is_member=False, wins=12, losses=10,
        )  # fmt: skip
    return event


def test_on_a_phone_it_is_said_above_the_table_how_to_learn_why(
    browser: Browser, live_server, world
):
    page = browser.new_page(base_url=live_server.url, viewport=NARROW)
    page.set_default_timeout(PATIENCE * 1000)
    page.goto(f"/clubs/{world.ranking.season.club.slug}/ranking/?ranking={world.ranking.pk}")

    hint, table = (page.locator(each).bounding_box() for each in ("#why", "#ranking table"))
    page.locator("#ranking tbody td a").first.click()

    assert hint["y"] < table["y"]
    expect(page.get_by_role("heading", name="Why is Jean-Christophe Kervadec")).to_be_in_viewport()


@pytest.mark.parametrize("language", [code for code, _name in settings.LANGUAGES])
def test_tables_of_results_fit_the_narrowest_phone(
    language: str, browser: Browser, live_server, world
):
    one, other, *_rest = (player.pk for player in world.players)
    row = world.ranking.rows.get(player=one)
    page = browser.new_page(base_url=live_server.url, viewport=NARROW, locale=language)
    page.set_default_timeout(PATIENCE * 1000)

    wider = {}
    for address in (
        f"/players/{one}/", f"/players/{one}/with/{other}/",
        f"/ranking/{row.pk}/why/", f"/evenings/{world.truco.pk}/standings/",
    ):  # fmt: skip
        assert page.goto(address).status == 200
        wider[address] = page.evaluate(WIDER)

    assert not any(wider.values()), wider
