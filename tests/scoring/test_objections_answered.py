"""What was objected to a row is answered once the row no longer counts, whoever took it away."""

from __future__ import annotations

import uuid

import pytest
from django.utils import timezone

from scoring import actions
from scoring.actions.sheets_tarot import TarotSheet
from scoring.actions.sheets_truco import TrucoSheet
from scoring.models import Confirmation, TarotDeal
from tests.factories import (
    JoinLinkFactory,
    PhoneFactory,
    table_that_agrees,
)
from tests.scoring.conftest import garde, record_on
from tests.scoring.test_unconfirmed import fixture, phones_at  # noqa: F401 - a fixture
from tests.scoring.truco import game, hand, record, truco_table
from tournaments import actions as tournament_actions
from tournaments.journal import with_sentences
from tournaments.models import Event, Fixture, Phone, Ruling, Table

pytestmark = pytest.mark.django_db

NO_LONGER = "Settled an objection at table 1 in round 1 ({}): the row no longer counts."
ELSEWHERE = (
    "Settled an objection at table 1 in round 1 ({}): "
    "the result does not come from this sheet any more."
)


@pytest.fixture
def table(season) -> Table:
    return table_that_agrees(season, Event.Confirmation.OTHER_SEAT, deals=3)


@pytest.fixture
def phones(table) -> list[Phone]:
    return phones_at(table)


@pytest.fixture
def disputed(table, phones) -> TarotDeal:
    """A deal that the second seat says is wrong, entered from the first."""
    deal = record_on(table, phones[0])
    actions.object_to_row(TarotSheet, row=deal, by=phones[1], note="51 points")
    return deal


def objections_at(table: Table) -> int:
    counted = Table.objects.get(pk=table.pk).objections
    assert Confirmation.objects.objections().filter(table=table).count() == counted
    return counted


def told(table: Table) -> list[str]:
    lines = table.event.journal.filter(kind="objection_settled").order_by("pk")
    return [sentence for _line, sentence in with_sentences(lines)]


def rule(deal: TarotDeal, by, outcome: Ruling.Outcome) -> Ruling:
    return actions.record_ruling(
        event=deal.table.event, fault="other", kind=Ruling.Kind.DECISION, by=by,
        table=deal.table, deal_number=deal.number, outcome=outcome,
    )  # fmt: skip


@pytest.mark.parametrize("by", ["director", "author", "objector"])
def test_a_disputed_row_that_is_void_is_disputed_no_more(disputed, table, phones, director, by):
    who = {"director": director, "author": phones[0], "objector": phones[1]}[by]

    actions.void_deal(deal=disputed, reason="misdeal", by=who)

    assert objections_at(table) == 0
    assert told(table) == [NO_LONGER.format(phones[1].player.name)]
    tournament_actions.change_deals(table=table, deals_planned=1, by=director)
    record_on(table, phones[0])
    actions.confirm_row(TarotSheet, row=table.tarot_deals.standing().get(), by=phones[1])
    tournament_actions.close_round(this_round=table.round, by=director)


def test_nor_is_one_that_its_author_takes_back(disputed, table, phones):
    actions.undo_last_deal(table=table, by=phones[0], deal_id=disputed.pk)

    assert objections_at(table) == 0
    assert told(table) == [NO_LONGER.format(phones[1].player.name)]


def test_nor_is_one_that_was_corrected_before_it_was_void(disputed, table, phones, director):
    corrected = actions.correct_tarot_deal(
        deal=disputed,
        corrected=garde(table, points=53),
        entry_key=uuid.uuid4(),
        taker=disputed.taker,
        by=phones[0],
    )
    before = objections_at(table)

    actions.void_deal(deal=corrected, reason="misdeal", by=director)

    assert (before, objections_at(table)) == (1, 0)


def test_what_was_objected_to_another_row_stays_open(disputed, table, phones, director):
    other = record_on(table, phones[0])
    actions.object_to_row(TarotSheet, row=other, by=phones[2], note="not played")

    actions.void_deal(deal=disputed, reason="misdeal", by=director)

    assert objections_at(table) == 1
    assert Confirmation.objects.objections().get().deal == other


def test_an_objection_to_the_deal_played_in_its_place_is_one_of_its_own(
    disputed, table, phones, director
):
    actions.void_deal(deal=disputed, reason="misdeal", by=director)
    replayed = record_on(table, phones[0])
    actions.object_to_row(TarotSheet, row=replayed, by=phones[2], note="no garde")

    assert replayed.number == disputed.number
    assert objections_at(table) == 1


@pytest.mark.parametrize("by", ["director", "referee"])
@pytest.mark.parametrize("outcome", [Ruling.Outcome.REPLAYED, Ruling.Outcome.REMOVED])
def test_a_ruling_that_takes_the_row_away_answers_too(  # noqa: PLR0917 - fixtures
    disputed, table, phones, director, by, outcome
):
    link = JoinLinkFactory(event=table.event, role="referee")
    who = director if by == "director" else PhoneFactory(link=link)

    rule(disputed, who, outcome)

    assert objections_at(table) == 0
    assert told(table) == [NO_LONGER.format(phones[1].player.name)]


def test_a_ruling_that_is_withdrawn_lets_the_row_count_again_and_the_objection_wait_again(
    disputed, table, director
):
    ruling = rule(disputed, director, Ruling.Outcome.REPLAYED)

    actions.withdraw_ruling(ruling=ruling, why="seen wrongly", by=director)

    disputed.refresh_from_db()
    assert disputed.is_standing
    assert objections_at(table) == 1


def test_what_was_settled_before_stays_settled_when_the_row_counts_again(disputed, table, director):
    actions.settle_objection(objection=Confirmation.objects.get(), by=director)
    ruling = rule(disputed, director, Ruling.Outcome.REPLAYED)

    actions.withdraw_ruling(ruling=ruling, why="seen wrongly", by=director)

    assert objections_at(table) == 0


def test_a_hand_that_is_taken_away_is_disputed_no_more(season, director):
    table = truco_table(season)
    Event.objects.update(starts_at=timezone.now())
    phones = phones_at(table)
    line = record(table, phones[0], hand())
    actions.object_to_row(TrucoSheet, row=line, by=phones[1], note="we won it")

    actions.void_truco_line(line=line, reason="misdeal", by=director)

    assert objections_at(table) == 0
    assert told(table) == [NO_LONGER.format(phones[1].player.name)]


# Sheets that decide nothing any more


@pytest.fixture
def disputed_meeting(fixture) -> Fixture:  # noqa: F811
    """A semifinal with one game written, which the other side says is wrong."""
    table = fixture.table
    phones = phones_at(table)
    line = record(table, phones[0], game(12, 8))
    actions.object_to_row(TrucoSheet, row=line, by=phones[1], note="we had won it")
    return fixture


def objector_at(table: Table) -> str:
    return table.seats.get(place=2).player.name


@pytest.mark.parametrize("how", ["called away", "broken off", "abandoned", "left"])
def test_a_meeting_that_goes_on_without_its_sheet_leaves_no_objection(
    disputed_meeting, director, how
):
    table, now = disputed_meeting.table, disputed_meeting
    if how == "called away":
        actions.undo_fixture(fixture=now, by=director)
    elif how == "broken off":
        actions.cancel_fixture(fixture=now, by=director, goes_on=False)
    elif how == "abandoned":
        actions.decide_fixture(fixture=now, by=director, ending="abandoned", winner="home")
    else:
        actions.side_leaves(entry=now.away, by=director, is_expelled=False)

    assert objections_at(table) == 0
    assert told(table) == [ELSEWHERE.format(objector_at(table))]


def test_what_is_objected_at_another_table_waits_on(disputed_meeting, director):
    other = disputed_meeting.stage.fixtures.get(code="W1-2")

    actions.decide_fixture(fixture=other, by=director, ending="walkover", winner="home")

    assert objections_at(disputed_meeting.table) == 1
