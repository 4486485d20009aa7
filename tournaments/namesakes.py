"""Who may be meant by a name that was typed at the door."""

from __future__ import annotations

from difflib import get_close_matches

from clubs.models import Club, Player
from clubs.names import fold_name

SHOWN = 5
ALIKE = 0.85


def namesakes(club: Club, name: str) -> list[Player]:
    """The players whose name is almost this one: one letter off, words turned or left out."""
    typed = fold_name(name)
    words = set(typed.split())
    names = list(club.players.by_name().values_list("sort_name", flat=True))
    close = set(get_close_matches(typed, names, n=SHOWN, cutoff=ALIKE))
    close |= {known for known in names if words <= set(known.split())}
    close -= {typed}
    return list(club.players.filter(sort_name__in=close).by_name()[:SHOWN])
