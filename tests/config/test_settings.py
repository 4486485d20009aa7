"""The settings, read from the environment alone."""

from __future__ import annotations

import json
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tests.launched import PATIENCE, ROOT, site_environment

ASK = """
import json, sys
from django.conf import settings
print(json.dumps({name: getattr(settings, name) for name in sys.argv[1:]}, default=str))
"""
#: What a production site has in its environment.
PRODUCTION = {
    "EMBEDDED": "",
    "DATABASE_URL": "postgres://tapis:p%40ss@db.example:5433/vert?sslmode=require",
    "SECRET_KEY": "a long random string, the same in every process of the site",
    "ALLOWED_HOSTS": "club.example, www.club.example",
    "SMTP_URL": "smtp+tls://mail.example",
}


def ask(folder: Path, *names: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", ASK, *names],
        cwd=ROOT,
        env={
            **site_environment(folder),
            "DJANGO_SETTINGS_MODULE": "config.settings",
            **variables,
        },
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def settings_of(folder: Path, *names: str, **variables: str) -> list[object]:
    answer = ask(folder, *names, **variables)
    assert answer.returncode == 0, answer.stderr
    return list(json.loads(answer.stdout).values())


def test_the_embedded_site_makes_a_key_once_that_only_its_owner_can_read(tmp_path):
    first = settings_of(tmp_path, "SECRET_KEY")
    second = settings_of(tmp_path, "SECRET_KEY")

    assert first == second
    assert len(str(first[0])) >= 64
    assert stat.S_IMODE((tmp_path / "secret_key").stat().st_mode) == 0o600


def test_two_folders_have_two_keys(tmp_path):
    assert settings_of(tmp_path / "a", "SECRET_KEY") != settings_of(tmp_path / "b", "SECRET_KEY")


def test_production_refuses_to_start_without_a_key(tmp_path):
    refused = ask(tmp_path, "SECRET_KEY", **{**PRODUCTION, "SECRET_KEY": ""})

    assert refused.returncode != 0
    assert "SECRET_KEY is missing" in refused.stderr
    assert not (tmp_path / "secret_key").exists()


def test_production_on_sqlite_is_production_too(tmp_path):
    refused = ask(tmp_path, "SECRET_KEY", EMBEDDED="0")

    assert "SECRET_KEY is missing" in refused.stderr


def test_production_insists_on_https_and_on_named_hosts(tmp_path):
    names = ("SECURE_SSL_REDIRECT", "SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE", "DEBUG")

    assert settings_of(tmp_path, *names, **PRODUCTION) == [True, True, True, False]
    assert settings_of(tmp_path, "SECURE_HSTS_SECONDS", **PRODUCTION) == [3600]
    assert settings_of(tmp_path, "ALLOWED_HOSTS", **PRODUCTION) == [
        ["club.example", "www.club.example"]
    ]


def test_https_may_be_left_to_somebody_else(tmp_path):
    names = ("SECURE_SSL_REDIRECT", "SESSION_COOKIE_SECURE", "SECURE_HSTS_SECONDS")

    assert settings_of(tmp_path, *names, **PRODUCTION, HTTPS_ONLY="0") == [False, False, 0]


def test_a_proxy_is_believed_only_when_there_is_one(tmp_path):
    alone = settings_of(tmp_path, "SECURE_PROXY_SSL_HEADER", **PRODUCTION)
    behind = settings_of(tmp_path, "SECURE_PROXY_SSL_HEADER", **PRODUCTION, BEHIND_PROXY="1")

    assert alone == [None]
    assert behind == [["HTTP_X_FORWARDED_PROTO", "https"]]


def test_the_embedded_site_keeps_everything_in_its_folder(tmp_path):
    databases, broker, options, static = settings_of(
        tmp_path,
        "DATABASES",
        "CELERY_BROKER_URL",
        "CELERY_BROKER_TRANSPORT_OPTIONS",
        "STATIC_ROOT",
    )

    assert databases["default"]["NAME"] == str(tmp_path / "tapis-vert.sqlite3")
    assert databases["default"]["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
    assert broker.startswith("filesystem://")
    assert options["data_folder_in"] == options["data_folder_out"]
    assert Path(options["data_folder_in"]).is_relative_to(tmp_path)
    assert Path(static).is_relative_to(tmp_path)


def test_every_variable_that_is_read_is_described(tmp_path):
    described = (ROOT / ".env.example").read_text(encoding="utf-8")
    modules = [ROOT / "config" / name for name in ("settings.py", "gunicorn.py")]
    source = "".join(module.read_text(encoding="utf-8") for module in modules)
    readers = ("env.text(", "env.flag(", "env.number(", "env.words(")
    read = {part.split('"')[1] for reader in readers for part in source.split(reader)[1:]}

    assert len(read) > 20
    assert [name for name in sorted(read) if f"\n{name}=" not in described] == []


@pytest.mark.parametrize(
    ("variables", "sentence"),
    [
        ({"DEBUG": "maybe"}, "DEBUG must be 1 or 0, not “maybe”."),
        ({"DATABASE_POOL_SIZE": "-1"}, "DATABASE_POOL_SIZE must be a whole number, not “-1”."),
        ({"DATABASE_URL": "mysql://x/y"}, "DATABASE_URL begins with “mysql:”"),
        ({"SMTP_URL": "http://mail"}, "SMTP_URL begins with “http:”"),
    ],
)
def test_a_variable_that_cannot_be_is_refused_by_name(tmp_path, variables, sentence):
    refused = ask(tmp_path, "DEBUG", **variables)

    assert refused.returncode != 0
    assert sentence in refused.stderr


def test_production_settings_pass_the_deployment_checks(tmp_path):
    checked = subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
        cwd=ROOT,
        env={
            **site_environment(tmp_path),
            **PRODUCTION,
            "HSTS_INCLUDE_SUBDOMAINS": "1",
            "HSTS_PRELOAD": "1",
        },
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )

    assert checked.returncode == 0, checked.stderr
