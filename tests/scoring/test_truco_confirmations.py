"""On a sheet of truco each side answers for the other, and each signs the súmula."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils import timezone

from scoring import actions
from scoring.actions.sheets_truco import TrucoSheet
from scoring.models import Confirmation
from scoring.rules.agreement import is_confirmed
from tests.factories import JoinLinkFactory, PhoneFactory
from tests.scoring.truco import game, hand, record, truco_table
from tests.test_phones import client_with
from tournaments.models import Event, Phone, Table

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(season) -> Table:
    made = truco_table(season, best_of=1)
    Event.objects.update(confirmation=Event.Confirmation.OTHER_SIDE, starts_at=timezone.now())
    made.round.event.refresh_from_db()
    return made


@pytest.fixture
def phones(table) -> list[Phone]:
    link = JoinLinkFactory(event=table.event)
    return [PhoneFactory(link=link, seat=seat) for seat in table.seats.order_by("place")]


def test_a_line_is_confirmed_by_the_other_pair_and_not_by_the_partner(table, phones):
    line = record(table, phones[0], hand("a", 3))
    seats = list(table.seats.order_by("place"))

    for place, confirmed in ((2, False), (1, True)):
        found = is_confirmed(
            Event.Confirmation.OTHER_SIDE,
            agreed=[seats[place]],
            author=seats[0],
            seats=seats,
            side_of=lambda seat: TrucoSheet.side_of(line, seat),
        )
        assert found is confirmed


def test_the_author_of_a_line_does_not_confirm_it(table, phones):
    line = record(table, phones[0], hand("a", 3))

    with pytest.raises(ValidationError, match="You entered this yourself"):
        actions.confirm_row(TrucoSheet, row=line, by=phones[0])


def test_a_sumula_is_signed_by_one_of_each_pair(table, phones):
    record(table, phones[0], game(12, 7))

    first = actions.confirm_sheet(TrucoSheet, table=table, by=phones[0])
    assert first.signed_at is None
    partner = actions.confirm_sheet(TrucoSheet, table=table, by=phones[2])
    assert partner.signed_at is None
    assert actions.confirm_sheet(TrucoSheet, table=table, by=phones[1]).signed_at is not None


@pytest.mark.parametrize("name", ["sheet", "record-deal", "confirm-deal"])
def test_a_question_about_a_line_says_once_who_won_it(table, phones, name):
    line = record(table, phones[0], hand("a", 3))
    of = [table.pk, line.pk] if name == "confirm-deal" else [table.pk]

    page = client_with(phones[1]).get(reverse(name, args=of)).content.decode()

    asked = page[page.index("Line 1: is it right?") : page.index("</svg> Yes")]
    assert asked.count("+3") == 1


def test_the_other_pair_is_asked_and_objects_on_its_phone(table, phones, director_client):
    line = record(table, phones[0], hand("a", 3))
    client = client_with(phones[1])
    page = client.get(reverse("sheet", args=[table.pk])).content.decode()
    assert f"confirm-{line.pk}" in page

    assert client.get(reverse("confirm-deal", args=[table.pk, line.pk])).status_code == 200
    form = client.get(reverse("object-to-deal", args=[table.pk, line.pk]))
    assert form.status_code == 200
    actions.object_to_row(TrucoSheet, row=line, by=phones[1], note="it was worth one")
    page = director_client.get(reverse("sheet", args=[table.pk])).content.decode()
    assert "it was worth one" in page
    assert Confirmation.objects.get().truco_line == line
