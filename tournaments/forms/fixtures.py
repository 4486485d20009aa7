"""Planning a tournament of fixtures: its stages with every setting, and who goes where."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from clubs.forms.fields import LineField, digits
from clubs.models import Club
from rules_engine.errors import Illegal, Unreadable
from tournaments import fixtures
from tournaments.fixtures import CapRule, StageKind, Where
from tournaments.forms.evenings import EventForm, seed_of_a_draw
from tournaments.forms.stages import MOST_ENTRIES
from tournaments.models import Event, Stage
from tournaments.saying import said_source

#: The rules of the game by their name in the engine.
RULES = {
    "paulista": _("Truco paulista"),
    "paulista-manilha-velha": _("Paulista with fixed manilhas"),
    "paulista-aberto": _("Paulista, partner’s cards shown"),
    "mineiro": _("Truco mineiro"),
}
GAMES = [(n, str(n)) for n in (1, 3, 5, 7)]
TARGETS = [(n, str(n)) for n in (12, 15, 24)]
AS_THE_REST = [("", _("as the rest"))]
POINTS = {
    "simples": _("1 for a win"),
    "jau": _("Jaú: 3 and 1; walkover ±3; leaving −1"),
    "3210": _("3–2 for a win, 1–0 for a loss"),
    "own": pgettext_lazy("points", "others"),
}
CAP_RULES = {
    CapRule.NONE: _("no limit of time"),
    CapRule.LEADER_WINS: _("whoever is ahead wins"),
    CapRule.FROM_11_11: _("the games left start at 11 to 11"),
    CapRule.SUDDEN_HAND: _("one more hand decides"),
}
COMPARE = {"average": _("by the average of a fixture"), "drop_last": _("without the last of each")}
WITHDRAWN = {
    "keep": _("they count; the rest are walkovers"),
    "annul": _("none of them counts"),
}
FIRST_ROUND = {"drawn": _("drawn"), "halves": _("upper half against lower half by seed")}
WHERE = {
    Where.FIRST_ROUND: _("First round"),
    Where.SEMI_FINALS: _("Semi-finals"),
    Where.FINAL: pgettext_lazy("fixture", "Final"),
    Where.THIRD_PLACE: _("Third place"),
    Where.SIDE: _("Second chance"),
}
POINT_NAMES = {
    "win": _("Win"),
    "loss": _("Defeat"),
    "wo_win": _("Win by walkover"),
    "wo_loss": _("Defeat by walkover"),
    "abandon_win": _("Win when the others abandon"),
    "abandon_loss": _("Defeat by abandoning"),
    "close_win": _("Win in the last game"),
    "close_loss": _("Defeat in the last game"),
}
MOST_POINTS = 1_000
MOST_MINUTES = 600
TIE_BREAKS = 8

GROUPS, SWISS = StageKind.GROUPS, StageKind.SWISS
KNOCKOUT, SIDE, DOUBLE = StageKind.KNOCKOUT, StageKind.SIDE_KNOCKOUT, StageKind.DOUBLE
#: Which fields concern only some kinds.
ONLY: Mapping[str, frozenset[StageKind]] = {
    "groups": frozenset({GROUPS}),
    "group_size": frozenset({GROUPS}),
    "double_round": frozenset({GROUPS}),
    "best_of_next": frozenset({GROUPS}),
    "unequal_compare": frozenset({GROUPS}),
    "swiss_rounds": frozenset({SWISS}),
    "first_round": frozenset({SWISS}),
    "third_place": frozenset({KNOCKOUT, SIDE}),
    "buy_back": frozenset({KNOCKOUT}),
    "redraw_each_round": frozenset({KNOCKOUT}),
    "side_enters": frozenset({SIDE}),
    "second_final": frozenset({DOUBLE}),
    "restart": frozenset({GROUPS, SWISS}),
    "cap_tentos": frozenset({GROUPS, SWISS}),
    "wo_counts": frozenset({GROUPS, SWISS}),
    "wo_games": frozenset({GROUPS, SWISS}),
    "wo_tentos": frozenset({GROUPS, SWISS}),
}


class ChampionshipForm(EventForm):
    """The plan of a tournament of fixtures besides its stages."""

    deals_per_round = None  # type: ignore[assignment]
    rounds_planned = None  # type: ignore[assignment]
    game = None  # type: ignore[assignment]
    sides = None  # type: ignore[assignment]
    best_of = None  # type: ignore[assignment]
    target = None  # type: ignore[assignment]
    meeting_points = None  # type: ignore[assignment]
    cap_rule = None  # type: ignore[assignment]
    truco_preset = None  # type: ignore[assignment]
    preset = forms.ChoiceField(label=_("Rules of the game"), choices=list(RULES.items()))
    most_entries = digits(
        _("Places"),
        most=MOST_ENTRIES,
        least=2,
        required=False,
        help_text=_("Whoever enters beyond these waits; empty: everybody gets a place."),
    )

    class Meta(EventForm.Meta):
        fields: tuple[str, ...] = (
            "starts_at",
            "entrants",
            "title",
            "place",
            "most_entries",
            "confirmation",
            "publication",
        )
        widgets = {}
        help_texts = {"title": _("Empty: “Tournament”.")}


class ChangeChampionshipForm(ChampionshipForm):
    """The plan of a tournament of fixtures that exists: its game and who enters stay."""

    preset = None  # type: ignore[assignment]

    class Meta(ChampionshipForm.Meta):
        fields = ("starts_at", "title", "place", "most_entries", "publication")


def change_championship_form(event: Event, data: Any = None) -> ChangeChampionshipForm:
    """The form of a tournament of fixtures that exists."""
    initial = {"season": event.season}
    return ChangeChampionshipForm(data, club=event.club, instance=event, initial=initial)


def new_championship_form(club: Club, data: Any = None) -> ChampionshipForm:
    """The form of a new tournament of fixtures."""
    initial = {
        "entry_key": uuid.uuid4(),
        "publication": club.publication,
        "entrants": Event.Entrants.PAIRS,
        "confirmation": Event.Confirmation.OTHER_SIDE,
        "preset": "paulista",
    }
    return ChampionshipForm(data, club=club, initial=initial)


class StageSettingsForm(forms.Form):
    """Every setting of a stage; what does not concern its kind is not asked."""

    name = LineField(label=_("Name of the stage"), max_length=60, required=False)
    # how many
    groups = digits(_("Number of groups"), most=200, required=False)
    group_size = digits(
        _("or size of a group"),
        most=200,
        least=2,
        required=False,
        help_text=_("One of the two; sizes differ by one at most."),
    )
    double_round = forms.BooleanField(label=_("Everybody meets twice"), required=False)
    swiss_rounds = digits(
        _("Rounds"),
        most=99,
        required=False,
        help_text=_("Empty: as many as a knockout would have."),
    )
    first_round = forms.ChoiceField(
        label=_("The first round is"), choices=list(FIRST_ROUND.items()), required=False
    )
    qualifiers = digits(
        _("How many go on"),
        most=MOST_POINTS,
        least=0,
        required=False,
        help_text=_("From each group, or from the whole stage; empty: it is the last stage."),
    )
    best_of_next = digits(
        _("and how many of the next place"),
        most=MOST_POINTS,
        least=0,
        required=False,
        help_text=_("The best thirds, when two of each group go on."),
    )
    unequal_compare = forms.ChoiceField(
        label=_("When groups differ in size, these are compared"),
        choices=list(COMPARE.items()),
        required=False,
    )
    third_place = forms.BooleanField(label=_("A match for the third place"), required=False)
    second_final = forms.BooleanField(
        label=_("A second final when the unbeaten side loses the first"), required=False
    )
    side_enters = forms.TypedChoiceField(
        label=_("The winner of the second chance comes in when so many are left"),
        choices=[(n, str(n)) for n in (2, 4, 8, 16)],
        coerce=int,
        initial=4,
    )
    buy_back = forms.BooleanField(
        label=_("First-round losers may buy themselves back in, once"), required=False
    )
    redraw_each_round = forms.BooleanField(
        label=_("Pairings drawn anew each round"), required=False
    )
    keep_clubs_apart = forms.BooleanField(
        label=_("Keep sides of one club apart as long as possible"), required=False
    )
    # one fixture
    best_of = forms.TypedChoiceField(label=_("Best of"), choices=GAMES, coerce=int)
    target = forms.TypedChoiceField(label=_("Points of a game"), choices=TARGETS, coerce=int)
    ruleset = forms.ChoiceField(
        label=_("Rules of the game"),
        choices=[("", _("those of the tournament")), *RULES.items()],
        required=False,
    )
    cap_minutes = digits(_("Limit of time in minutes"), most=MOST_MINUTES, required=False)
    cap_rule = forms.ChoiceField(
        label=_("At the limit of time"), choices=list(CAP_RULES.items()), required=False
    )
    # points and equals
    points = forms.ChoiceField(label=_("Points of a fixture"), choices=list(POINTS.items()))
    restart = forms.BooleanField(
        label=_("Start from the top again when a larger tie is split"), required=False
    )
    cap_tentos = forms.BooleanField(
        label=_("Points of a game count up to its target only (22 to 10 as 12 to 10)"),
        required=False,
    )
    # who does not come
    tolerance_first = digits(
        _("Minutes to wait in the first round"), most=MOST_MINUTES, least=0, required=False
    )
    tolerance_later = digits(_("Minutes to wait later"), most=MOST_MINUTES, least=0, required=False)
    wo_counts = forms.BooleanField(
        label=_("A walkover counts for games and tentos"), required=False
    )
    wo_games = digits(
        _("Games of a walkover"),
        most=MOST_POINTS,
        least=0,
        required=False,
        help_text=_("Empty: as many as a clear win."),
    )
    wo_tentos = digits(_("Tentos of a walkover"), most=MOST_POINTS, least=0, required=False)
    withdrawn_results = forms.ChoiceField(
        label=_("Results of a side that withdraws or is expelled"),
        choices=list(WITHDRAWN.items()),
        required=False,
    )

    def __init__(self, *args: Any, kind: StageKind, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.kind = kind
        for name, value in POINT_NAMES.items():
            self.fields[f"points_{name}"] = forms.IntegerField(
                label=value, min_value=-MOST_POINTS, max_value=MOST_POINTS, required=False,
                widget=forms.TextInput(attrs={"autocomplete": "off"}),
            )  # fmt: skip
        criteria = [
            ("", "–"),
            *((c.value, gettext(n)) for c, n in fixtures.CRITERION_NAMES.items()),
        ]
        for place in range(1, TIE_BREAKS + 1):
            self.fields[f"tie_break_{place}"] = forms.ChoiceField(
                label=gettext("%(place)s.") % {"place": place}, choices=criteria, required=False
            )
        for where, label in WHERE.items():
            self.fields[f"{where}_best_of"] = forms.TypedChoiceField(
                label=gettext("%(fixture)s: best of") % {"fixture": label},
                choices=[*AS_THE_REST, *GAMES], coerce=int, required=False, empty_value=None,
            )  # fmt: skip
            self.fields[f"{where}_target"] = forms.TypedChoiceField(
                label=gettext("%(fixture)s: points of a game") % {"fixture": label},
                choices=[*AS_THE_REST, *TARGETS], coerce=int, required=False, empty_value=None,
            )  # fmt: skip
        for name, kinds in ONLY.items():
            if kind not in kinds:
                del self.fields[name]
        if not self.has_tables:
            for place in range(1, TIE_BREAKS + 1):
                del self.fields[f"tie_break_{place}"]

    @property
    def has_tables(self) -> bool:
        """Are points counted in the stage?"""
        return self.kind in {GROUPS, SWISS}

    # The sections of the page

    def _some(self, *names: str) -> Iterator[forms.BoundField]:
        return (self[name] for name in names if name in self.fields)

    def shape(self) -> list[forms.BoundField]:
        """Give the fields about how many meet how often."""
        return list(self._some(
            "name", "groups", "group_size", "double_round", "swiss_rounds", "first_round",
            "qualifiers", "best_of_next", "unequal_compare", "third_place", "second_final",
            "side_enters", "buy_back", "redraw_each_round", "keep_clubs_apart",
        ))  # fmt: skip

    def format(self) -> list[forms.BoundField]:
        """Give the fields about one fixture."""
        return list(self._some("best_of", "target", "ruleset", "cap_minutes", "cap_rule"))

    def exceptions(self) -> list[forms.BoundField]:
        """Give the fields about fixtures that are played otherwise."""
        return [self[f"{where}_{what}"] for where in WHERE for what in ("best_of", "target")]

    def counting(self) -> list[forms.BoundField]:
        """Give the fields about points and equals."""
        return list(self._some("points", "restart", "cap_tentos"))

    def own_points(self) -> list[forms.BoundField]:
        """Give the fields of points that are no usual ones."""
        return [self[f"points_{name}"] for name in POINT_NAMES]

    def tie_breaks(self) -> list[forms.BoundField]:
        """Give the fields of what decides between equals, in order."""
        return list(self._some(*(f"tie_break_{n}" for n in range(1, TIE_BREAKS + 1))))

    def absent(self) -> list[forms.BoundField]:
        """Give the fields about those who do not come."""
        return list(self._some(
            "tolerance_first", "tolerance_later", "wo_counts", "wo_games", "wo_tentos",
            "withdrawn_results",
        ))  # fmt: skip

    # The values

    def clean(self) -> dict[str, Any]:
        """Refuse what cannot be played, next to its field."""
        cleaned = super().clean() or self.cleaned_data
        if self.errors:
            return cleaned
        try:
            cleaned["settings"] = self._settings(cleaned)
        except (Illegal, Unreadable) as why:
            field = why.field if why.field in self.fields else None
            said = ValidationError(gettext(why.sentence) % dict(why.gaps), code=why.code)
            self.add_error(field, said)
        return cleaned

    def settings(self) -> fixtures.StageSettings:
        """Give the settings as the stage is played by them."""
        settings: fixtures.StageSettings = self.cleaned_data["settings"]
        return settings

    def _settings(self, said: Mapping[str, Any]) -> fixtures.StageSettings:
        plain = [
            "groups", "group_size", "double_round", "swiss_rounds", "first_round",
            "unequal_compare", "third_place", "second_final", "side_enters", "buy_back",
            "redraw_each_round", "keep_clubs_apart", "restart", "cap_tentos", "wo_counts",
            "wo_games", "wo_tentos", "withdrawn_results",
        ]  # fmt: skip
        data: dict[str, Any] = {n: said[n] for n in plain if n in self.fields and said[n] != ""}
        data["qualifiers"] = said["qualifiers"] or 0
        if "best_of_next" in self.fields:
            data["best_of_next"] = said["best_of_next"] or 0
        for name in ("tolerance_first", "tolerance_later"):
            if said[name] is not None:
                data[name] = said[name]
        usual = {
            "best_of": said["best_of"],
            "target": said["target"],
            "ruleset": said["ruleset"],
            "cap_minutes": said["cap_minutes"],
            "cap_rule": said["cap_rule"] or CapRule.NONE,
        }
        breaks = [said.get(f"tie_break_{n}", "") for n in range(1, TIE_BREAKS + 1)]
        return fixtures.StageSettings.from_json(
            data
            | {
                "kind": self.kind,
                "format": usual,
                "exceptions": _exceptions(said, usual),
                "points": _points(said),
                "tie_breaks": [each for each in breaks if each],
            }
        )


def _exceptions(said: Mapping[str, Any], usual: Mapping[str, Any]) -> dict[str, Any]:
    found = {}
    for where in WHERE:
        own = {name: said[f"{where}_{name}"] for name in ("best_of", "target")}
        own = {name: value for name, value in own.items() if value is not None}
        if own:
            found[str(where)] = {**usual, **own}
    return found


def _points(said: Mapping[str, Any]) -> dict[str, Any]:
    if said["points"] != "own":
        return fixtures.POINTS[said["points"]].to_json()
    typed = {name: said[f"points_{name}"] for name in POINT_NAMES}
    return {name: value for name, value in typed.items() if value is not None}


def settings_form(stage: Stage, settings: fixtures.StageSettings, data: Any = None) -> Any:
    """The form of a stage's settings."""
    return StageSettingsForm(data, kind=settings.kind, initial=_initial(stage.shown_name, settings))


def _initial(name: str, settings: fixtures.StageSettings) -> dict[str, Any]:
    points = settings.points
    usual = next((code for code, each in fixtures.POINTS.items() if each == points), "own")
    initial: dict[str, Any] = {
        **settings.to_json(),
        **settings.format.to_json(),
        "name": name,
        "qualifiers": settings.qualifiers or None,
        "best_of_next": settings.best_of_next or None,
        "points": usual,
    }
    initial |= {f"points_{each}": getattr(points, each) for each in POINT_NAMES}
    initial |= {
        f"tie_break_{n}": str(each) for n, each in enumerate(settings.order[:TIE_BREAKS], start=1)
    }
    for where, form in settings.exceptions.items():
        if form.best_of != settings.format.best_of:
            initial[f"{where}_best_of"] = form.best_of
        if form.target != settings.format.target:
            initial[f"{where}_target"] = form.target
    return initial


class SlotsForm(forms.Form):
    """Who stands in each slot of a stage, by where he comes from."""

    def __init__(
        self, *args: Any, slots: fixtures.SlotMap, from_groups: bool, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.slots = slots
        texts = sorted({source.text() for source in slots.sources}, key=_by_kind)
        choices = [(text, said_source(text, from_groups=from_groups)) for text in texts]
        for number, (name, source) in enumerate(slots.slots):
            self.fields[f"slot_{number}"] = forms.ChoiceField(
                label=name, choices=choices, initial=source.text()
            )

    def blocks(self) -> list[tuple[str, list[forms.BoundField]]]:
        """Give the slots by group, or by fixture of a bracket, each with its title."""
        found: dict[str, list[forms.BoundField]] = {}
        for number, (name, _source) in enumerate(self.slots.slots):
            group, colon, _place = name.partition(":")
            title = (
                gettext("Group %(letter)s") % {"letter": group}
                if colon
                else gettext("Fixture %(number)s") % {"number": number // 2 + 1}
            )
            found.setdefault(title, []).append(self[f"slot_{number}"])
        return list(found.items())

    def clean(self) -> dict[str, Any]:
        """Refuse somebody who stands in two slots, next to the second one."""
        cleaned = super().clean() or self.cleaned_data
        seen: set[str] = set()
        for name in self.fields:
            text = cleaned.get(name, "bye")
            if text in seen:
                self.add_error(name, _("This place is given twice."))
            elif text != "bye":
                seen.add(text)
        return cleaned

    def slot_map(self) -> fixtures.SlotMap:
        """Give the map as the stage is planned from it."""
        return fixtures.SlotMap(
            slots=tuple(
                (name, fixtures.source_from_text(self.cleaned_data[f"slot_{number}"]))
                for number, (name, _source) in enumerate(self.slots.slots)
            )
        )


def _by_kind(text: str) -> tuple[str, list[tuple[int, str]]]:
    kind, _colon, rest = text.partition(":")
    order = {"place": "0", "best": "1", "bye": "9"}.get(kind, "5")
    parts = rest.split(":") if rest else []
    return order, [(len(part), part) for part in parts]


class NewStageForm(forms.Form):
    """A stage to add: its kind is chosen once, the rest on its own page."""

    kind = forms.ChoiceField(
        label=_("Kind"),
        choices=[(value, label) for value, label in Stage.Kind.choices if value != "deals"],
    )
    name = LineField(label=_("Name of the stage"), max_length=60, required=False)

    def settings(self) -> fixtures.StageSettings:
        """Give the usual settings of the kind."""
        kind = StageKind(self.cleaned_data["kind"])
        if kind is GROUPS:
            return fixtures.StageSettings(kind=kind, group_size=4, qualifiers=2)
        return fixtures.StageSettings(kind=kind)


class DrawFixturesForm(forms.Form):
    """The draw that the page showed, and a seed for whoever wants to replay one."""

    instead = forms.IntegerField(min_value=-1, max_value=2**63 - 1, required=False)
    seed = seed_of_a_draw(_("Leave it empty for a new one; the same seed gives the same draw."))
