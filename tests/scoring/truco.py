"""A table of truco in a running round, and what its phones send; for tests."""

from __future__ import annotations

import uuid

from rules_engine import truco
from scoring import actions
from scoring.models import TrucoLine
from scoring.rules.truco import ENDING, KIND, Entered
from tests.factories import EventFactory, RoundFactory, TableFactory
from tournaments.models import Event, Table

NAMES = ("Ana", "Paulo", "Bia", "Tião")


def truco_table(club_or_season=None, *, seats: int = 4, best_of: int = 3, **fields) -> Table:
    """Make a table of truco: pairs A (seats 1 and 3) and B, a best of three unless said."""
    given = {"season": club_or_season} if club_or_season is not None else {}
    event = EventFactory(
        running=True,
        game=Event.Game.TRUCO,
        ruleset=fields.pop("ruleset", truco.ruleset("paulista")).to_json(),
        best_of=best_of,
        target=12,
        **given,
    )
    return TableFactory(
        round=RoundFactory(event=event),
        players_per_deal=seats,
        players=fields.pop("players", seats),
        deals_planned=1,
        best_of=best_of,
        target=fields.pop("target", 12),
        **fields,
    )


def hand(winner: str = "a", points: int = 1, ending: str = ENDING.ROUNDS) -> Entered:
    """A hand that a pair won."""
    return Entered(winner=winner, points=points, ending=ending)


def ran(winner: str, points: int) -> Entered:
    """A hand that the other pair ran from."""
    return hand(winner, points, ENDING.RAN)


def game(a: int, b: int) -> Entered:
    """A game of which only the final score is told."""
    return Entered(kind=KIND.GAME, final=(a, b))


def tento(winner: str, points: int = 1) -> Entered:
    """A referee's tento for a pair."""
    return Entered(kind=KIND.TENTO, winner=winner, points=points)


def record(table: Table, by, *lines: Entered, **given) -> TrucoLine | None:
    """Write lines on a sheet, one after the other; gives the last."""
    row = None
    for line in lines:
        row = actions.record_truco_line(
            **{"table": table, "entry_key": uuid.uuid4(), "line": line, "by": by, **given}
        )
    return row


def told(table: Table) -> list[tuple]:
    """What stands on a sheet."""
    rows = table.truco_lines.standing().in_play_order()
    return [(row.number, row.kind, row.winner, row.points) for row in rows]


def press(table: Table, **answers) -> dict[str, object]:
    """What a page sends when a button is pressed; the next number unless said."""
    number = table.truco_lines.standing().count() + 1
    return {"number": number, "version": 0, "entry_key": uuid.uuid4(), **answers}
