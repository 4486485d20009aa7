"""Phones of a table agree, sign and object at once, and the director closes the round meanwhile."""

from __future__ import annotations

from functools import partial

import pytest
from django.core.exceptions import ValidationError

from scoring import actions
from scoring.actions.sheets_tarot import TarotSheet
from scoring.models import Confirmation, TarotDeal
from tests.factories import EventFactory, JoinLinkFactory, PhoneFactory, RoundFactory, TableFactory
from tests.scoring.conftest import record_on
from tests.scoring.test_together import at_once
from tournaments import actions as tournament_actions
from tournaments.models import Event, JournalLine, Phone, Table

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def table(season) -> Table:
    event = EventFactory(season=season, running=True, confirmation=Event.Confirmation.ALL_SEATS)
    return TableFactory(round=RoundFactory(event=event), deals_planned=1)


@pytest.fixture
def phones(table) -> list[Phone]:
    link = JoinLinkFactory(event=table.event)
    return [PhoneFactory(link=link, seat=seat) for seat in table.seats.order_by("place")]


@pytest.fixture
def deal(table, phones) -> TarotDeal:
    return record_on(table, phones[0])


def unless_refused(action, **given) -> bool:
    """Do it; says whether it was done."""
    try:
        action(**given)
    except ValidationError:
        return False
    return True


def test_three_phones_that_agree_at_once_are_all_heard(table, phones, deal):
    agree = partial(actions.confirm_row, TarotSheet, row=deal)

    at_once([partial(agree, by=phone) for phone in phones[1:]])

    table.refresh_from_db()
    assert (Confirmation.objects.count(), table.rows_waiting) == (3, 0)


def test_one_phone_that_taps_four_times_agrees_once(table, phones, deal):
    agree = partial(actions.confirm_row, TarotSheet, row=deal, by=phones[1])

    at_once([agree] * 4)

    table.refresh_from_db()
    assert (Confirmation.objects.count(), table.rows_waiting) == (1, 1)


def test_four_phones_that_sign_at_once_sign_the_sheet_once(table, phones, deal):
    sign = partial(actions.confirm_sheet, TarotSheet, table=table)

    at_once([partial(sign, by=phone) for phone in phones])

    table.refresh_from_db()
    assert table.signed_at is not None
    assert Confirmation.objects.of_the_sheet().count() == 4
    assert JournalLine.objects.filter(kind="signed").count() == 1


def test_a_round_is_not_closed_over_an_objection_of_the_same_moment(table, phones, deal, director):
    for phone in phones[1:]:
        actions.confirm_row(TarotSheet, row=deal, by=phone)
    close = partial(
        unless_refused, tournament_actions.close_round, this_round=table.round, by=director
    )
    disagree = partial(
        unless_refused,
        partial(actions.object_to_row, TarotSheet),
        row=deal,
        by=phones[1],
        note="51 points",
    )

    closed, objected = at_once([close, disagree])

    table.refresh_from_db()
    assert (closed, objected) in {(True, False), (False, True)}
    assert table.objections == int(objected)
