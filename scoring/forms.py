"""The doors through which a sheet's data comes in; each hands over values of the engine."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterator, Sequence
from typing import Any, TypedDict

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.translation import gettext, gettext_lazy, gettext_noop, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from clubs.models import Publication, Season
from rules_engine import tarot
from rules_engine.errors import RulesError, fill
from scoring import exports
from scoring.models import TarotDeal
from scoring.rules import (
    chelem_of,
    dealer,
    in_score_order,
    names_at_table,
    one_sits_out,
    ruleset_of,
)
from tournaments import faults
from tournaments.models import Entry, Event, Ruling, Seat, Table
from tournaments.tiebreaks import TIE_BREAK_NAMES

ALONE = "alone"
LONGEST_ECHO = 20
WRITTEN_POINTS = re.compile(
    r"(?P<sign>[-\u2212])?\s*(?:(?P<whole>\d{1,4})(?:[.,](?P<tenth>[05])0*)?"
    r"|(?P<before>\d{1,4})?\s*(?P<half>½)"
    r"|(?:(?P<words>\d{1,4})\s+)?(?P<fraction>1/2))"
)

CHELEMS = {
    "": tarot.Chelem(),
    "announced_made": tarot.Chelem(announced=True, achieved=tarot.Side.ATTACK),
    "made": tarot.Chelem(achieved=tarot.Side.ATTACK),
    "announced_failed": tarot.Chelem(announced=True),
    "defence": tarot.Chelem(achieved=tarot.Side.DEFENCE),
    "announced_defence": tarot.Chelem(announced=True, achieved=tarot.Side.DEFENCE),
}
CHELEM_CHOICES = [
    ("", _("None")),
    ("announced_made", _("Announced and made")),
    ("made", _("Made, not announced")),
    ("announced_failed", _("Announced and failed")),
    ("defence", _("Made by the defence")),
    ("announced_defence", _("Announced, and made by the defence")),
]
SIDE_CHOICES = [("attack", _("Attack")), ("defence", _("Defence"))]
POIGNEE_CHOICES = [
    ("", _("None")),
    ("simple", _("Simple")),
    ("double", _("Double")),
    ("triple", _("Triple")),
]

#: Where the form asks what the engine calls otherwise.
FIELD_OF = {
    "half_points": "points",
    "called": "partner",
    "poignees": "poignee",
    "miseres": "misere_trumps",
}


def read_points(text: str) -> int | None:
    """Give typed card points (46, 46.5, 46,5, 46½, 46 1/2) in half-points; None is no number."""
    found = WRITTEN_POINTS.fullmatch(text.strip())
    if found is None:
        return None
    part = found.groupdict()
    whole = int(part["whole"] or part["before"] or part["words"] or 0)
    half = part["tenth"] == "5" or bool(part["half"] or part["fraction"])
    return (2 * whole + half) * (-1 if part["sign"] else 1)


class PointsField(forms.CharField):
    """Card points as people write them; gives half-points, from 0 to 182."""

    widget = forms.TextInput(attrs={"inputmode": "decimal", "autocomplete": "off"})
    default_error_messages = {
        "unreadable": _("Points are a number such as 46 or 46½. You typed %(typed)s."),
        "range": _("Points go from 0 to 91. You typed %(typed)s."),
    }

    def clean(self, value: Any) -> int | None:
        text = super().clean(value)
        if not text:
            return None
        typed = {"typed": text[:LONGEST_ECHO]}
        half_points = read_points(text)
        if half_points is None:
            raise ValidationError(
                self.error_messages["unreadable"], code="unreadable", params=typed
            )
        if not 0 <= half_points <= tarot.PACK_HALF_POINTS:
            raise ValidationError(self.error_messages["range"], code="range", params=typed)
        return half_points


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


class DealSeats(TypedDict):
    """The seats that have a part in a deal."""

    taker: Seat
    partner: Seat | None
    sits_out: Seat | None


class TarotDealForm(forms.Form):
    """A deal as the table reports it; bound to the table, its seats and its rules."""

    number = forms.IntegerField(min_value=1, max_value=32_767, widget=forms.HiddenInput)
    version = forms.IntegerField(min_value=0, widget=forms.HiddenInput)
    entry_key = forms.UUIDField(widget=forms.HiddenInput)
    points = PointsField(label=_("Card points"), error_messages={"required": _("How many points?")})
    side = question(_("Whose points?"), SIDE_CHOICES, initial="attack", required=False)

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
        self.ruleset = ruleset_of(table)
        self.names = names_at_table(self.seats)
        self.dealer = dealer(self.seats, number)
        self._deal: tarot.Deal | None = None
        blank = {
            "number": number,
            "version": table.version,
            "entry_key": uuid.uuid4(),
            "sits_out": self.dealer.pk,
        }
        super().__init__(data, initial={**blank, **(initial or {})})
        if not self.has_half_points:
            self.fields["points"].error_messages["unreadable"] = _(
                "Points are a whole number such as 46. You typed %(typed)s."
            )
        self._ask_who()
        self._ask_what()
        self._ask_bonuses()

    # What is asked

    def _ask_who(self) -> None:
        everybody = [(seat.pk, self.names[seat.pk]) for seat in self.seats]
        if one_sits_out(self.table, self.seats):
            self.fields["sits_out"] = question(_("Who sits out?"), everybody)
        self.fields["taker"] = question(_("Who took?"), everybody)
        if self.ruleset.players == 5:  # noqa: PLR2004 - only there a card is called
            self.fields["partner"] = question(
                _("Partner (called king)"),
                [*everybody, (ALONE, _("Alone"))],
                asked=_("With whom?"),
            )

    def _ask_what(self) -> None:
        self.fields["contract"] = question(
            _("Contract"),
            [(str(c), TarotDeal.Contract(c).label) for c in self.ruleset.contracts],
            asked=_("Which contract?"),
        )
        self.fields["bouts"] = question(
            _("Bouts of the attack"),
            [(str(n), str(n)) for n in tarot.HALF_POINTS_NEEDED],
            asked=_("How many bouts?"),
        )

    def _ask_bonuses(self) -> None:
        nobody = ("", _("None"))
        if self.ruleset.petit_au_bout:
            self.fields["petit_au_bout"] = question(
                pgettext_lazy("announcement", "Petit au bout"),
                [nobody, *SIDE_CHOICES],
                required=False,
                initial="",
            )
        for name in self.poignee_names:
            self.fields[name] = question(
                _("Poignée") if name == "poignee" else _("Another poignée"),
                POIGNEE_CHOICES,
                required=False,
                initial="",
            )
            self.fields[f"{name}_side"] = question(
                _("Shown by"), SIDE_CHOICES, required=False, initial="attack"
            )
        self.fields["chelem"] = self._chelem_field(pgettext_lazy("announcement", "Chelem"))
        if self.ruleset.petit_chelem:
            self.fields["petit_chelem"] = self._chelem_field(_("Petit chelem"))
        if self.ruleset.misere:
            everybody = [(str(seat.pk), self.names[seat.pk]) for seat in self.seats]
            for name, label in (
                ("misere_trumps", _("Misère of trumps")),
                ("misere_court_cards", _("Misère of court cards")),
            ):
                self.fields[name] = forms.ChoiceField(
                    label=label, choices=[nobody, *everybody], required=False
                )

    @staticmethod
    def _chelem_field(label: Any) -> forms.ChoiceField:
        return forms.ChoiceField(label=label, choices=CHELEM_CHOICES, required=False)

    @property
    def poignee_names(self) -> tuple[str, ...]:
        """One question for each poignée that 22 cards can give at this table."""
        possible = 22 // self.ruleset.trumps_in_poignee[0]
        return ("poignee", "poignee_2")[: max(1, possible)]

    @property
    def bouts_and_needed(self) -> Iterator[tuple[forms.boundfield.BoundWidget, int]]:
        """Each answer about the bouts with the points that it needs."""
        for answer, needed in zip(self["bouts"], tarot.HALF_POINTS_NEEDED.values(), strict=True):
            yield answer, needed // 2

    @property
    def poignees_asked(self) -> Iterator[dict[str, Any]]:
        """Each question about a poignée: its sizes with what they pay, and who showed it."""
        amounts: dict[str, Any] = tarot.scoring_table(self.ruleset)
        pays = amounts["poignees"]["made"]
        for name in self.poignee_names:
            answers = [(answer, pays.get(answer.data["value"])) for answer in self[name]]
            yield {"size": self[name], "answers": answers, "side": self[f"{name}_side"]}

    @property
    def named_seats(self) -> list[tuple[Seat, str]]:
        """The seats in the order of play, each with what its player is called."""
        return [(seat, self.names[seat.pk]) for seat in self.seats]

    @property
    def has_half_points(self) -> bool:
        return self.ruleset.half_points_occur

    @property
    def has_bonus(self) -> bool:
        """Is something other than taker, contract and points answered or refused?"""
        names = [n for n in self.fields if n.startswith(("petit", "poignee", "chelem", "misere"))]
        answered = [n for n in names if self[n].value() and not n.endswith("_side")]
        return bool(answered) or any(self[name].errors for name in names)

    # What was answered

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        by_key = {str(seat.pk): seat for seat in self.seats}
        for name in ("taker", "sits_out"):
            data[name] = by_key.get(data.get(name, ""))
        data["alone"] = data.get("partner") in {ALONE, data["taker"] and str(data["taker"].pk)}
        data["partner"] = None if data["alone"] else by_key.get(data.get("partner", ""))
        self._check_sitting_out(data)
        if {"number", "version", "entry_key"} & set(self.errors):
            self.add_error(
                None, ValidationError(_("This page is damaged. Open it again."), code="page")
            )
        if not self.errors:
            self._judge(data)
        return data

    def _check_sitting_out(self, data: dict[str, Any]) -> None:
        sits_out = data["sits_out"]
        if sits_out is None:
            return
        refusal = ValidationError(
            _("%(name)s sits out this deal."),
            code="sits_out",
            params={"name": self.names[sits_out.pk]},
        )
        for name in ("taker", "misere_trumps", "misere_court_cards"):
            if data.get(name) in {sits_out, str(sits_out.pk)}:
                self.add_error(name, refusal)

    def _judge(self, data: dict[str, Any]) -> None:
        """Let the engine look at the whole; its refusal lands beside the field it names."""
        try:
            self._deal = self._as_deal(data)
        except RulesError as refusal:
            name = FIELD_OF.get(refusal.field, refusal.field)
            sentence = fill(refusal.sentence, refusal.gaps, gettext)
            self.add_error(
                name if name in self.fields else None,
                ValidationError("%(sentence)s", code=refusal.code, params={"sentence": sentence}),
            )

    def _as_deal(self, data: dict[str, Any]) -> tarot.Deal:
        half_points = data["points"]
        if data.get("side") == tarot.Side.DEFENCE:
            half_points = tarot.PACK_HALF_POINTS - half_points
        petit = data.get("petit_au_bout")
        called = None
        if "partner" in self.fields:
            called = tarot.Called.SELF if data["alone"] else tarot.Called.PARTNER
        return tarot.Deal(
            ruleset=self.ruleset,
            contract=tarot.Contract(data["contract"]),
            bouts=int(data["bouts"]),
            half_points=half_points,
            petit_au_bout=tarot.Side(petit) if petit else None,
            poignees=tuple(self._poignees(data)),
            chelem=CHELEMS[data.get("chelem", "")],
            called=called,
            petit_chelem=CHELEMS[data.get("petit_chelem", "")],
            miseres=tuple(self._miseres(data)),
        )

    def _poignees(self, data: dict[str, Any]) -> Iterator[tarot.Poignee]:
        for name in self.poignee_names:
            if data.get(name):
                side = data.get(f"{name}_side") or tarot.Side.ATTACK
                yield tarot.Poignee(size=tarot.PoigneeSize(data[name]), side=tarot.Side(side))

    def _miseres(self, data: dict[str, Any]) -> Iterator[tarot.Misere]:
        keys = [str(seat.pk) for seat in in_score_order(self.seats, **self.seats_of_deal())]
        for kind in tarot.MisereKind:
            declarer = data.get(f"misere_{kind}")
            if declarer:
                yield tarot.Misere(kind=kind, declarer=keys.index(declarer))

    def deal(self) -> tarot.Deal:
        """The deal as a value of the engine; only of a form that is valid."""
        if self._deal is None:
            raise ValueError("The form is not valid.")
        return self._deal

    def seats_of_deal(self) -> DealSeats:
        """Who took, with whom, and who sat out; only of a form that is valid."""
        data = self.cleaned_data
        return {
            "taker": data["taker"],
            "partner": data["partner"],
            "sits_out": data["sits_out"],
        }

    def as_sent(self, **instead: Any) -> list[tuple[str, str]]:
        """Everything that was sent, for hidden fields of a form that sends it once more."""
        sent = {name: self.data.get(name, "") for name in self.fields}
        return [(name, str(value)) for name, value in {**sent, **instead}.items() if value != ""]


def answers_of(row: TarotDeal, seats: Sequence[Seat]) -> dict[str, Any]:
    """Give a row as answers to the deal form of its table, to correct it."""
    whole, half = divmod(row.half_points, 2)
    answers: dict[str, Any] = {
        "sits_out": row.sits_out_id,
        "taker": row.taker_id,
        "partner": row.partner_id or (ALONE if row.called else None),
        "contract": row.contract,
        "bouts": str(row.bouts),
        "points": f"{whole}½" if half else str(whole),
        "petit_au_bout": row.petit_au_bout,
        "chelem": chelem_answer(row.chelem),
        "petit_chelem": chelem_answer(row.house_options.get("petit_chelem")),
    }
    for name, poignee in zip(("poignee", "poignee_2"), row.poignees, strict=False):
        answers[name], answers[f"{name}_side"] = poignee["size"], poignee["side"]
    order = in_score_order(seats, taker=row.taker, partner=row.partner, sits_out=row.sits_out)
    for misere in row.house_options.get("miseres", ()):
        answers[f"misere_{misere['kind']}"] = str(order[misere["declarer"]].pk)
    return answers


def chelem_answer(stored: dict[str, Any] | None) -> str:
    """Give the answer about a chelem that stands for a stored one."""
    chelem = chelem_of(stored)
    return next(answer for answer, value in CHELEMS.items() if value == chelem)


class VoidDealForm(forms.Form):
    """Why a deal does not count: one of the usual reasons, or own words."""

    # Kept in English: each reader sees the usual reasons in his own language.
    USUAL = {
        "misdeal": gettext_noop("Misdeal"),
        "count": gettext_noop("The cards did not add up"),
        "table": gettext_noop("Entered at the wrong table"),
        "ruling": gettext_noop("Decision of the director"),
    }

    reason = question(
        _("Why is it void?"),
        [*((code, gettext_lazy(text)) for code, text in USUAL.items()), ("other", _("Other"))],
        asked=_("Say why the deal is void."),
    )
    words = forms.CharField(label=_("In your own words"), max_length=200, required=False)

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
    """Which deal the page offered to take back."""

    deal = forms.IntegerField(min_value=1, widget=forms.HiddenInput)


class CloseEventForm(forms.Form):
    """Whether the round under way shall end as it stands."""

    without_missing = forms.BooleanField(
        label=_("End the round as it stands, without the deals that are missing"), required=False
    )


class ReopenEventForm(forms.Form):
    """Whether a tournament shall go on although its results are final."""

    although_final = forms.BooleanField(
        label=_("Reopen the tournament although its results are final"), required=False
    )


class PublicationForm(forms.Form):
    """Who may see results: the members, or everybody."""

    publication = forms.ChoiceField(choices=Publication.choices, widget=forms.RadioSelect)


class RankingForm(forms.Form):
    """Which season's ranking, and which players in it."""

    season = forms.ModelChoiceField(
        label=pgettext_lazy("heading", "Season"),
        queryset=Season.objects.none(),
        required=False,
        empty_label=None,
    )
    player = forms.CharField(label=_("Find a player"), required=False, max_length=60)

    def __init__(self, *args: Any, seasons: list[Season], **options: Any) -> None:
        super().__init__(*args, **options)
        own = Season.objects.filter(pk__in=[season.pk for season in seasons])
        self.fields["season"].queryset = own.latest_first()  # type: ignore[attr-defined]


class CallForm(forms.Form):
    """Why a table calls the referee, in a few words or none."""

    reason = forms.CharField(
        label=_("What happened?"),
        max_length=200,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )


class RulingForm(forms.Form):
    """What the referee decides about a table, or about a player away from the tables."""

    #: "" is what the list of faults says; the others are said in so many words.
    PENALTIES = [
        ("", _("As the list says")),
        ("warning", _("Warning")),
        ("100", "100"),
        ("200", "200"),
        ("400", "400"),
        ("500", "500"),
        ("other", _("Another amount")),
        ("none", _("No penalty")),
    ]

    entry_key = forms.UUIDField(widget=forms.HiddenInput)
    table = forms.ModelChoiceField(Table.objects.none(), required=False, widget=forms.HiddenInput)
    entry = forms.ModelChoiceField(
        Entry.objects.none(), label=_("Player at fault"), required=False, empty_label=_("Nobody")
    )
    fault = forms.ChoiceField(
        label=_("Fault"), error_messages={"required": _("Choose a fault of the list.")}
    )
    deal_number = forms.IntegerField(
        label=_("Deal"),
        min_value=1,
        max_value=50,
        required=False,
        widget=forms.TextInput(attrs={"inputmode": "numeric"}),
    )
    outcome = forms.ChoiceField(
        label=_("The deal"),
        choices=[
            ("", _("As the list says")),
            (Ruling.Outcome.COUNTS, pgettext_lazy("deal", "Counts")),
            (Ruling.Outcome.REPLAYED, pgettext_lazy("deal", "Deal again")),
            (Ruling.Outcome.REMOVED, pgettext_lazy("deal", "Void")),
        ],
        widget=forms.RadioSelect,
        required=False,
        initial="",
    )
    penalty = forms.ChoiceField(
        label=_("Penalty"), choices=PENALTIES, widget=forms.RadioSelect, required=False, initial=""
    )
    points = forms.IntegerField(
        label=_("Points taken"),
        min_value=1,
        max_value=10_000,
        required=False,
        widget=forms.TextInput(attrs={"inputmode": "numeric"}),
    )
    note = forms.CharField(
        label=_("What happened, in one sentence"),
        max_length=300,
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
    )

    def __init__(
        self, data: Any = None, *, event: Event, table: Table | None = None, **options: Any
    ) -> None:
        initial = {"entry_key": uuid.uuid4(), "table": table, **options.pop("initial", {})}
        super().__init__(data, initial=initial, **options)
        entries = Entry.objects.filter(event=event).by_number().prefetch_related("players")
        if table is not None:
            entries = entries.filter(seats__table=table)
            self.fields["entry"].widget = forms.RadioSelect()
        self.fields["entry"].queryset = entries  # type: ignore[attr-defined]
        tables = Table.objects.filter(round__event=event).exclude(round__state="drawn")
        self.fields["table"].queryset = tables  # type: ignore[attr-defined]
        self.fields["fault"].choices = _faults_by_kind()  # type: ignore[attr-defined]
        self.at_table = table

    def clean(self) -> dict[str, Any]:
        """Ask for the amount when it is another one."""
        data = super().clean() or self.cleaned_data
        if data.get("penalty") == "other" and not data.get("points"):
            self.add_error(
                "points", ValidationError(_("Say how many points are taken."), code="required")
            )
        return data

    def ruling(self) -> dict[str, Any]:
        """Give the ruling as the action takes it."""
        data = self.cleaned_data
        kind, points = self._sentence()
        return {
            "entry_key": data["entry_key"],
            "table": data["table"],
            "entry": data["entry"],
            "fault": data["fault"],
            "deal_number": data["deal_number"],
            "outcome": Ruling.Outcome(data["outcome"]) if data["outcome"] else None,
            "note": data["note"],
            "kind": kind,
            "points": points,
        }

    def _sentence(self) -> tuple[Ruling.Kind | None, int]:
        said = self.cleaned_data["penalty"]
        if said == "":
            return None, 0
        if said == "warning":
            return Ruling.Kind.WARNING, 0
        if said == "none":
            return Ruling.Kind.DECISION, 0
        points = self.cleaned_data["points"] if said == "other" else int(said)
        return Ruling.Kind.PENALTY, points


def _faults_by_kind() -> list[tuple[Any, list[tuple[str, Any]]]]:
    every = faults.FAULTS.values()
    return [
        ("", [("", _("Choose"))]),
        (_("Faults"), [(f.code, _fault_and_consequence(f)) for f in every if not f.granted]),
        (_("Granted to the taker"), [(f.code, gettext(f.words)) for f in every if f.granted]),
    ]


def _fault_and_consequence(fault: faults.Fault) -> str:
    return " · ".join([_fault_words(fault), *map(gettext, faults.consequences(fault))])


def _fault_words(fault: faults.Fault) -> str:
    gaps = {"fault": gettext(fault.words), "points": fault.amounts[0] if fault.amounts else 0}
    if not fault.amounts:
        return str(gaps["fault"])
    if fault.warning_first:
        return gettext("%(fault)s: warning, then %(points)s") % gaps
    return gettext("%(fault)s: %(points)s") % gaps


class FinalForm(forms.Form):
    """Whether the results become final although closed sheets miss deals."""

    without_missing = forms.BooleanField(required=False)

    def agrees(self) -> bool:
        """Did the director say so?"""
        return self.is_valid() and self.cleaned_data["without_missing"]


class WithdrawForm(forms.Form):
    """Why a ruling is withdrawn."""

    why = forms.CharField(
        label=_("Why is it withdrawn?"),
        max_length=200,
        error_messages={"required": _("Say why the ruling is withdrawn.")},
    )


class ResultsForm(forms.Form):
    """Which ranking of a tournament: after a round, in groups, or of a version."""

    after = forms.IntegerField(required=False, min_value=1)
    by = forms.ChoiceField(
        choices=[("", ""), ("series", "series"), ("club", "club"), ("team", "team")],
        required=False,
    )
    version = forms.IntegerField(required=False, min_value=1)


class ProvisionalForm(forms.Form):
    """How long the results of a tournament stay provisional."""

    hours = forms.IntegerField(
        label=_("Hours until the results are final"), min_value=0, max_value=720
    )


class TieBreaksForm(forms.Form):
    """What tells equal points apart, up to three rules in their order."""

    first = forms.ChoiceField(label=_("When points are equal, first"), required=False)
    second = forms.ChoiceField(label=_("then"), required=False)
    third = forms.ChoiceField(label=_("and then"), required=False)

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        none = ("", _("the place is shared"))
        names = [(str(code), _(name)) for code, name in TIE_BREAK_NAMES.items()]
        for field in self.fields.values():
            field.choices = [none, *names]  # type: ignore[attr-defined]

    @classmethod
    def declared(cls, codes: list[str]) -> TieBreaksForm:
        """Give the form with what is declared so far."""
        return cls(initial=dict(zip(("first", "second", "third"), codes, strict=False)))

    def codes(self) -> list[str]:
        """Give the rules in their order, each once."""
        chosen = (self.cleaned_data[name] for name in ("first", "second", "third"))
        return list(dict.fromkeys(filter(None, chosen)))


class PaperForm(forms.Form):
    """What to print: a document, its language and paper, and for which tables or numbers."""

    document = forms.ChoiceField(label=_("Document"), choices=exports.DOCUMENTS.items())
    language = forms.ChoiceField(label=_("Language"), choices=settings.LANGUAGES)
    paper = forms.ChoiceField(
        label=_("Paper"), choices=[("a4", "A4"), ("a5", "A5")], required=False
    )
    round = forms.IntegerField(label=_("Round"), min_value=1, required=False)
    first = forms.IntegerField(
        label=_("From table or number"), min_value=1, max_value=9999, required=False
    )
    last = forms.IntegerField(
        label=_("To table or number"), min_value=1, max_value=9999, required=False
    )
    blank = forms.BooleanField(label=_("Blank, for a pen"), required=False)

    def __init__(self, *args: Any, event: Event, **options: Any) -> None:
        super().__init__(*args, **options)
        self.event = event

    def clean_round(self) -> int | None:
        number: int | None = self.cleaned_data["round"]
        if number is not None and exports.round_of(self.event, number) is None:
            raise ValidationError(_("This round has not been started."), code="no_round")
        return number

    def order(self) -> exports.Order:
        """Give what was chosen as an order for paper."""
        chosen = self.cleaned_data
        return exports.Order(**{**chosen, "paper": chosen["paper"] or "a4"})


class JobForm(forms.Form):
    """Which file, and whether it is to be fetched or watched."""

    job = forms.IntegerField(min_value=1)
    download = forms.BooleanField(required=False)
