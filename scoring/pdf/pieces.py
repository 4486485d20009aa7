"""Where small pieces lie on their pages: each is the size of a page of A6."""

from __future__ import annotations

from collections.abc import Iterator

from scoring.pdf.pen import Pen

type Box = tuple[float, float, float, float]

#: How many lie beside and below each other, and is the paper turned for it?
ARRANGED = {"a4": (2, 2, False), "a5": (2, 1, True), "a6": (1, 1, False)}
GAP = 2.0


def places_of(pen: Pen) -> Iterator[Box]:
    """Give box after box, turning the page when it is full."""
    across, down, wide = ARRANGED[pen.paper]
    while True:
        pen.new_page(wide=wide)
        width = (pen.width - 2 * pen.margin - (across - 1) * GAP) / across
        height = (pen.height - 2 * pen.margin - (down - 1) * GAP) / down
        for place in range(across * down):
            below, beside = divmod(place, across)
            x = pen.margin + beside * (width + GAP)
            yield x, pen.margin + below * (height + GAP), width, height
