"""What the forms of all games on a sheet share, and why a row does not count."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy, gettext_noop
from django.utils.translation import gettext_lazy as _


def question(label: Any, choices: list[tuple[Any, Any]], **options: Any) -> forms.ChoiceField:
    """Make a field answered by one of a few big buttons; without an answer, its own question."""
    asked = options.pop("asked", label)
    return forms.ChoiceField(
        label=label,
        choices=choices,
        widget=forms.RadioSelect,
        error_messages={"required": asked},
        **options,
    )


class VoidDealForm(forms.Form):
    """Why a deal does not count: one of the usual reasons, or own words."""

    # Kept in English: each reader sees the usual reasons in his own language.
    USUAL = {
        "misdeal": gettext_noop("Misdeal"),
        "count": gettext_noop("The cards did not add up"),
        "table": gettext_noop("Entered at the wrong table"),
        "ruling": gettext_noop("Decision of the director"),
    }

    reason = question(
        _("Why is it void?"),
        [*((code, gettext_lazy(text)) for code, text in USUAL.items()), ("other", _("Other"))],
        asked=_("Say why the deal is void."),
    )
    words = forms.CharField(label=_("In your own words"), max_length=200, required=False)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        if data.get("reason") == "other" and not data.get("words", "").strip():
            self.add_error(
                "words", ValidationError(_("Say why the deal is void."), code="required")
            )
        return data

    def sentence(self) -> str:
        """The reason as it is kept: the words if there are any, else the usual reason."""
        words: str = self.cleaned_data["words"].strip()
        return words or self.USUAL[self.cleaned_data["reason"]]


class UndoForm(forms.Form):
    """Which deal the page offered to take back."""

    deal = forms.IntegerField(min_value=1, widget=forms.HiddenInput)
