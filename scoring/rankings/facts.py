"""What each closed evening gave each player, written down by the database itself.

One statement does it for one evening and for a thousand seasons: sheets are added up from their
marks, and joined to what the standings say. Only rows that differ are touched.
"""

# ruff: noqa: S608 - only constants of this module and keys are put into its statements

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection, models
from django.utils import timezone

from clubs.models import Membership, PastMembership
from scoring.models import Mark, PlayerResult, TarotDeal
from scoring.rankings.lines import Evening, Result
from tournaments.models import Entry, EntryPlayer, Event, Round, Seat, Table

#: How a database gives the day of a moment, where the site is: as ``Evening.day`` has it.
DAY = {
    "postgresql": "CAST(event.starts_at AT TIME ZONE '{zone}' AS date)",
    "sqlite": "django_datetime_cast_date(event.starts_at, '{zone}', 'UTC')",
}
TABLES = {
    "deals": TarotDeal,
    "entries": Entry,
    "events": Event,
    "links": EntryPlayer,
    "marks": Mark,
    "memberships": Membership,
    "past": PastMembership,
    "results": PlayerResult,
    "rounds": Round,
    "seats": Seat,
    "tables": Table,
}

#: Few deals do not stand: to leave out theirs is less work than to find a deal for every mark.
SHEETS = """
    SELECT sheet.entry_id, sheet.player_id, {of_each_size}
    FROM (
        SELECT seat.entry_id, seat.player_id, tables.players_per_deal AS size,
               CAST(SUM(mark.points) AS integer) AS points, CAST(COUNT(*) AS integer) AS deals
        FROM {events} event
        JOIN {rounds} round ON round.event_id = event.id
        JOIN {seats} seat ON seat.round_id = round.id
        JOIN {tables} tables ON tables.id = seat.table_id
        JOIN {marks} mark ON mark.seat_id = seat.id
        WHERE event.state = 'closed' AND {scope}
        AND NOT EXISTS (
            SELECT 1 FROM {deals} deal WHERE deal.id = mark.deal_id AND deal.state <> 'standing')
        GROUP BY seat.entry_id, seat.player_id, tables.players_per_deal
    ) sheet
    GROUP BY sheet.entry_id, sheet.player_id
"""
#: Sums of long integers would be decimals of any length, which are slow to add up and to compare.
OF_EACH_SIZE = ", ".join(
    f"CAST(SUM(CASE WHEN sheet.size = {size} THEN sheet.{what} ELSE 0 END) AS integer)"
    f" AS {what}_at_{size}"
    for size in (3, 4, 5)
    for what in ("points", "deals")
)
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
    "entry_id", "points", "ruled_points", "deals", "place", "series", "is_member",
    *AT_TABLES, "wins", "losses", "games_won", "games_lost", "points_for", "points_against",
)  # fmt: skip
#: On the day of the evening: a membership may have ended since, and begun again.
IS_MEMBER = """
    (own.id IS NOT NULL AND own.joined_on <= {day}
     AND (own.left_on IS NULL OR own.left_on >= {day}))
    OR EXISTS (
        SELECT 1 FROM {past} past WHERE past.player_id = link.player_id
        AND past.joined_on <= {day} AND past.left_on >= {day})"""
AS_COLUMNS = dict(
    zip(
        COLUMNS,
        (
            "entry.id", "entry.points", "entry.ruled_points", "entry.deals_played", "entry.place",
            "entry.series", IS_MEMBER, *(f"COALESCE(sheets.{column}, 0)" for column in AT_TABLES),
            WINS, LOSSES, GAMES_WON, GAMES_LOST, POINTS_FOR, POINTS_AGAINST,
        ),
        strict=True,
    )
)  # fmt: skip
#: What the standings and the sheets say.
TOLD = (
    "SELECT event.id AS event_id, link.player_id AS player_id, "
    + ", ".join(f"{source} AS {column}" for column, source in AS_COLUMNS.items())
    + """
    FROM {events} event
    JOIN {links} link ON link.event_id = event.id
    JOIN {entries} entry ON entry.id = link.entry_id
    LEFT JOIN {memberships} own ON own.player_id = link.player_id
    LEFT JOIN sheets ON sheets.entry_id = entry.id AND sheets.player_id = link.player_id
    WHERE """
    + HAS_RESULT
    + " AND {scope}"
)
NAMED = ("event_id", "player_id", *COLUMNS, "entries")
#: Rows that are the same are not even looked at for writing.
WRITE = (
    " INSERT INTO {results} ("
    + ", ".join(NAMED)
    + ") SELECT "
    + ", ".join(f"told.{column}" for column in NAMED[:-1])
    + """, COALESCE(field.entries, 0) FROM told
    LEFT JOIN (
        SELECT event_id, COUNT(*) AS entries
        FROM (SELECT DISTINCT event_id, entry_id FROM told WHERE place IS NOT NULL) placed
        GROUP BY event_id
    ) field ON field.event_id = told.event_id
    LEFT JOIN {results} old
    ON old.event_id = told.event_id AND old.player_id = told.player_id
    WHERE old.id IS NULL OR old.entries <> COALESCE(field.entries, 0) OR """
    + " OR ".join(f"old.{column} IS DISTINCT FROM told.{column}" for column in COLUMNS)
    + " ON CONFLICT (event_id, player_id) DO UPDATE SET "
    + ", ".join(f"{column} = excluded.{column}" for column in NAMED[2:])
)
#: The scope is said twice: a planner that joins the inner side first joins these evenings only.
REMOVE = (
    """
    DELETE FROM {results} WHERE event_id IN (SELECT event.id FROM {events} event WHERE {scope})
    AND NOT EXISTS (
        SELECT 1 FROM {links} link
        JOIN {entries} entry ON entry.id = link.entry_id
        JOIN {events} event ON event.id = link.event_id
        WHERE link.event_id = {results}.event_id AND link.player_id = {results}.player_id
        AND {scope} AND """
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
        FROM sheets GROUP BY entry_id
    ) made ON made.entry_id = entry.id
    WHERE event.state = 'closed' AND event.game = 'tarot' AND event.imported_at IS NULL
    AND entry.state <> 'expelled' AND {scope}
    AND (entry.sheet_points <> COALESCE(made.points, 0)
         OR entry.deals_played <> COALESCE(made.deals, 0))
"""


#: By what sheets are joined; what they say is asked for whole.
ANALYZE = {"postgresql": "ANALYZE sheets (entry_id, player_id)", "sqlite": "ANALYZE sheets"}


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
        _take(cursor, scope, f"WITH sheets AS ({SHEETS}), told AS ({TOLD})")


def write_many(scope: Scope, *, recount: Callable[[int], None]) -> None:
    """Write down what many evenings gave; those counted before their sheets are counted first."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            # For this transaction only: sums of millions of marks stay in memory, and statements
            # that are asked once are not compiled first.
            cursor.execute("SET LOCAL work_mem = '64MB'")
            cursor.execute("SET LOCAL jit = off")
        # A table of its own: the database adds up with all its processors, and once only.
        cursor.execute(f"CREATE TEMPORARY TABLE sheets AS {_filled(SHEETS, scope)}")
        cursor.execute(ANALYZE[connection.vendor])
        cursor.execute(_filled(DISAGREE, scope))
        for (event,) in cursor.fetchall():
            recount(event)
        _take(cursor, scope, f"WITH told AS ({TOLD})")
        cursor.execute("DROP TABLE sheets")


def _take(cursor: Any, scope: Scope, told: str) -> None:
    cursor.execute(_filled(told + WRITE, scope))
    cursor.execute(_filled(REMOVE, scope))


def _filled(statement: str, scope: Scope) -> str:
    tables = {name: model._meta.db_table for name, model in TABLES.items()}  # noqa: SLF001 - Django's own documented door
    day = DAY[connection.vendor].format(zone=timezone.get_default_timezone_name())
    return statement.format(**tables, of_each_size=OF_EACH_SIZE, scope=scope.sql(), day=day)


#: In the order of ``Result``, less what is known of the evening, which comes last there.
READ = (
    "player", "event", "entry", "points", "ruled_points", "deals", "place", "entries", "series",
    "is_member", *AT_TABLES, "wins", "losses", "games_won", "games_lost", "points_for",
    "points_against",
)  # fmt: skip


def read(
    results: models.QuerySet[PlayerResult], evenings: Mapping[int, Evening] | None = None
) -> list[Result]:
    """Give the results as values, the oldest evening first."""
    rows = results.order_by("event__starts_at", "event_id", "player_id").values_list(*READ)
    if evenings is None:
        evenings = evenings_of({row[1] for row in rows})
    known = {event: (evening.day, evening.kind) for event, evening in evenings.items()}
    return [Result._make(row + known[row[1]]) for row in rows if row[1] in known]


def evenings_of(events: Iterable[int]) -> dict[int, Evening]:
    """Give the evenings of these keys, the oldest first."""
    rows = Event.objects.filter(pk__in=list(events)).order_by("starts_at", "pk")
    return {
        pk: Evening(pk, kind, timezone.localdate(starts_at))
        for pk, kind, starts_at in rows.values_list("pk", "kind", "starts_at")
    }


def results_of(season_id: int, game: str) -> models.QuerySet[PlayerResult]:
    """Give the results that rankings of this season and game count from."""
    return PlayerResult.objects.of_season(season_id).filter(event__game=game)
