"""Which rows of the sheets phones have open, called as their game calls them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from scoring.games import game_of
from tournaments import phones
from tournaments.models import Phone, Table


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenRow:
    """A row of a sheet that a phone has open."""

    phone: Phone
    name: str


def open_rows(tables: Sequence[Table], *, at: datetime) -> dict[int, list[OpenRow]]:
    """Give, by table, the rows that phones have open; none where nothing is left to write."""
    written_on = {table.pk: table for table in tables if table.is_open and not table.is_complete}
    found = phones.entering(written_on, at=at)
    return {pk: [_row(written_on[pk], phone) for phone in found[pk]] for pk in found}


def _row(table: Table, phone: Phone) -> OpenRow:
    return OpenRow(phone=phone, name=game_of(table).words(table, phone.enters_number or 1).name)
