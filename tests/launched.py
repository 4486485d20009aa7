"""A site launched as a newcomer launches it: real processes, a folder of its own."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
#: Seconds. A busy machine is no fault of the code, and only a test that fails waits for so long.
PATIENCE = 180.0


@dataclass(frozen=True, kw_only=True)
class Site:
    """A launcher, where it answers, and where it writes."""

    launcher: subprocess.Popen[str]
    address: str
    output: Path
    environment: dict[str, str]

    def children(self) -> dict[str, int]:
        """Give the process id of each child by its part, as far as it is running now."""
        pids = (pid for pid, parent in parents().items() if parent == self.launcher.pid)
        return {part: pid for pid in pids if is_alive(pid) and (part := part_of(pid))}

    def python(self, code: str) -> str:
        """Run lines of Python inside the site and give what they print."""
        return subprocess.run(
            [sys.executable, "manage.py", "shell", "--no-imports", "-c", code],
            cwd=ROOT,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=True,
        ).stdout.strip()

    def status(self, path: str = "") -> int:
        """Give the status code of a page."""
        try:
            with urllib.request.urlopen(self.address + path, timeout=PATIENCE) as answer:  # noqa: S310
                return int(answer.status)
        except urllib.error.HTTPError as refusal:
            return refusal.code


def part_of(pid: int) -> str | None:
    """Name the part that a process plays; none for a process that has not got that far."""
    with suppress(OSError):
        words = Path(f"/proc/{pid}/cmdline").read_text().split("\0")
        if "config.child" in words:
            return next(part for part in ("gunicorn", "worker", "beat") if part in words)
    return None


def until(holds: Callable[[], object]) -> bool:
    """Wait until something holds; false when it never did."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if holds():
            return True
        time.sleep(0.1)
    return False


def stat_of(pid: int) -> list[str]:
    """Give the state, the parent and so on of a process; nothing when there is none."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return []


def is_alive(pid: int) -> bool:
    """Is there a process of this number that is not a mere entry waiting to be read?"""
    return stat_of(pid)[:1] not in ([], ["Z"])


def parents() -> dict[int, int]:
    """Give the parent of every process."""
    pids = (int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit())
    return {pid: int(stat[1]) for pid in pids if (stat := stat_of(pid))}


def family_of(pid: int) -> set[int]:
    """Give the process and all that descend from it."""
    family, found = set(), {pid}
    while found:
        family |= found
        found = {child for child, parent in parents().items() if parent in found} - family
    return family


def site_environment(folder: Path) -> dict[str, str]:
    """Give the environment of a site of its own: all in the folder, or on the servers named.

    TEST_DATABASE_URL and TEST_BROKER_URL name servers; what is in that database may be changed.
    """
    ours = {
        "VAR_DIR": str(folder),
        "EMBEDDED": "1",
        "PYTHONUNBUFFERED": "1",
        "DATABASE_URL": os.environ.get("TEST_DATABASE_URL", ""),
        "BROKER_URL": os.environ.get("TEST_BROKER_URL", ""),
    }
    kept = {key: value for key, value in os.environ.items() if key not in NOT_FOR_SITES}
    return {**kept, **ours}


#: PYTEST_VERSION would make a child believe that it is a test.
NOT_FOR_SITES = {"PYTEST_VERSION", "PYTEST_CURRENT_TEST", "ALLOWED_HOSTS", "DEBUG"}


@contextmanager
def launched(folder: Path, *arguments: str) -> Iterator[Site]:
    """Launch a site on a free port and end whatever is left of it afterwards."""
    environment = site_environment(folder)
    output = folder / "output.txt"
    with output.open("w") as lines:
        launcher = subprocess.Popen(
            [sys.executable, "manage.py", "serve", "--port", "0", *arguments],
            cwd=ROOT,
            env=environment,
            stdout=lines,
            stderr=subprocess.STDOUT,
            text=True,
        )
    try:
        said = re.compile(r"Tapis Vert is at (\S+)")
        until(lambda: said.search(output.read_text()) or launcher.poll() is not None)
        address = said.search(output.read_text())
        assert address, output.read_text()
        yield Site(launcher=launcher, address=address[1], output=output, environment=environment)
    finally:
        if launcher.poll() is None:
            launcher.send_signal(signal.SIGTERM)
            with suppress(subprocess.TimeoutExpired):
                launcher.wait(timeout=PATIENCE)
        launcher.kill()
        launcher.wait()
