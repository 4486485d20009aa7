"""The lines of a sheet as pages show them, whatever the game: in words, with points and notes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property

from django.utils.formats import time_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from clubs import onlookers
from clubs.models import Membership, Player, Role, User
from scoring.models import SheetRow
from tournaments.models import Phone, Seat, Table


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
    def outcome(self) -> str:
        """The verdict, where the words have not said it already."""
        return self.verdict if self.verdict != self.words else ""

    @property
    def total(self) -> int:
        """What the row adds up to."""
        return sum(cell.points or 0 for cell in self.cells)


@dataclass(frozen=True)
class Writers:
    """Whoever wrote on one sheet, told as the one who looks may know them; never an address."""

    table: Table

    def name(self, account: User | None, phone: Phone | None = None) -> str:
        """Give a name where one may be told; else "somebody"."""
        return self.told(account, phone) or _("somebody")

    def told(self, account: User | None, phone: Phone | None = None) -> str:
        """Give a name in the club and at the own table, there also an office; else nothing."""
        player = self._player(account, phone)
        if player is not None and onlookers.sit_with(player.pk):
            return player.short_name
        told = (account.name if account else "") or (phone.name if phone else "")
        if told and onlookers.belong_to(self.table.event.season.club_id):
            return told
        if not any(onlookers.sit_with(seat.player_id) for seat in self.table.seats.all()):
            return ""
        if phone is not None and player is not None:
            return player.short_name  # who sat here when he wrote, and sits elsewhere now
        return _("the director") if account and account.pk in self._directors else _("a scorer")

    def _player(self, account: User | None, phone: Phone | None) -> Player | None:
        if phone is not None or account is None:
            return phone.player if phone else None
        players = (seat.player for seat in self.table.seats.all())
        return next((each for each in players if each.account_id == account.pk), None)

    @cached_property
    def _directors(self) -> frozenset[int]:
        direct = [role for role in Role if role.may_act_as(Role.DIRECTOR)]
        club = self.table.event.season.club_id
        held = Membership.objects.filter(player__club=club, role__in=direct, left_on=None)
        return frozenset(held.values_list("player__account", flat=True))


def notes_of(row: SheetRow, writers: Writers, *, is_correction: bool) -> Iterator[str]:
    """Say who entered a row and when, and who took it away and why."""
    entered = {
        "name": writers.told(row.author, row.phone),
        "time": time_of(row.recorded_at),
    }
    if not entered["name"]:
        yield (_("Corrected at %(time)s") if is_correction else _("Entered at %(time)s")) % entered
    elif is_correction:
        yield _("Corrected by %(name)s, %(time)s") % entered
    else:
        yield _("Entered by %(name)s, %(time)s") % entered
    if row.state == SheetRow.State.CORRECTED and row.void_reason:
        yield _("Corrected because: %(reason)s") % {"reason": _(row.void_reason)}
    if row.state != SheetRow.State.VOID:
        return
    voided = {
        "name": writers.name(row.voided_by),
        "time": time_of(row.voided_at or row.recorded_at),
    }
    if not row.void_reason:
        yield _("Taken back by %(name)s, %(time)s") % voided
        return
    voided["reason"] = _(row.void_reason)
    yield _("Declared void by %(name)s, %(time)s: %(reason)s") % voided


def time_of(moment: datetime) -> str:
    """Give the time of day as the reader's language writes it."""
    return time_format(localtime(moment))
