"""Fields that several forms share."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from clubs.names import one_line

#: No key of a row is longer; a database refuses to look for one that is.
LONGEST_KEY = 18


class LineField(forms.CharField):
    """A name, a title or a reason: one line, and what nobody can see counts as nothing."""

    def to_python(self, value: Any) -> str:
        """Give the line as people see it."""
        return one_line(super().to_python(value) or "")


class RowsField(forms.ModelMultipleChoiceField):
    """Some of the rows that may be chosen; a number that no row can have is none of them."""

    def clean(self, value: Any) -> Any:
        for key in value or ():
            if len(str(key)) > LONGEST_KEY:
                message = self.error_messages["invalid_choice"]
                raise ValidationError(message, code="invalid_choice", params={"value": key})
        return super().clean(value)


def digits(label: Any, *, most: int, least: int = 1, **more: Any) -> forms.IntegerField:
    """Make a field for a whole number that is typed."""
    return forms.IntegerField(
        label=label,
        min_value=least,
        max_value=most,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
        **more,
    )
