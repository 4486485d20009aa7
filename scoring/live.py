"""The state of pages that show standings: of the event, and of what still waits to be counted."""

from __future__ import annotations

from django.db.models import Count, F, Max, OuterRef, Subquery, Sum

from scoring.models import StaleStandings
from tournaments.live import state_of_event
from tournaments.models import Fixture, Table


def state_of_standings(pk: int) -> object:
    """Give, by one read, what the standings of an event and its brackets depend on."""
    marks = StaleStandings.objects.filter(event=OuterRef("pk")).order_by().values("event")
    waiting = Table.objects.filter(round__event=OuterRef("pk")).with_rows_waiting().order_by()
    unconfirmed = waiting.values("round__event").annotate(
        # Another table with as many rows is another state.
        found=Sum(F("unconfirmed") * F("pk"))
    )
    of_event = Fixture.objects.filter(stage__event=OuterRef("pk")).order_by()
    fixtures = of_event.values("stage__event")
    return state_of_event(
        pk,
        marks=Subquery(marks.annotate(found=Count("pk")).values("found")),
        last_mark=Subquery(marks.annotate(found=Max("pk")).values("found")),
        unconfirmed=Subquery(unconfirmed.values("found")),
        fixtures=Subquery(fixtures.annotate(found=Count("pk")).values("found")),
        decided=Subquery(fixtures.annotate(found=Count("decided_at")).values("found")),
        last_decided=Subquery(fixtures.annotate(found=Max("decided_at")).values("found")),
        called=Subquery(fixtures.annotate(found=Count("table")).values("found")),
        last_changed=Subquery(fixtures.annotate(found=Max("changed_at")).values("found")),
    )
