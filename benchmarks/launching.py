"""A site of its own for a benchmark: a folder or a database, gunicorn, perhaps a worker."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PATIENCE = 60.0


def set_up(folder: Path, **environment: str) -> None:
    """Set Django up on a database that is empty: in the folder, or the one DATABASE_URL names."""
    os.environ |= {"VAR_DIR": str(folder), "EMBEDDED": "1", "LOG_LEVEL": "ERROR", **environment}
    os.environ.setdefault("DATABASE_URL", "")
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    sys.path.insert(0, str(ROOT))
    import django  # noqa: PLC0415
    from django.core.management import call_command  # noqa: PLC0415

    django.setup()
    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)


@contextmanager
def served(*, processes: int, threads: int, worker: bool = False, wsgi: str = "") -> Iterator[str]:
    """Serve the site that was set up; gives its address and ends all it started."""
    port = free_port()
    gunicorn = [
        sys.executable, "-m", "gunicorn", "--config", "python:config.gunicorn",
        "--bind", f"127.0.0.1:{port}", "--workers", str(processes), "--threads", str(threads),
        *([wsgi] if wsgi else ()),
    ]  # fmt: skip
    celery = [sys.executable, "-m", "celery", "--app", "config", "worker", "--concurrency", "1"]
    commands = [gunicorn, [*celery, "--loglevel", "ERROR"]] if worker else [gunicorn]
    running = [
        subprocess.Popen(each, cwd=ROOT, start_new_session=True)  # noqa: S603 - our own commands
        for each in commands
    ]
    try:
        wait_for(port)
        if worker:
            wait_for_worker()
        yield f"http://127.0.0.1:{port}"
    finally:
        for each in running:
            end(each)


def free_port() -> int:
    with socket.socket() as any_port:
        any_port.bind(("127.0.0.1", 0))
        return int(any_port.getsockname()[1])


def wait_for(port: int) -> None:
    """Wait until somebody answers at the port."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.1)
    raise TimeoutError(port)


def wait_for_worker() -> None:
    """Wait until a worker hears: while it is loaded it takes a processor from those that serve."""
    from config.celery import app  # noqa: PLC0415

    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if app.control.ping(timeout=1.0):
            return
    raise TimeoutError("No worker has answered.")


def end(process: subprocess.Popen[bytes]) -> None:
    """End a process and those that it started."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGTERM)
    try:
        process.wait(timeout=10)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
