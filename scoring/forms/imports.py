"""A list of past results: the file, what its columns are, and who is meant."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from clubs.forms.clubs import DateInput
from clubs.forms.fields import LineField
from clubs.models import Club
from clubs.names import fold_name, one_line
from scoring import imports
from scoring.imports import Role, Table, Unreadable
from scoring.imports.tables import MOST_BYTES
from scoring.models import ResultsImport
from tournaments.games import facts_of
from tournaments.models import Event

ROLE_WORDS: Mapping[Role, Any] = {
    Role.NOTHING: _("leave out"),
    Role.PLACE: _("Rank"),
    Role.NUMBER: _("No."),
    Role.SIDE: _("What the side calls itself"),
    Role.PLAYER: _("Player"),
    Role.PARTNER: _("Partner"),
    Role.FIRST_NAME: _("First name"),
    Role.LAST_NAME: _("Last name"),
    Role.CLUB: _("Club"),
    Role.SERIES: _("Series"),
    Role.TEAM: _("Team"),
    Role.ROUND: _("Round, in order"),
    Role.PENALTY: _("Penalties"),
    Role.TOTAL: _("Total"),
    Role.DEALS: _("Deals"),
    Role.PLAYED: _("Meetings played"),
    Role.WINS: _("Won"),
    Role.LOSSES: _("Lost"),
    Role.GAMES_WON: _("Games won"),
    Role.GAMES_LOST: _("Games lost"),
    Role.POINTS_FOR: _("Tentos for"),
    Role.POINTS_AGAINST: _("Tentos against"),
}
#: What these columns are called where games are won.
WORDS_OF_GAMES: Mapping[Role, Any] = {
    Role.PLAYER: _("Player, or all of the side"),
    Role.TOTAL: _("Points"),
}
UNREADABLE = {
    "empty": _("There is nothing in this list."),
    "too_big": _("The list is too big: at most 3000 rows and 4 MB."),
    "not_a_table": _("This is no list that can be read. Send CSV, XLSX or ODS, or paste the rows."),
}
HEADS = 15
ABOUT = ("title", "held_on", "place", "kind", "game", "entrants", "deals_per_round")


class SendListForm(forms.Form):
    """A file or pasted rows, and the day they are of."""

    entry_key = forms.UUIDField(widget=forms.HiddenInput, required=False)
    held_on = forms.DateField(label=_("Day of the evening"), widget=DateInput())
    file = forms.FileField(
        label=_("File"),
        required=False,
        allow_empty_file=True,
        help_text=_("CSV, XLSX or ODS, as your spreadsheet stores it."),
        widget=forms.FileInput(attrs={"accept": ".csv,.txt,.tsv,.xlsx,.ods"}),
    )
    pasted = forms.CharField(
        label=_("Or the rows, pasted"),
        required=False,
        strip=False,
        max_length=MOST_BYTES,
        widget=forms.Textarea(attrs={"rows": 6}),
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        sent, pasted = cleaned.get("file"), cleaned.get("pasted", "")
        if not sent and not pasted.strip():
            raise ValidationError(_("Choose a file, or paste the rows."), code="required")
        if sent and sent.size > MOST_BYTES:
            raise ValidationError(UNREADABLE["too_big"], code="too_big")
        try:
            cleaned["table"] = imports.read_table(sent.read() if sent else pasted.encode())
        except Unreadable as refusal:
            raise ValidationError(UNREADABLE[refusal.code], code=refusal.code) from refusal
        return cleaned

    def answers(self) -> dict[str, Any]:
        """Give what the action is told."""
        sent = self.cleaned_data["file"]
        table: Table = self.cleaned_data["table"]
        return {
            "table": table,
            "file_name": sent.name if sent else "",
            "held_on": self.cleaned_data["held_on"],
            "entry_key": self.cleaned_data["entry_key"] or uuid.uuid4(),
        }


class ListForm(forms.ModelForm):
    """What the evening was, what the columns are, and who is meant by each name."""

    head = forms.TypedChoiceField(label=_("Row with the headings"), coerce=int)

    class Meta:
        model = ResultsImport
        fields = ABOUT
        field_classes = {"title": LineField, "place": LineField}
        widgets = {"held_on": DateInput(), "kind": forms.RadioSelect, "game": forms.RadioSelect}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        sent = self.instance
        head = self.fields["head"]
        if isinstance(head, forms.ChoiceField):
            head.choices = [("-1", _("none"))] + [
                (str(index), f"{index + 1}: {_shortened(row)}")
                for index, row in enumerate(sent.rows[:HEADS])
            ]
        self.initial["head"] = sent.head
        self._ask_only_what_the_game_has()
        words = words_of_roles(sent.game)
        for column, role in enumerate(sent.roles):
            self.fields[f"column_{column}"] = forms.ChoiceField(
                label=_("Column %(number)s") % {"number": column + 1},
                choices=[(str(role), word) for role, word in words.items()],
                initial=role,
                required=False,
            )

    def _ask_only_what_the_game_has(self) -> None:
        facts = facts_of(self.instance.game)
        if facts.plays_games:
            del self.fields["deals_per_round"]
        ways = self.fields["entrants"]
        if len(facts.entrants) == 1:
            del self.fields["entrants"]
        elif isinstance(ways, forms.ChoiceField):
            ways.choices = [
                (code, Event.Entrants(code).label)
                for code in Event.Entrants
                if code in facts.entrants
            ]

    @property
    def about(self) -> list[forms.BoundField]:
        """What is asked about the evening itself."""
        return [self[name] for name in (*ABOUT, "head") if name in self.fields]

    @property
    def columns(self) -> list[forms.BoundField]:
        """The choice over each column."""
        return [self[f"column_{column}"] for column in range(len(self.instance.roles))]

    def answers(self) -> dict[str, Any]:
        """Give what the action is told of evening and columns."""
        data = self.cleaned_data
        return {
            **{name: data[name] for name in ABOUT if name in self.fields},
            "head": data["head"],
            "roles": [data[f"column_{column}"] for column in range(len(self.instance.roles))],
        }


def words_of_roles(game: str) -> dict[Role, Any]:
    """Give what columns of a list of this game may be, in words."""
    plays_games = facts_of(game).plays_games
    words = {**ROLE_WORDS, **(WORDS_OF_GAMES if plays_games else {})}
    return {role: words[role] for role in imports.roles_of(plays_games=plays_games)}


def _shortened(row: Sequence[str]) -> str:
    text = " | ".join(cell for cell in row if cell)
    return text if len(text) <= 60 else text[:59] + "…"  # noqa: PLR2004 - what a phone shows


def people_in(answers: Mapping[str, Any], *, known: Mapping[str, Any]) -> dict[str, Any]:
    """Read who was said to be meant: ``who-`` and the folded name, with a key, new or skip."""
    people = dict(known)
    for folded, value in _about_names(answers, "who-"):
        if value in {"new", "skip"}:
            people[folded] = value
        elif value.isdecimal() and len(value) < 12:  # noqa: PLR2004 - a key, no number to fear
            people[folded] = int(value)
        else:
            people.pop(folded, None)
    return people


def written_in(answers: Mapping[str, Any], *, club: Club) -> tuple[dict[str, int], list[str]]:
    """Read whom of the club somebody wrote beside a name, and what no player there is called."""
    written = {folded: one_line(text) for folded, text in _about_names(answers, "written-")}
    wanted = {fold_name(text) for text in written.values() if text}
    players = club.players.active().filter(sort_name__in=wanted)
    keys = dict(players.values_list("sort_name", "pk"))
    found = {
        folded: keys[fold_name(text)] for folded, text in written.items() if fold_name(text) in keys
    }
    return found, [text for folded, text in written.items() if text and folded not in found]


def _about_names(answers: Mapping[str, Any], start: str) -> Iterator[tuple[str, str]]:
    """Give the folded names of the list that the answers are about, each with its answer."""
    for name, value in answers.items():
        if name.startswith(start):
            yield name.removeprefix(start), str(value)
