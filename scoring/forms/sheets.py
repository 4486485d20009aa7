"""What the forms of all games on a sheet share, and why a row does not count."""

from __future__ import annotations

import uuid
from collections.abc import Collection
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext, gettext_lazy, gettext_noop
from django.utils.translation import gettext_lazy as _

from clubs.forms.fields import LineField
from rules_engine.errors import RulesError, fill
from scoring.rules import names_at_table
from tournaments.actors import Actor
from tournaments.models import Seat, Table


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


class SheetForm(forms.Form):
    """A row of a sheet as the table reports it; bound to the table and its seats."""

    number = forms.IntegerField(min_value=1, max_value=32_767, widget=forms.HiddenInput)
    version = forms.IntegerField(min_value=0, widget=forms.HiddenInput)
    entry_key = forms.UUIDField(widget=forms.HiddenInput)

    #: Where the form asks what the engine calls otherwise.
    field_of: dict[str, str] = {}

    def __init__(
        self,
        data: Any = None,
        *,
        table: Table,
        number: int,
        initial: dict[str, Any] | None = None,
    ) -> None:
        self.table = table
        self.deal_number = number
        self.seats: list[Seat] = sorted(table.seats.all(), key=lambda seat: seat.place)
        self.names = names_at_table(self.seats)
        blank = {"number": number, "version": table.version, "entry_key": uuid.uuid4()}
        super().__init__(data, initial={**blank, **(initial or {})})

    @property
    def named_seats(self) -> list[tuple[Seat, str]]:
        """The seats in the order of play, each with what its player is called."""
        return [(seat, self.names[seat.pk]) for seat in self.seats]

    @property
    def is_ruling(self) -> bool:
        """Does it write what only somebody in office may?"""
        return False

    def seen_by(self, by: Actor) -> None:
        """Let the form know who fills it in; most games ask everybody the same."""

    @property
    def unasked(self) -> list[tuple[str, Any]]:
        """What the page sends unasked; a page may send it with several forms."""
        return [(name, self[name].value()) for name in ("number", "version", "entry_key")]

    def ask_why(self) -> None:
        """Ask somebody who does not sit at the table why he changes what stands there."""
        self.fields["why"] = LineField(
            label=_("Why is it corrected?"),
            max_length=200,
            error_messages={"required": _("Say why: the table reads it on its sheet.")},
        )

    def why_it_changes(self) -> str:
        """Give the reason of a correction, where one was asked for."""
        why: str = self.cleaned_data.get("why", "")
        return why

    def check_page(self) -> None:
        """Say that the page is damaged when what it sends unasked is missing."""
        if {"number", "version", "entry_key"} & set(self.errors):
            self.add_error(
                None, ValidationError(_("This page is damaged. Open it again."), code="page")
            )

    def add_refusal(self, refusal: RulesError) -> None:
        """Put what the engine refuses beside the field it names."""
        name = self.field_of.get(refusal.field, refusal.field)
        sentence = fill(refusal.sentence, refusal.gaps, gettext)
        self.add_error(
            name if name in self.fields else None,
            ValidationError("%(sentence)s", code=refusal.code, params={"sentence": sentence}),
        )

    def as_sent(self, **instead: Any) -> list[tuple[str, str]]:
        """Everything that was sent, for hidden fields of a form that sends it once more."""
        sent = {name: self.data.get(name, "") for name in self.fields}
        return [(name, str(value)) for name, value in {**sent, **instead}.items() if value != ""]


class VoidDealForm(forms.Form):
    """Why a row does not count: one of the usual reasons, or own words."""

    # Kept in English: each reader sees the usual reasons in his own language.
    USUAL = {
        "misdeal": gettext_noop("Misdeal"),
        "count": gettext_noop("The cards did not add up"),
        "twice": gettext_noop("Entered twice"),
        "table": gettext_noop("Entered at the wrong table"),
        "ruling": gettext_noop("Decision of the director"),
    }

    reason = question(
        _("Why is it void?"),
        [*((code, gettext_lazy(text)) for code, text in USUAL.items()), ("other", _("Other"))],
        asked=_("Say why the deal is void."),
    )
    words = forms.CharField(label=_("In your own words"), max_length=200, required=False)

    def __init__(self, data: Any = None, *, usual: Collection[str]) -> None:
        super().__init__(data)
        asked = self.fields["reason"]
        asked.choices = [  # type: ignore[attr-defined]
            choice
            for choice in asked.choices  # type: ignore[attr-defined]
            if choice[0] in {*usual, "other"}
        ]

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
    """Which row the page offered to take back."""

    deal = forms.IntegerField(min_value=1, widget=forms.HiddenInput)


class DroppedForm(forms.Form):
    """A row that was thrown away unsent, as its phone tells: whose it was, and which."""

    entered_by = forms.CharField(max_length=64)
    number = forms.IntegerField(min_value=1, max_value=32_767)
    entry_key = forms.UUIDField()


class DealerForm(forms.Form):
    """Who deals first: the player at a place, or for none whoever is drawn."""

    place = forms.IntegerField(min_value=1, required=False)
