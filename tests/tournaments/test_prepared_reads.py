"""Reads whose SQL is made once say the same as those that make it anew."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.db import models

from clubs.prepared import LARGEST_KEY, PreparedRead, keep
from tests.factories import PhoneFactory, TableFactory
from tournaments.models import Phone, Seat, Table

pytestmark = pytest.mark.django_db


@pytest.fixture
def seats_of():
    return PreparedRead(Seat.objects.select_related("player").order_by("place"), "table")


def test_each_key_has_its_own_rows_in_their_order(seats_of):
    for table in (TableFactory(), TableFactory()):
        assert seats_of(table.pk) == list(table.seats.order_by("place"))


def test_what_is_joined_is_read_along(seats_of, django_assert_num_queries):
    table = TableFactory()
    names = {seat.player.name for seat in table.seats.all()}

    with django_assert_num_queries(1):
        assert {seat.player.name for seat in seats_of(table.pk)} == names


def test_rows_of_a_table_know_the_table_that_was_asked_for(seats_of):
    table = TableFactory()

    assert all(seat.table is table for seat in seats_of.of(table))


def test_what_has_changed_since_is_read_as_it_is_now(seats_of):
    table = TableFactory()
    seats_of(table.pk)
    table.seats.filter(place=1).update(points=49)

    assert seats_of(table.pk)[0].points == 49


def test_other_values_stay_where_they_stand_in_the_query():
    other = TableFactory().pk
    tables = Table.objects.exclude(number=9).annotate(
        is_ours=models.Value("yes"),
        sits=models.Exists(Seat.objects.filter(table=models.OuterRef("pk"))),
    )
    read = PreparedRead(tables.filter(deals_planned__lt=60))
    table = TableFactory()

    [read_one] = read(table.pk)

    assert (read_one, read_one.is_ours, read_one.sits) == (table, "yes", True)
    assert read.one(other) != table


def test_a_phone_is_found_by_the_key_it_brings():
    phone = PhoneFactory()
    read = PreparedRead(Phone.objects.select_related("link", "player"), "key")

    assert read.one(phone.key) == phone
    assert read.one(uuid4()) is None


@pytest.mark.parametrize("key", [0, -1, LARGEST_KEY, LARGEST_KEY + 1])
def test_no_row_has_such_a_key(key):
    assert PreparedRead(Table.objects.all()).one(key) is None


def test_a_queryset_that_asks_for_the_key_twice_is_refused():
    twice = PreparedRead(Table.objects.annotate(less=models.Value(-1)))

    with pytest.raises(ValueError, match="asked for once"):
        twice(1)


def test_what_was_read_beside_its_owner_is_not_read_again(seats_of, django_assert_num_queries):
    table = TableFactory()
    keep(table, "seats", seats_of(table.pk))

    with django_assert_num_queries(0):
        assert [seat.place for seat in table.seats.all()] == [1, 2, 3, 4]
    assert table.seats.filter(place=2).get().place == 2
