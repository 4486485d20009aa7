"""The wall: what a screen in the hall shows, to whom, and what asking again costs."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.models import Publication
from scoring.tasks import refresh_standings
from tests.factories import JoinLinkFactory, TableFactory
from tournaments import actions, phones

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

    assert phones.spoken(link.code) in Client().get(by_link(event)).content.decode()


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

    with django_assert_num_queries(6):
        client.get(address)
