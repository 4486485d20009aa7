"""Whoever adds up the raw deals of the API gets the ranking that the site shows."""

from __future__ import annotations

from collections import Counter

import pytest

from clubs.models import Role
from scoring import tasks
from scoring.models import CountingJob, RankingRow
from tests.conftest import account_with
from tests.scoring import paper
from tournaments.models import Ruling

pytestmark = pytest.mark.django_db
NAMES = ("Ana", "Bernard", "Colette", "Denise", "Émile", "Fanny", "Gaëlle", "Hervé")


@pytest.fixture
def season_of_six(club, season):
    """Six closed evenings of two rounds; deals are corrected and voided, one player is fined."""
    players = [account_with(club, Role.MEMBER, name).players.get() for name in NAMES]
    for week in range(6):
        event = paper.evening(season, players, week=week)
        written = []
        for turn in range(2):
            order = players[turn * 3 :] + players[: turn * 3]
            for table in paper.sit(event, order[:4], order[4:]):
                written += [
                    paper.write(table, *(unit * part for part in (3, -1, -1, -1)))
                    for unit in (25 + 7 * week, -(40 + turn))
                ]
        paper.close(event)
        tasks.refresh_standings(event.pk)
        tasks.refresh_ranking(season.pk)
        # The corrections come once everything has been counted.
        paper.void(written[week])
        paper.write(written[week].table, -66, 22, 22, 22)
        if week == 4:
            entry = event.entries.get(players=players[2])
            Ruling.objects.create(
                event=event, entry=entry, kind="penalty", points=100, fault="exposed_card"
            )
        tasks.refresh_standings(event.pk)
        tasks.refresh_ranking(season.pk)
    return season


def shown(api, season) -> dict[int, tuple[int, int]]:
    """What the ranking of the API says: place and points of each player."""
    (ranking,) = api.get(f"/api/v1/seasons/{season.pk}/rankings/").data
    lines = api.get(f"/api/v1/rankings/{ranking['id']}/lines/").data["results"]
    return {line["player"]: (line["place"], line["points"]) for line in lines}


def added_up(api, season) -> dict[int, tuple[int, int]]:
    """The same from nothing but sheets and rulings, by other means than the site's."""
    (ranking,) = api.get(f"/api/v1/seasons/{season.pk}/rankings/").data
    lines = api.get(f"/api/v1/rankings/{ranking['id']}/lines/").data["results"]
    told = [api.get(f"/api/v1/ranking-lines/{line['id']}/").data for line in lines]
    points: Counter[int] = Counter()
    for event in {each["event"] for line in told for each in line["evenings"]}:
        for round_ in api.get(f"/api/v1/events/{event}/rounds/").data:
            for table in round_["tables"]:
                sheet = api.get(f"/api/v1/tables/{table['id']}/").data
                players = {seat["id"]: seat["player"] for seat in sheet["seats"]}
                for deal in sheet["deals"]:
                    if deal["state"] == "standing":
                        for mark in deal["marks"]:
                            points[players[mark["seat"]]] += mark["points"]
    for line in told:
        points[line["line"]["player"]] += sum(each["points"] for each in line["penalties"])
    return {
        player: (1 + sum(other > total for other in points.values()), total)
        for player, total in points.items()
    }


def test_six_evenings_with_corrections_rank_the_same_three_ways(api, season_of_six):
    by_increments = shown(api, season_of_six)

    RankingRow.objects.all().delete()
    tasks.do_counting_job(CountingJob.objects.create(kind="rebuild").pk)

    assert len(by_increments) == len(NAMES)
    assert shown(api, season_of_six) == by_increments
    assert added_up(api, season_of_six) == by_increments
