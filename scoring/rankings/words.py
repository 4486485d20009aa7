"""What pages and the API call the parts of a ranking."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _

from scoring.rankings.methods import TieBreak

PRESET_NAMES: dict[str, Any] = {
    "total": _("Total of the points"),
    "best_evenings": _("The best 10 evenings"),
    "average": _("Average per deal, from 50 deals on"),
    "places": _("Points for places: 25, 18, 15 …"),
    "attendance": _("Points for places and for coming"),
    "rating": _("Rating"),
    "wins": _("Wins at truco"),
    "truco_places": _("Truco: points for places"),
    "truco_rating": _("Truco: rating"),
}
TIE_BREAK_NAMES: dict[TieBreak, Any] = {
    TieBreak.BEST_EVENING: _("Best evening"),
    TieBreak.EVENINGS_WON: _("Evenings won"),
    TieBreak.PODIUMS: _("Places 1 to 3"),
    TieBreak.LAST_EVENING: _("Points of the last evening played"),
    TieBreak.MORE_EVENINGS: _("More evenings"),
    TieBreak.FEWER_EVENINGS: _("Fewer evenings"),
    TieBreak.WINS: _("Wins"),
    TieBreak.GAMES: _("Games won less games lost"),
    TieBreak.POINTS: _("Points scored less points conceded"),
}
EXTRA_NAMES: dict[str, Any] = {"attendance": _("For coming")}
