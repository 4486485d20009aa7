"""A cache on the way never shows what a change has overtaken: every public address, every change.

A page that was kept is asked for again with its mark, or with the time of its last change. Where
somebody who asks for the first time gets other bytes by now, neither may be told to keep it.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.core.cache import cache
from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs import actions as club_actions
from clubs.attempts import Limit
from clubs.models import Club, Membership, Player, Publication, Season
from scoring import actions, tasks
from scoring.models import Ranking, StaleRanking, StaleStandings
from scoring.rankings.methods import PRESETS, Method, Settings
from scoring.views import limits
from tests.factories import (
    EntryFactory,
    EventFactory,
    MembershipFactory,
    PlayerFactory,
    RoundFactory,
    SeasonFactory,
    TableFactory,
)
from tests.scoring.conftest import garde, record_on
from tests.test_permissions import OF_A_CLUB
from tournaments import actions as tournament_actions
from tournaments.models import Event, Fixture, Stage

pytestmark = pytest.mark.django_db

World = SimpleNamespace


@pytest.fixture
def world(club, director, monkeypatch) -> World:
    """A club that publishes a tournament that is over, an evening under way, and what comes."""
    monkeypatch.setattr(limits, "PAGES", Limit(name="none", most=10**6, seconds=60))
    season = SeasonFactory(club=club, public=True)
    club.publication = Publication.PUBLIC
    club.save()
    players = [
        MembershipFactory(player__club=club, player__name=f"{first} Martin").player
        for first in ("Ana", "Bernard", "Colette")
    ]
    Membership.objects.update(joined_on=timezone.localdate() - timedelta(days=900))
    guest = PlayerFactory(club=club, name="Gaëlle R")
    world = World(
        club=club, season=season, by=director, players=players, guest=guest,
        over=_tournament(season, [*players, guest], director),
        tonight=_evening(season, [*players, PlayerFactory(club=club)], director),
        soon=EventFactory(season=season, public=True, starts_at=timezone.now() + timedelta(days=3)),
        championship=_championship(season),
    )  # fmt: skip
    settle(world)
    world.ranking = Ranking.objects.get(season=season, game="tarot")
    world.cup = actions.add_ranking(season=season, preset=PRESETS[1], entry_key=uuid.uuid4())
    change_ranking(world.cup, name="Coupe d’hiver", state=Ranking.State.PROVISIONAL)
    settle(world)
    return world


def _tournament(season, players, by) -> Event:
    event = EventFactory(season=season, public=True, running=True, kind="tournament")
    table = TableFactory(round=RoundFactory(event=event), players=players, deals_planned=2)
    record_on(table, by, points=49)
    record_on(table, by, points=61, taker=1)
    actions.sign_sheet(table=table, by=by)
    tournament_actions.close_round(this_round=table.round, by=by)
    return actions.close_event(event=event, by=by)


def _evening(season, players, by) -> Event:
    event = EventFactory(season=season, public=True, running=True)
    table = TableFactory(round=RoundFactory(event=event), players=players)
    record_on(table, by, points=44)
    record_on(table, by, points=71, taker=2)
    return event


def _championship(season) -> Event:
    event = EventFactory(season=season, public=True, kind="tournament", game="truco", ruleset={})
    stage = Stage.objects.create(event=event, number=1, kind="knockout", rounds_planned=1)
    home, away = (EntryFactory(event=event, number=number) for number in (1, 2))
    Fixture.objects.create(
        stage=stage, code="F1-1", section="F", round=1, order=1, state="ready", home=home,
        away=away, format={"best_of": 1, "target": 12}, home_from=f"entrant:{home.pk}",
        away_from=f"entrant:{away.pk}",
    )  # fmt: skip
    return event


def settle(world: World) -> bool:
    """Count all that waits to be counted; was there anything?"""
    waits = StaleStandings.objects.exists() or StaleRanking.objects.exists()
    for event in Event.objects.order_by("pk"):
        tasks.refresh_standings(event.pk)
    tasks.refresh_ranking(world.season.pk)
    return waits


def change_ranking(ranking: Ranking, **told) -> Ranking:
    ranking.refresh_from_db()
    given = {
        "seen_version": ranking.version, "name": ranking.name, "method": Method(ranking.method),
        "settings": Settings.from_json(ranking.settings), "state": Ranking.State(ranking.state),
        "order": ranking.order,
    }  # fmt: skip
    return actions.change_ranking(ranking=ranking, **{**given, **told})


# What the world may open


def addresses(world: World) -> list[str]:
    """Give every published address: of evenings, tables, players, rankings, lines of each kind."""
    events = [world.over.pk, world.tonight.pk]
    tables = [event.rounds.get().tables.get() for event in (world.over, world.tonight)]
    changed, guest = world.players[0].pk, world.guest.pk
    about = {
        "slug": [(world.club.slug,)],
        "event": [(pk,) for pk in events],
        "championship": [(world.championship.pk,)],
        "fixture": [(Fixture.objects.get().pk,)],
        "event and number": [(pk, 1) for pk in events],
        "table": [(table.pk,) for table in tables],
        "table and deal": [(table.pk, table.tarot_deals.standing().first().pk) for table in tables],
        "ranking": [(world.ranking.pk,), (world.cup.pk,)],
        "player": [(changed,), (guest,)],
        "two players": [(changed, guest)],
        "row": [(row.rows.get(player=changed).pk,) for row in (world.ranking, world.cup)],
    }
    found = [
        reverse(name, args=args)
        for name, address in OF_A_CLUB.items()
        if address.published
        for args in about[address.about]
    ]
    return [
        *found,
        reverse("home"),
        reverse("event", args=[world.soon.pk]),
        reverse("event-calendar", args=[world.soon.pk]),
        reverse("standings", args=[world.tonight.pk]) + "?projector=",
        reverse("results", args=[world.over.pk]) + "?version=1",
        reverse("results", args=[world.over.pk]) + "?after=1",
        reverse("ranking", args=[world.club.slug]) + f"?ranking={world.cup.pk}",
        reverse("ranking", args=[world.club.slug]) + "?player=martin",
    ]


class Kept:
    """Every page as a cache has it, with its mark and the time of its last change."""

    def __init__(self, addresses: list[str]) -> None:
        self.pages = {address: first(address) for address in addresses}

    def overtaken(self) -> list[str]:
        """Give the addresses that answer otherwise by now."""
        return [
            address
            for address, kept in self.pages.items()
            if shown_by(first(address)) != shown_by(kept)
        ]

    def is_still_good(self, address: str) -> bool:
        """Is whoever has the kept page told that it still holds, by its mark or by its time?"""
        headers = self.pages[address].headers
        asked = [
            {"If-None-Match": headers.get("ETag")},
            {"If-Modified-Since": headers.get("Last-Modified")},
        ]
        answers = [
            Client().get(address, headers=each) for each in asked if None not in each.values()
        ]
        return any(answer.status_code == 304 for answer in answers)


def first(address: str):
    """Ask as somebody who has asked for nothing before."""
    return Client().get(address)


def shown_by(response) -> tuple[int, bytes]:
    return response.status_code, response.content


# What changes


def correct(world: World) -> None:
    for event in (world.over, world.tonight):
        table = event.rounds.get().tables.get()
        deal = table.tarot_deals.standing().get(number=1)
        actions.correct_tarot_deal(
            deal=deal, corrected=garde(table, points=80), entry_key=uuid.uuid4(), taker=deal.taker,
            by=world.by,
        )  # fmt: skip


def declare_void(world: World) -> None:
    for event in (world.over, world.tonight):
        deal = event.rounds.get().tables.get().tarot_deals.standing().get(number=1)
        actions.void_deal(deal=deal, reason="misdeal", by=world.by)


def enter(world: World) -> None:
    record_on(world.tonight.rounds.get().tables.get(), world.by, points=55)


def rule(world: World) -> None:
    for event in (world.over, world.tonight):
        world.ruling = actions.record_ruling(
            event=event, fault="exposed_card", kind="penalty", points=77, by=world.by,
            entry=event.entries.order_by("pk").first(),
        )  # fmt: skip


def take_ruling_back(world: World) -> None:
    actions.withdraw_ruling(ruling=world.ruling, why="a mistake", by=world.by)


def fresh(player: Player) -> Player:
    return Player.objects.select_related("club").get(pk=player.pk)


def rename(world: World) -> None:
    club_actions.change_player(
        player=fresh(world.players[0]), name="Anabelle Durand", table_name=""
    )


def choose_name(shown_as: str) -> Callable[[World], None]:
    def choose(world: World) -> None:
        club_actions.choose_shown_name(
            player=fresh(world.players[0]), shown_as=shown_as, pseudonym="Nuage"
        )

    return choose


def merge(world: World) -> None:
    newcomer = MembershipFactory(player__club=world.club, player__name="Gaëlle Riou").player
    actions.merge_players(guest=fresh(world.guest), into=newcomer, by=world.by, at=timezone.now())


def withdraw(world: World) -> None:
    entry = world.tonight.entries.get(players=world.players[1])
    tournament_actions.withdraw_entry(entry=entry, by=world.by)


def leave_the_club(world: World) -> None:
    yesterday = timezone.localdate() - timedelta(days=1)
    club_actions.make_guest(player=fresh(world.players[2]), on=yesterday)


def join_the_club(world: World) -> None:
    club_actions.make_member(player=fresh(world.guest), on=timezone.localdate())


def change_event(**changes) -> Callable[[World], None]:
    def change(world: World) -> None:
        for event in (world.over, world.tonight, world.soon):
            tournament_actions.change_event(event=event, by=world.by, **changes)

    return change


def move(world: World) -> None:
    moved = world.soon.starts_at + timedelta(days=1)
    tournament_actions.change_event(event=world.soon, by=world.by, starts_at=moved)


def cancel(world: World) -> None:
    tournament_actions.cancel_event(event=world.soon)


def change_season(**changes) -> Callable[[World], None]:
    def change(world: World) -> None:
        season = Season.objects.get(pk=world.season.pk)
        given = {
            "name": season.name, "starts_on": season.starts_on, "ends_on": season.ends_on,
            "publication": season.publication,
        }  # fmt: skip
        club_actions.change_season(season=season, **{**given, **changes})

    return change


def change_club(**changes) -> Callable[[World], None]:
    def change(world: World) -> None:
        club = Club.objects.get(pk=world.club.pk)
        given = {
            name: getattr(club, name) for name in ("name", "town", "about", "language",
                                                   "publication", "shows_sheets", "embed_origins")
        }  # fmt: skip
        club_actions.change_club(club=club, **{**given, **changes})

    return change


def change_the_ranking(**told) -> Callable[[World], None]:
    def change(world: World) -> None:
        change_ranking(world.cup, **told)

    return change


def delete_ranking(world: World) -> None:
    actions.delete_ranking(ranking=world.cup)


def reorder_rankings(world: World) -> None:
    change_ranking(world.ranking, order=9)


def close_evening(world: World) -> None:
    actions.close_event(event=world.tonight, by=world.by, without_missing=True)


def reopen(world: World) -> None:
    actions.reopen_event(event=world.over, by=world.by)


def make_final(world: World) -> None:
    actions.declare_final(event=world.over, by=world.by, without_missing=True)


def close_round(world: World) -> None:
    tournament_actions.close_round(
        this_round=world.tonight.rounds.get(), by=world.by, without_missing=True
    )


def enter_somebody(world: World) -> None:
    tournament_actions.check_in(event=world.soon, player=fresh(world.guest), by=world.by)


def say_on_the_wall(world: World) -> None:
    tournament_actions.say_on_the_wall(event=world.tonight, words="Soup is ready", by=world.by)


def decide_fixture(world: World) -> None:
    actions.decide_fixture(
        fixture=Fixture.objects.get(), by=world.by, ending="played", winner="home",
        scores=[(12, 7)],
    )  # fmt: skip


CHANGES: dict[str, dict[str, Callable[[World], None]]] = {
    "sheets": {
        "a deal is corrected": correct,
        "a deal is void": declare_void,
        "a deal is entered": enter,
        "a penalty is given": rule,
        "a round is closed": close_round,
        "an evening is closed": close_evening,
        "a tournament is reopened": reopen,
        "results are final": make_final,
        "a fixture is decided": decide_fixture,
    },
    "people": {
        "a player is renamed": rename,
        "a player takes a pseudonym": choose_name("pseudonym"),
        "a player hides the name": choose_name("hidden"),
        "a guest is merged": merge,
        "a player withdraws": withdraw,
        "a member becomes a guest": leave_the_club,
        "a guest becomes a member": join_the_club,
        "somebody comes": enter_somebody,
    },
    "evenings": {
        "they are for members": change_event(publication=Publication.CLUB),
        "they have another title": change_event(title="Coupe Renommée"),
        "one is moved": move,
        "one is cancelled": cancel,
        "the director says something": say_on_the_wall,
        "the season is for members": change_season(publication=Publication.CLUB),
        "the season has another name": change_season(name="Saison Renommée"),
    },
    "the club": {
        "it is private": change_club(publication=Publication.CLUB),
        "it keeps its sheets": change_club(shows_sheets=False),
        "it has another name": change_club(name="Cercle Renommé", town="Rennes"),
        "it says something else": change_club(about="Every Friday."),
        "it speaks another language": change_club(language="fr"),
    },
    "rankings": {
        "one counts otherwise": change_the_ranking(method=Method.AVERAGE),
        "one has another name": change_the_ranking(name="Coupe du printemps"),
        "one is a draft": change_the_ranking(state=Ranking.State.DRAFT),
        "one is final": change_the_ranking(state=Ranking.State.FINAL),
        "one is deleted": delete_ranking,
        "another one comes first": reorder_rankings,
    },
}


@pytest.mark.parametrize("what", CHANGES)
def test_no_address_shows_what_a_change_has_overtaken(what: str, world):
    kept = Kept(addresses(world))
    stale, without_effect = {}, []

    for name, change in CHANGES[what].items():
        with taken_back():
            change(world)
            overtaken = kept.overtaken()
            stale[name] = set(filter(kept.is_still_good, overtaken))
            if settle(world):
                overtaken = kept.overtaken()
                stale[name] |= set(filter(kept.is_still_good, overtaken))
        if not overtaken:
            without_effect.append(name)

    assert {name: found for name, found in stale.items() if found} == {}
    assert without_effect == []


@contextmanager
def taken_back() -> Iterator[None]:
    """Take back what is done meanwhile: to build a world takes longer than to change it."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)
    cache.clear()


def test_no_address_shows_a_penalty_that_was_taken_back(world):
    rule(world)
    settle(world)
    kept = Kept(addresses(world))

    take_ruling_back(world)
    settle(world)

    overtaken = kept.overtaken()
    assert overtaken
    assert not [address for address in overtaken if kept.is_still_good(address)]


def test_what_nothing_has_overtaken_is_not_sent_again(world):
    kept = Kept(addresses(world))

    marked = [address for address, page in kept.pages.items() if "ETag" in page.headers]

    assert len(marked) > 40
    assert [address for address in marked if not kept.is_still_good(address)] == []
