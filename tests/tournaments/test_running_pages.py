"""The director's board while a position of a tournament is played."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest
from django.urls import reverse

from tests.factories import TableFactory
from tournaments import actions
from tournaments.models import Event, RefereeCall, Round, Table

pytestmark = pytest.mark.django_db


@pytest.fixture
def position(playing) -> Round:
    """Two tables of a tournament, all deals played."""
    Event.objects.filter(pk=playing.event_id).update(kind=Event.Kind.TOURNAMENT)
    playing.tables.update(deals_recorded=5)
    return playing


def board(client, position: Round, **asked) -> str:
    return client.get(reverse("tables", args=[position.event_id]), asked).text


def press(client, position: Round, button: str, **more):
    return client.post(
        reverse("change-clock", args=[position.event_id]),
        {"round": position.pk, "press": button, **more},
        follow=True,
    )


def test_the_director_starts_stops_and_goes_on_with_the_clock(director_client, position):
    press(director_client, position, "start", minutes=60)
    assert "60 minutes left" in board(director_client, position)

    press(director_client, position, "pause")
    assert "The clock stands still with 60 minutes left." in board(director_client, position)

    press(director_client, position, "resume")
    press(director_client, position, "call")
    page = board(director_client, position)
    assert "The time of this round is over: no new deal starts." in page
    assert "Take the end of time back" in page


def test_a_clock_without_minutes_is_refused_in_words(director_client, position):
    page = press(director_client, position, "start", minutes="").text

    assert "A round lasts from 1 to 600 minutes." in page
    position.refresh_from_db()
    assert position.clock_started_at is None


@pytest.mark.parametrize("sent", [{"press": "faster"}, {"press": ""}, {"round": "first"}])
def test_a_button_that_the_clock_does_not_have_is_answered_in_words(
    director_client, position, sent
):
    page = press(director_client, position, "start", **sent).text

    assert "This page is damaged. Open it again." in page


def test_a_table_gets_more_time_and_the_board_says_so(director_client, position):
    table = position.tables.get(number=2)
    director_client.post(
        reverse("extend-table", args=[position.event_id]),
        {"round": position.pk, "extend-table": table.pk, "extend-minutes": "10"},
    )
    press(director_client, position, "call")

    assert "Table 2 has 10 minutes more." in board(director_client, position)


def test_one_minute_more_is_one_minute(director_client, position):
    table = position.tables.get(number=2)

    page = director_client.post(
        reverse("extend-table", args=[position.event_id]),
        {"round": position.pk, "extend-table": table.pk, "extend-minutes": "1"},
        follow=True,
    )

    assert "Table 2 plays 1 minute longer than the others." in page.text


def test_the_board_names_the_tables_that_stop_the_end_and_gives_up_one(director_client, position):
    first = position.tables.get(number=1)
    actions.sign_sheet(table=first, by=None)
    Table.objects.filter(round=position, number=2).update(deals_recorded=3)
    address = reverse("close-round", args=[position.event_id])

    refused = director_client.post(address, {"round": position.pk})
    assert refused.status_code == 422
    assert "Deals are missing on the sheet of table 2." in refused.text
    assert 'name="without" value="2"' in refused.text

    director_client.post(address, {"round": position.pk, "without": "2"})
    position.refresh_from_db()
    assert position.state == Round.State.CLOSED


def test_who_ticks_no_table_is_told_so(director_client, position):
    address, order = reverse("close-round", args=[position.event_id]), {"round": position.pk}
    said = "No table is ticked"

    asked = director_client.post(address, order).content.decode()
    assert said not in asked
    assert 'name="chooses" value="on"' in asked
    assert said in director_client.post(address, order | {"chooses": "on"}).content.decode()


def test_the_board_shows_who_signed_and_who_calls(director_client, position, director):
    first, second = position.tables.in_order()
    actions.sign_sheet(table=first, by=None)
    actions.call_referee(table=second, by=director, reason="exposed card")

    page = board(director_client, position)

    assert "Signed" in page
    assert "Not signed" in page
    assert "Calls the referee: exposed card" in page


def test_a_call_is_among_the_tables_that_need_help(director_client, position, director):
    position.tables.update(signed_at=datetime(2026, 11, 29, tzinfo=UTC))
    actions.call_referee(table=position.tables.get(number=2), by=director)

    page = board(director_client, position, show="help")

    assert 'id="table-2"' in page
    assert 'id="table-1"' not in page


def test_a_call_and_the_clock_reach_a_board_that_is_already_open(
    director_client, position, director
):
    address = reverse("tables", args=[position.event_id])
    asked = {"round": position.number, "show": "all"}

    def poll(etag=""):
        return director_client.get(
            address, asked, headers={"HX-Request": "true", "If-None-Match": etag}
        )

    etag = poll()["ETag"]
    assert poll(etag).status_code == 304

    RefereeCall.objects.create(table=position.tables.first())
    called = poll(etag)
    assert called.status_code == 200
    actions.start_clock(
        this_round=position, minutes=60, by=None, at=datetime(2026, 12, 3, 21, 0, tzinfo=UTC)
    )
    assert poll(called["ETag"]).status_code == 200


def test_a_club_night_shows_no_clock_before_somebody_wants_one(director_client, playing):
    assert "clock-buttons" not in board(director_client, playing)


def sheets(position: Round, *points: tuple[int, ...], deals: int) -> None:
    """Let each table hold a sheet of so many deals with these points."""
    for table, row in zip(position.tables.in_order(), points, strict=True):
        for seat, won in zip(table.seats.order_by("place"), row, strict=True):
            seat.points = won
            seat.save()
    position.tables.update(deals_recorded=deals, signed_at=datetime(2026, 11, 29, tzinfo=UTC))


ALIKE = (90, -30, -30, -30)


def test_two_tables_with_the_same_sheet_raise_an_alarm(director_client, position):
    sheets(position, ALIKE, ALIKE, deals=5)

    page = board(director_client, position, show="help")

    assert "Needs help 2" in page
    assert "The same sheet as table 1: ask whether it was entered twice." in page
    assert "The same sheet as table 2: ask whether it was entered twice." in page


@pytest.mark.parametrize(
    ("other", "deals"),
    [
        (ALIKE, 1),  # two tables may begin alike
        ((-30, 90, -30, -30), 5),  # the same points in other seats
    ],
)
def test_sheets_that_differ_or_have_hardly_begun_raise_no_alarm(
    director_client, position, other, deals
):
    sheets(position, ALIKE, other, deals=deals)

    assert "The same sheet as" not in board(director_client, position)


def test_a_table_that_holds_the_close_up_needs_help(director_client, position):
    position.tables.filter(number=1).update(signed_at=datetime(2026, 11, 29, tzinfo=UTC))
    position.tables.filter(number=2).update(deals_recorded=3)
    before = board(director_client, position)

    refused = director_client.post(
        reverse("close-round", args=[position.event_id]), {"round": position.pk}
    )

    assert "Needs help 0" in before
    assert refused.status_code == 422
    assert "Needs help 1" in refused.text


def test_a_finished_sheet_that_nobody_signs_needs_help(director_client, position):
    position.tables.filter(number=1).update(signed_at=datetime(2026, 11, 29, tzinfo=UTC))

    assert "Needs help 1" in board(director_client, position)


@pytest.mark.parametrize(("page", "trouble"), [("tables", "help"), ("floor", "twin")])
def test_in_a_long_hall_links_lead_to_each_table_and_stay_open_when_the_board_is_loaded_again(
    director_client, position, page: str, trouble: str
):
    for number in range(3, 14):
        TableFactory(round=position, number=number, players=[])
    address = reverse(page, args=[position.event_id])
    shown = director_client.get(address).text

    links = re.findall(r'<a href="#(table-\d+)">', shown)

    assert links == [f"table-{number}" for number in range(1, 14)]
    assert all(f'id="{link}"' in shown for link in links)
    asked = director_client.get(address, {"round": position.number}, headers={"HX-Request": "true"})
    assert "go-to-table" not in asked.text
    assert "go-to-table" not in director_client.get(address, {"show": trouble}).text


@pytest.mark.parametrize("page", ["tables", "floor"])
def test_where_few_tables_play_no_links_lead_to_them(director_client, position, page: str):
    shown = director_client.get(reverse(page, args=[position.event_id])).text

    assert "go-to-table" not in shown
