"""What the form of a truco table says of its fields and buttons is what will be."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape

import pytest
from django.urls import reverse

from rules_engine import truco
from tests.reading import text_of
from tests.scoring.truco import hand, record, truco_table

pytestmark = pytest.mark.django_db


def page_of(table, client) -> str:
    return client.get(reverse("record-deal", args=[table.pk])).text


@pytest.mark.parametrize("name", ["points_a", "points_b", "notation"])
def test_what_is_needed_is_not_called_optional(season, scorer_client, name):
    page = page_of(truco_table(season), scorer_client)

    label = re.search(rf'<label for="id_{name}">(.*?)</label>', page)
    assert label is not None
    assert "optional" not in label[1]
    asked = re.search(rf'<(?:input|textarea)[^>]* name="{name}"[^>]*>', page)
    assert " required" in asked[0]


@pytest.mark.parametrize(("caps", "then"), [(True, 12), (False, 14)])
def test_a_button_tells_the_score_that_the_sheet_will_show(
    season, scorer, scorer_client, caps, then
):
    rules = replace(truco.ruleset("paulista"), cap_score=caps)
    table = truco_table(season, ruleset=rules)
    for _ in range(3):
        record(table, scorer, hand("a", 3))
    for _ in range(2):
        record(table, scorer, hand("a", 1))

    page = page_of(table, scorer_client)

    assert f"11 → {then}" in unescape(page)
    record(table, scorer, hand("a", 3))
    sheet = text_of(scorer_client.get(reverse("sheet", args=[table.pk])))
    assert f"{then}–0" in sheet
