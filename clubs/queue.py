"""The queue may be down: sending a job never fails the one who sends it."""

from __future__ import annotations

import logging
from functools import partial
from typing import Any

from celery.contrib.django.task import DjangoTask
from django.core.cache import cache
from django.db import transaction
from kombu import exceptions as broker
from redis.exceptions import RedisError

log = logging.getLogger(__name__)

#: Seconds for which a job that is asked for again and again is sent once.
SOON = 2

BROKER_IS_DOWN = (
    broker.KombuError,
    broker.ChannelError,
    broker.ConnectionError,
    RedisError,
    OSError,
)


class LenientTask(DjangoTask):  # type: ignore[misc]  # celery has no types
    """A task whose message may be lost without harm: something else makes up for it."""

    def apply_async(self, *args: Any, **options: Any) -> Any:
        """Send the message; a broker that is down is logged and never fails the sender."""
        try:
            return super().apply_async(*args, **options)
        except BROKER_IS_DOWN as fault:
            log.warning("%s was not sent: %s", self.name, fault)
            return None

    def soon_on_commit(self, *args: Any) -> None:
        """Have the job done in a moment, once for all who ask for it until then.

        Whoever comes while a message is on its way has committed before the job begins.
        """
        transaction.on_commit(partial(self._send_once, args))

    def _send_once(self, args: tuple[Any, ...]) -> None:
        if self._is_first(args):
            self.apply_async(args, countdown=SOON)

    def _is_first(self, args: tuple[Any, ...]) -> bool:
        try:
            return cache.add("-".join(["soon", self.name, *map(str, args)]), 1, timeout=SOON)
        except BROKER_IS_DOWN as fault:
            log.warning("%s is not held back: %s", self.name, fault)
            return True
