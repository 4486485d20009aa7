"""What this machine has to test with: PostgreSQL, a browser."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import psycopg

#: Where a server usually listens: the local socket, then the standard port.
USUAL_SERVERS = ("postgresql:///tapis_vert", "postgresql://localhost:5432/tapis_vert")
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def chromium() -> str | None:
    """Give the path of a Chromium, or none."""
    named = os.environ.get("CHROMIUM")
    return named or next(filter(None, map(shutil.which, BROWSERS)), None)


@contextmanager
def postgres() -> Iterator[str | None]:
    """Give the address of a PostgreSQL to test on: a running one, a throw-away one, or none."""
    with ExitStack() as held:
        yield running_postgres() or held.enter_context(throw_away_postgres())


def running_postgres() -> str | None:
    """Give the address in DATABASE_URL, or a usual one where databases may be made, or none."""
    named = os.environ.get("DATABASE_URL", "")
    if named.startswith("postgres"):
        return named
    return next(filter(may_create_databases, USUAL_SERVERS), None)


def may_create_databases(url: str) -> bool:
    """Can a test database be made at this server?"""
    question = "SELECT rolcreatedb OR rolsuper FROM pg_roles WHERE rolname = current_user"
    try:
        with psycopg.connect(url, dbname="postgres", connect_timeout=3) as connection:
            return connection.execute(question).fetchone() == (True,)
    except psycopg.Error:
        return False


@contextmanager
def throw_away_postgres() -> Iterator[str | None]:
    """Run a server of our own on a socket in a new folder, and remove both afterwards."""
    programs = postgres_programs()
    if programs is None:
        yield None
        return
    with tempfile.TemporaryDirectory(prefix="tapis-vert-postgres-") as folder:
        # The server refuses to run as root: there it runs as the only user of a namespace.
        aside = ["unshare", "--user", "--map-user=1000", "--map-group=1000"]
        prefix = aside if os.geteuid() == 0 else []
        options = f"-c listen_addresses='' -c fsync=off -k {folder}"
        initdb = [
            programs / "initdb",
            "--auth=trust",
            "--username=tapis",
            "--no-sync",
            "-E",
            "UTF8",
        ]
        control = [*prefix, programs / "pg_ctl", "-D", f"{folder}/data", "-w", "-s"]
        try:
            quietly([*prefix, *initdb, "--locale=C", "-D", f"{folder}/data"])
            quietly([*control, "-l", f"{folder}/log", "-o", options, "start"])
        except (OSError, subprocess.CalledProcessError):
            yield None
            return
        try:
            yield f"postgresql:///tapis_vert?host={folder}&user=tapis"
        finally:
            quietly([*control, "-m", "immediate", "stop"])


def postgres_programs() -> Path | None:
    """Give the folder with initdb and pg_ctl, the newest first, or none."""
    packaged = Path("/usr/lib/postgresql").glob("*/bin")
    folders = sorted(packaged, key=lambda folder: float(folder.parent.name), reverse=True)
    on_path = shutil.which("initdb")
    if on_path:
        folders.append(Path(on_path).resolve().parent)
    return next(
        (one for one in folders if (one / "initdb").exists() and (one / "pg_ctl").exists()), None
    )


def quietly(command: list[str | Path]) -> None:
    """Run a program without its talk; raises when it fails."""
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
