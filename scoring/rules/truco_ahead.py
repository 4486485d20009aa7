"""How a truco meeting goes on, as a table: a phone without network looks up what is asked next.

The engine tells what is asked at each score and what each answer gives; here stands what the
meeting adds: games, the deal that passes on, the end of the time.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rules_engine import truco
from scoring.rules.truco import CAP_RULES, LETTERS, Meeting, ahead_by_time, start_under
from tournaments.fixtures import CapRule

SIGNS = (-1, 0, 1)


def meeting_table(meeting: Meeting) -> dict[str, Any] | None:
    """Give what a phone looks up to go on by itself; nothing where a game takes very long.

    ``by_time`` tells who wins when the time decides, by who has won more games (1: pair A, -1:
    pair B, 0: none) and who is ahead in the game in play.
    """
    rules = meeting.rules
    table = truco.asking_table(rules)
    if table is None:
        return None
    return table | {
        "needed": meeting.needed,
        "games": meeting.games,
        "tento": rules.ladder[0],
        "next_seat": [truco.next_seat(seat, rules.players) for seat in range(rules.players)],
        "start": start_under(rules, CapRule.NONE),
        "caps": {cap: _changed_by(cap, rules) for cap in CAP_RULES},
        "by_time": {
            f"{games},{points}": LETTERS[ahead_by_time((games, 0), (points, 0))]
            for games in SIGNS
            for points in SIGNS
        },
    }


def _changed_by(cap: CapRule, rules: truco.Ruleset) -> dict[str, Any]:
    """Give what the end of the time changes: who is ahead wins now or after a hand; the start."""
    return {
        "now": cap is CapRule.LEADER_WINS,
        "after_a_hand": cap is CapRule.SUDDEN_HAND,
        "anew": cap is CapRule.FROM_11_11,
        "start": start_under(rules, cap),
    }


def stand_of(meeting: Meeting) -> dict[str, Any]:
    """Give where a meeting stands, from where that table goes on."""
    return {
        "score": meeting.score,
        "won": meeting.won,
        "game": len(meeting.scores) + 1,
        "begun": meeting.hand > 0,
        "dealer": meeting.dealer,
        "cap": str(meeting.cap),
        "winner": LETTERS[meeting.winner],
        "asked": asked_in(meeting),
    }


def asked_in(meeting: Meeting) -> str:
    """Name what is asked next: in which game, and what kind of hand."""
    return f"{len(meeting.scores) + 1} {truco.asked_at(meeting.rules, meeting.score)}"


def example_of(meeting: Meeting, score: truco.Score) -> Meeting:
    """Give the meeting as if the game in play stood so."""
    return replace(meeting, score=score, told=())
