"""Two directors at the fixtures of one tournament at once: the database puts them in order."""

from __future__ import annotations

import pytest

from clubs.models import User
from scoring import actions
from tests.tournaments.championships import planned, with_sides
from tests.tournaments.test_two_directors import together
from tournaments import actions as plain
from tournaments.meetings import stages_with_fixtures
from tournaments.models import Fixture, Round, Stage
from tournaments.rules import Conflict

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def stage(club) -> Stage:
    event = with_sides(planned(club, "knockout"), 8)
    return stages_with_fixtures(event)[0]


def test_two_who_draw_at_once_leave_one_draw(stage, director: User, owner: User):
    answers = together(
        lambda: actions.draw_fixtures(stage=stage, by=director, instead=-1),
        lambda: actions.draw_fixtures(stage=stage, by=owner, instead=-1),
    )

    assert sum(isinstance(answer, Conflict) for answer in answers) == 1
    assert stage.fixtures.count() == 4
    assert stage.event.journal.filter(kind="fixtures_drawn").count() == 1


def test_two_results_at_once_are_one_and_a_refusal(stage, director: User, owner: User):
    drawn = actions.draw_fixtures(stage=stage, by=director, seed=1)
    row = drawn.fixtures.first()

    answers = together(
        lambda: actions.decide_fixture(
            fixture=row, by=director, ending="played", winner="home", scores=[(12, 1)]
        ),
        lambda: actions.decide_fixture(
            fixture=row, by=owner, ending="played", winner="away", scores=[(1, 12)]
        ),
    )

    assert sum(isinstance(answer, Conflict) for answer in answers) == 1
    assert stage.event.journal.filter(kind="fixture_decided").count() == 1


def test_two_who_call_at_once_seat_everybody_once(stage, director: User, owner: User):
    drawn = actions.draw_fixtures(stage=stage, by=director, seed=1)
    chosen = list(drawn.fixtures.values_list("pk", flat=True))

    together(
        *[
            lambda by=by: plain.call_fixtures(event=stage.event, chosen=chosen, by=by)
            for by in (director, owner)
        ]
    )

    assert Round.objects.get().tables.count() == 4
    assert Fixture.objects.filter(state="playing").count() == 4


def test_two_who_pair_the_next_round_at_once_pair_it_once(stage, director: User, owner: User):
    drawn = actions.draw_fixtures(stage=stage, by=director, seed=1)
    for row in drawn.fixtures.all():
        actions.decide_fixture(
            fixture=row, by=None, ending="played", winner="home", scores=[(12, 1)]
        )

    together(
        *[
            lambda by=by: actions.pair_next_round(stage=drawn, by=by, after=1)
            for by in (director, owner)
        ]
    )

    assert stage.fixtures.filter(wave=2).count() == 2
