"""One command serves the whole site, and ends all of it."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit
from uuid import uuid4

import pytest

from tests.launched import (
    PATIENCE,
    ROOT,
    Site,
    family_of,
    is_alive,
    launched,
    site_environment,
    until,
)

pytestmark = [pytest.mark.worker, pytest.mark.slow]


@pytest.fixture(scope="module")
def prepared(tmp_path_factory) -> Path:
    """A folder that a first start has filled: the starts that follow are quick."""
    folder = tmp_path_factory.mktemp("prepared")
    with launched(folder, "--web-only"):
        return folder


@pytest.fixture
def folder(prepared, tmp_path) -> Path:
    return Path(shutil.copytree(prepared, tmp_path / "var"))


MARK_A_SEASON_STALE = """
from datetime import date
from clubs.models import Club
from scoring.models import StaleRanking
club, _ = Club.objects.get_or_create(slug="stale", defaults={"name": "Stale"})
season = club.seasons.create(
    name=str(date.today()), starts_on=date(2026, 9, 1), ends_on=date(2027, 6, 30)
)
StaleRanking.objects.create(season=season)
"""
COUNT_STALE_MARKS = """
from scoring.models import StaleRanking
print(StaleRanking.objects.count())
"""
EVERYWHERE = "0.0.0.0"  # noqa: S104 - the phones of the club have to reach it
PARTS = {"gunicorn", "worker", "beat"}


def serve(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "manage.py", "serve", *arguments],
        cwd=ROOT,
        env=site_environment(folder),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def wait_for_parts(site: Site, parts: set[str]) -> dict[str, int]:
    assert until(lambda: set(site.children()) == parts), site.output.read_text()
    return site.children()


def end_with(site: Site, number: signal.Signals) -> set[int]:
    """Send the launcher a signal and give what of its family is left after a while."""
    family = family_of(site.launcher.pid)
    site.launcher.send_signal(number)
    site.launcher.wait(timeout=PATIENCE)
    until(lambda: not any(map(is_alive, family)))
    return set(filter(is_alive, family))


def test_one_command_serves_pages_and_runs_a_worker_and_beat(folder):
    with launched(folder) as site:
        children = wait_for_parts(site, PARTS)

        assert site.status("admin/login/") == 200
        assert len(set(children.values())) == 3
        assert "superuser" not in site.output.read_text()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_whatever_ends_the_launcher_ends_all_it_started(folder, number):
    with launched(folder) as site:
        wait_for_parts(site, PARTS)

        assert end_with(site, number) == set()


def test_a_part_that_is_killed_comes_back(folder):
    with launched(folder) as site:
        before = wait_for_parts(site, PARTS)

        for pid in before.values():
            os.kill(pid, signal.SIGKILL)

        assert until(lambda: not any(map(is_alive, before.values())))
        after = wait_for_parts(site, PARTS)
        assert not set(after.values()) & set(before.values())
        assert site.output.read_text().count("killed by SIGKILL") == 3
        assert site.status("admin/login/") == 200


def test_a_second_start_loses_nothing(folder):
    name = f"Club {uuid4()}"
    with launched(folder, "--web-only") as first:
        first.python(f"from clubs.models import Club; Club.objects.create(name='{name}', slug='c')")
        key = (folder / "secret_key").read_text()

    with launched(folder, "--web-only") as second:
        clubs = second.python("from clubs.models import Club; print(*Club.objects.all(), sep=';')")

    assert name in clubs.split(";")
    assert (folder / "secret_key").read_text() == key


def test_beat_and_worker_refresh_what_is_stale_without_being_told(folder):
    with launched(folder) as site:
        site.python(MARK_A_SEASON_STALE)

        assert until(lambda: site.python(COUNT_STALE_MARKS) == "0"), site.output.read_text()


def test_web_only_starts_no_worker_and_no_beat(folder):
    with launched(folder, "--web-only") as site:
        assert set(wait_for_parts(site, {"gunicorn"})) == {"gunicorn"}


def test_a_port_in_use_is_refused_in_a_plain_sentence(folder):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]

        refused = serve(folder, "--port", str(port))

    assert refused.returncode == 1
    assert refused.stderr == (
        f"CommandError: Port {port} is in use. Choose another, for example --port {port + 1}.\n"
    )


def test_a_phone_finds_the_site_under_the_address_that_the_start_prints(folder):
    with launched(folder, "--web-only", "--host", EVERYWHERE) as site:
        until(lambda: "Ctrl-C" in site.output.read_text())
        printed = re.findall(r"On a phone in the same network: (\S+)", site.output.read_text())
        used = [host for host in interface_addresses() if not host.startswith("127.")]

        assert {urlsplit(address).hostname for address in printed} >= set(used)
        assert {replace(site, address=address).status("help/") for address in printed} <= {200}


def interface_addresses() -> list[str]:
    """The addresses of the cards that are in use, as the system lists them."""
    hostname = shutil.which("hostname") or pytest.skip("there is no command that lists them")
    listed = subprocess.run([hostname, "-I"], capture_output=True, text=True, check=True)
    return [host for host in listed.stdout.split() if ":" not in host]


def test_only_this_machine_is_listened_to_unless_told_otherwise(folder):
    with launched(folder, "--web-only") as site:
        until(lambda: "Ctrl-C" in site.output.read_text())

        assert "On a phone" not in site.output.read_text()


def test_two_launchers_never_share_a_folder(folder):
    with launched(folder) as site:
        wait_for_parts(site, PARTS)

        refused = serve(folder, "--port", "0")

    assert refused.returncode == 1
    assert "already being served" in refused.stderr


def test_help_names_every_option(folder):
    told = serve(folder, "--help").stdout

    for option in ("--host", "--port", "--web-only", "--demo"):
        assert option in told
