"""Who the browser that asks can write as, for the rows that it keeps until they have arrived."""

from __future__ import annotations

from typing import Any

from django import template

from tournaments import phones, visitors
from tournaments.models import Phone

register = template.Library()


@register.simple_tag(takes_context=True)
def marks_of_visitor(context: dict[str, Any]) -> str:
    """Give the marks of all that this browser can write as; nothing for a visitor of no name."""
    request = context.get("request")
    if request is None or getattr(request, "for_everybody", False):
        return ""
    return " ".join(visitors.marks_of(request))


@register.simple_tag(takes_context=True)
def phone_that_asked(context: dict[str, Any]) -> Phone | None:
    """Give the phone that was refused something, for the way to its place."""
    request = context.get("request")
    return None if request is None else phones.phone_that_asked(request)
