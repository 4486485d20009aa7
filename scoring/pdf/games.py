"""Sheets of games that are won (súmulas): one table, one page, each game a column of hands."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any

from django.utils.formats import time_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from clubs.templatetags.cards import colon
from scoring.pdf.pen import Pen
from scoring.pdf.sheets import HEAD, SCALES, draw_head
from scoring.sumulas import Hand, Sumula

# Heights in millimetres, sizes in points; on A4 and, to this scale, on smaller paper.
FACTS, SIDE, CAPTION, ROW, GAP = 7.0, 7.0, 6.0, 6.0, 3.0
NOTE, SIGNATURE = 6.0, 14.0
LETTER, GAMES = 14.0, 18.0
#: How wide the columns of a game are to each other: number, mão, winner, points, A, B.
PARTS = (1.0, 2.6, 1.8, 1.2, 1.0, 1.0)


def draw(pen: Pen, context: Mapping[str, Any], done: Callable[[int], None]) -> None:
    """Draw the sheets, a page each."""
    for count, sumula in enumerate(context["pieces"], 1):
        pen.new_page(wide=True)
        GamesDrawing(pen, sumula).draw(context)
        done(count)


class GamesDrawing:
    """One sheet: from the head downwards, and from the signatures upwards; games are between."""

    def __init__(self, pen: Pen, sumula: Sumula) -> None:
        self.pen, self.sumula, self.scale = pen, sumula, SCALES[pen.paper]
        self.left = self.top = pen.margin
        self.right, self.bottom = pen.width - pen.margin, pen.height - pen.margin
        self.width = self.right - self.left

    def draw(self, context: Mapping[str, Any]) -> None:
        """Draw the whole sheet."""
        draw_head(self.pen, context, self.sumula.table)
        y = self.top + HEAD * self.scale
        y = self._draw_facts(y)
        y = self._draw_sides(y) + GAP * self.scale
        bottom = self._draw_foot()
        self._draw_games(y, bottom)

    def _draw_facts(self, y: float) -> float:
        sumula = self.sumula
        line = "________"
        facts = (
            f"{sumula.best_of}, " + _("to %(n)s") % {"n": sumula.target},
            f"{_('First dealer')}{colon()} {sumula.first_dealer or 2 * line}",
            f"{_('Begun')}{colon()} {_hour(sumula.begun) or line}",
            f"{_('Ended')}{colon()} {_hour(sumula.ended) or line}",
        )
        height = FACTS * self.scale
        self.pen.text(self.left, y, self.width, height, "    ".join(facts), size=10 * self.scale)
        return y + height

    def _draw_sides(self, y: float) -> float:
        sumula, scale = self.sumula, self.scale
        numbers = [number for number, _hands in sumula.games]
        fixed = [GAMES * scale] * (len(numbers) + 1)
        players = self.width - LETTER * scale - sum(fixed)
        xs = list(accumulate([LETTER * scale, players, *fixed], initial=self.left))
        ys = [y + step * SIDE * scale for step in range(len(sumula.sides) + 2)]
        self.pen.grid(xs, ys)
        titles = [_("Side"), _("Players and seats")]
        titles += [_("Game %(n)s") % {"n": number} for number in numbers]
        self._write_row(xs, ys[0], SIDE * scale, [*titles, _("Games")], bold=True)
        for side, top in zip(sumula.sides, ys[1:], strict=False):
            scores = [] if sumula.blank else [str(score) for score in side.scores]
            scores += [""] * (len(numbers) - len(scores))
            games = "" if sumula.blank else str(side.games)
            cells = [side.letter, ", ".join(side.seats), *scores[: len(numbers)], games]
            self._write_row(xs, top, SIDE * scale, cells)
        return ys[-1]

    def _draw_foot(self) -> float:
        """Draw penalties and signatures; gives where they begin."""
        sumula, scale = self.sumula, self.scale
        signatures = self.bottom - SIGNATURE * scale
        half = self.width / len(sumula.sides)
        xs = [self.left + half * step for step in range(len(sumula.sides) + 1)]
        self.pen.grid(xs, [signatures, self.bottom])
        for side, x in zip(sumula.sides, xs, strict=False):
            words = _("Signature of %(side)s") % {"side": side.letter}
            self.pen.text(x + 1, signatures, half, 5 * scale, words, size=8 * scale)
        notes = NOTE * scale * max(1, len(sumula.penalties))
        said = "; ".join(sumula.penalties) or ("" if sumula.blank else "–")
        words = f"{_('Penalties')}{colon()} {said or 4 * '________'}"
        top = signatures - notes
        self.pen.text(self.left, top, self.width, notes, words, size=9 * scale)
        return top

    def _draw_games(self, y: float, bottom: float) -> None:
        count = len(self.sumula.games)
        gap = GAP * self.scale
        width = (self.width - gap * (count - 1)) / count
        longest = max(len(hands) for _number, hands in self.sumula.games)
        rows = max(longest, len(self.sumula.room), 1)
        room = bottom - y - CAPTION * self.scale
        row = min(ROW * self.scale, room / (rows + 1))
        for place, (number, hands) in enumerate(self.sumula.games):
            x = self.left + place * (width + gap)
            words = _("Game %(n)s") % {"n": number}
            size = 10 * self.scale
            self.pen.text(x, y, width, CAPTION * self.scale, words, size=size, bold=True)
            self._draw_hands(x, y + CAPTION * self.scale, width, row, hands)

    def _draw_hands(
        self, x: float, y: float, width: float, row: float, hands: Sequence[Hand]
    ) -> None:
        part = width / sum(PARTS)
        xs = list(accumulate((each * part for each in PARTS), initial=x))
        count = max(len(hands), len(self.sumula.room))
        ys = [y + step * row for step in range(count + 2)]
        self.pen.grid(xs, ys)
        titles = [_("No."), f"Mão ({_('plays first')})", _("Won by"), _("Points"), "A", "B"]
        self._write_row(xs, y, row, titles, bold=True)
        for line, top in zip(self._lines(hands), ys[1:], strict=False):
            self._write_row(xs, top, row, line)

    def _lines(self, hands: Sequence[Hand]) -> Iterator[list[str]]:
        for hand in hands:
            winner = " ".join(filter(None, [hand.winner or "–", hand.label]))
            after = [str(points) for points in hand.after]
            yield [str(hand.number), hand.mao, winner, str(hand.points or ""), *after]
        for place in self.sumula.room:
            yield [str(place + 1)]

    def _write_row(
        self,
        xs: Sequence[float],
        y: float,
        height: float,
        cells: Sequence[str],
        *,
        bold: bool = False,
    ) -> None:
        size = min(10 * self.scale, height * 1.9)
        for words, x, end in zip(cells, xs, xs[1:], strict=False):
            place = (x + 0.5, y, end - x - 1, height)
            self.pen.text(*place, words, size=size, bold=bold, align="center")


def _hour(at: Any) -> str:
    return time_format(localtime(at)) if at else ""
