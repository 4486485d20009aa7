"""Fields that several forms share."""

from __future__ import annotations

from typing import Any

from django import forms

from clubs.names import one_line


class LineField(forms.CharField):
    """A name, a title or a reason: one line, and what nobody can see counts as nothing."""

    def to_python(self, value: Any) -> str:
        """Give the line as people see it."""
        return one_line(super().to_python(value) or "")


def digits(label: Any, *, most: int, least: int = 1, **more: Any) -> forms.IntegerField:
    """Make a field for a whole number that is typed."""
    return forms.IntegerField(
        label=label,
        min_value=least,
        max_value=most,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
        **more,
    )
