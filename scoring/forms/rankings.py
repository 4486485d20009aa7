"""The form above a season's ranking."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from clubs.models import Season


class RankingForm(forms.Form):
    """Which season's ranking, and which players in it."""

    season = forms.ModelChoiceField(
        label=pgettext_lazy("heading", "Season"),
        queryset=Season.objects.none(),
        required=False,
        empty_label=None,
    )
    player = forms.CharField(label=_("Find a player"), required=False, max_length=60)

    def __init__(self, *args: Any, seasons: list[Season], **options: Any) -> None:
        super().__init__(*args, **options)
        own = Season.objects.filter(pk__in=[season.pk for season in seasons])
        self.fields["season"].queryset = own.latest_first()  # type: ignore[attr-defined]
