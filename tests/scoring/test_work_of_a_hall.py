"""What a table asks of PostgreSQL does not grow with what the other tables of a hall have written.

A hall's first evening comes before the database has measured its tables: how it finds their rows
must not depend on that.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection

from scoring.actions.sheets_tarot import ADD_UP
from scoring.models import TarotDeal
from tests.factories import TableFactory
from tests.scoring.conftest import record_on

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]

OTHERS = 200


@pytest.fixture
def full_hall(table, bernard) -> None:
    """Deals of another table, many more than one plays."""
    first = record_on(TableFactory(round=table.round), bernard)
    copied = {name: getattr(first, name) for name in ("table", "taker", "contract", "bouts")}
    TarotDeal.objects.bulk_create(
        TarotDeal(
            **copied, number=n, entry_key=uuid.uuid4(), half_points=98, is_made=True, margin=8
        )
        for n in range(2, OTHERS)
    )


def rows_looked_at(relation: str, sql: str, values: list[Any]) -> int:
    """Carry a statement out, and give how many rows of a relation it went through."""
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {sql}", values)
        [told] = cursor.fetchone()
    [explained] = told if isinstance(told, list) else json.loads(told)
    return sum(
        int(step["Actual Rows"] * step["Actual Loops"])
        for step in steps(explained["Plan"])
        if step.get("Relation Name") == relation
    )


def steps(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for each in plan.get("Plans", ()):
        yield from steps(each)


def test_a_tables_points_are_added_up_from_its_own_deals(table, record, full_hall):
    record()

    looked_at = rows_looked_at("scoring_tarotdeal", ADD_UP, ["standing", table.pk])

    assert looked_at == len(table.seats.all())
