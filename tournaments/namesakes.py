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
#: Of so many letters two may be off.
LONG = 7
NUMBER = re.compile(r"\d+")


def namesakes(club: Club, name: str) -> list[Player]:
    """The players whose name is almost this one: one letter off, words turned or left out."""
    return alike(name, club.players.by_name())


def alike(name: str, players: Iterable[Player]) -> list[Player]:
    """Give those of the players, in their order, whose name is almost this one."""
    return Namesakes(players).of(name)


class Namesakes:
    """Players by the words of their names: many names are looked up among thousands.

    A word is found by what is left of it without a letter or two, so that looking a name up costs
    what is like it, however many others there are.
    """

    def __init__(self, players: Iterable[Player]) -> None:
        self.players = {player.sort_name: player for player in players}
        self.order = {known: number for number, known in enumerate(self.players)}
        self.by_word: dict[str, list[str]] = {}
        self.by_letters: dict[str, list[str]] = {}
        for known in self.players:
            for word in set(known.split()):
                self.by_word.setdefault(word, []).append(known)
            # Two words may have been written as one.
            for rest in _rests(known.replace(" ", ""), 1):
                self.by_letters.setdefault(rest, []).append(known)
        self.by_rest: dict[str, list[str]] = {}
        for word in self.by_word:
            for rest in _rests(word, _letters_off(word)):
                self.by_rest.setdefault(rest, []).append(word)

    def of(self, name: str) -> list[Player]:
        """Give those, in their order, whose name is almost this one."""
        typed = fold_name(name)
        near = [known for known in self.near(typed) if not _is_told_apart(typed, known)]
        close = set(get_close_matches(typed, near, n=SHOWN, cutoff=ALIKE))
        close = {known for known in close if _have_like_words(typed, known)}
        words = set(typed.split())
        close |= {known for known in near if words <= set(known.split())}
        close -= {typed}
        return [self.players[known] for known in sorted(close, key=self.order.__getitem__)][:SHOWN]

    def near(self, typed: str) -> list[str]:
        """Give the names that have a word like each of these, or the same letters but one."""
        alike = [self._like(word) for word in set(typed.split())]
        rarest = min(alike, key=self._holders, default=())
        found = {known for word in rarest for known in self.by_word[word]}
        found = {known for known in found if all(_any_in(each, known) for each in alike)}
        for rest in _rests(typed.replace(" ", ""), 1):
            found.update(self.by_letters.get(rest, ()))
        return sorted(found, key=self.order.__getitem__)

    def _like(self, word: str) -> set[str]:
        rests = _rests(word, _letters_off(word))
        return {known for rest in rests for known in self.by_rest.get(rest, ())}

    def _holders(self, words: Iterable[str]) -> int:
        return sum(len(self.by_word[word]) for word in words)


def _any_in(words: set[str], known: str) -> bool:
    return not words.isdisjoint(known.split())


def _letters_off(word: str) -> int:
    """Say how many letters may be missing; of a number none, or another one would be meant."""
    if NUMBER.search(word):
        return 0
    return 2 if len(word) >= LONG else 1


def _rests(word: str, off: int) -> set[str]:
    """Give the word, and what is left of it without so many letters."""
    rests = {word}
    for _time in range(off):
        rests |= {rest[:n] + rest[n + 1 :] for rest in rests for n in range(len(rest))}
    return rests


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
