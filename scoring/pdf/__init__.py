"""One PDF of a document, drawn from the very pieces that the browser's page of it shows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.utils import translation

from scoring import exports
from scoring.pdf import cards, games, lists, sheets, slips
from scoring.pdf.pen import Pen
from tournaments.models import Event

__all__ = ["DRAWINGS", "file_of"]

type Drawing = Callable[[Pen, Mapping[str, Any], Callable[[int], None]], None]

DRAWINGS: Mapping[str, Drawing] = {
    exports.SHEETS: sheets.draw,
    exports.GAMES: games.draw,
    exports.SLIPS: slips.draw,
    exports.CARDS: cards.draw,
    exports.NAMES: lists.draw_names,
    exports.TABLES: lists.draw_tables,
    exports.RANKING: lists.draw_ranking,
    exports.RULINGS: lists.draw_rulings,
    exports.ENTRIES: lists.draw_entries,
}
#: How many pieces are drawn between two words about the progress.
PIECES_AT_ONCE = 20


def file_of(event: Event, order: exports.Order, *, tell: Callable[[int, int], None]) -> bytes:
    """Draw the document; ``tell`` hears every few pieces how many are done, and of how many."""
    with translation.override(order.language):
        context = exports.page_of(event, order)
        total = len(context["pieces"])
        tell(0, total)

        def done(count: int) -> None:
            if count % PIECES_AT_ONCE == 0 and count < total:
                tell(count, total)

        pen = Pen(order.paper, title=f"{context['title']} · {event.name}", language=order.language)
        if total:
            DRAWINGS[exports.template_of(event, order)](pen, context, done)
        else:
            lists.draw_nothing(pen, context)
        made = pen.finish()
    tell(total, total)
    return made
