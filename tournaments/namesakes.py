"""Who may be meant by a name that was typed at the door."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import SequenceMatcher, get_close_matches

from clubs.models import Club, Player
from clubs.names import fold_name

SHOWN = 5
ALIKE = 0.85
#: Of one word with another: one letter of four may differ, two of five may not.
WORDS_ALIKE = 0.7
SHORT = 4
NUMBER = re.compile(r"\d+")


def namesakes(club: Club, name: str) -> list[Player]:
    """The players whose name is almost this one: one letter off, words turned or left out."""
    return alike(name, club.players.by_name())


def alike(name: str, players: Iterable[Player]) -> list[Player]:
    """Give those of the players, in their order, whose name is almost this one."""
    everybody = {player.sort_name: player for player in players}
    typed = fold_name(name)
    words = set(typed.split())
    names = [known for known in everybody if not _is_told_apart(typed, known)]
    close = set(get_close_matches(typed, names, n=SHOWN, cutoff=ALIKE))
    close = {known for known in close if _have_like_words(typed, known)}
    close |= {known for known in names if words <= set(known.split())}
    close -= {typed}
    return [player for known, player in everybody.items() if known in close][:SHOWN]


def _is_told_apart(typed: str, known: str) -> bool:
    """Does what was typed carry a number or an initial that the known name has not?"""
    marks = _marks(typed)
    return bool(marks) and marks != _marks(known)


def _have_like_words(typed: str, known: str) -> bool:
    """Is each word that differs almost one of the other name? A family shares only the rest."""
    mine, other = set(typed.split()), set(known.split())
    left, right = mine - other, other - mine
    if len(left) != len(right):  # "Anne Marie" and "Annemarie"
        return True
    return all(any(_are_like(word, each) for each in right) for word in left)


def _are_like(one: str, other: str) -> bool:
    # Short names that begin otherwise are two names: Noël and Joël.
    if min(len(one), len(other)) <= SHORT and one[0] != other[0]:
        return False
    return SequenceMatcher(None, one, other).ratio() >= WORDS_ALIKE


def _marks(name: str) -> set[str]:
    """What people add to a name to tell two of it apart."""
    words = {word.strip(".,()") for word in name.split()}
    return {*NUMBER.findall(name), *(word for word in words if len(word) == 1)}
