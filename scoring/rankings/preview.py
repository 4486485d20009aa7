"""What would move if a ranking counted another way; nothing is written."""

from __future__ import annotations

from dataclasses import dataclass

from scoring.models import Ranking, RankingRow
from scoring.rankings import facts, writing
from scoring.rankings.methods import Method, Settings
from scoring.rankings.season import count, way_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """A player whose place would change: from and to, with the score that it would go by.

    Nothing instead of a place is no place: not ranked, or not in the ranking at all.
    """

    player: int
    before: int | None
    after: int | None
    score: int | None

    @property
    def up(self) -> int | None:
        """How many places up; nothing for somebody who comes or goes."""
        if self.before is None or self.after is None:
            return None
        return self.before - self.after


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """Who moves, the best place first, and how many stay."""

    moves: tuple[Move, ...]
    stay: int


def preview(ranking: Ranking, *, method: Method, settings: Settings) -> Preview:
    """Count the ranking in the new way and compare its places with those that are shown."""
    evenings = writing.evenings_of(ranking)
    results = facts.read(facts.results_of(ranking.season_id, ranking.game))
    counted = count(way_of(method, settings, evenings), results)
    shown = dict(RankingRow.objects.filter(ranking=ranking).values_list("player", "place"))
    moves = [
        Move(
            player=player,
            before=shown.get(player),
            after=counted.places.get(player),
            score=counted.lines[player].score if player in counted.lines else None,
        )
        for player in shown.keys() | counted.lines.keys()
    ]
    moved = [move for move in moves if move.before != move.after]
    last = len(moves) + 1
    moved.sort(key=lambda move: (move.after or last, move.before or last, move.player))
    return Preview(moves=tuple(moved), stay=len(moves) - len(moved))
