"""A change of seats by hand, looked at before it is made: how dangerous it is, what it costs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.templatetags.cards import signed
from tournaments.http import etag_of
from tournaments.models import EntryPlayer, Event, Placement, Round, Seat, Table

SMALLEST_TABLE = 3
FULL_TABLE = 4
LARGEST_TABLE = 5

#: A table's key and a place at it; nothing for whoever sits out.
type Spot = tuple[int, int] | None
type Spots = dict[int, Spot]


class Kind(StrEnum):
    """What the director wants to do."""

    SWAP = "swap"
    MOVE = "move"
    UNSEAT = "unseat"


class Danger(StrEnum):
    """Safe: nothing is written yet. Unsafe: points go to somebody else, typed confirmation."""

    SAFE = "safe"
    UNSAFE = "unsafe"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """A change as asked: players by their keys, the table by its key."""

    kind: Kind
    one: int
    other: int | None = None
    table: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlook:
    """What a change would do; ``seen`` marks the state it was judged in."""

    before: Spots
    after: Spots
    danger: Danger
    costs: tuple[str, ...]
    confirm: str
    seen: str


@dataclass
class Seating:
    """Who sits where in a round, read once."""

    this_round: Round
    tables: dict[int, Table]
    seats: dict[int, Seat]
    names: dict[int, str]

    @classmethod
    def of(cls, this_round: Round) -> Seating:
        tables = {table.pk: table for table in this_round.tables.in_order()}
        seats = {
            seat.player_id: seat
            for seat in this_round.seats.select_related("player").order_by("table", "place")
        }
        rows = EntryPlayer.objects.filter(event=this_round.event_id, entry__state="present")
        names = dict(rows.values_list("player_id", "player__name"))
        names |= {key: seat.player.shown_name for key, seat in seats.items()}
        return cls(this_round=this_round, tables=tables, seats=seats, names=names)

    def spot(self, player: int) -> Spot:
        seat = self.seats.get(player)
        return None if seat is None else (seat.table_id, seat.place)

    def at_table(self, table: int, placed: Mapping[int, Spot] | None = None) -> list[int]:
        """The players of a table, as they sit or as ``placed`` would have them."""
        spots: Spots = {key: self.spot(key) for key in self.seats} | dict(placed or {})
        return [key for key, spot in spots.items() if spot is not None and spot[0] == table]

    def free_place(self, table: int) -> int:
        taken = {seat.place for seat in self.seats.values() if seat.table_id == table}
        return next(place for place in range(1, LARGEST_TABLE + 1) if place not in taken)


def is_written(table: Table) -> bool:
    """Has anything ever been written on the sheet?"""
    return table.version > 0 or table.deals_recorded > 0


def look_ahead(this_round: Round, wish: Wish) -> Outlook:
    """Say what a change would do; refuses one that cannot be made, with the reason."""
    if this_round.state == Round.State.CLOSED:
        raise ValidationError(
            _("Round %(number)s is already closed."),
            code="round_closed",
            params={"number": this_round.number},
        )
    seating = Seating.of(this_round)
    after = _after(seating, wish)
    before = {player: seating.spot(player) for player in after}
    touched = _touched(seating, before, after)
    _refuse_sizes(seating, after, touched)
    danger = Danger.UNSAFE if _is_unsafe(seating, after, touched) else Danger.SAFE
    return Outlook(
        before=before,
        after=after,
        danger=danger,
        costs=tuple(_costs(seating, before, after, touched)),
        confirm=seating.names[wish.one],
        seen=_state(before, touched),
    )


def _after(seating: Seating, wish: Wish) -> Spots:
    _refuse_unknown(seating, wish.one)
    here = seating.spot(wish.one)
    if wish.kind == Kind.UNSEAT:
        if here is None:
            raise ValidationError(
                _("%(player)s has no seat in this round."),
                code="not_seated",
                params={"player": seating.names[wish.one]},
            )
        return {wish.one: None}
    if wish.kind == Kind.MOVE:
        return {wish.one: _open_place(seating, wish, here)}
    other = wish.other or 0
    _refuse_unknown(seating, other)
    there = seating.spot(other)
    if wish.one == other or here == there:
        raise ValidationError(_("Choose two players of this round."), code="not_two_players")
    return {wish.one: there, other: here}


def _open_place(seating: Seating, wish: Wish, here: Spot) -> Spot:
    table = seating.tables.get(wish.table or 0)
    if table is None:
        raise ValidationError(_("Choose a table of this round."), code="no_table")
    if here is not None and here[0] == table.pk:
        raise ValidationError(
            _("%(player)s already sits at table %(number)s."),
            code="same_table",
            params={"player": seating.names[wish.one], "number": table.number},
        )
    room = _most_seats(seating.this_round.event)
    if len(seating.at_table(table.pk)) >= room:
        raise ValidationError(
            _("Table %(number)s is full. Let two players change places instead."),
            code="table_full",
            params={"number": table.number},
        )
    return table.pk, seating.free_place(table.pk)


def _most_seats(event: Event) -> int:
    # A table of five cannot be homologated: only a club night makes one by hand.
    return FULL_TABLE if event.kind == Event.Kind.TOURNAMENT else LARGEST_TABLE


def _refuse_unknown(seating: Seating, player: int) -> None:
    if player not in seating.names:
        raise ValidationError(_("Choose a player who is present."), code="not_present")


def _touched(seating: Seating, before: Spots, after: Spots) -> list[Table]:
    keys = {spot[0] for spot in (*before.values(), *after.values()) if spot is not None}
    return [table for key, table in seating.tables.items() if key in keys]


def _refuse_sizes(seating: Seating, after: Spots, touched: Iterable[Table]) -> None:
    for table in touched:
        now, then = len(seating.at_table(table.pk)), len(seating.at_table(table.pk, after))
        if now == then:
            continue
        if is_written(table):
            raise ValidationError(
                _("Table %(number)s has begun: nobody joins or leaves it before the next round."),
                code="table_begun",
                params={"number": table.number},
            )
        if then < SMALLEST_TABLE:
            raise ValidationError(
                ngettext(
                    "Table %(number)s would have %(count)s player: three are needed.",
                    "Table %(number)s would have %(count)s players: three are needed.",
                    then,
                ),
                code="too_few",
                params={"number": table.number, "count": then},
            )


def _is_unsafe(seating: Seating, after: Spots, touched: Iterable[Table]) -> bool:
    return any(is_written(table) for table in touched) or bool(_kept_apart(seating, after))


def _costs(seating: Seating, before: Spots, after: Spots, touched: list[Table]) -> Iterable[str]:
    for player, spot in after.items():
        yield _way(seating, player, before[player], spot)
    for player, spot in after.items():
        if spot is not None and is_written(seating.tables[spot[0]]):
            yield _points_taken_over(seating, player, spot)
    for table in touched:
        then = len(seating.at_table(table.pk, after))
        if then != len(seating.at_table(table.pk)):
            yield _("Table %(number)s then plays with %(count)s players.") % {
                "number": table.number,
                "count": then,
            }
    for player, number in _fixed_elsewhere(seating, after):
        yield _("%(player)s has table %(number)s as a fixed table, and would leave it.") % {
            "player": seating.names[player],
            "number": number,
        }
    for one, other in _met_before(seating, before, after):
        yield _("%(one)s and %(other)s have already met.") % {"one": one, "other": other}
    for one, other in _kept_apart(seating, after):
        yield _("%(one)s and %(other)s should not meet.") % {"one": one, "other": other}
    if seating.this_round.placement in {Placement.FFT, Placement.HOWELL}:
        yield _("The next round follows the movement as if nobody had changed seats.")


def _way(seating: Seating, player: int, here: Spot, there: Spot) -> str:
    gaps: dict[str, object] = {"player": seating.names[player]}
    if here is not None:
        gaps |= {"from": seating.tables[here[0]].number}
    if there is None:
        return _("%(player)s leaves table %(from)s and sits out.") % gaps
    table = seating.tables[there[0]]
    gaps |= {"to": table.number, "seat": _letter(table, there[1])}
    if here is None:
        return _("%(player)s sits down at table %(to)s, seat %(seat)s.") % gaps
    return _("%(player)s goes from table %(from)s to table %(to)s, seat %(seat)s.") % gaps


def _fixed_elsewhere(seating: Seating, after: Spots) -> list[tuple[int, int]]:
    """Who would sit at another table than the one he always keeps, with its number."""
    kept = EntryPlayer.objects.filter(event=seating.this_round.event_id, player__in=after)
    rows = kept.order_by("player").values_list("player_id", "entry__fixed_table")
    return [
        (player, number)
        for player, number in rows
        if number is not None
        and (spot := after[player]) is not None
        and seating.tables[spot[0]].number != number
    ]


def _letter(table: Table, place: int) -> str:
    return Seat(table=table, place=place).letter


def _points_taken_over(seating: Seating, player: int, spot: tuple[int, int]) -> str:
    former = next(s for s in seating.seats.values() if (s.table_id, s.place) == spot)
    return ngettext(
        "%(points)s points in %(deals)s deal at table %(number)s count for %(player)s, "
        "no longer for %(former)s.",
        "%(points)s points in %(deals)s deals at table %(number)s count for %(player)s, "
        "no longer for %(former)s.",
        former.deals_played,
    ) % {
        "points": signed(former.points),
        "deals": former.deals_played,
        "number": seating.tables[spot[0]].number,
        "player": seating.names[player],
        "former": seating.names[former.player_id],
    }


def _met_before(seating: Seating, before: Spots, after: Spots) -> list[tuple[str, str]]:
    """Who would sit together again, and would not have without the change."""
    new = _companions(seating, after) - _companions(seating, before)
    if not new:
        return []
    players = {player for pair in new for player in pair}
    earlier = Seat.objects.filter(round__event=seating.this_round.event_id, player__in=players)
    tables: dict[int, list[int]] = {}
    rows = earlier.exclude(round=seating.this_round).order_by("table", "player")
    for table, player in rows.values_list("table_id", "player_id"):
        tables.setdefault(table, []).append(player)
    met = {pair for together in tables.values() for pair in combinations(sorted(together), 2)}
    return [(seating.names[a], seating.names[b]) for a, b in sorted(new & met)]


def _companions(seating: Seating, spots: Spots) -> set[tuple[int, int]]:
    pairs: set[tuple[int, int]] = set()
    for player, spot in spots.items():
        if spot is not None:
            for other in seating.at_table(spot[0], spots):
                if other != player:
                    pairs.add((min(player, other), max(player, other)))
    return pairs


def _kept_apart(seating: Seating, after: Spots) -> list[tuple[str, str]]:
    """Prohibited pairs and team-mates whom the change would bring to one table."""
    event = seating.this_round.event
    apart = set(
        event.prohibited_pairs.values_list(
            "one__entry_players__player", "other__entry_players__player"
        )
    )
    team = dict(
        EntryPlayer.objects.filter(event=event, player__in=seating.names)
        .exclude(entry__team=None)
        .values_list("player_id", "entry__team_id")
    )
    return [
        (seating.names[a], seating.names[b])
        for a, b in sorted(_companions(seating, after))
        if {(a, b), (b, a)} & apart or (a in team and team.get(a) == team.get(b))
    ]


def _state(before: Spots, touched: Iterable[Table]) -> str:
    sheets = [(table.pk, table.version, table.deals_recorded) for table in touched]
    return etag_of(sorted(before.items()), sheets).strip('"')
