"""Whom a row is put to: whose word counts is asked, and nobody else."""

from __future__ import annotations

import re

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils import timezone

from scoring import actions
from scoring.actions.sheets_tarot import TarotSheet
from scoring.actions.sheets_truco import TrucoSheet
from scoring.models import Confirmation
from scoring.rules import names_at_table
from scoring.rules.agreement import Question
from tests.factories import EventFactory, JoinLinkFactory, PhoneFactory, RoundFactory, TableFactory
from tests.reading import text_of
from tests.scoring.conftest import record_on
from tests.scoring.truco import hand, record, truco_table
from tests.test_phones import client_with
from tournaments.journal import with_sentences
from tournaments.models import Entry, Event, Phone, Table

POLICY = Event.Confirmation
#: Who attacked and who defended; E sits out where he has no side.
ONE_ATTACKS = dict(zip("ABCD", ("attack", "defence", "defence", "defence"), strict=True))
TWO_ATTACK = dict(zip("ABCDE", ("attack", "attack", "defence", "defence", "defence"), strict=True))
ONE_SITS_OUT = {**ONE_ATTACKS, "E": None}
PAIRS = dict(zip("ABCD", (0, 1, 0, 1), strict=True))


def question(policy: str, sides: dict[str, object], author: str | None) -> Question:
    return Question(policy=policy, author=author, seats=list(sides), side_of=sides.get)


@pytest.mark.parametrize(
    ("policy", "sides", "author", "agreed", "waits_for"),
    [
        (POLICY.NOBODY, ONE_ATTACKS, "A", "", ""),
        (POLICY.OTHER_SEAT, ONE_ATTACKS, "A", "", "BCD"),
        (POLICY.OTHER_SEAT, ONE_ATTACKS, "B", "C", ""),
        (POLICY.OTHER_SEAT, ONE_SITS_OUT, "A", "E", ""),  # he has seen it
        (POLICY.OTHER_SIDE, ONE_ATTACKS, "A", "", "BCD"),
        (POLICY.OTHER_SIDE, ONE_ATTACKS, "A", "C", ""),
        (POLICY.OTHER_SIDE, ONE_ATTACKS, "B", "", "A"),
        (POLICY.OTHER_SIDE, ONE_ATTACKS, "B", "CD", "A"),
        (POLICY.OTHER_SIDE, TWO_ATTACK, "B", "A", "CDE"),  # the partner wrote
        (POLICY.OTHER_SIDE, TWO_ATTACK, "C", "DE", "AB"),
        (POLICY.OTHER_SIDE, TWO_ATTACK, "C", "B", ""),
        (POLICY.OTHER_SIDE, ONE_SITS_OUT, "A", "E", "BCD"),
        (POLICY.OTHER_SIDE, ONE_SITS_OUT, "E", "", "ABCD"),  # of no side himself
        (POLICY.OTHER_SIDE, ONE_SITS_OUT, "E", "A", "BCD"),
        (POLICY.OTHER_SIDE, ONE_ATTACKS, None, "", "ABCD"),  # a scorer wrote
        (POLICY.OTHER_SIDE, ONE_ATTACKS, None, "B", "A"),
        (POLICY.OTHER_SIDE, PAIRS, "C", "A", "BD"),
        (POLICY.OTHER_SIDE, PAIRS, "C", "D", ""),
        (POLICY.OTHER_SIDE, PAIRS, None, "BD", "AC"),
        (POLICY.ALL_SEATS, ONE_ATTACKS, "A", "B", "CD"),
        (POLICY.ALL_SEATS, ONE_SITS_OUT, "A", "BCD", "E"),
        (POLICY.ALL_SEATS, PAIRS, None, "BCD", "A"),
    ],
)
def test_a_row_waits_for_those_whose_word_would_help(policy, sides, author, agreed, waits_for):
    asked = question(policy, sides, author)

    assert "".join(asked.waits_for(agreed)) == waits_for
    assert set(asked.waits_for(agreed)) <= set(asked.asked)


@pytest.mark.parametrize(
    ("policy", "author", "gone", "stuck"),
    [
        (POLICY.OTHER_SEAT, "A", "BC", False),
        (POLICY.OTHER_SEAT, "A", "BCD", True),
        (POLICY.OTHER_SIDE, "B", "A", True),
        (POLICY.OTHER_SIDE, "A", "BC", False),
        (POLICY.OTHER_SIDE, None, "A", True),
        (POLICY.ALL_SEATS, "A", "D", True),
        (POLICY.NOBODY, "A", "BCD", False),
    ],
)
def test_a_row_is_stuck_when_those_have_left_whom_it_cannot_do_without(policy, author, gone, stuck):
    assert question(policy, ONE_ATTACKS, author).is_stuck("", gone=gone) is stuck


# At the table


@pytest.fixture
def table(season) -> Table:
    event = EventFactory(
        season=season, running=True, starts_at=timezone.now(), confirmation=POLICY.OTHER_SIDE
    )
    return TableFactory(round=RoundFactory(event=event), deals_planned=2)


def phones_at(table: Table) -> list[Phone]:
    link = JoinLinkFactory(event=table.event)
    return [PhoneFactory(link=link, seat=seat) for seat in table.seats.order_by("place")]


@pytest.fixture
def phones(table) -> list[Phone]:
    return phones_at(table)


@pytest.fixture
def deal(table, phones):
    """A garde of the first seat that a defender entered."""
    return record_on(table, phones[1])


def names(table: Table, *places: int) -> str:
    """What those who sit there are called at the table."""
    called = list(names_at_table(list(table.seats.order_by("place"))).values())
    return ", ".join(called[place - 1] for place in places)


@pytest.mark.django_db
def test_only_the_other_side_is_asked_and_everybody_reads_whom_the_row_waits_for(
    table, phones, deal
):
    said = f"Waiting for a player of the other side: {names(table, 1)}"

    for name in ("sheet", "record-deal"):
        address = reverse(name, args=[table.pk])
        pages = [client_with(phone).get(address) for phone in phones]
        asked = [f"confirm-{deal.pk}" in page.text for page in pages]
        assert asked == [True, False, False, False], name
        assert all(said in text_of(page) for page in pages), name


@pytest.mark.django_db
def test_a_yes_of_the_own_side_is_refused_in_words_and_leaves_nothing(table, phones, deal):
    client, address = client_with(phones[2]), reverse("confirm-deal", args=[table.pk, deal.pk])

    offered = client.get(address)
    answer = client.post(address)

    assert "Yes, it is right" not in text_of(offered)
    assert answer.status_code == 422
    assert "Your own side entered this: a player of the other side confirms it." in text_of(answer)
    assert not Confirmation.objects.exists()


@pytest.mark.django_db
def test_at_a_table_of_truco_the_partner_is_not_asked(season):
    table = truco_table(season)
    Event.objects.update(confirmation=POLICY.OTHER_SIDE, starts_at=timezone.now())
    phones = phones_at(table)
    line = record(table, phones[0], hand())

    page = client_with(phones[2]).get(reverse("sheet", args=[table.pk]))

    assert f"confirm-{line.pk}" not in page.text
    said = f"Waiting for a player of the other side: {names(table, 2, 4)}"
    assert said in text_of(page)
    with pytest.raises(ValidationError, match="Your own side entered this"):
        actions.confirm_row(TrucoSheet, row=line, by=phones[2])


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("policy", "said"),
    [
        (POLICY.OTHER_SEAT, "Waiting for one of these: {}"),
        (POLICY.OTHER_SIDE, "Waiting for a player of each side: {}"),
        (POLICY.ALL_SEATS, "Waiting for {}"),
    ],
)
def test_what_a_scorer_wrote_waits_for_everybody_whom_the_event_asks(
    table, phones, scorer, policy, said
):
    Event.objects.update(confirmation=policy)
    record_on(table, scorer)

    page = client_with(phones[0]).get(reverse("sheet", args=[table.pk]))

    assert said.format(names(table, 1, 2, 3, 4)) in text_of(page)


@pytest.mark.django_db
def test_whoever_sat_out_is_not_asked(season):
    event = EventFactory(
        season=season, running=True, starts_at=timezone.now(), confirmation=POLICY.OTHER_SIDE
    )
    table = TableFactory(round=RoundFactory(event=event), players=5, players_per_deal=4)
    phones = phones_at(table)
    seats = list(table.seats.order_by("place"))
    deal = record_on(table, phones[0], sits_out=seats[4])

    with pytest.raises(ValidationError, match="You sat out here: those who played confirm it"):
        actions.confirm_row(TarotSheet, row=deal, by=phones[4])


# Who objected and thinks better of it


@pytest.mark.django_db
@pytest.mark.parametrize("place", [1, 2])
def test_whoever_is_not_asked_can_take_his_own_objection_back(table, phones, deal, place):
    """The author himself, and somebody of his side."""
    actions.object_to_row(TarotSheet, row=deal, by=phones[place], note="51 points")
    client, address = client_with(phones[place]), reverse("confirm-deal", args=[table.pk, deal.pk])

    offered = client.get(address)
    answer = client.post(address, follow=True)

    assert "Yes, it is right" in text_of(offered)
    assert "Your objection is taken back." in text_of(answer)
    table.refresh_from_db()
    assert (table.objections, table.rows_waiting) == (0, 1)
    assert not Confirmation.objects.agreeing().exists()
    line = table.event.journal.get(kind="objection_settled")
    assert with_sentences([line])[0][1] == (
        f"Took an objection back at table 1 in round 1 ({phones[place].player})."
    )


@pytest.mark.django_db
def test_who_agrees_to_one_row_still_objects_to_the_other(table, phones, deal):
    other = record_on(table, phones[1])
    actions.object_to_row(TarotSheet, row=deal, by=phones[0], note="51 points")

    actions.confirm_row(TarotSheet, row=other, by=phones[0])
    actions.object_to_row(TarotSheet, row=other, by=phones[0], note="not played")

    table.refresh_from_db()
    assert table.objections == 2


@pytest.mark.django_db
def test_who_takes_a_seat_does_not_take_back_what_was_objected_from_it(table, phones, deal):
    actions.object_to_row(TarotSheet, row=deal, by=phones[0], note="51 points")
    elsewhere = TableFactory(round=table.round).seats.order_by("place")[0]
    came, went = elsewhere.player, phones[0].player
    elsewhere.delete()
    table.seats.filter(player=went).update(player=came)
    phone = PhoneFactory(link=phones[0].link, player=came)

    actions.confirm_row(TarotSheet, row=deal, by=phone)

    table.refresh_from_db()
    assert table.objections == 1


# When nobody is left


@pytest.mark.django_db
def test_the_director_is_told_where_nobody_is_left_who_could_confirm(
    table, phones, deal, director_client
):
    record_on(table, phones[1])
    floor = reverse("floor", args=[table.event.pk])
    before = text_of(director_client.get(floor))
    Entry.objects.filter(pk=phones[0].entry_id).update(state=Entry.State.WITHDRAWN)

    after = director_client.get(floor)
    sheet = director_client.get(reverse("sheet", args=[table.pk]))

    assert "Nobody left to confirm" not in before
    assert re.search(r'id="table-1".*?Nobody left to confirm', after.text, re.DOTALL)
    assert "They have left" in text_of(sheet)
