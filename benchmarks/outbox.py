"""Randomised runs of the outbox: real browsers, a network that fails, a real server.

    python benchmarks/outbox.py [--runs 2000] [--at-once 4] [--minutes 60] [--seed 1]

Each run is a phone at a table of its own that enters up to three rows of tarot or six of truco
while between it and the server requests are cut, slowed, answered with 502 or with a page of the
wifi's, answered unheard, half heard, or delivered twice, and while its page is reloaded, closed,
opened twice or offline, where the next row is entered, too. Then the network is well again, and
every row that was entered must be on the sheet, once, in order, with nothing else. The phone's
pauses between two tries take a twentieth of their time.
The last line says how many rows were lost and how many are too many; any is a fault.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import tempfile
import time
from collections import Counter
from pathlib import Path

from launching import served, set_up


def main() -> None:
    asked = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    asked.add_argument("--runs", type=int, default=2000)
    asked.add_argument("--at-once", type=int, default=4)
    asked.add_argument("--minutes", type=float, default=60.0)
    asked.add_argument("--seed", type=int, default=1)
    given = asked.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        set_up(Path(folder))
        play(given.runs, seed=given.seed, at_once=given.at_once, minutes=given.minutes)


def play(number: int, *, seed: int, at_once: int, minutes: float) -> None:
    """Play the runs, as many as fit into the time, and say what became of the rows."""
    from django.db import transaction  # noqa: PLC0415

    from tests.factories import SeasonFactory  # noqa: PLC0415
    from tests.outbox_runs import make_runs, make_tables, play_all, told_of  # noqa: PLC0415

    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    with transaction.atomic():
        cookies, tables = make_tables(SeasonFactory(), number)
    runs = make_runs(tables, seed=seed)
    end_at = time.monotonic() + minutes * 60
    with served(processes=2, threads=8) as address:
        faults = asyncio.run(
            play_all(runs, server=address, cookies=cookies, at_once=at_once, until=end_at)
        )
    played = [run for run in runs if run.is_played]
    lost: Counter[object] = Counter()
    extra: Counter[object] = Counter()
    out_of_order = 0
    for run in played:
        entered, told = run.entered, told_of(run)
        lost += Counter(entered) - Counter(told)
        extra += Counter(told) - Counter(entered)
        out_of_order += told != entered
        if told != entered or run.trouble:
            print(f"table {run.table}, seed {run.seed}: {entered} became {told} {run.trouble}")
    print("faults:", dict(faults))
    print("incidents:", dict(sum((run.incidents for run in played), Counter())))
    rows = sum(len(run.entered) for run in played)
    print(
        f"{len(played)} runs, {rows} rows: {sum(1 for r in played if r.trouble)} runs in trouble,"
    )
    print(f"{lost.total()} lost, {extra.total()} too many, {out_of_order} sheets not as entered")


if __name__ == "__main__":
    main()
