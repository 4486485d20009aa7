"""What every deal costs under one ruleset, worked out once and then looked up.

For each contract, number of bouts and half-points of the attack there is one ``Outcome``, or
none where the cards cannot give such a deal. Sources: RO p.4, 5, 8, 9, 11, 12; seed 004 for the
pousse and the fixed contract values.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from rules_engine.tarot.contracts import (
    DOG_SIZES,
    HALF_POINTS_NEEDED,
    PACK_HALF_POINTS,
    Called,
    Contract,
)
from rules_engine.tarot.lines import (
    Line,
    SlamLines,
    contract_line,
    margin_line,
    petit_lines,
    petit_slam_lines,
    slam_lines,
)

#: The fewest half-points that come with 0, 1, 2, 3 bouts: a lone Excuse that is not exchanged
#: is worth 4 points, every other bout 4.5 (RO p.3, 8).
FEWEST_WITH_BOUTS = (0, 8, 18, 27)

#: Half-points by (players, called): how often each role takes the unit score; the taker first,
#: then the partner if any, then the defenders (RO p.9, 11, 12).
SHARES: Mapping[tuple[int, Called | None], tuple[int, ...]] = {
    (3, None): (2, -1, -1),
    (4, None): (3, -1, -1, -1),
    (5, Called.PARTNER): (2, 1, -1, -1, -1),
    (5, Called.SELF): (4, -1, -1, -1, -1),
}

#: Who may be called, by the number of players (RO p.12).
CALLS: Mapping[int, tuple[Called | None, ...]] = {
    3: (None,),
    4: (None,),
    5: (Called.PARTNER, Called.SELF),
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """What contract and points alone decide; ``margin`` counts points and is never negative."""

    made: bool
    margin: int
    unit: int
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """The part of a ruleset that the tariff depends on."""

    players: int
    multiplier_halves: tuple[tuple[Contract, int], ...]
    fixed_values: tuple[tuple[Contract, int], ...]
    half_points: str
    half_points_occur: bool
    failed_and_defence: str
    petit_chelem: tuple[int, int, int]


#: Outcomes of one contract: by bouts, then by half-points.
Rows = Mapping[int, tuple[Outcome | None, ...]]
Bounds = tuple[int, int]


class Tariff(dict[Contract, Rows]):
    """The outcomes of each contract; a contract's rows are worked out when first asked for.

    A contract that the ruleset does not play has no rows (an empty mapping).
    """

    def __init__(self, terms: Terms) -> None:
        super().__init__()
        self.terms = terms
        self.halves = dict(terms.multiplier_halves)
        self.fixed = dict(terms.fixed_values)
        self.calls = CALLS[terms.players]
        self.shares = {called: SHARES[terms.players, called] for called in self.calls}
        self.slams: SlamLines = slam_lines(failed_and_defence=terms.failed_and_defence)
        self.petit_slams: SlamLines = petit_slam_lines(terms.petit_chelem)
        self.petits = {
            contract: petit_lines(5 * halves, multiplier_text(halves))
            for contract, halves in self.halves.items()
        }

    def __missing__(self, contract: Contract) -> Rows:
        rows = self._rows(contract) if contract in self.halves else {}
        self[contract] = rows
        return rows

    def __reduce__(self) -> tuple[object, ...]:
        # Worked out again where it arrives, and shared there.
        return tariff_for, (self.terms,)

    def bounds(self, bouts: int) -> Bounds:
        """Give the fewest and the most half-points that the attack can have with its bouts."""
        fewest = FEWEST_WITH_BOUTS[bouts]
        most = PACK_HALF_POINTS - FEWEST_WITH_BOUTS[3 - bouts]
        if self.terms.half_points_occur:
            return fewest, most
        return fewest + fewest % 2, most - most % 2

    def outcome(self, contract: Contract, distance: int) -> Outcome:
        """Score a contract by the half-points above (or under) those needed (RO p.9, 11, 12)."""
        made = distance >= 0
        if made and self.terms.half_points == "to_the_winner":
            margin = (distance + 1) // 2
        elif made:
            margin = distance // 2
        else:
            margin = (1 - distance) // 2
        halves = self.halves[contract]
        base = self.fixed[contract] * 2 if self.fixed else 25 * halves
        # Only the pousse's one and a half leaves a half: it goes to the side that won.
        base_points = (base + 1) // 2
        points = (base + margin * halves + 1) // 2
        lines = (
            contract_line(
                contract, base_points, "" if self.fixed else multiplier_text(halves), made=made
            ),
            margin_line(margin, multiplier_text(halves), points - base_points, made=made),
        )
        return Outcome(made, margin, points if made else -points, lines)

    def _rows(self, contract: Contract) -> Rows:
        step = 1 if self.terms.half_points_occur else 2
        by_distance: dict[int, Outcome] = {}
        rows = {}
        for bouts, needed in HALF_POINTS_NEEDED.items():
            fewest, most = self.bounds(bouts)
            row: list[Outcome | None] = [None] * (PACK_HALF_POINTS + 1)
            for half_points in range(fewest, most + 1, step):
                distance = half_points - needed
                if distance not in by_distance:
                    by_distance[distance] = self.outcome(contract, distance)
                row[half_points] = by_distance[distance]
            rows[bouts] = tuple(row)
        return rows


@lru_cache(maxsize=256)
def tariff_for(terms: Terms) -> Tariff:
    """Give the tariff of some terms; rulesets with the same terms share it."""
    return Tariff(terms)


def multiplier_text(halves: int) -> str:
    """Write a multiplier given in halves: 2 as "1", 3 as "1½"."""
    return f"{halves // 2}{'½' if halves % 2 else ''}"


def attack_slam_bounds(players: int, contract: Contract) -> Mapping[int, Bounds]:
    """Give the half-points that all the tricks leave the attack, by its bouts.

    All 91 points; 87 with two bouts when the defence keeps the Excuse (RO p.8, 9); less what
    lies in the dog when the contract is a garde contre.
    """
    dog = DOG_SIZES[players] if contract is Contract.GARDE_CONTRE else 0
    found: dict[int, list[int]] = {}
    for missing in range(4):
        for excuse_kept in range(min(missing, 1) + 1):
            in_dog = missing - excuse_kept
            if in_dog <= dog:
                left = PACK_HALF_POINTS - 8 * excuse_kept
                found.setdefault(3 - missing, []).extend(
                    (left - _poorest(dog, bouts=in_dog), left - _richest(dog, bouts=in_dog))
                )
    return {bouts: (min(points), max(points)) for bouts, points in found.items()}


def defence_slam_most(players: int, contract: Contract) -> Mapping[int, int]:
    """Give the most half-points that the attack can have without a trick, by its bouts.

    It has its discard (no king, no bout), or the dog in a garde sans, and an Excuse of its own,
    which is then worth 4 points (RO p.6, 8).
    """
    pile = 0 if contract is Contract.GARDE_CONTRE else DOG_SIZES[players]
    bouts_in_pile = range(3) if contract is Contract.GARDE_SANS else range(1)
    kings = 4 if contract is Contract.GARDE_SANS else 0
    found: dict[int, int] = {}
    for bouts in bouts_in_pile:
        richest = _richest(pile, bouts=bouts, kings=kings)
        found[bouts] = max(found.get(bouts, 0), richest)
        found[bouts + 1] = max(found.get(bouts + 1, 0), richest + 8)
    if contract is Contract.GARDE_SANS:
        found[3] = max(found[3], _richest(pile, bouts=3))
    return found


def _richest(cards: int, *, bouts: int, kings: int = 4) -> int:
    worth = [9] * bouts + [9] * kings + [7] * 4 + [5] * 4
    return sum(worth[:cards])


def _poorest(cards: int, *, bouts: int) -> int:
    return 9 * bouts + cards - bouts
