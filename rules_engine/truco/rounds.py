"""Who wins a round and who a hand: every tie (seed 002)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rules_engine.truco.cards import Card
from rules_engine.truco.order import LOWEST_MANILHA
from rules_engine.truco.rulesets import ROUNDS, Ruleset
from rules_engine.truco.seats import Pair, pair_of


@dataclass(frozen=True, slots=True)
class Played:
    """A card on the table; ``card`` is None where nobody noted which it was."""

    seat: int
    card: Card | None
    covered: bool = False

    @property
    def is_unknown(self) -> bool:
        """Lies it open, and nobody noted it?"""
        return self.card is None and not self.covered


@dataclass(frozen=True, slots=True)
class Round:
    """A complete round: who led, the cards in playing order, the seat that won and who leads next.

    ``won_by`` is None when the round is tied.
    """

    leader: int
    plays: tuple[Played, ...]
    won_by: int | None
    next_leader: int

    @property
    def winner(self) -> Pair | None:
        """The pair that won the round; None when it is tied."""
        return None if self.won_by is None else pair_of(self.won_by)


def resolve(rules: Ruleset, strength: Sequence[int], plays: Sequence[Played]) -> Round:
    """Say who won a complete round of known cards.

    Covered cards neither win nor tie. Equal cards on top tie when they belong to both pairs; of
    one pair's the round is theirs, and the first of them to play leads. All covered is a tie:
    the seed is silent there (``all_covered``).
    """
    leader = plays[0].seat
    top = _on_top(strength, plays)
    pairs = {pair_of(seat) for seat in top}
    if len(pairs) == 1:
        return Round(leader, tuple(plays), top[0], top[0])
    first_tied = rules.tie_lead == "first_tied" and top
    return Round(leader, tuple(plays), None, top[0] if first_tied else leader)


def _on_top(strength: Sequence[int], plays: Sequence[Played]) -> list[int]:
    """Give the seats whose known open cards are highest, in playing order."""
    shown = [(strength[p.card], p.seat) for p in plays if not p.covered and p.card is not None]
    best = max((power for power, _ in shown), default=-1)
    return [seat for power, seat in shown if power == best]


def could_win(strength: Sequence[int], plays: Sequence[Played], won_by: int | None) -> bool:
    """Could a round with cards that nobody noted have ended like this (None: tied)?"""
    top = _on_top(strength, plays)
    unknown = [play.seat for play in plays if play.is_unknown]
    highest = max(
        (strength[p.card] for p in plays if not p.covered and p.card is not None), default=-1
    )
    if won_by in top:
        return won_by == top[0] and _of_one_pair(top)
    if won_by is not None:
        return won_by in unknown and highest < max(strength)
    if highest >= LOWEST_MANILHA:
        return False  # a manilha on the table never ties
    return not _of_one_pair([*top, *unknown]) or not unknown


def _of_one_pair(seats: Sequence[int]) -> bool:
    return len({pair_of(seat) for seat in seats}) == 1


def noted_round(plays: Sequence[Played], won_by: int | None) -> Round:
    """Give a round whose result was noted and not its cards."""
    leader = plays[0].seat
    return Round(leader, tuple(plays), won_by, leader if won_by is None else won_by)


def is_decided(winners: Sequence[Pair | None]) -> bool:
    """Is the hand over after these rounds?"""
    return len(winners) == ROUNDS or hand_winner(winners) is not None


def hand_winner(winners: Sequence[Pair | None]) -> Pair | None:
    """Give the pair that has won the hand; None while nobody has, or when all three tied.

    ``paulista_standard``: the first pair with two rounds; a tie counts for whoever won the first
    round that was not tied. The seed does not say it; it is what truco paulista plays.
    """
    won = [pair for pair in winners if pair is not None]
    for pair in Pair:
        if won.count(pair) == ROUNDS - 1:
            return pair
    tied = len(winners) > len(won)
    return won[0] if won and tied else None
