"""Counting step by step gives, byte for byte, what counting everything anew gives.

``REPLAYS=500`` plays that many histories; the default is modest.
"""

from __future__ import annotations

import os
import random

import pytest
from django.utils import timezone

from clubs.models import Season
from scoring import actions, tasks
from scoring.models import (
    CountingJob,
    PlayerResult,
    Ranking,
    RankingRow,
    RatingStep,
    StaleRanking,
    StaleStandings,
)
from scoring.rankings import rows
from scoring.rankings.methods import Method, Settings, TieBreak
from tests.factories import MembershipFactory, PlayerFactory
from tests.scoring import paper
from tournaments.models import Entry, Event, Ruling

pytestmark = pytest.mark.django_db

REPLAYS = int(os.environ.get("REPLAYS", "12"))
WAYS = (
    (Method.TOTAL, Settings()),
    (Method.TOTAL, Settings(best_of=2, attendance=3, tie_breaks=(TieBreak.BEST_EVENING,))),
    (Method.AVERAGE, Settings(minimum_deals=3, players=4)),
    (
        Method.PLACES,
        Settings(
            scale=(25, 18, 15),
            scale_rest=1,
            tie_breaks=(TieBreak.EVENINGS_WON, TieBreak.LAST_EVENING),
        ),
    ),
    (Method.TOTAL, Settings(members_only=True, kinds=("club_night",))),
    (Method.RATING, Settings()),
)


class History:
    """A season as it happens: deals, corrections, penalties, merges, withdrawals, closings."""

    def __init__(self, season: Season, dice: random.Random) -> None:
        self.season, self.dice = season, dice
        club = season.club
        self.players = [
            *(MembershipFactory(player__club=club).player for _ in range(6)),
            *PlayerFactory.create_batch(3, club=club),
        ]
        self.events = [
            paper.evening(
                season, self.players, week=week, kind="tournament" if week == 2 else "club_night"
            )
            for week in range(4)
        ]
        self.guests = [PlayerFactory(club=club) for _ in self.events]
        for event, guest in zip(self.events, self.guests, strict=True):
            paper.join(event, guest)
        self.written = []
        for event in self.events:
            self.sit(event)

    def sit(self, event: Event) -> None:
        who = [*self.players, self.guests[self.events.index(event)]]
        who = [player for player in who if event.entries.filter(players=player).exists()]
        self.dice.shuffle(who)
        for table in paper.sit(event, who[:4], who[4 : self.dice.choice([7, 9])]):
            self.deal(table)

    def deal(self, table) -> None:
        unit = self.dice.randint(-150, 150)
        others = table.players_per_deal - 1
        self.written.append(paper.write(table, unit * others, *[-unit] * others))

    def step(self) -> Event:
        event = self.dice.choice(self.events)
        happens = self.dice.choice(
            [self.sit, self.play, self.correct, self.close, self.close, self.reopen, self.rule,
             self.withdraw, self.merge, self.edit]
        )  # fmt: skip
        happens(event)
        return event

    def play(self, event: Event) -> None:
        tables = [deal.table for deal in self.written if deal.table.round.event_id == event.pk]
        self.deal(self.dice.choice(tables))

    def correct(self, event: Event) -> None:
        own = [deal for deal in self.written if deal.table.round.event_id == event.pk]
        if len(own) > 1:
            gone = self.dice.choice(own)
            self.written.remove(gone)
            paper.void(gone)

    def close(self, event: Event) -> None:
        Event.objects.filter(pk=event.pk).update(state="closed", closed_at=event.starts_at)
        StaleStandings.objects.create(event=event)
        StaleRanking.objects.create(season=self.season, event=event, cause="closed")

    def reopen(self, event: Event) -> None:
        Event.objects.filter(pk=event.pk).update(state="running", closed_at=None)
        StaleStandings.objects.create(event=event)
        StaleRanking.objects.create(season=self.season, event=event, cause="reopened")

    def rule(self, event: Event) -> None:
        entry = self.dice.choice(list(event.entries.order_by("pk")))
        Ruling.objects.create(event=event, entry=entry, kind="penalty", points=100, fault="other")
        StaleStandings.objects.create(event=event)

    def withdraw(self, event: Event) -> None:
        entry = self.dice.choice(list(event.entries.order_by("pk")))
        state = self.dice.choice(["withdrawn", "expelled", "present"])
        Entry.objects.filter(pk=entry.pk).update(state=state)
        StaleStandings.objects.create(event=event)

    def merge(self, event: Event) -> None:
        guest = self.guests[self.events.index(event)]
        newcomer = PlayerFactory(club=self.season.club)
        if guest.archived_at is None:
            actions.merge_players(guest=guest, into=newcomer, by=None, at=timezone.now())
            self.guests[self.events.index(event)] = newcomer
            guest.refresh_from_db()

    def edit(self, _event: Event) -> None:
        ranking = Ranking.objects.filter(season=self.season).order_by("?").first()
        if ranking is not None:
            StaleRanking.objects.create(season=self.season, ranking=ranking, cause="settings")


def everything(season: Season) -> list[object]:
    """All that is counted, without what says only when and why."""
    own = RankingRow.objects.filter(ranking__season=season).order_by("ranking", "player")
    results = PlayerResult.objects.filter(event__season=season).order_by("event", "player")
    steps = RatingStep.objects.filter(ranking__season=season).order_by("ranking", "event", "player")
    rankings = Ranking.objects.filter(season=season).order_by("pk")
    return [
        *own.values_list("ranking", "player", "place", "previous_place", *rows.WRITTEN),
        *[tuple(sorted(each.items())) for each in results.values() if each.pop("id")],
        *steps.values_list("ranking", "event", "player", "mu", "sigma", "mu_before"),
        *rankings.values_list("pk", "evenings", "last_event"),
    ]


@pytest.mark.parametrize("seed", range(REPLAYS))
def test_step_by_step_is_what_a_replay_gives(season, seed):
    dice = random.Random(seed)
    for order, (method, settings) in enumerate(WAYS):
        Ranking.objects.create(
            season=season, method=method, settings=settings.to_json(), order=order
        )
    history = History(season, dice)
    for _ in range(14):
        event = history.step()
        # A worker that is sometimes away, sometimes doubles, and takes messages in any order.
        messages = [(tasks.refresh_standings, event.pk), (tasks.refresh_ranking, season.pk)] * 2
        dice.shuffle(messages)
        for task, key in messages[: dice.randrange(4)]:
            task(key)
    history.close(history.events[0])
    for event in history.events:
        tasks.refresh_standings(event.pk)
    tasks.refresh_ranking(season.pk)
    step_by_step = everything(season)
    assert not StaleRanking.objects.exists(), Ranking.objects.exclude(failure="").values("failure")
    assert RatingStep.objects.exists()

    audit = CountingJob.objects.create(kind="audit")
    tasks.do_counting_job(audit.pk)
    audit.refresh_from_db()
    assert (audit.state, audit.findings) == ("done", [])

    RankingRow.objects.all().delete()
    PlayerResult.objects.all().delete()
    RatingStep.objects.all().delete()
    tasks.do_counting_job(CountingJob.objects.create(kind="rebuild").pk)
    assert everything(season) == step_by_step
    assert RankingRow.objects.filter(ranking__season=season).count() >= 4 * len(WAYS) - 4
