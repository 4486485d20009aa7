"""The referee's ledger: outside the sheets, from the offender alone, withdrawn and never erased."""

from __future__ import annotations

import uuid

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse

from scoring import actions, tasks
from scoring.models import StaleStandings, TarotDeal
from tests.factories import EventFactory, TableFactory
from tests.scoring.conftest import totals
from tournaments import actions as tournament_actions
from tournaments.models import JournalLine, Ruling

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(table):
    return table.round.event


@pytest.fixture
def offender(table):
    return table.seats.order_by("place").first().entry


@pytest.fixture
def rule(event, table, offender, director):
    def make(**given) -> Ruling:
        return actions.record_ruling(
            **{
                "event": event,
                "entry": offender,
                "table": table,
                "fault": "exposed_card",
                "by": director,
                **given,
            }
        )

    return make


def test_the_first_exposed_card_is_a_warning_and_the_second_costs_100(rule):
    first, second = rule(), rule()

    assert (first.kind, first.points) == (Ruling.Kind.WARNING, 0)
    assert (second.kind, second.points) == (Ruling.Kind.PENALTY, 100)


def test_a_second_warning_for_the_same_fault_is_refused(rule):
    rule()

    with pytest.raises(ValidationError) as refusal:
        rule(kind=Ruling.Kind.WARNING)

    assert refusal.value.code == "warned_before"


def test_after_a_withdrawn_warning_the_next_is_the_first_again(rule, director):
    actions.withdraw_ruling(ruling=rule(), why="another player", by=director)

    assert rule().kind == Ruling.Kind.WARNING


def test_a_warning_for_one_fault_says_nothing_about_another(rule):
    rule()

    assert rule(fault="hesitation").kind == Ruling.Kind.WARNING


def test_slow_play_costs_100_then_200_and_200_again(rule):
    assert [rule(fault="slow_play").points for _ in range(3)] == [100, 200, 200]


def test_the_director_may_choose_another_amount(rule):
    assert rule(kind=Ruling.Kind.PENALTY, points=300).points == 300


@pytest.mark.parametrize(
    "said", [{"kind": Ruling.Kind.PENALTY, "points": 100}, {"kind": Ruling.Kind.WARNING}, {}]
)
def test_a_warning_or_a_penalty_says_who_is_at_fault(rule, said):
    with pytest.raises(ValidationError) as refusal:
        rule(entry=None, **said)

    assert refusal.value.code == "nobody"


def test_a_decision_about_a_table_names_nobody(rule):
    ruling = rule(entry=None, kind=Ruling.Kind.DECISION)

    assert (ruling.kind, ruling.entry) == (Ruling.Kind.DECISION, None)


def test_a_ruling_leaves_every_sheet_at_zero_and_asks_for_new_standings(
    rule, record, table, event, django_capture_on_commit_callbacks
):
    record()
    before = totals(table)
    StaleStandings.objects.all().delete()

    rule(fault="smoking")

    assert totals(table) == before
    assert StaleStandings.objects.filter(event=event).count() == 1


def test_a_ruling_sent_twice_is_one_ruling(rule):
    key = uuid.uuid4()

    assert rule(entry_key=key).pk == rule(entry_key=key).pk
    assert Ruling.objects.count() == 1


def test_a_deal_dealt_again_is_struck_through_and_its_number_is_free(rule, record, table):
    deal = record()

    rule(fault="hidden_misdeal", deal_number=1, outcome=Ruling.Outcome.REPLAYED)

    deal.refresh_from_db()
    table.refresh_from_db()
    assert deal.state == TarotDeal.State.VOID
    assert totals(table) == [0, 0, 0, 0]
    assert (table.deals_recorded, table.deals_planned) == (0, 5)
    assert record(taker=1).number == 1


def test_a_deal_removed_for_slow_play_is_not_dealt_again(rule, record, table):
    for points in (49, 50, 51, 52, 53):
        record(points=points)

    rule(fault="slow_play", deal_number=2, outcome=Ruling.Outcome.REMOVED)

    table.refresh_from_db()
    assert (table.deals_recorded, table.deals_planned) == (4, 4)
    with pytest.raises(ValidationError) as refusal:
        record(points=54)
    assert refusal.value.code == "sheet_full"


def test_a_deal_being_played_can_be_removed_before_it_is_written(rule, table):
    rule(fault="slow_play", deal_number=1, outcome=Ruling.Outcome.REMOVED)

    table.refresh_from_db()
    assert table.deals_planned == 4


def test_a_withdrawn_ruling_lets_its_deal_count_again(rule, record, table, director):
    record()
    before = totals(table)
    ruling = rule(fault="slow_play", deal_number=1, outcome=Ruling.Outcome.REMOVED)

    actions.withdraw_ruling(ruling=ruling, why="the clock was wrong", by=director)

    table.refresh_from_db()
    assert totals(table) == before
    assert (table.deals_recorded, table.deals_planned) == (1, 5)


def test_a_ruling_whose_deal_was_dealt_again_is_not_withdrawn_over_the_new_deal(
    rule, record, director
):
    record()
    ruling = rule(fault="hidden_misdeal", deal_number=1, outcome=Ruling.Outcome.REPLAYED)
    record(taker=1)

    with pytest.raises(ValidationError) as refusal:
        actions.withdraw_ruling(ruling=ruling, why="a mistake", by=director)

    assert refusal.value.code == "number_taken"
    ruling.refresh_from_db()
    assert ruling.stands


def test_a_withdrawn_ruling_stays_readable_with_who_and_why(rule, director):
    ruling = rule()

    gone = actions.withdraw_ruling(ruling=ruling, why=" typing error ", by=director)
    again = actions.withdraw_ruling(ruling=ruling, why="twice", by=director)

    assert not gone.stands
    assert (again.withdrawn_why, again.withdrawn_by) == ("typing error", director)
    assert JournalLine.objects.filter(kind="ruling_withdrawn").count() == 1


def test_withdrawing_wants_a_reason(rule, director):
    with pytest.raises(ValidationError) as refusal:
        actions.withdraw_ruling(ruling=rule(), why="  ", by=director)

    assert refusal.value.code == "reason_missing"


def test_void_wants_a_table_and_a_deal_that_it_plays(rule):
    with pytest.raises(ValidationError) as nothing_said:
        rule(outcome=Ruling.Outcome.REPLAYED)
    with pytest.raises(ValidationError) as too_high:
        rule(outcome=Ruling.Outcome.REPLAYED, deal_number=6)

    assert (nothing_said.value.code, too_high.value.code) == ("which_deal", "no_such_deal")
    assert not Ruling.objects.exists()


def test_people_and_tables_of_another_evening_are_refused(rule):
    elsewhere = TableFactory(round__event=EventFactory(running=True))

    with pytest.raises(ValidationError):
        rule(table=elsewhere)
    with pytest.raises(ValidationError):
        rule(entry=elsewhere.seats.first().entry)


def test_what_the_referee_grants_is_written_down_and_costs_nothing(rule):
    ruling = rule(fault="garde_contre", deal_number=3)

    assert (ruling.kind, ruling.points, ruling.deal_number) == (Ruling.Kind.DECISION, 0, 3)


def test_after_a_penalty_is_withdrawn_the_totals_are_those_of_one_never_penalised(
    rule, record, event, offender, director
):
    record()
    tasks.refresh_standings(event.pk)
    offender.refresh_from_db()
    never = (offender.points, offender.place)

    ruling = rule(fault="smoking")
    tasks.refresh_standings(event.pk)
    actions.withdraw_ruling(ruling=ruling, why="it was outside", by=director)
    tasks.refresh_standings(event.pk)

    offender.refresh_from_db()
    assert (offender.points, offender.place) == never


def test_a_round_is_taken_back_and_drawn_again_with_a_penalty_in_the_ledger(
    event, table, offender, director
):
    """A penalty before the first deal must not stand in the way of a new draw."""
    ruling = actions.record_ruling(
        event=event, entry=offender, table=table, fault="smoking", by=director
    )

    proposal = tournament_actions.withdraw_round(this_round=table.round, by=director)
    tournament_actions.discard_draw(proposal=proposal, by=director)

    ruling.refresh_from_db()
    assert (ruling.stands, ruling.points, ruling.table) == (True, 100, None)


def test_a_sheet_from_which_a_deal_was_removed_asks_for_no_other(
    rule, record, table, bernard, client
):
    for points in (49, 50, 51, 52, 53):
        record(points=points)
    rule(fault="slow_play", deal_number=2, outcome=Ruling.Outcome.REMOVED)
    client.force_login(bernard)

    response = client.get(reverse("record-deal", args=[table.pk]))

    assert response.context["form"] is None


def test_a_misdeal_that_the_dealer_hid_voids_the_deal_and_costs_500(rule, record, table):
    deal = record()

    ruling = rule(fault="hidden_misdeal", deal_number=1, outcome=None)

    deal.refresh_from_db()
    assert (ruling.points, ruling.outcome) == (500, Ruling.Outcome.REPLAYED)
    assert deal.state == TarotDeal.State.VOID
    assert totals(table) == [0, 0, 0, 0]


@pytest.mark.parametrize(
    ("fault", "points", "place", "stands"),
    [
        ("exposed_card", 60, 1, True),
        ("false_discard", 60, 1, False),  # void if the taker makes his contract
        ("false_discard", 20, 1, True),
        ("misdeal_in_play", 60, 1, True),  # void if he loses
        ("misdeal_in_play", 20, 1, False),
        ("consumed_revoke", 60, 1, False),  # the taker revoked, and made it
        ("consumed_revoke", 20, 1, True),
        ("consumed_revoke", 60, 2, True),  # a defender revoked, and lost
        ("consumed_revoke", 20, 2, False),
    ],
)
def test_the_list_lets_the_result_say_whether_the_deal_counts(  # noqa: PLR0917 - the columns above
    rule, record, table, fault, points, place, stands
):
    deal = record(points=points)
    offender = table.seats.get(place=place).entry

    rule(fault=fault, entry=offender, deal_number=1, outcome=None)

    deal.refresh_from_db()
    assert deal.is_standing is stands


def test_a_deal_whose_result_must_decide_is_written_first(rule):
    with pytest.raises(ValidationError) as refusal:
        rule(fault="misdeal_in_play", deal_number=1, outcome=None)

    assert refusal.value.code == "no_result"
    assert not Ruling.objects.exists()


def test_a_deal_spoilt_before_play_is_void_before_it_is_written(rule, table):
    ruling = rule(fault="wrong_count", deal_number=1, outcome=None)

    table.refresh_from_db()
    assert (ruling.outcome, table.deals_planned) == (Ruling.Outcome.REPLAYED, 5)


def test_the_list_cannot_void_a_deal_that_nobody_names(rule):
    with pytest.raises(ValidationError) as refusal:
        rule(fault="hidden_misdeal", outcome=None)

    assert refusal.value.code == "which_deal"
