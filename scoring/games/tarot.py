"""French tarot at a table: so many deals, marks that add up to zero."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.formats import get_format
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from clubs.prepared import PreparedRead
from rules_engine import tarot
from scoring import actions
from scoring.actions.sheets_tarot import TarotSheet
from scoring.forms import TarotDealForm, answers_of
from scoring.games import tarot_serializers as api
from scoring.games.base import ApiOf, SheetGame, Words
from scoring.games.lines import SheetLine
from scoring.games.tarot_lines import TarotLine, lines_of, typed_line, won_and_lost
from scoring.models import TarotDeal
from scoring.rules.tarot import amounts_of, ruleset_of
from tournaments.actors import Actor
from tournaments.games import TAROT
from tournaments.models import Seat, Table


class TarotGame(SheetGame[TarotDeal, TarotDealForm]):
    """French tarot at three, four and five."""

    facts = TAROT
    api = ApiOf(
        address="deals",
        name="deal",
        row=api.DealSerializer,
        written=api.WrittenSerializer,
        record=api.RecordSerializer,
        report=api.ReportSerializer,
        prefetch=("tarot_deals__marks",),
    )
    row = TarotDeal
    shown_rows = PreparedRead(TarotDeal.objects.for_sheet(), "table")
    form = TarotDealForm
    sheet = TarotSheet
    goes_on = True
    script = "deal.js"

    def ahead(self, table: Table, number: int) -> range:
        return range(number, table.deals_planned + 1)

    def is_full(self, table: Table, rows: Sequence[TarotDeal]) -> bool:
        return sum(row.is_standing for row in rows) >= table.deals_planned

    def form_to_correct(self, row: TarotDeal, data: Any = None) -> TarotDealForm:
        typed = None if data is not None else answers_of(row, _seats(row.table))
        return TarotDealForm(data, table=row.table, number=row.number, initial=typed)

    def record(self, form: TarotDealForm, *, by: Actor) -> TarotDeal:
        return actions.record_tarot_deal(
            table=form.table,
            number=form.cleaned_data["number"],
            entry_key=form.cleaned_data["entry_key"],
            deal=form.deal(),
            by=by,
            **form.seats_of_deal(),
        )

    def correct(self, row: TarotDeal, form: TarotDealForm, *, by: Actor) -> TarotDeal:
        return actions.correct_tarot_deal(
            deal=row,
            corrected=form.deal(),
            entry_key=form.cleaned_data["entry_key"],
            by=by,
            why=form.why_it_changes(),
            **form.seats_of_deal(),
        )

    def record_report(self, table: Table, given: dict[str, Any], *, by: Actor) -> TarotDeal:
        return actions.record_tarot_deal(table=table, by=by, **_needs_taker(given))

    def correct_by_report(self, row: TarotDeal, given: dict[str, Any], *, by: Actor) -> TarotDeal:
        given = _needs_taker(given)
        return actions.correct_tarot_deal(
            deal=row,
            corrected=given["deal"],
            entry_key=given["entry_key"],
            taker=given["taker"],
            partner=given["partner"],
            sits_out=given["sits_out"],
            by=by,
            why=given.get("why", ""),
        )

    def words(self, table: Table, number: int) -> Words:
        return words_of(number, table.deals_planned, get_language())

    def lines(self, table: Table, rows: Sequence[TarotDeal]) -> list[TarotLine]:
        return list(lines_of(table, rows))

    def line_of(self, table: Table, row: TarotDeal, rows: Sequence[TarotDeal]) -> TarotLine:
        return next(lines_of(table, [row]))

    def typed_line(self, form: TarotDealForm) -> TarotLine:
        return typed_line(form)

    def preview(self, form: TarotDealForm) -> dict[str, Any]:
        return {
            "table": amounts_of(form.ruleset),
            "pack": tarot.PACK_HALF_POINTS,
            "words": {
                "made": _("%(contract)s made by %(n)s"),
                "just": _("%(contract)s just made"),
                "lost": _("%(contract)s down by %(n)s"),
                "taker": _("Who took?"),
                "contract": _("Which contract?"),
                "partner": _("With whom?"),
                "bouts": _("How many bouts?"),
                "points": _("How many points?"),
                "range": _("Points go from %(fewest)s to %(most)s."),
                "whole": _("At this table points are whole."),
                "half": get_format("DECIMAL_SEPARATOR") + "5",
            },
        }

    def sheet_context(self, table: Table, lines: Sequence[SheetLine]) -> dict[str, Any]:
        total = sum(seat.points for seat in table.seats.all())
        return {"total": total, "adds_up": total == 0}

    def paper(self, table: Table, *, blank: bool) -> dict[str, Any]:
        deals = [] if blank else list(table.tarot_deals.standing().for_sheet())
        lines = self.lines(table, deals)
        by_number = {line.row.number: line for line in lines}
        return {
            "rows": [(n, by_number.get(n)) for n in range(1, table.deals_planned + 1)],
            "sums": won_and_lost(lines, _seats(table)),
            "rules": rules_in_short(table),
        }


# A page says these of the deal in hand and of each that it can go on to.
@lru_cache(maxsize=1_024)
def words_of(number: int, of: int, language: str | None) -> Words:
    """Give the words about a deal of so many, in the language that is spoken now."""
    n, planned = {"n": number}, {"n": of}
    return Words(
        row=_("Deal"),
        name=_("Deal %(n)s") % n,
        heading=_("Deal %(a)s of %(b)s") % {"a": number, "b": of},
        send=_("Send deal %(n)s") % n,
        correct=_("Correct deal %(n)s") % n,
        void=_("Declare deal %(n)s void") % n,
        void_note=_(
            "It stays on the sheet, struck through, with your reason. "
            "Its number is free for the deal you play in its place."
        ),
        keep=_("Keep the deal"),
        corrected=_("Deal %(n)s is corrected.") % n,
        voided=_("Deal %(n)s is void.") % n,
        undone=_("Deal %(n)s is taken back.") % n,
        on_sheet=_("Deal %(n)s is already on the sheet") % n,
        is_next=_("Deal %(n)s is the next one now. Nothing is lost: choose.") % n,
        send_as=_("Mine is another deal: send it as deal %(n)s") % n,
        full=ngettext(
            "The deal of this round is on the sheet.",
            "All %(n)s deals of this round are on the sheet.",
            of,
        )
        % planned,
        none_yet=_("No deal yet at this table"),
        hint=_("The first deal you send appears here. All passed? Deal again, nothing to write."),
        enter_first=_("Enter deal 1"),
        enter_next=_("Enter the next deal"),
        enter=_("Enter the deal"),
        time_over=_("The time of this round is over: no new deal starts."),
        time_over_hint=_("The deal in hand is played to its end; a misdeal is dealt once more."),
        closed=_("The round is closed: its sheets take no more deals."),
    )


def _seats(table: Table) -> list[Seat]:
    return sorted(table.seats.all(), key=lambda seat: seat.place)


def _needs_taker(given: dict[str, Any]) -> dict[str, Any]:
    if given["taker"] is None:
        raise ValidationError({"taker": [_("Say who took.")]}, code="required")
    return given


def rules_in_short(table: Table) -> dict[str, Any]:
    """Give what a hand needs to add up a sheet: the scale of the table's rules."""
    rules = ruleset_of(table)
    amounts = amounts_of(rules)
    return {
        "needed": [(bouts, half // 2) for bouts, half in tarot.HALF_POINTS_NEEDED.items()],
        "multipliers": [
            (TarotDeal.Contract(contract).label, multiplier_text(halves))
            for contract, halves in rules.multiplier_halves
        ],
        "fixed": [(TarotDeal.Contract(c).label, points) for c, points in rules.fixed_values],
        "poignees": amounts["poignees"]["made"].values(),
        "petit_au_bout": rules.petit_au_bout,
        "chelem": amounts["chelem"],
    }


def multiplier_text(halves: int) -> str:
    """Write a multiplier that is kept in halves: 2, 1½."""
    return f"{halves // 2}{'½' if halves % 2 else ''}"
