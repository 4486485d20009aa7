"""How rankings count: each method, what is dropped, who is placed, and how equals part."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.rankings.lines import Evening, Result, places
from scoring.rankings.methods import (
    PRESETS,
    Method,
    Settings,
    TieBreak,
    UnreadableSettingsError,
)
from scoring.rankings.season import count, way_of

FIRST = date(2026, 9, 3)
ANA, BERNARD, COLETTE = 1, 2, 3


def result(player: int, event: int, points: int = 0, **given: Any) -> Result:
    """A result of the week that its evening's number says."""
    plain = {
        "entry": 100 * event + player, "day": FIRST + timedelta(weeks=event), "kind": "club_night",
        "ruled_points": 0, "deals": 20, "place": player, "entries": 3, "series": "",
        "is_member": True, "points_at_3": 0, "deals_at_3": 0, "points_at_4": points,
        "deals_at_4": 20, "points_at_5": 0, "deals_at_5": 0, "wins": 0, "losses": 0,
        "games_won": 0, "games_lost": 0, "points_for": 0, "points_against": 0,
    }  # fmt: skip
    return Result(player=player, event=event, points=points, **{**plain, **given})


def ranked(results: list[Result], method: Method = Method.TOTAL, **settings: Any):
    """Count the results; gives place and score of each player, in the order of the places."""
    counted = counted_of(results, method, **settings)
    order = sorted(counted.lines, key=lambda who: (counted.places.get(who, 99), who))
    return {who: (counted.places.get(who), counted.lines[who].score) for who in order}


def counted_of(results: list[Result], method: Method = Method.TOTAL, **settings: Any):
    in_time = sorted(results, key=lambda each: (each.event, each.player))
    evenings = {each.event: Evening(each.event, each.kind, each.day) for each in in_time}
    return count(way_of(method, Settings(**settings), evenings.values()), in_time)


def evenings_of(player: int, *points: int, **given: Any) -> list[Result]:
    return [result(player, event, each, **given) for event, each in enumerate(points, start=1)]


def test_the_points_of_all_evenings_add_up_and_equals_share_a_place():
    results = [*evenings_of(ANA, 252, -58), *evenings_of(BERNARD, 100, 94), *evenings_of(COLETTE)]
    results += [result(COLETTE, 1, -352)]

    assert ranked(results) == {ANA: (1, 194), BERNARD: (1, 194), COLETTE: (3, -352)}


def test_of_the_best_evenings_the_worst_is_dropped_and_said_so():
    counted = counted_of(evenings_of(ANA, 50, -80, 30, 30), best_of=2)

    line = counted.lines[ANA]
    assert (line.score, line.evenings, line.evenings_counted) == (80, 4, 2)
    assert [(part["adds"], part["counts"]) for part in line.history] == [
        (50, True), (-80, False), (30, True), (30, False),
    ]  # fmt: skip


def test_an_average_goes_by_exact_points_per_deal_and_needs_enough_deals():
    results = [
        *evenings_of(ANA, 10, deals=3),
        *evenings_of(BERNARD, 20, deals=6),
        *evenings_of(COLETTE, 500, deals=2),
    ]

    assert ranked(results, Method.AVERAGE, minimum_deals=3) == {
        ANA: (1, 333), BERNARD: (1, 333), COLETTE: (None, 25_000),
    }  # fmt: skip


def test_places_give_points_by_the_scale_and_the_rest_a_little():
    results = [result(who, 1, place=place) for who, place in ((ANA, 1), (BERNARD, 2), (COLETTE, 9))]

    assert ranked(results, Method.PLACES, scale=(25, 18), scale_rest=1) == {
        ANA: (1, 25), BERNARD: (2, 18), COLETTE: (3, 1),
    }  # fmt: skip


def test_attendance_counts_for_every_evening_played_also_for_dropped_ones():
    counted = counted_of(evenings_of(ANA, 10, 20, 30), best_of=1, attendance=5)

    assert counted.lines[ANA].score == 30 + 3 * 5
    assert counted.lines[ANA].extras == [{"code": "attendance", "value": 15}]


def test_wins_and_losses_of_truco_give_points_and_games_part_equals():
    results = [
        result(ANA, 1, wins=3, losses=1, games_won=6, games_lost=4),
        result(BERNARD, 1, wins=3, losses=1, games_won=7, games_lost=3),
        result(COLETTE, 1, wins=1, losses=3),
    ]
    breaks = (TieBreak.WINS, TieBreak.GAMES)

    counted = counted_of(results, Method.WINS, win=3, loss=1, tie_breaks=breaks)

    assert counted.places == {BERNARD: 1, ANA: 2, COLETTE: 3}
    assert counted.lines[ANA].tie_breaks == [
        {"code": "wins", "value": 3}, {"code": "games", "value": 2},
    ]  # fmt: skip


def test_a_rating_rises_with_a_won_evening_and_grows_sure():
    results = [result(who, event, place=who) for event in (1, 2, 3) for who in (ANA, BERNARD)]

    counted = counted_of(results, Method.RATING)

    assert counted.places == {ANA: 1, BERNARD: 2}
    first, last = counted.steps[0], counted.steps[-2]
    assert first.before == (25_000_000, 8_333_333)
    assert last.after.mu > first.after.mu > first.before.mu
    assert last.after.sigma < first.after.sigma < first.before.sigma


@pytest.mark.parametrize(
    ("settings", "kept"),
    [
        ({"kinds": ("tournament",)}, {2}),
        ({"first_day": FIRST + timedelta(weeks=2)}, {2, 3}),
        ({"last_day": FIRST + timedelta(weeks=1)}, {1}),
        ({"series": ("1",)}, {3}),
        ({"members_only": True}, {1, 2}),
        ({"players": 5}, {3}),
        ({}, {1, 2, 3}),
    ],
)
def test_filters_keep_what_they_name(settings, kept):
    results = [
        result(ANA, 1, 10),
        result(ANA, 2, 20, kind="tournament"),
        result(ANA, 3, 40, series="1", is_member=False, points_at_5=7, deals_at_5=4),
    ]

    line = counted_of(results, **settings).lines[ANA]

    assert {part["event"] for part in line.history} == kept


def test_at_tables_of_five_only_their_sheets_and_the_rulings_count():
    results = [result(ANA, 1, 40, points_at_5=60, deals_at_5=4, ruled_points=-100)]

    assert ranked(results, players=5) == {ANA: (1, -40)}


def test_the_place_before_the_last_evening_is_kept():
    results = [*evenings_of(ANA, 10, -50), *evenings_of(BERNARD, 5), result(COLETTE, 2, 50)]

    counted = counted_of(results)

    assert counted.places == {COLETTE: 1, BERNARD: 2, ANA: 3}
    assert counted.previous_places == {ANA: 1, BERNARD: 2}


def test_who_was_not_at_the_last_evening_is_told_apart_by_the_last_one_he_played():
    results = [*evenings_of(ANA, 10, 0, -43), *evenings_of(BERNARD, -23, -10)]

    counted = counted_of(results, tie_breaks=(TieBreak.LAST_EVENING,))

    assert counted.places == {BERNARD: 1, ANA: 2}
    assert counted.lines[BERNARD].tie_breaks == [{"code": "last_evening", "value": -10}]


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.code)
def test_what_a_preset_says_is_read_as_it_was_written(preset):
    assert Settings.from_json(preset.settings.to_json()) == preset.settings


@pytest.mark.parametrize(
    "wrong",
    [
        {"best": 3}, {"best_of": 0}, {"best_of": "3"}, {"best_of": True}, {"scale": 5},
        {"scale": [1.5]}, {"tie_breaks": ["luck"]}, {"tie_breaks": ["wins", "wins"]},
        {"players": 6}, {"players": True}, {"first_day": "yesterday"}, {"members_only": 1},
        {"minimum_deals": -1}, {"kinds": "tournament"}, {"attendance": 10**9}, [],
    ],
    ids=str,
)  # fmt: skip
def test_settings_that_are_not_understood_are_refused(wrong):
    with pytest.raises(UnreadableSettingsError):
        Settings.from_json(wrong)


@given(st.lists(st.tuples(st.integers(-(10**12), 10**12), st.integers(-999, 999)), max_size=30))
def test_texts_sort_as_their_numbers_do(values):
    from scoring.rankings.lines import _key  # noqa: PLC0415 - the inside is what is looked at

    keys = {number: _key(*value) for number, value in enumerate(values)}
    given_places = places(keys)

    for one, value in enumerate(values):
        better = sum(other > value for other in values)
        assert given_places[one] == better + 1
