"""Where everybody starts: the place in a movement, or the number in a grid, that fixes the way."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _

from tournaments.models import Event
from tournaments.stages import players_by_entry

LETTERS = "NESW"


def starting_places(event: Event) -> dict[int, str]:
    """The starting place in the movement that is played, by entry; nothing before it starts.

    Whoever came late has the place that he took over; whoever left keeps the one he had.
    """
    charts = event.rounds.published().filter(chart__isnull=False).order_by("-number")
    latest = charts.first()
    if latest is None:
        return {}
    by_player: dict[int, str] = {}
    for chart in charts.filter(stage=latest.stage_id).values_list("chart", flat=True):
        by_player = {**dict(_places(chart or {})), **by_player}
    players = players_by_entry(event)
    return {entry: by_player[player] for entry, player in players.items() if player in by_player}


def starters_of_tables(event: Event) -> dict[int, str]:
    """Who starts at each table of the movement that is played: each seat with a number."""
    charts = event.rounds.published().filter(chart__isnull=False).order_by("-number")
    latest = charts.first()
    if latest is None:
        return {}
    first = charts.filter(stage=latest.stage_id).last()
    chart: Mapping[str, Any] = (first and first.chart) or {}
    entries = event.entries.values_list("entry_players__player", "number")
    numbers = dict(entries.order_by("pk"))
    tables: dict[int, list[str]] = {}
    for table, line, player in sorted(chart.get("starts", ()), key=_in_order_of_seats):
        tables.setdefault(table, []).append(f"{_(line)} {numbers.get(player, '–')}")
    return {table: " · ".join(seats) for table, seats in tables.items()}


def _in_order_of_seats(start: tuple[int, str, int]) -> tuple[int, int]:
    return start[0], LETTERS.index(start[1])


def in_words(table: int | None, line: str) -> str:
    """A starting place as it is called out: the table, then the seat."""
    return f"{table or ''} {_(line) if line else ''}".strip()


def _places(chart: Mapping[str, Any]) -> Iterator[tuple[int, str]]:
    for table, line, player in chart.get("starts", ()):
        yield player, in_words(table, line)
    for number, player in enumerate(chart.get("numbers", ()), start=1):
        if player is not None:
            yield player, _("No. %(number)s") % {"number": number}
