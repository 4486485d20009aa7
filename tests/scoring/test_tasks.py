"""The tasks rebuild from the rows: twice, late, out of order, after a loss, always the same."""

from __future__ import annotations

import random
from datetime import timedelta

import pytest
from django.core.cache import cache
from django.utils import timezone
from kombu.exceptions import OperationalError
from redis.exceptions import ConnectionError as RedisConnectionError

from clubs import queue
from clubs.models import Season
from scoring import tasks
from scoring.models import Ranking, RankingRow, StaleRanking, StaleStandings
from tests.factories import PlayerFactory, SeasonFactory
from tests.scoring import paper
from tournaments.models import Entry, Event

LETTERS = "ABCD"


@pytest.fixture
def four(club):
    return [PlayerFactory(club=club, name=f"{letter}.") for letter in LETTERS]


@pytest.fixture
def event(season, four):
    return paper.evening(season, four)


@pytest.fixture
def table(event, four):
    return paper.sit(event, four)[0]


def places(event: Event) -> dict[str, tuple[int, int | None]]:
    return {str(entry)[0]: (entry.points, entry.place) for entry in event.entries.all()}


def season_places(season: Season) -> dict[str, tuple[int, int]]:
    rows = RankingRow.objects.filter(ranking__season=season).select_related("player")
    return {row.player.name[0]: (row.points, row.place) for row in rows}


def the_seeds_evening(table) -> None:
    """The five deals of the rules' example evening, by their published marks."""
    paper.write(table, 252, -84, -84, -84)
    paper.write(table, -58, -58, 174, -58)
    paper.write(table, -170, -170, -170, 510)
    paper.write(table, -36, 108, -36, -36)
    paper.write(table, 88, 88, 88, -264)


def test_the_evening_of_the_rule_book_stands_as_published(event, table):
    the_seeds_evening(table)

    tasks.refresh_standings(event.pk)

    assert places(event) == {"A": (76, 1), "B": (-116, 4), "C": (-28, 3), "D": (68, 2)}
    assert not StaleStandings.objects.exists()
    event.refresh_from_db()
    assert timezone.now() - event.standings_at < timedelta(minutes=1)


def test_a_second_run_changes_nothing(event, table):
    the_seeds_evening(table)
    tasks.refresh_standings(event.pk)
    before = list(Entry.objects.order_by("pk").values())

    paper.stale(table)
    tasks.refresh_standings(event.pk)
    tasks.refresh_standings(event.pk)

    assert list(Entry.objects.order_by("pk").values()) == before


def test_a_run_without_a_mark_is_one_look(event, django_assert_num_queries):
    with django_assert_num_queries(1):
        tasks.refresh_standings(event.pk)
    with django_assert_num_queries(1):
        tasks.refresh_ranking(event.season_id)


def test_a_message_that_comes_late_meets_an_evening_that_is_gone(event, table):
    paper.write(table, 30, -10, -10, -10)
    key, season_key = event.pk, event.season_id
    table.tarot_deals.all().delete()
    table.round.delete()
    event.delete()

    tasks.refresh_standings(key)
    tasks.refresh_ranking(season_key)

    assert not Ranking.objects.exists()


def test_a_void_deal_no_longer_counts(event, table):
    first = paper.write(table, 252, -84, -84, -84)
    paper.write(table, 30, -10, -10, -10)
    tasks.refresh_standings(event.pk)

    paper.void(first)
    tasks.refresh_standings(event.pk)

    assert places(event)["A"] == (30, 1)
    assert event.entries.get(number=1).deals_played == 1


def test_when_the_only_deal_is_void_nobody_has_a_place(event, table):
    paper.void(paper.write(table, 252, -84, -84, -84))

    tasks.refresh_standings(event.pk)

    assert set(places(event).values()) == {(0, None)}
    assert [entry.round_points for entry in event.entries.all()] == [[], [], [], []]


def test_marks_that_come_while_it_counts_are_left_for_the_next_run(event, table, monkeypatch):
    paper.write(table, 252, -84, -84, -84)
    count = tasks._write_standings

    def count_while_somebody_records(counted, **at):
        count(counted, **at)
        paper.write(table, -58, -58, 174, -58)

    monkeypatch.setattr(tasks, "_write_standings", count_while_somebody_records)
    tasks.refresh_standings(event.pk)
    monkeypatch.undo()

    assert StaleStandings.objects.count() == 1
    assert places(event)["A"] == (252, 1)
    tasks.refresh_standings(event.pk)
    assert places(event)["A"] == (194, 1)
    assert not StaleStandings.objects.exists()


def test_a_run_that_breaks_leaves_the_marks_and_the_old_standings(event, table, monkeypatch):
    paper.write(table, 252, -84, -84, -84)
    count = tasks._write_standings

    def break_after_counting(counted, **at):
        count(counted, **at)
        raise SystemExit

    monkeypatch.setattr(tasks, "_write_standings", break_after_counting)
    with pytest.raises(SystemExit):
        tasks.refresh_standings(event.pk)

    assert StaleStandings.objects.count() == 1
    assert places(event)["A"] == (0, None)


def test_only_closed_evenings_count_for_the_season(season, four):
    closed, running = (paper.evening(season, four, week=week) for week in (0, 1))
    paper.write(paper.sit(closed, four)[0], 252, -84, -84, -84)
    paper.write(paper.sit(running, four)[0], -58, -58, 174, -58)
    paper.close(closed)

    for event in (closed, running):
        tasks.refresh_standings(event.pk)
    tasks.refresh_ranking(season.pk)

    assert season_places(season) == {"A": (252, 1), "B": (-84, 2), "C": (-84, 2), "D": (-84, 2)}
    assert Ranking.objects.get().evenings == 1


def test_a_ranking_counted_before_its_evening_is_counted_again(
    season, four, django_capture_on_commit_callbacks
):
    event = paper.evening(season, four)
    paper.write(paper.sit(event, four)[0], 252, -84, -84, -84)
    paper.close(event)

    tasks.refresh_ranking(season.pk)
    assert season_places(season) == {}

    with django_capture_on_commit_callbacks() as sent:
        tasks.refresh_standings(event.pk)
    assert len(sent) == 1
    assert StaleRanking.objects.count() == 1
    tasks.refresh_ranking(season.pk)
    assert season_places(season)["A"] == (252, 1)
    assert not StaleRanking.objects.exists()


def test_whoever_drops_out_of_every_closed_evening_leaves_the_ranking(season, four):
    event = paper.evening(season, four)
    paper.write(paper.sit(event, four)[0], 252, -84, -84, -84)
    paper.close(event)
    tasks.refresh_standings(event.pk)
    tasks.refresh_ranking(season.pk)
    keys = set(RankingRow.objects.values_list("pk", flat=True))

    paper.reopen(event)
    tasks.refresh_ranking(season.pk)
    assert season_places(season) == {}

    paper.close(event)
    tasks.refresh_standings(event.pk)
    tasks.refresh_ranking(season.pk)
    assert len(season_places(season)) == len(keys) == 4


def test_a_row_of_the_ranking_keeps_its_address_when_it_is_counted_again(season, four):
    event = paper.evening(season, four)
    paper.write(paper.sit(event, four)[0], 252, -84, -84, -84)
    paper.close(event)
    tasks.refresh_standings(event.pk)
    tasks.refresh_ranking(season.pk)
    keys = dict(RankingRow.objects.values_list("player", "pk"))

    StaleRanking.objects.create(season=season)
    tasks.refresh_ranking(season.pk)

    assert dict(RankingRow.objects.values_list("player", "pk")) == keys


def test_the_sweep_heals_marks_whose_message_was_lost(event, table, four, monkeypatch):
    other = paper.evening(SeasonFactory(club=event.club), four)
    paper.write(paper.sit(other, four)[0], -10, -10, -10, 30)
    the_seeds_evening(table)
    StaleRanking.objects.create(season=other.season)
    sent = []
    for task in (tasks.refresh_standings, tasks.refresh_ranking):
        monkeypatch.setattr(
            task, "apply_async", lambda args, task=task, **_options: sent.append((task.name, *args))
        )

    tasks.refresh_stale()

    assert sent == [
        ("scoring.tasks.refresh_standings", event.pk),
        ("scoring.tasks.refresh_standings", other.pk),
        ("scoring.tasks.refresh_ranking", other.season_id),
    ]


@pytest.mark.parametrize("fault", [OperationalError("no broker"), ConnectionRefusedError()])
def test_a_broker_that_is_down_is_logged_and_fails_nobody(event, monkeypatch, caplog, fault):
    def refuse(*args, **options):
        raise fault

    monkeypatch.setattr(tasks.refresh_standings.app, "send_task", refuse)

    assert tasks.refresh_standings.delay(event.pk) is None
    assert "scoring.tasks.refresh_standings was not sent" in caplog.text


@pytest.fixture
def sent(monkeypatch):
    """What is sent to the worker: the evening, and how many seconds later it begins."""
    messages = []
    monkeypatch.setattr(
        tasks.refresh_standings,
        "apply_async",
        lambda args, countdown=0: messages.append((*args, countdown)),
    )
    return messages


def test_all_that_changes_in_a_moment_is_counted_by_one_message(
    event, season, four, sent, django_capture_on_commit_callbacks
):
    other = paper.evening(season, four)
    with django_capture_on_commit_callbacks(execute=True):
        for changed in (event, event, other, event):
            tasks.refresh_standings.soon_on_commit(changed.pk)

    assert sent == [(event.pk, queue.SOON), (other.pk, queue.SOON)]


def test_a_moment_later_the_next_change_sends_the_next_message(
    event, sent, django_capture_on_commit_callbacks
):
    with django_capture_on_commit_callbacks(execute=True):
        tasks.refresh_standings.soon_on_commit(event.pk)
    # The moment is over when the cache has forgotten it.
    cache.clear()
    with django_capture_on_commit_callbacks(execute=True):
        tasks.refresh_standings.soon_on_commit(event.pk)

    assert sent == [(event.pk, queue.SOON)] * 2


def test_a_cache_that_is_down_holds_no_message_back(
    event, sent, monkeypatch, caplog, django_capture_on_commit_callbacks
):
    def refuse(*args, **options):
        raise RedisConnectionError("no cache")

    monkeypatch.setattr(cache, "add", refuse)

    with django_capture_on_commit_callbacks(execute=True):
        tasks.refresh_standings.soon_on_commit(event.pk)

    assert sent == [(event.pk, queue.SOON)]
    assert "scoring.tasks.refresh_standings is not held back" in caplog.text


def random_history(season: Season, rng: random.Random):
    """Yield after each step of a random season: rounds, deals, voids, closings, reopenings."""
    players = PlayerFactory.create_batch(9, club=season.club)
    events = [paper.evening(season, players, week=week) for week in range(3)]
    tables = {event.pk: paper.sit(event, players[:4], players[4:]) for event in events}
    written = []
    for step in ["deal"] * 3 + rng.choices(["deal", "round", "void", "close", "reopen"], k=30):
        event = rng.choice(events)
        if step == "deal":
            table, unit = rng.choice(tables[event.pk]), rng.randint(-150, 150)
            others = table.players_per_deal - 1
            written.append(paper.write(table, unit * others, *[-unit] * others))
        elif step == "round":
            rng.shuffle(players)
            tables[event.pk] = paper.sit(event, players[:4], players[4 : rng.choice([7, 9])])
        elif step == "void" and len(written) > 1:
            paper.void(written.pop(rng.randrange(len(written))))
        elif step == "close":
            paper.close(event)
        elif step == "reopen":
            paper.reopen(event)
        yield event
    paper.close(written[-1].table.round.event)


def everything(season: Season) -> list[object]:
    entries = Entry.objects.filter(event__season=season).order_by("pk")
    rows = RankingRow.objects.filter(ranking__season=season).order_by("player")
    return [
        *entries.values_list(
            "pk", "points", "deals_played", "place", "previous_place", "round_points"
        ),
        *rows.values_list("player", "points", "place", "previous_place", "evenings", "history"),
    ]


@pytest.mark.parametrize("seed", range(6))
def test_refreshing_step_by_step_and_out_of_order_equals_one_rebuild_at_the_end(season, seed):
    rng = random.Random(seed)

    for event in random_history(season, rng):
        # A worker that is sometimes away, sometimes doubles, and takes messages in any order.
        messages = [(tasks.refresh_standings, event.pk), (tasks.refresh_ranking, season.pk)] * 2
        rng.shuffle(messages)
        for task, key in messages[: rng.randrange(4)]:
            task(key)
    for event in season.events.all():
        tasks.refresh_standings(event.pk)
    tasks.refresh_ranking(season.pk)
    step_by_step = everything(season)

    Entry.objects.update(points=9999, deals_played=1, place=1, previous_place=1, round_points=[])
    RankingRow.objects.all().delete()
    for event in season.events.all():
        StaleStandings.objects.create(event=event)
        tasks.refresh_standings(event.pk)
    StaleRanking.objects.create(season=season)
    tasks.refresh_ranking(season.pk)

    assert everything(season) == step_by_step
    assert len(step_by_step) > 3 * 9, "nobody is ranked: nothing was compared"


@pytest.mark.parametrize("tables", [1, 6])
def test_the_number_of_queries_does_not_grow_with_the_evening(
    season, tables, django_assert_num_queries
):
    players = PlayerFactory.create_batch(4 * tables, club=season.club)
    event = paper.evening(season, players)
    for table in paper.sit(event, *(players[4 * n : 4 * n + 4] for n in range(tables))):
        paper.write(table, 30, -10, -10, -10)
    paper.close(event)

    with django_assert_num_queries(12):
        tasks.refresh_standings(event.pk)
    with django_assert_num_queries(20):
        tasks.refresh_ranking(season.pk)
