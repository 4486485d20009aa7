"""A worker that is killed while it counts loses nothing: another one takes up from the marks."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.launched import PATIENCE, ROOT, site_environment, until

pytestmark = [pytest.mark.worker, pytest.mark.slow]

PLAY_THE_RULE_BOOK = """
from clubs.models import Club, fold_name
from datetime import date
from tests.scoring import paper
club = Club.objects.create(name="Les Remparts", slug="les-remparts")
season = club.seasons.create(name="One", starts_on=date(2026, 9, 1), ends_on=date(2027, 8, 31))
players = [club.players.create(name=n, sort_name=fold_name(n)) for n in "ABCD"]
event = paper.evening(season, players)
table = paper.sit(event, players)[0]
for points in ((252, -84, -84, -84), (-58, -58, 174, -58), (-170, -170, -170, 510),
               (-36, 108, -36, -36), (88, 88, 88, -264)):
    paper.write(table, *points)
paper.close(event)
"""
SEND = """
from scoring import tasks
tasks.refresh_standings.delay(1)
"""
#: What the beat sends every few seconds.
SWEEP = """
from scoring import tasks
tasks.refresh_stale.delay()
"""
LOOK = """
from scoring.models import RankingRow, StaleRanking, StaleStandings
from tournaments.models import Entry
print([entry.points for entry in Entry.objects.order_by("number")],
      [row.points for row in RankingRow.objects.order_by("player")],
      StaleStandings.objects.count() + StaleRanking.objects.count())
"""
WORKER = [
    "celery", "--quiet", "--app", "config", "worker", "--pool", "threads", "--concurrency", "1",
]  # fmt: skip
#: A worker that stands still once the new standings are written and not yet kept.
SLOW_WORKER = """
import sys, time
from pathlib import Path
import django
django.setup()
from celery.__main__ import main
from scoring import tasks
write, counting = tasks._write_standings, Path(sys.argv[1])
def write_and_wait(*args, **kwargs):
    write(*args, **kwargs)
    counting.touch()
    time.sleep(600)
tasks._write_standings = write_and_wait
sys.argv = sys.argv[2:]
main()
"""
OLD = "[0, 0, 0, 0] [] 7"
NEW = "[76, -116, -28, 68] [76, -116, -28, 68] 0"


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    own = {"DATABASE_URL": "", "BROKER_URL": "", "DJANGO_SETTINGS_MODULE": "config.settings"}
    return site_environment(tmp_path) | own


@pytest.fixture
def run(environment):
    """Run lines of Python inside the site, or a command of manage.py."""

    def run(*arguments: str) -> str:
        return subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT, env=environment, capture_output=True, text=True, timeout=PATIENCE, check=True,
        ).stdout.strip()  # fmt: skip

    return run


@contextmanager
def process(command: list[str], environment: dict[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    started = subprocess.Popen(
        [sys.executable, *command], cwd=ROOT, env=environment, start_new_session=True
    )
    try:
        yield started
    finally:
        if started.poll() is None:
            os.killpg(started.pid, signal.SIGKILL)
        started.wait(timeout=PATIENCE)


def test_a_worker_killed_while_it_counts_loses_nothing(run, environment, tmp_path):
    run("migrate", "--verbosity", "0")
    run("shell", "--no-imports", "-c", PLAY_THE_RULE_BOOK)
    run("shell", "--no-imports", "-c", SEND)
    counting = tmp_path / "counting"

    slow = ["-c", SLOW_WORKER, str(counting), *WORKER]
    with process(slow, environment) as worker:
        assert until(counting.exists), "the worker never took the message"
        os.kill(worker.pid, signal.SIGKILL)
        worker.wait(timeout=PATIENCE)
    assert run("shell", "--no-imports", "-c", LOOK) == OLD

    with process(["-m", *WORKER], environment):
        run("shell", "--no-imports", "-c", SWEEP)
        assert until(lambda: run("shell", "--no-imports", "-c", LOOK) == NEW)
