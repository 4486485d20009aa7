"""The referee over the API: the clock, the calls, the ledger; the pages' own refusals."""

from __future__ import annotations

import uuid

import pytest

from tests.api.conftest import report
from tests.factories import EventFactory, RoundFactory, TableFactory
from tournaments import actions as tournament_actions
from tournaments.faults import FAULTS
from tournaments.models import JournalLine, RefereeCall, Round, Ruling

pytestmark = pytest.mark.django_db


@pytest.fixture
def director_api(caller, director):
    return caller(director)


@pytest.fixture
def entry(table):
    return table.seats.get(place=1).entry


def rule(api, world, **changes):
    sent = {"entry_key": str(uuid.uuid4()), "fault": "exposed_card", **changes}
    return api.post(f"/api/v1/events/{world.event.pk}/rulings/", sent)


def clock_of(api, world, **command):
    address = f"/api/v1/rounds/{world.round.pk}/clock/"
    return api.post(address, command) if command else api.get(address)


# Rulings


def test_the_list_says_what_each_fault_costs(caller):
    listed = {fault["code"]: fault for fault in caller(None).get("/api/v1/faults/").data}

    assert set(listed) == set(FAULTS)
    assert listed["slow_play"]["amounts"] == [100, 200]
    assert listed["hidden_misdeal"]["consequences"] == [
        "void, dealt again",
        "the same player deals again",
        "may not bid on the next deal",
    ]


def test_the_first_time_is_a_warning_and_the_second_costs_100(director_api, world, entry):
    first = rule(director_api, world, entry=entry.pk)
    second = rule(director_api, world, entry=entry.pk)

    assert (first.status_code, first.data["kind"], first.data["points"]) == (201, "warning", 0)
    assert (second.data["kind"], second.data["points"]) == ("penalty", 100)
    assert first.data["player"] == str(entry)


def test_a_ruling_sent_twice_is_one_ruling(director_api, world, entry):
    key = str(uuid.uuid4())

    codes = [rule(director_api, world, entry=entry.pk, entry_key=key).status_code for _ in range(2)]

    assert codes == [201, 200]
    assert Ruling.objects.count() == 1


def test_by_the_list_a_deal_is_void_and_its_player_barred_from_the_next(
    director_api, caller, world, entry, table
):
    scorer_api = caller(world.seated[0].account)
    ruled = rule(
        director_api, world, fault="wrong_count", entry=entry.pk, table=table.pk, deal_number=1
    )

    refused = scorer_api.post(f"/api/v1/tables/{table.pk}/deals/", report(table))

    assert (ruled.data["outcome"], ruled.data["barred_deal"]) == ("replayed", 1)
    assert refused.status_code == 400
    assert refused.data["fields"][""][0]["code"] == "barred"


def test_a_withdrawn_ruling_says_why_and_lets_its_deal_count_again(
    director_api, world, entry, table
):
    deal = director_api.post(f"/api/v1/tables/{table.pk}/deals/", report(table)).data
    ruled = rule(director_api, world, fault="slow_play", entry=entry.pk, table=table.pk,
                 deal_number=1).data  # fmt: skip
    assert director_api.get(f"/api/v1/deals/{deal['id']}/").data["state"] == "void"

    gone = director_api.post(f"/api/v1/rulings/{ruled['id']}/withdraw/", {"why": "wrong table"})

    assert (gone.data["stands"], gone.data["withdrawn_why"]) == (False, "wrong table")
    assert director_api.get(f"/api/v1/deals/{deal['id']}/").data["state"] == "standing"


@pytest.mark.parametrize(
    ("changes", "field", "code"),
    [
        ({"fault": "snoring"}, "fault", "invalid_choice"),
        ({"entry": 999_999}, "entry", "another_evening"),
        ({"table": 999_999}, "table", "another_evening"),
        ({"points": 100}, "points", "not_here"),
        ({"kind": "penalty"}, "", "nobody"),
        ({"fault": "hidden_misdeal", "kind": "decision"}, "", "which_deal"),
        ({"outcome": "void"}, "outcome", "invalid_choice"),
        ({"colour": "red"}, "colour", "unknown_field"),
        ({"entry_key": "once"}, "entry_key", "invalid"),
        ({"note": "x" * 301}, "note", "max_length"),
        ({"deal_number": 99_999}, "deal_number", "max_value"),
    ],
)
def test_a_ruling_that_cannot_be_is_refused_beside_its_field(
    director_api, world, changes, field, code
):
    answer = rule(director_api, world, **changes)

    assert answer.status_code == 400
    assert answer.data["fields"][field][0]["code"] == code
    assert not Ruling.objects.exists()


def test_the_table_of_another_evening_is_refused(director_api, world):
    elsewhere = TableFactory(round=RoundFactory(event=EventFactory(running=True)))

    assert rule(director_api, world, table=elsewhere.pk).status_code == 400


@pytest.mark.parametrize("count", [1, 3])
def test_the_ledger_takes_the_same_few_queries_however_long_it_is(
    director_api, world, entry, count, django_assert_num_queries
):
    for _ in range(count):
        rule(director_api, world, fault="smoking", entry=entry.pk, table=world.table.pk)

    with django_assert_num_queries(5):
        ledger = director_api.get(f"/api/v1/events/{world.event.pk}/rulings/").data

    assert [line["points"] for line in ledger] == [100] * count


# Calls


def test_a_table_calls_once_one_goes_and_it_is_settled(caller, world, table, director_api, owner):
    player = caller(world.seated[0].account)
    first = player.post(f"/api/v1/tables/{table.pk}/call/", {"reason": "A card is missing."})
    again = player.post(f"/api/v1/tables/{table.pk}/call/", {})

    waiting = director_api.get(f"/api/v1/events/{world.event.pk}/calls/").data
    assert first.data["id"] == again.data["id"] == waiting[0]["id"]
    assert waiting[0]["reason"] == "A card is missing."

    address = f"/api/v1/calls/{first.data['id']}/"
    assert director_api.post(f"{address}go/").data["somebody_goes"]
    other = caller(owner).post(f"{address}go/")
    assert (other.status_code, other.data["code"]) == (409, "somebody_goes")
    assert director_api.post(f"{address}answer/").data["is_answered"]
    assert director_api.get(f"/api/v1/events/{world.event.pk}/calls/").data == []


def test_something_wrong_that_can_wait_is_no_call_at_once(caller, world, table):
    player = caller(world.seated[0].account)

    player.post(f"/api/v1/tables/{table.pk}/call/", {"is_problem": True})

    assert RefereeCall.objects.get().is_problem


# The clock


def test_a_round_without_a_clock_says_so(director_api, world):
    shown = clock_of(director_api, world).data

    assert (shown["is_running"], shown["ends_at"], shown["seconds_left"]) == (False, None, None)


def test_the_clock_is_started_stopped_goes_on_and_ends(director_api, world, table):
    started = clock_of(director_api, world, do="start", minutes=60).data
    assert started["is_running"]
    assert 3590 <= started["seconds_left"] <= 3600
    assert not clock_of(director_api, world, do="pause").data["is_running"]
    assert clock_of(director_api, world, do="resume").data["is_running"]

    called = clock_of(director_api, world, do="call_time").data

    assert called["tables"][0]["over_at"] == called["time_called_at"]
    assert clock_of(director_api, world, do="take_time_back").data["time_called_at"] is None
    assert JournalLine.objects.filter(kind__startswith="clock").count() == 3


def test_done_twice_it_is_done_once(director_api, world):
    for _ in range(2):
        assert clock_of(director_api, world, do="start", minutes=60).status_code == 200

    assert JournalLine.objects.filter(kind="clock_started").count() == 1


@pytest.mark.parametrize(
    ("command", "field", "code"),
    [
        ({"do": "stop"}, "do", "invalid_choice"),
        ({"do": "start"}, "minutes", "required"),
        ({"do": "start", "minutes": 0}, "minutes", "min_value"),
        ({"do": "start", "minutes": 601}, "minutes", "max_value"),
        ({"do": "pause", "minutes": 5}, "minutes", "not_here"),
        ({"do": "pause"}, "", "no_clock"),
    ],
)
def test_a_command_that_cannot_be_is_refused(director_api, world, command, field, code):
    answer = clock_of(director_api, world, **command)

    assert answer.status_code == 400
    assert answer.data["fields"][field][0]["code"] == code


def test_a_closed_round_has_no_clock_to_start(director_api, world):
    Round.objects.update(state=Round.State.CLOSED)

    answer = clock_of(director_api, world, do="start", minutes=60)

    assert (answer.status_code, answer.data["code"]) == (409, "round_not_playing")


@pytest.mark.parametrize("name", ["member", "scorer"])
def test_only_a_director_touches_the_clock(caller, world, name, request):
    answer = clock_of(caller(request.getfixturevalue(name)), world, do="start", minutes=60)

    assert answer.status_code == 403


def test_a_table_gets_more_time_and_loses_it_again(director_api, world, table, director):
    tournament_actions.call_time(this_round=world.round, by=director)
    address = f"/api/v1/tables/{table.pk}/extra-minutes/"

    more = director_api.post(address, {"minutes": 10})
    none = director_api.post(address, {"minutes": 0})

    assert (more.data["extra_minutes"], none.data["extra_minutes"]) == (10, 0)
    assert more.data["over_at"] > none.data["over_at"]
    assert director_api.post(address, {"minutes": -1}).status_code == 400
