"""Under a sheet stands whose signature it still waits for, and who has given his."""

from __future__ import annotations

import pytest
from django.urls import reverse
from django.utils import timezone

from clubs.models import Club, Publication
from scoring.rules import names_at_table
from scoring.rules.agreement import is_signed_off, signatures_wanted
from tests.factories import EventFactory, JoinLinkFactory, PhoneFactory, RoundFactory, TableFactory
from tests.reading import text_of
from tests.scoring.conftest import record_on
from tests.test_phones import client_with
from tournaments.models import Event, Phone, Table

POLICY = Event.Confirmation
NO_SIDES = dict.fromkeys("ABCD")
PAIRS = dict(zip("ABCD", (0, 1, 0, 1), strict=True))


@pytest.mark.parametrize(
    ("policy", "sides", "signed", "wanted"),
    [
        (POLICY.ALL_SEATS, NO_SIDES, "", ["4 of ABCD"]),
        (POLICY.ALL_SEATS, NO_SIDES, "AC", ["2 of BD"]),
        (POLICY.OTHER_SEAT, NO_SIDES, "", ["2 of ABCD"]),
        (POLICY.OTHER_SEAT, NO_SIDES, "C", ["1 of ABD"]),
        (POLICY.OTHER_SEAT, NO_SIDES, "CA", []),
        (POLICY.OTHER_SIDE, NO_SIDES, "C", ["1 of ABD"]),
        (POLICY.OTHER_SIDE, PAIRS, "", ["1 of AC", "1 of BD"]),
        (POLICY.OTHER_SIDE, PAIRS, "C", ["1 of BD"]),
        (POLICY.OTHER_SEAT, PAIRS, "CA", ["1 of BD"]),
        (POLICY.OTHER_SIDE, PAIRS, "CD", []),
        (POLICY.ALL_SEATS, PAIRS, "CDA", ["1 of B"]),
        (POLICY.NOBODY, NO_SIDES, "", ["1 of ABCD"]),
        (POLICY.NOBODY, NO_SIDES, "B", []),
    ],
)
def test_as_many_signatures_are_wanted_as_the_event_asks(policy, sides, signed, wanted):
    given = {"signed": signed, "seats": list(sides), "side_of": sides.get}

    found = signatures_wanted(policy, **given)

    assert [f"{each.count} of {''.join(each.seats)}" for each in found] == wanted
    assert is_signed_off(policy, **given) is (wanted == [])


@pytest.fixture
def table(season) -> Table:
    event = EventFactory(
        season=season, running=True, starts_at=timezone.now(), confirmation=POLICY.OTHER_SEAT
    )
    return TableFactory(round=RoundFactory(event=event), deals_planned=1)


@pytest.fixture
def phones(table) -> list[Phone]:
    """The phones of a table that has played all, where everything is confirmed."""
    link = JoinLinkFactory(event=table.event)
    joined = [PhoneFactory(link=link, seat=seat) for seat in table.seats.order_by("place")]
    deal = record_on(table, joined[0])
    client_with(joined[1]).post(reverse("confirm-deal", args=[table.pk, deal.pk]))
    return joined


def sheet_of(phone: Phone, table: Table) -> str:
    return text_of(client_with(phone).get(reverse("sheet", args=[table.pk])))


def sign(phone: Phone, table: Table) -> None:
    client_with(phone).post(reverse("sign-sheet", args=[table.pk]))


@pytest.mark.django_db
def test_where_two_suffice_the_sheet_waits_for_one_more_after_the_first(table, phones):
    called = list(names_at_table(list(table.seats.order_by("place"))).values())
    assert f"Two of these still sign: {', '.join(called)}" in sheet_of(phones[0], table)

    sign(phones[0], table)

    said = sheet_of(phones[3], table)
    assert f"Signed: {called[0]}" in said
    assert f"One of these still signs: {', '.join(called[1:])}" in said
    assert "Not yet" not in said


@pytest.mark.django_db
def test_the_phones_of_the_table_read_who_has_signed_and_the_world_does_not(table, phones, client):
    called = list(names_at_table(list(table.seats.order_by("place"))).values())
    for phone in phones[:2]:
        sign(phone, table)
    Event.objects.update(publication=Publication.PUBLIC)
    Club.objects.update(publication=Publication.PUBLIC, shows_sheets=True)

    for phone in phones:
        banner = sheet_of(phone, table).partition("Signed ")[2].partition("Print")[0]
        assert all(name in banner for name in called[:2])
    world = text_of(client.get(reverse("sheet", args=[table.pk])))
    assert "Signed at" in world
    assert not any(name in world.partition("Signed at")[2].partition("Print")[0] for name in called)


@pytest.mark.django_db
def test_a_phone_of_the_table_reads_in_which_office_an_account_signed(table, phones, scorer_client):
    scorer_client.post(reverse("sign-sheet", args=[table.pk]))

    assert "Signed by a scorer" in sheet_of(phones[0], table)
