"""What holds for every test: those that this machine cannot run are skipped, with the reason."""

from __future__ import annotations

import pytest
from django.db import connection

from tests.machine import chromium

REASONS = {
    "browser": "no Chromium is installed",
    "postgres": "holds on PostgreSQL only; set DATABASE_URL",
}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip browser tests without a browser and PostgreSQL tests on another database."""
    missing = set()
    if chromium() is None:
        missing.add("browser")
    if connection.vendor != "postgresql":
        missing.add("postgres")
    for item in items:
        for mark in missing:
            if item.get_closest_marker(mark):
                item.add_marker(pytest.mark.skip(reason=REASONS[mark]))
