from __future__ import annotations

from datetime import timedelta

import pytest

from tests.factories import EntryFactory, EventFactory, RoundFactory, TableFactory
from tournaments import history
from tournaments.models import SitOut

pytestmark = pytest.mark.django_db


def test_tonight_s_rounds_are_told_in_order_as_they_were_played(evening, players):
    a, b, c, d, e = players(5)
    first = RoundFactory(event=evening, closed=True)
    TableFactory(round=first, players=[a, b, c, d])
    resting = EntryFactory(event=evening, player=e)
    SitOut.objects.create(round=first, entry=resting)
    second = RoundFactory(event=evening)
    TableFactory(round=second, players=[e, d, c])

    one, two = history.rounds_of_tonight(evening)

    assert one.tables == ((a.pk, b.pk, c.pk, d.pk),)
    assert one.sat_out == (e.pk,)
    assert two.tables == ((e.pk, d.pk, c.pk),)


def test_a_proposal_is_not_history(evening):
    TableFactory(round=RoundFactory(event=evening, drawn=True))

    assert history.rounds_of_tonight(evening) == ()


def test_the_last_evenings_of_the_season_are_remembered_oldest_first(evening, season, players):
    told = []
    for weeks in (1, 2, 3, 4):
        past = EventFactory(season=season, starts_at=evening.starts_at - timedelta(weeks=weeks))
        four = players(4)
        TableFactory(round=RoundFactory(event=past, closed=True), players=four)
        told.insert(0, (tuple(player.pk for player in four),))
    TableFactory(round=RoundFactory(event=EventFactory(starts_at=evening.starts_at)))

    remembered = history.rounds_of_earlier_evenings(evening)

    assert [past.tables for past in remembered] == told[-history.EVENINGS_REMEMBERED :]


def test_evenings_that_began_together_are_remembered_in_the_order_they_were_entered(
    evening, season, players
):
    told = []
    for _ in range(2):
        past = EventFactory(season=season, starts_at=evening.starts_at - timedelta(weeks=1))
        four = players(4)
        TableFactory(round=RoundFactory(event=past, closed=True), players=four)
        told.append((tuple(player.pk for player in four),))

    remembered = history.rounds_of_earlier_evenings(evening)

    assert [past.tables for past in remembered] == told


def test_history_takes_the_same_number_of_queries_however_long(evening, django_assert_num_queries):
    for _ in range(3):
        TableFactory(round=RoundFactory(event=evening, closed=True))

    with django_assert_num_queries(3):
        history.rounds_of_tonight(evening)
