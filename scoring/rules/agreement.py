"""When a row or a whole sheet counts as agreed, by the policy of the event."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Sequence

from clubs.models import Role, User
from scoring.models.rows import SheetRow
from tournaments.actors import Actor, has_entered
from tournaments.models import Event, Phone, Seat, Table

type SideOf = Callable[[Seat], Hashable | None]
POLICY = Event.Confirmation
#: One who wrote and one who agrees.
TWO = 2


def seat_of(by: Actor | None, seats: Sequence[Seat]) -> Seat | None:
    """Give the seat of an account or a phone among these; nothing for whoever sits elsewhere."""
    if isinstance(by, Phone):
        return next((s for s in seats if s.player_id == by.player_id), None)
    if isinstance(by, User):
        return next((s for s in seats if s.player.account_id == by.pk), None)
    return None


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


def is_confirmed(
    policy: str,
    *,
    agreed: Collection[Seat],
    author: Seat | None,
    seats: Sequence[Seat],
    side_of: SideOf,
) -> bool:
    """Have those agreed to a row whom the policy asks? What its author says counts for nothing."""
    others = [seat for seat in seats if seat != author]
    heard = [seat for seat in others if seat in agreed]
    match policy:
        case POLICY.OTHER_SEAT:
            return bool(heard)
        case POLICY.OTHER_SIDE:
            return _sides_left(heard, author=author, seats=seats, side_of=side_of) == set()
        case POLICY.ALL_SEATS:
            return len(heard) == len(others)
    return True


def _sides_left(
    heard: Sequence[Seat], *, author: Seat | None, seats: Sequence[Seat], side_of: SideOf
) -> set[Hashable]:
    """Give the sides that nobody has spoken for: a scorer speaks for none, an author for his."""
    sides = {side_of(seat) for seat in seats} - {None}
    spoken = {side_of(seat) for seat in heard}
    return sides - spoken - (set() if author is None else {side_of(author)})


def is_signed_off(
    policy: str, *, signed: Collection[Seat], seats: Sequence[Seat], side_of: SideOf
) -> bool:
    """Have those signed the whole sheet whom the policy asks?

    Where two sides play all evening, each side signs, as on a súmula.
    """
    if policy == POLICY.NOBODY or not signed:
        return bool(signed)
    if policy == POLICY.ALL_SEATS:
        return all(seat in signed for seat in seats)
    sides = {side_of(seat) for seat in seats} - {None}
    if len(sides) == TWO:
        return sides == {side_of(seat) for seat in signed}
    return len(signed) >= TWO
