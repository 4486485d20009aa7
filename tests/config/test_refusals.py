"""Refused requests: a page that htmx feeds stays as it is, and no address is a dead end."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import get_resolver, reverse
from django.urls.resolvers import URLPattern, URLResolver

from tests.factories import EventFactory, RoundFactory, SeasonFactory, TableFactory
from tournaments.models import Event, RefereeCall, Ruling, Stage

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}


@pytest.fixture
def evening(club) -> Event:
    return EventFactory(season=SeasonFactory(club=club), running=True)


@pytest.fixture
def table(evening):
    return TableFactory(round=RoundFactory(event=evening))


def test_a_part_for_a_signed_out_visitor_is_a_401_and_no_sign_in_page(client, table):
    address = reverse("record-deal", args=[table.pk])

    assert client.post(address, headers=HTMX).status_code == 401
    assert client.post(address, headers=HTMX).content == b""
    assert client.post(address).url.startswith("/sign-in/?next=")


def test_a_part_sent_with_an_old_token_is_told_so_and_given_a_new_one(scorer, table):
    client = Client(enforce_csrf_checks=True)
    client.force_login(scorer)
    address = reverse("undo-deal", args=[table.pk])

    refused = client.post(address, headers=HTMX)

    assert (refused.status_code, refused.headers["Refused"]) == (403, "page-too-old")
    token = client.cookies["csrftoken"].value
    again = client.post(address, headers={**HTMX, "X-CSRFToken": token})
    assert again.status_code == 422


def test_a_page_sent_with_an_old_token_says_that_it_was_too_old(scorer, table):
    client = Client(enforce_csrf_checks=True)
    client.force_login(scorer)

    refused = client.post(reverse("undo-deal", args=[table.pk]))

    assert refused.status_code == 403
    assert "This page was too old" in refused.content.decode()


def test_every_page_carries_the_words_for_a_request_that_fails(client):
    page = client.get("/").content.decode()

    said = re.findall(r'data-when="([a-z-]+)" hidden>([^<]+)', page)
    assert [what for what, _words in said] == [
        "signed-out", "page-too-old", "another", "offline", "unheard", "under-way", "busy",
        "broken", "refused",
    ]  # fmt: skip
    assert all(words.strip() for _what, words in said)


@pytest.mark.parametrize(
    ("address", "page"),
    [
        ("/evenings/{event}/tables/close/", "/evenings/{event}/tables/"),
        ("/evenings/{event}/draw/new/", "/evenings/{event}/draw/"),
        ("/evenings/{event}/clock/", "/evenings/{event}/"),
        ("/tables/{table}/undo/", "/tables/{table}/"),
        ("/preferences/", "/"),
        ("/seasons/{season}/publish/", "/clubs/{club}/ranking/"),
        ("/stages/{stage}/remove/", "/evenings/{event}/stages/"),
        ("/rulings/{ruling}/withdraw/", "/evenings/{event}/referee/"),
        ("/calls/{call}/answer/", "/evenings/{event}/referee/"),
    ],
)
def test_an_address_that_only_takes_what_is_sent_leads_to_its_page(
    owner_client, evening, table, address, page
):
    keys = {
        "event": evening.pk,
        "table": table.pk,
        "season": evening.season_id,
        "club": evening.club.slug,
        "stage": Stage.objects.create(
            event=evening, number=1, rounds_planned=2, deals_per_round=4
        ).pk,
        "ruling": Ruling.objects.create(event=evening, kind="decision", fault="other").pk,
        "call": RefereeCall.objects.create(table=table).pk,
    }

    answer = owner_client.get(address.format(**keys))

    assert (answer.status_code, answer.url) == (302, page.format(**keys))
    assert owner_client.get(answer.url).status_code == 200


def _patterns(resolver: URLResolver, before: str = ""):
    for each in resolver.url_patterns:
        route = before + str(each.pattern)
        if isinstance(each, URLPattern):
            yield route
        elif not route.startswith(("admin/", "api/")):
            yield from _patterns(each, route)


def test_no_address_answers_a_link_with_a_wrong_method(owner_client, evening, table):
    keys = {"pk": evening.pk, "slug": evening.club.slug, "number": 1, "key": "x"}
    for route in _patterns(get_resolver()):
        address = "/" + re.sub(r"<(?:\w+:)?(\w+)>", lambda gap: str(keys.get(gap[1], "x")), route)
        assert owner_client.get(address).status_code != 405, address


@pytest.mark.parametrize("method", ["get", "post"])
def test_a_number_that_no_row_can_have_is_a_page_that_does_not_exist(owner_client, club, method):
    keys = {"slug": club.slug, "key": "x", "pk": 10**20, "number": 10**20, "row": 10**20}
    for route in _patterns(get_resolver()):
        if "<int:" not in route:
            continue
        gap = re.compile(r"<(?:\w+:)?(\w+)>")
        address = "/" + gap.sub(lambda found: str(keys.get(found[1], 10**20)), route)
        assert getattr(owner_client, method)(address).status_code < 500, address


def test_the_language_button_of_a_refused_order_comes_back_to_its_page(director_client, evening):
    refused = director_client.post(reverse("close-round", args=[evening.pk]))
    assert refused.status_code in {409, 422}
    here = re.search(r'name="next" value="([^"]+)"', refused.content.decode())[1]

    answer = director_client.post(
        reverse("set_language"), {"language": "fr", "next": here}, follow=True
    )

    assert answer.status_code == 200
    assert answer.request["PATH_INFO"] == reverse("tables", args=[evening.pk])


def test_the_api_still_says_that_a_method_is_wrong(owner_client, table):
    assert owner_client.get(f"/api/v1/tables/{table.pk}/deals/").status_code == 405
