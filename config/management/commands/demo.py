"""Fills the database with the demo club: ``python manage.py demo``."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from celery import current_app
from django.core.management.base import BaseCommand
from django.db import transaction
from django.utils import timezone, translation

from clubs.models import Club
from config import demo


class Command(BaseCommand):
    help = "Fills the database with the demo club; changes nothing when it is there."

    #: Address, password and role of each account, for whoever starts the demo.
    accounts = [(address, demo.PASSWORD, str(role)) for address, _name, role in demo.ACCOUNTS]

    def handle(self, *args: Any, **options: Any) -> None:
        if Club.objects.filter(slug=demo.SLUG).exists():
            self.stdout.write("The demo club is already there; nothing was changed.")
        else:
            with translation.override("en"), jobs_done_here(), transaction.atomic():
                demo.build(at=timezone.now())
            self.stdout.write(self.style.SUCCESS("The demo club is ready."))
        for address, password, role in self.accounts:
            self.stdout.write(f"  {role}: {address}, password {password}")


@contextmanager
def jobs_done_here() -> Iterator[None]:
    """Let the tasks run in this process: the leaderboards are there without a worker."""
    conf, trace = current_app.conf, logging.getLogger("celery.app.trace")
    before = conf.task_always_eager, conf.task_eager_propagates, trace.level
    conf.update(task_always_eager=True, task_eager_propagates=True)
    trace.setLevel(logging.WARNING)  # one line for each of hundreds of deals
    try:
        yield
    finally:
        conf.update(task_always_eager=before[0], task_eager_propagates=before[1])
        trace.setLevel(before[2])
