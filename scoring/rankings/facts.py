"""What each closed evening gave each player, written down by the database itself.

One statement does it for one evening and for a thousand seasons: sheets are added up from their
marks, and joined to what the standings say. Only rows that differ are touched.
"""

# ruff: noqa: S608 - only constants of this module and keys are put into its statements

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection, models
from django.utils import timezone

from clubs.models import Membership
from scoring.models import Mark, PlayerResult, TarotDeal
from scoring.rankings.lines import Result
from tournaments.models import Entry, EntryPlayer, Event, Round, Seat, Table

#: How a database gives the day of a moment.
DAY = {
    "postgresql": "CAST(event.starts_at AT TIME ZONE 'UTC' AS date)",
    "sqlite": "date(event.starts_at)",
}
TABLES = {
    "deals": TarotDeal,
    "entries": Entry,
    "events": Event,
    "links": EntryPlayer,
    "marks": Mark,
    "memberships": Membership,
    "results": PlayerResult,
    "rounds": Round,
    "seats": Seat,
    "tables": Table,
}

SHEETS = """
    SELECT seat.entry_id, seat.player_id,
           SUM(CASE WHEN tables.players_per_deal = 3 THEN mark.points ELSE 0 END) AS points_at_3,
           SUM(CASE WHEN tables.players_per_deal = 3 THEN 1 ELSE 0 END) AS deals_at_3,
           SUM(CASE WHEN tables.players_per_deal = 4 THEN mark.points ELSE 0 END) AS points_at_4,
           SUM(CASE WHEN tables.players_per_deal = 4 THEN 1 ELSE 0 END) AS deals_at_4,
           SUM(CASE WHEN tables.players_per_deal = 5 THEN mark.points ELSE 0 END) AS points_at_5,
           SUM(CASE WHEN tables.players_per_deal = 5 THEN 1 ELSE 0 END) AS deals_at_5
    FROM {events} event
    JOIN {rounds} round ON round.event_id = event.id
    JOIN {seats} seat ON seat.round_id = round.id
    JOIN {tables} tables ON tables.id = seat.table_id
    JOIN {marks} mark ON mark.seat_id = seat.id
    JOIN {deals} deal ON deal.id = mark.deal_id AND deal.state = 'standing'
    WHERE event.state = 'closed' AND {scope}
    GROUP BY seat.entry_id, seat.player_id
"""
TALLY = "COALESCE(CAST(entry.tally {path} AS integer), 0)"
WINS, LOSSES, GAMES_WON, GAMES_LOST, POINTS_FOR, POINTS_AGAINST = (
    TALLY.format(path=path)
    for path in (
        "->> 'wins'", "->> 'losses'", "-> 'games' ->> 0", "-> 'games' ->> 1", "-> 'points' ->> 0",
        "-> 'points' ->> 1",
    )
)  # fmt: skip
#: Who has a result: played, was not expelled, and of a reserve only who was put in.
HAS_RESULT = f"""
    event.state = 'closed' AND entry.state <> 'expelled'
    AND (entry.deals_played > 0 OR {WINS} + {LOSSES} > 0)
    AND (NOT link.is_reserve OR EXISTS (
        SELECT 1 FROM {{seats}} seat
        WHERE seat.entry_id = entry.id AND seat.player_id = link.player_id))
"""
AT_TABLES = tuple(f"{what}_at_{size}" for size in (3, 4, 5) for what in ("points", "deals"))
COLUMNS = (
    "entry_id", "points", "ruled_points", "deals", "place", "entries", "series", "is_member",
    *AT_TABLES, "wins", "losses", "games_won", "games_lost", "points_for", "points_against",
)  # fmt: skip
SELECTED = (
    "SELECT event.id, link.player_id, entry.id, entry.points, entry.ruled_points, "
    "entry.deals_played, entry.place, COALESCE(field.entries, 0), entry.series, "
    "EXISTS (SELECT 1 FROM {memberships} own WHERE own.player_id = link.player_id "
    "AND own.joined_on <= {day} AND (own.left_on IS NULL OR own.left_on >= {day})), "
    + ", ".join(f"COALESCE(sheets.{column}, 0)" for column in AT_TABLES)
    + f", {WINS}, {LOSSES}, {GAMES_WON}, {GAMES_LOST}, {POINTS_FOR}, {POINTS_AGAINST}"
    + """
    FROM {events} event
    JOIN {links} link ON link.event_id = event.id
    JOIN {entries} entry ON entry.id = link.entry_id
    LEFT JOIN sheets ON sheets.entry_id = entry.id AND sheets.player_id = link.player_id
    LEFT JOIN (
        SELECT entry.event_id, COUNT(*) AS entries
        FROM {events} event JOIN {entries} entry ON entry.event_id = event.id
        WHERE entry.place IS NOT NULL AND {scope}
        GROUP BY entry.event_id
    ) field ON field.event_id = event.id
    WHERE """
    + HAS_RESULT
    + " AND {scope}"
)
WRITE = (
    "WITH {sums} INSERT INTO {results} (event_id, player_id, "
    + ", ".join(COLUMNS)
    + ") "
    + SELECTED
    + " ON CONFLICT (event_id, player_id) DO UPDATE SET "
    + ", ".join(f"{column} = excluded.{column}" for column in COLUMNS)
    + " WHERE "
    + " OR ".join(f"{{results}}.{column} IS DISTINCT FROM excluded.{column}" for column in COLUMNS)
)
REMOVE = (
    """
    DELETE FROM {results} WHERE event_id IN (SELECT event.id FROM {events} event WHERE {scope})
    AND NOT EXISTS (
        SELECT 1 FROM {links} link
        JOIN {entries} entry ON entry.id = link.entry_id
        JOIN {events} event ON event.id = link.event_id
        WHERE link.event_id = {results}.event_id AND link.player_id = {results}.player_id AND """
    + HAS_RESULT
    + ")"
)
#: Evenings whose sheets say otherwise than their standings: those were counted before.
DISAGREE = """
    SELECT DISTINCT entry.event_id
    FROM {events} event
    JOIN {entries} entry ON entry.event_id = event.id
    LEFT JOIN (
        SELECT entry_id, SUM(points_at_3 + points_at_4 + points_at_5) AS points,
               SUM(deals_at_3 + deals_at_4 + deals_at_5) AS deals
        FROM {sums} sheets GROUP BY entry_id
    ) sheets ON sheets.entry_id = entry.id
    WHERE {scope} AND event.state = 'closed' AND event.game = 'tarot' AND (
        entry.sheet_points <> COALESCE(sheets.points, 0)
        OR entry.deals_played <> COALESCE(sheets.deals, 0))
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Which evenings are looked at: those of some seasons, or single ones."""

    seasons: Sequence[int] = ()
    events: Sequence[int] = ()

    def sql(self) -> str:
        """Give the condition on ``event``; the numbers are keys, so that nothing is quoted."""
        column, keys = (
            ("event.id", self.events) if self.events else ("event.season_id", self.seasons)
        )
        return f"{column} IN ({', '.join(str(int(key)) for key in keys) or 'NULL'})"


def write(scope: Scope) -> None:
    """Write down what the evenings gave, as their standings and sheets say now."""
    with connection.cursor() as cursor:
        cursor.execute(_filled(WRITE, scope, sums=f"sheets AS ({SHEETS})"))
        cursor.execute(_filled(REMOVE, scope))


def write_many(scope: Scope, *, recount: Any) -> None:
    """Write down what many evenings gave; those counted before their sheets are counted first."""
    with connection.cursor() as cursor:
        # A table of its own: the database adds up with all its processors, and once only.
        cursor.execute(_filled(f"CREATE TEMPORARY TABLE sheet_sums AS {SHEETS}", scope))
        try:
            cursor.execute(_filled(DISAGREE, scope, sums="sheet_sums"))
            for (event,) in cursor.fetchall():
                recount(event)
            cursor.execute(_filled(WRITE, scope, sums="sheets AS (SELECT * FROM sheet_sums)"))
        finally:
            cursor.execute("DROP TABLE sheet_sums")
        cursor.execute(_filled(REMOVE, scope))


def _filled(statement: str, scope: Scope, *, sums: str = "") -> str:
    tables = {name: model._meta.db_table for name, model in TABLES.items()}  # noqa: SLF001 - Django's own documented door
    given = tables | {"scope": scope.sql(), "day": DAY[connection.vendor]}
    return statement.format(**given, sums=sums.format(**given))


READ = (
    "player", "event", "entry", "event__starts_at", "event__kind", "points", "ruled_points",
    "deals", "place", "entries", "series", "is_member", *AT_TABLES, "wins", "losses",
    "games_won", "games_lost", "points_for", "points_against",
)  # fmt: skip


def read(results: models.QuerySet[PlayerResult]) -> list[Result]:
    """Give the results as values, in the order of the queryset."""
    return [result_of(*row) for row in results.values_list(*READ)]


def results_of(season_id: int, game: str) -> models.QuerySet[PlayerResult]:
    """Give the results that rankings of this season and game count from, the oldest first."""
    return PlayerResult.objects.of_season(season_id).filter(event__game=game).in_time()


def result_of(player: int, event: int, entry: int, starts_at: Any, *rest: Any) -> Result:
    """Give a row of ``READ`` as a value."""
    kind, points, ruled, deals, place, entries, series, is_member = rest[:8]
    at_3, n_3, at_4, n_4, at_5, n_5, wins, losses, *games = rest[8:]
    return Result(
        player=player,
        event=event,
        entry=entry,
        day=timezone.localdate(starts_at),
        kind=kind,
        points=points,
        ruled_points=ruled,
        deals=deals,
        place=place,
        entries=entries,
        series=series,
        is_member=is_member,
        points_at={3: (at_3, n_3), 4: (at_4, n_4), 5: (at_5, n_5)},
        wins=wins,
        losses=losses,
        games=(games[0], games[1]),
        scored=(games[2], games[3]),
    )
