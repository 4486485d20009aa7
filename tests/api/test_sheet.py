"""A deal over the API: the same actions, the same refusals, one deal for one key."""

from __future__ import annotations

import uuid

import pytest
from django.test import Client
from rest_framework.serializers import Serializer

from clubs.api import CredentialsSerializer, StrictSerializer
from rules_engine import tarot
from scoring import actions, tasks
from scoring.api import VoidSerializer
from scoring.games.tarot_serializers import RecordSerializer, ReportSerializer
from scoring.models import StaleStandings, TarotDeal
from scoring.rules.tarot import ruleset_of
from tests.api.conftest import publish, report
from tests.factories import PlayerFactory, TableFactory
from tournaments.models import Round, Table

pytestmark = pytest.mark.django_db


def post(api, table: Table, **changes):
    return api.post(f"/api/v1/tables/{table.pk}/deals/", report(table, **changes))


def test_a_recorded_deal_is_answered_with_what_it_gives_each_seat(api, table):
    answer = post(api, table)

    assert answer.status_code == 201
    assert (answer.data["number"], answer.data["state"]) == (1, "standing")
    assert (answer.data["is_made"], answer.data["margin"]) == (True, 8)
    assert [mark["points"] for mark in answer.data["marks"]] == [198, -66, -66, -66]
    assert answer.data["table_version"] == 1
    assert StaleStandings.objects.filter(event=table.event).exists()


def test_the_same_key_is_one_deal(api, table):
    key = str(uuid.uuid4())

    first = post(api, table, entry_key=key)
    second = post(api, table, entry_key=key)

    assert (first.status_code, second.status_code) == (201, 200)
    assert first.data["id"] == second.data["id"]
    assert TarotDeal.objects.count() == 1


def test_the_same_key_with_another_deal_is_a_conflict(api, table):
    key = str(uuid.uuid4())
    post(api, table, entry_key=key)

    answer = post(api, table, entry_key=key, taker_card_points=52)

    assert answer.status_code == 409
    assert answer.data["standing"]["taker_card_points"] == 49
    assert TarotDeal.objects.count() == 1


@pytest.mark.parametrize("seen", [{"version": 0}, {"number": 1}])
def test_whoever_has_seen_an_older_sheet_is_shown_the_deal_that_stands(
    api, caller, world, table, seen
):
    theirs = post(caller(world.seated[0].account), table).data

    answer = post(api, table, taker_card_points=52, **seen)

    assert answer.status_code == 409
    assert answer.data["code"] == "stale"
    assert answer.data["next_number"] == 2
    assert TarotDeal.objects.count() == 1
    if "number" in seen:
        assert answer.data["standing"]["id"] == theirs["id"]


def test_without_number_and_version_the_deal_is_the_next(api, table):
    post(api, table)

    assert post(api, table, taker_card_points=52).data["number"] == 2


def test_a_deal_that_cannot_be_is_refused_beside_its_field_in_the_callers_language(api, table):
    answer = post(api, table, taker_card_points=49.5)

    assert answer.status_code == 400
    assert answer.data["code"] == "invalid"
    (error,) = answer.data["fields"]["taker_card_points"]
    assert error["code"] == "half_point_at_four"
    assert error["message"] == answer.data["message"] != ""
    assert TarotDeal.objects.count() == 0


@pytest.mark.parametrize(
    ("changes", "field", "code"),
    [
        ({"contract": "coinche"}, "contract", "invalid_choice"),
        ({"bouts": 4}, "bouts", "max_value"),
        ({"taker_card_points": 92}, "taker_card_points", "max_value"),
        ({"taker_card_points": None}, "taker_card_points", "required"),
        ({"entry_key": None}, "entry_key", "required"),
        ({"entry_key": "deal one"}, "entry_key", "invalid"),
        ({"taker": 999_999}, "taker", "seat"),
        ({"poignees": [{"size": "huge", "side": "attack"}]}, "poignees[0].size", "invalid_choice"),
        ({"partner": 0}, "partner", "seat"),
        ({"taker_card_points": 10**400}, "taker_card_points", "overflow"),
        ({"taker_card_points": "NaN"}, "taker_card_points", None),
        ({"version": -1}, "version", "min_value"),
        ({"version": 10**30}, "version", "max_value"),
        ({"number": 10**30}, "number", "max_value"),
        ({"poignee": [{"size": "simple", "side": "attack"}]}, "poignee", "unknown_field"),
        ({"chelem": {"anounced": True}}, "chelem.anounced", "unknown_field"),
        ({"miseres": [{"kind": "trumps", "seat": 0}]}, "miseres", "seat"),
        ({"miseres": [{"kind": "kings", "seat": 0}]}, "miseres[0].kind", "invalid_choice"),
    ],
)
def test_what_cannot_be_read_is_named_with_its_field(api, table, changes, field, code):
    answer = post(api, table, **changes)

    assert answer.status_code == 400
    assert list(answer.data["fields"]) == [field]
    assert code is None or answer.data["fields"][field][0]["code"] == code


@pytest.fixture
def house(table):
    """The table plays the house games."""
    table.event.ruleset = tarot.ruleset("seed-004-regional").to_json() | {"petit_chelem": True}
    table.event.save(update_fields=["ruleset"])


def test_a_misere_is_written_read_and_kept_in_a_correction(api, table, house):
    yves = table.seats.get(place=2)
    misere = {"kind": "trumps", "seat": yves.pk}
    slam = {"announced": True, "achieved": None}

    first = post(api, table, miseres=[misere], petit_chelem=slam)
    plain = post(api, table)
    again = {name: first.data[name] for name in ("miseres", "petit_chelem", "poignees", "chelem")}
    corrected = api.post(
        f"/api/v1/deals/{first.data['id']}/correct/", report(table, taker_card_points=52, **again)
    )

    assert first.data["miseres"] == corrected.data["miseres"] == [misere]
    assert first.data["petit_chelem"] == corrected.data["petit_chelem"] == slam
    assert plain.data["miseres"] == []
    assert (
        TarotDeal.objects.get(pk=corrected.data["id"]).house_options
        == TarotDeal.objects.get(pk=first.data["id"]).house_options
        == {"petit_chelem": slam, "miseres": [{"kind": "trumps", "declarer": 1}]}
    )
    marks = {mark["seat"]: mark["points"] for mark in first.data["marks"]}
    others = {mark["seat"]: mark["points"] for mark in plain.data["marks"]}
    assert (
        marks[yves.pk] - others[yves.pk]
        != marks[table.seats.get(place=3).pk] - others[table.seats.get(place=3).pk]
    )
    assert sum(marks.values()) == 0


def test_a_misere_is_refused_where_it_is_not_played(api, table):
    seat = table.seats.get(place=2).pk

    answer = post(api, table, miseres=[{"kind": "trumps", "seat": seat}])

    assert (answer.status_code, list(answer.data["fields"])) == (400, ["miseres"])


def test_whatever_is_sent_is_read_strictly():
    """No door of the API drops what it does not know."""
    doors = (RecordSerializer, ReportSerializer, VoidSerializer, CredentialsSerializer)

    for door in doors:
        assert issubclass(door, StrictSerializer)
        for field in door().fields.values():
            inner = getattr(field, "child", field)
            assert not isinstance(inner, Serializer) or isinstance(inner, StrictSerializer)


def test_a_seat_of_another_table_is_refused(api, world, table):
    other = TableFactory(round=world.round)

    answer = post(api, table, taker=other.seats.first().pk)

    assert (answer.status_code, list(answer.data["fields"])) == (400, ["taker"])


def test_an_announced_slam_a_poignee_and_the_petit_reach_the_sheet(api, table):
    answer = post(
        api, table,
        bouts=3, taker_card_points=91,
        chelem={"announced": True, "achieved": "attack"},
        poignees=[{"size": "simple", "side": "attack"}],
        petit_au_bout="attack",
    )  # fmt: skip

    # (25 + 55 + 10) x 2 + 20 + 400
    assert [mark["points"] for mark in answer.data["marks"]] == [1800, -600, -600, -600]


def test_at_five_a_partner_is_enough_to_say_who_was_called(api, world, club):
    five = TableFactory(
        round=world.round, players_per_deal=5, players=PlayerFactory.create_batch(5, club=club)
    )
    seats = list(five.seats.order_by("place"))

    answer = post(api, five, partner=seats[2].pk, taker_card_points=49.5)

    # (25 + 9) x 2, twice for the taker, once for the partner
    assert [mark["points"] for mark in answer.data["marks"]] == [136, -68, 68, -68, -68]
    assert answer.data["called"] == "partner"


def test_at_a_table_of_five_that_plays_by_four_somebody_sits_out(api, world, club):
    five = TableFactory(round=world.round, players=PlayerFactory.create_batch(5, club=club))
    seats = list(five.seats.order_by("place"))

    missing = post(api, five)
    answer = post(api, five, sits_out=seats[4].pk)

    assert missing.status_code == 400
    assert answer.status_code == 201
    assert [mark["seat"] for mark in answer.data["marks"]] == [seat.pk for seat in seats[:4]]


def test_a_closed_round_takes_no_deal(api, world, table):
    Round.objects.update(state=Round.State.CLOSED)

    answer = post(api, table)

    assert (answer.status_code, answer.data["fields"][""][0]["code"]) == (400, "sheet_closed")


def test_a_corrected_deal_stays_readable(api, table):
    first = post(api, table).data

    answer = api.post(f"/api/v1/deals/{first['id']}/correct/", report(table, bouts=1))

    assert answer.status_code == 200
    assert (answer.data["number"], answer.data["is_made"]) == (1, False)
    old = api.get(f"/api/v1/deals/{first['id']}/").data
    assert (old["state"], old["corrected_by"]) == ("corrected", answer.data["id"])


def test_a_deal_that_no_longer_stands_cannot_be_corrected(api, table):
    first = post(api, table).data
    newer = api.post(f"/api/v1/deals/{first['id']}/correct/", report(table, bouts=1)).data

    answer = api.post(f"/api/v1/deals/{first['id']}/correct/", report(table, bouts=3))

    assert answer.status_code == 409
    assert answer.data["standing"]["id"] == newer["id"]


def test_a_void_deal_tells_why(api, table):
    first = post(api, table).data

    nothing = api.post(f"/api/v1/deals/{first['id']}/void/", {"reason": " "})
    answer = api.post(f"/api/v1/deals/{first['id']}/void/", {"reason": "Misdeal."})

    assert (nothing.status_code, list(nothing.data["fields"])) == (400, ["reason"])
    assert (answer.data["state"], answer.data["void_reason"]) == ("void", "Misdeal.")


def test_the_sheet_shows_seats_totals_and_all_deals(api, table):
    first = post(api, table).data
    api.post(f"/api/v1/deals/{first['id']}/correct/", report(table, taker_card_points=52))

    sheet = api.get(f"/api/v1/tables/{table.pk}/").data

    assert [seat["points"] for seat in sheet["seats"]] == [216, -72, -72, -72]
    assert [(deal["number"], deal["state"]) for deal in sheet["deals"]] == [
        (1, "corrected"),
        (1, "standing"),
    ]
    assert (sheet["version"], sheet["deals_recorded"], sheet["suit"]) == (2, 1, "spade")


@pytest.mark.parametrize("deals", [1, 3])
def test_the_number_of_queries_does_not_grow_with_the_sheet(
    api, table, deals, django_assert_num_queries
):
    for points in range(deals):
        post(api, table, taker_card_points=40 + points)

    with django_assert_num_queries(8):
        api.get(f"/api/v1/tables/{table.pk}/")


def test_a_deal_entered_on_the_page_and_one_over_the_api_share_one_sheet(api, table, scorer):
    deal = tarot.Deal(
        ruleset=ruleset_of(table), contract=tarot.Contract.PETITE, bouts=3, half_points=100
    )
    actions.record_tarot_deal(
        table=table, entry_key=uuid.uuid4(), deal=deal, taker=table.seats.first(), by=scorer
    )

    assert post(api, table).data["number"] == 2


def test_a_browser_session_must_prove_that_it_means_it(scorer, table):
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(scorer)

    answer = browser.post(
        f"/api/v1/tables/{table.pk}/deals/", report(table), content_type="application/json"
    )

    assert answer.status_code == 403
    assert TarotDeal.objects.count() == 0


def test_standings_and_leaderboard_follow_the_deal(api, world, table, director):
    post(api, table)
    waiting = api.get(f"/api/v1/events/{world.event.pk}/standings/").data
    assert (waiting["counted_at"], waiting["newer_sheets"], waiting["lines"]) == (None, 1, [])

    Round.objects.update(state=Round.State.CLOSED)
    actions.close_event(event=world.event, by=director)
    tasks.refresh_standings(world.event.pk)
    tasks.refresh_ranking(world.season.pk)

    standings = api.get(f"/api/v1/events/{world.event.pk}/standings/").data
    assert standings["newer_sheets"] == 0
    assert [(line["place"], line["players"], line["points"]) for line in standings["lines"]] == [
        (1, ["Bernard"], 198),
        (2, ["Yves"], -66),
        (2, ["Nicole"], -66),
        (2, ["Paulo"], -66),
    ]
    board = api.get(f"/api/v1/seasons/{world.season.pk}/leaderboard/").data
    assert (board["count"], board["evenings"], board["is_fresh"]) == (4, 1, True)
    assert [(line["place"], line["name"], line["points"]) for line in board["results"]] == [
        (1, "Bernard", 198),
        (2, "Nicole", -66),
        (2, "Paulo", -66),
        (2, "Yves", -66),
    ]


def test_the_world_reads_what_is_published_and_writes_nothing(caller, world, table):
    publish(world)
    visitor = caller(None)

    assert visitor.get(f"/api/v1/tables/{table.pk}/").status_code == 200
    assert post(visitor, table).status_code == 401
    assert TarotDeal.objects.count() == 0


def test_a_director_from_outside_the_table_says_why_he_corrects(api, caller, table, director):
    first = post(api, table).data
    address = f"/api/v1/deals/{first['id']}/correct/"
    director_api = caller(director)

    asked = director_api.post(address, report(table, bouts=1))
    given = director_api.post(address, report(table, bouts=1, why="counted again"))

    assert asked.status_code == 400
    assert asked.data["fields"]["why"][0]["code"] == "required"
    assert given.status_code == 200
    assert TarotDeal.objects.get(pk=first["id"]).void_reason == "counted again"


def test_only_a_correction_has_a_reason(api, table):
    assert post(api, table, why="counted again").status_code == 400
