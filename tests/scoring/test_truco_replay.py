"""A truco sheet played again from its lines agrees with a naive count, whatever was written."""

from __future__ import annotations

import os
import random
from dataclasses import replace

import pytest

from config.demo_truco import some_hand
from rules_engine import truco
from rules_engine.errors import RulesError
from scoring.models import TrucoLine
from scoring.rules.truco import Entered, Meeting, after

MEETINGS = int(os.environ.get("TRUCO_MEETINGS", "120"))
HOUSES = [
    truco.ruleset("paulista"),
    truco.ruleset("mineiro"),
    truco.ruleset("paulista").to(15),
    truco.ruleset("paulista-3v3").to(24),
]


def blank(rules: truco.Ruleset, games: int) -> Meeting:
    return Meeting(rules=rules, games=games, first_dealer=0)


def played(rules: truco.Ruleset, games: int, dice: random.Random) -> tuple[Meeting, list]:
    """Play a meeting to its end with hands that the engine allows; now and then nobody scores."""
    meeting, rows = blank(rules, games), []
    while not meeting.is_decided:
        tied = Entered(ending=TrucoLine.Ending.ALL_TIED)
        line = tied if dice.randrange(12) == 0 else some_hand(dice, meeting)
        row = line.row()
        row.number = len(rows) + 1
        meeting = after(meeting, row)
        rows.append(row)
    return meeting, rows


def counted_by_hand(rules: truco.Ruleset, rows: list) -> tuple[list, int]:
    """Add up without the engine: the scores of the games, and who deals next."""
    games, score = [], [0, 0]
    for row in rows:
        if row.winner:
            score["ab".index(row.winner)] += row.points
        if max(score) >= rules.target:
            games.append(tuple(score))
            score = [0, 0]
    return games, len(rows) % rules.players


@pytest.mark.parametrize("rules", HOUSES, ids=lambda rules: f"{rules.name}-{rules.target}")
@pytest.mark.parametrize("games", [1, 3, 5])
def test_random_meetings_are_counted_as_by_hand(rules, games):
    for seed in range(MEETINGS // (len(HOUSES) * 3)):
        meeting, rows = played(rules, games, random.Random(seed))

        scores, dealer = counted_by_hand(rules, rows)
        assert list(meeting.scores) == scores
        assert meeting.dealer == dealer
        winners = [score.index(max(score)) for score in scores]
        assert max(winners.count(0), winners.count(1)) == games // 2 + 1
        assert winners[-1] == meeting.winner


@pytest.mark.parametrize("rules", HOUSES, ids=lambda rules: f"{rules.name}-{rules.target}")
def test_taking_the_last_line_back_is_the_meeting_before_it(rules):
    dice = random.Random(7)
    meeting, rows = played(rules, 3, dice)
    again = blank(rules, 3)
    for row in rows[:-1]:
        again = after(again, row)

    assert not again.is_decided
    assert after(again, rows[-1]) == meeting


@pytest.mark.parametrize("rules", HOUSES, ids=lambda rules: f"{rules.name}-{rules.target}")
def test_what_the_engine_does_not_allow_is_never_counted(rules):
    """Any points at any score of a random game: taken exactly when the engine allows them."""
    dice = random.Random(3)
    _meeting, rows = played(rules, 1, dice)
    meeting = blank(rules, 1)
    for row in rows:
        for pair, letter in ((truco.Pair.A, "a"), (truco.Pair.B, "b")):
            for points in range(rules.target + 1):
                line = replace(Entered(), winner=letter, points=points).row()
                allowed = points in truco.possible_points(rules, meeting.score, pair)
                assert is_taken(meeting, line) == allowed
        meeting = after(meeting, row)


def is_taken(meeting: Meeting, row: TrucoLine) -> bool:
    try:
        after(meeting, row)
    except RulesError:
        return False
    return True
