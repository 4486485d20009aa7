"""Pictures for link previews: PNG, for the networks that show them take nothing else.

Drawn by Pillow in some forty milliseconds and kept in the cache under all that they show: a
changed name or score is another picture. They are drawn before the world (``clubs.onlookers``).
"""

from __future__ import annotations

import io
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from typing import TYPE_CHECKING

from django.contrib.staticfiles import finders
from django.core.cache import cache as kept
from PIL import Image, ImageDraw, ImageFont

from tournaments.http import etag_of

if TYPE_CHECKING:
    from PIL.ImageFont import FreeTypeFont

SIZE = (1200, 630)
MARGIN, TOP = 72, 64
FELT, IVORY, SOFT, GOLD = "#14463a", "#fbf6e9", "#b9cfc4", "#e3c56b"
LINES, LINE_HEIGHT = 5, 62
AGE_TOP = 562
KEPT_SECONDS = 24 * 3600
FONTS = ("fonts/source-sans-3-latin.woff2", "fonts/source-sans-3-latin-ext.woff2")
REGULAR, BOLD = 400, 700
BEYOND_LATIN_1 = 0x100


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """What a picture says: whose it is, its title, a line below, the first places, and their age.

    It is kept by others and shown long after: it has to say itself of when it is.
    """

    club: str
    title: str
    below: str = ""
    lines: Sequence[tuple[str, str, str]] = ()
    age: str = ""

    @property
    def tag(self) -> str:
        """A short mark of all that it shows."""
        shown = (self.club, self.title, self.below, tuple(self.lines), self.age)
        return etag_of(*shown).strip('"')


def png_of(picture: Picture) -> bytes:
    """Give the picture; drawn once as long as the cache keeps it."""
    key = f"picture:{picture.tag}"
    found: bytes | None = kept.get(key)
    if found is None:
        found = draw(picture)
        kept.set(key, found, KEPT_SECONDS)
    return found


def draw(picture: Picture) -> bytes:
    """Draw the picture as PNG."""
    image = Image.new("RGB", SIZE, FELT)
    pen = ImageDraw.Draw(image)
    wide = SIZE[0] - 2 * MARGIN
    pen.rectangle((24, 24, SIZE[0] - 25, SIZE[1] - 25), outline=GOLD, width=3)
    _write(pen, (MARGIN, TOP), picture.club, size=34, weight=REGULAR, fill=SOFT, wide=wide)
    _write(pen, (MARGIN, TOP + 44), picture.title, size=66, weight=BOLD, fill=IVORY, wide=wide)
    _write(pen, (MARGIN, TOP + 128), picture.below, size=34, weight=REGULAR, fill=SOFT, wide=wide)
    y = TOP + 196
    for place, name, points in picture.lines[:LINES]:
        _line(pen, y, place, name, points)
        y += LINE_HEIGHT
    _write(pen, (MARGIN, AGE_TOP), picture.age, size=26, weight=REGULAR, fill=SOFT, wide=wide)
    out = io.BytesIO()
    # Few colours: a tenth of the bytes.
    image.quantize(64).save(out, "PNG", optimize=True)
    return out.getvalue()


def _line(pen: ImageDraw.ImageDraw, y: int, place: str, name: str, points: str) -> None:
    width = _width(points, 46, BOLD)
    at = (SIZE[0] - MARGIN - width, y)
    _write(pen, at, points, size=46, weight=BOLD, fill=GOLD, wide=width)
    _write(pen, (MARGIN, y), place, size=46, weight=BOLD, fill=GOLD, wide=80)
    room = SIZE[0] - 2 * MARGIN - 88 - width - 24
    _write(pen, (MARGIN + 88, y), name, size=46, weight=REGULAR, fill=IVORY, wide=room)


def _write(
    pen: ImageDraw.ImageDraw,
    at: tuple[int, int],
    text: str,
    *,
    size: int,
    weight: int,
    fill: str,
    wide: int,
) -> None:
    """Write a line, cut short with an ellipsis where it would leave its room."""
    shown = text
    while len(shown) > 1 and _width(shown, size, weight) > wide:
        shown = shown.removesuffix("…")[:-1].rstrip() + "…"
    x: float = at[0]
    for run, font in _runs(shown, size, weight):
        pen.text((x, at[1]), run, font=font, fill=fill)
        x += font.getlength(run)


def _width(text: str, size: int, weight: int) -> int:
    return math.ceil(sum(font.getlength(run) for run, font in _runs(text, size, weight)))


def _runs(text: str, size: int, weight: int) -> Iterator[tuple[str, FreeTypeFont]]:
    """Part a text by the file that has its letters: those of our languages, or rarer ones."""
    for is_rare, letters in groupby(text, key=_is_rare):
        yield "".join(letters), _loaded(FONTS[is_rare], size, weight)


def _is_rare(letter: str) -> bool:
    return ord(letter) >= BEYOND_LATIN_1 and letter.isalpha() and letter not in "œŒ"


@cache
def _loaded(name: str, size: int, weight: int) -> FreeTypeFont:
    found = finders.find(name)
    if not isinstance(found, str):
        raise FileNotFoundError(name)
    font = ImageFont.truetype(found, size)
    font.set_variation_by_axes([weight])
    return font
