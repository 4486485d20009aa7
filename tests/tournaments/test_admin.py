from __future__ import annotations

import pytest
from django.db.models import Model
from django.test import Client
from django.urls import reverse

from clubs.models import User
from tests.factories import EntryFactory, EventFactory, PhoneFactory, RoundFactory, TableFactory
from tournaments.models import (
    Event,
    Fixture,
    ProhibitedPair,
    RefereeCall,
    ResultVersion,
    Ruling,
    Stage,
    Team,
)

pytestmark = pytest.mark.django_db

MODELS = (
    "event", "cancelledevent", "stage", "fixture", "round", "table", "entry", "team",
    "prohibitedpair", "refereecall",
    "ruling", "resultversion", "joinlink", "phone", "journalline",
)  # fmt: skip


@pytest.fixture
def staff_client() -> Client:
    client = Client()
    client.force_login(User.objects.create_superuser("staff@example.org", "seven of trumps"))
    return client


@pytest.mark.parametrize("model", MODELS)
def test_staff_find_and_read(staff_client, proposal, model):
    listed = staff_client.get(reverse(f"admin:tournaments_{model}_changelist"), {"q": "a"})

    assert listed.status_code == 200
    assert staff_client.get(reverse(f"admin:tournaments_{model}_add")).status_code == 403


@pytest.fixture
def rows(evening) -> dict[str, Model]:
    """One row of what an evening may have besides its rounds."""
    one, other = EntryFactory.create_batch(2, event=evening)
    stage = Stage.objects.create(event=evening, number=1, kind="knockout", rounds_planned=1)
    table = TableFactory(round=RoundFactory(event=evening))
    phone = PhoneFactory(link__event=evening, event=evening)
    return {
        "stage": stage,
        "fixture": Fixture.objects.create(
            stage=stage, code="W1-1", section="W", round=1, order=1, home_from="seed:1",
            away_from="seed:2", home=one, away=other,
        ),
        "team": Team.objects.create(event=evening, name="Les Rois"),
        "prohibitedpair": ProhibitedPair.objects.create(event=evening, one=one, other=other),
        "refereecall": RefereeCall.objects.create(table=table),
        "ruling": Ruling.objects.create(event=evening, kind="decision", fault="other", entry=one),
        "resultversion": ResultVersion.objects.create(event=evening, number=1, lines=[]),
        "joinlink": phone.link,
        "phone": phone,
    }  # fmt: skip


def test_staff_read_each_of_them_and_change_none(staff_client, rows):
    for model, row in rows.items():
        page = reverse(f"admin:tournaments_{model}_change", args=[row.pk])
        delete = reverse(f"admin:tournaments_{model}_delete", args=[row.pk])

        assert staff_client.get(page).status_code == 200
        assert staff_client.post(page, {"name": "Valets"}).status_code == 403
        assert staff_client.post(delete, {"post": "yes"}).status_code == 403


def test_staff_do_not_read_what_is_in_the_address_of_a_link(staff_client, rows):
    for model in ("joinlink", "phone"):
        row = rows[model]
        for name, args in (("change", [row.pk]), ("changelist", [])):
            page = staff_client.get(reverse(f"admin:tournaments_{model}_{name}", args=args))

            assert str(row.key) not in page.text


def test_staff_change_no_result(staff_client, evening):
    table = TableFactory(round=RoundFactory(event=evening), deals_recorded=3)
    page = reverse("admin:tournaments_table_change", args=[table.pk])

    assert staff_client.get(page).status_code == 200
    assert staff_client.post(page, {"deals_recorded": "9"}).status_code == 403
    delete = reverse("admin:tournaments_table_delete", args=[table.pk])
    assert staff_client.post(delete, {"post": "yes"}).status_code == 403


def test_staff_do_not_move_an_evening_that_was_counted(staff_client, season):
    event = EventFactory(season=season, closed=True)
    page = reverse("admin:tournaments_event_change", args=[event.pk])

    answer = staff_client.post(page, {"starts_at_0": "2026-10-01", "starts_at_1": "20:00"})

    assert answer.status_code == 403
    assert Event.objects.get(pk=event.pk).starts_at == event.starts_at


def test_staff_open_an_evening_with_its_rounds_and_entries(staff_client, proposal):
    page = staff_client.get(
        reverse("admin:tournaments_event_change", args=[proposal.event.pk])
    ).content.decode()

    assert "4821" in page
