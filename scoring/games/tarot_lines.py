"""Deals of tarot as a sheet shows them: in words, with points, totals and reasons."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.templatetags.cards import card_points
from rules_engine import tarot
from rules_engine.errors import RulesError
from scoring.forms import TarotDealForm
from scoring.games.lines import Cell, Reason, SheetLine, Writers, notes_of
from scoring.models import TarotDeal
from scoring.rules import names_at_table
from scoring.rules.tarot import columns_of, deal_of, points_by_seat, ruleset_of
from tournaments.models import Seat, Table

type Names = Mapping[int, str]


@dataclass(frozen=True, kw_only=True)
class TarotLine(SheetLine):
    """A deal of the sheet; ``unit`` is what each defender pays or gets."""

    row: TarotDeal
    unit: int | None

    @property
    def taker_name(self) -> str:
        return next(cell.name for cell in self.cells if cell.is_taker)


def lines_of(table: Table, deals: Sequence[TarotDeal]) -> Iterator[TarotLine]:
    """Give the deals, which come in the order of play, with running totals of those that count."""
    seats = sorted(table.seats.all(), key=lambda seat: seat.place)
    names, rules = names_at_table(seats), ruleset_of(table)
    replacing = {deal.corrected_by_id for deal in deals}
    writers = Writers(table)
    totals = dict.fromkeys((seat.pk for seat in seats), 0)
    for deal in deals:
        marks = {mark.seat_id: mark.points for mark in deal.marks.all()}
        if deal.is_standing:
            totals = {pk: total + marks.get(pk, 0) for pk, total in totals.items()}
        cells = [
            Cell(
                seat=seat,
                name=names[seat.pk],
                points=marks.get(seat.pk),
                is_taker=seat.pk == deal.taker_id,
                running=totals[seat.pk] if deal.is_standing else None,
            )
            for seat in seats
        ]
        line = _line(deal, cells, names, rules)
        notes = notes_of(deal, writers, is_correction=deal.pk in replacing)
        yield replace(line, notes=list(notes))


def typed_line(form: TarotDealForm) -> TarotLine:
    """Give what a valid form says as the line that it would become."""
    deal, seats = form.deal(), form.seats_of_deal()
    points = points_by_seat(deal, form.seats, **seats)
    row = TarotDeal(number=form.deal_number, **seats, **columns_of(deal))
    cells = [
        Cell(
            seat=seat,
            name=form.names[seat.pk],
            points=points.get(seat.pk),
            is_taker=seat == row.taker,
        )
        for seat in form.seats
    ]
    return _line(row, cells, form.names, form.ruleset)


def _line(deal: TarotDeal, cells: list[Cell], names: Names, rules: tarot.Ruleset) -> TarotLine:
    score = _score(deal, rules)
    return TarotLine(
        row=deal,
        name=_("Deal %(n)s") % {"n": deal.number},
        cells=cells,
        words=deal_words(deal, names),
        extras=[*extra_words(deal), *_slam_words(score)],
        verdict=verdict(deal),
        is_good=deal.is_made,
        reasons=_reasons(score),
        unit=score.unit if score else None,
    )


def _score(deal: TarotDeal, rules: tarot.Ruleset) -> tarot.DealScore | None:
    """Give the engine's explanation; none when the rules of the evening have changed since."""
    try:
        return tarot.score_deal(deal_of(deal, rules))
    except RulesError:
        return None


def _reasons(score: tarot.DealScore | None) -> list[Reason]:
    lines = (*score.lines, *score.asides) if score else ()
    return [Reason(text=line.text(_), points=line.points) for line in lines]


def _slam_words(score: tarot.DealScore | None) -> list[str]:
    return [line.text(_) for line in score.lines if "chelem" in line.label] if score else []


def deal_words(deal: TarotDeal, names: Names) -> str:
    """Say a deal in a line: contract, taker, bouts, points."""
    gaps = {
        "contract": TarotDeal.Contract(deal.contract).label,
        "taker": names[deal.taker_id],
        "bouts": ngettext("%(n)s bout", "%(n)s bouts", deal.bouts) % {"n": deal.bouts},
        "points": card_points(deal.half_points),
    }
    if deal.partner_id:
        gaps["partner"] = names[deal.partner_id]
        return _("%(contract)s, %(taker)s with %(partner)s, %(bouts)s, %(points)s points") % gaps
    if deal.called:
        return _("%(contract)s, %(taker)s alone, %(bouts)s, %(points)s points") % gaps
    return _("%(contract)s, %(taker)s, %(bouts)s, %(points)s points") % gaps


def extra_words(deal: TarotDeal) -> Iterator[str]:
    """Say what was shown besides; slams are said by their reasons."""
    if deal.petit_au_bout == TarotDeal.Side.ATTACK:
        yield _("petit au bout for the attack")
    elif deal.petit_au_bout == TarotDeal.Side.DEFENCE:
        yield _("petit au bout for the defence")
    for poignee in deal.poignees:
        yield _(tarot.PoigneeSize(poignee["size"]).word)


def verdict(deal: TarotDeal) -> str:
    """Say whether the contract was made, and by how much."""
    gaps = {"contract": TarotDeal.Contract(deal.contract).label, "n": deal.margin}
    if deal.is_made and not deal.margin:
        return _("%(contract)s just made") % gaps
    if deal.is_made:
        return _("%(contract)s made by %(n)s") % gaps
    return _("%(contract)s down by %(n)s") % gaps


def won_and_lost(lines: Sequence[SheetLine], seats: Sequence[Seat]) -> list[tuple[int, int]]:
    """Add up the plus and the minus column of each seat."""
    sums = []
    for place in range(len(seats)):
        points = [line.cells[place].points or 0 for line in lines]
        sums.append((sum(p for p in points if p > 0), -sum(p for p in points if p < 0)))
    return sums
