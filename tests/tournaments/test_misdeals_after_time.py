"""After the end of time the deal in hand is played out, and a misdeal is replaced (CA p.4)."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from scoring import actions as scoring_actions
from scoring.models import TarotDeal
from tests.scoring.conftest import record_on
from tournaments import actions
from tournaments.models import Event, Round, Ruling, Table

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(playing, director) -> Table:
    """A table of a tournament: two deals are written, then the end of time was called."""
    Event.objects.filter(pk=playing.event_id).update(kind=Event.Kind.TOURNAMENT)
    called = timezone.now() - timedelta(minutes=1)
    table = playing.tables.get(number=1)
    for points in (49, 50):
        record_on(table, director, points=points, at=called - timedelta(minutes=10))
    actions.call_time(this_round=playing, by=None, at=called)
    return Table.objects.get(pk=table.pk)


@pytest.fixture
def misdealt(table, director):
    """The referee declares the third deal a misdeal of the first seat that is dealt again."""

    def rule() -> Ruling:
        return scoring_actions.record_ruling(
            event=table.event, fault="hidden_misdeal", by=director, table=table, deal_number=3,
            entry=table.seats.get(place=1).entry, outcome=Ruling.Outcome.REPLAYED,
        )  # fmt: skip

    return rule


def dealt_again(table: Table, by) -> TarotDeal:
    """Write the replacement: the first seat may not bid on it, so the second takes."""
    return record_on(table, by, taker=1, points=61)


def refused(table: Table, by) -> bool:
    with pytest.raises(ValidationError) as refusal:
        record_on(table, by, taker=1, points=55)
    return refusal.value.code == "time_over"


def test_a_deal_ruled_void_is_replaced_by_one_and_no_other_starts(table, director, misdealt):
    void = record_on(table, director, points=60)
    misdealt()

    replacement = dealt_again(table, director)

    assert (void.number, replacement.number) == (3, 3)
    assert refused(table, director)


def test_a_misdeal_that_was_never_written_is_replaced_by_one(table, director, misdealt):
    misdealt()

    assert dealt_again(table, director).number == 3
    assert refused(table, director)


def test_a_misdeal_of_the_replacement_is_the_end(table, director, misdealt):
    record_on(table, director, points=60)
    misdealt()
    dealt_again(table, director)
    misdealt()

    assert refused(table, director)


def test_the_sheet_is_complete_with_the_replacement_and_the_round_closes(table, director, misdealt):
    record_on(table, director, points=60)
    misdealt()
    dealt_again(table, director)

    signed = actions.sign_sheet(table=table, by=director)
    closed = actions.close_round(this_round=signed.round, by=director, without=[2])

    assert (signed.deals_planned, signed.deals_recorded) == (3, 3)
    assert closed.state == Round.State.CLOSED
