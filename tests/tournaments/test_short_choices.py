"""What a form lets choose is read whole on a usual phone, where a box holds some forty letters."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

import pytest
from django.conf import settings
from django.utils import translation

from tournaments.forms import evenings, fixtures

MOST = 46
CHOICES: Iterable[tuple[object, object]] = chain(
    *(each.items() for each in (evenings.PRESETS, evenings.TRUCO_PRESETS, fixtures.RULES)),
    evenings.SIDES_WORDS,
    evenings.MEETING_POINTS,
)
LABELS = [label for _key, label in CHOICES]


@pytest.mark.parametrize("language", [code for code, _name in settings.LANGUAGES])
def test_house_rules_sides_and_points_are_said_shortly(language):
    with translation.override(language):
        assert [str(label) for label in LABELS if len(str(label)) > MOST] == []
