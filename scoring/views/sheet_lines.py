"""Deals as a sheet shows them: in words, with points, totals and reasons."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.utils.formats import time_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs import onlookers
from clubs.models import User
from clubs.templatetags.cards import card_points
from rules_engine import tarot
from rules_engine.errors import RulesError
from scoring.forms import TarotDealForm
from scoring.models import TarotDeal
from scoring.rules.tarot import columns_of, deal_of, points_by_seat
from tournaments.models import Seat

type Names = Mapping[int, str]


@dataclass(frozen=True, kw_only=True)
class Cell:
    """What one deal gives one seat; no points for whoever sat out."""

    seat: Seat
    name: str
    points: int | None
    is_taker: bool = False
    running: int | None = None


@dataclass(frozen=True, kw_only=True)
class Reason:
    """One line of "How is this counted?"."""

    text: str
    points: int


@dataclass(frozen=True, kw_only=True)
class SheetLine:
    """A deal of the sheet, whether it counts or not."""

    deal: TarotDeal
    cells: list[Cell]
    words: str
    extras: list[str]
    verdict: str
    notes: list[str]
    reasons: list[Reason]
    unit: int | None

    @property
    def taker_name(self) -> str:
        return next(cell.name for cell in self.cells if cell.is_taker)

    @property
    def total(self) -> int:
        """What the deal adds up to: zero, or somebody has to look."""
        return sum(cell.points or 0 for cell in self.cells)


def sheet_lines(
    deals: Sequence[TarotDeal], seats: Sequence[Seat], names: Names, rules: tarot.Ruleset
) -> Iterator[SheetLine]:
    """Give the deals, which come in the order of play, with running totals of those that count."""
    replacing = {deal.corrected_by_id for deal in deals}
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
        yield _line(deal, cells, names, rules, is_correction=deal.pk in replacing)


def typed_line(form: TarotDealForm) -> SheetLine:
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
    line = _line(row, cells, form.names, form.ruleset, is_correction=False)
    return replace(line, notes=[])


def _line(
    deal: TarotDeal,
    cells: list[Cell],
    names: Names,
    rules: tarot.Ruleset,
    *,
    is_correction: bool,
) -> SheetLine:
    score = _score(deal, rules)
    return SheetLine(
        deal=deal,
        cells=cells,
        words=deal_words(deal, names),
        extras=[*extra_words(deal), *_slam_words(score)],
        verdict=verdict(deal),
        notes=list(_notes(deal, is_correction=is_correction)),
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
        "contract": deal.get_contract_display(),
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
    gaps = {"contract": deal.get_contract_display(), "n": deal.margin}
    if deal.is_made:
        return _("%(contract)s made by %(n)s") % gaps
    return _("%(contract)s down by %(n)s") % gaps


def _notes(deal: TarotDeal, *, is_correction: bool) -> Iterator[str]:
    entered = {"name": _name(deal.author, deal), "time": _time(deal.recorded_at)}
    if is_correction:
        yield _("Corrected by %(name)s, %(time)s") % entered
    else:
        yield _("Entered by %(name)s, %(time)s") % entered
    if deal.state != TarotDeal.State.VOID:
        return
    voided = {
        "name": _name(deal.voided_by, deal),
        "time": _time(deal.voided_at or deal.recorded_at),
    }
    if not deal.void_reason:
        yield _("Taken back by %(name)s, %(time)s") % voided
        return
    voided["reason"] = _(deal.void_reason)
    yield _("Declared void by %(name)s, %(time)s: %(reason)s") % voided


def _name(account: User | None, deal: TarotDeal) -> str:
    """The name of an account, told in the club only; never its address."""
    is_told = account is not None and onlookers.belong_to(deal.taker.player.club_id)
    return account.name if is_told and account and account.name else _("somebody")


def _time(moment: datetime) -> str:
    return time_format(localtime(moment), _("H:i"))
