"""Cards that stand on the tables: one for each table, with the square that opens its sheet."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import segno
from django.utils.translation import gettext as _

from scoring.exports import TableCard
from scoring.pdf.pen import Pen
from scoring.pdf.pieces import Box, places_of
from scoring.templatetags.papers import suit_sign

EDGE, CORNER = 5.0, 26.0
#: Light cells around the dark ones, as the standard of these squares asks.
QUIET_ZONE = 4


def draw(pen: Pen, context: Mapping[str, Any], done: Callable[[int], None]) -> None:
    """Draw the cards, with edges to cut along."""
    boxes = places_of(pen)
    for count, card in enumerate(context["pieces"], 1):
        box = next(boxes)
        if pen.paper != "a6":
            pen.dashed_box(*box)
        _draw_card(pen, card, box)
        done(count)


def _draw_card(pen: Pen, card: TableCard, box: Box) -> None:
    x, y, width, height = box[0] + EDGE, box[1] + EDGE, box[2] - 2 * EDGE, box[3] - 2 * EDGE
    corner = f"{card.number} {suit_sign(card.suit)}"
    pen.text(x, y, CORNER, 10, corner, size=24, bold=True)
    title = _("Table %(number)s") % {"number": card.number}
    pen.text(x, y + 10, width, 14, title, size=26, bold=True, align="center")
    side = min(width - 8, height - 72)
    rows = list(segno.make(card.address, error="m").matrix_iter(border=QUIET_ZONE))
    pen.squares(x + (width - side) / 2, y + 24, side, rows)
    top = y + 25 + side
    hint, typed, size = _how_to_join(card)
    pen.text(x, top, width, 11, hint, size=9, align="center")
    pen.text(x, top + 11, width, 9, typed, size=size, bold=True, align="center")
    hint = _("No phone? Write on the paper sheet: it counts just as well.")
    pen.text(x, top + 21, width, 9, hint, size=9, align="center")
    pen.text(x, top + 30, width, 6, card.who_starts, size=9, align="center")
    pen.turned_text(x + width, y + height, corner, size=24)


def _how_to_join(card: TableCard) -> tuple[str, str, float]:
    """Give the hint, what is typed where the square cannot be read, and the size of that."""
    if card.code:
        hint = _(
            "Point your phone’s camera at the square and choose your seat. No account is needed."
        )
        return hint, card.code, 18
    hint = _("Point your phone’s camera at the square, or open this address:")
    return hint, card.shown_address, 10
