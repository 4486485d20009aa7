"""What a tarot sheet says by itself: its rules, and a row as a value of the engine."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from rules_engine import tarot
from scoring.models import TarotDeal
from tournaments.models import Seat, Table

#: The columns in which a deal is what the table reported.
REPORTED = (
    "taker_id",
    "partner_id",
    "sits_out_id",
    "called",
    "contract",
    "bouts",
    "half_points",
    "petit_au_bout",
    "poignees",
    "chelem",
    "house_options",
)


def ruleset_of(table: Table) -> tarot.Ruleset:
    """Give the rules of the evening for as many players as play a deal at this table."""
    return _ruleset(json.dumps(table.event.ruleset), table.players_per_deal)


@lru_cache(maxsize=64)
def _ruleset(stored: str, players: int) -> tarot.Ruleset:
    data = json.loads(stored)
    rules = tarot.Ruleset.from_json(data) if data else tarot.Ruleset()
    return rules.for_players(players)


@lru_cache(maxsize=64)
def amounts_of(rules: tarot.Ruleset) -> dict[str, Any]:
    """Give the engine's table of amounts, made once for each set of rules: it is only read."""
    return tarot.scoring_table(rules)


def columns_of(deal: tarot.Deal) -> dict[str, Any]:
    """Give a deal of the engine as columns of a row, its result included."""
    score = tarot.score_deal(deal)
    options: dict[str, Any] = {}
    if deal.petit_chelem != tarot.Chelem():
        options["petit_chelem"] = deal.petit_chelem.to_json()
    if deal.miseres:
        options["miseres"] = [misere.to_json() for misere in deal.miseres]
    return {
        "contract": str(deal.contract),
        "bouts": int(deal.bouts),
        "half_points": deal.half_points,
        "petit_au_bout": str(deal.petit_au_bout or ""),
        "poignees": [poignee.to_json() for poignee in deal.poignees],
        "chelem": deal.chelem.to_json() if deal.chelem != tarot.Chelem() else {},
        "called": str(deal.called or ""),
        "house_options": options,
        "is_made": score.made,
        "margin": score.margin,
    }


def deal_of(row: TarotDeal, ruleset: tarot.Ruleset) -> tarot.Deal:
    """Give a row as a deal of the engine."""
    options = row.house_options
    return tarot.Deal(
        ruleset=ruleset,
        contract=tarot.Contract(row.contract),
        bouts=row.bouts,
        half_points=row.half_points,
        petit_au_bout=tarot.Side(row.petit_au_bout) if row.petit_au_bout else None,
        poignees=tuple(tarot.Poignee.from_json(each) for each in row.poignees),
        chelem=chelem_of(row.chelem),
        called=tarot.Called(row.called) if row.called else None,
        petit_chelem=chelem_of(options.get("petit_chelem")),
        miseres=tuple(tarot.Misere.from_json(each) for each in options.get("miseres", ())),
    )


def chelem_of(value: dict[str, Any] | None) -> tarot.Chelem:
    """Read a stored chelem; an empty one is none."""
    return tarot.Chelem.from_json(value) if value else tarot.Chelem()


def points_by_seat(
    deal: tarot.Deal,
    seats: Sequence[Seat],
    *,
    taker: Seat,
    partner: Seat | None = None,
    sits_out: Seat | None = None,
) -> dict[int, int]:
    """Give each playing seat's points by its key; nothing for whoever sits out."""
    place = {seat.pk: index for index, seat in enumerate(seats)}
    points = tarot.score_deal(deal).by_seat(
        len(seats),
        place[taker.pk],
        None if partner is None else place[partner.pk],
        sits_out=None if sits_out is None else place[sits_out.pk],
    )
    out = None if sits_out is None else sits_out.pk
    return {seat.pk: points[place[seat.pk]] for seat in seats if seat.pk != out}


def in_score_order(
    seats: Sequence[Seat], *, taker: Seat, partner: Seat | None, sits_out: Seat | None
) -> list[Seat]:
    """Give the seats as the engine orders scores: taker, partner if any, then the defenders."""
    place = {seat.pk: index for index, seat in enumerate(seats)}
    order = tarot.score_order(
        len(seats),
        place[taker.pk],
        None if partner is None else place[partner.pk],
        sits_out=None if sits_out is None else place[sits_out.pk],
    )
    return [seats[index] for index in order]


def is_same_report(one: TarotDeal, other: TarotDeal) -> bool:
    """Did both tell of the same taker, contract, points and announcements?"""
    return all(getattr(one, name) == getattr(other, name) for name in REPORTED)
