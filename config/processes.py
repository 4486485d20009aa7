"""The processes of the embedded set-up: how each is started, kept alive and ended.

Every child holds the reading end of a pipe whose writing end only the launcher has. When the
launcher dies, however it dies, the system closes the pipe and each child ends itself
(``config.child``). The alternative, Linux' "signal me when my parent dies", is tied to the thread
that started the child and unknown to other systems.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field

#: Seconds between two looks at the children.
GLANCE = 0.2
#: Seconds before a child that died is started again: doubled each time, up to the last.
FIRST_DELAY, LAST_DELAY = 0.5, 30.0
#: A child that lived this many seconds has recovered.
RECOVERED = 30.0
#: Seconds between asking a child to end and killing it.
GRACE = 10.0


@dataclass(kw_only=True)
class Child:
    """One process to keep alive, with its command and what it needs to inherit."""

    name: str
    command: list[str]
    environment: Mapping[str, str] = field(default_factory=dict)
    inherits: tuple[int, ...] = ()
    process: subprocess.Popen[bytes] | None = None
    started_at: float = 0.0
    due_at: float = 0.0
    delay: float = FIRST_DELAY

    @property
    def is_running(self) -> bool:
        """Is there a process that has not ended?"""
        return self.process is not None and self.process.poll() is None


class Supervisor:
    """Start children, start again what dies, end all together."""

    def __init__(self, children: Iterable[Child], *, report: Callable[[str], None]) -> None:
        self.children = list(children)
        self.report = report
        self.is_ending = False
        self.lifeline, self.lifeline_end = os.pipe()

    def run(self) -> None:
        """Keep the children alive until a signal asks to end; then end them all."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self.ask_to_end)
        try:
            while not self.is_ending:
                self.look(time.monotonic())
                time.sleep(GLANCE)
        finally:
            self.end()

    def ask_to_end(self, number: int, frame: object) -> None:
        """Remember that an end was asked for."""
        self.is_ending = True

    def look(self, now: float) -> None:
        """Start each child that is not running and whose time has come."""
        for child in self.children:
            if child.is_running or self.is_ending:
                continue
            if child.process is not None:
                self.mourn(child, now)
            if now >= child.due_at:
                self.start(child, now)

    def mourn(self, child: Child, now: float) -> None:
        """Report a child that died and set the time at which it comes back."""
        assert child.process is not None  # noqa: S101 - the caller has looked
        if now - child.started_at >= RECOVERED:
            child.delay = FIRST_DELAY
        self.report(
            f"The {child.name} process ended ({ending(child.process.returncode)}); "
            f"it is started again in {child.delay:g} s."
        )
        child.process = None
        child.due_at = now + child.delay
        child.delay = min(child.delay * 2, LAST_DELAY)

    def start(self, child: Child, now: float) -> None:
        """Start one child in a session of its own, holding the lifeline."""
        child.process = subprocess.Popen(  # noqa: S603 - our own command
            [sys.executable, "-m", "config.child", str(self.lifeline), *child.command],
            env={**os.environ, **child.environment},
            stdin=subprocess.DEVNULL,
            pass_fds=(self.lifeline, *child.inherits),
            # Ctrl-C reaches every process of a session; here only the launcher may hear it.
            start_new_session=True,
        )
        child.started_at = now

    def end(self) -> None:
        """Ask every child to end, wait a while, and kill what is left."""
        for child in self.children:
            self.send(child, signal.SIGTERM)
        deadline = time.monotonic() + GRACE
        for child in self.children:
            if child.process is None:
                continue
            with suppress(subprocess.TimeoutExpired):
                child.process.wait(timeout=max(0.0, deadline - time.monotonic()))
            if child.is_running:
                os.killpg(child.process.pid, signal.SIGKILL)
                child.process.wait()

    def send(self, child: Child, number: signal.Signals) -> None:
        """Send a signal to a child that is running."""
        if child.process is not None and child.is_running:
            child.process.send_signal(number)


def ending(returncode: int) -> str:
    """Say how a process ended."""
    if returncode < 0:
        return f"killed by {signal.Signals(-returncode).name}"
    return f"exit code {returncode}"


def web(*, listener: int, threads: int) -> Child:
    """The web process: gunicorn on the socket that the launcher holds."""
    return Child(
        name="web",
        command=["gunicorn", "--config", "python:config.gunicorn", "--bind", f"fd://{listener}"],
        environment={"WEB_PROCESSES": "1", "WEB_THREADS": str(threads)},
        inherits=(listener,),
    )


def worker(*, threads: int, scratch: str) -> Child:
    """The worker process: threads, because a killed child of a forking pool hangs a file queue."""
    return Child(
        name="worker",
        command=[
            *("celery", "--quiet", "--app", "config", "worker", "--pool", "threads"),
            *("--concurrency", str(threads), "--loglevel", "WARNING"),
            *("--without-gossip", "--without-mingle", "--without-heartbeat"),
        ],
        # The file transport moves a message to the temporary folder before it reads it: on the same
        # disk that is one step, across two it would be a copy that can break half-way.
        environment={
            "TMPDIR": scratch,
            # It runs as whoever started the site, in a container often as root; that is no news.
            "PYTHONWARNINGS": "ignore::UserWarning:celery.platforms",
        },
    )


def beat() -> Child:
    """The clock: sends the periodic tasks; a process of its own, never inside the worker."""
    return Child(
        name="beat",
        command=[
            "celery",
            "--quiet",
            "--app",
            "config",
            "beat",
            "--pidfile=",
            "--loglevel",
            "WARNING",
        ],
    )
