"""What is said about a fixture: called to a table, decided, taken back, broken off."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from datetime import datetime
from typing import Any, cast

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from clubs.forms.fields import LineField, RowsField, digits
from tournaments import fixtures
from tournaments.models import Entry, Event, Fixture, Ruling

MOST_TENTOS = 99
MOST_MINUTES = 600
PLAYED, CAP = Fixture.Ending.PLAYED.value, Fixture.Ending.CAP.value
REPLAY, GOES_ON = "replay", "goes_on"
ENDINGS = [
    (PLAYED, pgettext_lazy("ending", "Played to the end")),
    (CAP, _("Decided at the limit of time")),
    (Fixture.Ending.WALKOVER.value, _("The others did not come, came too late or have withdrawn")),
    (Fixture.Ending.ABANDONED.value, _("The others abandoned")),
    (Fixture.Ending.EXPELLED.value, _("The others were expelled")),
    (Fixture.Ending.BOTH_ABSENT.value, _("Neither side came")),
]


class SeenForm(forms.Form):
    """The moment of a fixture that the page showed."""

    seen = forms.CharField(max_length=40, required=False, widget=forms.HiddenInput)

    def clean_seen(self) -> datetime | None:
        """Give the moment; nothing for a page that sent none."""
        typed = self.cleaned_data["seen"]
        try:
            return datetime.fromisoformat(typed) if typed else None
        except ValueError:
            raise ValidationError(_("Open the page anew."), code="seen") from None


class DecideForm(SeenForm):
    """How a fixture ended: its games with their scores, or why there are none."""

    ending = forms.ChoiceField(
        label=_("How it ended"), choices=ENDINGS, widget=forms.RadioSelect, initial=PLAYED
    )
    winner = forms.ChoiceField(
        label=_("Who won"), choices=(), widget=forms.RadioSelect, required=False
    )
    note = LineField(label=_("Note"), max_length=200, required=False)

    def __init__(self, *args: Any, fixture: Fixture, sides: Sequence[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fixture, self.sides = fixture, sides
        self.form = fixtures.FixtureFormat.from_json(fixture.format)
        self.initial["seen"] = fixture.changed_at.isoformat()
        self.fields["winner"].choices = [  # type: ignore[attr-defined]
            (Fixture.Side.HOME.value, sides[0]), (Fixture.Side.AWAY.value, sides[1])
        ]  # fmt: skip
        for number in range(1, self.form.best_of + 1):
            for side, name in (("home", sides[0]), ("away", sides[1])):
                self.fields[f"{side}_{number}"] = digits(
                    gettext("Game %(number)s: %(side)s") % {"number": number, "side": name},
                    most=MOST_TENTOS,
                    least=0,
                    required=False,
                )

    def games(self) -> list[dict[str, Any]]:
        """Give the two fields of each game, as the page lays them out."""
        return [
            {"number": n, "home": self[f"home_{n}"], "away": self[f"away_{n}"]}
            for n in range(1, self.form.best_of + 1)
        ]

    def clean(self) -> dict[str, Any]:
        """Ask for what the ending needs; the winner of played games is whoever won more."""
        cleaned = super().clean() or self.cleaned_data
        scores = self._scores(cleaned)
        ending = cleaned.get("ending")
        winner = cleaned.get("winner", "")
        if ending == PLAYED and not self.errors:
            said, winner = winner, self._winner(scores)
            if said and said != winner and not self.errors:
                self._wrong("winner", _("By these games the other side has won."))
        elif ending == Fixture.Ending.BOTH_ABSENT:
            if winner:
                self._wrong("winner", _("Where neither side came nobody wins."))
        elif ending and not winner and not self.errors:
            self.add_error("winner", ValidationError(_("Say who won."), code="required"))
        cleaned |= {"scores": scores, "winner": winner}
        return cleaned

    def _scores(self, cleaned: dict[str, Any]) -> list[tuple[int, int]]:
        scores: list[tuple[int, int]] = []
        ended = False
        for number in range(1, self.form.best_of + 1):
            home, away = cleaned.get(f"home_{number}"), cleaned.get(f"away_{number}")
            if home is None and away is None:
                ended = True
            elif home is None or away is None:
                side = "home" if home is None else "away"
                self._wrong(f"{side}_{number}", _("A game has two scores."))
            elif ended:
                self._wrong(f"home_{number}", _("The game before it is missing."))
            else:
                scores.append((home, away))
        return scores

    def _winner(self, scores: list[tuple[int, int]]) -> str:
        target, needed = self.form.target, self.form.needed
        won = {"home": 0, "away": 0}
        for number, (home, away) in enumerate(scores, start=1):
            if max(won.values()) >= needed:
                self._wrong(f"home_{number}", _("The fixture was decided before this game."))
            if max(home, away) < target or min(home, away) >= target:
                self._wrong(
                    f"home_{number}",
                    _("A game ends when one side, and only one, has %(target)s.")
                    % {"target": target},
                )
            won["home" if home > away else "away"] += 1
        if max(won.values()) < needed and not self.errors:
            self._wrong(
                f"home_{len(scores) + 1}",
                _("The best of %(games)s is not decided yet.") % {"games": self.form.best_of},
            )
        return "home" if won["home"] > won["away"] else "away"

    def _wrong(self, field: str, words: Any) -> None:
        self.add_error(field if field in self.fields else None, words)

    def decision(self) -> dict[str, Any]:
        """Give what the actions take."""
        names = ("ending", "winner", "scores", "note", "seen")
        return {name: self.cleaned_data[name] for name in names}


class CancelForm(SeenForm):
    """What becomes of a meeting that was broken off."""

    how = forms.ChoiceField(
        label=_("What becomes of it"),
        choices=[
            (REPLAY, _("Played again from the start, at another table")),
            (GOES_ON, _("Goes on from the last score, at its table")),
        ],
        widget=forms.RadioSelect,
    )
    note = LineField(label=_("Note"), max_length=200, required=False)


class PenaltyForm(forms.Form):
    """A fault of a side and what it costs."""

    entry_key = forms.UUIDField(widget=forms.HiddenInput, required=False)
    entry = forms.ModelChoiceField(
        Entry.objects.none(), label=_("Side at fault"), widget=forms.RadioSelect, empty_label=None
    )
    effect = forms.ChoiceField(
        label=_("What it costs"),
        choices=[("", _("Warning")), *Ruling.Effect.choices],
        widget=forms.RadioSelect,
        required=False,
    )
    points = digits(
        _("Tentos to the other side"),
        most=MOST_TENTOS,
        required=False,
        help_text=_("For a lost hand: as many as it was worth; empty: as it began."),
    )
    hand = digits(_("Hand"), most=MOST_TENTOS, required=False)
    note = LineField(label=_("What happened, in one sentence"), max_length=300)

    def __init__(self, *args: Any, fixture: Fixture, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        sides = Entry.objects.filter(pk__in=[fixture.home_id or 0, fixture.away_id or 0])
        self.fields["entry"].queryset = sides.with_sides()  # type: ignore[attr-defined]
        self.initial.setdefault("entry_key", uuid.uuid4())
        self.initial.setdefault("effect", "")

    def ruling(self) -> dict[str, Any]:
        """Give what the actions take."""
        return dict(self.cleaned_data)


class CallForm(forms.Form):
    """Which fixtures are called to tables, and for how long."""

    fixture = RowsField(
        Fixture.objects.none(),
        error_messages={"required": _("Choose a fixture at least.")},
    )
    minutes = digits(_("Minutes"), most=MOST_MINUTES, required=False)

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        rows = Fixture.objects.filter(stage__event=event)
        self.fields["fixture"].queryset = rows  # type: ignore[attr-defined]

    def chosen(self) -> list[int]:
        """Give the keys of the fixtures."""
        return [row.pk for row in self.cleaned_data["fixture"]]


class NextRoundForm(forms.Form):
    """The round after which another is paired, and who buys himself back in."""

    after = forms.IntegerField(min_value=0, max_value=32_767, required=False)
    bought_back = RowsField(Entry.objects.none(), required=False)

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["bought_back"].queryset = event.entries.all()  # type: ignore[attr-defined]


class LeaveForm(forms.Form):
    """How a side leaves, or that it comes back."""

    how = forms.ChoiceField(choices=[("withdraw", ""), ("expel", ""), ("return", "")])


MOST_EQUALS = 64


class EqualsForm(forms.Form):
    """Equals in a table, and how many games each won in a play-off."""

    equal = RowsField(Entry.objects.none(), widget=forms.MultipleHiddenInput)

    def __init__(
        self, *args: Any, event: Event, equal: Sequence[Entry] = (), **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.fields["equal"].queryset = event.entries.all()  # type: ignore[attr-defined]
        self.initial["equal"] = [entry.pk for entry in equal]
        for entry in equal or self._sent(event):
            self.fields[f"won_{entry.pk}"] = digits(
                str(entry), most=MOST_TENTOS, least=0, required=False
            )

    def _sent(self, event: Event) -> list[Entry]:
        keys = cast("QueryDict", self.data).getlist("equal")[:MOST_EQUALS] if self.is_bound else []
        numbers = [int(key) for key in keys if key.isdecimal() and len(key) < 10]  # noqa: PLR2004 - a key fits a column
        return list(event.entries.filter(pk__in=numbers).with_sides())

    @property
    def games(self) -> list[forms.BoundField]:
        """Give the fields of the games won."""
        return [self[name] for name in self.fields if name.startswith("won_")]

    def keys(self) -> list[int]:
        """Give the equals by key."""
        return [entry.pk for entry in self.cleaned_data["equal"]]

    def won(self) -> dict[int, int]:
        """Give the games that each won; nothing typed is none."""
        return {key: self.cleaned_data.get(f"won_{key}") or 0 for key in self.keys()}
