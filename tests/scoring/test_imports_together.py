"""Several directors at one list at once: it is imported once, and taken back once."""

from __future__ import annotations

import uuid

import pytest
from django.core.exceptions import ValidationError

from clubs.models import Player
from scoring import actions
from scoring.imports import read_table
from scoring.models import ResultsImport
from tests.scoring.test_together import at_once
from tournaments.models import Event

pytestmark = pytest.mark.django_db(transaction=True)

LIST = "Joueur;Total\n" + "".join(f"Guest {n:02d};0\n" for n in range(12))


@pytest.fixture
def sent(club, season, owner) -> ResultsImport:
    made = actions.send_list(
        club=club, table=read_table(LIST.encode()), file_name="x", held_on="2026-10-02",
        entry_key=uuid.uuid4(), by=owner,
    )  # fmt: skip
    return ResultsImport.objects.get(pk=made.pk)


def test_a_list_that_is_imported_by_several_at_once_is_one_evening(sent, owner):
    events = at_once([lambda: actions.import_list(sent=sent, by=owner).pk] * 4)

    assert len(set(events)) == 1
    assert Event.objects.count() == 1
    assert Player.objects.filter(name__startswith="Guest").count() == 12


def test_a_list_that_is_taken_back_by_several_at_once_is_gone_once(sent, owner):
    actions.import_list(sent=sent, by=owner)

    at_once([lambda: actions.undo_import(sent=sent, by=owner).state] * 3)

    assert not Event.objects.exists()
    assert not Player.objects.filter(name__startswith="Guest").exists()


def test_a_list_that_is_imported_while_it_is_taken_back_is_one_or_the_other(sent, owner):
    actions.import_list(sent=sent, by=owner)

    def again() -> object:
        try:
            return actions.import_list(sent=sent, by=owner).pk
        except ValidationError as refusal:
            return refusal.code

    at_once([again, lambda: actions.undo_import(sent=sent, by=owner).state, again])

    state = ResultsImport.objects.get(pk=sent.pk).state
    assert Event.objects.exists() == (state == "done")


def test_a_list_that_is_sent_by_several_presses_at_once_is_one_list(club, season, owner):
    key = uuid.uuid4()

    def send() -> object:
        return actions.send_list(
            club=club, table=read_table(LIST.encode()), file_name="x", held_on="2026-10-02",
            entry_key=key, by=owner,
        ).pk  # fmt: skip

    assert len(set(at_once([send] * 4))) == 1
