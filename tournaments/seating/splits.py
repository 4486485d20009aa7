"""How the players of a round split into tables."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from tournaments.seating.errors import SeatingError, gettext_noop
from tournaments.seating.reasons import Reason

SMALLEST_TABLE = 3
LARGEST_TABLE = 5
FULL_TABLE = 4
MOST_SITTING_OUT = 2


class Leftovers(StrEnum):
    """What becomes of the players whom tables of 4 leave over."""

    THREES = "threes"
    FIVES = "fives"
    SIT_OUT = "sit_out"
    FIVE_OF_FOUR = "five_of_four"


@dataclass(frozen=True, slots=True, kw_only=True)
class Split:
    """How many tables of each kind, and how many players sit out the round.

    ``fives`` play five-handed; at ``resting_fives`` five players share a four-handed
    table and one of them sits out each deal.
    """

    fours: int = 0
    threes: int = 0
    fives: int = 0
    resting_fives: int = 0
    sit_out: int = 0

    @property
    def tables(self) -> int:
        """The number of tables."""
        return self.fours + self.threes + self.fives + self.resting_fives

    @property
    def players(self) -> int:
        """The number of players, those who sit out included."""
        fives = self.fives + self.resting_fives
        return 4 * self.fours + 3 * self.threes + 5 * fives + self.sit_out

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of players at each table: tables of 4 first."""
        return (4,) * self.fours + (3,) * self.threes + (5,) * (self.fives + self.resting_fives)

    @property
    def players_per_deal(self) -> tuple[int, ...]:
        """How many play each deal at each table, in the order of ``sizes``."""
        resting = (4,) * self.resting_fives
        return (4,) * self.fours + (3,) * self.threes + (5,) * self.fives + resting


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitChoice:
    """A split with the policy it follows and why; the first reason says why it is not another."""

    split: Split
    policy: Leftovers
    reasons: tuple[Reason, ...]
    fell_back: bool = False


def split_for(players: int, policy: Leftovers) -> SplitChoice:
    """The split of so many players under a policy.

    Falls back to the nearest possible policy and says so where the policy cannot be kept
    (5 in threes; 3, 6, 7, 11 in fives; three sitting out). Refuses fewer than 3 players.
    """
    _refuse_too_few(players)
    policy = Leftovers(policy)
    split = MAKERS[policy](players)
    if split is not None:
        return SplitChoice(split=split, policy=policy, reasons=(_why(split),))
    nearest = Leftovers.FIVES if players == LARGEST_TABLE else Leftovers.THREES
    fallback = MAKERS[nearest](players)
    if fallback is None:
        raise AssertionError(f"{players} players have no split")
    reasons = (_why_not(players, policy), _why(fallback))
    return SplitChoice(split=fallback, policy=nearest, reasons=reasons, fell_back=True)


def possible_splits(players: int) -> tuple[SplitChoice, ...]:
    """Every sensible split, the one to prefer first; none for fewer than 3 players."""
    if players < SMALLEST_TABLE:
        return ()
    choices: dict[Split, SplitChoice] = {}
    for policy in Leftovers:
        choice = split_for(players, policy)
        if not choice.fell_back:
            choices.setdefault(choice.split, choice)
    return tuple(choices.values())


def _refuse_too_few(players: int) -> None:
    if players >= SMALLEST_TABLE:
        return
    raise SeatingError(
        gettext_noop("A table needs at least 3 players; there are %(players)s."),
        code="too_few_players",
        players=players,
    )


def _threes(players: int) -> Split | None:
    threes = -players % 4
    fours, rest = divmod(players - 3 * threes, 4)
    return Split(fours=fours, threes=threes) if fours >= 0 and rest == 0 else None


def _fives(players: int) -> Split | None:
    fives = players % 4
    fours = (players - 5 * fives) // 4
    return Split(fours=fours, fives=fives) if fours >= 0 else None


def _resting_fives(players: int) -> Split | None:
    fives = players % 4
    fours = (players - 5 * fives) // 4
    return Split(fours=fours, resting_fives=fives) if fours >= 0 else None


def _sitting_out(players: int) -> Split | None:
    fours, out = divmod(players, 4)
    return Split(fours=fours, sit_out=out) if fours and out <= MOST_SITTING_OUT else None


MAKERS: dict[Leftovers, Callable[[int], Split | None]] = {
    Leftovers.THREES: _threes,
    Leftovers.FIVES: _fives,
    Leftovers.SIT_OUT: _sitting_out,
    Leftovers.FIVE_OF_FOUR: _resting_fives,
}


def _why(split: Split) -> Reason:
    if split.sit_out:
        return Reason(code="fours_and_sitting_out", gaps={"count": split.sit_out})
    if split.threes:
        code = "fours_then_threes" if split.fours else "only_threes"
        return Reason(code=code, gaps={"players": split.players})
    if split.fives:
        return Reason(code="fours_then_fives" if split.fours else "only_fives")
    if split.resting_fives:
        return Reason(code="fours_then_resting_fives" if split.fours else "only_resting_fives")
    return Reason(code="all_fours")


def _why_not(players: int, policy: Leftovers) -> Reason:
    if policy is Leftovers.THREES:
        return Reason(code="no_threes", gaps={"players": players})
    if policy is not Leftovers.SIT_OUT:
        return Reason(code="no_fives", gaps={"players": players})
    if players < FULL_TABLE:
        return Reason(code="no_table_of_four", gaps={"players": players})
    return Reason(code="too_many_would_sit_out", gaps={"players": players})
