"""What a draw is told about the past: the tables as they were really played."""

from __future__ import annotations

from collections import defaultdict

from django.db import models

from tournaments.models import Event, Round, Seat, SitOut
from tournaments.querysets import RoundQuerySet
from tournaments.seating import PastRound

#: How many past evenings a draw remembers; older meetings no longer matter to anybody.
EVENINGS_REMEMBERED = 3


def rounds_of_tonight(event: Event) -> tuple[PastRound, ...]:
    """The published rounds of the evening, in order."""
    return _as_played(event.rounds.published())


def rounds_of_earlier_evenings(event: Event) -> tuple[PastRound, ...]:
    """The rounds of the last evenings before this one in its season, in order."""
    evenings = (
        Event.objects.of_season(event.season)
        .filter(starts_at__lt=event.starts_at, rounds__state__in=("playing", "closed"))
        .exclude(pk=event.pk)
        .distinct()
        .latest_first()
        .values_list("pk", flat=True)[:EVENINGS_REMEMBERED]
    )
    return _as_played(Round.objects.filter(event__in=list(evenings)).published())


def _as_played(rounds: RoundQuerySet) -> tuple[PastRound, ...]:
    # "event" alone would be sorted by the other way round, as evenings are listed.
    in_time = rounds.order_by("event__starts_at", "event_id", "number")
    order = list(in_time.values_list("pk", flat=True))
    tables = _tables_of(order)
    out = _sitting_out_of(order)
    return tuple(
        PastRound(
            tables=tuple(tuple(players) for players in tables[pk].values()),
            sat_out=tuple(out[pk]),
        )
        for pk in order
    )


def _tables_of(rounds: list[int]) -> dict[int, dict[int, list[int]]]:
    tables: dict[int, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    seats = Seat.objects.filter(round__in=rounds).order_by("table__number", "place")
    for pk, table, player in seats.values_list("round_id", "table_id", "player_id"):
        tables[pk][table].append(player)
    return tables


def _sitting_out_of(rounds: list[int]) -> dict[int, list[int]]:
    out: dict[int, list[int]] = defaultdict(list)
    waiting = SitOut.objects.filter(round__in=rounds).annotate(
        player=models.F("entry__entry_players__player")
    )
    for pk, player in waiting.order_by("player").values_list("round_id", "player"):
        out[pk].append(player)
    return out
