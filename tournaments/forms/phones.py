"""What comes from phones without an account, and from the director who lets them in."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from clubs.forms.fields import LineField
from tournaments.models import JoinLink

MOST_TABLES = 500


class CodeForm(forms.Form):
    """The short code of a table card."""

    code = LineField(
        label=_("Code on the card"),
        max_length=20,
        widget=forms.TextInput(
            attrs={
                "autocomplete": "off",
                "autocapitalize": "characters",
                "spellcheck": "false",
                "class": "input code-input",
            }
        ),
    )


class PickForm(forms.Form):
    """Which player the phone stands for, and whether it takes the seat from another phone."""

    player = forms.IntegerField(min_value=1)
    claims = forms.BooleanField(required=False)


class HelperForm(forms.Form):
    """Who holds the phone of a scorer or a referee."""

    name = LineField(
        label=_("Your name"),
        max_length=60,
        help_text=_("The tables and the director see who wrote."),
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )


class FindNameForm(forms.Form):
    """A part of one's name."""

    q = forms.CharField(label=_("Find your name"), max_length=120, required=False)


class LeavingForm(forms.Form):
    """Whether somebody leaves after the round."""

    leaves = forms.BooleanField(required=False)


class LinksForm(forms.Form):
    """Which links are wanted."""

    role = forms.ChoiceField(choices=JoinLink.Role.choices)
    tables = forms.IntegerField(min_value=1, max_value=MOST_TABLES, required=False)
