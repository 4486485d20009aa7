"""Personal slips: four to a page of A4, two to one of A5, each a page of A6."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate
from typing import Any

from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from clubs.templatetags.cards import signed
from scoring.exports import Slip
from scoring.pdf.pen import Pen
from scoring.pdf.pieces import Box, places_of

PARTS = (16.0, 18.0, 18.0, 18.0, 22.0)
HEAD, ROW, EDGE = 18.0, 8.0, 4.0


def draw(pen: Pen, context: Mapping[str, Any], done: Callable[[int], None]) -> None:
    """Draw the slips, with edges to cut along."""
    boxes = places_of(pen)
    for count, slip in enumerate(context["pieces"], 1):
        box = next(boxes)
        if pen.paper != "a6":
            pen.dashed_box(*box)
        _draw_slip(pen, context, slip, box)
        done(count)


def _draw_slip(pen: Pen, context: Mapping[str, Any], slip: Slip, box: Box) -> None:
    x, y, width, height = box[0] + EDGE, box[1] + EDGE, box[2] - 2 * EDGE, box[3] - 2 * EDGE
    event = context["event"]
    name = f"{slip.entry.number} · {slip.entry}"
    pen.text(x, y, width, 11, name, size=14, bold=True)
    when = date_format(localtime(event.starts_at), "SHORT_DATE_FORMAT")
    said = [event.name, when, slip.entry.series, slip.start]
    pen.text(x, y + 11, width, 6, " · ".join(filter(None, said)), size=9)
    row = min(ROW, (height - HEAD) / (slip.lines + 1))
    xs = list(accumulate((part * width / sum(PARTS) for part in PARTS), initial=x))
    ys = [y + HEAD + step * row for step in range(slip.lines + 2)]
    pen.grid(xs, ys)
    titles = (_("Round"), pgettext("heading", "Table"), "+", "−", _("Balance"))
    lines = [titles, *(_cells(*line) for line in slip.rows)]
    _draw_after(pen, slip, xs, ys[len(lines) :])
    for top, line in zip(ys, lines, strict=False):
        for place, words in enumerate(line):
            bold = place == 0 or line is titles
            wide = xs[place + 1] - xs[place] - 1
            pen.text(xs[place] + 0.5, top, wide, row, words, size=9, bold=bold, align="center")


def _draw_after(pen: Pen, slip: Slip, xs: Sequence[float], ys: Sequence[float]) -> None:
    for (words, points, balance), top, bottom in zip(slip.after, ys, ys[1:], strict=False):
        cells = ((0, 2, words), *zip((2, 3, 4), (3, 4, 5), _amounts(points, balance), strict=True))
        for first, last, said in cells:
            wide = xs[last] - xs[first] - 1
            pen.text(xs[first] + 0.5, top, wide, bottom - top, said, size=9, align="center")


def _cells(
    number: int, table: int | None, points: int | None, running: int | None
) -> tuple[str, ...]:
    return (
        str(number),
        "" if table is None else str(table),
        *_amounts(points, running),
    )


def _amounts(points: int | None, balance: int | None) -> tuple[str, str, str]:
    return (
        str(points) if points and points > 0 else "",
        signed(points)[1:] if points and points < 0 else "",
        signed(balance),
    )
