"""The reasons of a draw: what was reached, and in words what could not be."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from tournaments.seating.reasons import Gap, Reason
from tournaments.seating.record import FULL_TABLE, Tally

type Pair = tuple[int, int]


def explain(
    before: Tally, tables: tuple[tuple[int, ...], ...], sit_out: tuple[int, ...], apart: int
) -> Iterator[Reason]:
    """The reasons of a round, in the order of the goals."""
    if apart:
        yield Reason(code="prohibited_kept_apart", gaps={"count": apart})
    yield from _sitting_out(before, sit_out)
    yield from _meetings(before, tables)
    yield from _odd_tables(before, tables)
    yield from _seats(before, tables)


def _sitting_out(before: Tally, sit_out: tuple[int, ...]) -> Iterator[Reason]:
    again = tuple(player for player in sit_out if before.sat_out[player])
    first = tuple(player for player in sit_out if not before.sat_out[player])
    if first:
        yield _about("sits_out", first)
    if again:
        yield _about("sits_out_again", again)


def _meetings(before: Tally, tables: tuple[tuple[int, ...], ...]) -> Iterator[Reason]:
    pairs = [pair for table in tables for pair in combinations(sorted(table), 2)]
    times: dict[int, list[Pair]] = {}
    for pair in pairs:
        if pair in before.meetings:
            times.setdefault(before.meetings[pair] + 1, []).append(pair)
    if not times:
        yield Reason(code="no_remeeting")
    for time, again in sorted(times.items()):
        gaps: dict[str, Gap] = {"count": len(again), "times": time, "pairs": tuple(sorted(again))}
        yield Reason(code="remeeting", gaps=gaps)
    old = tuple(sorted(pair for pair in pairs if pair in before.earlier_meetings))
    if old:
        yield Reason(code="met_on_an_earlier_evening", gaps={"count": len(old), "pairs": old})


def _odd_tables(before: Tally, tables: tuple[tuple[int, ...], ...]) -> Iterator[Reason]:
    odd = [player for table in tables if len(table) != FULL_TABLE for player in table]
    if not odd or len(odd) == len(before.odd_tables):
        return
    first = tuple(sorted(player for player in odd if not before.odd_tables[player]))
    again = tuple(sorted(player for player in odd if before.odd_tables[player]))
    if first:
        yield _about("odd_table", first)
    if again:
        yield _about("odd_table_again", again)
    counts = dict(before.odd_tables)
    for player in odd:
        counts[player] += 1
    fewest, most = min(counts.values()), max(counts.values())
    if most - fewest > 1:
        yield Reason(code="odd_tables_uneven", gaps={"fewest": fewest, "most": most})


def _seats(before: Tally, tables: tuple[tuple[int, ...], ...]) -> Iterator[Reason]:
    uneven = []
    for table in tables:
        for seat, player in enumerate(table):
            taken = list(before.seats[player])
            taken[seat] += 1
            if max(taken[:FULL_TABLE]) - min(taken[:FULL_TABLE]) > 1:
                uneven.append(player)
    yield _about("seats_uneven", tuple(sorted(uneven))) if uneven else Reason(code="seats_balanced")


def _about(code: str, players: tuple[int, ...]) -> Reason:
    return Reason(code=code, gaps={"count": len(players), "players": players})
