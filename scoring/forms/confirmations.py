"""What the others at a table say about a row or the sheet."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from clubs.forms.fields import LineField


class ObjectionForm(forms.Form):
    """What is wrong with a row, in words; what should stand there is the game's own form."""

    note = LineField(
        label=_("What is wrong?"),
        max_length=300,
        required=False,
        help_text=_("The director reads it beside both versions."),
    )
    only_words = forms.BooleanField(required=False)


class SignForm(forms.Form):
    """The state of the sheet that was looked at, and whether a scorer signs for the table."""

    version = forms.IntegerField(min_value=0, required=False)
    for_all = forms.BooleanField(required=False)


class SettleForm(forms.Form):
    """Whether the version that the objection proposes is taken."""

    takes = forms.BooleanField(required=False)


class EnteringForm(forms.Form):
    """Which row a page has open."""

    number = forms.IntegerField(min_value=1, max_value=32_767, required=False)
