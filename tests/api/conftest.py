"""A club with one evening under way, and callers of each role with a token."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from types import SimpleNamespace

import pytest
from rest_framework.test import APIClient

from clubs.models import Club, Publication, Role, User
from scoring.models import Ranking, RankingRow
from tests.conftest import account_with
from tests.factories import EventFactory, RoundFactory, SeasonFactory, TableFactory
from tournaments.models import Table


@pytest.fixture
def caller() -> Callable[[User | None], APIClient]:
    """Make a client of the API that comes as this account."""

    def make(user: User | None) -> APIClient:
        client = APIClient()
        if user is not None:
            client.force_authenticate(user)
        return client

    return make


@pytest.fixture
def api(caller, scorer) -> APIClient:
    """The club's scorer."""
    return caller(scorer)


@pytest.fixture
def world(club: Club) -> SimpleNamespace:
    """A season, an evening, a round, a table of four with one deal, a line of the ranking."""
    season = SeasonFactory(club=club)
    event = EventFactory(season=season, running=True)
    round_ = RoundFactory(event=event)
    seated = [
        account_with(club, Role.MEMBER, name).players.get()
        for name in ("Bernard", "Yves", "Nicole", "Paulo")
    ]
    table = TableFactory(round=round_, players=seated)
    ranking = Ranking.objects.create(season=season, evenings=1)
    row = RankingRow.objects.create(
        ranking=ranking, player=seated[0], place=1, points=318, evenings=1, deals_played=1
    )
    return SimpleNamespace(
        club=club, season=season, event=event, round=round_, table=table, seated=seated,
        ranking=ranking, row=row,
    )  # fmt: skip


@pytest.fixture
def table(world) -> Table:
    return world.table


def publish(world: SimpleNamespace) -> None:
    for row in (world.club, world.season, world.event):
        row.publication = Publication.PUBLIC
        row.save(update_fields=["publication"])


def report(table: Table, **changes) -> dict[str, object]:
    """A plain garde of the first seat, made by 8; None leaves a field out."""
    sent = {
        "entry_key": str(uuid.uuid4()),
        "taker": table.seats.get(place=1).pk,
        "contract": "garde",
        "bouts": 2,
        "taker_card_points": 49,
        **changes,
    }
    return {name: value for name, value in sent.items() if value is not None}
