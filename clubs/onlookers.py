"""Who is looking: names are told as their players allow, in full to members of the club only.

Kept like the active language: set once for a request, read wherever a name is told. Nobody set is
the world, so that a file made by a worker or a cached picture tells no more than a public page.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from typing import Protocol


class Onlooker(Protocol):
    """Somebody before whom names are told."""

    def belongs_to(self, club_id: int) -> bool:
        """Is this somebody of the club?"""
        ...

    def sits_with(self, player_id: int) -> bool:
        """Does this somebody look from the table at which the player sits?"""
        ...

    def learn(self, account_id: int, club_id: int, *, belongs: bool) -> None:
        """Remember what was just asked of the database, so that it is asked once."""
        ...


class World:
    """Everybody who can read what is published."""

    def belongs_to(self, club_id: int) -> bool:
        return False

    def sits_with(self, player_id: int) -> bool:
        return False

    def learn(self, account_id: int, club_id: int, *, belongs: bool) -> None:
        """Stay the world."""


class Members(World):
    """The members of one club."""

    def __init__(self, club_id: int) -> None:
        self.club_id = club_id

    def belongs_to(self, club_id: int) -> bool:
        return club_id == self.club_id


WORLD = World()
_onlooker: ContextVar[Onlooker] = ContextVar("onlooker", default=WORLD)


@contextmanager
def before(onlooker: Onlooker) -> Iterator[None]:
    """Tell names as this onlooker may read them."""
    token = _onlooker.set(onlooker)
    try:
        yield
    finally:
        _onlooker.reset(token)


def before_the_world() -> AbstractContextManager[None]:
    """Tell names as everybody may read them, whoever asked."""
    return before(WORLD)


def before_members(club_id: int) -> AbstractContextManager[None]:
    """Tell names as the members of this club may read them, whoever asked."""
    return before(Members(club_id))


def belong_to(club_id: int) -> bool:
    """Does whoever looks belong to this club?"""
    return _onlooker.get().belongs_to(club_id)


def sit_with(player_id: int) -> bool:
    """Does whoever looks sit at this player's table, where a name to call him is needed?"""
    return _onlooker.get().sits_with(player_id)


def learn(account_id: int, club_id: int, *, belongs: bool) -> None:
    """Tell whoever looks what was just asked of the database about an account."""
    _onlooker.get().learn(account_id, club_id, belongs=belongs)
