"""Counts all rankings from the sheets on: ``python manage.py rebuild_rankings``."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from clubs.models import Club
from scoring import tasks
from scoring.management.progress import Progress
from scoring.models import CountingJob


class Command(BaseCommand):
    help = (
        "Counts the rankings of all clubs, or of one, from the sheets on. "
        "The club’s page of its rankings shows the same progress."
    )
    kind = CountingJob.Kind.REBUILD

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--club", help="the address of one club: les-remparts")

    def handle(self, *args: Any, **options: Any) -> None:
        club = None
        if options["club"]:
            club = Club.objects.filter(slug=options["club"]).first()
            if club is None:
                raise CommandError(f"There is no club {options['club']}.")
        job = CountingJob.objects.create(kind=self.kind, club=club)
        progress = Progress(self.stdout, "evenings")
        tasks.run_counting_job(
            job, tell=lambda job: progress.tell(job.evenings_done, job.evenings_total)
        )
        self.report(job)

    def report(self, job: CountingJob) -> None:
        """Say what came out; what could not be counted is an error."""
        for finding in job.findings:
            self.stdout.write(self.style.ERROR(str(finding)))
        if job.findings_count:
            raise CommandError(f"{job.findings_count} rankings could not be counted.")
        self.stdout.write(self.style.SUCCESS("All rankings are counted."))
