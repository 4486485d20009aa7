"""Score sheets: one table, one page, however many deals and however long the names."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import accumulate
from typing import Any

from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.templatetags.cards import card_points, signed
from scoring.exports import Column, Row, SheetPaper
from scoring.pdf.pen import Pen
from scoring.templatetags.papers import suit_sign
from tournaments.models import Table

# Widths and heights in millimetres, sizes in points; on A4 and, to this scale, on smaller paper.
SCALES = {"a4": 1.0, "a5": 0.75}
NUMBER, WORD = 14.0, 20.0
HEAD, NAMES, SIGNS, ROW, FOOT = 18.0, 16.0, 6.0, 10.0, 10.0
PLACE, LINE = 44.0, 4.5
#: Total, balance and initials stand under the deals.
SUMS = 3


def draw(pen: Pen, context: Mapping[str, Any], done: Callable[[int], None]) -> None:
    """Draw the sheets, a page each."""
    for count, sheet in enumerate(context["pieces"], 1):
        pen.new_page(wide=True)
        SheetDrawing(pen, sheet).draw(context)
        done(count)


def draw_head(pen: Pen, context: Mapping[str, Any], table: Table) -> None:
    """Draw what a sheet is of: the event, the round, the table."""
    scale, event, this_round = SCALES[pen.paper], context["event"], context["round"]
    box = PLACE * scale
    words = pen.width - 2 * pen.margin - box
    x = y = pen.margin
    said = f"{context['club']} · {event.name} · {date_format(localtime(event.starts_at))}"
    pen.text(x, y, words, 8 * scale, _("Score sheet"), size=15 * scale, bold=True)
    pen.text(x, y + 8 * scale, words, 9 * scale, said, size=11 * scale)
    place = f"{table.number} {suit_sign(table.suit)}"
    x += words
    pen.text(x, y, box, 9 * scale, place, size=20 * scale, bold=True, align="right")
    said = f"{table} · " + _("Round %(number)s") % {"number": this_round.number}
    pen.text(x, y + 9 * scale, box, 6 * scale, said, size=9 * scale, align="right")


class SheetDrawing:
    """One sheet: its lines lie at ``xs`` and ``ys``, as the deals and the seats ask."""

    def __init__(self, pen: Pen, sheet: SheetPaper) -> None:
        self.pen, self.sheet, self.scale = pen, sheet, SCALES[pen.paper]
        self.left = self.top = pen.margin
        self.right, self.bottom = pen.width - pen.margin, pen.height - pen.margin
        self.xs = self._columns()
        names = self.top + HEAD * self.scale
        signs = names + NAMES * self.scale
        first = signs + SIGNS * self.scale
        count = len(sheet.rows) + SUMS
        foot = (FOOT + LINE * len(sheet.notes)) * self.scale
        self.row = min(ROW * self.scale, (self.bottom - foot - first) / count)
        self.ys = [names, signs, *(first + step * self.row for step in range(count + 1))]
        self.size = min(10 * self.scale, self.row * 1.9)

    def draw(self, context: Mapping[str, Any]) -> None:
        """Draw the whole sheet."""
        draw_head(self.pen, context, self.sheet.table)
        self._draw_lines()
        self._draw_titles()
        for row, y in zip(self.sheet.rows, self.ys[2:], strict=False):
            for place, words in enumerate(_cells(row)):
                self._write(place, y, words, bold=place == 0)
        self._draw_sums()
        self._draw_foot()

    def _columns(self) -> list[float]:
        fixed = [each * self.scale for each in (NUMBER, WORD, WORD, NUMBER, NUMBER)]
        marks = 2 * len(self.sheet.columns)
        mark = (self.right - self.left - sum(fixed)) / marks
        return list(accumulate([*fixed, *[mark] * marks], initial=self.left))

    def _draw_lines(self) -> None:
        xs, ys, seats = self.xs, self.ys, self.xs[5::2]
        self.pen.grid(xs, ys[2:-SUMS])
        self.pen.lines([(xs[0], ys[0], xs[-1], ys[0]), (xs[5], ys[1], xs[-1], ys[1])])
        self.pen.lines([(x, ys[0], x, ys[2]) for x in (*xs[:5], *seats)])
        self.pen.lines([(x, ys[1], x, ys[2]) for x in xs[6::2]])
        # The sums begin in one wide cell; the balance and the initials have no + and −.
        self.pen.lines([(xs[0], y, xs[-1], y) for y in ys[-SUMS:]])
        self.pen.lines([(x, ys[-4], x, ys[-3]) for x in (xs[0], *xs[5:])])
        self.pen.lines([(x, ys[-3], x, ys[-1]) for x in (xs[0], *seats)])

    def _draw_titles(self) -> None:
        top, signs, first = self.ys[:3]
        titles = (_("Deal"), _("Taker"), _("Contract"), _("Bouts"), _("Points"))
        for place, title in enumerate(titles):
            x, width = self._cell(place)
            size = 8 * self.scale
            self.pen.text(x, top, width, first - top, title, size=size, bold=True, align="center")
        for place, column in enumerate(self.sheet.columns):
            self._draw_name(column, 5 + 2 * place)
            for sign in (0, 1):
                x, width = self._cell(5 + 2 * place + sign)
                size = 10 * self.scale
                words = "+−"[sign]
                self.pen.text(x, signs, width, first - signs, words, size=size, align="center")

    def _draw_name(self, column: Column, place: int) -> None:
        x, width = self._cell(place, 2)
        top, line = self.ys[0] + 0.5, 5 * self.scale
        self.pen.text(
            x, top, width, line, column.who, size=10 * self.scale, bold=True, align="center"
        )
        top, room = top + line, NAMES * self.scale - line - 1
        size = 11 * self.scale
        self.pen.text(x, top, width, room, column.name, size=size, bold=True, align="center")

    def _draw_sums(self) -> None:
        total, balance, initials = self.ys[-4:-1]
        self._draw_sum_title(_("Total"), total)
        for place, column in enumerate(self.sheet.columns):
            self._write(5 + 2 * place, total, str(column.won or ""))
            self._write(6 + 2 * place, total, str(column.lost or ""))
        self._draw_sum_title(f"{_('Balance')} ({_('they add up to 0')})", balance)
        for place, column in enumerate(self.sheet.columns):
            self._write(5 + 2 * place, balance, signed(column.total), bold=True, cells=2)
        self._draw_sum_title(_("Initials of each player"), initials)

    def _draw_sum_title(self, title: str, y: float) -> None:
        x, width = self._cell(0, 5)
        self.pen.text(x, y, width - 1, self.row, title, size=self.size, bold=True, align="right")

    def _draw_foot(self) -> None:
        scale = self.sheet.scale
        needed = (
            ngettext("%(n)s bout %(points)s", "%(n)s bouts %(points)s", bouts)
            % {"n": bouts, "points": points}
            for bouts, points in scale["needed"]
        )
        times = (f"× {times} {contract}" for contract, times in scale["multipliers"])
        poignees = "poignée " + ", ".join(str(points) for points in scale["poignees"])
        words = f"{_('Needed')}: " + " · ".join([*needed, *times, poignees])
        x, y, width = self.left, self.ys[-1] + 1, self.right - self.left
        room = (self.bottom - y) / (1 + len(self.sheet.notes))
        for line in (words, *self.sheet.notes):
            height = min(room, LINE * self.scale)
            self.pen.text(x, y, width, height, line, size=8 * self.scale)
            y += height

    def _cell(self, place: int, cells: int = 1) -> tuple[float, float]:
        """Give where the words of a cell begin, and how wide they may be."""
        return self.xs[place] + 0.5, self.xs[place + cells] - self.xs[place] - 1

    def _write(
        self, place: int, y: float, words: str, *, bold: bool = False, cells: int = 1
    ) -> None:
        """Write into the middle of a cell, or of several as one."""
        x, width = self._cell(place, cells)
        self.pen.text(x, y, width, self.row, words, size=self.size, bold=bold, align="center")


def _cells(row: Row) -> Iterator[str]:
    yield from (str(row.number), row.taker, row.contract)
    yield "" if row.bouts is None else str(row.bouts)
    yield card_points(row.half_points)
    for mark in row.marks:
        yield str(mark) if mark and mark > 0 else ""
        yield signed(mark)[1:] if mark and mark < 0 else ""
