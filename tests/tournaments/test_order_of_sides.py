"""A pair is named in the order in which it entered, on every page the same."""

from __future__ import annotations

import pytest

from tests.factories import EventFactory
from tournaments import actions
from tournaments.models import Entry, Event

pytestmark = pytest.mark.django_db


@pytest.fixture
def pair(season) -> Entry:
    """Zeca and Ana, who have played together before with Ana named first."""
    for first, second in (("Ana Alves", "Zeca Lima"), ("Zeca Lima", "Ana Alves")):
        event = EventFactory(
            season=season, kind=Event.Kind.TOURNAMENT, game=Event.Game.TRUCO,
            entrants=Event.Entrants.PAIRS,
        )  # fmt: skip
        entry = actions.enter_player(event=event, by=None, name=first, partners=[second])
    return Entry.objects.get(pk=entry.pk)


def test_the_order_is_that_of_the_entry_however_it_is_read(pair):
    entries = Entry.objects.filter(pk=pair.pk)
    reads = (entries, entries.for_desk(), entries.for_standings(), entries.with_sides())
    assert {str(read.get()) for read in reads} == {"Zeca Lima & Ana Alves"}


def test_the_order_stays_where_both_entries_are_read_at_once(pair):
    both = Entry.objects.order_by("pk").for_desk()
    assert [str(each) for each in both] == ["Ana Alves & Zeca Lima", "Zeca Lima & Ana Alves"]
