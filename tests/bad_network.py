"""A network that fails as wifi in a hall does, between a real browser and a real server."""

from __future__ import annotations

import http.client
import random
import socket
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

#: What may happen to a request, and what it is to the one who sent it.
FAULTS = (
    "cut",  # it never arrives
    "slow",  # it arrives late
    "500",  # something on the way answers for the server
    "unheard",  # it arrives, and the answer is lost on the way back
    "half heard",  # it arrives, and the answer breaks off
    "twice",  # it arrives twice, as when something on the way tries again
    "portal",  # a page of the wifi's own answers, as if all were well
)
#: Beside these, for a test of its own: something on the way asks for a pause (``network.pause``).
BUSY = "busy"
HOP_BY_HOP = {"connection", "keep-alive", "transfer-encoding", "content-length", "host"}
PAGE_OF_THE_WIFI = b"<!doctype html><title>Welcome to our wifi</title>"


class BadNetwork:
    """Hands on requests to a server, and fails as often as it is told to.

    What is sent (POST) fails, and with ``pages_fail`` also all that is asked for.
    """

    def __init__(self, server: str, *, seed: int = 0, failing: float = 0.0) -> None:
        self.server = urlsplit(server)
        self.dice = random.Random(seed)
        self.failing = failing
        self.pages_fail = False
        self.pause = "60"
        self.faults: Counter[str] = Counter()
        self._lock = threading.Lock()

    def fault(self, method: str) -> str | None:
        """Say what happens to the next request; nothing for one that goes through."""
        with self._lock:
            if method != "POST" and not self.pages_fail:
                return None
            if self.dice.random() >= self.failing:
                return None
            fault = self.dice.choice(FAULTS)
            self.faults[fault] += 1
            return fault

    def delay(self) -> float:
        with self._lock:
            return self.dice.uniform(0.05, 0.6)

    def answered_on_the_way(
        self, fault: str | None
    ) -> tuple[int, list[tuple[str, str]], bytes] | None:
        """Give what something on the way answers for the server; nothing where nothing does."""
        page = [("Content-Type", "text/html")]
        if fault == BUSY:
            return 503, [("Retry-After", self.pause)], b"Too many at once"
        if fault == "500":
            return 502, page, b"Bad gateway"
        return (200, page, PAGE_OF_THE_WIFI) if fault == "portal" else None

    def ask(
        self, method: str, path: str, headers: dict[str, str], body: bytes, host: str
    ) -> tuple[int, list[tuple[str, str]], bytes]:
        """Hand a request on and give the answer."""
        line = http.client.HTTPConnection(self.server.hostname or "", self.server.port, timeout=60)
        try:
            line.request(method, path, body or None, {**headers, "Host": host})
            answer = line.getresponse()
            content = answer.read()
            return answer.status, answer.getheaders(), content
        finally:
            line.close()


class Handler(BaseHTTPRequestHandler):
    network: BadNetwork
    protocol_version = "HTTP/1.1"

    def log_message(self, *args: object) -> None:
        """Say nothing: faults are what this is for."""

    def do_GET(self) -> None:
        self.hand_on()

    def do_HEAD(self) -> None:
        self.hand_on()

    def do_POST(self) -> None:
        self.hand_on()

    def hand_on(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        headers = {k: v for k, v in self.headers.items() if k.lower() not in HOP_BY_HOP}
        host = self.headers["Host"]
        fault = self.network.fault(self.command)
        if fault == "cut":
            return self.hang_up()
        answered = self.network.answered_on_the_way(fault)
        if answered is not None:
            return self.answer(*answered)
        if fault == "slow":
            time.sleep(self.network.delay())
        try:
            if fault == "twice":
                self.network.ask(self.command, self.path, headers, body, host)
            status, sent, content = self.network.ask(self.command, self.path, headers, body, host)
        except OSError:
            return self.hang_up()
        if fault == "unheard":
            return self.hang_up()
        return self.answer(status, sent, content, broken=fault == "half heard")

    def answer(
        self, status: int, headers: list[tuple[str, str]], content: bytes, *, broken: bool = False
    ) -> None:
        with suppress(OSError):
            self.send_response_only(status)
            for name, value in headers:
                if name.lower() not in HOP_BY_HOP:
                    self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.send_header("Connection", "close")
            self.end_headers()
            self.wfile.write(content[: len(content) // 2] if broken else content)
        self.hang_up()

    def hang_up(self) -> None:
        self.close_connection = True
        with suppress(OSError):
            self.connection.shutdown(socket.SHUT_RDWR)


@contextmanager
def bad_network(
    server: str, *, seed: int = 0, failing: float = 0.0
) -> Iterator[tuple[str, BadNetwork]]:
    """Stand between a server and whoever asks; gives the address to ask at, and the network."""
    network = BadNetwork(server, seed=seed, failing=failing)
    handler = type("Handler", (Handler,), {"network": network})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as proxy:
        proxy.daemon_threads = True
        threading.Thread(target=proxy.serve_forever, daemon=True).start()
        yield f"http://{urlsplit(server).hostname}:{proxy.server_address[1]}", network
        proxy.shutdown()
