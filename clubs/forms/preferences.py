"""What a visitor chooses for this browser."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _


class PreferencesForm(forms.Form):
    """The colours: the system's own, light or dark."""

    theme = forms.ChoiceField(
        choices=[("auto", _("Auto")), ("light", _("Light")), ("dark", _("Dark"))]
    )
