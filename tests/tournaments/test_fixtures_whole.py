"""Whole tournaments of fixtures by actions: every format with every size, to the champion."""

from __future__ import annotations

import os

import pytest
from django.core.exceptions import ValidationError

from tests.tournaments.championships import (
    broken_promises,
    planned,
    play_everything,
    with_sides,
)
from tournaments.fixtures import PRESETS
from tournaments.meetings import meetings_of, stages_with_fixtures
from tournaments.models import Fixture

pytestmark = pytest.mark.django_db

SMALL, LARGE = (2, 3, 4, 5, 7, 10), (13, 32, 42, 52, 62, 80)
#: So many pairs that as many are in every group as go on from it.
FEWEST = {"jau_2010": 24, "jau_2022": 4}
SIZES = (*SMALL, *LARGE) if os.environ.get("MANY_CHAMPIONSHIPS") else (*SMALL, 13)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("code", PRESETS)
def test_every_format_leads_from_any_number_of_pairs_to_its_end(code: str, size: int, club):
    event = with_sides(planned(club, code), size)
    if size < FEWEST.get(code, 0):
        with pytest.raises(ValidationError, match=r"cannot go on from it|do not make 4 groups"):
            play_everything(event, seed=size)
        return

    play_everything(event, seed=size)

    stages = stages_with_fixtures(event)
    for stage in stages:
        assert broken_promises(stage) == []
    assert not Fixture.objects.filter(stage__event=event).exclude(state="done").exists()
    last = meetings_of(stages[-1])
    if last.now.champion is not None:
        champion = event.entries.get(pk=last.now.champion)
        assert champion.place == 1
    assert all(entry.place for entry in event.entries.all() if entry.deals_played)


def test_jau_2020_goes_from_52_pairs_to_28_to_16(club):
    event = with_sides(planned(club, "jau_2020"), 52)

    play_everything(event, seed=2020)

    first, second, knockout = stages_with_fixtures(event)
    assert len({row.section for row in first.fixtures.all()}) == 13
    assert len({row.section for row in second.fixtures.all()}) == 7
    there = {side for row in second.fixtures.all() for side in (row.home_id, row.away_id) if side}
    assert len(there) == 28
    last = {side for row in knockout.fixtures.filter(wave=1) for side in (row.home_id, row.away_id)}
    assert len(last) == 16
    assert event.entries.filter(place=1).count() == 1
    assert event.entries.get(place=1).pk == meetings_of(knockout).now.champion
