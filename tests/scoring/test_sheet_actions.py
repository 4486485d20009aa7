"""Deals are entered, corrected, declared void and taken back; the sheet always adds up."""

from __future__ import annotations

import uuid
from datetime import timedelta

import pytest
from django.core.exceptions import PermissionDenied, ValidationError
from django.utils import timezone

from rules_engine import tarot
from scoring import actions
from scoring.models import Confirmation, Mark, SheetEvent, StaleStandings, TarotDeal
from scoring.rules import StaleSheet
from tests.factories import TableFactory
from tests.scoring.conftest import garde, record_on, totals
from tournaments.models import Event, Round

pytestmark = pytest.mark.django_db


def correct(deal: TarotDeal, author, *, taker=None, **garde_of) -> TarotDeal:
    return actions.correct_tarot_deal(
        deal=deal,
        corrected=garde(deal.table, **garde_of),
        entry_key=uuid.uuid4(),
        taker=taker or deal.taker,
        by=author,
    )


def close_round(table) -> None:
    Round.objects.filter(pk=table.round_id).update(state=Round.State.CLOSED)


# Entering


def test_a_deal_gives_every_seat_its_points_and_a_running_total(table, record):
    first = record(taker=0, points=49)
    record(taker=1, points=45, bouts=1)

    assert [mark.points for mark in first.marks.order_by("seat__place")] == [198, -66, -66, -66]
    assert totals(table) == [198 + 62, -66 - 186, -66 + 62, -66 + 62]
    table.refresh_from_db()
    assert (table.deals_recorded, table.version) == (2, 2)
    assert list(table.seats.values_list("deals_played", flat=True)) == [2, 2, 2, 2]


def test_the_result_is_written_down_with_the_deal(record):
    deal = record(points=45, bouts=1)

    assert (deal.number, deal.is_made, deal.margin) == (1, False, 6)


def test_a_deal_leaves_its_author_and_a_mark_for_the_standings(table, record, bernard):
    deal = record()

    line = SheetEvent.objects.get()
    assert (line.kind, line.actor, line.deal) == ("recorded", bernard, deal)
    assert StaleStandings.objects.filter(event=table.round.event_id).count() == 1


def test_the_refresh_of_the_standings_is_asked_for_after_the_commit(
    record, django_capture_on_commit_callbacks
):
    with django_capture_on_commit_callbacks() as callbacks:
        record()

    assert len(callbacks) == 1


def test_recording_a_deal_costs_the_same_few_queries_however_full_the_sheet_is(
    make_table, bernard, django_assert_num_queries
):
    table = make_table(deals_planned=30)
    deal, taker = garde(table), table.seats.get(place=1)

    for already in (0, 1, 20):
        while table.tarot_deals.count() < already:
            record_on(table, bernard)
        # begin, lock, table, seats, deals, deal, marks, totals, table, history, stale mark, end
        with django_assert_num_queries(12):
            actions.record_tarot_deal(
                table=table, entry_key=uuid.uuid4(), deal=deal, taker=taker, by=bernard
            )


def test_a_double_press_is_one_deal(table, record):
    key = uuid.uuid4()

    first = record(entry_key=key, number=1)
    second = record(entry_key=key, number=1)

    assert first == second
    assert table.tarot_deals.count() == 1
    assert Mark.objects.count() == 4


def test_a_key_sent_again_with_another_content_is_refused_and_shows_what_stands(record):
    key = uuid.uuid4()
    first = record(entry_key=key, number=1, points=49)

    with pytest.raises(StaleSheet) as refusal:
        record(entry_key=key, number=1, points=52)

    assert (refusal.value.standing, refusal.value.number) == (first, 2)


def test_a_double_tap_that_lost_its_key_is_the_same_deal(table, record):
    first = record(number=1)

    assert record(number=1) == first
    assert table.tarot_deals.count() == 1


def test_the_same_deal_much_later_is_not_merged(record):
    record(number=1)
    later = timezone.now() + timedelta(minutes=3)

    with pytest.raises(StaleSheet):
        record(number=1, at=later)


def test_the_same_deal_told_by_another_player_is_one_deal_on_which_both_agree(record, yves):
    first = record(number=1)

    again = record(number=1, by=yves, at=timezone.now() + timedelta(minutes=30))

    assert again == first
    agreed = Confirmation.objects.get()
    assert (agreed.deal, agreed.seat.player, agreed.answer) == (first, yves.players.get(), "agrees")


def test_the_same_deal_told_by_a_scorer_is_one_deal(record, scorer):
    first = record(number=1)

    assert record(number=1, by=scorer) == first
    assert not Confirmation.objects.exists()


def test_another_deal_of_the_same_number_is_not_merged(record, yves):
    record(number=1)

    with pytest.raises(StaleSheet):
        record(number=1, points=51, by=yves)


def test_a_page_made_for_a_deal_that_stands_is_stale_and_learns_the_next_number(record, yves):
    first = record(number=1, points=52)

    with pytest.raises(StaleSheet) as refusal:
        record(number=1, points=49, by=yves)

    assert (refusal.value.standing, refusal.value.number) == (first, 2)
    assert TarotDeal.objects.count() == 1


def test_a_page_made_for_a_number_that_is_not_the_next_is_stale(record, bernard):
    second = [record(number=1), record(number=2)][1]
    actions.void_deal(deal=second, reason="Misdeal", by=bernard)

    with pytest.raises(StaleSheet) as refusal:
        record(number=3, points=41)

    assert (refusal.value.standing, refusal.value.number) == (None, 2)


def test_without_a_page_the_version_of_the_sheet_must_be_the_one_that_was_seen(table, record):
    record(version=0)

    with pytest.raises(StaleSheet):
        record(version=0, points=52)
    assert record(version=1, points=52).number == 2


def test_a_full_sheet_takes_no_more_deals(make_table, bernard):
    table = make_table(deals_planned=1)
    record_on(table, bernard)

    with pytest.raises(ValidationError, match="The deal of this round is on the sheet"):
        record_on(table, bernard, number=2, points=52)


@pytest.mark.parametrize("state", [Round.State.DRAWN, Round.State.CLOSED])
def test_only_a_round_that_is_played_takes_deals(table, record, state):
    Round.objects.filter(pk=table.round_id).update(state=state)

    with pytest.raises(ValidationError, match="round is closed"):
        record()


def test_the_same_entry_is_answered_even_after_the_round_is_closed(table, record):
    key = uuid.uuid4()
    deal = record(entry_key=key)
    close_round(table)

    assert record(entry_key=key) == deal


def test_a_player_of_another_table_is_refused(record, round_):
    other = TableFactory(round=round_)

    with pytest.raises(ValidationError, match="does not sit at this table"):
        record(partner=other.seats.first())


def test_a_deal_judged_by_other_rules_is_refused(record):
    other = tarot.Deal(
        ruleset=tarot.ruleset("pousse"), contract=tarot.Contract.GARDE, bouts=2, half_points=98
    )

    with pytest.raises(ValidationError, match="plays by other rules"):
        record(deal=other)


# Five at the table


def test_at_five_the_partner_takes_a_third(make_table, bernard):
    table = make_table(5)
    seats = list(table.seats.order_by("place"))
    called = garde(table, points=46.5, called=tarot.Called.PARTNER)

    record_on(table, bernard, deal=called, partner=seats[1])

    assert totals(table) == [124, 62, -62, -62, -62]


def test_a_partner_must_be_named_when_a_card_was_called(make_table, bernard):
    table = make_table(5)

    with pytest.raises(ValidationError, match="with whom"):
        record_on(table, bernard, deal=garde(table, called=tarot.Called.PARTNER))


def test_who_sits_out_has_no_points_and_no_deal(make_table, bernard):
    table = make_table(5, players_per_deal=4)
    out = table.seats.get(place=1)

    deal = record_on(table, bernard, taker=1, sits_out=out)

    assert totals(table) == [0, 198, -66, -66, -66]
    assert not deal.marks.filter(seat=out).exists()
    out.refresh_from_db()
    assert out.deals_played == 0


def test_at_a_table_of_five_by_four_somebody_sits_out_and_does_not_take(make_table, bernard):
    table = make_table(5, players_per_deal=4)

    with pytest.raises(ValidationError, match="who sits out"):
        record_on(table, bernard)
    with pytest.raises(ValidationError, match="does not play"):
        record_on(table, bernard, taker=0, sits_out=table.seats.get(place=1))


def test_nobody_sits_out_at_a_table_of_four(table, record):
    with pytest.raises(ValidationError, match="Nobody sits out"):
        record(sits_out=table.seats.get(place=2))


# Correcting


def test_a_corrected_deal_leaves_the_first_one_readable(table, record, yves):
    first = record(points=49, bouts=1)
    second = correct(first, yves, points=49, bouts=2)

    first.refresh_from_db()
    assert (first.state, first.corrected_by, first.half_points) == ("corrected", second, 98)
    assert first.marks.count() == 4
    assert (second.number, second.author, second.is_standing) == (1, yves, True)
    assert totals(table) == [198, -66, -66, -66]
    table.refresh_from_db()
    assert (table.deals_recorded, table.version) == (1, 2)
    assert SheetEvent.objects.filter(kind="corrected", actor=yves, deal=second).exists()


def test_a_correction_without_a_change_writes_nothing(table, record, yves):
    first = record(points=49)

    assert correct(first, yves, points=49) == first
    assert table.tarot_deals.count() == 1


def test_a_correction_sent_twice_is_one(table, record, yves):
    first, key = record(points=49), uuid.uuid4()
    send = {
        "deal": first,
        "corrected": garde(table, points=52),
        "entry_key": key,
        "taker": first.taker,
        "by": yves,
    }

    assert actions.correct_tarot_deal(**send) == actions.correct_tarot_deal(**send)
    assert table.tarot_deals.count() == 2


def test_a_deal_that_somebody_corrected_meanwhile_is_stale_to_correct(record, bernard, yves):
    first = record(points=49)
    theirs = correct(first, yves, points=52)

    with pytest.raises(StaleSheet) as refusal:
        correct(first, bernard, points=53)

    assert refusal.value.standing == theirs


def test_after_the_round_is_closed_only_a_director_corrects(table, record, bernard, director):
    first = record(points=49)
    close_round(table)

    with pytest.raises(PermissionDenied):
        correct(first, bernard, points=52)
    assert correct(first, director, points=52).is_standing


def test_after_the_evening_is_closed_a_director_corrects_and_the_standings_grow_old(
    table, record, scorer, director
):
    first = record(points=49)
    close_round(table)
    Event.objects.update(state=Event.State.CLOSED)
    StaleStandings.objects.all().delete()

    with pytest.raises(PermissionDenied):
        correct(first, scorer, points=52)
    correct(first, director, points=52)

    assert StaleStandings.objects.filter(event=table.round.event_id).exists()


# Declaring void


def test_a_void_deal_frees_its_number_for_the_one_played_in_its_place(table, record, yves):
    first, second = record(points=49), record(points=52)

    actions.void_deal(deal=first, reason=" Misdeal ", by=yves)
    replacement = record(points=41)

    first.refresh_from_db()
    assert (first.state, first.void_reason, first.voided_by) == ("void", "Misdeal", yves)
    assert (replacement.number, second.number) == (1, 2)
    assert record(points=56).number == 3
    assert sum(totals(table)) == 0


def test_a_deal_is_void_for_a_reason(record, yves):
    with pytest.raises(ValidationError, match="why the deal is void"):
        actions.void_deal(deal=record(), reason="  ", by=yves)


def test_a_deal_declared_void_twice_is_void_once(record, yves):
    deal = record()

    actions.void_deal(deal=deal, reason="Misdeal", by=yves)
    actions.void_deal(deal=deal, reason="Misdeal", by=yves)

    assert SheetEvent.objects.filter(kind="voided").count() == 1


def test_a_corrected_deal_is_not_declared_void_in_the_place_of_the_new_one(record, yves):
    first = record(points=49)
    second = correct(first, yves, points=52)

    with pytest.raises(StaleSheet) as refusal:
        actions.void_deal(deal=first, reason="Misdeal", by=yves)

    assert refusal.value.standing == second


def test_after_the_round_is_closed_only_a_director_declares_void(table, record, bernard, director):
    deal = record()
    close_round(table)

    with pytest.raises(PermissionDenied):
        actions.void_deal(deal=deal, reason="Misdeal", by=bernard)
    assert actions.void_deal(deal=deal, reason="Misdeal", by=director).state == "void"


# Taking back


def test_the_author_takes_the_last_deal_back(table, record, bernard):
    record(points=49)
    second = record(points=52)

    assert actions.undo_last_deal(table=table, by=bernard) == second

    second.refresh_from_db()
    assert (second.state, second.voided_by) == ("void", bernard)
    assert totals(table) == [198, -66, -66, -66]
    assert SheetEvent.objects.filter(kind="undone").count() == 1
    assert record(points=53).number == 2


def test_another_player_does_not_take_back_what_he_did_not_enter(table, record, yves, scorer):
    record()

    with pytest.raises(PermissionDenied):
        actions.undo_last_deal(table=table, by=yves)
    assert actions.undo_last_deal(table=table, by=scorer).state == "void"


def test_undo_never_takes_a_deal_that_the_page_did_not_show(table, record, bernard):
    first, second = record(points=49), record(points=52)

    with pytest.raises(StaleSheet) as refusal:
        actions.undo_last_deal(table=table, by=bernard, deal_id=first.pk)

    assert refusal.value.standing == second


def test_undo_pressed_twice_takes_one_deal_back(table, record, bernard):
    first, second = record(points=49), record(points=52)

    actions.undo_last_deal(table=table, by=bernard, deal_id=second.pk)
    again = actions.undo_last_deal(table=table, by=bernard, deal_id=second.pk)

    assert again == second
    first.refresh_from_db()
    assert first.is_standing


def test_there_is_nothing_to_undo_on_an_empty_sheet(table, bernard):
    with pytest.raises(ValidationError, match="no deal to undo"):
        actions.undo_last_deal(table=table, by=bernard)


def test_undo_after_a_correction_of_an_earlier_deal_takes_the_last_one_played(
    table, record, bernard
):
    first, _second, third = (record(points=points) for points in (49, 52, 53))
    corrected = correct(first, bernard, points=50)

    assert actions.undo_last_deal(table=table, by=bernard) == third

    corrected.refresh_from_db()
    assert corrected.is_standing


def test_a_corrected_deal_is_not_undone_for_nobody_knows_which_step(table, record, bernard):
    deal = record(points=49)
    corrected = correct(deal, bernard, points=50)

    with pytest.raises(ValidationError, match="has been corrected") as refusal:
        actions.undo_last_deal(table=table, by=bernard, deal_id=corrected.pk)

    assert refusal.value.code == "corrected"
    corrected.refresh_from_db()
    assert corrected.is_standing
