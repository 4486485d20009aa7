"""The queue may be down: sending a job never fails the one who sends it."""

from __future__ import annotations

import logging
from typing import Any

from celery.contrib.django.task import DjangoTask
from kombu import exceptions as broker
from redis.exceptions import RedisError

log = logging.getLogger(__name__)

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
