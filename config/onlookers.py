"""Names are told before whoever sent the request."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from clubs import onlookers
from clubs.permissions import Looking
from tournaments.phones import helps_club, sits_with

type Answering = Callable[[HttpRequest], HttpResponseBase]


class InTheHall:
    """Whoever sent the request: a member of the club, or somebody in its hall with a phone."""

    def __init__(self, request: HttpRequest) -> None:
        self.request = request
        self.looking = Looking(request)

    def belongs_to(self, club_id: int) -> bool:
        """Does the visitor know the people of this club?"""
        return helps_club(self.request, club_id) or self.looking.belongs_to(club_id)

    def sits_with(self, player_id: int) -> bool:
        """Is the page about the table at which the visitor's phone sits with this player?"""
        return sits_with(self.request, player_id)

    def learn(self, account_id: int, club_id: int, *, belongs: bool) -> None:
        """Remember what the page has found out about the visitor's account."""
        self.looking.learn(account_id, club_id, belongs=belongs)


def names_as_allowed(get_response: Answering) -> Answering:
    """Make the middleware that says before whom the names of a page are told."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        with onlookers.before(InTheHall(request)):
            return get_response(request)

    return middleware
