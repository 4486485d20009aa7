"""Runs the tests with all that this machine has: ``python -m tests [PYTEST ARGUMENTS]``.

First everything on SQLite, with the browser tests when there is a Chromium, and apart from the rest
those that start real processes; then what touches rows once more on PostgreSQL, when there is one,
without the browser, the process and the slow tests. As many tests run at once as there are cores.
Each thing left out is said in one line. Where the variable CI is set nothing may be left out.
"""

from __future__ import annotations

import os
import subprocess
import sys

from tests.machine import chromium, postgres

#: A file's tests stay together: they share what is costly to make.
SHARED_OUT = ("--numprocesses=auto", "--dist=loadfile")


def pytest(arguments: list[str], *, database: str, marked: str, alone: bool = False) -> int:
    """Run pytest on one database; finding no test to run is no failure."""
    print(f"\n== {database.partition(':')[0] or 'sqlite'}: {marked}", flush=True)
    shared_out = () if alone else SHARED_OUT
    environment = {**os.environ, "DATABASE_URL": database}
    command = [sys.executable, "-m", "pytest", "-m", marked, *shared_out, *arguments]
    code = subprocess.run(command, env=environment, check=False).returncode
    return 0 if code == 5 else code


def main(arguments: list[str]) -> int:
    """Run what can be run, then say what was left out."""
    left_out = []
    without_browser = "" if chromium() else " and not browser"
    if without_browser:
        left_out.append("the browser tests: no Chromium is installed")
    codes = [
        pytest(arguments, database="", marked=f"not postgres and not worker{without_browser}"),
        pytest(arguments, database="", marked="worker and not postgres", alone=True),
    ]
    with postgres() as url:
        if url:
            rows = ["--rows-only", *arguments]
            marked = "not browser and not worker and not slow"
            codes.append(pytest(rows, database=url, marked=marked))
        else:
            left_out.append(
                "the tests on PostgreSQL: no server can be reached and no initdb is found"
            )
    for sentence in left_out:
        print(f"Left out: {sentence}.")
    if left_out and os.environ.get("CI"):
        print("Under CI nothing may be left out.", file=sys.stderr)
        codes.append(1)
    return max(codes, key=abs)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
