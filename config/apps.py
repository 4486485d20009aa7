"""What every process of the site does when it starts and when it ends."""

from __future__ import annotations

import atexit

from django.apps import AppConfig
from django.db import connections


class ConfigConfig(AppConfig):
    """The composition root as an app: brings the commands, and closes what was opened."""

    name = "config"

    def ready(self) -> None:
        """Arrange for the end of the process."""
        atexit.register(close_pools)


def close_pools() -> None:
    """Close the pools of connections: left open, each holds the ending process back for seconds."""
    for connection in connections.all():
        connection.close()
        if connection.vendor == "postgresql":
            connection.close_pool()  # type: ignore[attr-defined]  # unknown to the stubs
