"""A line of a truco sheet as a form: a hand, a final score, a hand in notation, a tento, a cap.

Which of them it is, the button says that was pressed. Everything that may be asked comes from the
engine: what a hand at this score can be worth, who decides about the special hand.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.html import format_html
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext_lazy as _

from clubs.forms.fields import LineField
from rules_engine import truco
from rules_engine.errors import Illegal, RulesError, fill
from scoring.forms.sheets import SheetForm, question
from scoring.models import TrucoLine
from scoring.rules.truco import (
    CAP_RULES,
    ENDING,
    KIND,
    LETTERS,
    PAIRS,
    Entered,
    Meeting,
    Told,
    after,
    blank_meeting,
    cap_rule_of,
    hand_in_notation,
    names_of_pairs,
)
from scoring.rules.truco_ahead import asked_in, example_of, meeting_table, stand_of
from tournaments.actors import Actor
from tournaments.fixtures import CapRule
from tournaments.models import Phone, Ruling, Table

PAIR_CHOICES = [("a", "A"), ("b", "B")]
NOBODY = "nobody"
#: The buttons of the referee, and what each costs the other side.
RULINGS = {
    "tento": Ruling.Effect.TENTO,
    "hand_for": Ruling.Effect.LOSE_HAND,
    "game_for": Ruling.Effect.LOSE_GAME,
}
#: Of what stands in a form of its own, where nothing can be sent without it.
NEEDED = {"required": True}
CAP_NAMES = {
    CapRule.LEADER_WINS: _("Whoever is ahead wins"),
    CapRule.SUDDEN_HAND: _("The next hand decides"),
    CapRule.FROM_11_11: _("The games that remain begin at 11 to 11"),
}


@dataclass(frozen=True, kw_only=True)
class PairAtTable:
    """One side as the form shows it: what it is called, and how it stands."""

    letter: str
    label: str
    names: str
    score: int
    games: int
    #: What it gets for the hand as it is preset, and the score that gives.
    gain: int
    after: str
    is_near: bool
    ticks: list[bool]


class TrucoForm(SheetForm):
    """A line of a truco sheet; bound to the table and to what stands before it."""

    field_of = {"score": "points_a"}

    # What the page asked, which may be another thing by now: an answer means that and nothing else.
    asked = forms.CharField(max_length=40, required=False, widget=forms.HiddenInput)
    winner = forms.ChoiceField(choices=[*PAIR_CHOICES, (NOBODY, "")], required=False)
    ran = forms.ChoiceField(choices=PAIR_CHOICES, required=False)
    declined = forms.BooleanField(required=False)
    tento = forms.ChoiceField(choices=PAIR_CHOICES, required=False)
    hand_for = forms.ChoiceField(choices=PAIR_CHOICES, required=False)
    game_for = forms.ChoiceField(choices=PAIR_CHOICES, required=False)
    note = LineField(label=_("What happened, in one sentence"), max_length=300, required=False)
    cap = forms.ChoiceField(choices=[(str(c), CAP_NAMES[c]) for c in CAP_RULES], required=False)
    depth = forms.ChoiceField(choices=[("game", ""), ("notation", "")], required=False)
    points_a = forms.IntegerField(min_value=0, max_value=99, required=False)
    points_b = forms.IntegerField(min_value=0, max_value=99, required=False)
    notation = forms.CharField(
        label=_("The hand in notation"),
        max_length=1000,
        required=False,
        widget=forms.Textarea(
            attrs={"rows": 3, "autocomplete": "off", "spellcheck": "false"} | NEEDED
        ),
    )

    def __init__(
        self,
        data: Any = None,
        *,
        table: Table,
        number: int,
        initial: dict[str, Any] | None = None,
        correcting: TrucoLine | None = None,
        at: tuple[Meeting, CapRule] | None = None,
    ) -> None:
        self.correcting = correcting
        self.later: list[TrucoLine] = []
        self.meeting, self.planned = at or (self._played(table, number), cap_rule_of(table))
        self.us: truco.Pair | None = None
        self.entered: Entered | None = None
        #: What the referee's ruling costs, if the line is one.
        self.effect = ""
        self.told: Told | None = None
        self.result: Meeting | None = None
        now = {"asked": asked_in(self.meeting)}
        super().__init__(data, table=table, number=number, initial={**now, **(initial or {})})
        self._ask()

    def _played(self, table: Table, number: int) -> Meeting:
        """Play the lines before this one; those after one that is corrected are kept."""
        meeting = blank_meeting(table)
        for row in table.truco_lines.standing().in_play_order():
            if row.number < number:
                meeting = _after_if_it_can_be(meeting, row)
            elif self.correcting is not None and row.pk != self.correcting.pk:
                self.later.append(row)
        return meeting

    def seen_by(self, by: Actor) -> None:
        """Call the side of whoever fills the form in "us", if he sits at the table."""
        for seat in self.seats:
            mine = (
                seat.player_id == by.player_id
                if isinstance(by, Phone)
                else seat.player.account_id == by.pk
            )
            if mine:
                self.us = truco.Pair((seat.place - 1) % 2)

    # What is asked

    def _ask(self) -> None:
        rules = self.rules
        self.fields["points_a"].label, self.fields["points_b"].label = self.names_of_pairs
        for name in ("points_a", "points_b"):
            self.fields[name].widget = forms.TextInput(
                attrs={"inputmode": "numeric", "autocomplete": "off", **NEEDED}
            )
        if self.kind is truco.HandKind.NORMAL:
            self.fields["value"] = question(
                _("This hand is worth"),
                [(str(points), str(points)) for points in rules.ladder],
                initial=str(rules.ladder[0]),
                required=False,
            )
        if self.planned is not CapRule.NONE:
            self.fields["cap"].choices = [(str(self.planned), CAP_NAMES[self.planned])]  # type: ignore[attr-defined]

    @property
    def unasked(self) -> list[tuple[str, Any]]:
        return [*super().unasked, ("asked", self["asked"].value())]

    @property
    def rules(self) -> truco.Ruleset:
        return self.meeting.rules

    @property
    def kind(self) -> truco.HandKind:
        return self.meeting.kind

    @property
    def is_special(self) -> bool:
        return self.kind is truco.HandKind.SPECIAL

    @property
    def is_plain(self) -> bool:
        return self.kind is truco.HandKind.NORMAL

    @property
    def is_iron(self) -> bool:
        return self.kind is truco.HandKind.IRON

    @property
    def names_of_pairs(self) -> tuple[str, str]:
        return names_of_pairs([self.names[seat.pk] for seat in self.seats])

    @property
    def dealer(self) -> str:
        """Who deals this hand."""
        return self.names[self.seats[self.meeting.dealer].pk]

    @property
    def mao(self) -> str:
        """Who plays first."""
        return self.names[self.seats[self.meeting.mao].pk]

    @property
    def dealer_said(self) -> str:
        """Who deals, where a script can say somebody else."""
        return format_html("<span data-deals>{}</span>", self.dealer)

    @property
    def mao_said(self) -> str:
        return format_html("<span data-mao>{}</span>", self.mao)

    @property
    def worth(self) -> int:
        """What the hand is worth as it is preset."""
        if self.kind is truco.HandKind.NORMAL:
            offered = {str(points): points for points in self.rules.ladder}
            return offered.get(str(self["value"].value()), self.rules.ladder[0])
        return truco.value_of(self.rules, self.kind)

    @property
    def pairs(self) -> list[PairAtTable]:
        """Both sides, the first one first."""
        return [self._pair(pair) for pair in truco.Pair]

    @property
    def deciding(self) -> PairAtTable | None:
        """The side that plays or declines the special hand."""
        pair = self.meeting.deciding
        return None if pair is None else self._pair(pair)

    @property
    def declining_pays(self) -> int:
        return self.rules.special_decline

    @property
    def ladder(self) -> Iterator[tuple[Any, str]]:
        """Each value that the hand can have, with the call that makes it worth so much."""
        for level, answer in enumerate(self["value"]):
            yield answer, self.rules.call_name(level) if level else ""

    def _pair(self, pair: truco.Pair) -> PairAtTable:
        score = self.meeting.score[pair]
        then = truco.added(self.rules, self.meeting.score, pair, self.worth)[pair]
        label = self.names_of_pairs[pair]
        if self.us is not None:
            label = gettext("Us") if pair is self.us else gettext("Them")
        return PairAtTable(
            letter=LETTERS[pair],
            label=label,
            names=self.names_of_pairs[pair],
            score=score,
            games=self.meeting.won[pair],
            gain=self.worth,
            after=f"{score} → {then}",
            is_near=score >= self.rules.special_at,
            ticks=[n < score for n in range(self.rules.target)],
        )

    @property
    def caps(self) -> list[tuple[str, Any]]:
        """What may happen when the time is over."""
        return [] if self.meeting.cap is not CapRule.NONE else list(self.fields["cap"].choices)  # type: ignore[attr-defined]

    @property
    def opens(self) -> str:
        """Which of the other ways to enter is open: the one used, or that of the line corrected."""
        if self.is_bound:
            rules = any(self.data.get(name) for name in ("cap", *RULINGS))
            return "cap" if rules else str(self.data.get("depth", ""))
        if self.correcting is None:
            return ""
        if self.correcting.kind == KIND.GAME:
            return "game"
        return "notation" if self.correcting.notation else ""

    # What was answered

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        self.check_page()
        self._check_asked(data.get("asked", ""))
        if self.errors:
            return data
        try:
            self.entered = self._entered(data)
            if self.entered is not None:
                self._judge(self.entered)
        except RulesError as refusal:
            self.add_refusal(refusal)
        return data

    def _check_asked(self, asked: str) -> None:
        """Refuse what answers another question than the sheet asks now; then it asks anew."""
        now = asked_in(self.meeting)
        if not asked or asked == now:
            return
        self.add_error(None, ValidationError(_ASKED_ANEW, code="asked_anew"))
        sent: dict[str, Any] = self.data.copy()  # type: ignore[attr-defined]
        sent["asked"] = now
        self.data = sent

    def _entered(self, data: dict[str, Any]) -> Entered | None:
        if data.get("depth") == "game":
            return self._final_score(data)
        if data.get("depth") == "notation":
            return self._notated(data)
        if any(data.get(name) for name in RULINGS):
            return self._ruled(data)
        if data.get("cap"):
            return Entered(kind=KIND.CAP, cap=CapRule(data["cap"]))
        return self._hand(data)

    @property
    def is_ruling(self) -> bool:
        """Does it give what the referee takes, or say that the time is over?"""
        return bool(self.effect or self.cleaned_data.get("cap"))

    def _ruled(self, data: dict[str, Any]) -> Entered:
        """Give a side what the referee takes: a tento, the hand as it stands, or the game."""
        name = next(name for name in RULINGS if data.get(name))
        self.effect, winner = RULINGS[name], data[name]
        points = self.rules.ladder[0]
        if self.effect == Ruling.Effect.LOSE_HAND:
            points = self._value(data) if "value" in self.fields else self.worth
        if self.effect == Ruling.Effect.LOSE_GAME:
            points = self.rules.target - self.meeting.score[PAIRS[winner] or 0]
        return Entered(kind=KIND.TENTO, winner=winner, points=points)

    def _final_score(self, data: dict[str, Any]) -> Entered | None:
        for name in ("points_a", "points_b"):
            if data.get(name) is None:
                self.add_error(name, ValidationError(_("How many points?"), code="required"))
        if self.errors:
            return None
        return Entered(kind=KIND.GAME, final=(data["points_a"], data["points_b"]))

    def _notated(self, data: dict[str, Any]) -> Entered:
        return hand_in_notation(self.meeting, data.get("notation", ""))

    def _hand(self, data: dict[str, Any]) -> Entered | None:
        if data.get("declined") and self.meeting.deciding is not None:
            winner = self.meeting.deciding.other
            return Entered(
                winner=LETTERS[winner], points=self.declining_pays, ending=ENDING.DECLINED
            )
        if data.get("ran"):
            return self._ran(data)
        if data.get("winner") == NOBODY:
            return Entered(ending=ENDING.ALL_TIED)
        if not data.get("winner"):
            self.add_error(None, ValidationError(_("Who won the hand?"), code="winner"))
            return None
        worth = self._value(data) if "value" in self.fields else self.worth
        return Entered(winner=data["winner"], points=worth, ending=ENDING.ROUNDS)

    def _ran(self, data: dict[str, Any]) -> Entered | None:
        loser = PAIRS[data["ran"]]
        called = self._value(data) if "value" in self.fields else 0
        level = self.rules.ladder.index(called) if called in self.rules.ladder else 0
        if level == 0 or loser is None:
            raise Illegal(
                _NOTHING_CALLED,
                code="nothing_called",
                field="value",
            )
        return Entered(
            winner=LETTERS[loser.other],
            points=self.rules.ladder[level - 1],
            ending=ENDING.RAN,
        )

    def _value(self, data: dict[str, Any]) -> int:
        return int(data.get("value") or self.rules.ladder[0])

    def _judge(self, entered: Entered) -> None:
        """Let the engine look at the line, and at those after it that a correction moves."""
        row = entered.row()
        row.number = self.deal_number
        self.result = after(self.meeting, row)
        self.told = self.result.told[-1]
        meeting = self.result
        for later in self.later:
            try:
                meeting = after(meeting, later)
            except RulesError as refusal:
                why = fill(refusal.sentence, refusal.gaps, gettext)
                raise_for = ValidationError(
                    _("Line %(n)s does not fit then: %(why)s"),
                    code="line_impossible",
                    params={"n": later.number, "why": why},
                )
                self.add_error(None, raise_for)
                return

    def line(self) -> Entered:
        """The line as the actions take it; only of a form that is valid."""
        if self.entered is None:
            raise ValueError("The form is not valid.")
        return self.entered

    # What the phone looks up

    @property
    def stand(self) -> dict[str, Any]:
        """Where the meeting stands before this line."""
        return stand_of(self.meeting)

    @property
    def table_ahead(self) -> dict[str, Any] | None:
        """What a phone looks up: what each answer gives, and what is asked then."""
        return meeting_table(self.meeting)

    @property
    def ahead(self) -> Iterator[tuple[str, TrucoForm]]:
        """Everything that may be asked in this meeting, each as its form at some score."""
        if self.table_ahead is None:
            return
        for asked, score in truco.examples(self.rules).items():
            meeting = example_of(self.meeting, score)
            form = TrucoForm(table=self.table, number=self.deal_number, at=(meeting, self.planned))
            form.us = self.us
            yield asked, form


def _after_if_it_can_be(meeting: Meeting, row: TrucoLine) -> Meeting:
    """Leave out what the rules do not allow: they have changed since."""
    try:
        return after(meeting, row)
    except RulesError:
        return meeting


_ASKED_ANEW = _(
    "Meanwhile the sheet has changed, and something else is asked now. Nothing is lost: look at "
    "the score and answer once more."
)
_NOTHING_CALLED = gettext_noop("Nobody runs before a call: choose what was called.")


def answers_of_line(row: TrucoLine, rules: truco.Ruleset) -> dict[str, Any]:
    """Give a line as answers to the form of its table, to correct it."""
    if row.kind == KIND.GAME:
        return {"points_a": row.points_a, "points_b": row.points_b}
    answers: dict[str, Any] = {"notation": row.notation}
    if row.points in rules.ladder:
        level = rules.ladder.index(row.points) + (row.ending == ENDING.RAN)
        answers["value"] = str(rules.ladder[min(level, rules.top_level)])
    return answers
