"""Whatever a page sends is done once, though it arrives twice: read from the pages."""

from __future__ import annotations

from types import SimpleNamespace
from uuid import uuid4

import pytest
from django.apps import apps
from django.core.cache import cache
from django.db import transaction
from django.test import Client
from django.urls import reverse

from tests.forms_of_pages import Form, pages_with_forms, seated_phone
from tests.test_permissions import world  # noqa: F401 - a fixture
from tests.test_phones import client_with
from tournaments.models import Table

pytestmark = pytest.mark.django_db

#: Words for what somebody has to write.
WRITTEN = {"name": "Zoé", "note": "a card fell", "reason": "because", "new-rounds_planned": "2"}


def everything() -> dict[str, list[tuple]]:
    """Give every row, but for who is signed in."""
    models = [model for model in apps.get_models() if model._meta.app_label != "sessions"]
    return {model._meta.label: sorted(model.objects.values_list(), key=str) for model in models}


def sent(client: Client, form: Form) -> tuple[bool, bool]:
    """Send a form twice by one press: was it done, and did the second arrival change nothing?"""
    fields: dict[str, list[str]] = {}
    for name, value in form.fields:
        fields.setdefault(name, []).append(value or WRITTEN.get(name, ""))
    press = {"Sending-Key": uuid4().hex}
    with transaction.atomic():
        way_on = client.post(form.action, fields, headers=press).headers.get("Leads-To")
        is_once = way_on is None
        if way_on:
            after = everything()
            again = client.post(form.action, fields, headers=press)
            is_once = again.headers.get("Leads-To") == way_on and everything() == after
        transaction.set_rollback(True)
    cache.clear()
    return way_on is not None, is_once


def all_sent_by(client: Client, world: SimpleNamespace) -> set[str]:  # noqa: F811
    """Send each form of each page twice; give the addresses that took theirs."""
    done = set()
    for page, forms in pages_with_forms(client, world).items():
        for form in forms:
            is_done, is_once = sent(client, form)
            assert is_once, (page, form)
            done |= {form.action} if is_done else set()
    return done


@pytest.fixture
def played(world: SimpleNamespace) -> SimpleNamespace:  # noqa: F811
    """The world, with a table that knows of its deal."""
    Table.objects.filter(pk=world.table.pk).update(version=1, deals_recorded=1)
    return world


def test_what_a_director_sends_is_done_once(owner_client, played):
    assert len(all_sent_by(owner_client, played)) > 30


def test_what_a_phone_sends_is_done_once(played):
    done = all_sent_by(client_with(seated_phone(played)), played)

    assert reverse("call-referee", args=[played.table.pk]) in done
