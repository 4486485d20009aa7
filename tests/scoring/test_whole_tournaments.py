"""Tournaments played from the entries to the last round and the ranking, as they really go: with
somebody late, somebody leaving, a replacement, a corrected deal, a ruling, a sheet never written.

The rounds are checked by the verifier, which knows nothing of how they were made, and the points
are added up once more from the marks. The first two tables of a round write their sheets deal by
deal through the actions; the rows of the others are stored at once. A draw that is refused goes
on by the first offer that the page makes.

Every format meets every number of players with WHOLE_TOURNAMENTS=all; each run has a part of them.
"""

from __future__ import annotations

import os
import random
import uuid
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from clubs.models import User
from rules_engine import tarot
from scoring import actions as sheets
from scoring import tasks
from scoring.models import Mark, StaleStandings, TarotDeal
from scoring.rules.tarot import columns_of, points_by_seat, ruleset_of
from tournaments import actions
from tournaments.checking import check_event
from tournaments.cuts import tie_at
from tournaments.models import Entry, Event, Round, Ruling, Seat, Table
from tournaments.offers import Asked, offers_after
from tournaments.presets import PRESETS, preset_named, stages_of
from tournaments.stages import earlier_rounds, next_stage, present_entries

pytestmark = pytest.mark.django_db

CONTRACTS = (tarot.Contract.PETITE, tarot.Contract.GARDE, tarot.Contract.GARDE_SANS)
DEALS_IN_TIME = 3


def planned(club, director: User, code: str) -> Event:
    preset = preset_named(code)
    stages = []
    for stage in stages_of(preset):
        share = Fraction(stage.pop("carried"))
        single = {name: stage.pop(name) for name in list(stage) if name.startswith("position_")}
        stages.append(
            stage
            | {"placements": {name.removeprefix("position_"): way for name, way in single.items()}}
            | {"carried_numerator": share.numerator, "carried_denominator": share.denominator}
        )
    return actions.create_tournament(
        club=club, starts_at=timezone.now(), stages=stages, format=code, by=director
    )


def enter(event: Event, count: int, *, word: str = "Joueur") -> list[Entry]:
    return [
        actions.enter_player(
            event=event, by=None, name=f"{word} n{n:03d} Zed", is_present=True,
            despite_namesakes=True,
        )
        for n in range(count)
    ]  # fmt: skip


def some_deal(table: Table, dice: random.Random) -> tarot.Deal:
    return tarot.Deal(
        ruleset=ruleset_of(table),
        contract=dice.choice(CONTRACTS),
        bouts=dice.randrange(4),
        half_points=2 * dice.randrange(15, 75),
    )


def write(table: Table, deals: int, dice: random.Random, author: User) -> None:
    seats = list(table.seats.order_by("place"))
    for _ in range(deals):
        sheets.record_tarot_deal(
            table=table,
            entry_key=uuid.UUID(int=dice.getrandbits(128)),
            deal=some_deal(table, dice),
            taker=dice.choice(seats),
            by=author,
        )


def store(tables: Sequence[Table], dice: random.Random, author: User) -> None:
    """The rows that the actions would have written for these tables, all at once."""
    seats = {table.pk: list(table.seats.order_by("place")) for table in tables}
    dealt = [
        (table, number, some_deal(table, dice), dice.choice(seats[table.pk]))
        for table in tables
        for number in range(1, started_deals(table) + 1)
    ]
    deals = TarotDeal.objects.bulk_create(
        TarotDeal(
            table=table, number=number, taker=taker, author=author,
            entry_key=uuid.UUID(int=dice.getrandbits(128)), **columns_of(deal),
        )
        for table, number, deal, taker in dealt
    )  # fmt: skip
    made = [points_by_seat(deal, seats[table.pk], taker=taker) for table, _, deal, taker in dealt]
    Mark.objects.bulk_create(
        Mark(deal=deal, seat_id=seat, points=points)
        for deal, marks in zip(deals, made, strict=True)
        for seat, points in marks.items()
    )
    for table in tables:
        for seat in seats[table.pk]:
            seat.points = sum(marks.get(seat.pk, 0) for marks in made)
            seat.deals_played = started_deals(table)
        table.deals_recorded = started_deals(table)
    Seat.objects.bulk_update(
        [seat for each in seats.values() for seat in each], ["points", "deals_played"]
    )
    Table.objects.bulk_update(tables, ["deals_recorded"])
    if tables:
        StaleStandings.objects.create(event_id=tables[0].round.event_id)


def place(event: Event, director: User, dice: random.Random) -> Round:
    """Draw the next round as planned; when that is refused, as a director goes on."""
    how: dict[str, object] = {}
    for _ in range(5):
        try:
            return actions.place_round(event=event, by=director, seed=dice.randrange(10**6), **how)
        except ValidationError as refusal:
            how = way_on(event, director, refusal.code, how)
    raise AssertionError("no draw after five ways on")


def way_on(event: Event, director: User, code: str, how: dict[str, object]) -> dict[str, object]:
    """What the director does about a refused draw: the first offer, lots, or a smaller final."""
    stage = next_stage(event)
    if code == "equal_at_the_cut":
        actions.draw_lots_at_the_cut(event=event, by=director, equal=tie_at(stage).equal, seed=7)
        return how
    present = present_entries(stage).count()
    if code == "fewer_than_the_best":
        actions.change_stage(stage=stage, by=director, qualifiers=present // 4 * 4)
        return how
    asked = Asked(
        placement=how.get("placement", stage.placement_at(len(earlier_rounds(stage)) + 1)),
        players=present,
        has_teams=False,
        leftovers=event.leftovers,
    )
    return {
        name: value if name in {"placement", "leftovers"} else True
        for name, value in offers_after(code, asked)[0].answers.items()
    }


def play(event: Event, dice: random.Random, director: User, *, silent: bool = False) -> None:
    """Place a round, play it and close it; ``silent``: the last table never reports."""
    started = actions.publish_round(proposal=place(event, director, dice), by=director)
    tables = list(started.tables.in_order())
    given_up = [tables.pop().number] if silent else []
    for table in tables[:2]:
        write(table, started_deals(table), dice, director)
    store(tables[2:], dice, director)
    if started.minutes:
        actions.start_clock(this_round=started, minutes=started.minutes, by=director)
        actions.call_time(this_round=started, by=director)
    for table in started.tables.exclude(number__in=given_up):
        actions.sign_sheet(table=table, by=director)
    actions.close_round(this_round=started, by=director, without=given_up)
    tasks.refresh_standings(event.pk)


def started_deals(table: Table) -> int:
    return DEALS_IN_TIME if table.round.minutes else table.deals_planned


def correct_one_deal(event: Event, dice: random.Random, director: User) -> None:
    deal = TarotDeal.objects.filter(table__round__event=event).standing().first()
    sheets.correct_tarot_deal(
        deal=deal,
        corrected=some_deal(deal.table, dice),
        entry_key=uuid.uuid4(),
        taker=deal.taker,
        by=director,
    )
    tasks.refresh_standings(event.pk)


def whole_tournament(event: Event, director: User, players: int, *, seed: int) -> int:
    """Play to the last round; gives the number of rounds."""
    dice = random.Random(seed)
    entries = enter(event, players)
    rounds = 0
    while next_stage(event) is not None:
        play(event, dice, director, silent=rounds == 1)
        rounds += 1
        if rounds == 1:
            enter(event, 1, word="Retardataire")
        elif rounds == 2:
            correct_one_deal(event, dice, director)
            sheets.record_ruling(
                event=event, fault="exposed_card", kind=Ruling.Kind.PENALTY, points=100,
                entry=entries[0], by=director,
            )  # fmt: skip
            tasks.refresh_standings(event.pk)
            actions.replace_entry(entry=entries[1], by=director, name="Quelqu'un d'Autre")
        elif rounds == 4:
            actions.withdraw_entry(entry=entries[2], by=director)
    return rounds


def from_the_marks(event: Event) -> Counter[int]:
    """Every entry's points once more: from the marks of the deals that stand, stage by stage."""
    points: Counter[int] = Counter()
    for stage in event.stages.order_by("number"):
        made = Counter(dict(_made(event, stage)))
        playing = set(
            stage.rounds.published().values_list("seats__entry", flat=True)
        ) if stage.qualifiers else points.keys() | made.keys()  # fmt: skip
        for entry in playing:
            points[entry] = int(points[entry] * stage.carried) + made[entry]
    for ruling in event.rulings.filter(withdrawn_at=None):
        points[ruling.entry_id] -= ruling.points
    return points


def _made(event: Event, stage) -> Iterator[tuple[int, int]]:
    totals: Counter[int] = Counter()
    marks = Mark.objects.filter(seat__round__stage=stage, deal__state="standing")
    for entry, points in marks.values_list("seat__entry", "points"):
        totals[entry] += points
    yield from totals.items()


def check(event: Event) -> None:
    for finding in check_event(event):
        assert finding.is_sound, (finding.round.number, finding.broken)
    expected = from_the_marks(event)
    ranked = event.entries.exclude(place=None)
    assert {entry.pk: entry.points for entry in ranked} == {
        entry.pk: expected[entry.pk] for entry in ranked
    }
    assert sum(entry.sheet_points for entry in ranked) == 0


SIZES = (12, 16, 17, 18, 19, 20, 68, 480)
CODES = [preset.code for preset in PRESETS]
ALL = os.environ.get("WHOLE_TOURNAMENTS") == "all"


def tournaments() -> Iterator[object]:
    """Every format with every size; without being asked, three small sizes of each format."""
    for row, code in enumerate(CODES):
        for column, players in enumerate(SIZES):
            is_small = players < 68
            if ALL or (is_small and (row + column) % 2 == 0) or (code == "6x4" and not is_small):
                marks = [] if is_small and not ALL else [pytest.mark.slow]
                yield pytest.param(code, players, id=f"{code}-{players}", marks=marks)


@pytest.mark.parametrize(("code", "players"), [*tournaments()])
def test_a_tournament_from_the_entries_to_the_ranking(club, director, code, players):
    event = planned(club, director, code)
    rounds = sum(event.stages.values_list("rounds_planned", flat=True))

    assert whole_tournament(event, director, players, seed=players) == rounds

    check(event)
    sheets.close_event(event=event, by=director)
    tasks.refresh_standings(event.pk)
    check(event)


def test_the_same_tournament_twice_has_the_same_ranking(club, director):
    rankings = []
    for _ in range(2):
        event = planned(club, director, "5x5")
        dice = random.Random(7)
        enter(event, 17, word="Encore")
        for _ in range(2):
            play(event, dice, director)
        rankings.append(list(event.entries.by_place().values_list("number", "points")))

    assert rankings[0] == rankings[1]
