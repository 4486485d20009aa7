"""Charts as geometry: every number has its place, and no number breaks them."""

from __future__ import annotations

import re
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring import charts
from scoring.templatetags.charts import spark

POINTS = st.lists(st.integers(-20_000, 20_000), min_size=1, max_size=60)
FIRST = date(2026, 9, 3)


def pairs(points: str) -> list[tuple[float, float]]:
    return [tuple(map(float, pair.split(","))) for pair in points.split(" ")]


def test_the_best_evening_is_at_the_top_and_the_worst_at_the_bottom():
    drawn = charts.spark([0, 100, -100])

    assert pairs(drawn.points) == [(0, 13), (48, 4), (96, 22)]
    assert drawn.zero == "13"


@given(POINTS)
def test_a_curve_stays_within_its_frame(points):
    drawn = charts.spark(points)

    for x, y in pairs(drawn.points):
        assert 0 <= x <= 96
        assert 4 <= y <= 22


def test_without_an_evening_there_is_no_curve():
    assert charts.spark([]) is None
    assert charts.line_chart([]) is None
    assert spark([]) == ""


@given(POINTS)
def test_a_chart_of_totals_has_a_grid_that_holds_every_total(points):
    totals = [(FIRST + timedelta(weeks=n), total) for n, total in enumerate(points)]

    drawn = charts.line_chart(totals)

    values = [label.value for label in drawn.grid]
    assert values[0] <= min(*points, 0)
    assert values[-1] >= max(*points, 0)
    assert 0 in values
    assert 2 <= len(values) <= 7
    assert 1 <= len(drawn.days) <= 5
    assert all(14 <= y <= 164 for _x, y in pairs(drawn.points))


@pytest.mark.parametrize("total", [0, 1, -1, 76, -116, 2896, -99999])
def test_one_evening_is_a_chart_too(total):
    drawn = charts.line_chart([(FIRST, total)])

    assert len(pairs(drawn.points)) == 1
    assert drawn.days[0].value == FIRST


def test_the_contract_played_most_fills_the_width_and_is_filled_as_far_as_it_was_made():
    petite, garde = charts.bars([(3, 6), (6, 12)])

    assert (petite.width, petite.filled) == ("170", "85")
    assert (garde.width, garde.filled) == ("340", "170")


def test_a_curve_is_drawn_without_style_and_without_a_decimal_comma():
    drawn = str(spark([1, 2, 3, 5, 8]))

    assert "style" not in drawn
    assert not re.search(r"\d,\d+,", drawn)
