"""Charts as geometry: numbers in, places of points and bars out; templates draw them as SVG.

Pure arithmetic in the units of the drawing's own ``viewBox``; y grows downwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

SPARK_WIDTH, SPARK_TOP, SPARK_BOTTOM = 96.0, 4.0, 22.0
LEFT, RIGHT, TOP, BOTTOM = 48.0, 344.0, 14.0, 164.0
MOST_STEPS = 5
MOST_LABELS = 5
BAR_WIDTH = 340.0
BAR_HEIGHT = 44


@dataclass(frozen=True, slots=True, kw_only=True)
class Spark:
    """A small curve: its points, the height of zero, and where it ends."""

    points: str
    zero: str
    end_x: str
    end_y: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """A number or a day beside the axis, with where it stands."""

    value: int | date
    at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LineChart:
    """A curve of totals with its grid and its days."""

    points: str
    area: str
    zero: str
    grid: tuple[Label, ...]
    days: tuple[Label, ...]
    end_x: str
    end_y: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """A bar of what was played, filled as far as it was made."""

    text_y: int
    bar_y: int
    width: str
    filled: str


def spark(values: Sequence[int]) -> Spark | None:
    """Give the curve beside a name; nothing without a value."""
    if not values:
        return None
    low, high = min(*values, 0), max(*values, 0)
    span = (high - low) or 1
    xs = _spread(len(values), 0.0, SPARK_WIDTH)
    ys = [_between(value, low, span, SPARK_BOTTOM, SPARK_TOP) for value in values]
    return Spark(
        points=_points(xs, ys),
        zero=_number(_between(0, low, span, SPARK_BOTTOM, SPARK_TOP)),
        end_x=_number(xs[-1]),
        end_y=_number(ys[-1]),
    )


def line_chart(totals: Sequence[tuple[date, int]]) -> LineChart | None:
    """Give the curve of a season's totals, day by day; nothing without a value."""
    if not totals:
        return None
    values = [value for _, value in totals]
    lowest, highest = min(*values, 0), max(*values, 0)
    step = _step(lowest, highest)
    low = lowest // step * step
    span = (-(-highest // step) * step - low) or step
    xs = _spread(len(values), LEFT, RIGHT)
    ys = [_between(value, low, span, BOTTOM, TOP) for value in values]
    zero = _number(_between(0, low, span, BOTTOM, TOP))
    return LineChart(
        points=_points(xs, ys),
        area=f"{_number(xs[0])},{zero} {_points(xs, ys)} {_number(xs[-1])},{zero}",
        zero=zero,
        grid=tuple(
            Label(value=value, at=_number(_between(value, low, span, BOTTOM, TOP)))
            for value in range(low, low + span + 1, step)
        ),
        days=tuple(
            Label(value=totals[index][0], at=_number(xs[index])) for index in _some(len(totals))
        ),
        end_x=_number(xs[-1]),
        end_y=_number(ys[-1]),
    )


def bars(made_of_played: Sequence[tuple[int, int]]) -> tuple[Bar, ...]:
    """Give one bar for each pair of made and played; the most played fills the width."""
    most = max((played for _, played in made_of_played), default=0) or 1
    return tuple(
        Bar(
            text_y=BAR_HEIGHT * row + 20,
            bar_y=BAR_HEIGHT * row + 27,
            width=_number(BAR_WIDTH * played / most),
            filled=_number(BAR_WIDTH * made / most),
        )
        for row, (made, played) in enumerate(made_of_played)
    )


def _step(low: int, high: int) -> int:
    """Give the smallest of 10, 20, 50, 100 ... that needs few lines of the grid."""
    power = 10
    while True:
        for step in (power, 2 * power, 5 * power):
            if (high - low) <= step * (MOST_STEPS - 1):
                return step
        power *= 10


def _some(count: int) -> list[int]:
    """Give a few indexes, evenly apart, from the first on."""
    return list(range(0, count, -(-count // MOST_LABELS)))


def _spread(count: int, first: float, last: float) -> list[float]:
    if count == 1:
        return [last]
    return [first + i * (last - first) / (count - 1) for i in range(count)]


def _between(value: int, low: int, span: int, bottom: float, top: float) -> float:
    return bottom - (value - low) / span * (bottom - top)


def _points(xs: Sequence[float], ys: Sequence[float]) -> str:
    return " ".join(f"{_number(x)},{_number(y)}" for x, y in zip(xs, ys, strict=True))


def _number(value: float) -> str:
    """Write a coordinate: SVG has no decimal comma in any language."""
    return f"{value:.1f}".removesuffix(".0")
