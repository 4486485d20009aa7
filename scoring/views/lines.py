"""Lines of standings and rankings as pages show them, and how places changed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.core.paginator import Page, Paginator
from django.utils.translation import gettext as _

from clubs.models import Player, Role
from clubs.querysets import Visitor
from scoring.models import RankingRow
from tournaments import faults
from tournaments.models import Entry, Event, Round, Table

CURVE_EVENINGS = 10
#: A championship stands on one page; a list of thousands does not.
ENTRIES_ON_A_PAGE = 300


def evening_rights(role: Role | None) -> dict[str, bool]:
    """What the steps of the evening offer to somebody with this role."""
    return {
        "may_direct": role is not None and role.may_act_as(Role.DIRECTOR),
        "may_check_in": role is not None and role.may_act_as(Role.SCORER),
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """What an entry won or lost in a round, and at which table; none for a round it missed.

    ``on_time``: games were decided at the limit of time.
    """

    table: int | None
    number: int | None
    points: int
    on_time: bool

    @property
    def suit(self) -> str:
        if self.number is None:
            return ""
        return Table.SUITS[(self.number - 1) % len(Table.SUITS)]


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingLine:
    """An entry with its players and its rounds; a round without the entry has no cell."""

    entry: Entry
    players: Sequence[Player]
    cells: Sequence[Cell | None]
    is_own: bool

    @property
    def name(self) -> str:
        return " & ".join(player.shown_name for player in self.players)

    @property
    def move(self) -> int | None:
        """How many places up; nothing for somebody who has no former place."""
        place, former = self.entry.place, self.entry.previous_place
        return None if place is None or former is None else former - place


def columns_of(event: Event, rounds: Sequence[Round]) -> Sequence[Round]:
    """Give the rounds that a table of results shows; those of a list were never drawn."""
    if not event.is_imported:
        return rounds
    made = event.entries.values_list("round_points", flat=True)
    numbers = sorted({part["round"] for parts in made for part in parts})
    return [Round(event=event, number=number) for number in numbers]


def standings_page(event: Event, number: str | None) -> Page[Entry]:
    """Give those who have played, best first, as many as a page shows."""
    return Paginator(event.entries.played().for_standings(), ENTRIES_ON_A_PAGE).get_page(number)


def standing_lines(
    entries: Iterable[Entry], rounds: Iterable[Round], visitor: Visitor
) -> list[StandingLine]:
    """Give the lines of entries, in their order."""
    numbers = [each.number for each in rounds]
    return [_line(entry, numbers, visitor) for entry in entries]


def _line(entry: Entry, numbers: Sequence[int], visitor: Visitor) -> StandingLine:
    players = list(entry.players.all())
    return StandingLine(
        entry=entry,
        players=players,
        cells=cells_of(entry.round_points, numbers),
        is_own=visitor.is_authenticated and any(p.account_id == visitor.pk for p in players),
    )


def cells_of(
    round_points: Iterable[Mapping[str, Any]], numbers: Sequence[int]
) -> list[Cell | None]:
    """Give the cell of each round, as the standings wrote it down."""
    cells = {
        part["round"]: Cell(
            table=part["table"],
            number=part["number"],
            points=part["points"],
            on_time=part.get("on_time", False),
        )
        for part in round_points
    }
    return [cells.get(number) for number in numbers]


@dataclass(frozen=True, slots=True, kw_only=True)
class RankLine:
    """A row of the ranking with the curve of its last evenings."""

    row: RankingRow
    curve: Sequence[int]
    is_own: bool
    score: Decimal | int

    @property
    def move(self) -> int | None:
        """How many places up since the last evening; nothing for somebody new."""
        former, place = self.row.previous_place, self.row.place
        return None if former is None or place is None else former - place

    @property
    def is_guest(self) -> bool:
        return self.row.player.role is None


def rank_lines(
    rows: Iterable[RankingRow],
    visitor: Visitor,
    *,
    shown: Collection[int] | None,
    decimals: int,
) -> list[RankLine]:
    """Give the lines of a ranking; ``shown`` are the evenings that may be told apart, or all."""
    return [
        RankLine(
            row=row,
            curve=[
                part["points"] for part in row.history if shown is None or part["event"] in shown
            ][-CURVE_EVENINGS:],
            is_own=visitor.is_authenticated and row.player.account_id == visitor.pk,
            score=row.shown_score(decimals),
        )
        for row in rows
    ]


def fault_words(code: str) -> str:
    """Say a fault in the reader's language."""
    fault = faults.FAULTS.get(code)
    return _(fault.words) if fault else code
