from __future__ import annotations

import pytest
from django.urls import reverse

from tests.factories import RoundFactory, TableFactory
from tournaments.models import Event, Round

pytestmark = pytest.mark.django_db

#: For each page the lowest role that opens it; strangers and signed-out visitors never.
PAGES = {
    "edit-event": "director",
    "journal": "member",
    "check-in": "scorer",
    "draw": "director",
    "tables": "member",
    "print-table-cards": "scorer",
    "print-seating": "member",
}
ORDERS = {
    "presence": "scorer",
    "add-guest": "scorer",
    "draw-round": "director",
    "publish-round": "director",
    "discard-draw": "director",
    "withdraw-round": "director",
    "swap-players": "director",
    "close-round": "director",
    "reopen-round": "director",
    "change-deals": "director",
}


@pytest.fixture
def playing(evening) -> Round:
    """A round under way; who sits there does not matter here."""
    return TableFactory(round=RoundFactory(event=evening)).round


RANKS = ("member", "scorer", "director", "owner")


def expected(role: str, lowest: str, *, open_to_the_signed_out: bool = False) -> int:
    if role == "stranger":
        return 404
    if role == "anonymous":
        return 404 if open_to_the_signed_out else 302
    return 200 if RANKS.index(role) >= RANKS.index(lowest) else 403


@pytest.mark.parametrize("page", PAGES)
def test_a_page_opens_for_its_role_and_those_above(page, role_client, role_name, playing):
    answer = role_client.get(reverse(page, args=[playing.event.pk]))

    looks = page in {"tables", "print-seating"}
    assert answer.status_code == expected(role_name, PAGES[page], open_to_the_signed_out=looks)


@pytest.mark.parametrize("order", ORDERS)
def test_an_order_is_taken_from_its_role_and_those_above(order, role_client, role_name, playing):
    before = Event.objects.values().get()

    answer = role_client.post(reverse(order, args=[playing.event.pk]), {"name": "Kévin Riou"})

    allowed = expected(role_name, ORDERS[order])
    if allowed == 200:
        assert answer.status_code in {302, 409, 422}
    else:
        assert answer.status_code == allowed
        assert Event.objects.values().get() == before


@pytest.mark.parametrize("order", ORDERS)
def test_orders_are_posted(order, owner_client, playing):
    assert owner_client.get(reverse(order, args=[playing.event.pk])).status_code == 302


def test_planning_is_for_directors(role_client, role_name, club):
    answer = role_client.get(reverse("create-event", args=[club.slug]))

    assert answer.status_code == expected(role_name, "director")


def test_the_list_of_a_private_club_is_for_its_members(role_client, role_name, club):
    answer = role_client.get(reverse("evenings", args=[club.slug]))

    assert answer.status_code == expected(role_name, "member", open_to_the_signed_out=True)


@pytest.mark.parametrize("page", ["tables", "print-seating"])
def test_a_published_evening_of_a_public_club_is_for_everybody(page, role_client, playing, club):
    club.publication = "public"
    club.save()
    Event.objects.update(publication="public")

    answer = role_client.get(reverse(page, args=[playing.event.pk]))

    assert answer.status_code == 200


@pytest.mark.parametrize("name", ["stranger_client", "anonymous_client", "member_client"])
def test_whoever_only_looks_finds_no_orders(name, request, playing, club):
    club.publication = "public"
    club.save()
    Event.objects.update(publication="public")

    page = request.getfixturevalue(name).get(reverse("tables", args=[playing.event.pk]))

    assert b"close-round" not in page.content
    assert reverse("close-round", args=[playing.event.pk]).encode() not in page.content


def test_an_evening_that_is_not_there_is_not_found(owner_client, club):
    for page in (*PAGES, "draw"):
        assert owner_client.get(reverse(page, args=[999_999])).status_code == 404
