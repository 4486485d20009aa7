"""Check the stored rounds of an event, knowing nothing of how they were made."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tournaments.checking import Finding, check_event
from tournaments.models import Event


class Command(BaseCommand):
    """``verify_draw 12 --round 3``; without an event every event is checked."""

    help = "Check stored rounds against their roster, the rounds before and who may not meet."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("event", nargs="?", type=int, help="the key of an event; all without")
        parser.add_argument("--round", type=int, help="only the round of this number")

    def handle(self, *args: Any, **options: Any) -> None:
        events = Event.objects.order_by("pk")
        if options["event"] is not None:
            events = events.filter(pk=options["event"])
            if not events:
                raise CommandError(f"There is no event {options['event']}.")
        broken = 0
        for event in events.iterator():
            for finding in check_event(event):
                if options["round"] in (None, finding.round.number):
                    self._say(event, finding)
                    broken += len(finding.broken)
        if broken:
            raise CommandError(f"{broken} promises are broken.")

    def _say(self, event: Event, finding: Finding) -> None:
        what = "sound" if finding.is_sound else "BROKEN"
        self.stdout.write(
            f"event {event.pk} round {finding.round.number} ({finding.round.placement}): {what}, "
            f"{finding.second_meetings} second meetings"
        )
        for each in finding.broken:
            players = ", ".join(map(str, each.players))
            self.stdout.write(f"  {each.code}: {players}" if players else f"  {each.code}")
