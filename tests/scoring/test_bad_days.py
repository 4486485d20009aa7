"""Bad days: no worker, no queue, a database that drops everybody, two rebuilds at once.

Real processes; on a PostgreSQL and a Redis of this machine where there are any.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import threading
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest

from tests.launched import ROOT, site_environment, until
from tests.machine import may_create_databases
from tests.scoring.test_worker import LOOK, NEW, OLD, PLAY_THE_RULE_BOOK, SWEEP, WORKER, process

pytestmark = [pytest.mark.worker, pytest.mark.slow]

SERVER = "postgresql:///postgres"
#: A whole evening through the site's own actions, which send their messages.
CLOSE_AGAIN = """
from scoring import actions
from tournaments.models import Event
event = actions.reopen_event(event=Event.objects.get(), by=None)
actions.close_event(event=event, by=None)
"""
CORRECT = """
from scoring.models import TarotDeal
from tests.scoring import paper
for deal in TarotDeal.objects.filter(state="standing").order_by("pk")[:{count}]:
    paper.void(deal)
"""
#: Some evenings of a made-up club, counted by nobody yet.
MAKE = ("make_history", "--players", "8", "--deals", "800", "--without-rankings")
MARKS = """
from scoring.models import StaleRanking, StaleStandings
print(StaleStandings.objects.count() + StaleRanking.objects.count())
"""


@dataclass(frozen=True, kw_only=True)
class Site:
    """A site of its own: how its processes are started."""

    environment: dict[str, str]
    redis: list[str] | None

    def run(self, *arguments: str) -> str:
        """Run a command of manage.py."""
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT, env=self.environment, capture_output=True, text=True, timeout=300,
            check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr[-3000:]
        return done.stdout.strip()

    def python(self, code: str) -> str:
        return self.run("shell", "--no-imports", "-c", code)

    def settle(self) -> None:
        """Let a worker count whatever waits."""
        with process(["-m", *WORKER], self.environment):
            assert until(self._swept), "something waits for ever"

    def _swept(self) -> bool:
        self.python(SWEEP)
        return self.python(MARKS) == "0"

    @contextmanager
    def queue(self) -> Iterator[None]:
        """Run the queue's server, if the site has one of its own."""
        if self.redis is None:
            yield
            return
        with subprocess.Popen(self.redis, stdout=subprocess.DEVNULL) as server:
            try:
                assert until(Path(self.redis[-1]).exists)
                yield
            finally:
                server.terminate()


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    """A site on servers of this machine, else on files."""
    name = f"tapis_vert_bad_{uuid.uuid4().hex[:10]}"
    on_postgres = may_create_databases(SERVER)
    if on_postgres:
        with psycopg.connect(SERVER, autocommit=True) as server:
            server.execute(f"CREATE DATABASE {name}")
    socket = f"{tmp_path}/redis.sock"
    program = shutil.which("redis-server")
    redis = [program, "--port", "0", "--save", "", "--unixsocket", socket] if program else None
    own = {
        "DATABASE_URL": f"postgresql:///{name}" if on_postgres else "",
        "BROKER_URL": f"redis+socket://{socket}" if program else "",
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }
    made = Site(environment=site_environment(tmp_path) | own, redis=redis)
    made.run("migrate", "--verbosity", "0")
    yield made
    if on_postgres:
        with psycopg.connect(SERVER, autocommit=True) as server:
            server.execute(f"DROP DATABASE {name} WITH (FORCE)")


def test_a_worker_that_was_away_for_an_hour_takes_up_from_the_marks(site):
    site.python(PLAY_THE_RULE_BOOK)
    # Every message of that hour is void: nobody was there to take it.
    assert site.python(LOOK) == OLD

    with site.queue():
        site.settle()

    assert site.python(LOOK) == NEW


def test_a_queue_that_is_down_at_the_commit_fails_nobody_and_loses_nothing(site):
    if site.redis is None:
        pytest.skip("a queue in files cannot be down")
    site.python(PLAY_THE_RULE_BOOK)

    site.python(CLOSE_AGAIN)

    assert site.python(LOOK).startswith("[0, 0, 0, 0] []")
    with site.queue():
        site.settle()
    assert site.python(LOOK) == NEW


def test_a_database_that_drops_everybody_while_it_counts_loses_nothing(site):
    if not site.environment["DATABASE_URL"]:
        pytest.skip("a database in a file drops nobody")
    site.run(*MAKE)
    name = site.environment["DATABASE_URL"].rpartition("/")[2]
    over = threading.Event()

    def drop_everybody() -> None:
        with psycopg.connect(SERVER, autocommit=True) as server:
            while not over.wait(0.7):
                server.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s",
                    [name],
                )

    dropping = threading.Thread(target=drop_everybody)
    with site.queue(), process(["-m", *WORKER], site.environment):
        dropping.start()
        try:
            for code in (CORRECT.format(count=3), SWEEP) * 4:
                with suppress(AssertionError):
                    site.python(code)
        finally:
            over.set()
            dropping.join()

    with site.queue():
        site.settle()
    site.run("rebuild_rankings")
    assert "Nothing differs." in site.run("audit_rankings")


def test_two_rebuilds_at_once_and_a_correction_between_them(site):
    site.run(*MAKE)

    with site.queue():
        rebuilds = [
            subprocess.Popen(
                [sys.executable, "manage.py", "rebuild_rankings"],
                cwd=ROOT, env=site.environment, stdout=subprocess.DEVNULL,
            )
            for _ in range(2)
        ]  # fmt: skip
        site.python(CORRECT.format(count=5))
        assert [rebuild.wait(timeout=300) for rebuild in rebuilds] == [0, 0]
        site.settle()

    assert "Nothing differs." in site.run("audit_rankings")


def test_a_rebuild_that_is_killed_is_done_again(site):
    site.run(*MAKE)
    site.python(
        "from scoring.models import CountingJob\n"
        "CountingJob.objects.create(kind='rebuild', state='running',"
        " asked_at='2026-01-01T00:00Z', seen_at='2026-01-01T00:00Z')"
    )
    done = "from scoring.models import CountingJob; print(CountingJob.objects.get().state)"

    with site.queue(), process(["-m", *WORKER], site.environment):
        site.python(SWEEP)
        assert until(lambda: site.python(done) == "done")

    assert "Nothing differs." in site.run("audit_rankings")
