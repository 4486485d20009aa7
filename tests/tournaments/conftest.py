"""An evening of the club, and people who come to it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from clubs.models import Club, Player, Season
from tests.factories import EventFactory, MembershipFactory, PlayerFactory
from tournaments import actions
from tournaments.models import Event, Round


@pytest.fixture
def evening(season: Season) -> Event:
    return EventFactory(season=season)


@pytest.fixture
def players(club: Club) -> Callable[[int], list[Player]]:
    """Make so many members of the club."""

    def make(count: int) -> list[Player]:
        made = [PlayerFactory(club=club) for _ in range(count)]
        for player in made:
            MembershipFactory(player=player)
        return made

    return make


@pytest.fixture
def with_present(evening: Event, players) -> Callable[[int], list[Player]]:
    """Check so many new members in."""

    def arrive(count: int) -> list[Player]:
        made = players(count)
        for player in made:
            actions.check_in(event=evening, player=player, by=None)
        return made

    return arrive


@pytest.fixture
def proposal(evening: Event, with_present) -> Round:
    """Eight players are here and a round is drawn for them."""
    with_present(8)
    return actions.draw_round(event=evening, by=None, seed=4821)


@pytest.fixture
def playing(proposal: Round) -> Round:
    """The round has started."""
    return actions.publish_round(proposal=proposal, by=None)
