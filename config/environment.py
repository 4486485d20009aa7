"""Readers of environment variables, and of the addresses written in them."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

YES = frozenset({"1", "true", "yes", "on"})
NO = frozenset({"0", "false", "no", "off"})


def text(name: str, default: str = "") -> str:
    """Give the variable without surrounding blanks; an empty one counts as absent."""
    return os.environ.get(name, "").strip() or default


def flag(name: str, *, default: bool) -> bool:
    """Read yes or no; refuses anything that could be either."""
    value = text(name).lower()
    if not value:
        return default
    if value not in YES | NO:
        raise ImproperlyConfigured(f"{name} must be 1 or 0, not “{value}”.")
    return value in YES


def number(name: str, default: int) -> int:
    """Read a whole number that is not negative."""
    value = text(name, str(default))
    if not (value.isascii() and value.isdigit()):
        raise ImproperlyConfigured(f"{name} must be a whole number, not “{value}”.")
    return int(value)


def words(name: str, default: str = "") -> list[str]:
    """Read a list separated by commas."""
    return [word.strip() for word in text(name, default).split(",") if word.strip()]


def secret_key(*, keep_in: Path | None) -> str:
    """Give SECRET_KEY; without one, make it once in the file, or refuse when there is no file."""
    given = text("SECRET_KEY")
    if given:
        return given
    if keep_in is None:
        raise ImproperlyConfigured(
            "SECRET_KEY is missing. Outside the embedded set-up it must be in the environment: "
            "a long random string, the same for every process of this site."
        )
    return kept_secret(keep_in)


def kept_secret(path: Path) -> str:
    """Give the secret in the file, making it first if need be; only its owner may read it."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_name(f"{path.name}.{os.getpid()}")
        draft.touch(mode=0o600)
        draft.write_text(secrets.token_urlsafe(64), encoding="ascii")
        # Two first starts at once must agree on one key: the first link wins, whole.
        try:
            os.link(draft, path)
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    return path.read_text(encoding="ascii")


def database(url: str, *, embedded_file: Path, pool_size: int) -> dict[str, Any]:
    """Read DATABASE_URL: empty is the embedded SQLite file, else ``postgres://`` or ``sqlite:``."""
    if not url:
        return sqlite(embedded_file)
    parts = urlsplit(url)
    if parts.scheme in {"postgres", "postgresql"}:
        return postgres(parts, pool_size=pool_size)
    if parts.scheme == "sqlite":
        return sqlite(Path(unquote(parts.path).removeprefix("/")))
    raise ImproperlyConfigured(
        f"DATABASE_URL begins with “{parts.scheme}:”; it must be postgres:// or sqlite:///."
    )


def sqlite(path: Path) -> dict[str, Any]:
    """Set SQLite up for several processes: a write-ahead log, and writers that queue."""
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": path,
        "OPTIONS": {
            # A transaction that begins as a reader and then writes is refused at once when another
            # writer was quicker; one that begins as a writer waits its turn.
            "transaction_mode": "IMMEDIATE",
            # Shorter than the patience of a phone (static/outbox.js): it hears 503 and comes again.
            "timeout": 10,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
        },
    }


def postgres(parts: SplitResult, *, pool_size: int) -> dict[str, Any]:
    """Set PostgreSQL up with a pool; parts left out of the address are libpq's to find."""
    options: dict[str, Any] = dict(parse_qsl(parts.query))
    if pool_size:
        options["pool"] = {"min_size": min(2, pool_size), "max_size": pool_size, "timeout": 5}
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(parts.path.removeprefix("/")),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": unquote(parts.hostname or ""),
        "PORT": str(parts.port or ""),
        # The pool keeps the connections; a kept one per thread would never give its own back.
        "CONN_MAX_AGE": 0,
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": options,
    }


def mailer(url: str) -> dict[str, Any]:
    """Read SMTP_URL: empty prints mails, else ``smtp://``, ``smtp+tls://`` or ``smtps://``."""
    if not url:
        return {"BACKEND": "django.core.mail.backends.console.EmailBackend"}
    parts = urlsplit(url)
    if parts.scheme not in {"smtp", "smtp+tls", "smtps"}:
        raise ImproperlyConfigured(
            f"SMTP_URL begins with “{parts.scheme}:”; it must be smtp, smtp+tls or smtps."
        )
    return {
        "BACKEND": "django.core.mail.backends.smtp.EmailBackend",
        "OPTIONS": {
            "host": parts.hostname or "localhost",
            "port": parts.port or {"smtp": 25, "smtp+tls": 587, "smtps": 465}[parts.scheme],
            "username": unquote(parts.username or ""),
            "password": unquote(parts.password or ""),
            "use_tls": parts.scheme == "smtp+tls",
            "use_ssl": parts.scheme == "smtps",
            # Shorter than the patience of a phone (static/outbox.js): it hears 503 and comes again.
            "timeout": 10,
        },
    }


def broker_options(url: str, *, folder: Path) -> dict[str, Any]:
    """Give the transport its options: the folders of the file transport, Redis' patience."""
    scheme = urlsplit(url).scheme
    if scheme == "filesystem":
        return filesystem_broker(folder)
    if scheme in {"redis", "rediss"}:
        # A message whose worker was killed comes back after five minutes, not after an hour.
        return {
            "visibility_timeout": 300,
            "unacked_restore_interval": 5,
            "unacked_restore_throttle": 1,
        }
    return {}


def filesystem_broker(folder: Path) -> dict[str, Any]:
    """Make the folders of the file transport; what one process sends the others read."""
    messages, control = folder / "messages", folder / "control"
    for needed in (messages, control):
        needed.mkdir(parents=True, exist_ok=True)
    return {
        "data_folder_in": str(messages),
        "data_folder_out": str(messages),
        "control_folder": str(control),
        "polling_interval": 0.2,
    }
