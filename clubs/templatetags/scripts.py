"""The scripts of a page that caches keep for everybody."""

from __future__ import annotations

from django import template
from django.utils.safestring import SafeString
from django_htmx.jinja import htmx_script

register = template.Library()


@register.simple_tag
def htmx_for_everybody() -> SafeString:
    """Load htmx without a nonce: a kept page would hold the one of its first visitor."""
    return htmx_script()
