"""Entering people into a tournament, and what is said about them later."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from clubs.forms.fields import LineField
from tournaments.models import Entry, Event, ProhibitedPair

DIGITS = {"inputmode": "numeric", "autocomplete": "off"}
LARGEST_NUMBER = 9_999
MOST_TABLES = 250
LINES = [("", "–"), ("N", _("N")), ("E", _("E")), ("S", _("S")), ("W", _("W"))]


class EntryForm(forms.Form):
    """Somebody at the desk: a name is enough, the rest can follow."""

    name = LineField(
        label=_("Name"),
        max_length=120,
        widget=forms.TextInput(attrs={"list": "known-names", "autocomplete": "off"}),
    )
    club_name = LineField(
        label=_("Club"),
        max_length=80,
        required=False,
        widget=forms.TextInput(attrs={"list": "known-clubs", "autocomplete": "off"}),
    )
    licence_number = LineField(label=_("Licence number"), max_length=20, required=False)
    series = LineField(
        label=_("Series"),
        max_length=20,
        required=False,
        widget=forms.TextInput(attrs={"list": "known-series", "autocomplete": "off"}),
    )
    team = LineField(
        label=_("Team"),
        max_length=60,
        required=False,
        widget=forms.TextInput(attrs={"list": "known-teams", "autocomplete": "off"}),
    )
    number = forms.IntegerField(
        label=_("Number"),
        min_value=1,
        max_value=LARGEST_NUMBER,
        required=False,
        widget=forms.TextInput(attrs=DIGITS),
        help_text=_("Empty: the next one."),
    )
    fee_paid = forms.BooleanField(label=_("Has paid"), required=False)
    is_present = forms.BooleanField(label=_("Is here"), required=False)
    despite_namesakes = forms.BooleanField(required=False, widget=forms.HiddenInput)


class ChangeEntryForm(forms.ModelForm):
    """What is said about an entry besides its player."""

    number = forms.IntegerField(
        label=_("Number"),
        min_value=1,
        max_value=LARGEST_NUMBER,
        widget=forms.TextInput(attrs=DIGITS),
    )
    team = LineField(
        label=_("Team"),
        max_length=60,
        required=False,
        widget=forms.TextInput(attrs={"list": "known-teams", "autocomplete": "off"}),
        help_text=_("Two or four who never meet, and whose points add up."),
    )
    fee_paid = forms.BooleanField(label=_("Has paid"), required=False)
    fixed_table = forms.IntegerField(
        label=_("Fixed table"),
        min_value=1,
        max_value=MOST_TABLES,
        required=False,
        widget=forms.TextInput(attrs=DIGITS),
        help_text=_("For somebody who cannot walk from table to table."),
    )
    start_line = forms.ChoiceField(label=_("Seat at the start"), choices=LINES, required=False)
    start_table = forms.IntegerField(
        label=_("Table at the start"),
        min_value=1,
        max_value=MOST_TABLES,
        required=False,
        widget=forms.TextInput(attrs=DIGITS),
        help_text=_("Chosen when entering; both empty: drawn."),
    )

    class Meta:
        model = Entry
        fields = (
            "number",
            "club_name",
            "licence_number",
            "series",
            "fixed_table",
            "start_line",
            "start_table",
        )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        entry: Entry = self.instance
        self.initial["team"] = entry.team.name if entry.team else ""
        self.initial["fee_paid"] = entry.fee_paid_at is not None

    def clean(self) -> dict[str, Any]:
        """Refuse half a place: a seat belongs to a table."""
        cleaned = self.cleaned_data
        if bool(cleaned.get("start_line")) != bool(cleaned.get("start_table")):
            self.add_error("start_table", _("A seat and its table are chosen together."))
        return cleaned

    def particulars(self) -> dict[str, Any]:
        """Give what the actions take."""
        return {name: self.cleaned_data[name] for name in (*self.Meta.fields, "team", "fee_paid")}

    def _post_clean(self) -> None:
        """Leave the row alone: a form validates, the actions write."""


class EntryPresenceForm(forms.Form):
    """Whose row was pressed, and what it shall say: here or gone."""

    present = forms.ModelChoiceField(Entry.objects.none(), required=False)
    absent = forms.ModelChoiceField(Entry.objects.none(), required=False)

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("present", "absent"):
            self.fields[name].queryset = event.entries.all()  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        """Refuse a press on nobody."""
        cleaned = self.cleaned_data
        if bool(cleaned.get("present")) == bool(cleaned.get("absent")):
            raise forms.ValidationError(_("Choose an entry of this tournament."), code="nobody")
        return cleaned


class FindEntryForm(forms.Form):
    """What was typed into the search of the entries, and which of them to show."""

    q = LineField(max_length=120, required=False)
    show = forms.ChoiceField(
        choices=[("", ""), ("absent", ""), ("unpaid", ""), ("waiting", "")], required=False
    )


class ReplaceForm(forms.Form):
    """Who goes on in somebody's place."""

    name = LineField(
        label=_("Name"),
        max_length=120,
        widget=forms.TextInput(attrs={"list": "known-names", "autocomplete": "off"}),
    )
    despite_namesakes = forms.BooleanField(required=False, widget=forms.HiddenInput)


class PairForm(forms.Form):
    """With whom an entry is never put at one table; or the pair that may meet again."""

    other = forms.ModelChoiceField(
        Entry.objects.none(), label=_("Never at one table with"), empty_label="–"
    )

    def __init__(self, *args: Any, entry: Entry, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        others = Entry.objects.filter(event=entry.event_id).exclude(pk=entry.pk)
        self.fields["other"].queryset = others.by_number().prefetch_related("players")  # type: ignore[attr-defined]


class ForgetPairForm(forms.Form):
    """A pair that may meet again."""

    pair = forms.ModelChoiceField(ProhibitedPair.objects.none(), required=False)

    def __init__(self, *args: Any, entry: Entry, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        pairs = ProhibitedPair.objects.filter(event=entry.event_id)
        self.fields["pair"].queryset = pairs  # type: ignore[attr-defined]
