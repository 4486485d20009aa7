"""Evenings written straight into the rows, below the actions: the counting is tested alone."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta

from clubs.models import Player, Season
from rules_engine import tarot
from scoring.models import Mark, StaleRanking, StaleStandings, TarotDeal
from tournaments.models import Entry, EntryPlayer, Event, Round, Seat, Table

FIRST_EVENING = datetime(2026, 9, 3, 18, 15, tzinfo=UTC)


def evening(season: Season, players: Iterable[Player], *, week: int = 0, **fields) -> Event:
    """An evening with everybody checked in."""
    starts_at = FIRST_EVENING + timedelta(weeks=week)
    given = {"season": season, "starts_at": starts_at, "ruleset": tarot.ruleset("fft").to_json()}
    event = Event.objects.create(**given | fields)
    for player in players:
        join(event, player)
    return event


def join(event: Event, player: Player) -> Entry:
    entry = Entry.objects.create(event=event, number=event.entries.count() + 1)
    EntryPlayer.objects.create(event=event, entry=entry, player=player)
    return entry


def sit(event: Event, *tables: Sequence[Player]) -> list[Table]:
    """The next round, playing, with these players at its tables; the former ones are closed."""
    event.rounds.update(state=Round.State.CLOSED)
    number = event.rounds.count() + 1
    drawn = Round.objects.create(
        event=event, number=number, state=Round.State.PLAYING, seed=number, leftovers="threes",
        roster_version=0,
    )  # fmt: skip
    return [_table(drawn, number, players) for number, players in enumerate(tables, start=1)]


def _table(drawn: Round, number: int, players: Sequence[Player]) -> Table:
    table = Table.objects.create(
        round=drawn, number=number, players_per_deal=len(players), deals_planned=5
    )
    entries = {link.player_id: link.entry for link in EntryPlayer.objects.filter(event=drawn.event)}
    for place, player in enumerate(players, start=1):
        Seat.objects.create(
            round=drawn, table=table, place=place, player=player, entry=entries[player.pk]
        )
    return table


def write(table: Table, *points: int, number: int | None = None) -> TarotDeal:
    """A deal that gives each seat these points, with the mark its transaction leaves."""
    assert sum(points) == 0
    seats = list(table.seats.order_by("place"))
    deal = TarotDeal.objects.create(
        table=table,
        number=number or table.tarot_deals.count() + 1,
        entry_key=uuid.uuid4(),
        taker=seats[0],
        contract="petite",
        bouts=2,
        half_points=82,
        is_made=True,
        margin=0,
    )
    Mark.objects.bulk_create(
        Mark(deal=deal, seat=seat, points=part) for seat, part in zip(seats, points, strict=True)
    )
    stale(table)
    return deal


def correct(deal: TarotDeal, *points: int) -> TarotDeal:
    """A deal in the place of another one, which goes on naming it."""
    wrong = TarotDeal.objects.filter(pk=deal.pk)
    wrong.update(state="corrected")
    right = write(deal.table, *points, number=deal.number)
    wrong.update(corrected_by=right)
    return right


def void(deal: TarotDeal) -> None:
    TarotDeal.objects.filter(pk=deal.pk).update(state="void")
    stale(deal.table)


def stale(table: Table) -> None:
    StaleStandings.objects.create(event=table.round.event)


def close(event: Event) -> None:
    event.rounds.update(state=Round.State.CLOSED)
    Event.objects.filter(pk=event.pk).update(state="closed", closed_at=event.starts_at)
    StaleStandings.objects.create(event=event)
    StaleRanking.objects.create(season=event.season)


def reopen(event: Event) -> None:
    Event.objects.filter(pk=event.pk).update(state="running", closed_at=None)
    StaleRanking.objects.create(season=event.season)


def later() -> datetime:
    return datetime.now(tz=UTC) + timedelta(seconds=1)
