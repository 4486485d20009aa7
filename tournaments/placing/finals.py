"""Who plays a final, and where: the seeds of the manual and equals meeting at the last position."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from tournaments.placing.best_with_best import Ranked
from tournaments.placing.chart import Chart
from tournaments.placing.fft import start_of
from tournaments.placing.says import what_it_reached
from tournaments.placing.values import (
    FULL_TABLE,
    Place,
    Placement,
    Placing,
    Seat,
    lay_tables,
)
from tournaments.seating import PastRound, Reason, SeatingError
from tournaments.seating.errors import gettext_noop
from tournaments.seating.reasons import Gap

type Pair = tuple[int, int]

#: First the Norths, then the Souths, the Easts and the Wests (OT p.5).
SEED_SEATS = (Seat.NORTH, Seat.SOUTH, Seat.EAST, Seat.WEST)
#: The finals that the manual knows.
USUAL_FINALS = (12, 16, 20)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """The best so many, in order, and whom the last place leaves out with equal points.

    ``equal_out`` and ``equal_in`` have the points of the last place: the director is asked
    between them.
    """

    finalists: tuple[int, ...]
    equal_in: tuple[int, ...] = ()
    equal_out: tuple[int, ...] = ()

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """Who was equal at the cut, if anybody was left out for his number."""
        equal = tuple(sorted((*self.equal_in, *self.equal_out)))
        if not equal:
            return ()
        gaps: dict[str, Gap] = {"count": len(equal), "players": equal}
        return (Reason(code="equal_at_the_cut", gaps=gaps),)


def cut(ranking: Iterable[Ranked], best: int, *, decided: Collection[int] = ()) -> Cut:
    """The best so many of a ranking; of equal points those who were ``decided`` for go first.

    Without a decision equal points go by number, and ``equal_out`` says that it is wanted.
    Refuses too few players.
    """
    order = sorted(
        ranking, key=lambda one: (-one.points, one.player not in decided, one.number, one.player)
    )
    if not 1 <= best <= len(order):
        raise SeatingError(
            gettext_noop("The best %(best)s cannot be taken of %(players)s players."),
            code="fewer_than_the_best",
            best=best,
            players=len(order),
        )
    last = order[best - 1].points
    out = tuple(one.player for one in order[best:] if one.points == last)
    inside = tuple(one.player for one in order[:best] if one.points == last) if out else ()
    finalists = tuple(one.player for one in order[:best])
    return Cut(finalists=finalists, equal_in=inside, equal_out=out)


def final_places(finalists: Sequence[int]) -> dict[int, Place]:
    """The seat of each finalist, the best first: Norths of all tables, then S, E and W.

    Refuses a number that does not fill tables of 4.
    """
    tables, left = divmod(len(finalists), FULL_TABLE)
    if left or not tables:
        raise SeatingError(
            gettext_noop("A seeded final needs full tables of 4: %(players)s is no multiple of 4."),
            code="final_not_of_fours",
            players=len(finalists),
        )
    return {
        player: Place(seed % tables + 1, SEED_SEATS[seed // tables])
        for seed, player in enumerate(finalists)
    }


def place_final(
    finalists: Sequence[int],
    history: Sequence[PastRound] = (),
    *,
    prohibited: Iterable[Pair] = (),
) -> Placing:
    """Seat the (first) position of a final by the seeds; pairs that may not meet are only named."""
    places = final_places(finalists)
    tables = lay_tables((place, player) for player, place in places.items())
    return Placing(
        placement=Placement.FINAL,
        tables=tables,
        reasons=(
            Reason(code="final_seeds", gaps={"tables": len(tables)}),
            *what_it_reached(tables, (), history, prohibited, seats=False),
        ),
    )


def final_chart(finalists: Sequence[int]) -> Chart:
    """The seeds as starting places, for a final of several positions of the movement."""
    places = final_places(finalists)
    return Chart(tables=len(finalists) // FULL_TABLE, starts=places)


def equals_meet_last(ranking: Sequence[int], rounds: int) -> Chart:
    """Starting places at which players of about the same rank meet at the last position.

    The ranking is dealt over N, S, E, W and back again; each row has one table at the end
    (OT p.29). Refuses a number that does not fill tables of 4.
    """
    tables = len(final_places(ranking)) // FULL_TABLE
    starts = {}
    for place, player in enumerate(ranking):
        row, column = divmod(place, FULL_TABLE)
        seat = SEED_SEATS[FULL_TABLE - 1 - column if row % 2 else column]
        starts[player] = start_of(Place(row + 1, seat), rounds, tables)
    return Chart(tables=tables, starts=starts)
