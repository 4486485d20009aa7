"""Replays everything and reports what differs: ``python manage.py audit_rankings``."""

from __future__ import annotations

from django.core.management.base import CommandError

from scoring.management.commands import rebuild_rankings
from scoring.models import CountingJob


class Command(rebuild_rankings.Command):
    help = (
        "Counts standings and rankings of all clubs, or of one, again from the sheets and "
        "reports every difference to what is written down. What differs is counted anew."
    )
    kind = CountingJob.Kind.AUDIT

    def report(self, job: CountingJob) -> None:
        """Say what differs; a difference is an error."""
        for finding in job.findings:
            self.stdout.write(self.style.ERROR(str(finding)))
        if job.findings_count:
            raise CommandError(f"{job.findings_count} differences were found.")
        self.stdout.write(self.style.SUCCESS("Nothing differs."))
