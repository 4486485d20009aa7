"""What the director asks of the floor, and orders there."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from clubs.forms.fields import LineField
from tournaments.models import Event

#: What can be the matter with a table, in the order in which one walks there.
TROUBLES = {
    "objection": _("Objection"),
    "call": _("Asks for help"),
    "sum": _("Wrong sum"),
    "twin": _("Same sheet twice"),
    "missing": _("Deals missing"),
    "stuck": _("Nobody left to confirm"),
    "slow": _("Slow"),
    "unsigned": _("Not signed"),
}


class FloorForm(forms.Form):
    """Which tables are shown: all, or those with one trouble."""

    show = forms.ChoiceField(choices=[("", ""), *TROUBLES.items()], required=False)


class ScreenForm(forms.Form):
    """Which screen of the wall is shown: of which list, from which row."""

    show = forms.CharField(max_length=20, required=False)
    first = forms.IntegerField(min_value=1, max_value=10**6, required=False)

    def asked(self) -> tuple[str, int]:
        """Give the list and the row; what nobody can mean is the beginning."""
        if not self.is_valid():
            return "", 1
        return self.cleaned_data["show"], self.cleaned_data["first"] or 1


class WallNoteForm(forms.Form):
    """What the wall says to the hall; nothing takes it away."""

    words = LineField(label=_("Say on the wall"), max_length=160, required=False)


class FreezeForm(forms.Form):
    """Whether nothing is written on the sheets of the round."""

    frozen = forms.BooleanField(required=False)


class TakeOverForm(forms.Form):
    """Whether the director writes on the sheet from now on."""

    takes = forms.BooleanField(required=False)


class ConfirmationForm(forms.Form):
    """Who has to agree with what one player enters."""

    confirmation = forms.ChoiceField(
        label=_("Who confirms an entry"), choices=Event.Confirmation.choices
    )
