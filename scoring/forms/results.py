"""The forms of a tournament's results: which ranking, its tie-breaks, when it is final."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournaments.tiebreaks import TIE_BREAK_NAMES

MOST_HOURS = 720


class FinalForm(forms.Form):
    """Whether the results become final although closed sheets miss deals."""

    without_missing = forms.BooleanField(required=False)

    def agrees(self) -> bool:
        """Did the director say so?"""
        return self.is_valid() and self.cleaned_data["without_missing"]


class ResultsForm(forms.Form):
    """Which ranking of a tournament: after a round, in groups, or of a version."""

    after = forms.IntegerField(required=False, min_value=1)
    by = forms.ChoiceField(
        choices=[("", ""), ("series", "series"), ("club", "club"), ("team", "team")],
        required=False,
    )
    version = forms.IntegerField(required=False, min_value=1)


class ProvisionalForm(forms.Form):
    """How long the results of a tournament stay provisional."""

    hours = forms.IntegerField(
        label=_("Hours until the results are final"), min_value=0, max_value=MOST_HOURS
    )

    def refusals(self) -> list[str]:
        """Say what may be typed, wherever the page puts it."""
        said = gettext("The results stay provisional from 0 to %(most)s hours.")
        return [said % {"most": MOST_HOURS}]


class TieBreaksForm(forms.Form):
    """What tells equal points apart, up to three rules in their order."""

    first = forms.ChoiceField(label=_("When points are equal, first"), required=False)
    second = forms.ChoiceField(label=_("then"), required=False)
    third = forms.ChoiceField(label=_("and then"), required=False)

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        none = ("", _("the place is shared"))
        names = [(str(code), _(name)) for code, name in TIE_BREAK_NAMES.items()]
        for field in self.fields.values():
            field.choices = [none, *names]  # type: ignore[attr-defined]

    @classmethod
    def declared(cls, codes: list[str]) -> TieBreaksForm:
        """Give the form with what is declared so far."""
        return cls(initial=dict(zip(("first", "second", "third"), codes, strict=False)))

    def codes(self) -> list[str]:
        """Give the rules in their order, each once."""
        chosen = (self.cleaned_data[name] for name in ("first", "second", "third"))
        return list(dict.fromkeys(filter(None, chosen)))
