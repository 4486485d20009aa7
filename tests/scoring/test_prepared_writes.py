"""Writes whose SQL is made once store the same as those that make it anew."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.db import IntegrityError, transaction
from django.db.transaction import TransactionManagementError
from django.forms.models import model_to_dict

from clubs.prepared import PreparedInsert, PreparedUpdate
from scoring.actions.sheets_tarot import TarotSheet
from scoring.models import Mark, SheetEvent, StaleStandings, TarotDeal
from tests.factories import EventFactory, TableFactory
from tournaments.models import Table

pytestmark = pytest.mark.django_db


def a_deal(table: Table, number: int = 1, **more) -> TarotDeal:
    said = {"contract": "garde", "bouts": 2, "half_points": 98, "is_made": True, "margin": 8}
    taker = table.seats.get(place=1)
    return TarotDeal(table=table, taker=taker, number=number, entry_key=uuid4(), **{**said, **more})


def stored(row) -> dict[str, object]:
    found = type(row).objects.get(pk=row.pk)
    assert model_to_dict(found) == model_to_dict(row)
    return model_to_dict(found, exclude=["id", "number"])


def test_a_row_is_stored_as_if_its_model_had_saved_it():
    shown = {"poignees": [{"size": "simple", "side": "attack"}], "house_options": {"é": [1, None]}}
    one = a_deal(TableFactory(), **shown)
    other = a_deal(one.table, number=2, recorded_at=one.recorded_at, **shown)

    one.save()
    PreparedInsert(TarotDeal)(other)

    assert stored(one) == stored(other)


def test_a_written_row_is_known_as_one_that_is_there():
    [stale] = PreparedInsert(StaleStandings)(StaleStandings(event=EventFactory()))
    stale.marked_at = stale.event.starts_at
    stale.save()

    assert StaleStandings.objects.get().marked_at == stale.event.starts_at


def test_rows_that_are_written_together_have_each_its_own_key():
    deal = a_deal(TableFactory())
    PreparedInsert(TarotDeal)(deal)

    marks = PreparedInsert(Mark)(
        *(Mark(deal=deal, seat=seat, points=seat.place) for seat in deal.table.seats.all())
    )

    assert {mark.pk: mark.points for mark in marks} == dict(
        Mark.objects.values_list("pk", "points")
    )


def test_many_rows_are_one_statement(django_assert_num_queries):
    event = EventFactory()

    with django_assert_num_queries(1):
        PreparedInsert(StaleStandings)(*(StaleStandings(event=event) for _ in range(3)))
    assert StaleStandings.objects.count() == 3


def test_what_the_database_refuses_is_refused_as_ever():
    deal = a_deal(TableFactory())
    insert = PreparedInsert(TarotDeal)
    insert(deal)

    with pytest.raises(IntegrityError), transaction.atomic():
        insert(a_deal(deal.table, number=deal.number))


def test_only_what_is_named_is_written_and_only_on_this_row():
    table, other = TableFactory(version=3, deals_planned=8), TableFactory(version=5)
    table.version, table.deals_planned, table.signed_at = 4, 9, None

    PreparedUpdate(Table, "version", "signed_by")(table)

    table.refresh_from_db()
    other.refresh_from_db()
    assert (table.version, table.deals_planned, other.version) == (4, 8, 5)


def test_many_rows_are_written_at_one_go_each_with_its_own_values(django_assert_num_queries):
    tables = [TableFactory(version=0) for _ in range(3)]
    for version, table in enumerate(tables, start=1):
        table.version = version

    with django_assert_num_queries(1):
        PreparedUpdate(Table, "version").each(tables)

    assert [Table.objects.get(pk=table.pk).version for table in tables] == [1, 2, 3]


def test_where_nothing_has_changed_nothing_is_sent(django_assert_num_queries):
    with django_assert_num_queries(0):
        PreparedUpdate(Table, "version").each([])


def test_the_history_keeps_what_it_is_told_in_words_and_numbers():
    deal = a_deal(TableFactory())
    PreparedInsert(TarotDeal)(deal)
    event = SheetEvent(table=deal.table, deal=deal, kind="recorded", details={"why": "dix ½"})

    PreparedInsert(SheetEvent)(event)

    assert stored(event)["details"] == {"why": "dix ½"}


@pytest.mark.django_db(transaction=True)
def test_a_sheet_is_locked_only_within_a_transaction():
    table = TableFactory()

    with pytest.raises(TransactionManagementError):
        TarotSheet.lock(table, at=None)
    with transaction.atomic():
        assert TarotSheet.lock(table, at=None).table == table
