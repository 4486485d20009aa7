"""The staff's pages of deals and rankings: find and look, change nothing."""

from __future__ import annotations

import uuid

import pytest

from scoring import tasks
from scoring.models import (
    Confirmation,
    PaperJob,
    SheetEvent,
    StaleRanking,
    TarotDeal,
    TrucoLine,
)
from tests.factories import PlayerFactory, UserFactory
from tests.scoring import paper

MODELS = (
    "tarotdeal", "trucoline", "confirmation", "sheetevent", "ranking", "rankingrow", "paperjob",
    "stalestandings", "staleranking",
)  # fmt: skip


@pytest.fixture
def staff_client(db, client_of):
    return client_of(UserFactory(is_staff=True, is_superuser=True))


@pytest.fixture
def deals(season):
    players = PlayerFactory.create_batch(4, club=season.club)
    event = paper.evening(season, players)
    table = paper.sit(event, players)[0]
    written = [paper.write(table, 30, -10, -10, -10) for _ in range(3)]
    SheetEvent.objects.create(table=table, deal=written[0], kind="recorded")
    TrucoLine.objects.create(table=table, number=1, entry_key=uuid.uuid4(), points=1, winner="a")
    Confirmation.objects.create(
        table=table, table_version=1, seat=table.seats.first(), answer="objects"
    )
    PaperJob.objects.create(event=event, order={"document": "sheets"}, file=b"%PDF-")
    paper.close(event)
    tasks.refresh_standings(event.pk)
    tasks.refresh_ranking(season.pk)
    paper.stale(table)
    StaleRanking.objects.create(season=season)
    return written


@pytest.mark.usefixtures("deals")
@pytest.mark.parametrize("model", MODELS)
def test_staff_finds_and_looks_and_changes_nothing(staff_client, model):
    listed = staff_client.get(f"/admin/scoring/{model}/")
    added = staff_client.get(f"/admin/scoring/{model}/add/")

    assert (listed.status_code, added.status_code) == (200, 403)


def test_a_deal_is_shown_with_what_it_gave_and_cannot_be_overwritten(staff_client, deals):
    address = f"/admin/scoring/tarotdeal/{deals[0].pk}/"

    shown = staff_client.get(address + "change/")
    changed = staff_client.post(address + "change/", {"bouts": "3"})
    deleted = staff_client.post(address + "delete/", {"post": "yes"})

    assert b"-10" in shown.content
    assert (changed.status_code, deleted.status_code) == (403, 403)
    assert TarotDeal.objects.get(pk=deals[0].pk).bouts == deals[0].bouts


@pytest.mark.usefixtures("deals")
def test_the_list_of_deals_costs_the_same_however_many(staff_client, django_assert_max_num_queries):
    with django_assert_max_num_queries(9):
        staff_client.get("/admin/scoring/tarotdeal/")
