"""A seat has one voice, whatever phone or account it speaks with."""

from __future__ import annotations

import uuid

import pytest
from django.test import Client
from django.urls import reverse

from clubs.models import Role
from scoring.models import Confirmation, TarotDeal, TrucoLine
from tests.conftest import account_with
from tests.factories import (
    EventFactory,
    JoinLinkFactory,
    PhoneFactory,
    PlayerFactory,
    RoundFactory,
    TableFactory,
    table_that_agrees,
)
from tests.reading import text_of
from tests.scoring.conftest import answers, record_on
from tests.scoring.truco import hand, press, record, truco_table
from tests.test_phones import client_with
from tournaments import actions
from tournaments.models import Event, JoinLink, Phone, Table

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(season) -> Table:
    return table_that_agrees(season, Event.Confirmation.ALL_SEATS, deals=2)


@pytest.fixture
def link(table) -> JoinLink:
    return JoinLinkFactory(event=table.event, table_number=table.number)


def phones_at(table: Table, link: JoinLink) -> list[Phone]:
    seats = table.seats.select_related("player", "entry").order_by("place")
    return [PhoneFactory(link=link, seat=seat) for seat in seats]


@pytest.fixture
def phones(table, link) -> list[Phone]:
    return phones_at(table, link)


@pytest.fixture(params=["scorer", "director"])
def signed_in(request, phones) -> Client:
    """The phone of the second seat, on which somebody in office who sits nowhere is signed in."""
    browser = client_with(phones[1])
    browser.force_login(request.getfixturevalue(request.param))
    return browser


def address(name: str, table: Table, *row: object) -> str:
    return reverse(name, args=[table.pk, *(each.pk for each in row)])


def test_a_phone_of_a_seat_is_asked_and_agrees_whoever_is_signed_in_on_it(table, phones, signed_in):
    deal = record_on(table, phones[0])
    page = signed_in.get(address("record-deal", table))

    assert "is it right?" in text_of(page)
    answer = signed_in.post(
        address("confirm-deal", table, deal), {"entered_by": page.context["as_whom"]}
    )

    assert answer.status_code == 302
    assert Confirmation.objects.get().phone == phones[1]


def test_it_objects_from_its_seat_as_well(table, phones, signed_in):
    deal = record_on(table, phones[0])

    signed_in.post(
        address("object-to-deal", table, deal), {"note": "It was a garde sans", "only_words": "on"}
    )

    said = Confirmation.objects.get()
    assert (said.answer, said.phone) == (Confirmation.Answer.OBJECTS, phones[1])


def test_what_it_enters_is_the_players_who_is_not_asked_about_it(table, phones, signed_in):
    signed_in.post(address("record-deal", table), answers(table))

    assert TarotDeal.objects.get().phone == phones[1]
    assert "is it right?" not in text_of(signed_in.get(address("record-deal", table)))


def test_it_signs_for_its_seat_and_in_office_for_the_table(table, phones, signed_in):
    for _ in range(2):
        deal = record_on(table, phones[0])
        for phone in phones[1:]:
            client_with(phone).post(address("confirm-deal", table, deal))

    signed_in.post(address("sign-sheet", table))
    table.refresh_from_db()
    assert table.signed_at is None
    assert Confirmation.objects.of_the_sheet().get().phone == phones[1]

    signed_in.post(address("sign-sheet", table), {"for_all": "on"})
    table.refresh_from_db()
    assert table.signed_at is not None


def test_in_office_it_still_undoes_what_another_entered(table, phones, signed_in):
    deal = record_on(table, phones[0])

    signed_in.post(address("undo-deal", table), {"deal": deal.pk})

    deal.refresh_from_db()
    assert deal.state == TarotDeal.State.VOID


def test_in_office_it_still_gives_a_tento_and_takes_it_back(season, scorer):
    table = truco_table(season)
    seats = phones_at(table, JoinLinkFactory(event=table.event))
    browser = client_with(seats[0])
    browser.force_login(scorer)

    browser.post(address("record-deal", table), press(table, tento="b"))
    line = TrucoLine.objects.get()
    assert (line.kind, line.author) == ("tento", scorer)

    browser.post(address("void-deal", table, line), {"reason": "misdeal"})
    line.refresh_from_db()
    assert line.state == TrucoLine.State.VOID


def test_a_director_who_plays_writes_as_director_where_only_directors_write(
    table, phones, director
):
    browser = client_with(phones[1])
    browser.force_login(director)
    page = browser.get(address("sheet", table))
    named = {"entered_by": page.context["as_whom"]}

    browser.post(reverse("take-over", args=[table.pk]), {"takes": "on", **named})
    table.refresh_from_db()
    assert table.taken_over_by == director
    browser.post(address("record-deal", table), answers(table))

    assert TarotDeal.objects.get().author == director


def test_a_director_who_plays_settles_an_objection_from_the_page_of_his_phone(
    table, phones, director
):
    deal = record_on(table, phones[0])
    client_with(phones[2]).post(
        address("object-to-deal", table, deal), {"note": "No", "only_words": "on"}
    )
    said = Confirmation.objects.get()
    browser = client_with(phones[1])
    browser.force_login(director)
    page = browser.get(address("sheet", table))

    browser.post(
        reverse("settle-objection", args=[said.pk]), {"entered_by": page.context["as_whom"]}
    )

    said.refresh_from_db()
    assert said.settled_by == director


# Joined again


@pytest.mark.parametrize("game", ["tarot", "truco"])
def test_who_joins_again_as_himself_takes_his_own_last_row_back(season, table, game):
    at = truco_table(season) if game == "truco" else table
    card = JoinLinkFactory(event=at.event)
    before = phones_at(at, card)
    row = record(at, before[0], hand()) if game == "truco" else record_on(at, before[0])
    again = actions.join_as_player(link=card, player=before[0].player, claims=True)
    browser = client_with(again)

    assert 'form="undo-form"' in browser.get(address("record-deal", at)).content.decode()
    assert browser.post(address("undo-deal", at), {"deal": row.pk}).status_code == 302

    row.refresh_from_db()
    assert row.state == "void"


def test_who_joins_again_as_himself_is_not_asked_about_his_own_row(table, phones, link):
    record_on(table, phones[0])
    again = actions.join_as_player(link=link, player=phones[0].player, claims=True)

    assert "is it right?" not in text_of(client_with(again).get(address("record-deal", table)))


def test_what_he_sends_once_more_after_joining_again_is_one_deal_of_his(table, phones, link):
    client_with(phones[0]).post(address("record-deal", table), answers(table))
    again = client_with(actions.join_as_player(link=link, player=phones[0].player, claims=True))

    page = again.post(
        address("record-deal", table), answers(table, entry_key=uuid.uuid4()), follow=True
    )

    assert TarotDeal.objects.count() == 1
    assert "entered exactly the same" not in text_of(page)


def test_a_member_who_signs_in_takes_back_what_his_phone_entered(season, client_of):
    account = account_with(season.club, Role.MEMBER, "Yves")
    players = [account.players.get(), *(PlayerFactory(club=season.club) for _ in range(3))]
    table = TableFactory(
        round=RoundFactory(event=EventFactory(season=season, running=True)), players=players
    )
    link = JoinLinkFactory(event=table.event)
    deal = record_on(table, PhoneFactory(link=link, seat=table.seats.get(place=1)))

    client_of(account).post(address("undo-deal", table), {"deal": deal.pk})

    deal.refresh_from_db()
    assert deal.state == TarotDeal.State.VOID
