"""The forms with which an evening is closed, reopened and published."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from clubs.models import Publication


class CloseEventForm(forms.Form):
    """Whether the round under way shall end as it stands."""

    without_missing = forms.BooleanField(
        label=_("End the round as it stands, without the deals that are missing"), required=False
    )


class ReopenEventForm(forms.Form):
    """Whether a tournament shall go on although its results are final."""

    although_final = forms.BooleanField(
        label=_("Reopen the tournament although its results are final"), required=False
    )


class PublicationForm(forms.Form):
    """Who may see results: the members, or everybody."""

    publication = forms.ChoiceField(choices=Publication.choices, widget=forms.RadioSelect)
