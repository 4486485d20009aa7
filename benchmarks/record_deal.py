"""What recording a deal costs: its request against a bare Django view that does one INSERT.

    python -m benchmarks.record_deal [--tables N]

Both are requests through the whole handler with the same settings, middleware and database, in
turns, so that both see the same machine. The bare view answers 204 after one INSERT; the deal is a
posted form of a signed-in scorer: session, role, form, engine, lock, deal, four points, totals,
history, stale mark, message to the queue, redirect. SQLite always; PostgreSQL where one is found
(``tests.machine``). The databases are made for the run and removed.

Printed for each database: milliseconds a request, processor and clock, the median of the turns.
The processor time is that of this process (a PostgreSQL server spends its own besides). The last
line of each database is ``ratio N``: processor time of the deal in that of the bare view.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
import uuid
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tournaments.models import Round

ROOT = Path(__file__).resolve().parent.parent
DEALS_A_TABLE = 5
WARM_UP_TABLES = 2


def main() -> None:
    """Run one process for each database: settings are read once in a process."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--tables", type=int, default=60, help="five deals are sent to each")
    options.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    given = options.parse_args()
    if given.here:
        measure(given.tables)
        return
    from tests.machine import postgres  # noqa: PLC0415 - only this process looks for a server

    sys.stdout.reconfigure(line_buffering=True)
    run("SQLite", "", given.tables)
    with postgres() as address:
        if address is None:
            print("PostgreSQL: left out, none was found")
            return
        run("PostgreSQL", address, given.tables)


def run(name: str, address: str, tables: int) -> None:
    """Measure on one database, in a process and a folder of its own."""
    print(f"{name}, {tables * DEALS_A_TABLE} deals")
    with tempfile.TemporaryDirectory(prefix="tapis-vert-bench-") as folder:
        subprocess.run(  # noqa: S603
            [sys.executable, "-m", "benchmarks.record_deal", "--here", "--tables", str(tables)],
            check=True,
            cwd=ROOT,
            env={
                **os.environ,
                "DJANGO_SETTINGS_MODULE": "config.settings",
                "DATABASE_URL": address,
                "EMBEDDED": "1",
                "VAR_DIR": folder,
                "LOG_LEVEL": "ERROR",
                "DEBUG": "0",
            },
        )


def measure(tables: int) -> None:
    """Send a deal and a bare request in turns, and print what each cost."""
    import django  # noqa: PLC0415

    warnings.filterwarnings("ignore", message="No directory at")
    django.setup()
    with a_database():
        deal, bare = requests(tables + WARM_UP_TABLES)
        costs: dict[str, list[tuple[float, float]]] = {"deal": [], "bare": []}
        for turn in range((tables + WARM_UP_TABLES) * DEALS_A_TABLE):
            pair = [("bare", bare), ("deal", deal)]
            for name, send in pair if turn % 2 else reversed(pair):
                costs[name].append(cost(send))
    warm = WARM_UP_TABLES * DEALS_A_TABLE
    medians = {}
    for name, each in costs.items():
        cpu, wall = (statistics.median(column) * 1000 for column in zip(*each[warm:], strict=True))
        medians[name] = cpu, wall
        print(f"{name}: processor {cpu:.2f} ms, clock {wall:.2f} ms")
    print(f"clock ratio {medians['deal'][1] / medians['bare'][1]:.2f}")
    print(f"ratio {medians['deal'][0] / medians['bare'][0]:.2f}")


def cost(send: Callable[[], None]) -> tuple[float, float]:
    """Give the seconds of processor and clock that a request took."""
    cpu, wall = time.process_time(), time.perf_counter()
    send()
    return time.process_time() - cpu, time.perf_counter() - wall


@contextmanager
def a_database() -> Iterator[None]:
    """Make a database for the run as the tests do, in a file, and remove it."""
    from django.conf import settings  # noqa: PLC0415
    from django.test.utils import setup_databases, teardown_databases  # noqa: PLC0415

    # A name of its own: a test run beside it must not lose its database to us.
    name = f"tapis_vert_bench_{os.getpid()}"
    if not os.environ["DATABASE_URL"]:
        name = str(Path(os.environ["VAR_DIR"]) / name)
    settings.DATABASES["default"]["TEST"]["NAME"] = name
    made = setup_databases(verbosity=0, interactive=False)
    try:
        yield
    finally:
        teardown_databases(made, verbosity=0)


def requests(tables: int) -> tuple[Callable[[], None], Callable[[], None]]:
    """Give what sends the next deal and what sends a bare request."""
    from django.conf import settings  # noqa: PLC0415
    from django.db import transaction  # noqa: PLC0415
    from django.http import HttpResponse  # noqa: PLC0415
    from django.test import Client  # noqa: PLC0415
    from django.urls import path  # noqa: PLC0415

    from clubs.models import Role  # noqa: PLC0415
    from config import urls  # noqa: PLC0415
    from scoring.models import StaleStandings  # noqa: PLC0415
    from tests.conftest import account_with  # noqa: PLC0415
    from tests.factories import ClubFactory, EventFactory, RoundFactory, SeasonFactory  # noqa: PLC0415

    settings.ALLOWED_HOSTS.append("testserver")
    with transaction.atomic():
        club = ClubFactory()
        scorer = account_with(club, Role.SCORER, "Bernard")
        event = EventFactory(season=SeasonFactory(club=club), running=True)
        forms = list(forms_to_send(RoundFactory(event=event), tables))

    def insert(request: object) -> HttpResponse:
        StaleStandings.objects.create(event_id=event.pk)
        return HttpResponse(status=204)

    urls.urlpatterns.append(path("bare/", insert))
    client = Client()
    client.force_login(scorer)
    waiting = iter(forms)

    def send_deal() -> None:
        address, form = next(waiting)
        expect(client.post(address, form).status_code, 302)

    def send_bare() -> None:
        expect(client.post("/bare/", {"points": "49"}).status_code, 204)

    return send_deal, send_bare


def expect(status: int, wanted: int) -> None:
    if status != wanted:
        raise RuntimeError(f"The request was answered with {status}, not {wanted}.")


def forms_to_send(this_round: Round, tables: int) -> Iterator[tuple[str, dict[str, object]]]:
    """Make the tables and fill in the form of each of their deals."""
    from django.urls import reverse  # noqa: PLC0415

    from tests.factories import TableFactory  # noqa: PLC0415

    for table in [TableFactory(round=this_round) for _ in range(tables)]:
        taker = table.seats.get(place=1).pk
        for number in range(1, DEALS_A_TABLE + 1):
            yield (
                reverse("record-deal", args=[table.pk]),
                {
                    "number": number,
                    "version": number - 1,
                    "entry_key": str(uuid.uuid4()),
                    "taker": taker,
                    "contract": "garde",
                    "bouts": 2,
                    "points": 40 + number,
                    "side": "attack",
                },
            )


if __name__ == "__main__":
    main()
