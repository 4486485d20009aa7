"""The forms of the referee: a table calls, he decides, and takes a ruling back."""

from __future__ import annotations

import uuid
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from clubs.forms.fields import digits
from tournaments import faults
from tournaments.games import facts_of
from tournaments.models import Entry, Event, Ruling, Table
from tournaments.querysets import as_entered


class CallForm(forms.Form):
    """Why a table calls the referee, in a few words or none."""

    reason = forms.CharField(
        label=_("What happened?"),
        max_length=200,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    is_problem = forms.BooleanField(required=False)


class RulingForm(forms.Form):
    """What the referee decides about a table, or about a player away from the tables."""

    #: "" is what the list of faults says; the others are said in so many words.
    PENALTIES = [
        ("", _("As the list says")),
        ("warning", _("Warning")),
        ("100", "100"),
        ("200", "200"),
        ("400", "400"),
        ("500", "500"),
        ("other", _("Another amount")),
        ("none", _("No penalty")),
    ]

    entry_key = forms.UUIDField(widget=forms.HiddenInput)
    table = forms.ModelChoiceField(Table.objects.none(), required=False, widget=forms.HiddenInput)
    entry = forms.ModelChoiceField(
        Entry.objects.none(), label=_("Player at fault"), required=False, empty_label=_("Nobody")
    )
    fault = forms.ChoiceField(
        label=_("Fault"), error_messages={"required": _("Choose a fault of the list.")}
    )
    deal_number = digits(_("Deal"), most=50, required=False)
    outcome = forms.ChoiceField(
        label=_("The deal"),
        choices=[
            ("", _("As the list says")),
            (Ruling.Outcome.COUNTS, pgettext_lazy("deal", "Counts")),
            (Ruling.Outcome.REPLAYED, pgettext_lazy("deal", "Deal again")),
            (Ruling.Outcome.REMOVED, pgettext_lazy("deal", "Void")),
        ],
        widget=forms.RadioSelect,
        required=False,
        initial="",
    )
    penalty = forms.ChoiceField(
        label=_("Penalty"), choices=PENALTIES, widget=forms.RadioSelect, required=False, initial=""
    )
    points = digits(_("Points taken"), most=10_000, required=False)
    note = forms.CharField(
        label=_("What happened, in one sentence"),
        max_length=300,
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
    )

    def __init__(
        self, data: Any = None, *, event: Event, table: Table | None = None, **options: Any
    ) -> None:
        initial = {"entry_key": uuid.uuid4(), "table": table, **options.pop("initial", {})}
        super().__init__(data, initial=initial, **options)
        entries = Entry.objects.filter(event=event).by_number().prefetch_related(as_entered())
        if table is not None:
            entries = entries.filter(seats__table=table)
            self.fields["entry"].widget = forms.RadioSelect()
        self.fields["entry"].queryset = entries  # type: ignore[attr-defined]
        tables = Table.objects.filter(round__event=event).exclude(round__state="drawn")
        self.fields["table"].queryset = tables  # type: ignore[attr-defined]
        self.fields["fault"].choices = _faults_by_kind()  # type: ignore[attr-defined]
        self.at_table = table

    def clean(self) -> dict[str, Any]:
        """Ask for the amount when it is another one."""
        data = super().clean() or self.cleaned_data
        if data.get("penalty") == "other" and not data.get("points"):
            self.add_error(
                "points", ValidationError(_("Say how many points are taken."), code="required")
            )
        return data

    def ruling(self) -> dict[str, Any]:
        """Give the ruling as the action takes it."""
        data = self.cleaned_data
        kind, points = self._sentence()
        return {
            "entry_key": data["entry_key"],
            "table": data["table"],
            "entry": data["entry"],
            "fault": data["fault"],
            "deal_number": data["deal_number"],
            "outcome": Ruling.Outcome(data["outcome"]) if data["outcome"] else None,
            "note": data["note"],
            "kind": kind,
            "points": points,
        }

    def _sentence(self) -> tuple[Ruling.Kind | None, int]:
        said = self.cleaned_data["penalty"]
        if said == "":
            return None, 0
        if said == "warning":
            return Ruling.Kind.WARNING, 0
        if said == "none":
            return Ruling.Kind.DECISION, 0
        points = self.cleaned_data["points"] if said == "other" else int(said)
        return Ruling.Kind.PENALTY, points


class GameRulingForm(forms.Form):
    """What the referee decides where games are won: a fault costs no points (R12)."""

    entry_key = forms.UUIDField(widget=forms.HiddenInput)
    table = forms.ModelChoiceField(Table.objects.none(), required=False, widget=forms.HiddenInput)
    entry = forms.ModelChoiceField(Entry.objects.none(), label=_("Side at fault"))
    effect = forms.ChoiceField(
        label=_("What it costs"), choices=(), widget=forms.RadioSelect, required=False, initial=""
    )
    points = digits(
        _("Tentos to the other side"),
        most=99,
        required=False,
        help_text=_("For a lost hand: as many as it was worth; empty: as it began."),
    )
    note = forms.CharField(
        label=_("What happened, in one sentence"),
        max_length=300,
        widget=forms.Textarea(attrs={"rows": 2}),
    )

    def __init__(
        self, data: Any = None, *, event: Event, table: Table | None = None, **options: Any
    ) -> None:
        initial = {"entry_key": uuid.uuid4(), "table": table, **options.pop("initial", {})}
        super().__init__(data, initial=initial, **options)
        self.event, self.at_table = event, table
        entries = Entry.objects.filter(event=event).with_sides()
        if table is not None:
            entries = entries.filter(seats__table=table).distinct()
        self.fields["entry"].queryset = entries  # type: ignore[attr-defined]
        tables = Table.objects.filter(round__event=event).exclude(round__state="drawn")
        self.fields["table"].queryset = tables.select_related("round")  # type: ignore[attr-defined]
        words = {"": _("Warning"), **dict(Ruling.Effect.choices)}
        self.fields["effect"].choices = [  # type: ignore[attr-defined]
            (effect, words[effect]) for effect in facts_of(event.game).effects
        ]

    def ruling(self) -> dict[str, Any]:
        """Give the ruling as the action takes it."""
        return dict(self.cleaned_data)


def ruling_form(event: Event) -> type[RulingForm | GameRulingForm]:
    """Give the form of a ruling by what a fault costs in the game of an event."""
    return GameRulingForm if facts_of(event.game).effects else RulingForm


def _faults_by_kind() -> list[tuple[Any, list[tuple[str, Any]]]]:
    every = faults.FAULTS.values()
    return [
        ("", [("", _("Choose"))]),
        (_("Faults"), [(f.code, _fault_and_consequence(f)) for f in every if not f.granted]),
        (_("Granted to the taker"), [(f.code, gettext(f.words)) for f in every if f.granted]),
    ]


def _fault_and_consequence(fault: faults.Fault) -> str:
    return " · ".join([_fault_words(fault), *map(gettext, faults.consequences(fault))])


def _fault_words(fault: faults.Fault) -> str:
    gaps = {"fault": gettext(fault.words), "points": fault.amounts[0] if fault.amounts else 0}
    if not fault.amounts:
        return str(gaps["fault"])
    if fault.warning_first:
        return gettext("%(fault)s: warning, then %(points)s") % gaps
    return gettext("%(fault)s: %(points)s") % gaps


class WithdrawForm(forms.Form):
    """Why a ruling is withdrawn."""

    why = forms.CharField(
        label=_("Why is it withdrawn?"),
        max_length=200,
        error_messages={"required": _("Say why the ruling is withdrawn.")},
    )
