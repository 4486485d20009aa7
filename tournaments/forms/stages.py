"""Planning a tournament: its stages, and how its next round is placed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubs.forms.fields import LineField, digits
from tournaments.forms.evenings import DrawForm, EventForm
from tournaments.models import Event, Placement, Stage

MOST = 50
LONGEST_ROUND = 600
MOST_ENTRIES = 1_000
LARGEST_POINTS = 10_000
LARGEST_FRACTION = 1_000
PERCENT = 100
#: How a single position can be placed; the seeds of a final are for a whole stage.
SINGLE_PLACEMENTS = [choice for choice in Placement.choices if choice[0] != Placement.FINAL]


class StageForm(forms.Form):
    """One stage: so many rounds of so many deals or minutes, and how players are placed."""

    name = LineField(label=_("Name of the stage"), max_length=60, required=False)
    rounds_planned = digits(_("Rounds"), most=MOST)
    deals_per_round = digits(_("Deals in a round"), most=MOST, required=False)
    minutes_per_round = digits(
        _("or minutes of a round"),
        most=LONGEST_ROUND,
        required=False,
        help_text=_("With a time a round plays as many deals as fit."),
    )
    placement = forms.ChoiceField(label=_("How the players are placed"), choices=Placement.choices)
    qualifiers = digits(
        _("How many qualify"),
        most=MOST_ENTRIES,
        least=4,
        required=False,
        help_text=_("The best of the stages before; empty: everybody."),
    )
    carried = forms.CharField(
        label=_("Points carried over"),
        max_length=12,
        required=False,
        help_text=_("1: all points made before count; 1/2 or 50%: half of them; 0: none."),
    )
    session = digits(_("Session"), most=20, required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for position in range(1, self._positions() + 1):
            self.fields[f"position_{position}"] = forms.ChoiceField(
                label=_("Position %(number)s") % {"number": position},
                choices=[("", _("As the stage")), *SINGLE_PLACEMENTS],
                required=False,
            )

    def _positions(self) -> int:
        """How many positions can be placed each in its own way: those typed, else those planned."""
        typed = str(self["rounds_planned"].value() or "")
        planned = min(int(typed), MOST) if typed.isdecimal() else 0
        return planned if planned > 1 else 0

    @property
    def positions(self) -> list[forms.BoundField]:
        """The fields that place single positions."""
        return [self[name] for name in self.fields if name.startswith("position_")]

    @property
    def has_single(self) -> bool:
        """Is a position placed in another way than its stage?"""
        return any(field.value() for field in self.positions)

    def clean_carried(self) -> Fraction:
        """Give the fraction that was typed; nothing typed is the whole."""
        typed = self.cleaned_data["carried"].strip().replace(",", ".")
        try:
            share = _fraction(typed or "1")
        except (ValueError, ZeroDivisionError):
            raise ValidationError(
                _("Write a share such as 1, 0, 1/2 or 50%."), code="share"
            ) from None
        if not 0 <= share <= 1 or share.denominator > LARGEST_FRACTION:
            raise ValidationError(_("A share goes from 0 to 1."), code="share")
        return share

    def clean(self) -> dict[str, Any]:
        """Refuse a round without a length, and one with two."""
        cleaned = self.cleaned_data
        if "deals_per_round" in cleaned and "minutes_per_round" in cleaned:
            given = [cleaned["deals_per_round"], cleaned["minutes_per_round"]]
            if given.count(None) != 1:
                message = _("A round is so many deals long, or so many minutes.")
                self.add_error("deals_per_round", message)
        return cleaned

    def plan(self) -> dict[str, Any]:
        """Give the stage as the actions take it."""
        plan = dict(self.cleaned_data)
        share = plan.pop("carried")
        chosen = {name: plan.pop(name) for name in list(plan) if name.startswith("position_")}
        plan["placements"] = {
            name.removeprefix("position_"): way for name, way in chosen.items() if way
        }
        plan["session"] = plan["session"] or 1
        return plan | {
            "carried_numerator": share.numerator,
            "carried_denominator": share.denominator,
        }


def _fraction(typed: str) -> Fraction:
    if typed.endswith("%"):
        return Fraction(typed[:-1].strip()) / PERCENT
    return Fraction(typed.replace(" ", ""))


def stage_form(stage: Stage, data: Any = None) -> StageForm:
    """The form of a stage that exists."""
    names = [name for name in StageForm.base_fields if name != "carried"]
    initial = {name: getattr(stage, name) for name in names} | {"carried": str(stage.carried)}
    initial["name"] = stage.shown_name
    initial |= {f"position_{number}": way for number, way in stage.placements.items()}
    return StageForm(data, initial=initial, prefix=f"stage-{stage.pk}")


class TournamentForm(EventForm):
    """The plan of a tournament besides its stages."""

    deals_per_round = None  # type: ignore[assignment]
    rounds_planned = None  # type: ignore[assignment]
    most_entries = digits(
        _("Places"),
        most=MOST_ENTRIES,
        least=3,
        required=False,
        help_text=_("Whoever enters beyond these waits; empty: everybody gets a place."),
    )
    missed_points = forms.IntegerField(
        label=_("Points of a missed round"),
        min_value=-LARGEST_POINTS,
        max_value=LARGEST_POINTS,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    class Meta(EventForm.Meta):
        fields = (
            "starts_at",
            "leftovers",
            "title",
            "place",
            "publication",
            "most_entries",
            "missed_rounds",
            "missed_points",
        )
        labels = {**EventForm.Meta.labels, "missed_rounds": _("What a missed round counts")}
        help_texts = {
            "title": _("Empty: “Tournament”."),
            "missed_rounds": _("For whoever comes late or leaves early."),
        }

    def clean_missed_points(self) -> int:
        """Nothing typed is zero."""
        points: int | None = self.cleaned_data["missed_points"]
        return points or 0


def change_tournament_form(event: Event, data: Any = None) -> TournamentForm:
    """The form of a tournament that exists."""
    initial = {"preset": event.ruleset.get("name"), "season": event.season}
    return TournamentForm(data, club=event.club, instance=event, initial=initial)


MOST_STAGES = 9
_StageFormSet = forms.formset_factory(
    StageForm, extra=0, min_num=1, max_num=MOST_STAGES, validate_min=True, validate_max=True
)


def stages_form(stages: Sequence[Mapping[str, Any]], data: Any = None) -> forms.BaseFormSet:
    """The forms of the stages of a new tournament, at first as its format has them."""
    how_many = gettext("A tournament has from 1 to 9 stages.")
    said = {"too_few_forms": how_many, "too_many_forms": how_many}
    return _StageFormSet(data, initial=stages, prefix="stages", error_messages=said)


class PlaceForm(DrawForm):
    """How the next round of a tournament is placed: as its stage says unless chosen."""

    placement = forms.ChoiceField(
        label=_("How the players are placed"),
        choices=[("", _("As the stage says")), *Placement.choices],
        required=False,
    )
    beyond_limit = forms.BooleanField(
        label=_("Go on with the movement although players meet again"), required=False
    )
    without_pairs = forms.BooleanField(
        label=_("Let those meet in this position who should not"), required=False
    )

    def __init__(self, *args: Any, planned: str = "", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if planned:
            as_planned = _("As planned: %(placement)s") % {"placement": Placement(planned).label}
            choices = [("", as_planned), *Placement.choices]
            self.fields["placement"].choices = choices  # type: ignore[attr-defined]


class CutForm(forms.Form):
    """Who of those equal at the last place goes on: the winners of an extra deal, or by lot."""

    through = forms.TypedMultipleChoiceField(
        label=_("Who goes on"), coerce=int, required=False, widget=forms.CheckboxSelectMultiple
    )
    #: Who was equal when the page was made.
    equal = forms.TypedMultipleChoiceField(
        coerce=int, required=False, widget=forms.MultipleHiddenInput
    )
    by_lot = forms.BooleanField(required=False)

    def __init__(self, *args: Any, names: Mapping[int, str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in ("through", "equal"):
            self.fields[field].choices = list(names.items())  # type: ignore[attr-defined]
        self.initial["equal"] = list(names)
