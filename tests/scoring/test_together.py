"""Several phones at once: one deal stays one deal, and the numbers never have a gap."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from scoring import actions
from scoring.models import Mark, SheetEvent
from tests.scoring.conftest import answers, record_on, totals

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(presses: Sequence[Callable[[], object]]) -> list[object]:
    """Do all of it in the same moment, each in a thread and with a connection of its own."""
    ready = Barrier(len(presses))

    def press(action: Callable[[], object]) -> object:
        ready.wait(timeout=30)
        try:
            return action()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(presses)) as pool:
        return list(pool.map(press, presses))


def posts(clients: Sequence[Client], table, forms: Sequence[dict[str, object]]) -> list[int]:
    """Send all forms at once; gives the status of each answer."""
    address = reverse("record-deal", args=[table.pk])
    presses = [
        lambda client=client, form=form: client.post(address, form).status_code
        for client, form in zip(clients, forms, strict=True)
    ]
    return at_once(presses)


def signed_in(user, count: int) -> list[Client]:
    clients = [Client() for _ in range(count)]
    for client in clients:
        client.force_login(user)
    return clients


def check_one_deal(table, bernard, presses: int) -> None:
    form = answers(table)

    statuses = posts(signed_in(bernard, presses), table, [form] * presses)

    assert set(statuses) == {302}
    assert table.tarot_deals.count() == 1
    assert Mark.objects.count() == 4
    assert SheetEvent.objects.count() == 1
    assert totals(table) == [198, -66, -66, -66]
    table.refresh_from_db()
    assert (table.deals_recorded, table.version) == (1, 1)


def test_simultaneous_identical_posts_make_one_deal(table, bernard):
    check_one_deal(table, bernard, 6)


@pytest.mark.postgres
def test_fifty_simultaneous_identical_posts_make_one_deal(table, bernard):
    check_one_deal(table, bernard, 50)


def test_two_phones_with_two_versions_of_a_deal_write_one_of_them(table, bernard, yves):
    clients = [*signed_in(bernard, 1), *signed_in(yves, 1)]
    forms = [answers(table, points="49"), answers(table, points="52")]

    statuses = posts(clients, table, forms)

    assert sorted(statuses) == [302, 409]
    assert table.tarot_deals.count() == 1
    assert sum(totals(table)) == 0


def test_deals_sent_at_once_without_a_number_fill_the_sheet_without_a_gap(table, bernard):
    presses = [lambda n=n: record_on(table, bernard, points=41 + n).number for n in range(5)]

    numbers = at_once(presses)

    assert sorted(numbers) == [1, 2, 3, 4, 5]
    table.refresh_from_db()
    assert (table.deals_recorded, table.version) == (5, 5)
    assert sum(totals(table)) == 0


def test_undo_pressed_on_several_phones_at_once_takes_one_deal(table, bernard):
    record_on(table, bernard, points=49)
    last = record_on(table, bernard, points=52)

    at_once([lambda: actions.undo_last_deal(table=table, by=bernard, deal_id=last.pk)] * 4)

    assert [deal.number for deal in table.tarot_deals.standing()] == [1]
    assert SheetEvent.objects.filter(kind="undone").count() == 1
    assert totals(table) == [198, -66, -66, -66]


def test_a_number_freed_while_others_write_is_given_once(table, bernard):
    first = record_on(table, bernard, points=49)
    record_on(table, bernard, points=52)

    at_once(
        [
            lambda: actions.void_deal(deal=first, reason="Misdeal", by=bernard),
            lambda: record_on(table, bernard, points=44, entry_key=uuid.uuid4()),
            lambda: record_on(table, bernard, points=45, entry_key=uuid.uuid4()),
        ]
    )

    numbers = sorted(deal.number for deal in table.tarot_deals.standing())
    assert len(set(numbers)) == len(numbers) == 3
    assert sum(totals(table)) == 0
