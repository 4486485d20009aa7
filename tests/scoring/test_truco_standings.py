"""The standings of a truco night: points of meetings, then games, then tentos."""

from __future__ import annotations

import uuid

import pytest

from rules_engine import truco
from scoring import actions, counting, games_won, tasks
from scoring.games_won import MeetingResult
from scoring.rules.truco import KIND, Entered
from tests.factories import EventFactory, RoundFactory, SeasonFactory, TableFactory
from tests.scoring.truco import game, hand, record, truco_table
from tournaments.fixtures import POINTS, CapRule, Points
from tournaments.models import Entry, Event, Table


def result(entry: int, games: tuple[int, int], tentos=(0, 0), **given) -> MeetingResult:
    return MeetingResult(
        **{
            "entry": entry, "round": 1, "table": 1, "number": 1, "has_won": games[0] > games[1],
            "games_won": games[0], "games_lost": games[1], "points": tentos[0],
            "points_against": tentos[1], "hands": 20, "best_of": 3, **given,
        }
    )  # fmt: skip


def places(*results: MeetingResult, points: Points = POINTS["simples"]) -> list[tuple]:
    return [(line.entry, line.place, line.points) for line in games_won.of_event(results, points)]


def test_who_wins_more_meetings_is_ahead():
    assert places(result(1, (0, 2)), result(2, (2, 0))) == [(2, 1, 1), (1, 2, 0)]


def test_equal_points_are_parted_by_games_then_by_tentos():
    results = [
        result(1, (2, 1), (30, 20)),
        result(2, (2, 0), (24, 3)),
        result(3, (2, 1), (31, 20)),
        result(4, (2, 1), (30, 20)),
    ]

    standing = games_won.of_event(results, POINTS["simples"])

    assert [(line.entry, line.place) for line in standing] == [(2, 1), (3, 2), (1, 3), (4, 3)]
    assert standing[0].tie_breaks == [{"code": "game_difference", "value": 2}]
    assert standing[1].tie_breaks[-1] == {"code": "tento_difference", "value": 11}


@pytest.mark.parametrize(
    ("preset", "games", "points"),
    [
        ("simples", (2, 0), 1), ("simples", (1, 2), 0),
        ("jau", (2, 1), 3), ("jau", (0, 2), 1),
        ("3210", (2, 0), 3), ("3210", (2, 1), 2), ("3210", (1, 2), 1), ("3210", (0, 2), 0),
    ],
)  # fmt: skip
def test_a_meeting_gives_the_points_of_its_preset(preset, games, points):
    assert games_won.points_of(result(1, games), POINTS[preset]) == points


def test_a_single_game_is_never_close():
    assert games_won.points_of(result(1, (1, 0), best_of=1), POINTS["3210"]) == 3


def test_the_place_before_the_latest_round_is_kept():
    results = [result(1, (2, 0)), result(2, (0, 2)), result(2, (2, 0), round=2, table=2),
               result(1, (0, 2), round=2, table=2)]  # fmt: skip

    standing = games_won.of_event(results, POINTS["simples"])

    assert {line.entry: line.previous_place for line in standing} == {1: 1, 2: 2}


@pytest.mark.django_db
class TestFromTheSheets:
    @pytest.fixture
    def table(self, club) -> Table:
        return truco_table(SeasonFactory(club=club))

    def test_a_decided_table_counts_for_its_four_players(self, table, scorer):
        record(table, scorer, game(12, 9), game(22, 10))
        tasks.refresh_standings(table.event.pk)

        lines = [
            (entry.place, entry.points, entry.tally)
            for entry in Entry.objects.filter(event=table.event).order_by("seats__place")
        ]
        won = {"wins": 1, "losses": 0, "games": [2, 0], "points": [24, 19]}
        lost = {"wins": 0, "losses": 1, "games": [0, 2], "points": [19, 24]}
        assert lines == [(1, 1, won), (3, 0, lost), (1, 1, won), (3, 0, lost)]

    def test_a_table_that_goes_on_does_not_count_yet(self, table, scorer):
        record(table, scorer, game(12, 9))

        assert counting.of_event(table.event) == []

    @pytest.mark.parametrize("page", ["", "standings/", "standings/?projector", "results/"])
    def test_hands_of_a_meeting_that_goes_on_are_told_as_played(
        self, table, scorer, member_client, page
    ):
        address = f"/evenings/{table.event.pk}/{page}"
        assert "Nothing has been played yet" in member_client.get(address).text

        record(table, scorer, hand("b", 3))
        tasks.refresh_standings(table.event.pk)

        shown = member_client.get(address).text
        assert "No meeting is decided yet" in shown
        assert "Nothing has been played yet" not in shown
        assert "Present, not played yet" not in shown

    def test_a_meeting_that_time_decided_says_so_on_its_lines(self, table, scorer, member_client):
        address = f"/evenings/{table.event.pk}/standings/"
        over = Entered(kind=KIND.CAP, cap=CapRule.LEADER_WINS)
        assert "Decided at the limit of time" not in member_client.get(address).text

        record(table, scorer, hand("b", 3), over)
        tasks.refresh_standings(table.event.pk)

        assert "Decided at the limit of time" in member_client.get(address).text

    def test_a_correction_that_turns_the_meeting_turns_the_standings(self, table, scorer):
        record(table, scorer, game(12, 9))
        last = record(table, scorer, game(12, 8))
        tasks.refresh_standings(table.event.pk)

        actions.correct_truco_line(
            line=last, corrected=game(8, 12), entry_key=uuid.uuid4(), by=scorer
        )
        tasks.refresh_standings(table.event.pk)

        assert set(Entry.objects.filter(event=table.event).values_list("place", flat=True)) == {
            None
        }

    def test_a_fixed_pair_counts_once(self, club, scorer):
        event = EventFactory(
            season=SeasonFactory(club=club), running=True, game=Event.Game.TRUCO,
            entrants=Event.Entrants.PAIRS, best_of=1, target=12,
            ruleset=truco.ruleset("paulista").to_json(),
        )  # fmt: skip
        table = TableFactory(
            round=RoundFactory(event=event), players_per_deal=4, deals_planned=1, best_of=1,
            target=12,
        )  # fmt: skip
        one, other = (seat.entry for seat in table.seats.order_by("place")[:2])
        for seat in table.seats.filter(place__in=(3, 4)):
            seat.entry = one if seat.place == 3 else other
            seat.save()

        record(table, scorer, game(12, 2))

        lines = counting.of_event(event)
        assert [(line.entry, line.points, line.tally["wins"]) for line in lines] == [
            (one.pk, 1, 1),
            (other.pk, 0, 0),
        ]
