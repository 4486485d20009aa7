"""A phone whose link has ended comes back by the new one, and goes on as who it was."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.factories import EventFactory, JoinLinkFactory, PhoneFactory, RoundFactory, TableFactory
from tests.reading import text_of
from tests.test_phones import client_with
from tournaments import actions, phones
from tournaments.models import Ended, JoinLink, Phone, Table

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(season) -> Table:
    event = EventFactory(season=season, running=True, starts_at=timezone.now())
    return TableFactory(round=RoundFactory(event=event))


@pytest.fixture(params=["card", "hall"])
def link(table, request) -> JoinLink:
    number = table.number if request.param == "card" else None
    return JoinLinkFactory(event=table.event, table_number=number)


@pytest.fixture
def phone(table, link) -> Phone:
    return PhoneFactory(link=link, seat=table.seats.get(place=1))


@pytest.fixture(params=["renewed", "run out"])
def anew(request, link, phone, director) -> JoinLink:
    """The link that was made in the place of the one by which the phone came."""
    if request.param == "renewed":
        return actions.renew_link(link=link, by=director)
    JoinLink.objects.filter(pk=link.pk).update(expires_at=timezone.now() - timedelta(hours=1))
    return actions.make_links(
        event=link.event, role=JoinLink.Role.PLAYER, by=director, tables=[link.table_number]
    )[0]


def address_of(link: JoinLink) -> str:
    return reverse("join-by-link", args=[phones.address_of(link)])


def own_place(table: Table) -> str:
    return reverse("own-place", args=[table.event.pk])


def test_behind_the_new_link_a_phone_whose_link_has_ended_is_shown_the_seats(table, phone, anew):
    page = client_with(phone).get(address_of(anew))

    assert page.status_code == 200
    said = text_of(page)
    assert "This phone is" not in said
    assert all(seat.player.shown_name in said for seat in table.seats.all())


def test_who_picks_the_seat_that_he_had_goes_on_as_himself(table, phone, anew):
    browser = client_with(phone)

    place = browser.post(address_of(anew), {"player": phone.player_id}, follow=True)

    assert place.redirect_chain[-1][0] == own_place(table)
    assert f"table 1, seat {table.seats.get(place=1).letter}" in text_of(place)
    phone.refresh_from_db()
    assert (phone.link, phone.ended(timezone.now())) == (anew, None)


def test_who_picks_another_seat_goes_on_as_that_one(table, phone, anew):
    browser = client_with(phone)
    other = table.seats.get(place=2)

    place = browser.post(address_of(anew), {"player": other.player_id}, follow=True)

    assert f"table 1, seat {other.letter}" in text_of(place)
    assert Phone.objects.get(removed_at=None).player == other.player


def test_the_page_of_codes_leads_no_phone_in_a_circle(table, phone, anew):
    browser: Client = client_with(phone)
    leads_to = f'href="{own_place(table)}"'

    assert leads_to not in browser.get(reverse("join")).content.decode()
    browser.post(address_of(anew), {"player": phone.player_id})
    assert leads_to in browser.get(reverse("join")).content.decode()


def test_a_link_that_had_run_out_is_not_said_to_be_taken_back(link, phone, director):
    JoinLink.objects.filter(pk=link.pk).update(expires_at=timezone.now() - timedelta(hours=1))

    actions.make_links(
        event=link.event, role=JoinLink.Role.PLAYER, by=director, tables=[link.table_number]
    )

    link.refresh_from_db()
    assert link.revoked_at is not None
    assert link.ended(timezone.now()) == Ended.EXPIRED
    phone = Phone.objects.get()
    assert phone.ended(timezone.now()) == Ended.EXPIRED
