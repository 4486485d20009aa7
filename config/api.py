"""The API's front door: how a refusal of the rules or of an action is answered."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError
from rest_framework import exceptions
from rest_framework.fields import get_error_detail
from rest_framework.response import Response
from rest_framework.views import exception_handler as drf_exception_handler

from rules_engine.errors import RulesError


def exception_handler(exc: Exception, context: dict[str, Any]) -> Response | None:
    """Answer 400, not 500, when an action or the rules refuse the input."""
    if isinstance(exc, RulesError):
        exc = exceptions.ValidationError({exc.field or "non_field_errors": [exc.message]})
    elif isinstance(exc, ValidationError):
        exc = exceptions.ValidationError(get_error_detail(exc))
    return drf_exception_handler(exc, context)
