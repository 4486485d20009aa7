"""The forms of rankings: which one is looked at, and how one counts."""

from __future__ import annotations

import json
import re
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from clubs.forms.clubs import DateInput
from clubs.forms.fields import LineField
from clubs.models import Season
from scoring.models import Ranking
from scoring.rankings.methods import (
    LONGEST_SCALE,
    PRESETS,
    TABLES,
    Method,
    Preset,
    Settings,
    TieBreak,
)
from scoring.rankings.words import PRESET_NAMES, TIE_BREAK_NAMES
from tournaments.models import Event

MOST_POINTS = 1000
MOST_EVENINGS = 366
MOST_DEALS = 100_000
#: Which ways of counting make sense for a game, and which tie-breaks.
METHODS = {
    Event.Game.TAROT: (Method.TOTAL, Method.AVERAGE, Method.PLACES, Method.RATING),
    Event.Game.TRUCO: (Method.WINS, Method.PLACES, Method.TOTAL, Method.RATING),
}
OF_MEETINGS = (TieBreak.WINS, TieBreak.GAMES, TieBreak.POINTS)
TIE_BREAK_FIELDS = ("first_tie_break", "second_tie_break", "third_tie_break")


class RankingForm(forms.Form):
    """Which season's ranking, and which players in it."""

    season = forms.ModelChoiceField(
        label=pgettext_lazy("heading", "Season"),
        queryset=Season.objects.none(),
        required=False,
        empty_label=None,
    )
    ranking = forms.IntegerField(required=False, widget=forms.HiddenInput)
    player = forms.CharField(label=_("Find a player"), required=False, max_length=60)

    def __init__(self, *args: Any, seasons: list[Season], **options: Any) -> None:
        super().__init__(*args, **options)
        own = Season.objects.filter(pk__in=[season.pk for season in seasons])
        self.fields["season"].queryset = own.latest_first()  # type: ignore[attr-defined]


class PresetForm(forms.Form):
    """What a new ranking begins with."""

    preset = forms.ChoiceField(
        label=_("What shall it count?"),
        choices=[(preset.code, PRESET_NAMES[preset.code]) for preset in PRESETS],
    )
    entry_key = forms.UUIDField(widget=forms.HiddenInput)

    def chosen(self) -> Preset:
        """Give the preset."""
        return next(each for each in PRESETS if each.code == self.cleaned_data["preset"])


class WaysForm(forms.Form):
    """How a ranking counts, as ``rankings.methods.Settings`` say it."""

    name = LineField(
        label=_("Name"),
        max_length=60,
        required=False,
        help_text=_("Empty: it is called by what it counts."),
    )
    method = forms.ChoiceField(label=_("What counts"))
    best_of = forms.IntegerField(
        label=_("How many evenings count"),
        min_value=1,
        max_value=MOST_EVENINGS,
        required=False,
        help_text=_("Each player’s best ones; empty: all."),
    )
    attendance = forms.IntegerField(
        label=_("Points for each evening played"),
        min_value=-MOST_POINTS,
        max_value=MOST_POINTS,
        required=False,
        help_text=_("On top, for coming."),
    )
    scale = forms.CharField(
        label=_("Points for the first places"),
        max_length=LONGEST_SCALE * len(f"-{MOST_POINTS}, "),
        required=False,
        help_text=_("From the first place on: 25, 18, 15, 12 …"),
    )
    scale_rest = forms.IntegerField(
        label=_("Points for every other place"),
        min_value=-MOST_POINTS,
        max_value=MOST_POINTS,
        required=False,
    )
    win = forms.IntegerField(
        label=_("Points for a win"), min_value=-MOST_POINTS, max_value=MOST_POINTS, required=False
    )
    loss = forms.IntegerField(
        label=_("Points for a loss"), min_value=-MOST_POINTS, max_value=MOST_POINTS, required=False
    )
    first_tie_break = forms.ChoiceField(label=_("When equal, first"), required=False)
    second_tie_break = forms.ChoiceField(label=_("Then"), required=False)
    third_tie_break = forms.ChoiceField(label=_("And then"), required=False)
    minimum_deals = forms.IntegerField(
        label=_("Deals needed for a place"), min_value=0, max_value=MOST_DEALS, required=False
    )
    minimum_evenings = forms.IntegerField(
        label=_("Evenings needed for a place"), min_value=0, max_value=MOST_EVENINGS, required=False
    )
    kinds = forms.ChoiceField(
        label=_("Which evenings"),
        choices=[
            ("", pgettext_lazy("of evenings", "All")),
            (Event.Kind.CLUB_NIGHT, _("Club nights only")),
            (Event.Kind.TOURNAMENT, _("Tournaments only")),
        ],
        required=False,
    )
    players = forms.TypedChoiceField(
        label=_("Players at the table"),
        choices=[("", _("Any number")), *((size, str(size)) for size in TABLES)],
        coerce=int,
        empty_value=None,
        required=False,
        help_text=_("Only deals at such tables count."),
    )
    first_day = forms.DateField(label=_("First day"), widget=DateInput(), required=False)
    last_day = forms.DateField(label=_("Last day"), widget=DateInput(), required=False)
    series = forms.CharField(
        label=_("Only these series"),
        max_length=200,
        required=False,
        help_text=_("As entries say them, with commas between."),
    )
    members_only = forms.BooleanField(label=_("Members only, without guests"), required=False)
    state = forms.ChoiceField(label=_("State"), choices=Ranking.State.choices)
    order = forms.IntegerField(
        label=_("Where among the rankings"), min_value=0, max_value=99, required=False
    )
    version = forms.IntegerField(widget=forms.HiddenInput)
    # What the button under a preview says: how the ranking counts there.
    store = forms.CharField(required=False)

    def __init__(self, data: Any = None, *, ranking: Ranking) -> None:
        super().__init__(data, initial=_initial(ranking))
        game = Event.Game(ranking.game)
        names = dict(Ranking.Method.choices)
        self._choose("method", [(str(each), names[str(each)]) for each in METHODS[game]])
        for field in TIE_BREAK_FIELDS:
            self._choose(field, [("", "–"), *_tie_break_choices(game)])
        # What truco calls deals are hands at one evening and meetings at another.
        of_deals = ("players", "minimum_deals")
        for field in ("win", "loss") if game == Event.Game.TAROT else of_deals:
            del self.fields[field]

    def _choose(self, name: str, choices: list[tuple[str, Any]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101 - tells the type checker
        field.choices = choices

    def clean_scale(self) -> tuple[int, ...]:
        words = re.split(r"[\s,;]+", self.cleaned_data["scale"].strip(" ,;"))
        try:
            scale = tuple(int(word) for word in words if word)
        except ValueError:
            raise ValidationError(
                _("The scale is whole numbers with commas between: 25, 18, 15."), code="scale"
            ) from None
        if len(scale) > LONGEST_SCALE or any(abs(points) > MOST_POINTS for points in scale):
            raise ValidationError(
                _("A scale has at most 200 places, and each at most 1000 points."), code="scale"
            )
        return scale

    def clean_series(self) -> tuple[str, ...]:
        words = [word.strip() for word in self.cleaned_data["series"].split(",")]
        return tuple(word for word in words if word)

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        method = given.get("method")
        if method == Method.PLACES and not given.get("scale") and "scale" not in self.errors:
            self.add_error("scale", ValidationError(_("Say what the places give."), code="scale"))
        if method in {Method.AVERAGE, Method.RATING} and given.get("best_of"):
            self.add_error(
                "best_of",
                ValidationError(_("Only what adds up has best evenings."), code="best_of"),
            )
        first, last = given.get("first_day"), given.get("last_day")
        if first and last and first > last:
            self.add_error(
                "last_day",
                ValidationError(_("The last day does not come before the first."), code="days"),
            )
        chosen = [given.get(field) for field in TIE_BREAK_FIELDS if given.get(field)]
        if len(set(chosen)) != len(chosen):
            self.add_error(
                TIE_BREAK_FIELDS[len(chosen) - 1],
                ValidationError(_("Each way of parting equals once."), code="tie_breaks"),
            )
        return given

    @property
    def narrows(self) -> bool:
        """Is something said about which evenings and players count?"""
        names = ("kinds", "players", "first_day", "last_day", "series", "members_only",
                 "minimum_deals", "minimum_evenings")  # fmt: skip
        return any(
            self[name].value() not in {None, "", "0", 0} for name in names if name in self.fields
        )

    @property
    def shown(self) -> str:
        """How the ranking counts, as one text: what somebody who has seen it agrees to."""
        told = {"method": self.chosen_method(), "settings": self.chosen_settings().to_json()}
        return json.dumps(told, sort_keys=True)

    @property
    def stores_what_was_shown(self) -> bool:
        """Was the button under the preview pressed, and nothing changed since?"""
        agreed: str = self.cleaned_data["store"]
        return agreed == self.shown

    @property
    def was_changed_since(self) -> bool:
        """Was that button pressed after something else was chosen?"""
        return bool(self.cleaned_data["store"]) and not self.stores_what_was_shown

    def chosen_method(self) -> Method:
        """Give what counts."""
        return Method(self.cleaned_data["method"])

    def chosen_settings(self) -> Settings:
        """Give how it counts."""
        given = self.cleaned_data
        plain = Settings()
        return Settings(
            best_of=given["best_of"],
            minimum_deals=given.get("minimum_deals") or 0,
            minimum_evenings=given["minimum_evenings"] or 0,
            attendance=given["attendance"] or 0,
            scale=given["scale"],
            scale_rest=given["scale_rest"] or 0,
            win=_or(given.get("win"), plain.win),
            loss=_or(given.get("loss"), plain.loss),
            tie_breaks=tuple(TieBreak(given[f]) for f in TIE_BREAK_FIELDS if given[f]),
            players=given.get("players"),
            kinds=(given["kinds"],) if given["kinds"] else (),
            first_day=given["first_day"],
            last_day=given["last_day"],
            series=given["series"],
            members_only=given["members_only"],
        )


def _or(given: int | None, plain: int) -> int:
    return plain if given is None else given


def _tie_break_choices(game: Event.Game) -> list[tuple[str, Any]]:
    return [
        (str(code), name)
        for code, name in TIE_BREAK_NAMES.items()
        if game == Event.Game.TRUCO or code not in OF_MEETINGS
    ]


def _initial(ranking: Ranking) -> dict[str, Any]:
    try:
        settings = Settings.from_json(ranking.settings)
    except ValueError:
        # What is not understood is asked for again.
        settings = Settings()
    breaks = [*map(str, settings.tie_breaks), "", "", ""]
    return {
        **{field: getattr(settings, field) for field in Settings.__slots__},
        "name": ranking.name,
        "method": ranking.method,
        "scale": ", ".join(map(str, settings.scale)),
        "kinds": settings.kinds[0] if len(settings.kinds) == 1 else "",
        "series": ", ".join(settings.series),
        **dict(zip(TIE_BREAK_FIELDS, breaks, strict=False)),
        "state": ranking.state,
        "order": ranking.order,
        "version": ranking.version,
    }
