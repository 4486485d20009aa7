"""The forms with which paper is ordered."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from scoring import exports
from tournaments.models import Event


class PaperForm(forms.Form):
    """What to print: a document, its language and paper, and for which tables or numbers."""

    document = forms.ChoiceField(label=_("Document"), choices=exports.DOCUMENTS.items())
    language = forms.ChoiceField(label=_("Language"), choices=settings.LANGUAGES)
    paper = forms.ChoiceField(
        label=_("Paper"), choices=[(size, size.upper()) for size in exports.FORMATS], required=False
    )
    round = forms.IntegerField(label=_("Round"), min_value=1, required=False)
    first = forms.IntegerField(
        label=_("From table or number"), min_value=1, max_value=9999, required=False
    )
    last = forms.IntegerField(
        label=_("To table or number"), min_value=1, max_value=9999, required=False
    )
    blank = forms.BooleanField(label=_("Blank, for a pen"), required=False)

    def __init__(self, *args: Any, event: Event, **options: Any) -> None:
        super().__init__(*args, **options)
        self.event = event

    def clean_round(self) -> int | None:
        number: int | None = self.cleaned_data["round"]
        if number is not None and exports.round_of(self.event, number) is None:
            raise ValidationError(_("This round has not been started."), code="no_round")
        return number

    def clean(self) -> dict[str, Any]:
        chosen = super().clean() or {}
        small = chosen.get("paper") == "a6"
        if small and chosen.get("document") not in {None, *exports.SMALL}:
            self.add_error(
                "paper", ValidationError(_("This document needs A5 or A4."), code="paper_too_small")
            )
        first, last = chosen.get("first"), chosen.get("last")
        if first is not None and last is not None and last < first:
            self.add_error(
                "last",
                ValidationError(_("The last comes before the first."), code="last_before_first"),
            )
        return chosen

    def order(self, *, origin: str) -> exports.Order:
        """Give what was chosen as an order for paper; ``origin`` is where the pages are."""
        chosen = self.cleaned_data
        return exports.Order(**{**chosen, "paper": chosen["paper"] or "a4"}, origin=origin)


class JobForm(forms.Form):
    """Which file, and whether it is to be fetched or watched."""

    job = forms.IntegerField(min_value=1)
    download = forms.BooleanField(required=False)
