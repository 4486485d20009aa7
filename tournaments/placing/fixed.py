"""A table of one's own, for whoever cannot walk: the tables are renumbered round the room.

Which table has which number is free in every placement, so a player keeps a table when his
table of the round is given that number. It cannot be done only for two who keep different
tables and meet.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from tournaments.placing.values import PlacedTable
from tournaments.seating import Reason
from tournaments.seating.reasons import Gap


def keep_tables(
    tables: Sequence[PlacedTable], fixed: Mapping[int, int]
) -> tuple[tuple[PlacedTable, ...], tuple[Reason, ...]]:
    """The tables renumbered so that each fixed player is at his; says who could not be.

    ``fixed`` gives the table number by player. Of two who ask for different tables and sit
    together the one named first keeps his. The other tables change as little as possible.
    """
    wanted: dict[int, int] = {}
    refused = []
    for player, number in fixed.items():
        at = next((t.number for t in tables if player in t.players), None)
        if at is None:
            continue
        free = number not in wanted.values() or wanted.get(at) == number
        if free and wanted.get(at, number) == number:
            wanted[at] = number
        else:
            refused.append(player)
    numbers = _renumbered([table.number for table in tables], wanted)
    moved = sorted(
        (replace(table, number=numbers[table.number]) for table in tables),
        key=lambda table: table.number,
    )
    return tuple(moved), tuple(_reasons(tables, moved, refused, fixed))


def _renumbered(numbers: list[int], wanted: dict[int, int]) -> dict[int, int]:
    """New numbers by old ones: a table that gives way takes the number of the one that came."""
    new = {number: number for number in numbers}
    for at, number in wanted.items():
        if new[at] == number:
            continue
        in_the_way = next((old for old, given in new.items() if given == number), None)
        if in_the_way is not None:
            new[in_the_way] = new[at]
        new[at] = number
    return new


def _reasons(
    before: Sequence[PlacedTable],
    after: Sequence[PlacedTable],
    refused: list[int],
    fixed: Mapping[int, int],
) -> list[Reason]:
    kept = tuple(sorted(p for t in after for p in t.players if p in fixed and p not in refused))
    reasons = []
    if kept:
        reasons.append(Reason(code="keeps_table", gaps={"count": len(kept), "players": kept}))
    if [table.players for table in before] != [table.players for table in after]:
        reasons.append(Reason(code="tables_renumbered"))
    if refused:
        away = tuple(sorted(refused))
        gaps: dict[str, Gap] = {"count": len(away), "players": away}
        reasons.append(Reason(code="cannot_keep_table", gaps=gaps))
    return reasons
