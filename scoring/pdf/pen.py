"""What draws on the pages of one file: text that always fits its box, lines, squares.

Measures are millimetres from the top left corner; letters are measured in points.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

#: The short and the long side of each paper, and the margin that every printer can leave.
PAPERS = {"a4": (210.0, 297.0, 10.0), "a5": (148.0, 210.0, 7.0), "a6": (105.0, 148.0, 5.0)}
FONTS = Path(__file__).parent / "fonts"
PLAIN, BOLD = "DejaVuSansCondensed", "DejaVuSansCondensed-Bold"
#: Of a line of text to its letters, and where its base line lies.
LEADING, BASE = 1.2, 0.93
SMALLEST, STEP = 4.0, 0.5
POINT: float = 1 / mm
ELLIPSIS = "…"


class Pen:
    """Draws on the pages of one file."""

    def __init__(self, paper: str, *, title: str, language: str) -> None:
        _load_fonts()
        self.paper = paper
        self.short, self.long, self.margin = PAPERS[paper]
        self.width, self.height = self.short, self.long
        self.pages = 0
        self._file = io.BytesIO()
        self._canvas: Any = Canvas(self._file, lang=language, pageCompression=1)
        self._canvas.setTitle(title)

    # Pages

    def new_page(self, *, wide: bool = False) -> None:
        """Turn to an empty page."""
        if self.pages:
            self._canvas.showPage()
        self.pages += 1
        self.width, self.height = (self.long, self.short) if wide else (self.short, self.long)
        self._canvas.setPageSize((self.width * mm, self.height * mm))

    def finish(self) -> bytes:
        """Give the file."""
        self._canvas.showPage()
        self._canvas.save()
        return self._file.getvalue()

    # Lines

    def grid(self, xs: Sequence[float], ys: Sequence[float]) -> None:
        """Draw the lines of a table, each of these over the whole of the others."""
        self.lines([(x, ys[0], x, ys[-1]) for x in xs] + [(xs[0], y, xs[-1], y) for y in ys])

    def lines(self, lines: Iterable[tuple[float, float, float, float]]) -> None:
        """Draw straight lines, each from a point to a point."""
        self._canvas.setLineWidth(0.25 * mm)
        self._canvas.lines(
            [(x1 * mm, self._up(y1), x2 * mm, self._up(y2)) for x1, y1, x2, y2 in lines]
        )

    def dashed_box(self, x: float, y: float, width: float, height: float) -> None:
        """Draw the edge along which something is cut out."""
        self._canvas.saveState()
        self._canvas.setDash(4, 3)
        self._canvas.setLineWidth(0.2 * mm)
        self._canvas.rect(x * mm, self._up(y + height), width * mm, height * mm)
        self._canvas.restoreState()

    def squares(self, x: float, y: float, side: float, rows: Sequence[Iterable[int]]) -> None:
        """Draw the dark cells of a square of cells."""
        cell = side / len(rows)
        path = self._canvas.beginPath()
        for down, row in enumerate(rows):
            for right, dark in enumerate(row):
                if dark:
                    left, top = x + right * cell, y + down * cell
                    path.rect(left * mm, self._up(top + cell), cell * mm, cell * mm)
        self._canvas.drawPath(path, stroke=0, fill=1)

    # Words

    def text(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        words: str,
        *,
        size: float,
        bold: bool = False,
        align: str = "left",
        struck: bool = False,
    ) -> None:
        """Write words into a box, in the middle of its height; they shrink until they fit."""
        if not words:
            return
        font = BOLD if bold else PLAIN
        size, lines = fitted(words, font, size, width, height)
        step = size * LEADING * POINT
        top = y + (height - step * len(lines)) / 2
        self._canvas.setFont(font, size)
        for line in lines:
            length = length_of(line, font, size) * POINT
            left = x + {"left": 0.0, "center": (width - length) / 2, "right": width - length}[align]
            base = top + BASE * size * POINT
            self._canvas.drawString(left * mm, self._up(base), line)
            if struck:
                middle = base - 0.25 * size * POINT
                self.lines([(left, middle, left + length, middle)])
            top += step

    def turned_text(self, right: float, bottom: float, words: str, *, size: float) -> None:
        """Write a line upside down that begins at this corner."""
        self._canvas.saveState()
        self._canvas.translate(right * mm, self._up(bottom))
        self._canvas.rotate(180)
        self._canvas.setFont(BOLD, size)
        self._canvas.drawString(0, -size * 0.75, words)
        self._canvas.restoreState()

    def _up(self, y: float) -> float:
        """Turn millimetres from the top into what the canvas counts: points from the bottom."""
        up: float = (self.height - y) * mm
        return up


@cache
def _load_fonts() -> None:
    for name in (PLAIN, BOLD):
        pdfmetrics.registerFont(TTFont(name, FONTS / f"{name}.ttf"))


@lru_cache(maxsize=20_000)
def length_of(words: str, font: str, size: float) -> float:
    """Give how long a line of words is, in points."""
    _load_fonts()
    length: float = pdfmetrics.stringWidth(words, font, size)
    return length


@lru_cache(maxsize=20_000)
def fitted(
    words: str, font: str, size: float, width: float, height: float
) -> tuple[float, tuple[str, ...]]:
    """Give the largest size up to this one at which words fit a box, and their lines.

    Words that do not even fit in the smallest letters are broken, and end in an ellipsis.
    """
    while size > SMALLEST:
        lines = wrapped(words, font, size, width, may_break=False)
        if lines and len(lines) * size * LEADING * POINT <= height:
            return size, lines
        size = max(size - STEP, SMALLEST)
    lines = wrapped(words, font, size, width, may_break=True)
    most = max(1, int(height / (size * LEADING * POINT)))
    if len(lines) > most:
        lines = (*lines[: most - 1], lines[most - 1][:-1] + ELLIPSIS)
    return size, lines


@lru_cache(maxsize=20_000)
def wrapped(
    words: str, font: str, size: float, width: float, *, may_break: bool
) -> tuple[str, ...]:
    """Break words into lines of this width; none if a single word is wider and stays whole."""
    if length_of(words, font, size) <= width * mm:
        return (words,)
    lines: list[str] = []
    line = ""
    for word in _words(words):
        if length_of(word.strip(), font, size) > width * mm:
            if not may_break:
                return ()
            *whole, rest = _broken(line + word, font, size, width)
            lines, line = [*lines, *whole], rest
        elif length_of((line + word).strip(), font, size) <= width * mm:
            line += word
        else:
            lines, line = [*lines, line.strip()], word
    return (*lines, line.strip())


def _words(words: str) -> Iterator[str]:
    """Give words with the space or hyphen behind them: between two of them a line may end."""
    word = ""
    for letter in words:
        word += letter
        if letter in " -":
            yield word
            word = ""
    if word:
        yield word


def _broken(word: str, font: str, size: float, width: float) -> Iterator[str]:
    part = ""
    for letter in word:
        if part and length_of(part + letter, font, size) > width * mm:
            yield part
            part = ""
        part += letter
    yield part
