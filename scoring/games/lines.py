"""The lines of a sheet as pages show them, whatever the game: in words, with points and notes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime

from django.utils.formats import time_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from clubs import onlookers
from clubs.models import User
from scoring.models import SheetRow
from tournaments.models import Phone, Seat


@dataclass(frozen=True, kw_only=True)
class Cell:
    """What one row gives one seat; no points for whoever has no part in it."""

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
    """A row of the sheet, whether it counts or not; a game adds what else it shows.

    ``name`` is what the row is called, ``is_good`` whether its verdict is a success.
    """

    row: SheetRow
    name: str
    words: str
    verdict: str
    cells: list[Cell] = field(default_factory=list)
    extras: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    reasons: list[Reason] = field(default_factory=list)
    is_good: bool = True

    @property
    def total(self) -> int:
        """What the row adds up to."""
        return sum(cell.points or 0 for cell in self.cells)


def notes_of(row: SheetRow, club_id: int, *, is_correction: bool) -> Iterator[str]:
    """Say who entered a row and when, and who took it away and why."""
    entered = {
        "name": _name(row.author, row.phone, club_id),
        "time": time_of(row.recorded_at),
    }
    if is_correction:
        yield _("Corrected by %(name)s, %(time)s") % entered
    else:
        yield _("Entered by %(name)s, %(time)s") % entered
    if row.state == SheetRow.State.CORRECTED and row.void_reason:
        yield _("Corrected because: %(reason)s") % {"reason": _(row.void_reason)}
    if row.state != SheetRow.State.VOID:
        return
    voided = {
        "name": _name(row.voided_by, None, club_id),
        "time": time_of(row.voided_at or row.recorded_at),
    }
    if not row.void_reason:
        yield _("Taken back by %(name)s, %(time)s") % voided
        return
    voided["reason"] = _(row.void_reason)
    yield _("Declared void by %(name)s, %(time)s: %(reason)s") % voided


def _name(account: User | None, phone: Phone | None, club_id: int) -> str:
    """The name of whoever wrote, told in the club and at the own table; never an address."""
    if phone is not None and phone.player is not None and onlookers.sit_with(phone.player.pk):
        return phone.player.short_name
    told = (account.name if account else "") or (phone.name if phone else "")
    return told if told and onlookers.belong_to(club_id) else _("somebody")


def time_of(moment: datetime) -> str:
    """Give the time of day as the reader's language writes it."""
    return time_format(localtime(moment))
