"""Who may be meant by a name that was typed at the door."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from difflib import SequenceMatcher, get_close_matches
from itertools import chain, pairwise

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
    return Namesakes(players).of(name)


class Namesakes:
    """Players by what their names are made of: many names are looked up among thousands."""

    def __init__(self, players: Iterable[Player]) -> None:
        self.players = {player.sort_name: player for player in players}
        self.order = {known: number for number, known in enumerate(self.players)}
        self.by_word: dict[str, set[str]] = {}
        self.by_two_letters: dict[str, list[str]] = {}
        for known in self.players:
            for word in set(known.split()):
                self.by_word.setdefault(word, set()).add(known)
            for two in _two_letters(known):
                self.by_two_letters.setdefault(two, []).append(known)

    def of(self, name: str) -> list[Player]:
        """Give those, in their order, whose name is almost this one."""
        typed = fold_name(name)
        near = [known for known in self._near(typed) if not _is_told_apart(typed, known)]
        close = set(get_close_matches(typed, near, n=SHOWN, cutoff=ALIKE))
        close = {known for known in close if _have_like_words(typed, known)}
        same_words = self._with_all_words(typed)
        close |= {known for known in same_words if not _is_told_apart(typed, known)}
        close -= {typed}
        return [self.players[known] for known in sorted(close, key=self.order.__getitem__)][:SHOWN]

    def _near(self, typed: str) -> list[str]:
        """Give the names with enough pairs of letters in common to be alike."""
        held = (self.by_two_letters.get(two, ()) for two in _two_letters(typed))
        shared = Counter(chain.from_iterable(held))
        # Of names with L letters at least 0.85 L agree and together 0.3 L do not, which part what
        # agrees into 0.3 L + 1 pieces: 0.55 L - 1 pairs of letters stay whole.
        return [
            known
            for known, pairs in shared.items()
            if pairs >= (3 * ALIKE - 2) * (len(typed) + len(known)) / 2 - 1
        ]

    def _with_all_words(self, typed: str) -> set[str]:
        held = [self.by_word.get(word, set()) for word in set(typed.split())]
        return set.intersection(*held) if held else set()


def _two_letters(name: str) -> list[str]:
    return [one + other for one, other in pairwise(name)]


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
