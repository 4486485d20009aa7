"""A small knockout for the tests of the API: one fixture to play, one written at its table."""

from __future__ import annotations

from uuid import uuid4

from clubs.models import Publication, Season, User
from scoring import actions
from scoring.models import TrucoLine
from scoring.rules.truco import Entered
from tests.tournaments.championships import planned, with_sides
from tournaments import actions as plain
from tournaments.meetings import stages_with_fixtures
from tournaments.models import Event, Fixture


def championship(season: Season, by: User) -> tuple[Event, tuple[Fixture, Fixture]]:
    """Four pairs: the first semi-final can be played, the sheet of the second is complete."""
    event = planned(season.club, "groups_knockout")
    plain.remove_fixture_stage(stage=stages_with_fixtures(event)[0], by=None)
    event.season, event.publication = season, Publication.PUBLIC
    event.save()
    stage = stages_with_fixtures(with_sides(event, 4))[0]
    drawn = actions.draw_fixtures(stage=stage, by=None, seed=4821)
    first, second = drawn.fixtures.filter(state="ready").order_by("pk")
    plain.call_fixtures(event=event, chosen=[second.pk], by=None)
    second.refresh_from_db()
    assert second.table is not None
    while second.state != Fixture.State.PLAYED:
        line = Entered(kind=TrucoLine.Kind.GAME, final=(12, 7))
        actions.record_truco_line(table=second.table, entry_key=uuid4(), line=line, by=by)
        second.refresh_from_db()
    return event, (first, second)
