"""What a draw has to know of each game: how many sit at a table, in which sides, for what.

Adding a game is one entry here and one in ``scoring.games``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from rules_engine import tarot, truco


@dataclass(frozen=True, slots=True, kw_only=True)
class GameFacts:
    """The facts of a game that drawing and entering need; scores are no business of theirs.

    ``table_sizes`` are the seats of a table, the usual size first. ``sides`` is how many sides
    meet at a table: 0 where each plays for himself. The seats of the sides take turns. In
    ``entrants`` the ways to enter, the usual first, are given with the players of one entrant.
    """

    code: str
    #: House rules by their name; what they give is kept by the event (``to_json``).
    rules: Callable[[str], Any]
    usual_rules: str
    table_sizes: tuple[int, ...]
    sides: int = 0
    entrants: Mapping[str, int] = field(default_factory=lambda: {"players": 1})
    best_of: tuple[int, ...] = ()
    targets: tuple[int, ...] = ()
    #: Does its federation give a player a licence and a series?
    has_licences: bool = False
    #: What a fault costs where points are not taken, a bare warning ("") first.
    effects: tuple[str, ...] = ()

    def ruleset(self, preset: str = "", *, seats: int = 0, target: int = 0) -> dict[str, Any]:
        """Give house rules as an event keeps them; refuses a name that is not known.

        ``seats`` and ``target`` are said where the game is played by several numbers, and to
        several.
        """
        rules = self.rules(preset or self.usual_rules)
        if self.plays_games and seats:
            rules = rules.for_players(seats)
        if self.plays_games and target:
            rules = rules.to(target)
        stored: dict[str, Any] = rules.to_json()
        return stored

    @property
    def plays_games(self) -> bool:
        """Does a table play games that are won, instead of a number of deals?"""
        return bool(self.best_of)

    def seats_of_side(self, side: int, seats: int) -> tuple[int, ...]:
        """Give the places (from 1) of one side (from 0) at a table of so many seats."""
        return tuple(range(side + 1, seats + 1, self.sides))

    def side_of(self, place: int) -> int:
        """Give the side (from 0) of a place (from 1)."""
        return (place - 1) % self.sides

    def players_of_entrant(self, entrants: str) -> int:
        """Give how many players one entrant has, reserves not counted."""
        return self.entrants[entrants]

    def usual_table(self, entrants: str) -> int:
        """Give the seats of a table when these entrants meet."""
        together = self.entrants[entrants]
        return self.table_sizes[0] if together == 1 else together * self.sides


TAROT = GameFacts(
    code="tarot",
    rules=tarot.ruleset,
    usual_rules="fft",
    table_sizes=(4, 3, 5),
    has_licences=True,
)
TRUCO = GameFacts(
    code="truco",
    rules=truco.ruleset,
    usual_rules="paulista",
    table_sizes=(4, 2, 6),
    sides=2,
    entrants={"pairs": 2, "players": 1, "trios": 3},
    best_of=(3, 1, 5, 7),
    targets=(12, 15, 24),
    effects=("", "tento", "lose_hand", "lose_game", "exclusion"),
)

GAMES: Mapping[str, GameFacts] = {game.code: game for game in (TAROT, TRUCO)}


def facts_of(code: str) -> GameFacts:
    """Give the facts of a game by its code; raises ``KeyError`` for an unknown one."""
    return GAMES[code]
