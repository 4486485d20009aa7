"""The API's manual: a page made from the schema, on the server.

Tried under our content policy: ReDoc breaks (it writes styles into the page), Swagger UI runs but
is more than four megabytes of script in one language. This page needs no script at all.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from drf_spectacular.generators import SchemaGenerator

VERBS = ("get", "post", "put", "patch", "delete")


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """A field of a body, a parameter or an answer."""

    name: str
    kind: str
    note: str
    is_required: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A status code with the name of the shape it brings."""

    code: str
    shape: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One thing that can be asked of the API."""

    key: str
    verb: str
    address: str
    summary: str
    text: str
    parameters: tuple[Field, ...]
    body: str
    answers: tuple[Answer, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """A named object of the schema."""

    name: str
    text: str
    fields: tuple[Field, ...]


@require_safe
def docs(request: HttpRequest) -> HttpResponse:
    """Show every address with what it takes and answers."""
    return render(request, "api/docs.html", manual())


@lru_cache(maxsize=1)
def manual() -> dict[str, Any]:
    """Read the schema once in the life of the process."""
    generator = SchemaGenerator(api_version="v1")  # type: ignore[no-untyped-call]
    schema = generator.get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    return {
        "title": schema["info"]["title"],
        "version": schema["info"]["version"],
        "operations": tuple(_operations(schema)),
        "shapes": tuple(_shapes(schema)),
    }


def _operations(schema: dict[str, Any]) -> Iterator[Operation]:
    for address, item in schema["paths"].items():
        for verb in VERBS:
            if verb in item:
                yield _operation(address, verb, item[verb])


def _operation(address: str, verb: str, told: dict[str, Any]) -> Operation:
    bodies = told.get("requestBody", {}).get("content", {})
    return Operation(
        key=told["operationId"],
        verb=verb.upper(),
        address=address,
        summary=told.get("summary", told["operationId"]),
        text=told.get("description", ""),
        parameters=tuple(
            Field(
                name=each["name"],
                kind=_kind(each["schema"]),
                note=each.get("description", ""),
                is_required=each.get("required", False),
            )
            for each in told.get("parameters", ())
        ),
        body=next((_kind(body["schema"]) for body in bodies.values()), ""),
        answers=tuple(
            Answer(
                code=code,
                shape=next((_kind(c["schema"]) for c in answer.get("content", {}).values()), ""),
            )
            for code, answer in told["responses"].items()
        ),
    )


def _shapes(schema: dict[str, Any]) -> Iterator[Shape]:
    for name, told in schema["components"]["schemas"].items():
        if "properties" in told:
            required = set(told.get("required", ()))
            yield Shape(
                name=name,
                text=told.get("description", ""),
                fields=tuple(
                    Field(
                        name=field,
                        kind=_kind(kind),
                        note=kind.get("description", "").split("\n")[0],
                        is_required=field in required,
                    )
                    for field, kind in told["properties"].items()
                ),
            )
        elif "enum" in told:
            words = ", ".join(str(word) for word in told["enum"])
            yield Shape(name=name, text=words, fields=())


def _kind(told: dict[str, Any]) -> str:
    """Say in a few words what a value is."""
    if "$ref" in told:
        return str(told["$ref"].rsplit("/", 1)[-1])
    for several in ("allOf", "oneOf", "anyOf"):
        if several in told:
            return " | ".join(_kind(each) for each in told[several])
    kind = str(told.get("type", "any"))
    if kind == "array":
        return f"[{_kind(told['items'])}]"
    if "enum" in told:
        return " | ".join(str(word) for word in told["enum"])
    return f"{kind} ({told['format']})" if "format" in told else kind
