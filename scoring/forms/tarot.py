"""A deal of French tarot as a form: it hands over a deal of the engine and its seats."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, TypedDict

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from rules_engine import tarot
from rules_engine.errors import RulesError
from scoring.forms.sheets import SheetForm, question
from scoring.models import TarotDeal
from scoring.rules import dealer, one_sits_out
from scoring.rules.tarot import amounts_of, chelem_of, in_score_order, ruleset_of
from tournaments.models import Seat, Table

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
    ("", pgettext_lazy("of a deal", "None")),
    ("announced_made", _("Announced and made")),
    ("made", _("Made, not announced")),
    ("announced_failed", _("Announced and failed")),
    ("defence", _("Made by the defence")),
    ("announced_defence", _("Announced, and made by the defence")),
]


SIDE_CHOICES = [("attack", _("Attack")), ("defence", _("Defence"))]


POIGNEE_CHOICES = [
    ("", pgettext_lazy("of a deal", "None")),
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


class DealSeats(TypedDict):
    """The seats that have a part in a deal."""

    taker: Seat
    partner: Seat | None
    sits_out: Seat | None


class TarotDealForm(SheetForm):
    """A deal as the table reports it; bound to the table, its seats and its rules."""

    field_of = FIELD_OF

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
        self.ruleset = ruleset_of(table)
        self.dealer = dealer(sorted(table.seats.all(), key=lambda seat: seat.place), number)
        self._deal: tarot.Deal | None = None
        blank = {"sits_out": self.dealer.pk}
        super().__init__(data, table=table, number=number, initial={**blank, **(initial or {})})
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
        nobody = ("", pgettext_lazy("of a deal", "None"))
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
        pays = amounts_of(self.ruleset)["poignees"]["made"]
        for name in self.poignee_names:
            answers = [(answer, pays.get(answer.data["value"])) for answer in self[name]]
            yield {"size": self[name], "answers": answers, "side": self[f"{name}_side"]}

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
        self.check_page()
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
            self.add_refusal(refusal)

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
