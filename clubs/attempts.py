"""How often something was tried lately, counted in the cache; slows down guessing.

With Redis every process sees the same count; in the embedded set-up there is one web process.
"""

from __future__ import annotations

import hashlib
import logging
from dataclasses import dataclass

from django.core.cache import cache
from django.http import HttpRequest
from redis.exceptions import RedisError
from rest_framework.throttling import BaseThrottle

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """So many attempts in so many seconds, counted from the first."""

    name: str
    most: int
    seconds: int

    def _key(self, who: str) -> str:
        # Addresses of people do not belong into a cache in clear text.
        return f"attempts:{self.name}:{hashlib.sha256(who.encode()).hexdigest()}"

    def is_reached(self, who: str) -> bool:
        """Has this one used up the attempts?"""
        try:
            return int(cache.get(self._key(who), 0)) >= self.most
        except RedisError as fault:  # without the cache nobody is locked out
            log.warning("Attempts are not counted: %s", fault)
            return False

    def count(self, who: str) -> None:
        """Remember one more attempt."""
        key = self._key(who)
        try:
            cache.add(key, 0, self.seconds)
            cache.incr(key)
        except ValueError:  # it ran out between the two lines
            cache.set(key, 1, self.seconds)
        except RedisError as fault:
            log.warning("Attempts are not counted: %s", fault)

    def forget(self, who: str) -> None:
        """Start from zero again, after a success."""
        try:
            cache.delete(self._key(who))
        except RedisError as fault:
            log.warning("Attempts are not forgotten: %s", fault)


def address_of(request: HttpRequest) -> str:
    """The visitor's network address, past as many proxies as the settings say."""
    return BaseThrottle().get_ident(request) or ""  # type: ignore[arg-type]  # reads META only


QUARTER = 15 * 60
# One person at one place; one account from anywhere; one place with any account.
SAME_ACCOUNT_AND_ADDRESS = Limit(name="sign-in", most=10, seconds=QUARTER)
SAME_ACCOUNT = Limit(name="sign-in-account", most=100, seconds=QUARTER)
SAME_ADDRESS = Limit(name="sign-in-address", most=200, seconds=QUARTER)
# Accounts, clubs and mails that one place may ask for.
NEW_ACCOUNTS = Limit(name="sign-up", most=30, seconds=QUARTER)
RESET_MAILS = Limit(name="password-reset", most=10, seconds=QUARTER)


def _wrong_passwords(email: str, request: HttpRequest | None) -> tuple[tuple[Limit, str], ...]:
    address = address_of(request) if request is not None else ""
    email = email.strip().lower()
    return (
        (SAME_ACCOUNT_AND_ADDRESS, f"{email} {address}"),
        (SAME_ACCOUNT, email),
        (SAME_ADDRESS, address),
    )


def is_blocked(email: str, request: HttpRequest | None) -> bool:
    """Have too many wrong passwords come for this account, or from this place?"""
    return any(limit.is_reached(who) for limit, who in _wrong_passwords(email, request))


def count_wrong(email: str, request: HttpRequest | None) -> None:
    """Remember a wrong password."""
    for limit, who in _wrong_passwords(email, request):
        limit.count(who)


def forget_wrong(email: str, request: HttpRequest | None) -> None:
    """The right password at this place makes up for the wrong ones there."""
    limit, who = _wrong_passwords(email, request)[0]
    limit.forget(who)
