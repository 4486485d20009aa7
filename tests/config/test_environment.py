"""Addresses written in environment variables."""

from __future__ import annotations

from pathlib import Path

from config import environment

EMBEDDED = Path("var/club.sqlite3")


def read(url: str, *, pool_size: int = 10) -> dict:
    return environment.database(url, embedded_file=EMBEDDED, pool_size=pool_size)


def test_no_address_is_the_embedded_database():
    assert read("")["NAME"] == EMBEDDED


def test_an_address_names_server_database_and_person():
    database = read("postgres://tapis:p%40ss@db.example:5433/vert?sslmode=require")

    assert database["HOST"] == "db.example"
    assert database["PORT"] == "5433"
    assert database["NAME"] == "vert"
    assert database["USER"] == "tapis"
    assert database["PASSWORD"] == "p@ss"  # noqa: S105
    assert database["OPTIONS"]["sslmode"] == "require"


def test_parts_left_out_are_left_to_the_library():
    database = read("postgresql:///vert")

    assert (database["HOST"], database["PORT"], database["USER"]) == ("", "", "")


def test_the_pool_is_never_larger_than_asked_and_may_be_none():
    assert read("postgres:///vert", pool_size=1)["OPTIONS"]["pool"]["min_size"] == 1
    assert read("postgres:///vert", pool_size=8)["OPTIONS"]["pool"]["max_size"] == 8
    assert "pool" not in read("postgres:///vert", pool_size=0)["OPTIONS"]


def test_an_sqlite_address_is_a_path_from_here_or_from_the_root():
    assert read("sqlite:///club.sqlite3")["NAME"] == Path("club.sqlite3")
    assert read("sqlite:////srv/club.sqlite3")["NAME"] == Path("/srv/club.sqlite3")


def test_mails_are_printed_until_a_server_is_named():
    assert "console" in environment.mailer("")["BACKEND"]


def test_each_kind_of_mail_server_has_its_port_and_its_secrecy():
    plain = environment.mailer("smtp://mail.example")["OPTIONS"]
    upgraded = environment.mailer("smtp+tls://club:s%3Acret@mail.example")["OPTIONS"]
    wrapped = environment.mailer("smtps://mail.example:4650")["OPTIONS"]

    assert (plain["port"], plain["use_tls"], plain["use_ssl"]) == (25, False, False)
    assert (upgraded["port"], upgraded["use_tls"], upgraded["use_ssl"]) == (587, True, False)
    assert (upgraded["username"], upgraded["password"]) == ("club", "s:cret")
    assert (wrapped["port"], wrapped["use_tls"], wrapped["use_ssl"]) == (4650, False, True)


def test_two_first_starts_at_once_agree_on_one_key(tmp_path):
    path = tmp_path / "secret_key"
    path.write_text("the other start's key")

    assert environment.kept_secret(path) == "the other start's key"


def test_redis_gives_a_lost_message_back_within_minutes(tmp_path):
    options = environment.broker_options("redis://localhost/0", folder=tmp_path)

    assert options["visibility_timeout"] == 300
    assert not any(tmp_path.iterdir())
