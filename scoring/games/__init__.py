"""The games that are played at a table, by their code: the only place that knows them all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from scoring.games.base import SheetGame
from scoring.games.lines import SheetLine
from scoring.games.tarot import TarotGame
from scoring.games.truco import TrucoGame
from tournaments.models import Event, Table

type AnyGame = SheetGame[Any, Any]

GAMES: Mapping[str, AnyGame] = {game.facts.code: game for game in (TarotGame(), TrucoGame())}


def game_of(played: Table | Event) -> AnyGame:
    """Give the game of a table or an event."""
    event = played.event if isinstance(played, Table) else played
    return GAMES[event.game]


def every_game() -> Iterator[AnyGame]:
    """Give all games, the first one of the club first."""
    yield from GAMES.values()


__all__ = ["GAMES", "AnyGame", "SheetGame", "SheetLine", "every_game", "game_of"]
