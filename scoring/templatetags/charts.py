"""Charts drawn on the server as SVG: classes and attributes only, so that no policy is loosened."""

from __future__ import annotations

from collections.abc import Sequence

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from scoring import charts

register = template.Library()


@register.simple_tag
def spark(values: Sequence[int]) -> SafeString:
    """Draw the small curve beside a number; it is silent, the number speaks."""
    drawn = charts.spark(values)
    if drawn is None:
        return SafeString("")
    return format_html(
        '<svg class="spark" viewBox="-3 0 102 26" aria-hidden="true">'
        '<line class="gridline" x1="0" x2="96" y1="{}" y2="{}"/>'
        '<polyline class="ln" points="{}"/><circle class="dot" cx="{}" cy="{}" r="3"/></svg>',
        drawn.zero,
        drawn.zero,
        drawn.points,
        drawn.end_x,
        drawn.end_y,
    )
