"""Drawing the starting places of the movement: by lot, but for what was chosen or must be.

Whoever must keep a table starts as North; Norths are left out where tables of 3 are needed;
teams share a table at position 1, which they do not play; players who may not meet start where
their ways never cross.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from tournaments.placing.chart import Chart, Pair, tables_for
from tournaments.placing.fft import offset, removed_norths, threes_again
from tournaments.placing.values import FOUR_SEATS, Place, Seat
from tournaments.seating import SeatingError
from tournaments.seating.dice import Dice
from tournaments.seating.errors import gettext_noop, refuse_twice

N, E, S, W = FOUR_SEATS
#: What the members of a pair sit on: never at right angles to each other.
PAIR_SEATS: tuple[tuple[Seat, ...], ...] = ((N, S), (E, W))
PAIR, WHOLE_TABLE = 2, 4
#: So many exchanges without getting better, and it is given up.
MOST_TRIES = 100

type Unit = tuple[int, ...]  # those who start together: one player, or a team


def draw_chart(
    players: Iterable[int],
    *,
    seed: int,
    rounds: int,
    chosen: Mapping[int, Place] | None = None,
    fixed: Mapping[int, int | None] | None = None,
    teams: Iterable[Sequence[int]] = (),
    prohibited: Iterable[Pair] = (),
) -> Chart:
    """Draw who starts where; equal input gives equal places.

    ``chosen`` holds places picked at registration; ``fixed`` players keep their table (one of
    their choice, or None for any). Teams have 2 or 4 players (up to). ``prohibited`` pairs, of
    different teams, do not meet in the ``rounds``. Refuses fewer than 17 players, a player
    named twice, places that cannot all be had, and pairs that cannot all be kept apart.
    """
    here = sorted(players)
    refuse_twice(here)
    dice = Dice(seed)
    units = _units(here, teams)
    draw = _Drawing(
        tables=tables_for(max(len(here), _seats_for_teams(units))),
        rounds=rounds,
        first=2 if any(len(unit) > 1 for unit in units) else 1,
        chosen=dict(chosen or {}),
        fixed=dict(fixed or {}),
        dice=dice,
    )
    starts = draw.teams(units) if draw.first > 1 else draw.single_players(here)
    chart = Chart(
        tables=draw.tables,
        starts=starts,
        first=draw.first,
        fixed={p: starts[p].table if at is None else at for p, at in draw.fixed.items()},
    )
    settled = {*draw.chosen, *draw.fixed}
    movable = [unit for unit in units if settled.isdisjoint(unit)]
    return _kept_apart(chart, movable, rounds, prohibited, dice)


def _units(here: list[int], teams: Iterable[Sequence[int]]) -> list[Unit]:
    """The teams, those present of each, then everybody who has none."""
    present = set(here)
    found = [tuple(p for p in team if p in present) for team in teams]
    members = [player for unit in found for player in unit]
    if len(set(members)) < len(members) or any(len(unit) > WHOLE_TABLE for unit in found):
        raise SeatingError(
            gettext_noop("Teams have 2 or 4 players, and nobody is in two of them."),
            code="wrong_teams",
            field="teams",
        )
    return [unit for unit in found if unit] + [(p,) for p in here if p not in set(members)]


def _seats_for_teams(units: list[Unit]) -> int:
    """The seats that are needed when a team of two or one takes two, a larger one a table."""
    if all(len(unit) == 1 for unit in units):
        return len(units)
    if all(len(unit) <= PAIR for unit in units):
        return PAIR * len(units)
    return WHOLE_TABLE * len(units)


@dataclass(slots=True, kw_only=True)
class _Drawing:
    tables: int
    rounds: int
    first: int
    chosen: dict[int, Place]
    fixed: dict[int, int | None]
    dice: Dice

    def single_players(self, here: list[int]) -> dict[int, Place]:
        """A place for everybody, none of them North of a table that plays by 3."""
        starts = {player: place for player, place in self.chosen.items() if player in here}
        for player, table in self.fixed.items():
            if table is not None and player in here:
                starts.setdefault(player, Place(table, N))
        norths = {place.table for place in starts.values() if place.seat is N}
        anywhere = [p for p in self.fixed if p in here and p not in starts]
        threes = 4 * self.tables - len(here)
        left_out = self._left_out(threes, norths, len(anywhere))
        free = [
            place
            for place in self._places()
            if place not in starts.values() and not (place.seat is N and place.table in left_out)
        ]
        for player in anywhere:
            starts[player] = next(place for place in free if place.seat is N)
            free.remove(starts[player])
        rest = [player for player in here if player not in starts]
        self._refuse_not_enough(rest, free)
        for player, number in zip(rest, self.dice.shuffled(list(range(len(free)))), strict=True):
            starts[player] = free[number]
        return starts

    def _left_out(self, threes: int, norths: set[int], anywhere: int) -> set[int]:
        if not threes:
            return set()
        # Those whose table does not matter count too: each needs a North that stays.
        spare = [t for t in range(1, self.tables + 1) if t not in norths][:anywhere]
        keep = norths | set(spare)
        return set(removed_norths(self.tables, threes, self.rounds, keep=keep))

    def teams(self, units: list[Unit]) -> dict[int, Place]:
        """Two seats that face each other, or a table, for each team; where it starts is drawn."""
        pairs = all(len(unit) <= PAIR for unit in units)
        groups = PAIR_SEATS if pairs else ((N, E, S, W),)
        slots = [(t, seats) for t in range(1, self.tables + 1) for seats in groups]
        if len(slots) > len(units):
            slots.remove((self.tables, self._pair_left_out()))
        starts: dict[int, Place] = {}
        waiting = list(units)
        for unit in [unit for unit in units if any(p in self._placed for p in unit)]:
            slot = next(slot for slot in self._slots_for(unit, slots))
            self._sit(unit, slot, starts)
            slots.remove(slot)
            waiting.remove(unit)
        order = self.dice.shuffled(list(range(len(slots))))
        for unit, number in zip(waiting, order, strict=True):
            self._sit(unit, slots[number], starts)
        return starts

    @property
    def _placed(self) -> dict[int, Place]:
        at = {p: Place(table or 0, N) for p, table in self.fixed.items()}
        return at | self.chosen

    def _slots_for(
        self, unit: Unit, slots: list[tuple[int, tuple[Seat, ...]]]
    ) -> Iterator[tuple[int, tuple[Seat, ...]]]:
        asked = [self._placed[player] for player in unit if player in self._placed]
        for table, seats in slots:
            if all(a.table in (0, table) and a.seat in seats for a in asked):
                yield table, seats
        raise _places_taken()

    def _sit(
        self, unit: Unit, slot: tuple[int, tuple[Seat, ...]], starts: dict[int, Place]
    ) -> None:
        table, seats = slot
        asked = {p: self._placed[p].seat for p in unit if p in self._placed}
        free = [seat for seat in seats if seat not in asked.values()]
        # A team that lacks somebody lacks its North, as a table of 3 does.
        free = free[len(seats) - len(unit) :] if len(unit) < len(seats) else free
        for player in unit:
            starts[player] = Place(table, asked[player] if player in asked else free.pop(0))

    def _pair_left_out(self) -> tuple[Seat, ...]:
        """Which pair the last table lacks when there is an odd number of pairs."""
        positions = range(self.first, self.first + self.rounds)
        return min(
            PAIR_SEATS,
            key=lambda seats: threes_again(
                self.tables, [Place(self.tables, seat) for seat in seats], positions
            ),
        )

    def _places(self) -> list[Place]:
        return [Place(t, seat) for t in range(1, self.tables + 1) for seat in FOUR_SEATS]

    def _refuse_not_enough(self, rest: list[int], free: list[Place]) -> None:
        if len(rest) != len(free):
            raise _places_taken()


def _places_taken() -> SeatingError:
    return SeatingError(
        gettext_noop("The places that were chosen, or the fixed tables, cannot all be had."),
        code="places_taken",
        field="chosen",
    )


def _kept_apart(
    chart: Chart,
    movable: list[Unit],
    rounds: int,
    prohibited: Iterable[Pair],
    dice: Dice,
) -> Chart:
    """The chart with those who may not meet on ways that do not cross, by few exchanges."""
    pairs = sorted({(min(p), max(p)) for p in prohibited if chart.starts.keys() >= set(p)})
    if not pairs:
        return chart
    apart = _Apart(chart, movable, pairs, chart.positions(rounds))
    fewest, tries = len(pairs) + 1, 0
    while tries < MOST_TRIES:
        wrong = apart.wrong()
        if not wrong:
            return replace(chart, starts=apart.starts)
        fewest, tries = min(fewest, len(wrong)), 0 if len(wrong) < fewest else tries + 1
        apart.mend(wrong[dice.below(len(wrong))], dice)
    raise SeatingError(
        gettext_noop("No seating keeps all prohibited pairs apart."),
        code="prohibited_pairs",
        field="prohibited",
        pairs=tuple(apart.wrong()),
    )


class _Apart:
    """Starting places that change by exchanging two units of one shape."""

    def __init__(
        self,
        chart: Chart,
        movable: list[Unit],
        pairs: list[Pair],
        positions: range,
    ) -> None:
        self.starts = dict(chart.starts)
        self.tables = chart.tables
        self.pairs = pairs
        self.way = {
            seat: [offset(chart.tables, position, seat) for position in positions]
            for seat in FOUR_SEATS
        }
        self.enemies: dict[int, list[int]] = {}
        for one, other in pairs:
            self.enemies.setdefault(one, []).append(other)
            self.enemies.setdefault(other, []).append(one)
        self.unit = {player: unit for unit in movable for player in unit}
        self.alike: dict[int, list[Unit]] = {}
        for unit in movable:
            self.alike.setdefault(len(unit), []).append(unit)

    def meet(self, one: int, other: int) -> bool:
        a, b = self.starts[one], self.starts[other]
        apart = (b.table - a.table) % self.tables
        ways = zip(self.way[a.seat], self.way[b.seat], strict=True)
        return any((mine - theirs) % self.tables == apart for mine, theirs in ways)

    def wrong(self) -> list[Pair]:
        return [pair for pair in self.pairs if self.meet(*pair)]

    def mend(self, pair: Pair, dice: Dice) -> None:
        """Take the best exchange for one of the pair; of equals one by lot."""
        choices = [
            (self._worse_by(unit, other), dice.chance(), unit, other)
            for unit in (self.unit[player] for player in pair if player in self.unit)
            for other in self.alike[len(unit)]
            if other != unit
        ]
        if choices:
            _, _, unit, other = min(choices)
            self._exchange(unit, other)

    def _worse_by(self, unit: Unit, other: Unit) -> int:
        before = self._touching(unit, other)
        self._exchange(unit, other)
        after = self._touching(unit, other)
        self._exchange(unit, other)
        return after - before

    def _touching(self, unit: Unit, other: Unit) -> int:
        return sum(
            self.meet(player, enemy)
            for player in (*unit, *other)
            for enemy in self.enemies.get(player, ())
        )

    def _exchange(self, unit: Unit, other: Unit) -> None:
        for one, two in zip(unit, other, strict=True):
            self.starts[one], self.starts[two] = self.starts[two], self.starts[one]
