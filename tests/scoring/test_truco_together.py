"""Several phones at a truco table: one hand stays one hand, and the meeting ends once."""

from __future__ import annotations

import pytest

from clubs.models import Role
from scoring.models import SheetEvent
from tests.conftest import account_with
from tests.factories import SeasonFactory
from tests.scoring.test_together import at_once, posts, signed_in
from tests.scoring.truco import game, hand, press, record, told, truco_table
from tournaments.models import Table

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def players(club):
    return [account_with(club, Role.MEMBER, name) for name in ("Ana", "Paulo", "Bia", "Tião")]


@pytest.fixture
def table(club, players) -> Table:
    return truco_table(
        SeasonFactory(club=club), players=[account.players.get() for account in players]
    )


def test_simultaneous_identical_presses_make_one_hand(table, players):
    form = press(table, winner="a", value="3")

    statuses = posts(signed_in(players[0], 6), table, [form] * 6)

    assert set(statuses) == {302}
    assert told(table) == [(1, "hand", "a", 3)]
    assert SheetEvent.objects.filter(table=table).count() == 1


def test_two_phones_with_two_hands_for_one_line_write_one_of_them(table, players):
    clients = [*signed_in(players[0], 1), *signed_in(players[1], 1)]
    forms = [press(table, winner="a", value="3"), press(table, winner="b", value="1")]

    statuses = posts(clients, table, forms)

    assert sorted(statuses) == [302, 409]
    assert len(told(table)) == 1


def test_the_last_hand_of_a_meeting_pressed_by_both_sides_ends_it_once(table, players, scorer):
    record(table, scorer, game(12, 3), hand("a", 9), hand("a", 1))
    forms = [press(table, winner="a", value="3") for _ in range(4)]

    statuses = posts(
        [client for account in players for client in signed_in(account, 1)], table, forms
    )

    assert set(statuses) <= {302, 409}
    table.refresh_from_db()
    assert table.decided_at is not None
    assert table.seats.get(place=1).games_won == 2
    assert len(told(table)) == 4


@pytest.mark.postgres
def test_many_hands_sent_at_once_without_a_number_leave_no_gap_and_no_wrong_total(table, scorer):
    presses = [lambda: record(table, scorer, hand("b", 1)).number for _ in range(10)]

    numbers = at_once(presses)

    assert sorted(numbers) == list(range(1, 11))
    assert table.seats.get(place=2).points == 10
