"""Two workers at once, while the tables go on writing: in the end everything is counted once."""

from __future__ import annotations

import pytest

from scoring import tasks
from scoring.models import RankingRow, StaleRanking, StaleStandings
from tests.factories import PlayerFactory
from tests.scoring import paper
from tests.scoring.test_together import at_once

pytestmark = pytest.mark.django_db(transaction=True)

DEALS = 6


@pytest.fixture
def event(season):
    players = PlayerFactory.create_batch(8, club=season.club)
    event = paper.evening(season, players)
    paper.sit(event, players[:4], players[4:])
    return event


def test_two_workers_and_two_tables_at_once_count_every_deal_once(event):
    tables = list(event.rounds.get().tables.order_by("number"))

    def play(table):
        for _ in range(DEALS):
            paper.write(table, 30, -10, -10, -10)

    def work():
        for _ in range(DEALS):
            tasks.refresh_standings(event.pk)

    at_once([lambda: play(tables[0]), lambda: play(tables[1]), work, work])
    tasks.refresh_standings(event.pk)

    assert sorted(entry.points for entry in event.entries.all()) == [-60] * 6 + [180] * 2
    assert {entry.deals_played for entry in event.entries.all()} == {DEALS}
    assert not StaleStandings.objects.exists()


def test_two_workers_at_once_rank_a_season_once(event, season):
    for table in event.rounds.get().tables.all():
        paper.write(table, 30, -10, -10, -10)
    paper.close(event)
    tasks.refresh_standings(event.pk)

    at_once([lambda: tasks.refresh_ranking(season.pk)] * 4)

    assert sorted(RankingRow.objects.values_list("points", flat=True)) == [-10] * 6 + [30] * 2
    assert not StaleRanking.objects.exists()
