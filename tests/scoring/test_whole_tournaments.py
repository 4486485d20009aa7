"""Tournaments played from the entries to the last round and the ranking, as they really go: with
somebody late, somebody leaving, a replacement, a corrected deal, a ruling, a sheet never written.

The rounds are checked by the verifier, which knows nothing of how they were made, and the points
are added up once more from the marks.
"""

from __future__ import annotations

import random
import uuid
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

import pytest
from django.utils import timezone

from clubs.models import User
from rules_engine import tarot
from scoring import actions as sheets
from scoring import tasks
from scoring.models import Mark, TarotDeal
from scoring.rules.tarot import ruleset_of
from tournaments import actions
from tournaments.checking import check_event
from tournaments.models import Entry, Event, Ruling, Table
from tournaments.presets import preset_named, stages_of
from tournaments.stages import next_stage

pytestmark = pytest.mark.django_db

CONTRACTS = (tarot.Contract.PETITE, tarot.Contract.GARDE, tarot.Contract.GARDE_SANS)
DEALS_IN_TIME = 3


def planned(club, director: User, code: str) -> Event:
    preset = preset_named(code)
    stages = []
    for stage in stages_of(preset):
        share = Fraction(stage.pop("carried"))
        stages.append(
            stage | {"carried_numerator": share.numerator, "carried_denominator": share.denominator}
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


def play(event: Event, dice: random.Random, director: User, *, silent: bool = False) -> None:
    """Place a round, play it and close it; ``silent``: the last table never reports."""
    drawn = actions.place_round(event=event, by=director, seed=dice.randrange(10**6))
    started = actions.publish_round(proposal=drawn, by=director)
    tables = list(started.tables.in_order())
    given_up = [tables.pop().number] if silent else []
    for table in tables:
        write(table, min(table.deals_planned, started_deals(table)), dice, director)
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


@pytest.mark.parametrize(
    ("players", "code", "rounds"),
    [
        (12, "howell", 5),
        (16, "howell", 5),
        (17, "5x5", 5),
        (18, "5x4-final-12", 6),
        (19, "5x4-final-16", 6),
        (20, "3x60", 3),
        (20, "two-sessions", 10),
        (24, "25-final-20", 10),
        (20, "3x8", 3),
        (68, "6x4", 6),
        pytest.param(480, "6x4", 6, marks=pytest.mark.slow),
    ],
)
def test_a_tournament_from_the_entries_to_the_ranking(club, director, players, code, rounds):
    event = planned(club, director, code)

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
