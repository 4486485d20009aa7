"""Lost connections: a seat is kept for a while, then the match is cancelled (seed 002)."""

from __future__ import annotations

from dataclasses import dataclass, field

from rules_engine.errors import Illegal, gettext_noop
from rules_engine.truco.seats import seat_name


@dataclass(slots=True)
class Connections:
    """Who has no connection at the moment, and since when, in seconds of any clock."""

    keep_seconds: int
    away: dict[int, float] = field(default_factory=dict)

    def drop(self, seat: int, at: float) -> None:
        """Note that a seat is away; a second loss of the same connection changes nothing."""
        self.away.setdefault(seat, at)

    def restore(self, seat: int) -> None:
        """Give a seat back to its player."""
        self.away.pop(seat, None)

    @property
    def deadline(self) -> float | None:
        """When the match will be cancelled; None while everybody is there."""
        return min(self.away.values()) + self.keep_seconds if self.away else None

    def check(self, seat: int) -> None:
        """Refuse what comes from a seat without a connection."""
        if seat in self.away:
            raise Illegal(
                gettext_noop("%(seat)s has no connection and must come back first."),
                code="seat_away",
                field="seat",
                seat=seat_name(seat),
            )
