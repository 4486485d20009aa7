"""Entering people into a tournament, and what is said about them later."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from clubs.forms.fields import LineField, digits
from tournaments.models import Entry, EntryPlayer, Event, ProhibitedPair
from tournaments.querysets import as_entered

LARGEST_NUMBER = 9_999
MOST_TABLES = 250
LINES = [("", "–"), ("N", _("N")), ("E", _("E")), ("S", _("S")), ("W", _("W"))]


def _known(label: Any, known: str, *, longest: int, **more: Any) -> LineField:
    """Make a field that offers what is known already, by the list of that name on the page."""
    offered = forms.TextInput(attrs={"list": f"known-{known}", "autocomplete": "off"})
    return LineField(label=label, max_length=longest, widget=offered, **more)


def _player(label: Any, **more: Any) -> LineField:
    return _known(label, "names", longest=120, **more)


def _team(**more: Any) -> LineField:
    return _known(_("Team"), "teams", longest=60, required=False, **more)


def _side_name() -> LineField:
    return LineField(
        label=_("Name of the side"),
        max_length=60,
        required=False,
        help_text=_("Empty: the names of its players."),
    )


def _seeded() -> forms.IntegerField:
    return digits(
        pgettext_lazy("entrant", "Seed"),
        most=LARGEST_NUMBER,
        required=False,
        help_text=_("1 for the strongest; the draw keeps the seeds apart."),
    )


class EntryForm(forms.Form):
    """Somebody at the desk: a name is enough, the rest can follow."""

    name = _player(_("Name"))
    club_name = _known(_("Club"), "clubs", longest=80, required=False)
    licence_number = LineField(label=_("Licence number"), max_length=20, required=False)
    series = _known(_("Series"), "series", longest=20, required=False)
    team = _team()
    number = digits(
        _("Number"),
        most=LARGEST_NUMBER,
        required=False,
        help_text=_("Empty: the next one."),
    )
    fee_paid = forms.BooleanField(label=_("Has paid"), required=False)
    is_present = forms.BooleanField(label=_("Is here"), required=False)
    despite_namesakes = forms.BooleanField(required=False, widget=forms.HiddenInput)

    def wish(self) -> dict[str, Any]:
        """Give what the actions take."""
        return dict(self.cleaned_data)


class SideForm(EntryForm):
    """A pair or a trio at the desk; who has no partner yet enters alone."""

    name = _player(_("First player"))
    partner = _player(_("Second player"), required=False)
    third = _player(_("Third player"), required=False)
    reserve = _player(_("Reserve"), required=False)
    side_name = _side_name()
    seeded = _seeded()
    licence_number = None  # type: ignore[assignment]
    series = None  # type: ignore[assignment]
    team = None  # type: ignore[assignment]

    field_order = ("name", "partner", "third", "reserve", "side_name", "club_name", "seeded")

    def __init__(self, *args: Any, size: int = 2, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if size < 3:  # noqa: PLR2004 - a trio
            del self.fields["third"]
        if size == 1:
            del self.fields["partner"], self.fields["reserve"], self.fields["side_name"]

    def wish(self) -> dict[str, Any]:
        """Give what the actions take."""
        wish = super().wish()
        others = [wish.pop(name, "") for name in ("partner", "third")]
        return wish | {"partners": [name for name in others if name]}


class SideListForm(forms.Form):
    """A pasted list of sides, one on a line."""

    text = forms.CharField(
        label=_("The list"),
        max_length=40_000,
        widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false"}),
        help_text=_(
            "One side on a line: Ana / Bruno. A third name is the reserve, what stands before a "
            "colon names the side, what stands after a semicolon is the club."
        ),
    )
    is_present = forms.BooleanField(label=_("All of them are here"), required=False)

    def __init__(self, data: Any = None, *, size: int) -> None:
        super().__init__(data)
        if size == 1:
            self.fields["text"].help_text = _(
                "One player on a line; what stands after a semicolon is the club."
            )


class ReserveForm(forms.Form):
    """For whom of a side its reserve plays."""

    gone = forms.ModelChoiceField(
        EntryPlayer.objects.none(), label=_("Who stops playing"), empty_label="–"
    )
    comes = forms.ModelChoiceField(
        EntryPlayer.objects.none(), label=_("Who plays instead"), empty_label=None
    )

    def __init__(self, *args: Any, entry: Entry, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        rows = EntryPlayer.objects.filter(entry=entry).select_related("player")
        self.fields["gone"].queryset = rows.filter(is_reserve=False)  # type: ignore[attr-defined]
        self.fields["comes"].queryset = rows.filter(is_reserve=True)  # type: ignore[attr-defined]


class ChangeSideForm(forms.ModelForm):
    """What is said about a pair or a trio besides its players."""

    side_name = _side_name()
    number = digits(_("Number"), most=LARGEST_NUMBER)
    seeded = _seeded()
    fee_paid = forms.BooleanField(label=_("Has paid"), required=False)

    class Meta:
        model = Entry
        fields = ("number", "club_name", "seeded")

    field_order = ("side_name", "number", "club_name", "seeded", "fee_paid")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial["side_name"] = self.instance.name
        self.initial["fee_paid"] = self.instance.fee_paid_at is not None

    def particulars(self) -> dict[str, Any]:
        """Give what the actions take."""
        names = (*self.Meta.fields, "side_name", "fee_paid")
        return {name: self.cleaned_data[name] for name in names}

    def _post_clean(self) -> None:
        """Leave the row alone: a form validates, the actions write."""


class ChangeEntryForm(forms.ModelForm):
    """What is said about an entry besides its player."""

    number = digits(_("Number"), most=LARGEST_NUMBER)
    team = _team(help_text=_("Two or four who never meet, and whose points add up."))
    fee_paid = forms.BooleanField(label=_("Has paid"), required=False)
    fixed_table = digits(
        _("Fixed table"),
        most=MOST_TABLES,
        required=False,
        help_text=_("For somebody who cannot walk from table to table."),
    )
    start_line = forms.ChoiceField(label=_("Seat at the start"), choices=LINES, required=False)
    start_table = digits(
        _("Table at the start"),
        most=MOST_TABLES,
        required=False,
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

    name = _player(_("Name"))
    despite_namesakes = forms.BooleanField(required=False, widget=forms.HiddenInput)


class PairForm(forms.Form):
    """With whom an entry is never put at one table; or the pair that may meet again."""

    other = forms.ModelChoiceField(
        Entry.objects.none(), label=_("Never at one table with"), empty_label="–"
    )

    def __init__(self, *args: Any, entry: Entry, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        others = Entry.objects.filter(event=entry.event_id).exclude(pk=entry.pk)
        self.fields["other"].queryset = others.by_number().prefetch_related(as_entered())  # type: ignore[attr-defined]


class ForgetPairForm(forms.Form):
    """A pair that may meet again."""

    pair = forms.ModelChoiceField(ProhibitedPair.objects.none(), required=False)

    def __init__(self, *args: Any, entry: Entry, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        pairs = ProhibitedPair.objects.filter(event=entry.event_id)
        self.fields["pair"].queryset = pairs  # type: ignore[attr-defined]


class WithdrawForm(forms.Form):
    """Whether the director has read what it means to withdraw somebody who is seated."""

    sure = forms.BooleanField(required=False)
