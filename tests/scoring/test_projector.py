"""The wall: what a screen in the hall shows, to whom, and what asking again costs."""

from __future__ import annotations

import html
import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.models import Player, Publication
from scoring.tasks import refresh_standings
from tests.factories import EventFactory, JoinLinkFactory, RoundFactory, TableFactory
from tests.reading import text_of
from tournaments import actions, phones
from tournaments.models import Entry, EntryPlayer, Event, Seat, Table

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}


@pytest.fixture
def event(table):
    return table.event


def by_link(event) -> str:
    link = event.join_links.filter(role="wall").first()
    return phones.path_of(link or JoinLinkFactory(event=event, role="wall"))


def test_a_screen_without_an_account_shows_where_everybody_sits(event, table):
    page = Client().get(by_link(event)).content.decode()

    assert "Where everybody sits" in page
    assert f"<b>{table.number}A</b>" in page or f"<b>{table.number}N</b>" in page


def test_another_address_shows_nothing(event):
    of_players = phones.address_of(JoinLinkFactory(event=event))
    of_another = phones.address_of(JoinLinkFactory(role="wall"))

    for key in ("0" * 38, of_players, of_another):
        wrong = reverse("projector-by-link", args=[event.pk, key])
        assert Client().get(wrong).status_code == 404


def test_a_link_that_was_taken_back_says_so_to_the_screen_that_shows_the_wall(event, director):
    address, client = by_link(event), Client()
    tag = client.get(address, headers=HTMX).headers["ETag"]

    actions.revoke_link(link=event.join_links.get(role="wall"), by=director)

    asked = client.get(address, headers={**HTMX, "If-None-Match": tag})
    assert (asked.status_code, asked.headers["HX-Refresh"]) == (410, "true")
    page = client.get(address)
    assert page.status_code == 410
    assert "This link was taken back." in page.content.decode()


def test_a_link_that_has_run_out_opens_nothing(event):
    address, client = by_link(event), Client()
    tag = client.get(address, headers=HTMX).headers["ETag"]

    event.join_links.update(expires_at=timezone.now())

    asked = client.get(address, headers={**HTMX, "If-None-Match": tag})
    assert asked.status_code == 410
    assert "This link has run out." in client.get(address).content.decode()


def test_a_renewed_link_opens_the_wall_at_another_address(event, director_client):
    old = by_link(event)
    link = event.join_links.get(role="wall")

    director_client.post(reverse("renew-link", args=[link.pk]))

    new = phones.path_of(event.join_links.get(role="wall", revoked_at=None))
    assert Client().get(old).status_code == 410
    assert Client().get(new).status_code == 200
    assert new in director_client.get(reverse("links", args=[event.pk])).content.decode()
    assert new in director_client.get(reverse("projector", args=[event.pk])).content.decode()


def test_the_wall_goes_on_with_the_results_after_the_end(event):
    address = by_link(event)
    type(event).objects.filter(pk=event.pk).update(state="closed")

    assert "Results" in Client().get(address).content.decode()


def test_no_phone_joins_by_the_link_of_the_wall(event):
    address = by_link(event)
    link = event.join_links.get(role="wall")

    answer = Client().post(reverse("join"), {"code": link.code}, follow=True)

    assert answer.redirect_chain[-1][0] == address
    assert not event.phones.exists()


def test_the_wall_tells_names_as_they_are_told_to_the_world(event, table):
    player = table.seats.first().player
    player.shown_as, player.pseudonym = "pseudonym", "Le Renard"
    player.save()

    page = Client().get(by_link(event)).content.decode()

    assert "Le Renard" in page
    assert player.name not in page


def test_the_director_says_something_to_the_hall_and_takes_it_away(event, director_client):
    address = reverse("change-wall-note", args=[event.pk])

    director_client.post(address, {"words": "Soup is ready"})
    assert "Soup is ready" in Client().get(by_link(event)).content.decode()

    director_client.post(address, {"words": ""})
    assert "wall-note" not in Client().get(by_link(event)).content.decode()
    assert event.journal.filter(kind="changed").count() == 2


def test_the_wall_shows_how_a_phone_comes_in(event):
    link = JoinLinkFactory(event=event)

    assert phones.spoken(link.code) in Client().get(by_link(event) + "?show=join").text


@pytest.mark.parametrize("name", ["standings", "projector"])
def test_what_has_not_changed_is_answered_from_one_read(
    name, event, director_client, record, django_assert_num_queries
):
    record()
    address = reverse(name, args=[event.pk])
    tag = director_client.get(address, headers=HTMX).headers["ETag"]

    # The visitor's session is the other read.
    with django_assert_num_queries(2):
        again = director_client.get(address, headers={**HTMX, "If-None-Match": tag})

    assert again.status_code == 304


def test_a_screen_by_link_costs_one_read_and_no_other(event, django_assert_num_queries):
    address, client = by_link(event), Client()
    tag = client.get(address, headers=HTMX).headers["ETag"]

    with django_assert_num_queries(1):
        again = client.get(address, headers={**HTMX, "If-None-Match": tag})

    assert again.status_code == 304


@pytest.mark.parametrize("name", ["standings", "projector"])
def test_what_has_changed_is_told(name, event, director, director_client, record):
    address = reverse(name, args=[event.pk])

    def tag() -> str:
        return director_client.get(address, headers=HTMX).headers["ETag"]

    tags = [tag()]
    record()
    tags.append(tag())
    refresh_standings(event.pk)
    tags.append(tag())
    actions.say_on_the_wall(event=event, words="Soup is ready", by=director)
    tags.append(tag())
    event.publication = Publication.PUBLIC
    event.save(update_fields=["publication"])
    tags.append(tag())

    assert len(set(tags)) == 5


@pytest.mark.parametrize("more_tables", [0, 3])
def test_the_wall_asks_as_often_for_many_as_for_few(
    event, table, more_tables, django_assert_num_queries
):
    for _ in range(more_tables):
        TableFactory(round=table.round)
    address, client = by_link(event), Client()

    with django_assert_num_queries(8):
        client.get(address)


# Screens


def walls_of(event) -> dict[str, str]:
    """Give what a screen asks for at each wall of an event, up to its first row."""
    return {
        "seating": by_link(event) + "?show=seating&first=",
        "standings": by_link(event) + "?show=standings&first=",
        "board": reverse("standings", args=[event.pk]) + "?projector=&first=",
    }


def link(page: str, way: str) -> str:
    return html.unescape(re.findall(rf'rel="{way}" href="([^"]*)"', page)[0])


def hall_of(season, players: int) -> Event:
    """An evening that is played by so many, each with a place."""
    event = EventFactory(season=season, running=True, publication=Publication.PUBLIC)
    this_round = RoundFactory(event=event)
    people = Player.objects.bulk_create(
        Player(club=season.club, name=f"Player {n:05d}", sort_name=f"player {n:05d}")
        for n in range(1, players + 1)
    )
    entries = Entry.objects.bulk_create(
        Entry(event=event, number=n, place=n, points=players - n, deals_played=4)
        for n in range(1, players + 1)
    )
    tables = Table.objects.bulk_create(
        Table(round=this_round, number=n, players_per_deal=4, deals_planned=4, deals_recorded=3)
        for n in range(1, players // 4 + 1)
    )
    pairs = list(zip(people, entries, strict=True))
    EntryPlayer.objects.bulk_create(
        EntryPlayer(event=event, entry=entry, player=player) for player, entry in pairs
    )
    Seat.objects.bulk_create(
        Seat(round=this_round, table=tables[n // 4], place=n % 4 + 1, player=player, entry=entry)
        for n, (player, entry) in enumerate(pairs)
    )
    return event


@pytest.fixture
def published(season):
    season.club.publication = Publication.PUBLIC
    season.club.save()
    return season


#: Screens of an evening of eight are shorter; from there on they all weigh the same.
@pytest.mark.parametrize(("players", "most"), [(8, 9_000), (800, 11_000), (5000, 11_000)])
def test_a_screen_weighs_the_same_in_an_evening_of_thousands(
    published, players, most, django_assert_num_queries
):
    event, client = hall_of(published, players), Client()

    for name, address in walls_of(event).items():
        for first in {1, players - 7}:
            with django_assert_num_queries({"seating": 8, "standings": 8, "board": 7}[name]):
                answer = client.get(f"{address}{first}")
            assert "<li>" in answer.text
            assert len(answer.content) < most, (name, len(answer.content))


def test_who_follows_the_screens_reads_everybody_once_and_comes_back(published):
    event, client = hall_of(published, 72), Client()

    first = address = by_link(event) + "?show=seating&first=1"
    found: list[str] = []
    while True:
        page = client.get(address).text
        found += re.findall(r"<li>.*?<span>(Player \d+)</span>", page)
        address = link(page, "next")
        if address == first:
            break

    everybody = [f"Player {n:05d}" for n in range(1, 73)]
    assert found == everybody + everybody


def test_a_list_that_has_become_shorter_makes_room_for_the_next(published):
    event = hall_of(published, 72)

    page = text_of(Client().get(by_link(event) + "?show=seating&first=91"))

    assert "Where everybody sits" not in page
    assert "1– 14 of 72" in page


@pytest.mark.parametrize("asked", ["show=nothing", "first=-3", "first=x", "show=" + "x" * 300])
def test_an_address_that_means_no_screen_shows_the_first(published, asked):
    event = hall_of(published, 72)

    assert "1– 30 of 72" in text_of(Client().get(f"{by_link(event)}?{asked}"))


def test_a_wall_of_one_screen_has_no_way_to_turn(published):
    event = hall_of(published, 8)
    event.rounds.update(state="closed")

    page = Client().get(by_link(event)).text

    assert link(page, "next").endswith("show=standings&first=1")
    assert "data-alone hidden" in page


def test_another_screen_has_another_tag_and_the_same_one_is_unchanged(
    published, django_assert_num_queries
):
    event, client = hall_of(published, 72), Client()
    first = client.get(by_link(event), headers=HTMX)
    asked = {**HTMX, "If-None-Match": first.headers["ETag"]}

    turned = client.get(link(first.text, "next"), headers=asked)
    asked["If-None-Match"] = turned.headers["ETag"]
    with django_assert_num_queries(1):
        again = client.get(link(first.text, "next"), headers=asked)

    assert (turned.status_code, again.status_code) == (200, 304)
