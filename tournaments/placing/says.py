"""What a round reached and what it could not, in the same words for every placement."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from tournaments.placing.values import PlacedTable, Placing
from tournaments.seating import PastRound, Reason
from tournaments.seating.explain import explain
from tournaments.seating.record import tally

type Pair = tuple[int, int]

FULL_TABLE = 4


def what_it_reached(
    tables: Sequence[PlacedTable],
    sit_out: tuple[int, ...],
    history: Sequence[PastRound],
    prohibited: Iterable[Pair] = (),
    mates: Iterable[Pair] = (),
    *,
    seats: bool = True,
) -> Iterator[Reason]:
    """The reasons of a round: who may not meet, meetings, tables of 3, seats where they change."""
    seated = tuple(table.players for table in tables)
    here = [player for table in seated for player in table] + list(sit_out)
    together = {pair for table in seated for pair in combinations(sorted(table), 2)}
    yield from _kept_apart(set(here), together, prohibited)
    met = tuple(sorted(together & _ordered(mates)))
    if met:
        yield Reason(code="mates_together", gaps={"count": len(met), "pairs": met})
    for reason in explain(tally(here, history), seated, sit_out, 0):
        if seats or not reason.code.startswith("seats_"):
            yield reason


def _kept_apart(
    here: set[int], together: set[Pair], prohibited: Iterable[Pair]
) -> Iterator[Reason]:
    apart = {pair for pair in _ordered(prohibited) if here.issuperset(pair)}
    met = tuple(sorted(apart & together))
    if met:
        yield Reason(code="prohibited_together", gaps={"count": len(met), "pairs": met})
    if len(apart) > len(met):
        yield Reason(code="prohibited_kept_apart", gaps={"count": len(apart) - len(met)})


def _ordered(pairs: Iterable[Pair]) -> set[Pair]:
    return {(min(pair), max(pair)) for pair in pairs if pair[0] != pair[1]}


def not_homologable(laid: Placing) -> tuple[Reason, ...]:
    """What the federation does not recognise in a round: tables of 5, players who sit out."""
    has_fives = any(len(table.players) > FULL_TABLE for table in laid.tables)
    found = (
        (has_fives, "tables_of_five_not_homologable"),
        (bool(laid.sit_out), "sitting_out_not_homologable"),
    )
    return tuple(Reason(code=code) for is_so, code in found if is_so)


def without_fives(stage: int) -> Reason:
    """The movement knows tables of 3 alone, whatever was chosen for those left over."""
    return Reason(code="movement_without_fives", gaps={"stage": stage})
