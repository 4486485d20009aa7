"""A database that somebody else holds: the answer is "in a moment", and nothing is written."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from scoring.models import TarotDeal
from tests.factories import EventFactory, RoundFactory, TableFactory
from tests.scoring.conftest import answers

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def table(season):
    return TableFactory(round=RoundFactory(event=EventFactory(season=season, running=True)))


@pytest.fixture
def patient_client(scorer) -> Client:
    """A visitor who sees the answer as a browser would."""
    client = Client(raise_request_exception=False)
    client.force_login(scorer)
    return client


@pytest.fixture
def held(monkeypatch):
    """Hold the database's only turn to write, as another process would, and wait a moment only."""
    if connection.vendor != "sqlite":
        pytest.skip("PostgreSQL locks rows")
    # Also for a connection that a request opens by itself.
    monkeypatch.setitem(connection.settings_dict["OPTIONS"], "timeout", 0.05)
    connection.close()
    name = str(connection.settings_dict["NAME"])
    with closing(sqlite3.connect(name, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield other
        other.execute("ROLLBACK")


@pytest.fixture
def form(table) -> dict:
    return answers(table)


def test_a_row_is_answered_in_a_moment_and_is_written_when_it_comes_again(
    patient_client, table, form, held
):
    address = reverse("record-deal", args=[table.pk])

    answer = patient_client.post(address, form, headers={"HX-Request": "true"})

    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "2")
    # Without the row's key the phone keeps it, and sends it again by itself.
    assert "Entry-Key" not in answer.headers
    assert not TarotDeal.objects.exists()

    held.execute("ROLLBACK")
    assert patient_client.post(address, form).status_code == 302
    held.execute("BEGIN IMMEDIATE")
    assert TarotDeal.objects.count() == 1


def test_a_page_that_was_sent_says_that_nothing_was_saved(patient_client, table, form, held):
    answer = patient_client.post(reverse("record-deal", args=[table.pk]), form)

    assert answer.status_code == 503
    assert "Nothing was saved." in answer.content.decode()
    assert answer.headers["Cache-Control"] == "no-store"


def test_the_api_answers_in_its_own_shape(patient_client, table, held):
    address = reverse("v1:table-call", args=[table.pk])

    answer = patient_client.post(address, {"reason": "points"}, content_type="application/json")

    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "2")
    assert answer.json()["code"] == "busy"


def test_whoever_only_reads_is_not_kept_waiting(patient_client, table, held):
    assert patient_client.get(reverse("sheet", args=[table.pk])).status_code == 200
