"""What a tournament's standings count besides the sheets, written down by the worker."""

from __future__ import annotations

import pytest
from django.utils import timezone

from scoring import counting, tasks
from scoring.models import StaleStandings
from tests.factories import PlayerFactory
from tests.scoring import paper
from tournaments.models import Entry, Event, Ruling


@pytest.fixture
def four(club):
    return [PlayerFactory(club=club, name=f"{letter}.") for letter in "ABCD"]


@pytest.fixture
def tournament(season, four) -> Event:
    """One round of four players: +252 for A, −84 for the others."""
    event = paper.evening(season, four, kind=Event.Kind.TOURNAMENT, state=Event.State.RUNNING)
    paper.write(paper.sit(event, four)[0], 252, -84, -84, -84)
    return event


def count(event: Event) -> dict[str, tuple[int, int | None]]:
    StaleStandings.objects.create(event=event)
    tasks.refresh_standings(event.pk)
    return {str(entry)[0]: (entry.points, entry.place) for entry in event.entries.all()}


def entry_of(event: Event, letter: str) -> Entry:
    return event.entries.get(players__name=f"{letter}.")


def penalise(event: Event, letter: str, points: int, **fields) -> Ruling:
    return Ruling.objects.create(
        event=event, entry=entry_of(event, letter), kind="penalty", fault="other", points=points,
        **fields,
    )  # fmt: skip


def test_a_penalty_that_stands_counts_and_a_withdrawn_one_never_did(tournament):
    before = count(tournament)
    ruling = penalise(tournament, "B", 100)

    assert count(tournament) == {"A": (252, 1), "B": (-184, 4), "C": (-84, 2), "D": (-84, 2)}
    offender = entry_of(tournament, "B")
    assert (offender.sheet_points, offender.ruled_points) == (-84, -100)

    ruling.withdrawn_at = timezone.now()
    ruling.save()
    assert count(tournament) == before


def test_a_penalty_counts_at_a_club_night_too(season, four):
    night = paper.evening(season, four)
    paper.write(paper.sit(night, four)[0], 252, -84, -84, -84)
    penalise(night, "A", 500)

    assert count(night)["A"] == (-248, 4)


def test_a_warning_takes_nothing(tournament):
    Ruling.objects.create(
        event=tournament, entry=entry_of(tournament, "A"), kind="warning", fault="slow"
    )

    assert count(tournament)["A"] == (252, 1)


def test_the_sheets_add_up_to_zero_whatever_was_ruled(tournament):
    penalise(tournament, "A", 400)
    count(tournament)

    assert sum(entry.sheet_points for entry in tournament.entries.all()) == 0
    assert sum(entry.points for entry in tournament.entries.all()) == -400


def test_half_of_the_points_is_carried_into_the_second_stage(tournament, four):
    first = tournament.stages.create(number=1, rounds_planned=1, deals_per_round=5)
    second = tournament.stages.create(
        number=2, rounds_planned=1, deals_per_round=5, carried_numerator=1, carried_denominator=2
    )
    tournament.rounds.update(stage=first)
    paper.sit(tournament, four)
    tournament.rounds.filter(number=2).update(stage=second)

    assert count(tournament) == {"A": (126, 1), "B": (-42, 2), "C": (-42, 2), "D": (-42, 2)}
    assert [line.points for line in counting.after_round(tournament, 1)] == [252, -84, -84, -84]


def test_the_finalists_rank_first(season, club):
    players = [PlayerFactory(club=club, name=f"{letter}.") for letter in "ABCDEFGH"]
    event = paper.evening(season, players, kind=Event.Kind.TOURNAMENT)
    for table in paper.sit(event, players[:4], players[4:]):
        paper.write(table, 30, 20, 10, -60)
    first = event.stages.create(number=1, rounds_planned=1, deals_per_round=5)
    final = event.stages.create(number=2, rounds_planned=1, deals_per_round=5, qualifiers=4)
    event.rounds.update(stage=first)
    event.entries.filter(players__name__in=["A.", "B.", "E.", "F."]).update(reached_stage=2)

    assert count(event)["C"] == (10, 5), "nobody is in a final that has not begun"
    finalists = [players[n] for n in (0, 1, 4, 5)]
    paper.write(paper.sit(event, finalists)[0], -300, 100, 100, 100)
    event.rounds.filter(number=2).update(stage=final)

    assert count(event) == {
        "A": (-270, 4), "B": (120, 2), "C": (10, 5), "D": (-60, 7),
        "E": (130, 1), "F": (120, 2), "G": (10, 5), "H": (-60, 7),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("policy", "points"), [("nothing", 252), ("average", 252 + 252), ("fixed", 252 - 20)]
)
def test_a_round_after_leaving_counts_by_the_rule_of_the_event(tournament, four, policy, points):
    tournament.missed_rounds, tournament.missed_points = policy, -20
    tournament.save()
    tournament.entries.filter(pk=entry_of(tournament, "A").pk).update(state="withdrawn")
    paper.write(paper.sit(tournament, four[1:])[0], 20, -10, -10)
    tournament.rounds.update(state="closed")

    assert count(tournament)["A"] == (points, 1)
    assert entry_of(tournament, "A").sheet_points == 252


def test_a_table_that_never_reported_is_no_missed_round(tournament, four):
    tournament.missed_rounds, tournament.missed_points = "fixed", -20
    tournament.save()
    paper.sit(tournament, four)
    tournament.rounds.update(state="closed")

    assert count(tournament)["A"] == (252, 1)


def test_the_declared_tie_break_and_its_value_are_written_down(tournament, four):
    paper.write(paper.sit(tournament, four)[0], 0, 20, -40, 20)
    paper.write(paper.sit(tournament, four)[0], 0, -20, 40, -20)
    tournament.tie_breaks = ["latest_round", "no such rule"]
    tournament.save()

    assert count(tournament) == {"A": (252, 1), "B": (-84, 3), "C": (-84, 2), "D": (-84, 3)}
    assert entry_of(tournament, "A").tie_breaks == []
    assert entry_of(tournament, "C").tie_breaks == [
        {"code": "latest_round", "value": [40, -40, -84]}
    ]


def test_contracts_made_as_taker_may_decide(tournament, four):
    paper.write(paper.sit(tournament, [four[2], four[1], four[3], four[0]])[0], 0, 0, 0, 0)
    tournament.tie_breaks = ["contracts_made"]
    tournament.save()

    assert count(tournament) == {"A": (252, 1), "B": (-84, 3), "C": (-84, 2), "D": (-84, 3)}
    assert entry_of(tournament, "C").tie_breaks == [{"code": "contracts_made", "value": 1}]
