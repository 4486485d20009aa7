"""The API's front door: its addresses, and how a refusal is answered.

Every refusal has one shape: a stable ``code``, a ``message`` in the caller's language and, for
input that can be mended, ``fields`` with the codes and messages of each field ("" is the whole).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.utils.translation import gettext
from rest_framework import exceptions, status
from rest_framework.response import Response
from rest_framework.views import exception_handler as drf_exception_handler

from rules_engine.errors import RulesError, fill
from tournaments.rules import Conflict

type Fields = dict[str, list[dict[str, str]]]


def exception_handler(exc: Exception, context: dict[str, Any]) -> Response | None:
    """Answer 400, not 500, when an action or the rules refuse the input; 409 when it is too old."""
    if isinstance(exc, RulesError):
        said = fill(exc.sentence, exc.gaps, gettext)
        return _invalid({exc.field: [{"code": exc.code, "message": said}]})
    if isinstance(exc, Conflict):
        return _answer(status.HTTP_409_CONFLICT, exc.code or "conflict", " ".join(exc.messages))
    if isinstance(exc, ValidationError):
        return _invalid(dict(_fields_of(exc)))
    response = drf_exception_handler(exc, context)
    if isinstance(exc, exceptions.ValidationError):
        return _invalid(dict(_flat(exc.get_full_details())))
    if response is not None:
        detail = response.data.get("detail", "")
        response.data = {
            "code": getattr(detail, "code", "error"),
            "message": str(detail),
            "fields": {},
        }
    return response


def _answer(code: int, name: str, message: str, fields: Fields | None = None) -> Response:
    return Response({"code": name, "message": message, "fields": fields or {}}, status=code)


def _invalid(fields: Fields) -> Response:
    first = next((each["message"] for errors in fields.values() for each in errors), "")
    return _answer(status.HTTP_400_BAD_REQUEST, "invalid", first, fields)


def _fields_of(refusal: ValidationError) -> Iterator[tuple[str, list[dict[str, str]]]]:
    by_field = refusal.error_dict if hasattr(refusal, "error_dict") else {"": refusal.error_list}
    for name, errors in by_field.items():
        yield (
            "" if name == NON_FIELD_ERRORS else name,
            [{"code": each.code or "invalid", "message": each.messages[0]} for each in errors],
        )


def _flat(details: Any, path: str = "") -> Iterator[tuple[str, list[dict[str, str]]]]:
    """Give nested errors by the path of their field: ``poignees[0].size``."""
    if isinstance(details, dict) and set(details) == {"message", "code"}:
        yield path, [{"code": str(details["code"]), "message": str(details["message"])}]
    elif isinstance(details, dict):
        for name, inner in details.items():
            if isinstance(name, int):
                yield from _flat(inner, f"{path}[{name}]")
            else:
                own = "" if name == "non_field_errors" else name
                yield from _flat(inner, f"{path}.{own}".strip("."))
    elif details and set(details[0]) == {"message", "code"}:
        yield path, [{"code": str(e["code"]), "message": str(e["message"])} for e in details]
    else:
        for index, inner in enumerate(details):
            yield from _flat(inner, f"{path}[{index}]")
