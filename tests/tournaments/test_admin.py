from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from clubs.models import User
from tests.factories import RoundFactory, TableFactory

pytestmark = pytest.mark.django_db

MODELS = ("event", "round", "table", "entry", "journalline")


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


def test_staff_change_no_result(staff_client, evening):
    table = TableFactory(round=RoundFactory(event=evening), deals_recorded=3)
    page = reverse("admin:tournaments_table_change", args=[table.pk])

    assert staff_client.get(page).status_code == 200
    assert staff_client.post(page, {"deals_recorded": "9"}).status_code == 403
    delete = reverse("admin:tournaments_table_delete", args=[table.pk])
    assert staff_client.post(delete, {"post": "yes"}).status_code == 403


def test_staff_open_an_evening_with_its_rounds_and_entries(staff_client, proposal):
    page = staff_client.get(
        reverse("admin:tournaments_event_change", args=[proposal.event.pk])
    ).content.decode()

    assert "4821" in page
