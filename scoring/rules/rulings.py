"""What the referee's rulings say about the deals of a table: who may not bid, what is granted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.models import TarotDeal
from tournaments.faults import BARRED, FAULTS
from tournaments.models import Ruling, Seat

CHELEM = "announced_chelem"
#: What a tournament's referee grants before it is played (RO p.5, CA p.4), by the grant's code.
NOT_GRANTED: Mapping[str, Any] = {
    "garde_sans": gettext_lazy(
        "A garde sans is granted by the referee: call him before it is written."
    ),
    "garde_contre": gettext_lazy(
        "A garde contre is granted by the referee: call him before it is written."
    ),
    CHELEM: gettext_lazy(
        "An announced chelem is granted by the referee: call him before it is written."
    ),
}


def bars(ruling: Ruling) -> bool:
    """Does the list keep whoever this ruling is about from bidding on the next deal?"""
    fault = FAULTS.get(ruling.fault)
    return bool(fault and fault.barred and ruling.entry_id and ruling.stands)


def barred_deal(ruling: Ruling) -> int | None:
    """Give the deal on which whoever was at fault may not bid; nothing where none can be told.

    A deal that is void frees its number: the next one dealt at the table bears it.
    """
    if ruling.deal_number is None or not bars(ruling):
        return None
    return ruling.deal_number + (1 if ruling.outcome == Ruling.Outcome.COUNTS else 0)


def is_barred(
    seat: Seat, number: int, *, rulings: Iterable[Ruling], rows: Iterable[TarotDeal]
) -> bool:
    """May this seat not bid on this deal? Once is enough: a later deal of the number is free."""
    return any(
        ruling.entry_id == seat.entry_id
        and barred_deal(ruling) == number
        and not _is_over(ruling, number, rows)
        for ruling in rulings
    )


def _is_over(ruling: Ruling, number: int, rows: Iterable[TarotDeal]) -> bool:
    """Was the deal after the ruling played and declared void?"""
    return any(
        row.number == number
        and row.state == TarotDeal.State.VOID
        and row.void_reason
        and row.recorded_at > ruling.ruled_at
        for row in rows
    )


def grants_needed(row: TarotDeal) -> Iterator[str]:
    """Give the grants that a deal needs."""
    if row.contract in NOT_GRANTED:
        yield row.contract
    if row.chelem.get("announced"):
        yield CHELEM


def is_granted(code: str, seat: Seat, number: int, *, rulings: Iterable[Ruling]) -> bool:
    """Has the referee granted this to the seat for the deal, or to the table without saying?"""
    return any(
        ruling.fault == code
        and ruling.entry_id in {None, seat.entry_id}
        and ruling.deal_number in {None, number}
        for ruling in rulings
    )


def said_at_table(ruling: Ruling) -> str:
    """Say a ruling in one line, as it is written under the sheet of its table."""
    fault = FAULTS.get(ruling.fault)
    said = [_("deal %(n)s") % {"n": ruling.deal_number}] if ruling.deal_number else []
    said.append(_(fault.words) if fault else ruling.fault)
    if ruling.entry:
        said.append(str(ruling.entry))
    if ruling.points:
        said.append(f"−{ruling.points}")
    if ruling.outcome != Ruling.Outcome.COUNTS:
        said.append(str(ruling.get_outcome_display()))
    said.append(said_of_bar(ruling))
    return " · ".join(filter(None, said))


def said_of_bar(ruling: Ruling) -> str:
    """Say on which deal somebody may not bid; nothing where nobody is barred."""
    if not bars(ruling):
        return ""
    number = barred_deal(ruling)
    if number is None:
        return _(BARRED)
    return _("may not bid on deal %(number)s") % {"number": number}
