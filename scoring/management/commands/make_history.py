"""Fills the database with a plausible past: ``python manage.py make_history --deals 10000``."""

from __future__ import annotations

import time
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from scoring import plausible, tasks
from scoring.management.progress import Progress
from scoring.models import CountingJob


class Command(BaseCommand):
    help = (
        "Fills the database with a plausible past of made-up clubs, for trials and measurements. "
        "Nobody else may write meanwhile."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--clubs", type=int, default=1)
        parser.add_argument("--players", type=int, default=40, help="in each club")
        parser.add_argument("--deals", type=int, default=10_000, help="in all clubs together")
        parser.add_argument(
            "--without-rankings", action="store_true", help="leave the rankings to be built later"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        order = plausible.Order(
            clubs=options["clubs"], players=options["players"], deals=options["deals"]
        )
        if min(order.clubs, order.tables, order.deals) < 1:
            raise CommandError("At least one club, four players and one deal are needed.")
        began = time.monotonic()
        progress = Progress(self.stdout, "evenings")
        plausible.make(order, tell=progress.tell)
        if not options["without_rankings"]:
            job = CountingJob.objects.create(kind=CountingJob.Kind.REBUILD)
            counting = Progress(self.stdout, "evenings counted")
            tasks.run_counting_job(
                job, tell=lambda job: counting.tell(job.evenings_done, job.evenings_total)
            )
        taken = time.monotonic() - began
        self.stdout.write(
            self.style.SUCCESS(
                f"{order.clubs} clubs with {order.evenings} evenings in {taken:.0f} seconds."
            )
        )
