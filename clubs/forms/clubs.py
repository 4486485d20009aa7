"""A club's settings and its seasons."""

from __future__ import annotations

from django import forms

from clubs.forms.fields import LineField
from clubs.models import Club, Season


class DateInput(forms.DateInput):
    """The browser's own calendar, which wants ISO dates whatever the language."""

    input_type = "date"

    def __init__(self) -> None:
        super().__init__(format="%Y-%m-%d")


class ClubForm(forms.ModelForm):
    """What a club says about itself and who sees it."""

    class Meta:
        model = Club
        fields = ("name", "town", "about", "language", "publication")
        field_classes = {"name": LineField, "town": LineField}
        widgets = {
            "about": forms.Textarea(attrs={"rows": 5}),
            "publication": forms.RadioSelect,
        }


class SeasonForm(forms.ModelForm):
    """A season: its name, its days, and who sees its ranking."""

    class Meta:
        model = Season
        fields = ("name", "starts_on", "ends_on", "publication")
        field_classes = {"name": LineField}
        widgets = {
            "starts_on": DateInput(),
            "ends_on": DateInput(),
            "publication": forms.RadioSelect,
        }
