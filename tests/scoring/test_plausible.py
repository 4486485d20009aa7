"""The made-up past is a past like any other: what it writes down is what the site would count."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from rules_engine import tarot
from scoring.models import Mark, RankingRow, TarotDeal
from scoring.rules.tarot import ruleset_of
from tournaments.models import Entry, Event, Seat

pytestmark = pytest.mark.django_db


def make(**options) -> str:
    out = StringIO()
    call_command("make_history", stdout=out, **options)
    return out.getvalue()


def test_a_past_of_two_clubs_has_the_deals_that_were_ordered():
    said = make(clubs=2, players=9, deals=400)

    assert (TarotDeal.objects.count(), Mark.objects.count()) == (400, 1600)
    assert Event.objects.filter(state="closed").count() == 10
    assert RankingRow.objects.count() == 2 * 8
    assert "100 %  10 of 10 evenings" in said


def test_its_deals_are_scored_by_the_rules():
    make(players=8, deals=80)

    for deal in TarotDeal.objects.select_related("table__round__event"):
        told = tarot.Deal(
            ruleset=ruleset_of(deal.table),
            contract=tarot.Contract(deal.contract),
            bouts=deal.bouts,
            half_points=deal.half_points,
        )
        scores = tarot.score_deal(told)
        marks = dict(deal.marks.values_list("seat", "points"))
        assert marks.pop(deal.taker_id) == scores.scores[0]
        assert set(marks.values()) == {scores.scores[1]}
        assert (deal.is_made, deal.margin) == (scores.made, scores.margin)


def test_everybody_sits_once_in_a_round_and_at_tables_drawn_anew():
    make(players=16, deals=80)

    assert Seat.objects.count() == 4 * 16
    tables = {
        frozenset(Seat.objects.filter(table=table).values_list("player", flat=True))
        for table in Seat.objects.values_list("table", flat=True)
    }
    assert len(tables) == 16


def test_a_replay_finds_no_difference_in_it():
    make(clubs=2, players=8, deals=320)
    assert Entry.objects.exclude(place=None).count() == 2 * 4 * 8

    out = StringIO()
    call_command("audit_rankings", stdout=out)

    assert "Nothing differs." in out.getvalue()


def test_what_makes_no_table_is_refused():
    with pytest.raises(CommandError, match="four players"):
        make(players=3)
