"""How gunicorn serves the site: ``gunicorn --config python:config.gunicorn``."""

from __future__ import annotations

from typing import Any

from config import environment as env

wsgi_app = "config.wsgi:application"
worker_class = "gthread"
workers = env.number("WEB_PROCESSES", 1)
threads = env.number("WEB_THREADS", 8)
graceful_timeout = 10
loglevel = "warning"
control_socket_disable = True


def worker_exit(server: Any, worker: Any) -> None:
    """Close the pools of connections: left open, each would hold the process back for seconds."""
    from django.db import connections  # noqa: PLC0415 - settings are read by then

    for connection in connections.all():
        connection.close()
        if connection.vendor == "postgresql":
            connection.close_pool()  # type: ignore[attr-defined]  # unknown to the stubs
