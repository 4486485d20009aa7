"""What comes from outside: the plan of an evening, people at the door, the director's orders."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.forms import BoundField
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubs.forms.fields import LineField, digits
from clubs.models import Club, Player, Season
from tournaments.actions.events import preset_of
from tournaments.fixtures import POINTS, CapRule
from tournaments.games import TAROT, TRUCO, facts_of
from tournaments.models import Event, Round, Table
from tournaments.rules import refuse_far_ahead

LARGEST_SEED = 999_999_999_999
EARLIEST = 2000
#: Of deals in a round, and of rounds in an evening.
MOST = 50

#: The house rules that change what a sheet counts, by their name in the engine.
PRESETS = {
    "fft": _("The federation’s rules"),
    "pousse": _("With the pousse"),
    "fixed-values": _("Fixed values, with the pousse"),
    "misere": _("With the misère"),
    "petit-chelem": _("With the petit chelem"),
    "no-petit-au-bout": _("Without the petit au bout"),
    "half-points-ignored": _("Half points do not count"),
}


#: The house rules of truco, likewise.
TRUCO_PRESETS = {
    "paulista": _("Truco paulista"),
    "mineiro": _("Truco mineiro"),
    "paulista-manilha-velha": _("Paulista with fixed manilhas"),
    "paulista-aberto": _("Paulista, partner’s cards shown"),
}

#: Who plays with whom: how they enter, and how many sit at a table.
SIDES = {
    "drawn": ("players", 4),
    "pairs": ("pairs", 4),
    "singles": ("players", 2),
    "trios": ("trios", 6),
    "drawn_trios": ("players", 6),
}
SIDES_WORDS = [
    ("drawn", _("Partners are drawn each round")),
    ("pairs", _("Pairs that stay together")),
    ("singles", _("One against one")),
    ("trios", _("Trios that stay together")),
    ("drawn_trios", _("Trios are drawn each round")),
]
MEETING_POINTS = [
    ("simples", _("1 for a win")),
    ("3210", _("3–2 for a win, 1–0 for a loss")),
    ("jau", _("3 for a win, 1 for a loss")),
]
#: What ends a meeting when the time is over.
CAP_RULES = [
    ("", _("the table agrees on it")),
    (str(CapRule.LEADER_WINS), _("whoever is ahead wins")),
    (str(CapRule.FROM_11_11), _("the games left start at 11 to 11")),
    (str(CapRule.SUDDEN_HAND), _("one more hand decides")),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Questions:
    """What the plan of an evening asks about one game: at once, and among what can wait."""

    first: tuple[str, ...]
    later: tuple[str, ...] = ()


#: By the code of the game; another game adds its fields to the form and an entry here.
QUESTIONS: Mapping[str, Questions] = {
    TAROT.code: Questions(first=("deals_per_round", "leftovers"), later=("preset",)),
    TRUCO.code: Questions(
        first=("sides", "best_of", "target", "meeting_points", "cap_rule", "truco_preset")
    ),
}
#: What every evening is asked among what can wait.
LATER = ("title", "place", "rounds_planned", "publication")


class EventForm(forms.ModelForm):
    """The plan of an evening; three answers are needed, the others can wait."""

    starts_at = forms.DateTimeField(
        label=_("When"),
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
    )
    deals_per_round = digits(_("Deals in a round"), most=MOST, initial=5)
    rounds_planned = digits(
        _("Rounds"),
        most=MOST,
        required=False,
        help_text=_("If you know it: the draw spreads the meetings over all of them."),
    )
    preset = forms.ChoiceField(
        label=_("House rules"),
        choices=list(PRESETS.items()),
        required=False,
        help_text=_("The evening keeps a copy: changing them later changes no old sheet."),
    )
    game = forms.ChoiceField(
        label=_("Game"),
        choices=Event.Game.choices,
        widget=forms.RadioSelect,
        initial=Event.Game.TAROT,
        required=False,
    )
    sides = forms.ChoiceField(
        label=_("Who plays together"),
        choices=SIDES_WORDS,
        widget=forms.RadioSelect,
        initial="drawn",
        required=False,
    )
    best_of = forms.TypedChoiceField(
        label=_("A table plays"),
        choices=[(n, n) for n in sorted(TRUCO.best_of)],
        coerce=int,
        empty_value=str(TRUCO.best_of[0]),
        initial=TRUCO.best_of[0],
        required=False,
    )
    target = forms.TypedChoiceField(
        label=_("A game goes to"),
        choices=[(n, n) for n in TRUCO.targets],
        coerce=int,
        empty_value=str(TRUCO.targets[0]),
        required=False,
    )
    meeting_points = forms.ChoiceField(
        label=_("Points of a meeting"), choices=MEETING_POINTS, required=False
    )
    cap_rule = forms.ChoiceField(
        label=_("When the time is over"), choices=CAP_RULES, required=False
    )
    truco_preset = forms.ChoiceField(
        label=_("House rules"), choices=list(TRUCO_PRESETS.items()), required=False
    )
    season = forms.ModelChoiceField(
        Season.objects.none(),
        label=_("Season"),
        required=False,
        empty_label=_("The one of the date"),
        help_text=_("Several seasons share some days: say for which one the evening counts."),
    )
    entry_key = forms.UUIDField(widget=forms.HiddenInput, required=False)
    #: Is a round drawn for the games, so that they are no longer asked?
    games_are_drawn = False

    class Meta:
        model = Event
        fields: tuple[str, ...] = (
            "starts_at",
            "deals_per_round",
            "leftovers",
            "rounds_planned",
            "title",
            "place",
            "publication",
        )
        widgets = {"leftovers": forms.RadioSelect}
        field_classes = {"title": LineField, "place": LineField}
        labels = {
            "leftovers": _("When the players are not a multiple of 4"),
            "title": _("Title"),
            "place": _("Place"),
            "publication": _("Who sees the results"),
        }
        help_texts = {"title": _("Empty: “Club night”.")}

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        seasons = club.seasons.latest_first()
        self.fields["season"].queryset = seasons  # type: ignore[attr-defined]
        if not seasons.have_overlaps():
            del self.fields["season"]
        if "best_of" in self.fields:
            self.fields["best_of"].choices = [  # type: ignore[attr-defined]
                (n, gettext("best of %(n)s games") % {"n": n} if n > 1 else gettext("one game"))
                for n in sorted(TRUCO.best_of)
            ]
        if self.instance.pk is not None:
            self._leave_out_the_other_games()

    def _leave_out_the_other_games(self) -> None:
        """An evening keeps its game; how many games are won may change until the first draw."""
        game = facts_of(self.instance.game)
        self.games_are_drawn = game.plays_games and self.instance.rounds.exists()
        for code, asked in QUESTIONS.items():
            if code != game.code or self.games_are_drawn:
                self._leave_out(*asked.first, *asked.later)
        self._leave_out("game")

    def _leave_out(self, *names: str) -> None:
        for name in names:
            self.fields.pop(name, None)

    @property
    def questions(self) -> list[tuple[str, list[BoundField]]]:
        """The questions about each game, with its code."""
        return [(code, self._asked(asked.first)) for code, asked in QUESTIONS.items()]

    @property
    def later_questions(self) -> list[tuple[str, list[BoundField]]]:
        """The same for what can wait."""
        return [(code, self._asked(asked.later)) for code, asked in QUESTIONS.items()]

    @property
    def has_later_errors(self) -> bool:
        """Is something wrong with what can wait?"""
        asked = {*LATER, *(name for each in QUESTIONS.values() for name in each.later)}
        return not asked.isdisjoint(self.errors)

    def _asked(self, names: Iterable[str]) -> list[BoundField]:
        return [self[name] for name in names if name in self.fields]

    def clean_starts_at(self) -> Any:
        """Refuse a slip of the keyboard: no evening lies decades away."""
        when = self.cleaned_data["starts_at"]
        if when.year < EARLIEST:
            raise ValidationError(_("The year is 2000 or later."), code="year")
        refuse_far_ahead(when, at=timezone.now())
        return when

    def clean(self) -> dict[str, Any]:
        """Refuse a season that does not contain the date."""
        cleaned = self.cleaned_data
        season, when = cleaned.get("season"), cleaned.get("starts_at")
        if season and when and not season.contains(timezone.localdate(when)):
            message = _("This season does not contain the date of the evening.")
            self.add_error("season", message)
        return cleaned

    def plan(self) -> dict[str, Any]:
        """Give the plan as the actions take it."""
        cleaned = self.cleaned_data
        plan = {name: cleaned[name] for name in self.Meta.fields if name in cleaned}
        if cleaned.get("game") == Event.Game.TRUCO:
            plan |= self._truco() | {
                "game": Event.Game.TRUCO,
                "leftovers": Event.Leftovers.SIT_OUT,
            }
        elif "sides" in self.fields and "sides" in self.data and self.instance.pk:
            plan |= self._truco()
        elif cleaned.get("preset"):
            plan["preset"] = cleaned["preset"]
        if self.cleaned_data.get("season"):
            plan["season"] = self.cleaned_data["season"]
        return plan

    def _truco(self) -> dict[str, Any]:
        cleaned = self.cleaned_data
        entrants, seats = SIDES[cleaned["sides"] or "drawn"]
        return {
            "entrants": entrants,
            "seats": seats,
            "best_of": int(cleaned["best_of"]),
            "target": int(cleaned["target"]),
            "meeting_points": POINTS[cleaned["meeting_points"] or "simples"].to_json(),
            "cap_rule": cleaned["cap_rule"],
            "preset": cleaned["truco_preset"] or TRUCO.usual_rules,
        }

    def key(self) -> uuid.UUID:
        """Give the key of this page: sent twice, it is one evening."""
        key: uuid.UUID | None = self.cleaned_data["entry_key"]
        return key or uuid.uuid4()

    def _post_clean(self) -> None:
        """Leave the row alone: a form validates, the actions write."""


def new_event_form(club: Club, data: Any = None) -> EventForm:
    """The form of a new evening, filled in like the club's last one, a week later."""
    initial: dict[str, Any] = {"entry_key": uuid.uuid4(), "publication": club.publication}
    last = Event.objects.of_club(club).latest_first().first()
    if last is not None:
        initial |= {
            "starts_at": _a_week_later(last),
            "deals_per_round": last.deals_per_round,
            "rounds_planned": last.rounds_planned,
            "leftovers": last.leftovers,
            "place": last.place,
            "publication": last.publication,
            "game": last.game,
        }
        initial |= _like_last(last)
    return EventForm(data, club=club, initial=initial)


def _like_last(last: Event) -> dict[str, Any]:
    """The answers about the game of the last evening."""
    if last.game != Event.Game.TRUCO:
        return {"preset": last.ruleset.get("name")}
    return _games_of(last) | {"leftovers": Event.Leftovers.THREES}


def _games_of(last: Event) -> dict[str, Any]:
    """The answers about the games of an evening that are won."""
    seats = last.ruleset.get("players")
    points = (name for name, each in POINTS.items() if each.to_json() == last.meeting_points)
    return {
        "sides": next((s for s, how in SIDES.items() if how == (last.entrants, seats)), "drawn"),
        "best_of": last.best_of,
        "target": last.target,
        "meeting_points": next(points, "simples"),
        "cap_rule": last.cap_rule,
        "truco_preset": preset_of(last),
    }


def _a_week_later(last: Event) -> datetime | None:
    """The same hour a week after the last evening; nothing when that is over too."""
    # In local time, so that the hour stays when the clocks change.
    then = timezone.localtime(last.starts_at) + timedelta(days=7)
    return then if then > timezone.now() else None


def change_event_form(event: Event, data: Any = None) -> EventForm:
    """The form of an evening that exists."""
    initial = {"preset": event.ruleset.get("name"), "season": event.season}
    if event.game == Event.Game.TRUCO:
        initial |= _games_of(event)
    return EventForm(data, club=event.club, instance=event, initial=initial)


class PresenceForm(forms.Form):
    """Whose row was pressed, and what it shall say: here or gone."""

    present = forms.ModelChoiceField(Player.objects.none(), required=False)
    absent = forms.ModelChoiceField(Player.objects.none(), required=False)

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        people = Player.objects.filter(club=event.season.club_id)
        self.fields["present"].queryset = people  # type: ignore[attr-defined]
        self.fields["absent"].queryset = people  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        """Refuse a press on nobody."""
        cleaned = self.cleaned_data
        if bool(cleaned.get("present")) == bool(cleaned.get("absent")):
            raise ValidationError(_("Choose a player of this club."), code="nobody")
        return cleaned


class SearchForm(forms.Form):
    """What was typed into the search at the door, and which people to show."""

    q = LineField(max_length=120, required=False)
    show = forms.ChoiceField(
        choices=[("all", ""), ("present", ""), ("everybody", "")], required=False
    )


class GuestForm(forms.Form):
    """The name of a guest."""

    name = LineField(label=_("Name"), max_length=120)
    despite_namesakes = forms.BooleanField(required=False)


def seed_of_a_draw(help_text: Any) -> forms.IntegerField:
    """The field for a seed that somebody wants to draw from."""
    return digits(
        _("Seed of the draw"),
        most=LARGEST_SEED,
        least=0,
        required=False,
        error_messages={"invalid": _("A seed is a whole number, such as 4821.")},
        help_text=help_text,
    )


class DrawForm(forms.Form):
    """How to split the players, and the seed for whoever wants to replay a draw."""

    leftovers = forms.ChoiceField(choices=Event.Leftovers.choices, required=False)
    #: The proposal that the page showed, 0 for none.
    instead = forms.IntegerField(min_value=0, max_value=2**63 - 1, required=False)
    seed = seed_of_a_draw(
        _(
            "Leave it empty for a new one. The same seed and the same players always give the "
            "same tables, so anybody can check the draw."
        )
    )


class RoundForm(forms.Form):
    """Which round the page spoke of; it may be gone meanwhile."""

    round = forms.IntegerField(min_value=1, max_value=2**63 - 1)
    without_missing = forms.BooleanField(required=False)


class SwapForm(forms.Form):
    """Two players of a proposal who shall change places."""

    one = forms.TypedChoiceField(label=_("This player"), coerce=int)
    other = forms.TypedChoiceField(label=_("and this one"), coerce=int)

    def __init__(self, *args: Any, proposal: Round, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [("", "–"), *_seated(proposal), *_waiting(proposal)]
        self.fields["one"].choices = choices  # type: ignore[attr-defined]
        self.fields["other"].choices = choices  # type: ignore[attr-defined]


def _seated(proposal: Round) -> list[tuple[int, str]]:
    seats = proposal.seats.select_related("player", "table").order_by("table__number", "place")
    return [
        (
            seat.player_id,
            str(_("%(player)s (table %(number)s)"))
            % {"player": seat.player, "number": seat.table.number},
        )
        for seat in seats
    ]


def _waiting(proposal: Round) -> list[tuple[int, str]]:
    players = Player.objects.filter(entry_players__entry__sit_outs__round=proposal).by_name()
    return [(player.pk, str(_("%(player)s (sits out)")) % {"player": player}) for player in players]


class DealsForm(forms.Form):
    """How many deals a table plays in this round."""

    table = forms.ModelChoiceField(Table.objects.none(), label=_("Table"), empty_label="–")
    deals = digits(_("Deals"), most=MOST)

    def __init__(self, *args: Any, this_round: Round, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        tables = this_round.tables.in_order()
        self.fields["table"].queryset = tables  # type: ignore[attr-defined]


class BoardForm(forms.Form):
    """Which round and which tables the board shows."""

    round = forms.IntegerField(min_value=1, max_value=32_767, required=False)
    show = forms.ChoiceField(choices=[("all", ""), ("help", "")], required=False)
