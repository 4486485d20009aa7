"""Several phones without an account at once: one deal, one seat, one signature of each."""

from __future__ import annotations

from functools import partial

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse

from scoring import actions
from scoring.actions.sheets_tarot import TarotSheet
from scoring.models import Confirmation, Mark, TarotDeal
from tests.factories import (
    JoinLinkFactory,
    PhoneFactory,
    table_that_agrees,
)
from tests.scoring.conftest import answers, record_on
from tests.scoring.test_together import at_once, posts
from tests.test_phones import client_with
from tournaments import actions as tournament_actions
from tournaments.models import Event, Phone, Table

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def table(season) -> Table:
    return table_that_agrees(season, Event.Confirmation.ALL_SEATS, deals=1)


@pytest.fixture
def link(table):
    return JoinLinkFactory(event=table.event, table_number=table.number)


@pytest.fixture
def phones(table, link) -> list[Phone]:
    return [PhoneFactory(link=link, seat=seat) for seat in table.seats.order_by("place")]


def test_four_phones_that_send_the_same_deal_at_once_make_one_deal_with_three_witnesses(
    table, phones
):
    clients = [client_with(phone) for phone in phones]

    statuses = posts(clients, table, [answers(table) for _ in clients])

    assert set(statuses) == {302}
    deal = TarotDeal.objects.get()
    assert Mark.objects.count() == 4
    witnesses = set(Confirmation.objects.values_list("seat__player", flat=True))
    assert witnesses == {phone.player_id for phone in phones} - {deal.phone.player_id}


def test_two_phones_that_send_two_versions_at_once_write_one(table, phones):
    clients = [client_with(phone) for phone in phones[:2]]

    statuses = posts(clients, table, [answers(table), answers(table, points="51")])

    assert sorted(statuses) == [302, 409]
    assert TarotDeal.objects.count() == 1


def test_phones_that_pick_one_seat_at_once_get_it_once(table, link):
    player = table.seats.order_by("place").first().player

    def pick() -> str:
        try:
            tournament_actions.join_as_player(link=link, player=player)
        except ValidationError as refusal:
            return refusal.code
        return "seated"

    met = at_once([pick] * 4)

    assert sorted(met) == ["seat_taken", "seat_taken", "seat_taken", "seated"]
    assert Phone.objects.filter(removed_at=None).count() == 1


def test_three_phones_that_agree_at_once_are_all_heard(table, phones):
    deal = record_on(table, phones[0])
    agree = partial(actions.confirm_row, TarotSheet, row=deal)

    at_once([partial(agree, by=phone) for phone in phones[1:]])

    table.refresh_from_db()
    assert (Confirmation.objects.count(), table.rows_waiting) == (3, 0)


def test_one_phone_that_taps_four_times_agrees_once(table, phones):
    deal = record_on(table, phones[0])
    agree = partial(actions.confirm_row, TarotSheet, row=deal, by=phones[1])

    at_once([agree] * 4)

    table.refresh_from_db()
    assert (Confirmation.objects.count(), table.rows_waiting) == (1, 1)


def test_four_phones_that_sign_at_once_sign_the_sheet(table, phones):
    record_on(table, phones[0])

    def sign(phone: Phone) -> None:
        actions.confirm_sheet(TarotSheet, table=table, by=phone)

    at_once([lambda phone=phone: sign(phone) for phone in phones])

    table.refresh_from_db()
    assert table.signed_at is not None
    assert Confirmation.objects.of_the_sheet().count() == 4
    assert table.event.journal.filter(kind="signed").count() == 1


def test_an_objection_and_the_close_of_the_round_do_not_pass_each_other(table, phones, director):
    deal = record_on(table, phones[0])
    for phone in phones[1:]:
        actions.confirm_row(TarotSheet, row=deal, by=phone)

    def close() -> str:
        try:
            tournament_actions.close_round(this_round=table.round, by=director)
        except ValidationError as refusal:
            return refusal.code
        return "closed"

    def object_to() -> str:
        try:
            actions.object_to_row(TarotSheet, row=deal, by=phones[1], note="51")
        except ValidationError as refusal:
            return refusal.code
        return "objected"

    met = at_once([close, object_to])

    assert met in (["closed", "sheet_closed"], ["tables_not_ready", "objected"])


def test_the_same_presence_from_many_phones_waits_for_nobody(table, phones):
    url = reverse("entering", args=[table.pk])
    clients = [client_with(phone) for phone in phones]

    met = at_once([lambda c=c: c.post(url, {"number": 1}).status_code for c in clients])

    assert met == [200] * 4
    assert Phone.objects.filter(at_table=table, enters_number=1).count() == 4
