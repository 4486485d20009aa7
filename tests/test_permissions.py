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

RANK = {
    "member": Role.MEMBER,
    "scorer": Role.SCORER,
    "director": Role.DIRECTOR,
    "owner": Role.OWNER,
}


@dataclass(frozen=True, kw_only=True)
class Address:
    """An address of one club's data: what it is about, how it is asked, and the least role."""

    about: str
    least: Role
    method: str = "get"
    #: May the world see it when club, season and evening are published?
    published: bool = False


GET, POST = "get", "post"
OF_A_CLUB = {
    "club": Address(about="slug", least=Role.MEMBER, published=True),
    "evenings": Address(about="slug", least=Role.MEMBER, published=True),
    "ranking": Address(about="slug", least=Role.MEMBER, published=True),
    "records": Address(about="slug", least=Role.MEMBER, published=True),
    "share-club": Address(about="slug", least=Role.MEMBER),
    "results-feed": Address(about="slug", least=Role.MEMBER, published=True),
    "club-calendar": Address(about="slug", least=Role.MEMBER, published=True),
    "club-picture": Address(about="slug", least=Role.MEMBER, published=True),
    "event-calendar": Address(about="event", least=Role.MEMBER, published=True),
    "event-picture": Address(about="event", least=Role.MEMBER, published=True),
    "results-csv": Address(about="event", least=Role.MEMBER, published=True),
    "results-xlsx": Address(about="event", least=Role.MEMBER, published=True),
    "embed-ranking": Address(about="ranking", least=Role.MEMBER, published=True),
    "ranking-picture": Address(about="ranking", least=Role.MEMBER, published=True),
    "ranking-csv": Address(about="ranking", least=Role.MEMBER, published=True),
    "ranking-xlsx": Address(about="ranking", least=Role.MEMBER, published=True),
    "head-to-head": Address(about="two players", least=Role.MEMBER, published=True),
    "imports": Address(about="slug", least=Role.DIRECTOR),
    "import-list": Address(about="list", least=Role.DIRECTOR),
    "undo-import": Address(about="list", least=Role.DIRECTOR, method=POST),
    "discard-import": Address(about="list", least=Role.DIRECTOR, method=POST),
    "create-event": Address(about="slug", least=Role.DIRECTOR),
    "club-settings": Address(about="slug", least=Role.OWNER),
    "seasons": Address(about="slug", least=Role.MEMBER),
    "add-season": Address(about="slug", least=Role.DIRECTOR),
    "edit-season": Address(about="season", least=Role.DIRECTOR),
    "delete-season": Address(about="season", least=Role.DIRECTOR, method=POST),
    "publish-ranking": Address(about="season", least=Role.DIRECTOR, method=POST),
    "season-rankings": Address(about="season", least=Role.DIRECTOR),
    "add-ranking": Address(about="season", least=Role.DIRECTOR, method=POST),
    "edit-ranking": Address(about="ranking", least=Role.DIRECTOR),
    "delete-ranking": Address(about="ranking", least=Role.DIRECTOR, method=POST),
    "counting": Address(about="slug", least=Role.DIRECTOR),
    "rebuild-rankings": Address(about="slug", least=Role.DIRECTOR, method=POST),
    "players": Address(about="slug", least=Role.MEMBER),
    "add-player": Address(about="slug", least=Role.DIRECTOR),
    "player": Address(about="player", least=Role.MEMBER, published=True),
    "edit-player": Address(about="player", least=Role.DIRECTOR),
    "player-name": Address(about="player", least=Role.OWNER),
    "make-member": Address(about="player", least=Role.DIRECTOR, method=POST),
    "make-guest": Address(about="player", least=Role.DIRECTOR, method=POST),
    "change-role": Address(about="player", least=Role.OWNER, method=POST),
    "put-player-away": Address(about="player", least=Role.DIRECTOR, method=POST),
    "take-player-back": Address(about="player", least=Role.DIRECTOR, method=POST),
    "merge-player": Address(about="player", least=Role.DIRECTOR),
    "invite-player": Address(about="player", least=Role.DIRECTOR, method=POST),
    "event": Address(about="event", least=Role.MEMBER, published=True),
    "standings": Address(about="event", least=Role.MEMBER, published=True),
    "results": Address(about="event", least=Role.MEMBER, published=True),
    "make-final": Address(about="event", least=Role.DIRECTOR, method=POST),
    "provisional-hours": Address(about="event", least=Role.DIRECTOR, method=POST),
    "declare-tie-breaks": Address(about="event", least=Role.DIRECTOR, method=POST),
    "paper": Address(about="event", least=Role.SCORER),
    "print-paper": Address(about="event", least=Role.SCORER),
    "make-paper": Address(about="event", least=Role.SCORER, method=POST),
    "paper-file": Address(about="event", least=Role.SCORER),
    "cancel-event": Address(about="event", least=Role.DIRECTOR, method=POST),
    "edit-event": Address(about="event", least=Role.DIRECTOR),
    "journal": Address(about="event", least=Role.MEMBER),
    "close-event": Address(about="event", least=Role.DIRECTOR, method=POST),
    "reopen-event": Address(about="event", least=Role.DIRECTOR, method=POST),
    "publish-event": Address(about="event", least=Role.DIRECTOR, method=POST),
    "check-in": Address(about="event", least=Role.SCORER),
    "presence": Address(about="event", least=Role.SCORER, method=POST),
    "add-guest": Address(about="event", least=Role.SCORER, method=POST),
    "create-tournament": Address(about="slug", least=Role.DIRECTOR),
    "stages": Address(about="event", least=Role.DIRECTOR),
    "add-stage": Address(about="event", least=Role.DIRECTOR, method=POST),
    "change-stage": Address(about="stage", least=Role.DIRECTOR, method=POST),
    "remove-stage": Address(about="stage", least=Role.DIRECTOR, method=POST),
    "entries": Address(about="event", least=Role.SCORER),
    "enter-player": Address(about="event", least=Role.SCORER, method=POST),
    "entry-presence": Address(about="event", least=Role.SCORER, method=POST),
    "check-in-everybody": Address(about="event", least=Role.DIRECTOR, method=POST),
    "create-championship": Address(about="slug", least=Role.DIRECTOR),
    "fixture-stages": Address(about="championship", least=Role.DIRECTOR),
    "add-fixture-stage": Address(about="championship", least=Role.DIRECTOR, method=POST),
    "stage-settings": Address(about="fixture_stage", least=Role.DIRECTOR),
    "stage-slots": Address(about="later_stage", least=Role.DIRECTOR),
    "remove-fixture-stage": Address(about="fixture_stage", least=Role.DIRECTOR, method=POST),
    "draw-fixtures": Address(about="fixture_stage", least=Role.DIRECTOR, method=POST),
    "drop-fixtures": Address(about="fixture_stage", least=Role.DIRECTOR, method=POST),
    "next-fixtures": Address(about="fixture_stage", least=Role.DIRECTOR, method=POST),
    "decide-equals": Address(about="fixture_stage", least=Role.DIRECTOR, method=POST),
    "undo-equals": Address(about="fixture_stage", least=Role.DIRECTOR, method=POST),
    "fixtures": Address(about="championship", least=Role.MEMBER, published=True),
    "fixtures-board": Address(about="championship", least=Role.MEMBER, published=True),
    "call-fixtures": Address(about="championship", least=Role.DIRECTOR, method=POST),
    "fixture": Address(about="fixture", least=Role.MEMBER, published=True),
    "decide-fixture": Address(about="fixture", least=Role.DIRECTOR, method=POST),
    "undo-fixture": Address(about="fixture", least=Role.DIRECTOR, method=POST),
    "penalise-side": Address(about="fixture", least=Role.DIRECTOR, method=POST),
    "cancel-fixture": Address(about="fixture", least=Role.DIRECTOR, method=POST),
    "side-leaves": Address(about="entry", least=Role.DIRECTOR, method=POST),
    "put-in-reserve": Address(about="entry", least=Role.DIRECTOR, method=POST),
    "import-entries": Address(about="event", least=Role.DIRECTOR, method=POST),
    "draw-partners": Address(about="event", least=Role.DIRECTOR, method=POST),
    "leave-event": Address(about="event", least=Role.MEMBER),
    "entry": Address(about="entry", least=Role.SCORER),
    "withdraw-entry": Address(about="entry", least=Role.DIRECTOR, method=POST),
    "return-entry": Address(about="entry", least=Role.DIRECTOR, method=POST),
    "replace-entry": Address(about="entry", least=Role.DIRECTOR, method=POST),
    "prohibit-pair": Address(about="entry", least=Role.DIRECTOR, method=POST),
    "allow-pair": Address(about="entry", least=Role.DIRECTOR, method=POST),
    "draw": Address(about="event", least=Role.DIRECTOR),
    "draw-round": Address(about="event", least=Role.DIRECTOR, method=POST),
    "decide-cut": Address(about="event", least=Role.DIRECTOR, method=POST),
    "publish-round": Address(about="event", least=Role.DIRECTOR, method=POST),
    "discard-draw": Address(about="event", least=Role.DIRECTOR, method=POST),
    "swap-players": Address(about="event", least=Role.DIRECTOR, method=POST),
    "withdraw-round": Address(about="event", least=Role.DIRECTOR, method=POST),
    "tables": Address(about="event", least=Role.MEMBER, published=True),
    "table-sheet": Address(about="event and number", least=Role.MEMBER, published=True),
    "close-round": Address(about="event", least=Role.DIRECTOR, method=POST),
    "reopen-round": Address(about="event", least=Role.DIRECTOR, method=POST),
    "change-deals": Address(about="event", least=Role.DIRECTOR, method=POST),
    "print-table-cards": Address(about="event", least=Role.SCORER),
    "print-seating": Address(about="event", least=Role.MEMBER, published=True),
    "referee": Address(about="event", least=Role.MEMBER),
    "record-ruling": Address(about="event", least=Role.DIRECTOR, method=POST),
    "withdraw-ruling": Address(about="ruling", least=Role.DIRECTOR, method=POST),
    "go-to-call": Address(about="call", least=Role.DIRECTOR, method=POST),
    "answer-call": Address(about="call", least=Role.DIRECTOR, method=POST),
    "call-referee": Address(about="table", least=Role.SCORER, method=POST),
    "change-seats": Address(about="event", least=Role.DIRECTOR),
    "undo-change": Address(about="event", least=Role.DIRECTOR, method=POST),
    "sign-sheet": Address(about="table", least=Role.SCORER, method=POST),
    "unsign-sheet": Address(about="table", least=Role.SCORER, method=POST),
    "change-clock": Address(about="event", least=Role.DIRECTOR, method=POST),
    "extend-table": Address(about="event", least=Role.DIRECTOR, method=POST),
    "sheet": Address(about="table", least=Role.MEMBER, published=True),
    "print-sheet": Address(about="table", least=Role.MEMBER, published=True),
    "record-deal": Address(about="table", least=Role.SCORER),
    "choose-dealer": Address(about="table", least=Role.SCORER, method=POST),
    "undo-deal": Address(about="table", least=Role.SCORER, method=POST),
    "correct-deal": Address(about="table and deal", least=Role.SCORER),
    "void-deal": Address(about="table and deal", least=Role.SCORER),
    "confirm-deal": Address(about="table and deal", least=Role.SCORER),
    "object-to-deal": Address(about="table and deal", least=Role.SCORER),
    "agreement": Address(about="table and deal", least=Role.MEMBER, published=True),
    "entering": Address(about="table", least=Role.SCORER, method=POST),
    "settle-objection": Address(about="objection", least=Role.DIRECTOR, method=POST),
    "projector": Address(about="event", least=Role.MEMBER, published=True),
    "change-wall-note": Address(about="event", least=Role.DIRECTOR, method=POST),
    "floor": Address(about="event", least=Role.DIRECTOR),
    "change-confirmation": Address(about="event", least=Role.DIRECTOR, method=POST),
    "freeze-round": Address(about="this_round", least=Role.DIRECTOR, method=POST),
    "take-over": Address(about="table", least=Role.DIRECTOR, method=POST),
    "links": Address(about="event", least=Role.DIRECTOR),
    "make-links": Address(about="event", least=Role.DIRECTOR, method=POST),
    "revoke-link": Address(about="link", least=Role.DIRECTOR, method=POST),
    "renew-link": Address(about="link", least=Role.DIRECTOR, method=POST),
    "remove-phone": Address(about="phone", least=Role.DIRECTOR, method=POST),
    "why-rank": Address(about="row", least=Role.MEMBER, published=True),
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
    return {"open" if RANK[role_name].may_act_as(OF_A_CLUB[name].least) else "forbidden"}


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
