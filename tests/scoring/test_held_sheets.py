"""While the director holds a sheet nothing is offered that would be refused; each page says why."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.models import User
from tests.factories import EventFactory, JoinLinkFactory, PhoneFactory, RoundFactory, TableFactory
from tests.reading import text_of
from tests.scoring.conftest import record_on
from tests.scoring.truco import hand, record, truco_table
from tests.test_phones import client_with
from tournaments import actions
from tournaments.models import Event, Phone, Table

pytestmark = pytest.mark.django_db

WHY = {
    "taken over": "Denis writes on this sheet",
    "frozen": "the director is looking at the sheets|The director is looking at the sheets",
}
PAGES = ("record-deal", "sheet", "confirm-deal")


@pytest.fixture(params=["tarot", "truco"])
def table(season, request) -> Table:
    """A table with one row that waits for everybody's word."""
    if request.param == "truco":
        made = truco_table(season)
    else:
        made = TableFactory(
            round=RoundFactory(event=EventFactory(season=season, running=True)), deals_planned=2
        )
    Event.objects.update(confirmation=Event.Confirmation.ALL_SEATS, starts_at=timezone.now())
    return Table.objects.get(pk=made.pk)


@pytest.fixture
def phones(table) -> list[Phone]:
    link = JoinLinkFactory(event=table.event)
    seats = table.seats.select_related("player", "entry").order_by("place")
    return [PhoneFactory(link=link, seat=seat) for seat in seats]


@pytest.fixture
def row(table, phones):
    if table.event.game == "truco":
        return record(table, phones[0], hand())
    return record_on(table, phones[0])


@pytest.fixture(params=list(WHY))
def why(request, table, row, director) -> str:
    if request.param == "frozen":
        actions.freeze_round(this_round=table.round, by=director)
    else:
        actions.take_over_table(table=table, by=director)
    return WHY[request.param]


def addresses(table: Table, row) -> dict[str, str]:
    of_row = {"confirm-deal", "correct-deal", "void-deal"}
    names = (*PAGES, "correct-deal", "void-deal", "undo-deal", "sign-sheet")
    return {
        name: reverse(name, args=[table.pk, row.pk] if name in of_row else [table.pk])
        for name in names
    }


def offered(page: str) -> set[str]:
    """Where the forms and links of a page lead."""
    return set(re.findall(r'(?:href|action|hx-post)="([^"]+)"', page))


def refused_ones(table: Table, row) -> set[str]:
    at = addresses(table, row)
    return {at[name] for name in ("correct-deal", "void-deal", "undo-deal", "sign-sheet")}


@pytest.fixture(params=[0, 1], ids=["who entered the row", "who is asked about it"])
def browser(request, phones) -> Client:
    return client_with(phones[request.param])


@pytest.mark.parametrize("name", PAGES)
def test_a_phone_reads_who_holds_the_sheet_and_is_offered_nothing(table, row, why, browser, name):
    page = browser.get(addresses(table, row)[name])

    said = text_of(page)
    assert re.search(why, said)
    assert not offered(page.text) & refused_ones(table, row)
    forms = re.findall(r'<form[^>]*action="([^"]+)"', page.text)
    assert addresses(table, row)["confirm-deal"] not in forms
    assert addresses(table, row)["record-deal"] not in forms
    if name != "confirm-deal":
        assert "is it right?" not in said


def test_the_sheet_leads_to_no_next_row(table, row, phones, why):
    page = client_with(phones[1]).get(addresses(table, row)["sheet"])

    assert addresses(table, row)["record-deal"] not in offered(page.text)


@pytest.mark.parametrize("name", ["correct-deal", "void-deal"])
def test_an_old_link_to_a_correction_leads_to_the_sheet_that_says_why(
    table, row, phones, why, name
):
    answer = client_with(phones[1]).get(addresses(table, row)[name])

    assert answer.url == addresses(table, row)["sheet"]


def test_the_own_place_says_who_holds_the_sheet(table, row, phones, why):
    page = client_with(phones[1]).get(reverse("own-place", args=[table.event.pk]))

    assert re.search(why, text_of(page))
    assert addresses(table, row)["record-deal"] not in offered(page.text)


def test_an_open_form_is_told_so(table, row, phones, why):
    answer = client_with(phones[1]).post(reverse("entering", args=[table.pk]), {"number": 2})

    assert re.search(why, text_of(answer))


def test_what_is_disputed_can_still_be_said(table, row, phones, why):
    page = client_with(phones[1]).get(addresses(table, row)["confirm-deal"])

    assert reverse("object-to-deal", args=[table.pk, row.pk]) in offered(page.text)


def test_the_director_who_holds_it_is_offered_everything(
    table, row, why, director: User, director_client: Client
):
    at = addresses(table, row)

    assert at["record-deal"] in offered(director_client.get(at["sheet"]).text)
    assert at["correct-deal"] in offered(director_client.get(at["sheet"]).text)
    assert 'id="deal-form"' in director_client.get(at["record-deal"]).text


def test_nor_does_a_table_that_is_looked_at_choose_who_deals_first(table, row, phones, why):
    """A scorer's phone corrects it otherwise, also after the first row."""
    link = JoinLinkFactory(event=table.event, role="scorer")
    browser = client_with(PhoneFactory(link=link))

    browser.post(reverse("choose-dealer", args=[table.pk]), {"place": 3})

    table.refresh_from_db()
    assert table.first_dealer != 3


def test_what_was_typed_before_stays_in_its_form(table, row, phones, why):
    answer = client_with(phones[1]).post(
        addresses(table, row)["record-deal"], {"number": 2, "version": 1}
    )

    assert 'id="deal-form"' in answer.text
