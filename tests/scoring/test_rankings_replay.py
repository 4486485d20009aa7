"""Counting step by step gives, byte for byte, what counting everything anew gives.

``REPLAYS=500`` plays that many histories; the default is modest.
"""

from __future__ import annotations

import os
import random
import uuid
from collections.abc import Sequence
from datetime import date, timedelta

import pytest
from django.utils import timezone

from clubs import actions as club_actions
from clubs.models import Membership, Player, Season, User
from scoring import actions, tasks
from scoring.imports import read_table
from scoring.models import (
    CountingJob,
    Mark,
    PlayerResult,
    Ranking,
    RankingRow,
    RatingStep,
    ResultsImport,
    StaleRanking,
    StaleStandings,
    TarotDeal,
)
from scoring.rankings import rows
from scoring.rankings.methods import Method, Settings, TieBreak
from tests.factories import MembershipFactory, PlayerFactory, SeasonFactory
from tests.scoring import paper
from tournaments import actions as tournament_actions
from tournaments.models import Entry, Event, Ruling

pytestmark = pytest.mark.django_db

REPLAYS = int(os.environ.get("REPLAYS", "4"))
STEPS = 16
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
    """Seasons as they happen: deals, corrections, penalties, merges, lists, members, other days."""

    def __init__(self, season: Season, owner: User, dice: random.Random) -> None:
        self.season, self.owner, self.dice = season, owner, dice
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
        self.written.append(paper.write(table, *self.points(table)))

    def points(self, table) -> list[int]:
        unit = self.dice.randint(-150, 150)
        others = table.players_per_deal - 1
        return [unit * others, *[-unit] * others]

    def day(self) -> date:
        return timezone.localdate(paper.FIRST_EVENING) + timedelta(days=self.dice.randrange(30))

    def step(self) -> Event:
        event = self.dice.choice(self.events)
        happens = self.dice.choice(
            [self.sit, self.play, self.correct, self.void, self.close, self.close, self.close,
             self.reopen, self.move, self.rule, self.withdraw, self.merge, self.join_or_leave,
             self.bring_in, self.take_back, self.edit]
        )  # fmt: skip
        happens(event)
        return event

    def play(self, event: Event) -> None:
        tables = [deal.table for deal in self.written if deal.table.round.event_id == event.pk]
        self.deal(self.dice.choice(tables))

    def correct(self, event: Event) -> None:
        """A correction, often of a deal that was a correction itself."""
        deal = [deal for deal in self.written if deal.table.round.event_id == event.pk][-1]
        self.written.remove(deal)
        self.written.append(paper.correct(deal, *self.points(deal.table)))

    def void(self, event: Event) -> None:
        own = [deal for deal in self.written if deal.table.round.event_id == event.pk]
        if len(own) > 1:
            gone = self.dice.choice(own)
            self.written.remove(gone)
            paper.void(gone)

    def close(self, event: Event) -> None:
        Event.objects.filter(pk=event.pk).update(state="closed", closed_at=event.starts_at)
        self.mark(event, "closed")

    def reopen(self, event: Event) -> None:
        Event.objects.filter(pk=event.pk).update(state="running", closed_at=None)
        self.mark(event, "reopened")

    def mark(self, event: Event, cause: str) -> None:
        season = Event.objects.get(pk=event.pk).season
        StaleStandings.objects.create(event=event)
        StaleRanking.objects.create(season=season, event=event, cause=cause)

    def move(self, event: Event) -> None:
        """Another day, often of the season before; then it is closed again."""
        self.reopen(event)
        weeks = self.dice.choice([-6, -3, -2, 2, 3, 6])
        tournament_actions.change_event(
            event=event, by=None, starts_at=event.starts_at + timedelta(weeks=weeks)
        )
        event.refresh_from_db()
        if self.dice.random() < 0.7:
            self.close(event)

    def join_or_leave(self, _event: Event) -> None:
        player = self.dice.choice(self.players)
        is_member = Membership.objects.filter(player=player, left_on=None).exists()
        change = club_actions.make_guest if is_member else club_actions.make_member
        change(player=Player.objects.get(pk=player.pk), on=self.day())

    def bring_in(self, _event: Event) -> None:
        """A list of tarot or of truco, with players of the club and somebody new."""
        names = [player.name for player in self.dice.sample(self.players, 3)]
        text = self.dice.choice(["Joueur;P1;P2;Total\n", "Jogador;V;D;Tentos\n"])
        for name in [*names, f"New {uuid.UUID(int=self.dice.getrandbits(128)).hex[:6]}"]:
            text += f"{name};{self.dice.randint(0, 9)};{self.dice.randint(0, 9)};;\n"
        sent = actions.send_list(
            club=self.season.club, table=read_table(text.encode()), file_name="x",
            held_on=self.day(), entry_key=uuid.uuid4(), by=self.owner,
        )  # fmt: skip
        actions.import_list(sent=sent, by=self.owner)

    def take_back(self, _event: Event) -> None:
        done = ResultsImport.objects.filter(state="done").order_by("pk").first()
        if done is not None:
            actions.undo_import(sent=done, by=self.owner)

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


def everything(seasons: Sequence[Season]) -> list[object]:
    """All that is counted, without what says only when and why."""
    own = RankingRow.objects.filter(ranking__season__in=seasons).order_by("ranking", "player")
    results = PlayerResult.objects.filter(event__season__in=seasons).order_by("event", "player")
    steps = RatingStep.objects.filter(ranking__season__in=seasons)
    rankings = Ranking.objects.filter(season__in=seasons).order_by("pk")
    return [
        *own.values_list("ranking", "player", "place", "previous_place", *rows.WRITTEN),
        *[tuple(sorted(each.items())) for each in results.values() if each.pop("id")],
        *steps.order_by("ranking", "event", "player").values_list(
            "ranking", "event", "player", "mu", "sigma", "mu_before"
        ),
        *rankings.values_list("pk", "evenings", "last_event"),
    ]


@pytest.fixture
def seasons(club, season) -> list[Season]:
    """The season, and the one before it."""
    before = SeasonFactory(club=club, starts_on=date(2025, 9, 1), ends_on=date(2026, 8, 31))
    for each in (season, before):
        for order, (method, settings) in enumerate(WAYS):
            Ranking.objects.create(
                season=each, method=method, settings=settings.to_json(), order=order
            )
    return [season, before]


@pytest.mark.parametrize("seed", range(REPLAYS))
def test_step_by_step_is_what_a_replay_gives(seasons, owner, seed):
    dice = random.Random(seed)
    history = History(seasons[0], owner, dice)
    for _ in range(STEPS):
        event = history.step()
        # A worker that is sometimes away, sometimes doubles, and takes messages in any order.
        messages = [
            (tasks.refresh_standings, event.pk),
            *((tasks.refresh_ranking, season.pk) for season in seasons),
        ] * 2
        dice.shuffle(messages)
        for task, key in messages[: dice.randrange(5)]:
            task(key)
    for event in history.events[:2]:
        history.close(event)
    count(history.events, seasons)
    assert not StaleRanking.objects.exists(), Ranking.objects.exclude(failure="").values("failure")
    assert RatingStep.objects.exists()
    assert differences_from_a_replay(seasons) == []
    assert RankingRow.objects.filter(ranking__season__in=seasons).count() >= 4 * len(WAYS) - 4


def count(events: Sequence[Event], seasons: Sequence[Season]) -> None:
    """All that waits, as a worker does that is back."""
    for event in events:
        tasks.refresh_standings(event.pk)
    for season in seasons:
        tasks.refresh_ranking(season.pk)


def differences_from_a_replay(seasons: Sequence[Season]) -> list[object]:
    """What the audit finds, and what differs once all is thrown away and rebuilt."""
    audit = CountingJob.objects.create(kind="audit")
    tasks.do_counting_job(audit.pk)
    audit.refresh_from_db()
    assert audit.state == "done"
    step_by_step = everything(seasons)
    for counted in (RankingRow, PlayerResult, RatingStep):
        counted.objects.all().delete()
    tasks.do_counting_job(CountingJob.objects.create(kind="rebuild").pk)
    rebuilt = everything(seasons)
    return [*audit.findings, *(row for row in rebuilt if row not in step_by_step)]


@pytest.mark.parametrize("weeks", [3, -6])
@pytest.mark.parametrize("is_late", [True, False])
def test_an_evening_that_moved_while_it_was_open_counts_in_its_new_place(
    seasons, owner, weeks, is_late
):
    history = History(seasons[0], owner, random.Random(1))
    for event in history.events[:3]:
        history.close(event)
    count(history.events, seasons)
    first = history.events[0]

    history.reopen(first)
    if not is_late:
        count(history.events, seasons)
    tournament_actions.change_event(
        event=first, by=None, starts_at=first.starts_at + timedelta(weeks=weeks)
    )
    history.close(first)
    count(history.events, seasons)

    assert differences_from_a_replay(seasons) == []


def test_evenings_that_begin_together_are_rated_in_one_order(seasons, owner):
    history = History(seasons[0], owner, random.Random(2))
    for event in history.events[:3]:
        Event.objects.filter(pk=event.pk).update(starts_at=paper.FIRST_EVENING)
        history.close(event)
        count([event], seasons)

    assert differences_from_a_replay(seasons) == []


@pytest.mark.parametrize("written", [{"sheet_points": 9999}, {"deals_played": 0}])
def test_a_rebuild_counts_an_evening_first_whose_standings_say_otherwise_than_its_sheets(
    seasons, owner, written
):
    history = History(seasons[0], owner, random.Random(3))
    for event in history.events[:3]:
        history.close(event)
    count(history.events, seasons)
    as_counted = everything(seasons)
    played = history.events[1].entries.filter(deals_played__gt=0).order_by("pk")
    Entry.objects.filter(pk=played.first().pk).update(**written)

    tasks.do_counting_job(CountingJob.objects.create(kind="rebuild").pk)

    assert everything(seasons) == as_counted
    assert not Entry.objects.filter(event=history.events[1], **written, place__gt=0).exists()


def test_a_rebuild_leaves_out_the_marks_of_deals_that_do_not_stand(seasons, owner):
    history = History(seasons[0], owner, random.Random(4))
    event = history.events[0]
    history.play(event)
    history.correct(event)
    history.play(event)
    history.void(event)
    history.close(event)

    count([event], seasons)

    assert TarotDeal.objects.filter(table__round__event=event).exclude(state="standing").exists()
    assert differences_from_a_replay(seasons) == []
    own = PlayerResult.objects.filter(event=event)
    at_tables = sum(each.deals_at_3 + each.deals_at_4 + each.deals_at_5 for each in own)
    assert at_tables == Mark.objects.standing().of_event(event.pk).count()
