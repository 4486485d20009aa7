"""What the director orders while a round is played: its clock, its end."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubs.forms.fields import digits
from clubs.models import Player
from tournaments.forms.evenings import RoundForm
from tournaments.models import Round, Table
from tournaments.reseating import Kind, Wish

MOST_MINUTES = 600


class ClockForm(RoundForm):
    """Which button of the clock was pressed; starting says how many minutes."""

    press = forms.ChoiceField(
        choices=[(name, name) for name in ("start", "pause", "resume", "call", "take_back")]
    )
    minutes = digits(_("Minutes"), most=MOST_MINUTES, required=False)


class ExtendForm(forms.Form):
    """How many minutes a table plays on after the end of time."""

    table = forms.ModelChoiceField(Table.objects.none(), label=_("Table"), empty_label="–")
    minutes = digits(_("Minutes more"), most=MOST_MINUTES, least=0)

    def __init__(self, *args: Any, this_round: Round, **kwargs: Any) -> None:
        kwargs.setdefault("prefix", "extend")
        super().__init__(*args, **kwargs)
        self.fields["table"].queryset = this_round.tables.in_order()  # type: ignore[attr-defined]


class CloseRoundForm(RoundForm):
    """The round to close, and the tables that are given up: each by its number.

    ``chooses``: the page asked for these tables, so that none is an answer that was forgotten.
    """

    chooses = forms.BooleanField(required=False)
    without = forms.TypedMultipleChoiceField(coerce=int, required=False)

    def __init__(self, *args: Any, numbers: list[int], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["without"].choices = [(n, n) for n in numbers]  # type: ignore[attr-defined]


class ChangeSeatsForm(forms.Form):
    """Who shall sit where: two who change places, one who moves, or one who gets up."""

    kind = forms.ChoiceField(
        label=_("What shall happen?"),
        choices=[
            (Kind.SWAP, _("Two players change places")),
            (Kind.MOVE, _("A player goes to a table with room")),
            (Kind.UNSEAT, _("A player gets up and sits out")),
        ],
        widget=forms.RadioSelect,
        initial=Kind.SWAP,
        error_messages={"required": _("Choose what shall happen.")},
    )
    one = forms.TypedChoiceField(
        label=_("This player"),
        coerce=int,
        error_messages={"required": _("Choose a player who is present.")},
    )
    other = forms.TypedChoiceField(
        label=_("and this one"), coerce=int, required=False, empty_value=None
    )
    table = forms.ModelChoiceField(
        Table.objects.none(), label=_("goes to table"), required=False, empty_label="–"
    )
    seen = forms.CharField(max_length=64, required=False, widget=forms.HiddenInput)
    typed = forms.CharField(
        label=_("Name"),
        max_length=120,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def __init__(self, *args: Any, this_round: Round, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [("", "–"), *people_of(this_round)]
        self.fields["one"].choices = choices  # type: ignore[attr-defined]
        self.fields["other"].choices = choices  # type: ignore[attr-defined]
        self.fields["table"].queryset = this_round.tables.in_order()  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        """Ask for what the chosen change needs."""
        data = super().clean() or self.cleaned_data
        if data.get("kind") == Kind.SWAP and not data.get("other"):
            self.add_error("other", ValidationError(_("Choose the other player."), code="required"))
        if data.get("kind") == Kind.MOVE and not data.get("table"):
            self.add_error("table", ValidationError(_("Choose a table."), code="required"))
        return data

    def wish(self) -> Wish:
        """Give the change as the actions take it."""
        data = self.cleaned_data
        table = data["table"]
        return Wish(
            kind=Kind(data["kind"]),
            one=data["one"],
            other=data["other"],
            table=table.pk if table else None,
        )


def people_of(this_round: Round) -> list[tuple[int, str]]:
    """Everybody present, with his table; those without one last."""
    seats = this_round.seats.select_related("player", "table").order_by("table__number", "place")
    seated = [
        (
            seat.player_id,
            gettext("%(player)s (table %(number)s)")
            % {"player": seat.player, "number": seat.table.number},
        )
        for seat in seats
    ]
    without = Player.objects.filter(
        entry_players__event=this_round.event_id, entry_players__entry__state="present"
    ).exclude(pk__in=[player for player, _name in seated])
    sitting_out = [
        (player.pk, gettext("%(player)s (sits out)") % {"player": player})
        for player in without.by_name()
    ]
    return seated + sitting_out
