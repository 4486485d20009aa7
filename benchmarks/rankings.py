"""What rankings cost as seasons and clubs pile up, on PostgreSQL.

    python -m benchmarks.rankings [--deals 10000 1000000] [--turns 3] [--keep NAME]

A database for each size is made for the run (``make_history``: clubs of 40 players with seasons of
50 evenings, ten thousand deals each) and removed; ``--keep`` names them so that they stay and are
found again. Printed for each size, the median of the turns in milliseconds:

* ``rebuild``: all rankings counted from the sheets on, and the plain SQL aggregate of the same
  marks (points and deals per player and evening, and per player and season) beside it;
* ``refresh``: one deal of a closed evening is void, until the evening's standings and the season's
  ranking are written again;
* ``leaderboard`` and ``why``: the pages through the whole handler, and their queries.

The last lines are ratios: the rebuild to each aggregate, and each size to the smallest.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parent.parent
DEALS_OF_A_CLUB = 10_000
SAMPLES = 15
AGGREGATE = """
    SELECT COUNT(*), SUM(points) FROM (
        SELECT seat.player_id, SUM(mark.points) AS points, COUNT(*) AS deals
        FROM tournaments_event event
        JOIN tournaments_round round ON round.event_id = event.id
        JOIN tournaments_seat seat ON seat.round_id = round.id
        JOIN scoring_mark mark ON mark.seat_id = seat.id
        JOIN scoring_tarotdeal deal ON deal.id = mark.deal_id AND deal.state = 'standing'
        WHERE event.state = 'closed'
        GROUP BY seat.player_id, event.{by}
    ) made
"""


def main() -> None:
    """Make the databases, measure them in turns, print what came out."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--deals", type=int, nargs="+", default=[10_000, 1_000_000])
    options.add_argument("--turns", type=int, default=3)
    options.add_argument("--keep", help="keep the databases, named by this and their size")
    options.add_argument(
        "--without-rebuild",
        type=int,
        default=10**9,
        metavar="DEALS",
        help="from this size on, rebuild once to have rankings and measure none",
    )
    options.add_argument("--here", type=int, help=argparse.SUPPRESS)
    options.add_argument("--no-rebuild", action="store_true", help=argparse.SUPPRESS)
    given = options.parse_args()
    if given.here:
        print(json.dumps(measure(rebuild=not given.no_rebuild)))
        return
    from tests.machine import postgres  # noqa: PLC0415 - only this process looks for a server

    sys.stdout.reconfigure(line_buffering=True)
    with postgres() as address:
        if address is None:
            print("Left out: no PostgreSQL was found.")
            return
        run(address, given)


def run(address: str, given: argparse.Namespace) -> None:
    """Measure all sizes in turns, so that each sees the same machine."""
    import psycopg  # noqa: PLC0415

    prefix = given.keep or f"tapis_vert_rankings_{os.getpid()}"
    names = {deals: f"{prefix}_{deals}" for deals in given.deals}
    with psycopg.connect(address, dbname="postgres", autocommit=True) as server:
        known = {name for (name,) in server.execute("SELECT datname FROM pg_database")}
        for deals, name in names.items():
            if name not in known:
                server.execute(f"CREATE DATABASE {name}")
                make(at(address, name), deals)
        found: dict[int, list[dict[str, Any]]] = {deals: [] for deals in names}
        try:
            for _turn in range(given.turns):
                for deals, name in names.items():
                    without = ["--no-rebuild"] if deals >= given.without_rebuild else []
                    out = child(at(address, name), "--here", str(deals), *without)
                    found[deals].append(json.loads(out.splitlines()[-1]))
        finally:
            if not given.keep:
                for name in names.values():
                    server.execute(f"DROP DATABASE {name} WITH (FORCE)")
    report({deals: medians(turns) for deals, turns in found.items()})


def at(address: str, name: str) -> str:
    """Give the address of another database of the same server."""
    return urlsplit(address)._replace(path=f"/{name}").geturl()


def make(address: str, deals: int) -> None:
    """Fill a new database, without the checks that made-up rows pass anyway."""
    began = time.perf_counter()
    manage(address, "migrate", "--verbosity", "0")
    clubs = max(1, deals // DEALS_OF_A_CLUB)
    manage(
        address, "make_history", "--clubs", str(clubs), "--deals", str(deals),
        "--without-rankings", PGOPTIONS="-c session_replication_role=replica",
    )  # fmt: skip
    manage(address, "rebuild_rankings")
    manage(address, "shell", "--no-imports", "-c", "from django.db import connection\n"
           "connection.cursor().execute('VACUUM ANALYZE')")  # fmt: skip
    print(f"{deals} deals of {clubs} clubs made in {time.perf_counter() - began:.0f} s")


def manage(address: str, *arguments: str, **environment: str) -> None:
    subprocess.run(  # noqa: S603
        [sys.executable, "manage.py", *arguments],
        check=True, cwd=ROOT, env=settings_of(address) | environment, stdout=subprocess.DEVNULL,
    )  # fmt: skip


def child(address: str, *arguments: str) -> str:
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-m", "benchmarks.rankings", *arguments],
        check=True, cwd=ROOT, env=settings_of(address), stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    return done.stdout


def settings_of(address: str) -> dict[str, str]:
    folder = Path(tempfile.gettempdir()) / "tapis-vert-rankings"
    folder.mkdir(exist_ok=True)
    return {
        **os.environ, "DJANGO_SETTINGS_MODULE": "config.settings", "DATABASE_URL": address,
        "EMBEDDED": "1", "VAR_DIR": str(folder), "LOG_LEVEL": "ERROR", "DEBUG": "0",
    }  # fmt: skip


# In the process of one database


def measure(*, rebuild: bool) -> dict[str, float]:
    """Give the milliseconds of everything on this database, and the queries of the pages."""
    import django  # noqa: PLC0415

    warnings.filterwarnings("ignore", message="No directory at")
    django.setup()
    from django.conf import settings  # noqa: PLC0415

    settings.ALLOWED_HOSTS.append("testserver")
    # Nothing has been gathered for this folder: the pages name their files plainly.
    plain = "django.contrib.staticfiles.storage.StaticFilesStorage"
    settings.STORAGES["staticfiles"]["BACKEND"] = plain
    found: dict[str, float] = {}
    if rebuild:
        found |= of_the_rebuild()
    found["refresh"] = statistics.median([milliseconds(each) for each in refreshes()])
    return found | of_the_pages()


def of_the_rebuild() -> dict[str, float]:
    from django.db import connection  # noqa: PLC0415

    from scoring import tasks  # noqa: PLC0415
    from scoring.models import CountingJob  # noqa: PLC0415

    def aggregate(by: str) -> Callable[[], None]:
        def ask() -> None:
            with connection.cursor() as cursor:
                # As much memory as the rebuild takes for its own sums.
                cursor.execute("SET work_mem = '64MB'")
                cursor.execute(AGGREGATE.format(by=by))

        return ask

    def again() -> None:
        job = CountingJob.objects.create(kind=CountingJob.Kind.REBUILD)
        tasks.run_counting_job(job, tell=lambda _job: None)

    return {
        "aggregate by evening": milliseconds(aggregate("id")),
        "rebuild": milliseconds(again),
        "aggregate by season": milliseconds(aggregate("season_id")),
    }


def refreshes() -> Iterator[Callable[[], None]]:
    """Give what counts again after one deal of a closed evening is void.

    Another deal of the same evening warms up first, and sees to it that its season is counted.
    """
    from scoring import tasks  # noqa: PLC0415
    from scoring.models import StaleStandings, TarotDeal  # noqa: PLC0415
    from tournaments.models import Event  # noqa: PLC0415

    keys = list(Event.objects.filter(state="closed").order_by("pk").values_list("pk", flat=True))
    # The last evenings of old seasons and the middle of new ones: any may be corrected.
    chosen = random.Random(os.getpid()).sample(keys, min(len(keys), SAMPLES))
    for event in Event.objects.filter(pk__in=chosen).order_by("pk"):
        standing = TarotDeal.objects.standing().filter(table__round__event=event)

        def count(deal: int, event: Event = event) -> None:
            TarotDeal.objects.filter(pk=deal).update(state="void")
            StaleStandings.objects.create(event=event)
            tasks.refresh_standings(event.pk)
            tasks.refresh_ranking(event.season_id)

        first, second = standing.order_by("pk").values_list("pk", flat=True)[:2]
        count(first)
        yield lambda second=second, count=count: count(second)


def of_the_pages() -> dict[str, float]:
    from django.db import connection  # noqa: PLC0415
    from django.test import Client  # noqa: PLC0415
    from django.test.utils import CaptureQueriesContext  # noqa: PLC0415

    from scoring.models import RankingRow  # noqa: PLC0415

    rows = RankingRow.objects.select_related("ranking__season__club")
    keys = list(rows.filter(place=3).order_by("pk").values_list("pk", flat=True)[:2000])
    chosen = list(rows.filter(pk__in=random.Random(1717).sample(keys, min(len(keys), SAMPLES))))
    client = Client()
    found = {}
    for name, address in (
        (
            "leaderboard",
            "/clubs/{row.ranking.season.club.slug}/ranking/?season={row.ranking.season_id}",
        ),
        ("why", "/ranking/{row.pk}/why/"),
    ):
        asked = [address.format(row=row) for row in (chosen * SAMPLES)[:SAMPLES]]
        client.get(asked[0])
        with CaptureQueriesContext(connection) as queries:
            answer = client.get(asked[-1])
        if answer.status_code != 200:  # noqa: PLR2004
            raise RuntimeError(f"{asked[-1]} was answered with {answer.status_code}.")
        found[f"{name} queries"] = float(len(queries))
        found[name] = statistics.median(
            milliseconds(lambda page=page: client.get(page)) for page in asked
        )
    return found


def milliseconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) * 1000


# What came out


def medians(turns: list[dict[str, float]]) -> dict[str, float]:
    return {name: statistics.median(turn[name] for turn in turns) for name in turns[0]}


def report(found: dict[int, dict[str, float]]) -> None:
    """Print the numbers of each size and the ratios."""
    for deals, numbers in found.items():
        print(f"{deals} deals")
        for name, value in numbers.items():
            print(f"  {name}: {value:.0f}{'' if 'queries' in name else ' ms'}")
        for by in ("evening", "season"):
            if "rebuild" in numbers:
                ratio = numbers["rebuild"] / numbers[f"aggregate by {by}"]
                print(f"  ratio of the rebuild to the aggregate by {by}: {ratio:.2f}")
    smallest = found[min(found)]
    for deals, numbers in found.items():
        for name in ("refresh", "leaderboard", "why"):
            print(f"ratio of {name} at {deals} deals: {numbers[name] / smallest[name]:.2f}")


if __name__ == "__main__":
    main()
