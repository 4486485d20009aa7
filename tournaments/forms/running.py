"""What the director orders while a round is played: its clock, its end."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.forms.evenings import DIGITS, RoundForm
from tournaments.models import Round, Table

MOST_MINUTES = 600


class ClockForm(RoundForm):
    """Which button of the clock was pressed; starting says how many minutes."""

    press = forms.ChoiceField(
        choices=[(name, name) for name in ("start", "pause", "resume", "call", "take_back")]
    )
    minutes = forms.IntegerField(
        label=_("Minutes"), min_value=1, max_value=MOST_MINUTES, required=False, widget=DIGITS
    )


class ExtendForm(forms.Form):
    """How many minutes a table plays on after the end of time."""

    table = forms.ModelChoiceField(Table.objects.none(), label=_("Table"), empty_label="–")
    minutes = forms.IntegerField(
        label=_("Minutes more"), min_value=0, max_value=MOST_MINUTES, widget=DIGITS
    )

    def __init__(self, *args: Any, this_round: Round, **kwargs: Any) -> None:
        kwargs.setdefault("prefix", "extend")
        super().__init__(*args, **kwargs)
        self.fields["table"].queryset = this_round.tables.in_order()  # type: ignore[attr-defined]


class CloseRoundForm(RoundForm):
    """The round to close, and the tables that are given up: each by its number."""

    without = forms.TypedMultipleChoiceField(coerce=int, required=False)

    def __init__(self, *args: Any, numbers: list[int], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["without"].choices = [(n, n) for n in numbers]  # type: ignore[attr-defined]
