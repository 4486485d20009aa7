"""A plausible past of many clubs, written by the database set by set: for trials and measurements.

Everybody of a club plays every evening: four rounds of five deals at tables of four, drawn anew.
Deals are scored by the rules without premiums; the numbers follow from the keys alone, so that the
same order gives the same past. Keys are counted on from the largest: nobody else may write
meanwhile.
"""

# ruff: noqa: S608 - only constants of this module and numbers are put into its statements

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from django.core.management.color import no_style
from django.db import connection, models, transaction

from clubs.models import Club, Membership, Player, Publication, Season, fold_name
from rules_engine import tarot
from scoring.models import Mark, TarotDeal
from tournaments.models import Entry, EntryPlayer, Event, Round, Seat, Table

ROUNDS, DEALS, SEATS = 4, 5, 4
EVENINGS_A_SEASON = 50
#: So many evenings are written in one transaction.
EVENINGS_AT_ONCE = 250
FIRST_EVENING = datetime(2025, 9, 4, 18, 15, tzinfo=UTC)
FIRST_NAMES = (
    "Ana", "Bernard", "Colette", "Denise", "Émile", "Fanny", "Gaëlle", "Hervé", "Inês", "Jean",
    "Kévin", "Lucien", "Marie", "Nicole", "Odile", "Paulo", "Renée", "Solange", "Tomás", "Yves",
)  # fmt: skip
LAST_NAMES = (
    "Abgrall", "Bréhat", "Cariou", "Duarte", "Ferreira", "Guivarc’h", "Jaouen", "Kermarrec",
    "Le Bihan", "Morvan", "Nogueira", "Pennec", "Quéméner", "Ribeiro", "Tanguy", "Vasconcelos",
)  # fmt: skip

WRITTEN = (
    Club, Season, Player, Membership, Event, Entry, EntryPlayer, Round, Table, Seat, TarotDeal,
    Mark,
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """How much past: clubs, players in each, and deals in all."""

    clubs: int
    players: int
    deals: int

    @property
    def tables(self) -> int:
        """Tables of a round; whoever is left of a multiple of four stays at home."""
        return self.players // SEATS

    @property
    def evenings_of_a_club(self) -> int:
        """Evenings that hold at least so many deals over all clubs."""
        of_an_evening = self.tables * ROUNDS * DEALS
        return -(-self.deals // (of_an_evening * self.clubs))

    @property
    def evenings(self) -> int:
        return self.evenings_of_a_club * self.clubs


def make(order: Order, *, tell: Callable[[int, int], None]) -> list[int]:
    """Write the past and tell how many evenings of how many are done; give the new seasons."""
    if order.tables < 1:
        raise ValueError("A table needs four players.")
    with transaction.atomic():
        clubs = _clubs(order)
        seasons = _seasons(order, clubs)
        players = _players(order, clubs)
    plan = [
        (season, club, when)
        for club in clubs
        for season, evenings in seasons[club]
        for when in evenings
    ]
    for first in range(0, len(plan), EVENINGS_AT_ONCE):
        with transaction.atomic():
            _evenings(order, plan[first : first + EVENINGS_AT_ONCE], players)
        tell(min(first + EVENINGS_AT_ONCE, len(plan)), len(plan))
    _go_on_from_there()
    return [season for each in seasons.values() for season, _evenings in each]


# Clubs and players: few, written as objects


def _clubs(order: Order) -> list[int]:
    first = _next(Club)
    made = Club.objects.bulk_create(
        Club(
            pk=first + number,
            name=f"Club {first + number}",
            slug=f"made-{first + number}",
            publication=Publication.PUBLIC,
        )
        for number in range(order.clubs)
    )
    return [club.pk for club in made]


def _seasons(order: Order, clubs: list[int]) -> dict[int, list[tuple[int, list[datetime]]]]:
    key, rows = _next(Season), []
    found: dict[int, list[tuple[int, list[datetime]]]] = {}
    for club in clubs:
        left, year = order.evenings_of_a_club, 0
        while left > 0:
            starts = FIRST_EVENING - timedelta(weeks=52 * year)
            evenings = [starts + timedelta(weeks=n) for n in range(min(left, EVENINGS_A_SEASON))]
            rows.append(
                Season(
                    pk=key,
                    club_id=club,
                    name=f"{starts.year}/{starts.year + 1}",
                    starts_on=starts.date(),
                    ends_on=(starts + timedelta(days=363)).date(),
                    publication=Publication.PUBLIC,
                )
            )
            found.setdefault(club, []).append((key, evenings))
            key, left, year = key + 1, left - len(evenings), year + 1
    Season.objects.bulk_create(rows, batch_size=1000)
    return found


def _players(order: Order, clubs: list[int]) -> dict[int, int]:
    """Give the key of each club's first player; the others follow it."""
    key, firsts = _next(Player), {}
    playing = order.tables * SEATS
    for club in clubs:
        firsts[club] = key
        names = [_name(number) for number in range(playing)]
        Player.objects.bulk_create(
            Player(pk=key + number, club_id=club, name=name, sort_name=fold_name(name))
            for number, name in enumerate(names)
        )
        Membership.objects.bulk_create(
            Membership(player_id=key + number, joined_on=FIRST_EVENING.date())
            for number in range(playing)
        )
        key += playing
    return firsts


def _name(number: int) -> str:
    first = FIRST_NAMES[number % len(FIRST_NAMES)]
    last = LAST_NAMES[number // len(FIRST_NAMES) % len(LAST_NAMES)]
    again = number // (len(FIRST_NAMES) * len(LAST_NAMES))
    return f"{first} {last} {again + 1}" if again else f"{first} {last}"


# Evenings: written by the database, each table from the one above it


def _evenings(
    order: Order, plan: list[tuple[int, int, datetime]], players: Mapping[int, int]
) -> None:
    first: dict[type[models.Model], int] = {model: _next(model) for model in WRITTEN}
    _events(first, plan)
    for model, columns, source in _sets(order, first, len(plan), plan, players):
        _insert(model, columns, source)
    events = f"BETWEEN {first[Event]} AND {first[Event] + len(plan) - 1}"
    with connection.cursor() as cursor:
        for statement in TOTALS:
            cursor.execute(_filled(statement, events=events, last=ROUNDS))


def _events(first: Mapping[type[models.Model], int], plan: list[tuple[int, int, datetime]]) -> None:
    rules = tarot.ruleset("fft").to_json()
    Event.objects.bulk_create(
        Event(
            pk=first[Event] + number,
            season_id=season,
            starts_at=when,
            state=Event.State.CLOSED,
            closed_at=when + timedelta(hours=4),
            standings_at=when + timedelta(hours=4),
            publication=Publication.PUBLIC,
            deals_per_round=DEALS,
            rounds_planned=ROUNDS,
            ruleset=rules,
        )
        for number, (season, _club, when) in enumerate(plan)
    )


type Set = tuple[type[models.Model], dict[str, str], str]


def _sets(
    order: Order,
    first: Mapping[type[models.Model], int],
    evenings: int,
    plan: list[tuple[int, int, datetime]],
    players: Mapping[int, int],
) -> Iterator[Set]:
    """Give for each table what is written into its columns, and from where."""
    playing, tables = order.tables * SEATS, order.tables
    event, entry, link = first[Event], first[Entry], first[EntryPlayer]
    round_, table, seat = first[Round], first[Table], first[Seat]
    deal, mark = first[TarotDeal], first[Mark]
    starts = ", ".join(
        f"({event + number}, {players[club]})" for number, (_s, club, _when) in enumerate(plan)
    )
    entries = _numbers(evenings * playing)
    yield Entry, {
        "id": f"{entry} + n.i", "event_id": f"{event} + n.i / {playing}",
        "number": f"n.i % {playing} + 1",
    }, entries  # fmt: skip
    yield EntryPlayer, {
        "id": f"{link} + n.i", "event_id": f"{event} + n.i / {playing}",
        "entry_id": f"{entry} + n.i", "player_id": f"starts.player + n.i % {playing}",
    }, (
        f"{entries} JOIN (SELECT column1 AS event, column2 AS player FROM (VALUES {starts}) v) "
        f"starts ON starts.event = {event} + n.i / {playing}"
    )  # fmt: skip
    yield Round, {
        "id": f"{round_} + n.i", "event_id": f"{event} + n.i / {ROUNDS}",
        "number": f"n.i % {ROUNDS} + 1", "state": "'closed'", "seed": "n.i",
        "leftovers": "'threes'", "roster_version": "0",
    }, _numbers(evenings * ROUNDS)  # fmt: skip
    yield Table, {
        "id": f"{table} + n.i", "round_id": f"{round_} + n.i / {tables}",
        "number": f"n.i % {tables} + 1", "players_per_deal": str(SEATS), "state": "'closed'",
        "deals_planned": str(DEALS), "deals_recorded": str(DEALS), "version": str(DEALS),
    }, _numbers(evenings * ROUNDS * tables)  # fmt: skip
    # Drawn: the entries of a round in the order of a number that looks like chance.
    drawn = (
        f"(SELECT i, i / {playing} AS round, ROW_NUMBER() OVER (PARTITION BY i / {playing} "
        f"ORDER BY {_chance('i', 7919)}, i) - 1 AS at FROM {_numbers(evenings * ROUNDS * playing)})"
    )
    at_table = f"n.round * {tables} + n.at / {SEATS}"
    whose = f"(n.round / {ROUNDS}) * {playing} + n.i % {playing}"
    yield Seat, {
        "id": f"{seat} + ({at_table}) * {SEATS} + n.at % {SEATS}",
        "round_id": f"{round_} + n.round", "table_id": f"{table} + {at_table}",
        "place": f"n.at % {SEATS} + 1",
        "entry_id": f"{entry} + {whose}", "player_id": "link.player_id",
        "deals_played": str(DEALS),
    }, f"{drawn} n JOIN {{links}} link ON link.entry_id = {entry} + {whose}"  # fmt: skip
    of_table = f"n.i / {DEALS}"
    yield TarotDeal, {
        "id": f"{deal} + n.i", "table_id": f"{table} + {of_table}",
        "number": f"n.i % {DEALS} + 1",
        "entry_key": KEY[connection.vendor].format(value=f"{deal} + n.i"),
        "taker_id": f"{seat} + ({of_table}) * {SEATS} + {_chance('n.i', 104729)} % {SEATS}",
        "contract": "n.contract", "bouts": "n.bouts", "half_points": "2 * n.points",
        "margin": "ABS(n.points - n.needed)", "is_made": "n.points >= n.needed",
    }, f"({_deals(_numbers(evenings * ROUNDS * tables * DEALS))}) n"  # fmt: skip
    yield Mark, {
        "id": f"{mark} + (n.id - {deal}) * {SEATS} + p.i",
        "deal_id": "n.id", "seat_id": f"{seat} + (n.table_id - {table}) * {SEATS} + p.i",
        "points": (
            f"CASE WHEN {seat} + (n.table_id - {table}) * {SEATS} + p.i = n.taker_id "
            "THEN 3 ELSE -1 END * CASE WHEN n.is_made THEN 1 ELSE -1 END * (25 + n.margin) "
            "* CASE n.contract WHEN 'petite' THEN 1 WHEN 'garde' THEN 2 ELSE 4 END"
        ),
    }, (
        f"{{deals}} n CROSS JOIN {_numbers(SEATS, 'p')} "
        f"WHERE n.id BETWEEN {deal} AND {deal + evenings * ROUNDS * tables * DEALS - 1}"
    )  # fmt: skip


def _deals(numbers: str) -> str:
    """Give contract, bouts and points of each deal: mostly made, gardes most of all."""
    needed = "CASE d.bouts WHEN 0 THEN 56 WHEN 1 THEN 51 WHEN 2 THEN 41 ELSE 36 END"
    return f"""
        SELECT d.i, d.contract, d.bouts, {needed} AS needed,
               {needed} - 12 + {_chance("d.i", 15485863)} % 31 AS points
        FROM (
            SELECT n.i, {_chance("n.i", 32452843)} % 4 AS bouts,
                   CASE {_chance("n.i", 49979687)} % 10
                       WHEN 0 THEN 'garde_sans' WHEN 1 THEN 'petite' WHEN 2 THEN 'petite'
                       WHEN 3 THEN 'petite' ELSE 'garde' END AS contract
            FROM {numbers}
        ) d"""


def _chance(value: str, salt: int) -> str:
    """Mix a number up: the same in every database."""
    return f"(({value} + {salt}) * ({value} % 7919 + 17) % 4294967291 * 48271 % 1000003)"


def _numbers(count: int, name: str = "n") -> str:
    """Give the numbers from 0 on as a source of rows."""
    return NUMBERS[connection.vendor].format(last=count - 1, name=name)


NUMBERS = {
    "postgresql": "(SELECT generate_series(CAST(0 AS bigint), {last}) AS i) {name}",
    "sqlite": "(WITH RECURSIVE s(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM s WHERE i < {last}) "
    "SELECT i FROM s) {name}",
}
KEY = {
    "postgresql": "CAST(LPAD(TO_HEX({value}), 32, '0') AS uuid)",
    "sqlite": "PRINTF('%%032x', {value})",
}
#: What one round gave an entry, as the standings write it; JSON objects differ by database.
PART = {
    "postgresql": "JSONB_AGG(JSONB_BUILD_OBJECT('round', s.round, 'table', s.table_id, "
    "'number', s.number, 'points', s.points, 'deals', s.deals) ORDER BY s.round)",
    "sqlite": "JSON_GROUP_ARRAY(JSON_OBJECT('round', s.round, 'table', s.table_id, "
    "'number', s.number, 'points', s.points, 'deals', s.deals))",
}
TOTALS = (
    """
    UPDATE {seats} SET points = (
        SELECT SUM(mark.points) FROM {marks} mark WHERE mark.seat_id = {seats}.id)
    WHERE round_id IN (SELECT id FROM {rounds} WHERE event_id {events})
    """,
    """
    UPDATE {entries} SET points = made.points, sheet_points = made.points,
        deals_played = made.deals, place = made.place, previous_place = made.previous_place,
        round_points = made.parts
    FROM (
        SELECT s.entry_id, s.event_id, SUM(s.points) AS points, SUM(s.deals) AS deals,
               {part} AS parts,
               RANK() OVER (PARTITION BY s.event_id ORDER BY SUM(s.points) DESC) AS place,
               RANK() OVER (PARTITION BY s.event_id ORDER BY SUM(
                   CASE WHEN s.round < {last} THEN s.points ELSE 0 END) DESC) AS previous_place
        FROM (
            SELECT seat.entry_id, round.event_id, round.number AS round, seat.table_id,
                   tables.number, seat.points, seat.deals_played AS deals
            FROM {rounds} round
            JOIN {seats} seat ON seat.round_id = round.id
            JOIN {tables} tables ON tables.id = seat.table_id
            WHERE round.event_id {events}
            ORDER BY seat.entry_id, round.number
        ) s
        GROUP BY s.entry_id, s.event_id
    ) AS made
    WHERE {entries}.id = made.entry_id
    """,
)
TABLES = {
    "entries": Entry,
    "links": EntryPlayer,
    "rounds": Round,
    "tables": Table,
    "seats": Seat,
    "deals": TarotDeal,
    "marks": Mark,
}


def _filled(statement: str, **given: Any) -> str:
    tables = {name: model._meta.db_table for name, model in TABLES.items()}  # noqa: SLF001 - documented
    return statement.format(**tables, part=PART[connection.vendor], **given)


def _insert(model: type[models.Model], columns: dict[str, str], source: str) -> None:
    """Insert rows from a source; columns that are not given get what the model says."""
    named, selected, defaults = [], [], []
    for field in model._meta.local_concrete_fields:  # noqa: SLF001 - documented
        named.append(connection.ops.quote_name(str(field.column)))
        if field.column in columns:
            selected.append(columns[field.column])
        else:
            kind = field.db_type(connection)
            typed = connection.vendor == "postgresql"
            selected.append(f"CAST(%s AS {kind})" if typed else "%s")
            value = field.get_default()
            defaults.append(field.get_db_prep_save(value, connection))
    table = connection.ops.quote_name(model._meta.db_table)  # noqa: SLF001 - documented
    statement = (
        f"INSERT INTO {table} ({', '.join(named)}) SELECT {', '.join(selected)} "
        f"FROM {_filled(source)}"
    )
    with connection.cursor() as cursor:
        cursor.execute(statement.replace(" % ", " %% "), defaults)


def _next(model: type[models.Model]) -> int:
    """Give the first free key."""
    last = model._default_manager.aggregate(last=models.Max("pk"))["last"]  # noqa: SLF001 - documented
    return (last or 0) + 1


def _go_on_from_there() -> None:
    """Let the database count its own keys on from ours."""
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), WRITTEN):
            cursor.execute(statement)
