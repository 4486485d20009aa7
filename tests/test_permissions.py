"""Each address with each role: who is let in, who is sent to the door, who sees nothing.

An address that is not in the table fails the test: whoever adds one says who may use it.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace

import pytest
from django.core.cache import cache
from django.db import transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from clubs.models import Club, Publication, Role
from scoring.models import Confirmation, Ranking, RankingRow, ResultsImport, TarotDeal
from tests.factories import (
    EntryFactory,
    EventFactory,
    JoinLinkFactory,
    PhoneFactory,
    PlayerFactory,
    RoundFactory,
    SeasonFactory,
    TableFactory,
)
from tournaments.models import Fixture, RefereeCall, Ruling, Stage

pytestmark = pytest.mark.django_db

MEMBER, SCORER, DIRECTOR, OWNER = Role
GET, POST = "get", "post"


@dataclass(frozen=True, kw_only=True)
class Address:
    """An address of one club's data: what it is about, how it is asked, and the least role."""

    about: str
    least: Role
    method: str = GET
    #: May the world see it when club, season and evening are published?
    published: bool = False


def shown(about: str) -> Address:
    """A page for members, and for the world once all that it is about is published."""
    return Address(about=about, least=MEMBER, published=True)


def page(about: str, least: Role) -> Address:
    """A page that is never published."""
    return Address(about=about, least=least)


def sent(about: str, least: Role) -> Address:
    """What a form of a page sends."""
    return Address(about=about, least=least, method=POST)


OF_A_CLUB = {
    "club": shown("slug"),
    "evenings": shown("slug"),
    "ranking": shown("slug"),
    "records": shown("slug"),
    "share-club": page("slug", MEMBER),
    "results-feed": shown("slug"),
    "club-calendar": shown("slug"),
    "club-picture": shown("slug"),
    "event-calendar": shown("event"),
    "event-picture": shown("event"),
    "results-csv": shown("event"),
    "results-xlsx": shown("event"),
    "embed-ranking": shown("ranking"),
    "ranking-picture": shown("ranking"),
    "ranking-csv": shown("ranking"),
    "ranking-xlsx": shown("ranking"),
    "head-to-head": shown("two players"),
    "imports": page("slug", DIRECTOR),
    "import-list": page("list", DIRECTOR),
    "undo-import": sent("list", DIRECTOR),
    "discard-import": sent("list", DIRECTOR),
    "create-event": page("slug", DIRECTOR),
    "club-settings": page("slug", OWNER),
    "seasons": page("slug", MEMBER),
    "add-season": page("slug", DIRECTOR),
    "edit-season": page("season", DIRECTOR),
    "delete-season": sent("season", DIRECTOR),
    "publish-ranking": sent("season", DIRECTOR),
    "season-rankings": page("season", DIRECTOR),
    "add-ranking": sent("season", DIRECTOR),
    "edit-ranking": page("ranking", DIRECTOR),
    "delete-ranking": sent("ranking", DIRECTOR),
    "counting": page("slug", DIRECTOR),
    "rebuild-rankings": sent("slug", DIRECTOR),
    "players": page("slug", MEMBER),
    "add-player": page("slug", DIRECTOR),
    "player": shown("player"),
    "edit-player": page("player", DIRECTOR),
    "player-name": page("player", OWNER),
    "make-member": sent("player", DIRECTOR),
    "make-guest": sent("player", DIRECTOR),
    "change-role": sent("player", OWNER),
    "put-player-away": sent("player", DIRECTOR),
    "take-player-back": sent("player", DIRECTOR),
    "merge-player": page("player", DIRECTOR),
    "invite-player": sent("player", DIRECTOR),
    "event": shown("event"),
    "standings": shown("event"),
    "results": shown("event"),
    "make-final": sent("event", DIRECTOR),
    "provisional-hours": sent("event", DIRECTOR),
    "declare-tie-breaks": sent("event", DIRECTOR),
    "paper": page("event", SCORER),
    "print-paper": page("event", SCORER),
    "make-paper": sent("event", SCORER),
    "paper-file": page("event", SCORER),
    "cancel-event": sent("event", DIRECTOR),
    "edit-event": page("event", DIRECTOR),
    "journal": page("event", MEMBER),
    "close-event": sent("event", DIRECTOR),
    "reopen-event": sent("event", DIRECTOR),
    "publish-event": sent("event", DIRECTOR),
    "check-in": page("event", SCORER),
    "presence": sent("event", SCORER),
    "add-guest": sent("event", SCORER),
    "create-tournament": page("slug", DIRECTOR),
    "stages": page("event", DIRECTOR),
    "add-stage": sent("event", DIRECTOR),
    "change-stage": sent("stage", DIRECTOR),
    "remove-stage": sent("stage", DIRECTOR),
    "entries": page("event", SCORER),
    "enter-player": sent("event", SCORER),
    "entry-presence": sent("event", SCORER),
    "check-in-everybody": sent("event", DIRECTOR),
    "create-championship": page("slug", DIRECTOR),
    "fixture-stages": page("championship", DIRECTOR),
    "add-fixture-stage": sent("championship", DIRECTOR),
    "stage-settings": page("fixture_stage", DIRECTOR),
    "stage-slots": page("later_stage", DIRECTOR),
    "remove-fixture-stage": sent("fixture_stage", DIRECTOR),
    "draw-fixtures": sent("fixture_stage", DIRECTOR),
    "drop-fixtures": sent("fixture_stage", DIRECTOR),
    "next-fixtures": sent("fixture_stage", DIRECTOR),
    "decide-equals": sent("fixture_stage", DIRECTOR),
    "undo-equals": sent("fixture_stage", DIRECTOR),
    "fixtures": shown("championship"),
    "fixtures-board": shown("championship"),
    "call-fixtures": sent("championship", DIRECTOR),
    "fixture": shown("fixture"),
    "decide-fixture": sent("fixture", DIRECTOR),
    "undo-fixture": sent("fixture", DIRECTOR),
    "penalise-side": sent("fixture", DIRECTOR),
    "cancel-fixture": sent("fixture", DIRECTOR),
    "side-leaves": sent("entry", DIRECTOR),
    "put-in-reserve": sent("entry", DIRECTOR),
    "import-entries": sent("event", DIRECTOR),
    "draw-partners": sent("event", DIRECTOR),
    "leave-event": page("event", MEMBER),
    "entry": page("entry", SCORER),
    "withdraw-entry": sent("entry", DIRECTOR),
    "return-entry": sent("entry", DIRECTOR),
    "replace-entry": sent("entry", DIRECTOR),
    "prohibit-pair": sent("entry", DIRECTOR),
    "allow-pair": sent("entry", DIRECTOR),
    "draw": page("event", DIRECTOR),
    "draw-round": sent("event", DIRECTOR),
    "decide-cut": sent("event", DIRECTOR),
    "publish-round": sent("event", DIRECTOR),
    "discard-draw": sent("event", DIRECTOR),
    "swap-players": sent("event", DIRECTOR),
    "withdraw-round": sent("event", DIRECTOR),
    "tables": shown("event"),
    "table-sheet": shown("event and number"),
    "close-round": sent("event", DIRECTOR),
    "reopen-round": sent("event", DIRECTOR),
    "change-deals": sent("event", DIRECTOR),
    "print-table-cards": page("event", SCORER),
    "print-seating": shown("event"),
    "referee": page("event", MEMBER),
    "record-ruling": sent("event", DIRECTOR),
    "withdraw-ruling": sent("ruling", DIRECTOR),
    "go-to-call": sent("call", DIRECTOR),
    "answer-call": sent("call", DIRECTOR),
    "call-referee": sent("table", SCORER),
    "change-seats": page("event", DIRECTOR),
    "undo-change": sent("event", DIRECTOR),
    "sign-sheet": sent("table", SCORER),
    "unsign-sheet": sent("table", SCORER),
    "change-clock": sent("event", DIRECTOR),
    "extend-table": sent("event", DIRECTOR),
    "sheet": shown("table"),
    "print-sheet": shown("table"),
    "record-deal": page("table", SCORER),
    "choose-dealer": sent("table", SCORER),
    "drop-kept": sent("table", SCORER),
    "undo-deal": sent("table", SCORER),
    "correct-deal": page("table and deal", SCORER),
    "void-deal": page("table and deal", SCORER),
    "confirm-deal": page("table and deal", SCORER),
    "object-to-deal": page("table and deal", SCORER),
    "agreement": shown("table and deal"),
    "entering": sent("table", SCORER),
    "settle-objection": sent("objection", DIRECTOR),
    "projector": shown("event"),
    "change-wall-note": sent("event", DIRECTOR),
    "floor": page("event", DIRECTOR),
    "change-confirmation": sent("event", DIRECTOR),
    "freeze-round": sent("this_round", DIRECTOR),
    "take-over": sent("table", DIRECTOR),
    "links": page("event", DIRECTOR),
    "make-links": sent("event", DIRECTOR),
    "revoke-link": sent("link", DIRECTOR),
    "renew-link": sent("link", DIRECTOR),
    "remove-phone": sent("phone", DIRECTOR),
    "why-rank": shown("row"),
}

#: Addresses that hold no club's data, or that carry their own proof.
OF_NO_CLUB = {
    "home", "help", "privacy", "preferences", "choose-preferences",
    "sign-in", "sign-out", "sign-up", "account",
    "password-change", "password-reset", "password-reset-done", "password-reset-confirm",
    "invitation", "set_language", "service-worker", "offline", "manifest",
    # What opens the wall is told by tests/scoring/test_projector.py.
    "projector-by-link",
    # What a phone opens is told by tests/test_phones.py.
    "join", "join-by-link", "own-place", "leave-seat", "leave-after-round",
    # What the own calendar shows is told by tests/scoring/test_calendars.py.
    "own-calendar", "renew-calendar",
}  # fmt: skip


@pytest.fixture
def world(club, owner, director, scorer, member) -> SimpleNamespace:
    """A club with one of everything; nobody of the roles sits at its table."""
    season = SeasonFactory(club=club)
    event = EventFactory(season=season, running=True)
    table = TableFactory(round=RoundFactory(event=event))
    seats = list(table.seats.all())
    deal = TarotDeal.objects.create(
        table=table, number=1, entry_key="7a4c56a5-25a7-4fb1-b4cb-6d7adf4b4d1a", taker=seats[0],
        contract="garde", bouts=2, half_points=98, is_made=True, margin=8, author=scorer,
    )  # fmt: skip
    ranking = Ranking.objects.create(season=season)
    row = RankingRow.objects.create(
        ranking=ranking, player=seats[0].player, place=1, points=318, evenings=1, deals_played=1
    )
    RankingRow.objects.create(
        ranking=ranking, player=seats[1].player, place=2, points=-106, evenings=1, deals_played=1
    )
    championship = EventFactory(season=season, kind="tournament", game="truco", entrants="players")
    fixture_stage, later_stage = (
        Stage.objects.create(event=championship, number=n, kind="knockout", rounds_planned=1)
        for n in (1, 2)
    )
    link = JoinLinkFactory(event=event)
    sides = [EntryFactory(event=championship, number=n) for n in (1, 2)]
    fixture = Fixture.objects.create(
        stage=fixture_stage, code="F1-1", section="F", round=1, order=1, state="ready",
        home=sides[0], away=sides[1], format={"best_of": 1, "target": 12},
        home_from=f"entrant:{sides[0].pk}", away_from=f"entrant:{sides[1].pk}",
    )  # fmt: skip
    return SimpleNamespace(
        championship=championship, fixture_stage=fixture_stage, later_stage=later_stage,
        fixture=fixture,
        ranking=ranking, other=seats[1].player,
        list=ResultsImport.objects.create(
            club=club, form="csv", held_on="2026-10-01", rows=[["Ana", "3"]],
            roles=["player", "total"],
        ),
        club=club, season=season, event=event, table=table, deal=deal, row=row,
        player=seats[0].player, entry=seats[0].entry,
        stage=Stage.objects.create(event=event, number=1, rounds_planned=5, deals_per_round=4),
        ruling=Ruling.objects.create(
            event=event, kind="warning", entry=seats[0].entry, table=table, fault="exposed_card"
        ),
        call=RefereeCall.objects.create(table=table), this_round=table.round,
        link=link, phone=PhoneFactory(link=link),
        objection=Confirmation.objects.create(
            table=table, deal=deal, seat=seats[1], answer="objects", note="51", table_version=0
        ),
    )  # fmt: skip


def address_of(name: str, world: SimpleNamespace) -> str:
    about = OF_A_CLUB[name].about
    if about == "slug":
        return reverse(name, args=[world.club.slug])
    if about == "event and number":
        return reverse(name, args=[world.event.pk, world.table.number])
    if about == "two players":
        return reverse(name, args=[world.player.pk, world.other.pk])
    if about == "table and deal":
        return reverse(name, args=[world.table.pk, world.deal.pk])
    return reverse(name, args=[getattr(world, about).pk])


def outcome(client: Client, method: str, address: str) -> str:
    """What the visitor meets: "open", "sign in", "forbidden" or "hidden"."""
    response = getattr(client, method)(address)
    if response.status_code == 302 and response.url.startswith(reverse("sign-in")):
        return "sign in"
    return {403: "forbidden", 404: "hidden", 405: "wrong method", 500: "broken"}.get(
        response.status_code, "open"
    )


def met_at(name: str, client: Client, world: SimpleNamespace, *, method: str = "") -> str:
    """What the visitor meets at this address; what he changed there is taken back.

    So one world does for all addresses: to build it takes longer than to ask.
    """
    with transaction.atomic():
        met = outcome(client, method or OF_A_CLUB[name].method, address_of(name, world))
        transaction.set_rollback(True)
    cache.clear()
    return met


def named_patterns(resolver: URLResolver, prefix: str = "") -> set[str]:
    names = set()
    for pattern in resolver.url_patterns:
        if isinstance(pattern, URLPattern):
            names.add(pattern.name or "")
        elif not str(pattern.pattern).startswith(("admin/", "api/")):
            names |= named_patterns(pattern)
    return names


def test_every_address_says_who_may_use_it():
    assert named_patterns(get_resolver()) == OF_A_CLUB.keys() | OF_NO_CLUB


def test_what_a_club_keeps_for_itself_is_open_to_the_role_that_needs_it(
    role_name: str, role_client: Client, world: SimpleNamespace
):
    met = {name: met_at(name, role_client, world) for name in OF_A_CLUB}

    assert {name: how for name, how in met.items() if how not in expected(role_name, name)} == {}


def expected(role_name: str, name: str) -> set[str]:
    """What somebody of this role may meet at an address of a club that publishes nothing."""
    if role_name == "anonymous":
        return {"sign in", "hidden"}
    if role_name == "stranger":
        return {"hidden"}
    return {"open" if Role(role_name).may_act_as(OF_A_CLUB[name].least) else "forbidden"}


def test_what_a_club_publishes_is_open_to_the_world_and_nothing_else(
    world: SimpleNamespace, anonymous_client: Client, stranger_client: Client
):
    for row in (world.club, world.season, world.event, world.championship):
        row.publication = Publication.PUBLIC
        row.save(update_fields=["publication"])

    for client in (anonymous_client, stranger_client):
        met = {name: met_at(name, client, world) for name in OF_A_CLUB}

        assert {name for name, how in met.items() if how == "open"} == {
            name for name, address in OF_A_CLUB.items() if address.published
        }
        assert not set(met.values()) & {"wrong method", "broken"}


def test_a_change_is_refused_to_whoever_may_only_look(
    world: SimpleNamespace, stranger_client: Client, anonymous_client: Client
):
    """Posting to a page that also shows something is no way round its roles."""
    for client in (stranger_client, anonymous_client):
        met = {name: met_at(name, client, world, method=POST) for name in pages()}

        assert not set(met.values()) - {"sign in", "hidden", "wrong method"}, met


def test_a_page_answers_who_asks_for_its_headers_only(world: SimpleNamespace, owner_client: Client):
    """Link previews and monitors send HEAD."""
    met = {name: met_at(name, owner_client, world, method="head") for name in pages()}

    assert {name for name, how in met.items() if how != "open"} == set()


def pages() -> list[str]:
    return [name for name, address in OF_A_CLUB.items() if address.method == GET]


def test_a_player_writes_on_the_sheet_of_his_own_table_only(
    member, member_client: Client, world: SimpleNamespace
):
    player = member.players.get()
    own = TableFactory(round=world.table.round, players=[player, *_players(world.club, 3)])

    assert outcome(member_client, "get", reverse("record-deal", args=[own.pk])) == "open"
    assert (
        outcome(member_client, "get", reverse("record-deal", args=[world.table.pk])) == "forbidden"
    )


def test_a_proposed_draw_is_seen_by_directors_only(
    member_client: Client, director_client: Client, club: Club
):
    drawn = RoundFactory(event=EventFactory(season__club=club), drawn=True)
    table = TableFactory(round=drawn)

    assert outcome(member_client, "get", reverse("sheet", args=[table.pk])) in {
        "forbidden",
        "hidden",
    }
    assert outcome(director_client, "get", reverse("sheet", args=[table.pk])) == "open"


def test_who_has_left_the_club_is_a_stranger(member, member_client: Client, club: Club):
    membership = member.players.get().membership
    membership.left_on = membership.joined_on
    membership.save()

    assert outcome(member_client, "get", reverse("club", args=[club.slug])) == "hidden"


def _players(club: Club, count: int) -> list:
    return [PlayerFactory(club=club) for _ in range(count)]
