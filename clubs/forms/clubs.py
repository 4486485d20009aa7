"""A club's settings and its seasons."""

from __future__ import annotations

import re
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.encoding import punycode
from django.utils.translation import gettext_lazy as _

from clubs.forms.fields import LineField
from clubs.models import Club, Season

#: What a browser calls the origin of a page: never more than scheme, host and port.
HOST = re.compile(r"(?<=://)[^/:]+")
ORIGIN = re.compile(r"https?://[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?/?", re.IGNORECASE)


class DateInput(forms.DateInput):
    """The browser's own calendar, which wants ISO dates whatever the language."""

    input_type = "date"

    def __init__(self) -> None:
        super().__init__(format="%Y-%m-%d")


class ClubForm(forms.ModelForm):
    """What a club says about itself and who sees it."""

    class Meta:
        model = Club
        fields = (
            "name", "town", "about", "language", "publication", "shows_sheets", "embed_origins",
        )  # fmt: skip
        field_classes = {"name": LineField, "town": LineField}
        widgets = {
            "about": forms.Textarea(attrs={"rows": 5}),
            "publication": forms.RadioSelect,
            "embed_origins": forms.Textarea(attrs={"rows": 2}),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial["embed_origins"] = "\n".join(self.instance.sites)

    def clean_embed_origins(self) -> str:
        lines = str(self.cleaned_data["embed_origins"]).split()
        origins = [_in_ascii(line) for line in lines]
        for line, origin in zip(lines, origins, strict=True):
            if not ORIGIN.fullmatch(origin):
                raise ValidationError(
                    _("“%(line)s” is not the address of a site, as https://www.club.example."),
                    params={"line": line},
                    code="origin",
                )
        return "\n".join(origin.rstrip("/").lower() for origin in origins)


def _in_ascii(line: str) -> str:
    """Give an address as headers hold it; as it is where its name can be written in no such way."""
    try:
        return HOST.sub(lambda host: punycode(host[0].lower()), line, count=1)
    except UnicodeError:
        return line


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
