"""What the standings of an event are counted from: its sheets, rulings and stages, read once.

Pages that show the ranking after an earlier round count with the very function that the worker
writes down with, so that no two of them can differ.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from django.db.models import Count, Exists, F, OuterRef
from django.db.models.functions import Coalesce

from scoring import games_won, standings
from scoring.models import Mark, TarotDeal, TrucoLine
from tournaments.fixtures import Points
from tournaments.games import facts_of
from tournaments.models import Event, Round, Ruling, Seat, SitOut
from tournaments.tiebreaks import TieBreak


def of_event(event: Event) -> list[standings.Standing]:
    """Give the standings of everybody who has played, best first."""
    if facts_of(event.game).plays_games:
        return _of_meetings(event)
    return standings.of_event(_totals(event), _plan(event))


def after_round(event: Event, number: int) -> list[standings.Standing]:
    """Give the standings as they were after a round, with the corrections made since."""
    if facts_of(event.game).plays_games:
        return _of_meetings(event, until=number)
    return standings.after_round(_totals(event), number, _plan(event))


def _of_meetings(event: Event, *, until: int | None = None) -> list[standings.Standing]:
    """Count what was won at the tables; who sits for an entry counts once."""
    seats = Seat.objects.filter(round__event=event).exclude(outcome="")
    if until is not None:
        seats = seats.filter(round__number__lte=until)
    time_is_over = TrucoLine.objects.standing().filter(
        table=OuterRef("table"), kind=TrucoLine.Kind.CAP
    )
    rows: list[Any] = [
        *seats.order_by("pk").values(
            "entry",
            "table",
            "outcome",
            "games_won",
            "games_lost",
            "points",
            "points_against",
            this_round=F("round__number"),
            number=F("table__number"),
            hands=F("deals_played"),
            best_of=Coalesce("table__best_of", 1),
            on_time=Exists(time_is_over),
        )
    ]
    found = {
        (row["entry"], row["table"]): games_won.MeetingResult(
            round=row.pop("this_round"), has_won=row.pop("outcome") == Seat.Outcome.WON, **row
        )
        for row in rows
    }
    ruled: Counter[int] = Counter()
    for each in _ruled(event):
        if until is None or each.round is None or each.round <= until:
            ruled[each.entry] += each.points
    points = Points.from_json(event.meeting_points) if event.meeting_points else Points()
    return [*games_won.of_event(found.values(), points, ruled)]


def _totals(event: Event) -> list[standings.SheetTotal]:
    totals = Mark.objects.standing().of_event(event.pk).by_sheet()
    return [standings.SheetTotal(**total) for total in totals]


def _plan(event: Event) -> standings.Plan:
    if not event.is_tournament:
        return standings.Plan(ruled=_ruled(event))
    return standings.Plan(
        stages=tuple(_stages(event)),
        ruled=_ruled(event),
        missed=_missed(event),
        tie_breaks=tuple(TieBreak(code) for code in event.tie_breaks if code in set(TieBreak)),
        contracts=_contracts(event),
    )


def _contracts(event: Event) -> dict[tuple[int, int], int]:
    """Count the contracts that each entry made as taker, round by round, if a tie-break asks."""
    if TieBreak.CONTRACTS_MADE not in event.tie_breaks:
        return {}
    made = TarotDeal.objects.standing().filter(table__round__event=event, is_made=True).order_by()
    counted = made.values_list("taker__entry", "table__round__number").annotate(Count("pk"))
    return {(entry, number): count for entry, number, count in counted}


def _ruled(event: Event) -> tuple[standings.Ruled, ...]:
    """Give the penalties that stand; warnings and decisions take nothing."""
    penalties = event.rulings.filter(kind=Ruling.Kind.PENALTY, withdrawn_at=None, points__gt=0)
    return tuple(
        standings.Ruled(entry=entry, points=points, round=number)
        for entry, points, number in penalties.order_by("pk").values_list(
            "entry", "points", "round__number"
        )
    )


def _stages(event: Event) -> Iterator[standings.Stage]:
    rounds: dict[int | None, set[int]] = {}
    for stage_id, number in event.rounds.published().values_list("stage", "number"):
        rounds.setdefault(stage_id, set()).add(number)
    reached = dict(event.entries.values_list("pk", "reached_stage"))
    for stage in event.stages.order_by("number"):
        qualified = None
        if stage.qualifiers is not None:
            qualified = frozenset(pk for pk, last in reached.items() if last >= stage.number)
        yield standings.Stage(
            rounds=frozenset(rounds.get(stage.pk, ())), carried=stage.carried, qualified=qualified
        )


def _missed(event: Event) -> tuple[standings.Missed, ...]:
    """Give the closed rounds for which somebody of the field was not there.

    Sitting out is part of a round; a final is missed by its qualifiers only.
    """
    if event.missed_rounds == Event.MissedRounds.NOTHING:
        return ()
    fixed = event.missed_rounds == Event.MissedRounds.FIXED
    rounds = event.rounds.filter(state=Round.State.CLOSED).order_by("number")
    there = {
        *Seat.objects.filter(round__event=event).values_list("round", "entry"),
        *SitOut.objects.filter(round__event=event).values_list("round", "entry"),
    }
    field = list(event.entries.order_by("pk").values_list("pk", "reached_stage"))
    return tuple(
        standings.Missed(entry=entry, round=number, points=event.missed_points if fixed else None)
        for this_round, number, stage, cut in rounds.values_list(
            "pk", "number", "stage__number", "stage__qualifiers"
        )
        for entry, reached in field
        if (this_round, entry) not in there and (cut is None or reached >= (stage or 1))
    )
