"""When a row or a whole sheet counts as agreed, by the policy of the event."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Sequence
from dataclasses import dataclass

from clubs.models import Role, User
from scoring.models.rows import SheetRow
from scoring.models.sheets import Confirmation
from tournaments.actors import Actor, has_entered
from tournaments.models import Entry, Event, Phone, Seat, Table

type SideOf = Callable[[Seat], Hashable | None]
POLICY = Event.Confirmation
#: Whoever is one of these may have gone home, with a word that is still wanted.
LEFT = (Entry.State.AWAY, Entry.State.WITHDRAWN, Entry.State.EXPELLED)
#: One who wrote and one who agrees.
TWO = 2


def seat_of(by: Actor | None, seats: Sequence[Seat]) -> Seat | None:
    """Give the seat of an account or a phone among these; nothing for whoever sits elsewhere."""
    if isinstance(by, Phone):
        return next((s for s in seats if s.player_id == by.player_id), None)
    if isinstance(by, User):
        return next((s for s in seats if s.player.account_id == by.pk), None)
    return None


def seat_of_speaker(said: Confirmation, seats: Sequence[Seat]) -> Seat | None:
    """Give where the one who agreed or objected sits now; nothing for whoever sits elsewhere."""
    return seat_of(said.given_by or said.phone, seats)


def author_of(row: SheetRow, seats: Sequence[Seat]) -> Seat | None:
    """Give the seat from which a row was entered; nothing when a scorer entered it."""
    return seat_of(row.author or row.phone, seats)


def owes_reason(by: Actor, row: SheetRow, seats: Sequence[Seat], *, role: Role | None) -> bool:
    """Does a director change what others wrote, from outside the table?"""
    if role is None or not role.may_act_as(Role.DIRECTOR):
        return False
    return seat_of(by, seats) is None and not has_entered(by, row)


def is_directors_word(row: SheetRow, table: Table) -> bool:
    """Was a row written after the end of its round, when only directors write on the sheet?"""
    closed_at = table.round.closed_at
    return closed_at is not None and row.recorded_at > closed_at


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """Whether a row is right: whom it is put to, and whose word is still wanted.

    A scorer who wrote it speaks for no side, and neither does whoever sat out.
    """

    policy: str
    author: Seat | None
    seats: Sequence[Seat]
    side_of: SideOf

    @property
    def asked(self) -> list[Seat]:
        """Give those whose word counts, be it given or not; never the author himself."""
        others = [seat for seat in self.seats if seat != self.author]
        if self.policy != POLICY.OTHER_SIDE:
            return others
        own = None if self.author is None else self.side_of(self.author)
        return [seat for seat in others if self.side_of(seat) not in {None, own}]

    def waits_for(self, agreed: Collection[Seat]) -> list[Seat]:
        """Give those whose word would still help; nobody once the row is confirmed."""
        heard = [seat for seat in self.asked if seat in agreed]
        match self.policy:
            case POLICY.NOBODY:
                return []
            case POLICY.OTHER_SEAT if heard:
                return []
            case POLICY.OTHER_SIDE:
                spoken = {self.side_of(seat) for seat in heard}
                return [seat for seat in self.asked if self.side_of(seat) not in spoken]
        return [seat for seat in self.asked if seat not in heard]

    def is_stuck(self, agreed: Collection[Seat], *, gone: Collection[Seat]) -> bool:
        """Can nobody confirm the row any more, for those who could have left?"""
        here = [seat for seat in self.seats if seat not in gone]
        return bool(self.waits_for([*agreed, *here]))


def is_confirmed(
    policy: str,
    *,
    agreed: Collection[Seat],
    author: Seat | None,
    seats: Sequence[Seat],
    side_of: SideOf,
) -> bool:
    """Have those agreed to a row whom the policy asks?"""
    question = Question(policy=policy, author=author, seats=seats, side_of=side_of)
    return not question.waits_for(agreed)


def is_signed_off(
    policy: str, *, signed: Collection[Seat], seats: Sequence[Seat], side_of: SideOf
) -> bool:
    """Have those signed the whole sheet whom the policy asks?"""
    return not signatures_wanted(policy, signed=signed, seats=seats, side_of=side_of)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """So many signatures of these seats are still wanted under a sheet."""

    count: int
    seats: Sequence[Seat]


def signatures_wanted(
    policy: str, *, signed: Collection[Seat], seats: Sequence[Seat], side_of: SideOf
) -> list[Wanted]:
    """Give what signatures are still wanted, and whose; none once the sheet is signed off.

    Where two sides play all evening, each side signs, as on a súmula.
    """
    unsigned = [seat for seat in seats if seat not in signed]
    if policy == POLICY.ALL_SEATS:
        return [Wanted(count=len(unsigned), seats=unsigned)] if unsigned else []
    sides = list(dict.fromkeys(side_of(seat) for seat in seats if side_of(seat) is not None))
    if policy != POLICY.NOBODY and len(sides) == TWO:
        spoken = {side_of(seat) for seat in signed}
        by_side = [[s for s in seats if side_of(s) == side] for side in sides if side not in spoken]
        return [Wanted(count=1, seats=side) for side in by_side]
    count = (1 if policy == POLICY.NOBODY else TWO) - len(signed)
    return [Wanted(count=count, seats=unsigned)] if count > 0 else []
