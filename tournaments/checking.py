"""A stored round, read back and handed to the independent verifiers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tournaments.fixtures.sides_verifier import SeenSides, second_meetings, verify_sides
from tournaments.games import facts_of
from tournaments.models import EntryPlayer, Event, JournalLine, Placement, Round
from tournaments.placing.verifier import Broken, verify_placing
from tournaments.seating.verifier import verify_round
from tournaments.stages import pairs_of, players_by_entry, teams_of

LETTERS = "NESW5"
#: What the round says of players who were not seated as its placement alone would seat them.
BY_HAND = frozenset({"swapped", "moves_to_empty_place"})


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenTable:
    number: int
    players: tuple[int, ...]
    seats: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenRound:
    """A round as it stands in the rows; tables as the verifiers of both kinds read them."""

    seen: tuple[SeenTable, ...]
    sit_out: tuple[int, ...]

    @property
    def present(self) -> frozenset[int]:
        return frozenset(p for table in self.seen for p in table.players) | {*self.sit_out}


@dataclass(frozen=True, slots=True)
class _Placed:
    tables: tuple[SeenTable, ...]
    sit_out: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Drawn:
    tables: tuple[tuple[int, ...], ...]
    sat_out: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What the verifier found of one round: the promises it breaks, and how often pairs met."""

    round: Round
    broken: tuple[Broken, ...] = field(default=())
    second_meetings: int = 0

    @property
    def is_sound(self) -> bool:
        return not self.broken


def check_event(event: Event) -> list[Finding]:
    """Check every round of an event, the proposal included."""
    rounds = list(event.rounds.select_related("stage").in_order())
    seen = {one.pk: seen_round(one) for one in rounds}
    check = _check_sides if facts_of(event.game).sides else _check
    return [check(event, one, rounds[:at], seen) for at, one in enumerate(rounds)]


def seen_round(one: Round) -> SeenRound:
    """The round as the rows have it."""
    tables: dict[int, list[tuple[str, int]]] = {}
    for number, place, player in one.seats.order_by("table__number", "place").values_list(
        "table__number", "place", "player"
    ):
        tables.setdefault(number, []).append((LETTERS[place - 1], player))
    out = one.sit_outs.values_list("entry__entry_players__player", flat=True)
    return SeenRound(
        seen=tuple(
            SeenTable(
                number=number,
                players=tuple(player for _, player in seated),
                seats=tuple(letter for letter, _ in seated),
            )
            for number, seated in tables.items()
        ),
        sit_out=tuple(sorted(out)),
    )


def _check(
    event: Event, one: Round, before: Sequence[Round], seen: dict[int, SeenRound]
) -> Finding:
    kind = _kind(one, before)
    alike = [other for other in before if _is_of_one_movement(one, other, kind)]
    line = _journal_line(event, one)
    now = seen[one.pk]
    moved = _moved_by_hand([*alike, one]) | _moved_later(event, [*alike, one])
    players = players_by_entry(event)
    verdict = verify_placing(
        _roster(line, now),
        [_placed(seen[other.pk]) for other in alike],
        _placed(now),
        placement=kind,
        policy=one.leftovers,
        prohibited=line["apart"] if "apart" in line else pairs_of(event, players),
        teams=teams_of(event, players),
        fixed={} if moved else dict(line.get("fixed", ())),
        moved=moved,
        ranking=line.get("ranking", ()),
        # The sentences of a round count every meeting of the event.
        reasons=one.reasons if len(alike) == len(before) and not moved else (),
    )
    broken = [*verdict.broken]
    if kind == Placement.DRAWN and not moved:
        drawn = verify_round(
            _roster(line, now),
            [_drawn(seen[other.pk]) for other in before],
            _drawn(now),
            policy=one.leftovers,
        )
        known = {one.code for one in broken}
        broken += [each for each in drawn.broken if each.code not in known]
    return Finding(
        round=one,
        broken=tuple(each for each in broken if not _is_announced(each, one)),
        second_meetings=verdict.figures.second_meetings,
    )


def _check_sides(
    event: Event, one: Round, before: Sequence[Round], seen: dict[int, SeenRound]
) -> Finding:
    """Judge a round of sides by what such a draw promises: whole sides, partners, opponents."""
    named = _named_for(event)
    earlier = [_sides(seen[other.pk], named) for other in before]
    now = _sides(seen[one.pk], named)
    roster = _roster(_journal_line(event, one), seen[one.pk])
    moved = _moved_by_hand([*before, one]) | _moved_later(event, [*before, one])
    broken = verify_sides(
        {named.get(player, player) for player in roster},
        earlier,
        now,
        size=1 if named else _team_size(event),
        reasons=[_said_of_sides(reason, named) for reason in one.reasons],
        moved=moved,
    )
    return Finding(round=one, broken=broken, second_meetings=second_meetings(earlier, now))


def _named_for(event: Event) -> dict[int, int]:
    """For each player of a side that stays together the one that stands for it."""
    if not event.enters_sides:
        return {}
    sides: dict[int, list[int]] = {}
    members = EntryPlayer.objects.filter(event=event).order_by("is_reserve", "-is_captain", "pk")
    for entry, player in members.values_list("entry_id", "player_id"):
        sides.setdefault(entry, []).append(player)
    return {player: side[0] for side in sides.values() for player in side}


def _team_size(event: Event) -> int:
    players = event.ruleset.get("players") or facts_of(event.game).table_sizes[0]
    return int(players) // 2


def _sides(one: SeenRound, named: Mapping[int, int]) -> SeenSides:
    """Two sides take turns around the table."""
    return SeenSides(
        tables=tuple(
            (_side(table.players[0::2], named), _side(table.players[1::2], named))
            for table in one.seen
        ),
        sit_out=_side(one.sit_out, named),
    )


def _side(players: Iterable[int], named: Mapping[int, int]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(named.get(player, player) for player in players))


def _said_of_sides(reason: Mapping[str, Any], named: Mapping[int, int]) -> Mapping[str, Any]:
    pairs = reason["gaps"].get("pairs", ())
    return {
        "code": reason["code"],
        "gaps": {"pairs": [_side(pair, named) for pair in pairs]},
    }


def _kind(one: Round, before: Sequence[Round]) -> str:
    """How the round was placed; a final goes on from its seeds by the movement or the ranking."""
    goes_on = any(other.stage_id == one.stage_id for other in before)
    if one.placement == Placement.FINAL and goes_on:
        return Placement.FFT if one.chart else Placement.BEST_WITH_BEST
    return one.placement


def _is_of_one_movement(one: Round, other: Round, kind: str) -> bool:
    if kind in (Placement.DRAWN, Placement.BEST_WITH_BEST):
        return True
    return other.stage_id == one.stage_id and other.placement == one.placement


def _is_announced(broken: Broken, one: Round) -> bool:
    """Did the round say so itself, because somebody chose to go beyond the movement?"""
    said = {reason["code"] for reason in one.reasons}
    return (broken.code == "meets_again" and "movement_exceeded" in said) or (
        broken.code == "not_at_fixed_table" and "cannot_keep_table" in said
    )


def _journal_line(event: Event, one: Round) -> Mapping[str, Any]:
    lines = event.journal.filter(kind=JournalLine.Kind.DRAWN, details__round=one.number)
    line = lines.filter(details__seed=one.seed).order_by("at", "pk").last()
    details: Mapping[str, Any] = line.details if line else {}
    return details


def _roster(line: Mapping[str, Any], now: SeenRound) -> Iterable[int]:
    """Who was here when the round was drawn; as the room shows it when nobody wrote it down."""
    players: Iterable[int] = line.get("players", now.present)
    return players


def _moved_by_hand(rounds: Iterable[Round]) -> set[int]:
    return {
        player
        for one in rounds
        for reason in one.reasons
        if reason["code"] in BY_HAND
        for player in reason["gaps"]["players"]
    }


def _moved_later(event: Event, rounds: Iterable[Round]) -> set[int]:
    """Whom the director moved in a round that had started."""
    numbers = [one.number for one in rounds]
    changes = event.journal.filter(kind=JournalLine.Kind.SEATS_CHANGED, details__round__in=numbers)
    return {player for line in changes for player in line.details.get("players", ())}


def _placed(one: SeenRound) -> _Placed:
    return _Placed(one.seen, one.sit_out)


def _drawn(one: SeenRound) -> _Drawn:
    return _Drawn(tuple(table.players for table in one.seen), one.sit_out)
