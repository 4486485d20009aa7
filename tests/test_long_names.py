"""Names as long as they may be, without a space: no page of a phone grows wider for them."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Browser

from clubs.models import Role
from scoring.models import Ranking, RankingRow, TarotDeal
from tests.factories import (
    ClubFactory,
    EventFactory,
    MembershipFactory,
    PlayerFactory,
    RoundFactory,
    SeasonFactory,
    TableFactory,
    UserFactory,
)
from tests.test_permissions import GET, OF_A_CLUB
from tests.waiting import PATIENCE
from tournaments.models import Event, Stage

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PHONE = {"width": 390, "height": 844}
#: Wider than a phone on purpose: paper, and lists that scroll in a frame of their own.
ON_PAPER = {"print-table-cards", "print-seating", "print-sheet"}
TOO_WIDE = """() => {
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= width) return [];
  const wide = [...document.body.querySelectorAll("*")].filter(
    each => each.getBoundingClientRect().right > width + 1 && !each.closest(".scroll"));
  return wide.slice(-3).map(each => `${each.tagName}.${each.className} in ` +
    `${each.parentElement.tagName}.${each.parentElement.className}`);
}"""


def long(first: str, most: int = 120) -> str:
    return first + "x" * (most - len(first))


@pytest.fixture
def world() -> SimpleNamespace:
    """A club, a season, a title, a place and players of whom each has the longest name."""
    club = ClubFactory(name=long("Club"), town=long("Town"))
    account = UserFactory(name=long("Odile"), email="odile@example.org")
    owner = PlayerFactory(club=club, name=long("Odile"), account=account)
    MembershipFactory(player=owner, role=Role.OWNER)
    season = SeasonFactory(club=club, name=long("Season", 60))
    named = {"title": long("Title"), "place": long("Place"), "season": season}
    event = EventFactory(**named, running=True)
    players = [owner, *(PlayerFactory(club=club, name=long(name)) for name in "ABC")]
    table = TableFactory(round=RoundFactory(event=event), players=players)
    seats = list(table.seats.all())
    deal = TarotDeal.objects.create(
        table=table, number=1, entry_key="7a4c56a5-25a7-4fb1-b4cb-6d7adf4b4d1a", taker=seats[0],
        contract="garde", bouts=2, half_points=98, is_made=True, margin=8, author=account,
    )  # fmt: skip
    ranking = Ranking.objects.create(season=season)
    row = RankingRow.objects.create(
        ranking=ranking, player=owner, place=1, points=318, evenings=1, deals_played=1
    )
    tournament = EventFactory(**named, kind=Event.Kind.TOURNAMENT)
    stage = Stage.objects.create(
        event=tournament, number=1, name=long("Stage", 60), rounds_planned=5, deals_per_round=4
    )
    return SimpleNamespace(
        club=club, season=season, event=event, table=table, deal=deal, row=row, player=owner,
        entry=seats[0].entry, stage=stage, account=account, tournament=tournament,
    )  # fmt: skip


def pages_of(world: SimpleNamespace) -> dict[str, str]:
    pages = {"home": "/", "account": reverse("account")}
    for name, address in OF_A_CLUB.items():
        if address.method != GET or name in ON_PAPER:
            continue
        if address.about == "slug":
            pages[name] = reverse(name, args=[world.club.slug])
        elif address.about == "event":
            pages[name] = reverse(name, args=[world.event.pk])
            pages[f"{name} of a tournament"] = reverse(name, args=[world.tournament.pk])
        elif hasattr(world, address.about):
            pages[name] = reverse(name, args=[getattr(world, address.about).pk])
    return pages


def test_no_page_grows_wider_than_the_phone_for_a_long_name(
    browser: Browser, live_server, world: SimpleNamespace
):
    client = Client()
    client.force_login(world.account)
    context = browser.new_context(base_url=live_server.url, viewport=PHONE)
    context.set_default_timeout(PATIENCE * 1000)
    session = client.cookies["sessionid"].value
    context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
    page = context.new_page()
    pages = pages_of(world)

    too_wide = {}
    for name, address in pages.items():
        if not client.get(address).headers["Content-Type"].startswith("text/html"):
            continue  # a file, feed or calendar
        page.goto(address)
        if wide := page.evaluate(TOO_WIDE):
            too_wide[name] = wide

    assert len(pages) > 25
    assert too_wide == {}
