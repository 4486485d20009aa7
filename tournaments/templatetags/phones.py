"""Who the browser that asks can write as, for the rows that it keeps until they have arrived."""

from __future__ import annotations

from typing import Any

from django import template

from tournaments import visitors

register = template.Library()


@register.simple_tag(takes_context=True)
def marks_of_visitor(context: dict[str, Any]) -> str:
    """Give the marks of all that this browser can write as; nothing for a visitor of no name."""
    request = context.get("request")
    if request is None or getattr(request, "for_everybody", False):
        return ""
    return " ".join(visitors.marks_of(request))
