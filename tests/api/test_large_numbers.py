"""Numbers that no column holds: whoever asks for such a row is told that there is none."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from drf_spectacular.generators import SchemaGenerator
from rest_framework.test import APIClient

pytestmark = pytest.mark.django_db

LARGE = 10**23


def asked_with_a_large_number() -> Iterator[tuple[str, dict[str, int]]]:
    """Each address of the API that is read, and each number that it may be asked with."""
    paths = SchemaGenerator().get_schema(public=True)["paths"]
    read = {address: of["get"] for address, of in paths.items() if "get" in of}
    for address, operation in read.items():
        parameters = operation.get("parameters", ())
        path = address.format_map(
            {each["name"]: _given(each) for each in parameters if each["in"] == "path"}
        )
        yield path, {}
        yield from ((path, {each["name"]: LARGE}) for each in parameters if each["in"] == "query")


def _given(parameter: dict[str, Any]) -> int | str:
    return LARGE if parameter["schema"]["type"] == "integer" else "none"


def test_a_number_that_is_too_large_finds_nothing_and_breaks_nothing(member):
    api = APIClient()
    api.force_authenticate(member)

    answers = {
        (path, *query): api.get(path, query).status_code
        for path, query in asked_with_a_large_number()
    }

    assert set(answers.values()) <= {200, 400, 404}
    assert answers["/api/v1/events/", "season"] == 200
