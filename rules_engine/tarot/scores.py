"""The score of a deal, with the lines that explain it (RO p.9, 11, 12; OT p.9)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NoReturn

from rules_engine.errors import Illegal, gettext_noop
from rules_engine.tarot.contracts import Called
from rules_engine.tarot.deals import NO_CHELEM, Deal
from rules_engine.tarot.lines import POIGNEE_LINES, Line, misere_line


@dataclass(frozen=True, slots=True, init=False)
class DealScore:
    """What a deal is worth: ``unit`` is what the taker wins from one defender (or loses).

    ``lines`` add up to ``unit``. ``asides`` are paid outside it: the misères, each from every
    other player to its declarer.
    """

    deal: Deal
    unit: int
    lines: tuple[Line, ...]

    def __init__(self, deal: Deal, unit: int, lines: tuple[Line, ...]) -> None:
        # Written out for the same reason as the deal's own.
        _put_deal(self, deal)
        _put_unit(self, unit)
        _put_lines(self, lines)

    @property
    def made(self) -> bool:
        """Is the contract made?"""
        return self.deal.outcome.made

    @property
    def margin(self) -> int:
        """Whole points above or under those needed, never negative; ``made`` says which."""
        return self.deal.outcome.margin

    @property
    def needed_half_points(self) -> int:
        """The half-points that the attack needed with its bouts."""
        return self.deal.needed_half_points

    @property
    def asides(self) -> tuple[Line, ...]:
        """One line for each misère, its points those that the declarer gets from all."""
        rules = self.deal.ruleset
        return tuple(
            misere_line(misere.kind, rules.misere * (rules.players - 1), rules.misere)
            for misere in self.deal.miseres
        )

    @property
    def scores(self) -> tuple[int, ...]:
        """The players' points: taker, partner if any, defenders; they sum to zero."""
        deal, unit = self.deal, self.unit
        shares = deal.ruleset.tariff.shares[deal.called]
        if not deal.miseres:
            return tuple([unit * share for share in shares])
        points = [unit * share for share in shares]
        each = deal.ruleset.misere
        for misere in deal.miseres:
            points = [mine - each for mine in points]
            points[misere.declarer] += each * len(points)
        return tuple(points)

    def by_seat(
        self, seats: int, taker: int, partner: int | None = None, *, sits_out: int | None = None
    ) -> tuple[int, ...]:
        """Give the points in the order of the seats, 0 for whoever sits out.

        Seats are numbered from 0. A misère belongs to a place in ``score_order``, so that its
        declarer gets his points wherever he sits. Refuses seats that do not fit the deal.
        """
        order = score_order(seats, taker, partner, sits_out=sits_out)
        deal = self.deal
        if len(order) != deal.ruleset.players:
            _refuse_seats("seats")
        if (partner is None) is (deal.called is Called.PARTNER):
            _refuse_seats("partner")
        points = [0] * seats
        for seat, score in zip(order, self.scores, strict=True):
            points[seat] = score
        return tuple(points)

    def to_json(self) -> dict[str, object]:
        """Give the score as the command line writes it."""
        return {
            "scores": list(self.scores),
            "unit": self.unit,
            "made": self.made,
            "margin": self.margin,
            "lines": [line.to_json() for line in self.lines],
        }


_put_deal, _put_unit, _put_lines = (vars(DealScore)[name].__set__ for name in DealScore.__slots__)


def score_deal(deal: Deal) -> DealScore:
    """Score a deal under its own ruleset."""
    outcome = deal.outcome
    if (
        deal.petit_au_bout is None
        and not deal.poignees
        and deal.chelem is NO_CHELEM
        and deal.petit_chelem is NO_CHELEM
    ):
        return DealScore(deal, outcome.unit, outcome.lines)
    premiums = _premiums(deal)
    unit = outcome.unit
    for line in premiums:
        unit += line.points
    return DealScore(deal, unit, (*outcome.lines, *premiums))


def _premiums(deal: Deal) -> list[Line]:
    tariff = deal.ruleset.tariff
    lines: list[Line] = []
    if deal.petit_au_bout is not None:
        lines.append(tariff.petits[deal.contract][deal.petit_au_bout])
    for poignee in deal.poignees:
        lines.append(POIGNEE_LINES[deal.outcome.made][poignee.size])  # noqa: PERF401
    if deal.chelem is not NO_CHELEM:
        lines += tariff.slams[deal.chelem.announced, deal.chelem.achieved]
    if deal.petit_chelem is not NO_CHELEM:
        lines += tariff.petit_slams[deal.petit_chelem.announced, deal.petit_chelem.achieved]
    return lines


def score_order(
    seats: int, taker: int, partner: int | None = None, *, sits_out: int | None = None
) -> tuple[int, ...]:
    """Give the seats in the order of ``scores``: taker, partner if any, defenders by seat.

    Refuses a seat that is not at the table, or one given two roles.
    """
    named = [seat for seat in (taker, partner, sits_out) if seat is not None]
    if len(set(named)) < len(named) or not all(0 <= seat < seats for seat in named):
        _refuse_seats("taker")
    attackers: Sequence[int] = (taker,) if partner is None else (taker, partner)
    return (*attackers, *(seat for seat in range(seats) if seat not in named))


def _refuse_seats(name: str) -> NoReturn:
    raise Illegal(
        gettext_noop(
            "The seats do not fit the deal: taker, partner and whoever sits out are different "
            "seats of the table, and the others are the players of the ruleset."
        ),
        code="seats_do_not_fit",
        field=name,
    )
