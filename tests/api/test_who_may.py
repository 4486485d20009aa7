"""Each address of the API with each role: the same answers as the pages give."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from django.urls import URLPattern, URLResolver, get_resolver

from clubs.models import Publication, Role
from scoring.models import TarotDeal
from tests.api.conftest import publish, report
from tests.api.fixtures import championship
from tests.scoring.truco import hand, record, truco_table
from tournaments.models import RefereeCall, Ruling

pytestmark = pytest.mark.django_db


@dataclass(frozen=True, kw_only=True)
class Call:
    """A call of the API and the least role that it needs."""

    verb: str
    address: str
    least: Role = Role.MEMBER
    #: May the world make it once club, season and evening are published?
    published: bool = True
    #: Is it about something that never exists for the world?
    inside: bool = False


MEMBER, SCORER, DIRECTOR, OWNER = Role


def read(address: str) -> Call:
    """A read for members, and for the world once all that it is about is published."""
    return Call(verb="get", address=address)


def told_inside(address: str) -> Call:
    """A read for members alone."""
    return Call(verb="get", address=address, published=False, inside=True)


def done(address: str, least: Role, *, inside: bool = False) -> Call:
    """A call that changes something."""
    return Call(verb="post", address=address, least=least, published=False, inside=inside)


OF_A_CLUB = {
    "club-detail": read("clubs/{club.slug}/"),
    "club-seasons": read("clubs/{club.slug}/seasons/"),
    "season-detail": read("seasons/{season.pk}/"),
    "season-leaderboard": read("seasons/{season.pk}/leaderboard/"),
    "season-rankings": read("seasons/{season.pk}/rankings/"),
    "ranking-lines": read("rankings/{ranking.pk}/lines/"),
    "ranking-line": read("ranking-lines/{row.pk}/"),
    "event-detail": read("events/{event.pk}/"),
    "event-rounds": read("events/{event.pk}/rounds/"),
    "event-results": read("events/{event.pk}/results/"),
    "event-entries": read("events/{event.pk}/entries/"),
    "event-standings": read("events/{event.pk}/standings/"),
    "round-detail": read("rounds/{round.pk}/"),
    "table-detail": read("tables/{table.pk}/"),
    "table-deals": done("tables/{table.pk}/deals/", SCORER),
    "table-call": done("tables/{table.pk}/call/", SCORER),
    "table-extra-minutes": done("tables/{table.pk}/extra-minutes/", DIRECTOR, inside=True),
    "round-close": done("rounds/{round.pk}/close/", DIRECTOR, inside=True),
    "round-clock": read("rounds/{round.pk}/clock/"),
    "event-rulings": told_inside("events/{event.pk}/rulings/"),
    "event-calls": told_inside("events/{event.pk}/calls/"),
    "ruling-detail": told_inside("rulings/{ruling.pk}/"),
    "ruling-withdraw": done("rulings/{ruling.pk}/withdraw/", DIRECTOR, inside=True),
    "call-go": done("calls/{call.pk}/go/", DIRECTOR, inside=True),
    "call-answer": done("calls/{call.pk}/answer/", DIRECTOR, inside=True),
    "deal-detail": read("deals/{deal.pk}/"),
    "deal-correct": done("deals/{deal.pk}/correct/", SCORER),
    "deal-void": done("deals/{deal.pk}/void/", SCORER),
    "event-stages": read("events/{championship.pk}/stages/"),
    "event-fixtures": read("events/{championship.pk}/fixtures/"),
    "fixture-detail": read("fixtures/{fixture.pk}/"),
    "fixture-decide": done("fixtures/{fixture.pk}/decide/", DIRECTOR, inside=True),
    "fixture-undo": done("fixtures/{fixture.pk}/undo/", DIRECTOR, inside=True),
    "fixture-confirm": done("fixtures/{played.pk}/confirm/", SCORER),
    "truco-line-detail": read("truco-lines/{truco_line.pk}/"),
    "truco-line-correct": done("truco-lines/{truco_line.pk}/correct/", SCORER),
    "truco-line-void": done("truco-lines/{truco_line.pk}/void/", SCORER),
}
#: Lists show to each what is his to see; the rest holds no club's data.
LISTS = {"club-list": "clubs/", "season-list": "seasons/", "event-list": "events/"}
OF_NO_CLUB = {"token", "own-token", "schema", "docs", "faults"}
BODIES = {
    "deal-void": {"reason": "Misdeal."},
    "truco-line-void": {"reason": "Misdeal."},
    "truco-line-correct": {
        "entry_key": "0a4c56a5-25a7-4fb1-b4cb-6d7adf4b4d1a",
        "winner": "b",
        "points": 6,
    },
    "table-call": {"reason": "A card is missing."},
    "table-extra-minutes": {"minutes": 5},
    "round-close": {"without_missing": True},
    "ruling-withdraw": {"why": "Another player."},
    "call-go": {},
    "call-answer": {},
    "fixture-decide": {"ending": "walkover", "winner": "home"},
    "fixture-undo": {},
    "fixture-confirm": {},
}


@pytest.fixture
def deal(world, scorer) -> TarotDeal:
    world.deal = TarotDeal.objects.create(
        table=world.table, number=1, entry_key="7a4c56a5-25a7-4fb1-b4cb-6d7adf4b4d1a",
        taker=world.table.seats.first(), contract="garde", bouts=2, half_points=98, is_made=True,
        margin=8, author=scorer,
    )  # fmt: skip
    world.ruling = Ruling.objects.create(
        event=world.event, kind="decision", fault="other", ruled_by=scorer
    )
    world.call = RefereeCall.objects.create(table=world.table)
    truco = truco_table(world.season)
    truco.event.publication = Publication.PUBLIC  # it is seen once its club and season are
    truco.event.save()
    world.truco_line = record(truco, scorer, hand("a", 3))
    world.championship, (world.fixture, world.played) = championship(world.season, scorer)
    return world.deal


@pytest.fixture
def ask(world, deal, caller):
    """Make a call as this account; gives the status."""

    def make(name: str, user) -> int:
        call = OF_A_CLUB[name]
        body = None
        if call.verb == "post":
            body = BODIES[name] if name in BODIES else report(world.table, bouts=1)
        if name.endswith("-correct"):  # who corrects what others wrote says why
            body = {**(body or {}), "why": "Counted again."}
        address = "/api/v1/" + call.address.format(**vars(world))
        return getattr(caller(user), call.verb)(address, body).status_code

    return make


def names(resolver: URLResolver) -> set[str]:
    found = set()
    for pattern in resolver.url_patterns:
        found |= {str(pattern.name)} if isinstance(pattern, URLPattern) else names(pattern)
    return found


def test_every_address_of_the_api_says_who_may_use_it():
    (api,) = (p for p in get_resolver().url_patterns if str(p.pattern) == "api/v1/")

    assert names(api) == OF_A_CLUB.keys() | LISTS.keys() | OF_NO_CLUB


@pytest.mark.parametrize("name", OF_A_CLUB)
def test_what_a_club_keeps_for_itself_is_open_to_the_role_that_needs_it(
    name, role_name, ask, request
):
    user = None if role_name == "anonymous" else request.getfixturevalue(role_name)

    status = ask(name, user)

    if role_name == "anonymous":
        assert status == (401 if OF_A_CLUB[name].verb == "post" else 404)
    elif role_name == "stranger":
        assert status == 404
    elif Role(role_name).may_act_as(OF_A_CLUB[name].least):
        assert status in {200, 201}
    else:
        assert status == 403


@pytest.mark.parametrize("name", OF_A_CLUB)
def test_what_a_club_publishes_is_open_to_the_world_and_nothing_else(name, ask, world, stranger):
    publish(world)

    met = [ask(name, user) for user in (None, stranger)]

    call = OF_A_CLUB[name]
    if call.published:
        assert met == [200, 200]
    elif call.inside:
        assert met == [401 if call.verb == "post" else 404, 404]
    else:
        assert met == [401, 403]


def test_a_player_writes_on_the_sheet_of_his_own_table(ask, world):
    assert ask("table-deals", world.seated[1].account) == 201


def test_an_evening_that_is_not_published_stays_hidden_in_a_public_club(ask, world):
    publish(world)
    world.event.publication = "club"
    world.event.save()

    for name in ("event-detail", "event-rounds", "event-standings", "round-detail", "table-detail",
                 "event-results", "event-entries", "deal-detail"):  # fmt: skip
        assert ask(name, None) == 404


@pytest.mark.parametrize("name", LISTS)
def test_lists_show_to_each_what_is_his_to_see(name, world, caller, member, stranger):
    def seen(user) -> list[object]:
        results = caller(user).get("/api/v1/" + LISTS[name]).data["results"]
        return [row.get("slug") or row["id"] for row in results]

    own = {
        "club-list": world.club.slug,
        "season-list": world.season.pk,
        "event-list": world.event.pk,
    }
    assert own[name] in seen(member)
    assert own[name] not in seen(stranger)
    assert own[name] not in seen(None)

    publish(world)
    assert own[name] in seen(stranger)
    assert own[name] in seen(None)


def test_a_proposed_draw_is_not_shown(world, caller, director):
    world.round.state = "drawn"
    world.round.save()

    api = caller(director)

    assert api.get(f"/api/v1/events/{world.event.pk}/rounds/").data == []
    assert api.get(f"/api/v1/rounds/{world.round.pk}/").status_code == 404


@pytest.mark.usefixtures("deal")
@pytest.mark.parametrize("name", OF_A_CLUB)
def test_nothing_is_overwritten_or_deleted(name, world, caller, owner):
    address = "/api/v1/" + OF_A_CLUB[name].address.format(**vars(world))

    for verb in ("put", "patch", "delete"):
        assert getattr(caller(owner), verb)(address).status_code == 405
