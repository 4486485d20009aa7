"""A hall of phones: 500 that ask again and again, and 50 deals a second, on one machine.

    python benchmarks/load.py [--seconds 30] [--server postgresql://] [--redis redis://localhost:6379]

It makes an empty database on a PostgreSQL server, and drops it at the end. Gunicorn and a worker
serve the site on loopback, with Redis between them and as their cache. Each fifth table pauses:
its sheet stays as it is. In the same run, in turns with the deals, the same number of bare
requests insert one row each (no form, no rights, no sheet): the baseline that recording is compared
with; and beside the unchanged sheets (304) as many requests ask for an empty view. All run at once,
so that each waits for the same processors. Latencies are in milliseconds, measured from the moment
at which a request was due: a server that falls behind cannot hide it.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import statistics
import tempfile
import time
import uuid
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import psycopg
from launching import served, set_up
from redis import Redis

#: Beside the site, what it is compared with.
BASELINE = "benchmarks.load_baseline:application"
DEALS_A_TABLE = 50
PHONES_A_TABLE = 4
#: Each so many-th table pauses.
PAUSING = 5
TOKEN = "a" * 32


def main() -> None:
    asked = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    asked.add_argument("--server", default="postgresql://", help="where it makes a database")
    asked.add_argument(
        "--redis", default="redis://localhost:6379", help="its bases 14 and 15 are emptied"
    )
    asked.add_argument("--seconds", type=int, default=30)
    asked.add_argument("--phones", type=int, default=500)
    asked.add_argument("--deals", type=float, default=50.0, help="a second")
    asked.add_argument("--every", type=float, default=15.0, help="seconds between two looks")
    asked.add_argument("--processes", type=int, default=2)
    given = asked.parse_args()
    with tempfile.TemporaryDirectory() as folder, empty_database(given.server) as url:
        queue, cache = (emptied(f"{given.redis}/{base}") for base in (14, 15))
        set_up(Path(folder), HTTPS_ONLY="0", DATABASE_URL=url, BROKER_URL=queue, REDIS_URL=cache)
        hall = make_hall(given)
        with served(processes=given.processes, threads=8, worker=True, wsgi=BASELINE) as address:
            asyncio.run(Asking(hall, address, given).everybody())
        report(hall, given)


@contextmanager
def empty_database(server: str) -> Iterator[str]:
    """Make a database of this run's own; gives its address, and drops it whatever happens."""
    name = f"tapis_vert_load_{os.getpid()}"
    at = urlsplit(server)
    address = f"postgresql://{at.netloc}/{{}}?{at.query}".format
    with psycopg.connect(address("postgres"), autocommit=True) as postgres:
        postgres.execute(f"CREATE DATABASE {name}")
        try:
            yield address(name)
        finally:
            let_go()
            postgres.execute(f"DROP DATABASE {name} WITH (FORCE)")


def emptied(address: str) -> str:
    """Give the address of a Redis base, with nothing in it of a run before."""
    Redis.from_url(address).flushdb()
    return address


def let_go() -> None:
    """Close what this process keeps open, so that nothing dials a database that is gone."""
    from django.db import connection  # noqa: PLC0415

    connection.close()
    connection.close_pool()


@dataclass
class Hall:
    """What is asked for, and how long each kind of answer took."""

    cookie: str
    event: int
    tables: list[int]
    deals: Iterator[tuple[int, dict[str, object]]]
    took: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    errors: dict[str, int] = field(default_factory=lambda: defaultdict(int))


def make_hall(given: argparse.Namespace) -> Hall:
    """Make an evening with a table for each four phones, and the deals that will be entered."""
    from django.db import transaction  # noqa: PLC0415
    from django.http import HttpResponse  # noqa: PLC0415

    from tests.factories import (  # noqa: PLC0415
        EventFactory,
        JoinLinkFactory,
        PhoneFactory,
        RoundFactory,
        SeasonFactory,
        TableFactory,
    )
    from tournaments import phones  # noqa: PLC0415
    from tournaments.models import JoinLink  # noqa: PLC0415

    with transaction.atomic():
        this_round = RoundFactory(event=EventFactory(season=SeasonFactory(), running=True))
        tables = [
            TableFactory(round=this_round, number=n, deals_planned=DEALS_A_TABLE)
            for n in range(1, given.phones // PHONES_A_TABLE + 1)
        ]
        link = JoinLinkFactory(event=this_round.event, role=JoinLink.Role.SCORER)
        answer = HttpResponse()
        phones.remember(answer, PhoneFactory(link=link))
        playing = [table for table in tables if table.number % PAUSING]
        takers = {table.pk: table.seats.get(place=1).pk for table in playing}
    cookie = "; ".join(f"{name}={morsel.value}" for name, morsel in answer.cookies.items())

    def deals() -> Iterator[tuple[int, dict[str, object]]]:
        for number in range(1, DEALS_A_TABLE + 1):
            for table, taker in takers.items():
                yield table, {
                    "number": number, "version": number - 1, "entry_key": uuid.uuid4(),
                    "taker": taker, "contract": "garde", "bouts": 2, "points": 41 + number,
                    "side": "attack",
                }  # fmt: skip

    return Hall(cookie, this_round.event_id, [table.pk for table in tables], deals())


class Asking:
    """Whoever is in the hall, over one line for each request, as phones that looked away are."""

    def __init__(self, hall: Hall, address: str, given: argparse.Namespace) -> None:
        self.hall, self.given, self.server = hall, given, urlsplit(address)
        self.end_at = 0.0
        self.turns: defaultdict[int, asyncio.Lock] = defaultdict(asyncio.Lock)
        self.tags: dict[int, list[str]] = {}

    async def everybody(self) -> None:
        """Let everybody in the hall ask at once, until the time is over."""
        # Every process has answered before, and every phone has its page open.
        for table in self.hall.tables:
            looked = (self.ask("GET", f"/tables/{table}/", {}) for _ in range(PHONES_A_TABLE))
            self.tags[table] = [tag for _status, tag in await asyncio.gather(*looked)]
        self.end_at = time.perf_counter() + self.given.seconds
        phones = (self.phone(number) for number in range(self.given.phones))
        rate = self.given.deals
        await asyncio.gather(
            self.at_a_rate(rate, self.deal), self.at_a_rate(rate, self.bare), *phones
        )

    async def phone(self, number: int) -> None:
        dice, table = random.Random(number), self.hall.tables[number % len(self.hall.tables)]
        path, etag = f"/tables/{table}/", self.tags[table].pop()
        await asyncio.sleep(dice.uniform(0, self.given.every))
        while time.perf_counter() < self.end_at:
            asked = self.ask("GET", path, {"If-None-Match": etag} if etag else {})
            etag = await self.timed("sheet", time.perf_counter(), asked, 200, 304) or etag
            await self.timed("empty", time.perf_counter(), self.ask("GET", "/empty/", {}), 204)
            await asyncio.sleep(self.given.every)

    async def at_a_rate(self, rate: float, send: Callable[[float], Awaitable[object]]) -> None:
        start, sent = time.perf_counter(), 0
        under_way: set[asyncio.Future[object]] = set()
        while (due := start + sent / rate) < self.end_at:
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            task = asyncio.ensure_future(send(due))
            under_way.add(task)
            task.add_done_callback(under_way.discard)
            sent += 1
        await asyncio.gather(*under_way)

    async def deal(self, due: float) -> None:
        table, form = next(self.hall.deals)
        # A table enters a deal when the one before is on its sheet.
        async with self.turns[table]:
            goes_on = {"Goes-On": "yes"}  # as static/outbox.js says
            asked = self.ask("POST", f"/tables/{table}/deals/", goes_on, urlencode(form))
            await self.timed("deal", due, asked, 200)

    async def bare(self, due: float) -> None:
        asked = self.ask("POST", f"/bare/{self.hall.event}/", {}, "points=49")
        await self.timed("bare insert", due, asked, 204)

    async def timed(
        self, kind: str, due: float, asked: Awaitable[tuple[int, str]], *good: int
    ) -> str:
        """Note how long an answer took, or what went wrong."""
        try:
            status, etag = await asyncio.wait_for(asked, 60)
        except (OSError, TimeoutError, IndexError):
            self.hall.errors[f"{kind}: no answer"] += 1
            return ""
        if status not in good:
            self.hall.errors[f"{kind}: {status}"] += 1
        name = f"{kind} {status}" if kind == "sheet" else kind
        self.hall.took[name].append((time.perf_counter() - due) * 1000)
        return etag

    async def ask(
        self, method: str, path: str, headers: dict[str, str], body: str = ""
    ) -> tuple[int, str]:
        """Ask, and give the status and the tag of the answer."""
        reader, writer = await asyncio.open_connection(self.server.hostname, self.server.port)
        head = "".join(f"{name}: {value}\r\n" for name, value in self.lines(headers, body))
        writer.write(f"{method} {path} HTTP/1.1\r\n{head}\r\n{body}".encode())
        await writer.drain()
        answer = (await reader.read()).partition(b"\r\n\r\n")[0].decode("latin-1").split("\r\n")
        writer.close()
        tags = [
            line.partition(":")[2].strip() for line in answer if line.lower().startswith("etag:")
        ]
        return int(answer[0].split()[1]), tags[0] if tags else ""

    def lines(self, headers: dict[str, str], body: str) -> Iterator[tuple[str, str]]:
        yield "Host", self.server.netloc
        yield "Connection", "close"
        yield "Cookie", f"{self.hall.cookie}; csrftoken={TOKEN}"
        yield "HX-Request", "true"
        yield from headers.items()
        if body:
            yield "Content-Type", "application/x-www-form-urlencoded"
            yield "Content-Length", str(len(body))
            yield "X-CSRFToken", TOKEN


def report(hall: Hall, given: argparse.Namespace) -> None:
    """Say how long everything took, and how it compares."""
    from scoring.models import TarotDeal  # noqa: PLC0415

    p95 = {}
    for kind, took in sorted(hall.took.items()):
        cuts = statistics.quantiles(took, n=100) if len(took) > 1 else took * 99
        p95[kind] = cuts[94]
        times = ", ".join(f"p{p} {cuts[p - 1]:.0f}" for p in (50, 95, 99))
        print(f"{kind}: {len(took)} ({len(took) / given.seconds:.0f}/s), {times} ms")
    print(f"errors: {dict(hall.errors) or 'none'}")
    print(f"deals sent {len(hall.took['deal'])}, on sheets {TarotDeal.objects.count()}")
    for one, other in (("deal", "bare insert"), ("sheet 304", "empty")):
        if one in p95 and other in p95:
            print(f"p95 {one} / {other}: {p95[one] / p95[other]:.2f}")


if __name__ == "__main__":
    main()
