"""The journal tells in the order of time what was done to an evening and to its sheets."""

from __future__ import annotations

import uuid

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from scoring import actions
from scoring.games import game_of
from scoring.models import SheetEvent
from tests.factories import (
    EventFactory,
    JoinLinkFactory,
    PhoneFactory,
    RoundFactory,
    TableFactory,
)
from tests.reading import text_of
from tests.scoring.conftest import answers, garde
from tests.scoring.truco import hand, press, truco_table
from tests.scoring.truco import record as record_hands
from tournaments import actions as tournament_actions
from tournaments import phones
from tournaments.journal import SENTENCES
from tournaments.models import JournalLine, Phone
from tournaments.visitors import mark_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def shown(scorer_client, table):
    def show(**query) -> str:
        address = reverse("journal", args=[table.round.event_id])
        return text_of(scorer_client.get(address, query))

    return show


def test_what_was_corrected_void_or_taken_back_on_a_sheet_is_told(
    record, table, bernard, director, shown
):
    deal = actions.correct_tarot_deal(
        deal=record(),
        corrected=garde(table, points=60),
        entry_key=uuid.uuid4(),
        taker=table.seats.get(place=1),
        by=bernard,
    )
    actions.void_deal(deal=deal, reason="Misdeal", by=director)
    record(points=50)
    actions.undo_last_deal(table=table, by=bernard)

    told = shown()

    corrected = told.index("Corrected deal 1 at table 1 in round 1.")
    void = told.index("Declared deal 1 at table 1 in round 1 void.")
    undone = told.index("Took back deal 1 at table 1 in round 1.")
    assert undone < void < corrected


def test_a_journal_without_a_line_says_so_and_has_no_table(table, scorer_client):
    page = scorer_client.get(reverse("journal", args=[table.round.event_id])).text

    assert "Nothing has been written here yet." in page
    assert "<table" not in page


# What was thrown away on a phone before it was sent


@pytest.fixture
def gone(table):
    """The phone of seat 1, which somebody else holds now."""
    link = JoinLinkFactory(event=table.event, table_number=table.number)
    return PhoneFactory(link=link, seat=table.seats.get(place=1))


def holding(phone: Phone) -> Client:
    """A browser that has joined as this phone."""
    client = Client()
    answer = HttpResponse()
    phones.remember(answer, phone)
    for name, morsel in answer.cookies.items():
        client.cookies[name] = morsel.value
    return client


@pytest.fixture
def drop(table, gone):
    """Throw a deal of seat 1 away, on the phone of seat 2."""
    heir = holding(PhoneFactory(link=gone.link, seat=table.seats.get(place=2)))

    def send(**sent):
        row = answers(table, number=3, points="44") | {"entered_by": mark_of(gone)} | sent
        return heir.post(reverse("drop-kept", args=[table.pk]), row)

    return send


def test_what_waited_on_a_phone_and_was_thrown_away_is_told_with_whose_it_was(
    table, gone, drop, bernard, shown
):
    for whose in (mark_of(gone), mark_of(bernard), "of another browser"):
        assert drop(entered_by=whose).status_code == 204
    assert drop(entered_by="").status_code == 422

    told = shown()

    for whose in (gone.player.name, bernard.players.get().name, "somebody"):
        assert (
            f"Threw away, unsent, what {whose} had entered as number 3 at table 1 in round 1: "
        ) in told
    assert told.count("Threw away") == 3


def test_what_was_thrown_away_is_told_by_the_site_and_not_in_the_words_of_the_phone(drop, shown):
    drop(words="A chelem of the whole table", name="Nobody")

    told = shown()
    assert "2 bouts, 44 points · Garde made by 3." in told
    assert "whole table" not in told
    assert "Nobody" not in told


def test_what_was_thrown_away_and_cannot_be_read_is_told_so(drop, shown):
    drop(points="<b>96</b>")

    assert "had entered as number 3 at table 1 in round 1. What it said cannot be read." in shown()


def test_the_words_of_what_was_thrown_away_are_cut_and_no_markup(table, gone, scorer_client):
    actions.note_dropped(
        game_of(table).sheet,
        table=table,
        by=gone,
        entry_key=uuid.uuid4(),
        entered_by="",
        number=1,
        words="<i>" + "a" * 400,
    )

    page = scorer_client.get(reverse("journal", args=[table.round.event_id])).content.decode()
    assert "&lt;i&gt;" + "a" * 296 + "…" in page
    assert "a" * 297 not in page


def test_what_was_thrown_away_is_told_once_however_often_the_phone_says_so(drop):
    key = uuid.uuid4()

    for _press in range(2):
        assert drop(entry_key=key).status_code == 204

    assert SheetEvent.objects.filter(kind=SheetEvent.Kind.DROPPED).count() == 1
    drop()
    assert SheetEvent.objects.filter(kind=SheetEvent.Kind.DROPPED).count() == 2


@pytest.mark.parametrize("is_void", [False, True])
def test_a_row_that_had_arrived_is_not_told_as_thrown_away(record, drop, bernard, shown, is_void):
    row = record()
    if is_void:
        actions.void_deal(deal=row, reason="Misdeal", by=bernard)

    assert drop(entry_key=row.entry_key).status_code == 204

    assert "Threw away" not in shown()


def test_a_hand_of_truco_is_read_whatever_the_sheet_asks_by_now(season):
    table = truco_table(season)
    phone = PhoneFactory(
        link=JoinLinkFactory(event=table.event, table_number=table.number),
        seat=table.seats.get(place=1),
    )
    record_hands(table, phone, hand("a", 9))

    assert holding(phone).post(
        reverse("drop-kept", args=[table.pk]),
        press(table, winner="b", value="3", asked="2 iron", entered_by=mark_of(phone)),
    ).status_code == 204  # fmt: skip

    line = SheetEvent.objects.get(kind=SheetEvent.Kind.DROPPED)
    assert line.details["words"].endswith("+3")


def test_a_deal_that_is_entered_is_on_the_sheet_and_not_in_the_journal(record, shown):
    record()

    assert "deal 1" not in shown()


def test_sheets_and_evening_are_told_in_one_order_of_time(record, table, bernard, shown, director):
    record()
    tournament_actions.start_clock(this_round=table.round, minutes=60, by=director)
    actions.undo_last_deal(table=table, by=bernard)
    tournament_actions.call_time(this_round=table.round, by=director)

    told = shown()

    called = told.index("Called the end of time of round 1.")
    undone = told.index("Took back deal 1")
    started = told.index("Started the clock of round 1")
    assert called < undone < started


def test_a_withdrawn_ruling_lets_its_deal_count_again_in_the_journal_too(
    record, table, director, shown
):
    record()
    ruling = actions.record_ruling(
        event=table.round.event,
        fault="slow_play",
        entry=table.seats.get(place=1).entry,
        table=table,
        deal_number=1,
        outcome=None,
        by=director,
    )
    actions.withdraw_ruling(ruling=ruling, why="the clock was wrong", by=director)

    told = shown()

    assert "Declared deal 1 at table 1 in round 1 void." in told
    assert "Let deal 1 at table 1 in round 1 count again." in told


def test_the_sheets_of_another_evening_are_not_told(table, shown):
    other = EventFactory(season=table.round.event.season, running=True)
    elsewhere = TableFactory(round=RoundFactory(event=other), number=9)
    SheetEvent.objects.create(table=elsewhere, kind="undone", details={"number": 1})

    assert "table 9" not in shown()


@pytest.mark.parametrize("deals", [1, 12])
def test_a_page_of_the_journal_takes_the_same_few_queries(
    make_table, bernard, scorer_client, deals, django_assert_num_queries
):
    table = make_table(deals_planned=30)
    event_id = table.round.event_id
    for number in range(1, deals + 1):
        SheetEvent.objects.create(
            table=table, kind="undone", actor=bernard, details={"number": number}
        )
    scorer_client.get(reverse("journal", args=[event_id]))

    with django_assert_num_queries(8):
        scorer_client.get(reverse("journal", args=[event_id]))


def test_a_long_journal_goes_on_on_the_next_page(make_table, bernard, shown, table):
    for number in range(1, 61):
        SheetEvent.objects.create(
            table=table, kind="undone", actor=bernard, details={"number": number}
        )

    first, second = shown(), shown(page=2)

    assert "Took back deal 60 " in first
    assert "Took back deal 1 " in second
    assert "Took back deal 1 " not in first


def test_every_kind_of_line_has_a_sentence_or_one_made_for_it():
    made_for_it = {JournalLine.Kind.RULED, JournalLine.Kind.CUT_DECIDED}

    assert set(JournalLine.Kind) - made_for_it == set(SENTENCES)
