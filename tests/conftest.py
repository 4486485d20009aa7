"""What holds for every test: what this machine cannot run is skipped with the reason; fixtures give
one club and somebody of each role, with a client of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import hypothesis
import pytest
from django.conf import settings
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.utils import translation
from playwright.sync_api import Browser, expect, sync_playwright

from clubs.models import Club, Role, Season, User
from tests.factories import (
    ClubFactory,
    MembershipFactory,
    PlayerFactory,
    SeasonFactory,
    UserFactory,
)
from tests.machine import chromium
from tests.waiting import PATIENCE

# A busy machine is no fault of the code: tests do not time, and neither does hypothesis.
hypothesis.settings.register_profile(
    "unhurried", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("unhurried")
expect.set_options(timeout=PATIENCE * 1000)

REASONS = {
    "worker": "processes are counted in /proc, which this system has not",
    "browser": "no Chromium is installed",
    "postgres": "holds on PostgreSQL only; set DATABASE_URL",
}
ROLES = ("owner", "director", "scorer", "member", "stranger", "anonymous")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--rows-only", action="store_true", help="only tests that use the database")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Skip browser tests without a browser and PostgreSQL on another database, and so on."""
    if config.getoption("rows_only"):
        without_rows = [item for item in items if not uses_rows(item)]
        config.hook.pytest_deselected(items=without_rows)
        items[:] = [item for item in items if uses_rows(item)]
    missing = set()
    if chromium() is None:
        missing.add("browser")
    if connection.vendor != "postgresql":
        missing.add("postgres")
    if not Path("/proc/self/stat").exists():
        missing.add("worker")
    for item in items:
        for mark in missing:
            if item.get_closest_marker(mark):
                item.add_marker(pytest.mark.skip(reason=REASONS[mark]))


def uses_rows(item: pytest.Item) -> bool:
    """Does the test touch the database, by its mark or by a fixture?"""
    fixtures = {"db", "transactional_db", "live_server"} & set(getattr(item, "fixturenames", ()))
    return bool(fixtures) or item.get_closest_marker("django_db") is not None


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix) -> None:
    """Whoever waits for a turn at the database waits as long as a busy machine takes."""
    options = connection.settings_dict["OPTIONS"]
    if connection.vendor == "sqlite":
        options["timeout"] = PATIENCE
    elif "pool" in options:
        options["pool"]["timeout"] = PATIENCE


@pytest.fixture(autouse=True)
def _empty_cache():
    """No test may find what another counted or kept."""
    cache.clear()


@pytest.fixture(autouse=True)
def _own_language():
    """No test may speak the language in which another asked for its last page."""
    with translation.override(settings.LANGUAGE_CODE):
        yield


@pytest.fixture
def club(db) -> Club:
    return ClubFactory()


@pytest.fixture
def season(club: Club) -> Season:
    return SeasonFactory(club=club)


def account_with(club: Club, role: Role, name: str) -> User:
    """An account whose player is a member of the club with this role."""
    user = UserFactory(name=name, email=f"{name.lower()}@example.org")
    MembershipFactory(player=PlayerFactory(club=club, name=name, account=user), role=role)
    return user


@pytest.fixture
def owner(club: Club) -> User:
    return account_with(club, Role.OWNER, "Odile")


@pytest.fixture
def director(club: Club) -> User:
    return account_with(club, Role.DIRECTOR, "Denis")


@pytest.fixture
def scorer(club: Club) -> User:
    return account_with(club, Role.SCORER, "Solange")


@pytest.fixture
def member(club: Club) -> User:
    return account_with(club, Role.MEMBER, "Michel")


@pytest.fixture
def stranger(db) -> User:
    """The owner of another club."""
    return account_with(ClubFactory(name="Les Dunes", slug="les-dunes"), Role.OWNER, "Carla")


@pytest.fixture
def client_of() -> Callable[[User | None], Client]:
    """Make a client in which the account has signed in; of nobody for None."""

    def make(user: User | None) -> Client:
        client = Client()
        if user is not None:
            client.force_login(user)
        return client

    return make


@pytest.fixture
def owner_client(client_of, owner) -> Client:
    return client_of(owner)


@pytest.fixture
def director_client(client_of, director) -> Client:
    return client_of(director)


@pytest.fixture
def scorer_client(client_of, scorer) -> Client:
    return client_of(scorer)


@pytest.fixture
def member_client(client_of, member) -> Client:
    return client_of(member)


@pytest.fixture
def stranger_client(client_of, stranger) -> Client:
    return client_of(stranger)


@pytest.fixture
def anonymous_client(db) -> Client:
    return Client()


@pytest.fixture(params=ROLES)
def role_name(request: pytest.FixtureRequest) -> str:
    """Each role in turn, for a permission matrix."""
    return request.param


@pytest.fixture
def role_client(role_name: str, request: pytest.FixtureRequest) -> Client:
    return request.getfixturevalue(f"{role_name}_client")


@pytest.fixture
def browser(monkeypatch: pytest.MonkeyPatch) -> Iterator[Browser]:
    """A Chromium without a window; each test opens contexts of its own."""
    # The browser's driver runs a loop of its own in this thread; our queries stay plain.
    monkeypatch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
    with sync_playwright() as driver:
        chosen = driver.chromium.launch(
            executable_path=chromium(), args=["--no-sandbox", "--disable-gpu", "--disable-quic"]
        )
        chosen.on("context", lambda context: context.set_default_timeout(PATIENCE * 1000))
        yield chosen
        chosen.close()
