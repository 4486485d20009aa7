"""The names of stages: those that a format gives are told in the reader's language."""

from __future__ import annotations

import pytest
from django.utils import translation

from tests.tournaments.championships import planned
from tournaments import actions
from tournaments.meetings import settings_of, stages_with_fixtures
from tournaments.models import Stage

pytestmark = pytest.mark.django_db


def names(event) -> list[str]:
    return [str(stage) for stage in event.stages.order_by("number")]


def test_a_tournament_planned_in_one_language_names_its_stages_in_another(club):
    with translation.override("pt-br"):
        event = planned(club, "jau_2010")

    with translation.override("en"):
        assert names(event) == ["Group stage 1", "Group stage 2", "Knockout"]
    with translation.override("fr"):
        assert "Group stage 1" not in names(event)


def test_a_name_that_somebody_chose_stays_as_it_was_typed(club):
    first = stages_with_fixtures(planned(club, "jau_2010"))[0]

    actions.change_fixture_stage(
        stage=first, by=None, settings=settings_of(first), name="  The great  day "
    )

    with translation.override("fr"):
        assert str(Stage.objects.get(pk=first.pk)) == "The great day"


def test_a_form_that_is_sent_back_unchanged_keeps_the_name_for_all_languages(club):
    first = stages_with_fixtures(planned(club, "jau_2010"))[0]

    with translation.override("fr"):
        actions.change_fixture_stage(
            stage=first, by=None, settings=settings_of(first), name=str(first)
        )

    with translation.override("en"):
        assert str(Stage.objects.get(pk=first.pk)) == "Group stage 1"
