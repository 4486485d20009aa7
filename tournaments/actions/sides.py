"""A round of an evening in which sides meet: partners drawn anew, or pairs and trios that stay."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from tournaments.fixtures import (
    FixtureError,
    PairedRound,
    PartnersRound,
    draw_partners,
    pair_round,
)
from tournaments.games import facts_of
from tournaments.models import Entry, EntryPlayer, Event, ProhibitedPair, Round, Seat, SitOut
from tournaments.seating import DrawnTable, Leftovers
from tournaments.seating.reasons import Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class SidesDraw:
    """A proposal for a round of sides, in the shape in which tables are laid."""

    policy: Leftovers
    tables: tuple[DrawnTable, ...]
    sit_out: tuple[int, ...]
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SidesPlan:
    """How those present would meet: so many tables of so many, and who is left over."""

    tables: int
    seats: int
    sit_out: int


def in_sides(event: Event) -> bool:
    """Do sides meet at the tables of this event?"""
    return facts_of(event.game).sides > 0


def team_size(event: Event) -> int:
    """Give how many play together at a table."""
    if event.side_size > 1:
        return event.side_size
    players = event.ruleset.get("players") or facts_of(event.game).table_sizes[0]
    return int(players) // 2


def plan_of_sides(event: Event, present: int) -> SidesPlan | None:
    """Give the tables for so many entries; nothing when they fill none."""
    size = team_size(event)
    needed = 2 if event.side_size > 1 else 2 * size
    tables, sit_out = divmod(present, needed)
    return SidesPlan(tables=tables, seats=2 * size, sit_out=sit_out) if tables else None


def draw_sides(event: Event, *, seed: int) -> SidesDraw:
    """Draw who meets whom among those present; equal input gives an equal draw.

    Refuses fewer than fill a table, and sides that are not complete.
    """
    try:
        return _fixed(event, seed) if event.side_size > 1 else _drawn(event, seed)
    except FixtureError as refusal:
        raise ValidationError(
            _(refusal.sentence), code=refusal.code, params=dict(refusal.gaps)
        ) from refusal


def _drawn(event: Event, seed: int) -> SidesDraw:
    present = EntryPlayer.objects.filter(event=event, entry__state=Entry.State.PRESENT)
    players = present.order_by("player").values_list("player_id", flat=True)
    past = [
        PartnersRound(
            tables=tuple((seats[0::2], seats[1::2]) for seats in tables),
            sit_out=out,
        )
        for tables, out in _tonight(event, "player_id")
    ]
    drawn = draw_partners(players, past, seed=seed, size=team_size(event))
    return SidesDraw(
        policy=Leftovers.SIT_OUT,
        tables=tuple(_table(home, away) for home, away in drawn.tables),
        sit_out=drawn.sit_out,
        reasons=drawn.reasons,
    )


def _fixed(event: Event, seed: int) -> SidesDraw:
    present = Entry.objects.filter(event=event).present().order_by("pk")
    past = [
        PairedRound(meetings=tuple((seats[0], seats[1]) for seats in tables), sit_out=out)
        for tables, out in _tonight(event, "entry_id")
    ]
    apart = ProhibitedPair.objects.filter(event=event).values_list("one", "other")
    drawn = pair_round(
        present.values_list("pk", flat=True), past, seed=seed, prohibited=list(apart)
    )
    players = _players_of(event)
    _refuse_incomplete(event, players, [one for pair in drawn.meetings for one in pair])
    return SidesDraw(
        policy=Leftovers.SIT_OUT,
        tables=tuple(_table(players[home], players[away]) for home, away in drawn.meetings),
        sit_out=tuple(player for entry in drawn.sit_out for player in players[entry][:1]),
        reasons=tuple(_about_players(reason, players) for reason in drawn.reasons),
    )


def _table(home: Sequence[int], away: Sequence[int]) -> DrawnTable:
    """Seat two sides: they take turns."""
    players = tuple(player for both in zip(home, away, strict=True) for player in both)
    return DrawnTable(players=players, per_deal=len(players), first_dealer=0)


def _players_of(event: Event) -> dict[int, list[int]]:
    players: dict[int, list[int]] = {}
    rows = EntryPlayer.objects.filter(event=event, is_reserve=False).order_by("-is_captain", "pk")
    for entry, player in rows.values_list("entry_id", "player_id"):
        players.setdefault(entry, []).append(player)
    return players


def _refuse_incomplete(event: Event, players: dict[int, list[int]], playing: Sequence[int]) -> None:
    for entry in playing:
        if len(players.get(entry, ())) != event.side_size:
            raise ValidationError(
                _("%(player)s is not complete: %(count)s players play together here."),
                code="side_size",
                params={"player": Entry.objects.get(pk=entry), "count": event.side_size},
            )


def _tonight(event: Event, who: str) -> list[tuple[list[tuple[int, ...]], tuple[int, ...]]]:
    """Give each round of tonight: the tables in the order of their seats, and who sat out."""
    found = []
    for this_round in event.rounds.published().order_by("number"):
        tables: dict[int, list[int]] = {}
        seats = Seat.objects.filter(round=this_round).order_by("table__number", "place")
        for table, one in seats.values_list("table_id", who):
            tables.setdefault(table, []).append(one)
        found.append(([tuple(seats) for seats in tables.values()], _sat_out(this_round, who)))
    return found


def _sat_out(this_round: Round, who: str) -> tuple[int, ...]:
    field = "entry_id" if who == "entry_id" else "entry__entry_players__player_id"
    return tuple(
        SitOut.objects.filter(round=this_round).order_by(field).values_list(field, flat=True)
    )


def _about_players(reason: Reason, players: dict[int, list[int]]) -> Reason:
    """Name a side by its first player: reasons are told with names of players."""
    gaps = {
        name: _first_players(gap, players) if isinstance(gap, tuple) else gap
        for name, gap in reason.gaps.items()
    }
    return Reason(code=reason.code, gaps=gaps)


def _first_players(gap: Sequence[Any], players: dict[int, list[int]]) -> Any:
    return tuple(
        _first_players(each, players) if isinstance(each, tuple) else players[each][0]
        for each in gap
    )


__all__ = ["SidesDraw", "SidesPlan", "draw_sides", "in_sides", "plan_of_sides", "team_size"]
