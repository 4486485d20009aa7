"""The referee's page and the call from a table."""

from __future__ import annotations

import uuid

import pytest
from django.urls import reverse

from clubs.models import Role
from scoring import actions
from tests.conftest import account_with
from tests.factories import TableFactory
from tournaments import actions as tournament_actions
from tournaments.models import RefereeCall, Ruling

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(table):
    return table.round.event


def sent(table, **changes):
    """What the form of a ruling sends about the first seat of a table."""
    seat = table.seats.order_by("place").first()
    answers = {
        "entry_key": uuid.uuid4(),
        "table": table.pk,
        "entry": seat.entry_id,
        "fault": "exposed_card",
        "deal_number": "1",
        "outcome": "counts",
        "penalty": "",
        "points": "",
        "note": "the petit, on the dog",
        **changes,
    }
    return {name: value for name, value in answers.items() if value is not None}


def test_a_table_calls_and_the_referee_sees_where_and_why(
    client_of, bernard, table, event, director_client
):
    client_of(bernard).post(
        reverse("call-referee", args=[table.pk]), {"reason": "card played out of turn"}
    )

    page = director_client.get(reverse("referee", args=[event.pk])).text
    assert "Table 1: card played out of turn" in page
    assert "called by Bernard" in page


def test_a_table_that_waits_calls_once(client_of, bernard, yves, table):
    for account in (bernard, yves):
        client_of(account).post(reverse("call-referee", args=[table.pk]))

    assert RefereeCall.objects.count() == 1


def test_a_settled_call_leaves_the_page_and_the_table_may_call_again(
    client_of, bernard, table, event, director_client
):
    calling = client_of(bernard)
    calling.post(reverse("call-referee", args=[table.pk]))
    call = RefereeCall.objects.get()

    director_client.post(reverse("answer-call", args=[call.pk]))
    calling.post(reverse("call-referee", args=[table.pk]))

    assert RefereeCall.objects.waiting().get() != call


def test_two_referees_do_not_walk_to_one_table(table, club, client_of, director, director_client):
    call = tournament_actions.call_referee(table=table, by=None)
    tournament_actions.go_to_call(call=call, by=account_with(club, Role.DIRECTOR, "Agnes"))

    page = director_client.post(reverse("go-to-call", args=[call.pk]), follow=True).text

    call.refresh_from_db()
    assert call.going_by.name == "Agnes"
    assert "Agnes is already on the way to this table." in page


def test_the_sheet_says_that_the_referee_is_called(client_of, bernard, table):
    tournament_actions.call_referee(table=table, by=bernard)

    assert (
        "The referee is called." in client_of(bernard).get(reverse("sheet", args=[table.pk])).text
    )


def test_a_closed_round_calls_no_referee(table, round_, client_of, bernard):
    tournament_actions.close_round(this_round=round_, by=None, without_missing=True)

    client_of(bernard).post(reverse("call-referee", args=[table.pk]))

    assert not RefereeCall.objects.exists()


def test_the_director_records_a_ruling_and_everybody_reads_it(
    director_client, member_client, table, event
):
    director_client.post(reverse("record-ruling", args=[event.pk]), sent(table, penalty="200"))

    page = member_client.get(reverse("referee", args=[event.pk])).text
    assert "<strong>Bernard</strong>: Exposed card of the defence" in page
    assert "−200" in page
    assert "the petit, on the dog" in page
    assert "ruling-form" not in page


def test_one_point_taken_is_one_point(director_client, table, event):
    address = reverse("record-ruling", args=[event.pk])

    page = director_client.post(address, sent(table, penalty="other", points="1"), follow=True)

    assert "Bernard loses 1 point." in page.text


def test_a_second_warning_is_answered_beside_the_form(director_client, table, event):
    address = reverse("record-ruling", args=[event.pk])
    director_client.post(address, sent(table))

    response = director_client.post(address, sent(table, penalty="warning"))

    assert response.status_code == 422
    assert "Bernard was already warned for this" in response.text
    assert Ruling.objects.count() == 1


def test_another_amount_wants_a_number(director_client, table, event):
    address = reverse("record-ruling", args=[event.pk])

    refused = director_client.post(address, sent(table, penalty="other"))
    director_client.post(address, sent(table, penalty="other", points="50"))

    assert refused.status_code == 422
    assert Ruling.objects.get().points == 50


def test_a_void_deal_is_struck_through_from_the_page(director_client, table, event, record):
    deal = record()

    director_client.post(
        reverse("record-ruling", args=[event.pk]),
        sent(table, fault="hidden_misdeal", outcome="replayed"),
    )

    deal.refresh_from_db()
    assert deal.void_reason == "Misdeal hidden by the dealer"


def test_a_withdrawn_ruling_is_struck_through_with_the_reason(
    director_client, director, table, event
):
    ruling = actions.record_ruling(
        event=event, fault="smoking", entry=table.seats.first().entry, by=director
    )
    address = reverse("withdraw-ruling", args=[ruling.pk])

    without_reason = director_client.post(address)
    director_client.post(address, {f"ruling-{ruling.pk}-why": "he was outside"})

    page = director_client.get(reverse("referee", args=[event.pk])).text
    assert without_reason.status_code == 422
    assert "he was outside" in page
    assert "<del>" in page


def test_the_form_of_a_table_offers_its_players_only(director_client, table, event):
    elsewhere = TableFactory(round=table.round)

    page = director_client.get(reverse("referee", args=[event.pk]), {"table": table.pk}).text

    assert 'name="entry"' in page
    assert elsewhere.seats.first().player.name not in page


@pytest.mark.parametrize("count", [1, 3])
def test_the_page_asks_as_often_for_three_rulings_as_for_one(
    director_client, table, event, count, django_assert_num_queries
):
    for seat in table.seats.all()[:count]:
        actions.record_ruling(
            event=event, fault="smoking", entry=seat.entry, table=table, by=seat.player.account
        )

    with django_assert_num_queries(18):
        director_client.get(reverse("referee", args=[event.pk]))


def test_the_journal_says_what_was_ruled_and_withdrawn(director_client, director, table, event):
    entry = table.seats.order_by("place").first().entry
    ruling = actions.record_ruling(event=event, fault="smoking", entry=entry, by=director)
    actions.record_ruling(event=event, fault="exposed_card", entry=entry, by=director)
    actions.withdraw_ruling(ruling=ruling, why="outside", by=director)

    page = director_client.get(reverse("journal", args=[event.pk])).text

    assert "Took 100 points from Bernard: Smoking." in page
    assert "Made a ruling about Bernard: Exposed card of the defence." in page
    assert "Withdrew the ruling “Smoking”." in page


def test_a_page_that_is_open_hears_of_a_call(director_client, bernard, table, event):
    tournament_actions.call_referee(table=table, by=bernard, reason="revoke")

    part = director_client.get(
        reverse("referee", args=[event.pk]), headers={"HX-Request": "true"}
    ).text

    assert "Table 1: revoke" in part
    assert "<html" not in part


def test_the_table_reads_on_its_sheet_what_was_ruled_and_not_what_was_withdrawn(
    client_of, yves, director, table, event
):
    entry = table.seats.order_by("place").first().entry
    actions.record_ruling(event=event, fault="slow_play", entry=entry, table=table, by=director)
    gone = actions.record_ruling(
        event=event, fault="smoking", entry=entry, table=table, by=director
    )
    actions.withdraw_ruling(ruling=gone, why="outside", by=director)

    page = client_of(yves).get(reverse("sheet", args=[table.pk])).text

    assert "<strong>Bernard</strong>: Slow play" in page
    assert "Smoking" not in page


def test_the_deal_follows_the_list_unless_the_director_says_otherwise(
    director_client, table, event, record
):
    deal = record()
    address = reverse("record-ruling", args=[event.pk])

    director_client.post(address, sent(table, fault="hidden_misdeal", outcome="counts"))
    deal.refresh_from_db()
    kept = deal.is_standing
    director_client.post(address, sent(table, fault="hidden_misdeal", outcome=""))

    deal.refresh_from_db()
    assert (kept, deal.is_standing) == (True, False)


def test_the_form_says_what_each_fault_does_to_the_deal_and_the_next_bid(
    director_client, table, event
):
    page = director_client.get(reverse("referee", args=[event.pk]), {"table": table.pk}).text

    for said in (
        "Misdeal hidden by the dealer: 500 · void, dealt again · the same player deals again · ",
        "the same player deals again · may not bid on the next deal",
        "Misdeal found during play · void if the taker loses",
        "100 · void if the side at fault wins · what the fault won is handed back · ",
        "what the fault won is handed back · the points may be waived",
        "Poignée shown too late by the taker · the poignée counts only if the taker loses",
    ):
        assert said in page


def test_the_ledger_and_the_sheet_say_who_may_not_bid_on_which_deal(
    director_client, client_of, yves, table, event
):
    address = reverse("record-ruling", args=[event.pk])
    ledger, sheet = reverse("referee", args=[event.pk]), reverse("sheet", args=[table.pk])
    director_client.post(address, sent(table, fault="hidden_misdeal", outcome=""))
    barred = "<strong>may not bid on deal 1</strong>"

    assert 'class="small">may not bid on deal 1</strong>' in director_client.get(ledger).text
    page = client_of(yves).get(sheet).text
    assert barred in page
    assert "deal 1: void, dealt again" in page

    ruling = Ruling.objects.get()
    director_client.post(
        reverse("withdraw-ruling", args=[ruling.pk]), {f"ruling-{ruling.pk}-why": "another dealer"}
    )

    assert 'class="small">may not bid' not in director_client.get(ledger).text
    assert barred not in client_of(yves).get(sheet).text
