"""Each way of placing a round: what it depends on, and the tables that it gives."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from tournaments import placing, seating
from tournaments.models import Placement, Round, Stage
from tournaments.placing import Chart, Place, Placing
from tournaments.seating import PastRound, Reason
from tournaments.stages import Pair, mates_of, positions_of_movement
from tournaments.teams import LARGEST_HOWELL


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Everything that a placing depends on; the same again gives the same tables.

    Players are named by their keys. ``before`` are the published rounds of the stage.
    """

    stage: Stage
    placement: str
    number: int
    seed: int
    roster: tuple[int, ...]
    roster_version: int
    tonight: tuple[PastRound, ...]
    before: tuple[Round, ...]
    policy: seating.Leftovers
    ranking: tuple[placing.Ranked, ...]
    chosen: dict[int, Place]
    fixed: dict[int, int]
    teams: tuple[tuple[int, ...], ...]
    prohibited: tuple[Pair, ...]
    replaced: dict[int, int]
    beyond_limit: bool
    said: tuple[dict[str, Any], ...] = ()

    @property
    def is_first(self) -> bool:
        return self.number == 1

    @property
    def positions(self) -> int:
        """How many positions a movement that the stage began with is to last, this one included."""
        return max(self.number, positions_of_movement(self.stage, self.placement))

    @property
    def goes_by_ranking(self) -> bool:
        """Do the points so far decide who plays, or where?"""
        cut = self.is_first and self.stage.qualifiers is not None
        return cut or self.placement in (Placement.BEST_WITH_BEST, Placement.FINAL)

    @property
    def apart(self) -> tuple[Pair, ...]:
        """Who is never put at one table by lot: prohibited pairs and team-mates."""
        return (*self.prohibited, *mates_of(list(self.teams)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """A placing with what the next round goes on from, and further sentences."""

    placing: Placing
    chart: dict[str, Any] | None = None
    said: tuple[dict[str, Any], ...] = ()
    waits: tuple[int, ...] = ()


def as_data(reasons: tuple[Reason, ...]) -> tuple[dict[str, Any], ...]:
    return tuple(reason.as_data() for reason in reasons)


def in_order(asked: Asked) -> list[placing.Ranked]:
    return sorted(asked.ranking, key=lambda one: (-one.points, one.number))


def _drawn(asked: Asked) -> Placed:
    draw = seating.draw_round(
        asked.roster,
        asked.tonight,
        seed=asked.seed,
        policy=asked.policy,
        prohibited=asked.apart,
        rounds_left=max(1, asked.stage.rounds_planned - len(asked.before)),
    )
    drawn = placing.placing_of_draw(draw)
    tables, kept = placing.keep_tables(drawn.tables, asked.fixed)
    laid = replace(drawn, tables=tables, reasons=(*drawn.reasons, *kept))
    return Placed(placing=laid, said=as_data(placing.not_homologable(laid)))


def _best_with_best(asked: Asked) -> Placed:
    laid = placing.place_best_with_best(
        asked.ranking,
        asked.tonight,
        policy=asked.policy,
        prohibited=asked.prohibited,
        teams=asked.teams,
        fixed=asked.fixed,
    )
    return Placed(placing=laid, said=as_data(placing.not_homologable(laid)))


def _howell(asked: Asked) -> Placed:
    if asked.is_first:
        numbers: list[int | None] = list(
            placing.draw_numbers(
                asked.roster,
                seed=asked.seed,
                rounds=asked.positions,
                prohibited=asked.apart,
            )
        )
        waits: tuple[int, ...] = ()
        said = as_data(placing.howell_reasons(len(numbers), asked.positions))
    else:
        numbers, waits = _numbers_now(asked)
        said = ()
    laid = placing.place_howell(
        numbers, asked.number, asked.tonight, prohibited=asked.apart, fixed=asked.fixed
    )
    _refuse_unplayable(asked, laid)
    return Placed(placing=laid, chart={"numbers": numbers}, said=said, waits=waits)


def _numbers_now(asked: Asked) -> tuple[list[int | None], tuple[int, ...]]:
    """The numbers after people left, were replaced or came; who finds none free waits."""
    here = set(asked.roster)
    before = [p and _latest(asked, p) for p in (asked.before[-1].chart or {})["numbers"]]
    numbers: list[int | None] = [player if player in here else None for player in before]
    coming = [player for player in asked.roster if player not in numbers]
    for player in list(coming):
        if None in numbers:
            numbers[numbers.index(None)] = player
            coming.remove(player)
    return numbers, tuple(coming)


def _fft(asked: Asked) -> Placed:
    if asked.is_first:
        chart = placing.draw_chart(
            asked.roster,
            seed=asked.seed,
            rounds=asked.positions,
            chosen=asked.chosen,
            fixed=asked.fixed,
            teams=asked.teams,
            prohibited=asked.prohibited,
        )
        said = placing.chart_reasons(chart, asked.positions, prohibited=asked.prohibited)
        return _moved(asked, chart, said=said)
    return _goes_on(asked)


def _final(asked: Asked) -> Placed:
    """The seeds, then the movement from them; fewer than five tables go by the ranking."""
    finalists = [one.player for one in in_order(asked)]
    few = len(finalists) <= LARGEST_HOWELL
    if asked.is_first:
        seeds = placing.place_final(finalists, asked.tonight, prohibited=asked.apart)
        chart = None if few else placing.final_chart(finalists).to_json()
        said = as_data(placing.equals_by_number(asked.ranking))
        return Placed(placing=seeds, chart=chart, said=said)
    return _best_with_best(asked) if asked.before[-1].chart is None else _goes_on(asked)


def _goes_on(asked: Asked) -> Placed:
    """The next position for those who are here now: leavers leave holes, latecomers fill them."""
    chart, said, waits = _chart_now(asked)
    return _moved(asked, chart, said=said, waits=waits)


def _moved(
    asked: Asked, chart: Chart, *, said: tuple[Reason, ...] = (), waits: tuple[int, ...] = ()
) -> Placed:
    if asked.number > chart.lasts and not asked.beyond_limit:
        raise ValidationError(
            _(
                "With %(tables)s tables the movement lasts %(lasts)s positions, and teams are not "
                "placed by lot or by the ranking. Plan fewer, or go on and let players meet again."
            )
            if asked.teams
            else _(
                "With %(tables)s tables the movement lasts %(lasts)s positions. Place this one by "
                "lot or by the ranking, or go on and let players meet again."
            ),
            code="movement_exceeded",
            params={"tables": chart.tables, "lasts": chart.lasts},
        )
    laid = placing.place_position(chart, asked.number, asked.tonight, prohibited=asked.apart)
    if laid.unplayable:
        mended = placing.mendings(
            chart,
            asked.number,
            rounds=asked.positions,
            history=asked.tonight,
            prohibited=asked.apart,
        )
        if mended:
            chart, said = mended[0].chart, (*said, mended[0].reason)
            laid = placing.place_position(
                chart, asked.number, asked.tonight, prohibited=asked.apart
            )
    _refuse_unplayable(asked, laid)
    has_threes = any(len(table.players) < len(placing.FOUR_SEATS) for table in laid.tables)
    if has_threes and asked.policy is not seating.Leftovers.THREES:
        said = (*said, placing.without_fives(asked.stage.number))
    return Placed(placing=laid, chart=chart.to_json(), said=as_data(said), waits=waits)


def _chart_now(asked: Asked) -> tuple[Chart, tuple[Reason, ...], tuple[int, ...]]:
    chart = placing.chart_from_json(asked.before[-1].chart or {})
    here = set(asked.roster)
    for player in list(chart.starts):
        came = _latest(asked, player)
        if came != player and came not in chart.starts:
            chart = chart.replaced(player, came)
    chart = chart.without(*(player for player in chart.starts if player not in here))
    chart = replace(chart, fixed={p: t for p, t in asked.fixed.items() if p in chart.starts})
    said: list[Reason] = []
    waits: list[int] = []
    for player in asked.roster:
        if player in chart.starts:
            continue
        own = _own_start(asked, player)
        if own in chart.empty:
            chart = chart.having(player, own)
        elif chart.empty:
            chart, reason = placing.seat_latecomer(
                chart,
                player,
                asked.number,
                rounds=asked.positions,
                prohibited=asked.apart,
            )
            said.append(reason)
        else:
            waits.append(player)
    return chart, tuple(said), tuple(waits)


def _latest(asked: Asked, player: int) -> int:
    """Who plays in the place of a player by now."""
    while player in asked.replaced:
        player = asked.replaced[player]
    return player


def _own_start(asked: Asked, player: int) -> Place | None:
    """Where somebody who comes back started."""
    for earlier in reversed(asked.before):
        starts = placing.chart_from_json(earlier.chart or {}).starts
        if player in starts:
            return starts[player]
    return None


def _refuse_unplayable(asked: Asked, laid: Placing) -> None:
    if laid.is_playable:
        return
    tables = ", ".join(str(table.number) for table in laid.unplayable)
    raise ValidationError(
        _(
            "Too many have left for the movement: too few players are at table %(tables)s. Put "
            "others in the places of those who have left."
        )
        if asked.teams
        else _(
            "Too many have left for the movement: too few players are at table %(tables)s. Place "
            "this position by lot or by the ranking."
        ),
        code="unplayable",
        params={"tables": tables},
    )


PLACEMENTS: Mapping[str, Callable[[Asked], Placed]] = {
    Placement.DRAWN: _drawn,
    Placement.BEST_WITH_BEST: _best_with_best,
    Placement.HOWELL: _howell,
    Placement.FFT: _fft,
    Placement.FINAL: _final,
}
