"""What has happened before a draw: who met whom, who sat where, who sat out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from tournaments.seating.errors import SeatingError, gettext_noop

SEATS = 5
FULL_TABLE = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class PastRound:
    """A round as it was played: players of each table in seat order (N, E, S, W, fifth)."""

    tables: tuple[tuple[int, ...], ...]
    sat_out: tuple[int, ...] = ()

    @property
    def present(self) -> frozenset[int]:
        """Everybody who was there, seated or sitting out."""
        return frozenset(player for table in self.tables for player in table) | {*self.sat_out}


type Who = Callable[[PastRound], frozenset[int]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """The counts that a draw starts from, for the players of its roster.

    ``odd_tables`` and ``sat_out`` include the credit of a latecomer: the lowest count
    among those who were there. ``meetings`` has one entry per pair that met, lower id first.
    """

    meetings: dict[tuple[int, int], int]
    earlier_meetings: dict[tuple[int, int], int]
    odd_tables: dict[int, int]
    sat_out: dict[int, int]
    earlier_odd_tables: dict[int, int]
    earlier_sat_out: dict[int, int]
    seats: dict[int, list[int]]


def tally(
    roster: Iterable[int], history: Sequence[PastRound], earlier: Sequence[PastRound] = ()
) -> Tally:
    """Count tonight's rounds and, apart from them, those of earlier evenings."""
    here = frozenset(roster)
    for past in (*history, *earlier):
        _refuse_twice(past)
    seats = {player: [0] * SEATS for player in here}
    for past in history:
        for table in past.tables:
            for seat, player in enumerate(table):
                if player in here:
                    seats[player][seat] += 1
    odd, out = _credited(here, history, _at_odd_table), _credited(here, history, _sitting_out)
    return Tally(
        meetings=_meetings(here, history),
        earlier_meetings=_meetings(here, earlier),
        odd_tables=odd,
        sat_out=out,
        earlier_odd_tables=_plain(here, earlier, _at_odd_table),
        earlier_sat_out=_plain(here, earlier, _sitting_out),
        seats=seats,
    )


def _refuse_twice(past: PastRound) -> None:
    seen: set[int] = set()
    for player in (*(p for table in past.tables for p in table), *past.sat_out):
        if player in seen:
            raise SeatingError(
                gettext_noop("Player %(player)s is in a past round twice."),
                code="player_twice_in_history",
                field="history",
                player=player,
            )
        seen.add(player)


def _meetings(here: frozenset[int], rounds: Sequence[PastRound]) -> dict[tuple[int, int], int]:
    met: dict[tuple[int, int], int] = {}
    for past in rounds:
        for table in past.tables:
            for pair in combinations(sorted(here.intersection(table)), 2):
                met[pair] = met.get(pair, 0) + 1
    return met


def _at_odd_table(past: PastRound) -> frozenset[int]:
    return frozenset(p for table in past.tables if len(table) != FULL_TABLE for p in table)


def _sitting_out(past: PastRound) -> frozenset[int]:
    return frozenset(past.sat_out)


def _plain(here: frozenset[int], rounds: Sequence[PastRound], who: Who) -> dict[int, int]:
    counts = dict.fromkeys(here, 0)
    for past in rounds:
        for player in here & who(past):
            counts[player] += 1
    return counts


def _credited(here: frozenset[int], rounds: Sequence[PastRound], who: Who) -> dict[int, int]:
    counts: dict[int, int] = {}
    present: frozenset[int] = frozenset()
    for past in rounds:
        _credit(counts, present, past.present)
        present = past.present
        for player in who(past):
            counts[player] += 1
    _credit(counts, present, here)
    return {player: counts[player] for player in here}


def _credit(counts: dict[int, int], before: frozenset[int], now: frozenset[int]) -> None:
    # Who comes late, or comes back, must not be owed all the tables of 3 he was spared.
    lowest = min((counts[player] for player in before & now), default=0)
    for player in now - before:
        counts[player] = max(counts.get(player, 0), lowest)
