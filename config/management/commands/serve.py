"""``manage.py serve``: the whole site from one command."""

from __future__ import annotations

import errno
import fcntl
import hashlib
import os
import socket
import time
import urllib.error
import urllib.request
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from io import StringIO
from pathlib import Path
from threading import Thread
from typing import IO, Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command, get_commands, load_command_class
from django.core.management.base import BaseCommand, CommandError
from django.db import connections

from clubs.models import Club
from config import catalogues, processes

#: Asked for the way to one of these, the system names the address that it would go out from;
#: nothing is sent. Addresses for documents stand for the internet, the others for networks at home.
FAR_AWAY = (
    *((socket.AF_INET, far) for far in ("192.0.2.1", "10.0.0.1", "172.16.0.1", "192.168.0.1")),
    *((socket.AF_INET6, far) for far in ("2001:db8::1", "fd00::1")),
)
EVERY_ADDRESS = frozenset({"0.0.0.0", "::"})  # noqa: S104 - compared, not bound


class Command(BaseCommand):
    """Prepare what is missing, then keep web, worker and beat alive until Ctrl-C."""

    help = (
        "Serves the site from one machine: brings the database up to date, then runs a web "
        "process, a Celery worker and Celery beat, starts again what dies and ends all together."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="address to listen on")
        parser.add_argument("--port", type=int, default=8000, help="port; 0 takes any free one")
        parser.add_argument("--threads", type=int, default=8, help="pages served at once")
        parser.add_argument("--web-only", action="store_true", help="no worker and no beat")
        parser.add_argument(
            "--demo", action="store_true", help="fill an empty database with the demo club"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        with ExitStack() as held:
            if not options["web_only"]:
                held.enter_context(only_worker(Path(settings.VAR_DIR)))
            listener = held.enter_context(listen(options["host"], options["port"]))
            try:
                self.prepare(demo=options["demo"])
            except KeyboardInterrupt:
                raise CommandError("Stopped before anything was served.") from None
            self.supervise(listener, options)

    def prepare(self, *, demo: bool) -> None:
        """Bring translations, tables, the demo and the static files up to date."""
        catalogues.compile_stale(Path(folder) for folder in settings.LOCALE_PATHS)
        call_command("migrate", interactive=False, verbosity=0)
        if demo and not Club.objects.exists():
            self.stdout.write("Loading the demo club…")
            call_command("demo", stdout=StringIO())  # the accounts are printed when it all runs
        collect_static()

    def supervise(self, listener: socket.socket, options: dict[str, Any]) -> None:
        """Run the processes until an end is asked for."""
        if settings.EMBEDDED:
            os.environ.setdefault("ALLOWED_HOSTS", ",".join(hosts_of(options["host"])))
        accounts = list(demo_accounts()) if options["demo"] else []
        connections.close_all()
        # The first answer may take a while, and Ctrl-C must not have to wait for it.
        announcing = Thread(target=self.announce, args=(listener, accounts), daemon=True)
        announcing.start()
        processes.Supervisor(children_for(listener, options), report=self.stderr.write).run()
        self.stdout.write("All processes have ended.")

    def announce(self, listener: socket.socket, accounts: list[str]) -> None:
        """Print where the site is, here and for a phone, and who may sign in, once it answers."""
        address = address_of(listener)
        wait_for(address)
        phones = [
            f"On a phone in the same network: {url}" for url in addresses_for_phones(listener)
        ]
        lines = [f"\nTapis Vert is at {address}", *phones, *accounts, "Ctrl-C ends it.\n"]
        self.stdout.write("\n".join(lines))
        self.stdout.flush()


def only_worker(folder: Path) -> IO[str]:
    """Hold the folder's lock; refuses when another launcher has it."""
    file = (folder / "serve.lock").open("w")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        raise CommandError(
            f"The site is already being served from {folder}. End that one first, "
            "or add --web-only to run a second web process beside it."
        ) from None
    return file


def listen(host: str, port: int) -> socket.socket:
    """Take the port; refuses one that is in use, in a plain sentence."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=128)
    except PermissionError:
        raise CommandError(f"Port {port} needs more rights; choose one above 1023.") from None
    except OSError as refusal:
        if refusal.errno == errno.EADDRINUSE:
            raise CommandError(
                f"Port {port} is in use. Choose another, for example --port {port + 1}."
            ) from None
        raise CommandError(
            f"{host} cannot be listened on: {os.strerror(refusal.errno or 0)}."
        ) from None


def children_for(listener: socket.socket, options: dict[str, Any]) -> Iterator[processes.Child]:
    """Give the processes asked for."""
    yield processes.web(listener=listener.fileno(), threads=options["threads"])
    if options["web_only"]:
        return
    scratch = Path(settings.VAR_DIR) / "broker" / "reading"
    scratch.mkdir(parents=True, exist_ok=True)
    yield processes.worker(threads=2, scratch=str(scratch))
    yield processes.beat()


def hosts_of(host: str) -> list[str]:
    """Give the names under which this machine may be called, for ALLOWED_HOSTS."""
    known = [*settings.ALLOWED_HOSTS, in_address(host)]
    if host in EVERY_ADDRESS:
        name = socket.gethostname()
        known += [name, f"{name}.local", *map(in_address, own_addresses())]
    return list(dict.fromkeys(known))


def own_addresses() -> list[str]:
    """Give the machine's addresses in its networks, those that its name says and those it uses."""
    found = {used for family, far in FAR_AWAY if (used := address_towards(family, far))}
    # Without a network the name may not be resolved; then there is nothing to add.
    with suppress(OSError):
        infos = socket.getaddrinfo(socket.gethostname(), None, type=socket.SOCK_STREAM)
        found |= {str(info[4][0]) for info in infos}
    return sorted(found)


def address_towards(family: socket.AddressFamily, far: str) -> str:
    """Give the own address from which something would go there; empty when there is no way."""
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as asking:
            asking.connect((far, 9))
            return str(asking.getsockname()[0])
    except OSError:
        return ""


def in_address(host: str) -> str:
    """Write a host as it stands in an address: one of version 6 in brackets."""
    return f"[{host}]" if ":" in host else host


def address_of(listener: socket.socket) -> str:
    """Give the address that a browser on this machine can open."""
    host, port = listener.getsockname()[:2]
    if host in EVERY_ADDRESS | {"127.0.0.1", "::1"}:
        host = "localhost"
    return f"http://{in_address(host)}:{port}/"


def addresses_for_phones(listener: socket.socket) -> list[str]:
    """Give what to type on a phone; nothing when only this machine is listened to."""
    host, port = listener.getsockname()[:2]
    if host not in EVERY_ADDRESS:
        return []
    # Long addresses are for machines: nobody types one of version 6.
    typed = [known for known in own_addresses() if ":" not in known]
    return [f"http://{known}:{port}/" for known in typed if not known.startswith("127.")]


def wait_for(address: str) -> None:
    """Wait for the first answer, whatever it is."""
    while True:
        try:
            urllib.request.urlopen(address).close()  # noqa: S310 - our own address
        except urllib.error.HTTPError:
            return
        except OSError:
            time.sleep(processes.GLANCE)
        else:
            return


def demo_accounts() -> Iterator[str]:
    """Give a line for each demo account that is still there, from the ``demo`` command's list."""
    app = get_commands().get("demo")
    command = load_command_class(app, "demo") if isinstance(app, str) else app
    for email, password, part in getattr(command, "accounts", ()):
        if get_user_model().objects.filter(email=email).exists():
            yield f"  {part}: {email}, password {password}"


def collect_static() -> None:
    """Collect the static files when one has changed; quick when none has."""
    if settings.DEBUG:
        return
    stamp = Path(settings.VAR_DIR) / "static.stamp"
    now = fingerprint()
    is_fresh = stamp.exists() and stamp.read_text(encoding="ascii") == now
    if is_fresh and (Path(settings.STATIC_ROOT) / "staticfiles.json").exists():
        return
    call_command("collectstatic", interactive=False, verbosity=0)
    stamp.write_text(now, encoding="ascii")


def fingerprint() -> str:
    """Sum up names, sizes and times of all static files."""
    digest = hashlib.sha256()
    for finder in get_finders():
        for name, storage in finder.list([]):
            state = Path(storage.path(name)).stat()
            digest.update(f"{name} {state.st_size} {state.st_mtime_ns}\n".encode())
    return digest.hexdigest()
